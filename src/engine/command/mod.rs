//! What each command does.

pub(crate) mod allowed;
pub(crate) mod aside;
pub(crate) mod begin;
pub(crate) mod carry;
pub(crate) mod change;
pub(crate) mod edit;
pub(crate) mod forget;
pub(crate) mod given;
pub(crate) mod link;
pub(crate) mod migrate;
pub(crate) mod park;
pub(crate) mod roam;
