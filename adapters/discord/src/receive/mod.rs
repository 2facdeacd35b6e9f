//! How events come in: over the gateway, or over HTTP.

pub(crate) mod away;
pub(crate) mod backoff;
pub(crate) mod frame;
pub(crate) mod gateway;
pub(crate) mod give;
pub(crate) mod live;
pub(crate) mod serve;
