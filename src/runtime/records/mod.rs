//! What becomes of records: a person is forgotten, a session thrown away, what is old swept, a time zone kept.

pub mod forget;
pub(crate) mod forgetting;
pub(crate) mod reset;
pub(crate) mod sweep;
pub(crate) mod zones;
