//! What becomes of a message: an event for the host, and what it is answered.

pub(crate) mod context;
pub(crate) mod converse;
pub(crate) mod fill;
pub(crate) mod pilot;
