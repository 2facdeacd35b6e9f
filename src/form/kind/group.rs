//! `group`: fields that belong together.

/// Fields that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {}

super::stub!(Group);
