//! `time`: a time of day.

/// A time of day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Time {
    /// Earliest time.
    pub min: Option<jiff::civil::Time>,
    /// Latest time.
    pub max: Option<jiff::civil::Time>,
}

super::stub!(Time);
