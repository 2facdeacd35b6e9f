//! Lengths of time on the calendar.

/// A length of time on the calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// Calendar months.
    pub months: i64,
    /// Calendar days.
    pub days: i64,
    /// Seconds.
    pub seconds: i64,
}

impl Length {
    pub(crate) fn from_span(span: &jiff::Span) -> Self {
        Self {
            months: i64::from(span.get_years()) * 12 + i64::from(span.get_months()),
            days: i64::from(span.get_weeks()) * 7 + i64::from(span.get_days()),
            seconds: i64::from(span.get_hours()) * 3600 + span.get_minutes() * 60 + span.get_seconds(),
        }
    }
}
