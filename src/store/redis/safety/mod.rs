//! Whether what Redis was given stays there: looked at all the time, and asked about a single write.

pub(crate) mod settle;
pub(crate) mod settling;
pub(crate) mod survival;
pub(crate) mod watch;
pub(crate) mod watched;
