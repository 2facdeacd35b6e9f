//! Bounds of days, and on which side of today an open day is looked for.

use jiff::{Span, civil};

/// A bound of a date: a day, or a distance from today (`today`, `today-100y`, `today+2w`, `today+1y-3d`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A fixed day.
    Day(civil::Date),
    /// So far from today.
    FromToday {
        /// Years, negative for the past.
        years: i16,
        /// Months.
        months: i32,
        /// Days.
        days: i32,
    },
}

/// Which day is meant where the year or week is left open ("Friday", "3 May").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Prefer {
    /// The next such day.
    #[default]
    Future,
    /// The last such day.
    Past,
}

impl Prefer {
    /// What is meant where the latest day is `max`: the last such day, where none to come is allowed.
    pub fn within(max: Option<Bound>) -> Self {
        match max {
            Some(Bound::FromToday { years, months, days }) => {
                let ahead = (i64::from(years) * 12 + i64::from(months)) * 30 + i64::from(days) > 0;
                if ahead { Self::Future } else { Self::Past }
            }
            _ => Self::Future,
        }
    }
}

impl Bound {
    /// Today.
    pub const TODAY: Self = Self::FromToday { years: 0, months: 0, days: 0 };

    /// The day it is, given today. Past the ends of the calendar, the end.
    pub fn day(self, today: civil::Date) -> civil::Date {
        let Self::FromToday { years, months, days } = self else {
            let Self::Day(day) = self else { return today };
            return day;
        };
        let span = Span::new()
            .try_years(i64::from(years))
            .and_then(|span| span.try_months(i64::from(months)))
            .and_then(|span| span.try_days(i64::from(days)));
        let back = (i64::from(years) * 12 + i64::from(months)) * 30 + i64::from(days) < 0;
        let edge = if back { civil::Date::MIN } else { civil::Date::MAX };
        span.and_then(|span| today.checked_add(span)).unwrap_or(edge)
    }
}

/// What is no bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a day (2026-12-31) nor a distance from today (today, today-100y, today+2w)")]
pub struct BoundError(String);

impl std::str::FromStr for Bound {
    type Err = BoundError;

    fn from_str(text: &str) -> Result<Self, BoundError> {
        let bad = || BoundError(text.to_owned());
        let Some(mut rest) = text.trim().strip_prefix("today") else {
            return text.trim().parse().map(Self::Day).map_err(|_| bad());
        };
        let (mut years, mut months, mut days) = (0_i16, 0_i32, 0_i32);
        while !rest.is_empty() {
            rest = rest.trim_start();
            let unit = rest.find(|c: char| c.is_ascii_lowercase()).ok_or_else(bad)?;
            let (number, tail) = rest.split_at(unit);
            if !number.starts_with(['+', '-']) {
                return Err(bad());
            }
            let n: i32 = number.replace(' ', "").parse().map_err(|_| bad())?;
            let (unit, tail) = tail.split_at(1);
            match unit {
                "y" => years = i16::try_from(n).ok().and_then(|n| years.checked_add(n)).ok_or_else(bad)?,
                "m" => months = months.checked_add(n).ok_or_else(bad)?,
                "w" => days = n.checked_mul(7).and_then(|n| days.checked_add(n)).ok_or_else(bad)?,
                "d" => days = days.checked_add(n).ok_or_else(bad)?,
                _ => return Err(bad()),
            }
            rest = tail;
        }
        Ok(Self::FromToday { years, months, days })
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Day(day) => write!(f, "{day}"),
            Self::FromToday { years, months, days } => {
                f.write_str("today")?;
                for (n, unit) in [(i32::from(years), "y"), (months, "m"), (days, "d")] {
                    if n != 0 {
                        write!(f, "{n:+}{unit}")?;
                    }
                }
                Ok(())
            }
        }
    }
}
