//! What adapters say and read by themselves.

pub(crate) mod bytes;
pub mod fallback;
pub(crate) mod files;
pub(crate) mod named;
pub mod unseen;
pub mod words;
