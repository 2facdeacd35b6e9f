//! Words for days and times: what they mean, and how a day is shown.

pub mod dates;
pub mod holiday;
pub(crate) mod length;
pub mod modal;
pub(crate) mod part;
pub mod past;
pub(crate) mod shown;
