//! `person`: a person of the platform.

/// A person of the platform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Person {}

super::stub!(Person);
