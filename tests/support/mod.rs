//! What tests share.

pub(crate) mod chat;
