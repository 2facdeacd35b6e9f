//! What each command does.

pub(crate) mod allowed;
pub(crate) mod begin;
pub(crate) mod change;
pub(crate) mod digress;
pub(crate) mod dispatch;
pub(crate) mod edit;
pub(crate) mod forget;
pub(crate) mod given;
pub(crate) mod link;
pub(crate) mod migrate;
pub(crate) mod navigate;
pub(crate) mod park;
