//! Answers going in and out of a draft, and what depends on them.

pub(crate) mod filling;
pub(crate) mod follow;
pub(crate) mod fresh;
pub(crate) mod journal;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod order;
pub(crate) mod show;
pub(crate) mod vars;
pub(crate) mod voice;
pub(crate) mod whole;
