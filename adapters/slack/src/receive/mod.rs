//! How events come in: over a socket that the bot opens, or over HTTP.

pub(crate) mod serve;
pub(crate) mod signature;
pub(crate) mod socket;
