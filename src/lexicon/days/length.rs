//! Lengths of time on the calendar.

use jiff::Span;
use jiff::civil::Date;
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
    /// Of a span of the calendar.
    pub fn from_span(span: &jiff::Span) -> Self {
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

    /// `thousandths` of a unit; parts of months and years become days of 30 to the month.
    pub fn of(unit: Unit, thousandths: i64) -> Option<Self> {
        let one = |per: i64| thousandths.checked_mul(per).map(|n| n / 1000);
        let (whole, part) = (thousandths / 1000, thousandths % 1000);
        Some(match unit {
            Unit::Second => Self { seconds: one(1)?, ..Self::default() },
            Unit::Minute => Self { seconds: one(60)?, ..Self::default() },
            Unit::Hour => Self { seconds: one(3600)?, ..Self::default() },
            Unit::Day => Self { days: whole, seconds: part * 86_400 / 1000, ..Self::default() },
            Unit::Week => {
                let days = thousandths.checked_mul(7)?;
                Self { days: days / 1000, seconds: days % 1000 * 86_400 / 1000, ..Self::default() }
            }
            Unit::Month => Self { months: whole, days: part * 30 / 1000, ..Self::default() },
            Unit::Year => Self { months: one(12)?, ..Self::default() },
        })
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            months: self.months.checked_add(other.months)?,
            days: self.days.checked_add(other.days)?,
            seconds: self.seconds.checked_add(other.seconds)?,
        })
    }

    /// So many thousandths of it.
    pub fn times(self, thousandths: i64) -> Option<Self> {
        let times = |n: i64| n.checked_mul(thousandths).map(|n| n / 1000);
        Some(Self { months: times(self.months)?, days: times(self.days)?, seconds: times(self.seconds)? })
    }

    /// How many years it is, where it is a number of whole years.
    pub fn whole_years(self) -> Option<i64> {
        (self.months > 0 && self.months % 12 == 0 && self.days == 0 && self.seconds == 0).then_some(self.months / 12)
    }

    /// Whether it is told in weeks, months or years.
    pub fn is_of_weeks(self) -> bool {
        (self.months > 0 || self.days > 0) && self.days % 7 == 0 && self.seconds == 0
    }

    /// The unit that it is told in.
    pub fn unit(self) -> Unit {
        match self {
            Self { months: 1.., .. } if self.months % 12 == 0 => Unit::Year,
            Self { months: 1.., .. } => Unit::Month,
            Self { days: 1.., .. } if self.days % 7 == 0 => Unit::Week,
            Self { days: 1.., .. } => Unit::Day,
            Self { seconds: 3600.., .. } if self.seconds % 3600 == 0 => Unit::Hour,
            Self { seconds: 60.., .. } => Unit::Minute,
            Self { .. } => Unit::Second,
        }
    }

    /// In seconds, a day of 24 hours, a month of 30 days and a year of 365.
    pub fn to_seconds(self) -> Option<i64> {
        let days = (self.months / 12).checked_mul(365)?.checked_add(self.months % 12 * 30)?.checked_add(self.days)?;
        days.checked_mul(86_400)?.checked_add(self.seconds)
    }

    /// The day so far from another; none where it is off the calendar or the length has hours.
    pub fn day_from(self, day: Date, sign: i64) -> Option<Date> {
        (self.seconds == 0).then(|| day.checked_add(self.span(sign)?).ok()).flatten()
    }

    /// As the calendar's own, times `sign`.
    pub fn span(self, sign: i64) -> Option<Span> {
        let span = Span::new().try_months(self.months.checked_mul(sign)?).ok()?;
        let span = span.try_days(self.days.checked_mul(sign)?).ok()?;
        span.try_seconds(self.seconds.checked_mul(sign)?).ok()
    }
}
