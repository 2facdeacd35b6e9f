//! What form files and submissions look like: JSON Schemas, and the reference.

pub(super) mod reference;
pub(super) mod schema;
pub(super) mod submission;
