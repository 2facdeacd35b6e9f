//! What is shown of a session, and what would come of a message.

pub(crate) mod explain;
pub(crate) mod extract;
pub mod preview;
pub(crate) mod unfinished;
pub(crate) mod view;
