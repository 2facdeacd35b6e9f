//! `datetime`: a day and time.

/// A day and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Datetime {
    /// Earliest day.
    pub min: Option<super::date::Bound>,
    /// Latest day.
    pub max: Option<super::date::Bound>,
    /// Which day is meant where it is left open.
    pub prefer: super::date::Prefer,
}

super::stub!(Datetime);
