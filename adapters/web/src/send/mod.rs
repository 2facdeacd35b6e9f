//! Replies that answer no request.

pub(crate) mod notices;
