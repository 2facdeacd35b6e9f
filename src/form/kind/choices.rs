//! `choices`: any of several options.

/// Any of several options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// Least number of picks.
    pub min: Option<u32>,
    /// Greatest number of picks.
    pub max: Option<u32>,
}

super::stub!(Choices);
