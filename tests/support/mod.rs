//! What tests share.

pub(crate) mod chat;
pub(crate) mod ledger;
