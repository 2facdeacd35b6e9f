//! Expressions of XLSForms as conditions of forms, and back.

pub(super) mod from_cel;
pub(super) mod pattern;
pub(crate) mod to_cel;
pub(crate) mod xpath;
