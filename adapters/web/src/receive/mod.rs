//! How requests come in: which addresses there are, who asks, from where, and how much at once.

pub(crate) mod allowance;
pub(crate) mod auth;
pub(crate) mod crowd;
pub(crate) mod guard;
pub(crate) mod limit;
pub(crate) mod peer;
pub(crate) mod routes;
pub(crate) mod same;
pub(crate) mod shared;
