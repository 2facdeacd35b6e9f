//! How Redis is reached and asked.

pub(crate) mod failure;
pub(crate) mod link;
pub(crate) mod options;
pub(crate) mod port;
pub(crate) mod scripts;
