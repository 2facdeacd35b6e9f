//! What was said before: remembered, edited, and kept out where it is secret.

pub(crate) mod edited;
pub(crate) mod remember;
pub(crate) mod secrets;
