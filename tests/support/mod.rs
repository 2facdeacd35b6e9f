//! What tests share.

mod around;
pub(crate) mod chat;
pub(crate) mod desk;
pub(crate) mod ledger;
mod written;
