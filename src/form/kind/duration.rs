//! `duration`: a length of time, in seconds.

/// A length of time, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duration {
    /// Shortest, in seconds.
    pub min: Option<i64>,
    /// Longest, in seconds.
    pub max: Option<i64>,
}

super::stub!(Duration);
