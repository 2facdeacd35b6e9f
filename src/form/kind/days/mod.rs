//! Kinds that hold days, times and lengths of time.

pub mod date;
pub mod date_range;
pub mod datetime;
pub mod duration;
#[cfg(test)]
pub(crate) mod testing;
pub mod time;
