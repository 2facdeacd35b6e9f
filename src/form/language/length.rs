//! Lengths of time on the calendar.

use rust_decimal::Decimal;

use super::dates::Unit;

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

    /// How many of a unit it is, where that is exact: 14 days for two weeks, 1.5 years for a year and a half, and no days for
    /// a month.
    pub fn count_in(self, unit: Unit) -> Option<Decimal> {
        let (months, days, seconds) =
            (Decimal::from(self.months), Decimal::from(self.days), Decimal::from(self.seconds));
        let of = |count: Decimal, size: i64| count.checked_div(Decimal::from(size));
        let count = match (unit, self.months, self.days, self.seconds) {
            (Unit::Year, _, 0, 0) => of(months, 12),
            (Unit::Month, _, 0, 0) => Some(months),
            (Unit::Week, 0, _, 0) => of(days, 7),
            (Unit::Day, 0, _, 0) => Some(days),
            (Unit::Hour, 0, 0, _) => of(seconds, 3600),
            (Unit::Minute, 0, 0, _) => of(seconds, 60),
            _ => None,
        };
        count.map(|count| count.normalize()).filter(|count| count.scale() <= 2 && !count.is_zero())
    }
}
