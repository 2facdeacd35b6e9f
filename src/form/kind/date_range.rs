//! `date_range`: first and last day, both included.

/// First and last day, both included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DateRange {
    /// Earliest first day.
    pub min: Option<super::date::Bound>,
    /// Latest last day.
    pub max: Option<super::date::Bound>,
    /// Greatest number of days.
    pub max_days: Option<u32>,
}

super::stub!(DateRange);
