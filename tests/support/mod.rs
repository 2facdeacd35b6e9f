//! What tests share.

mod around;
pub(crate) mod chat;
pub(crate) mod ledger;
mod written;
