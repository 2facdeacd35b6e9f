//! `date`: a calendar day.
//!
//! `tomorrow`, `next Friday`, `3 May`, `31/12/2026`, `in two weeks` → `2026-12-31`. 02/03 is asked back unless the
//! region or the language settles which is the month.

use formwright_text::Said;
use jiff::{Span, civil};
use serde_json::json;

pub use super::when::apart::{Apart, From, apart, hours_apart, lasting};
pub use super::when::moment::{FromNow, from_now};
use super::when::{self, Hit, Line};
use super::{Context, FieldKind, Found, Reading, Refusal, chat};
use crate::{Choices, Value};

/// A calendar day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Date {
    /// Earliest day.
    pub min: Option<Bound>,
    /// Latest day.
    pub max: Option<Bound>,
    /// Which day is meant where the year or week is left open.
    pub prefer: Prefer,
}

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

/// Refuses a day outside its bounds.
pub(super) fn check_day(
    day: civil::Date,
    min: Option<Bound>,
    max: Option<Bound>,
    cx: &Context<'_>,
) -> Result<(), Refusal> {
    let today = cx.now.date();
    let outside = |code: &str, name: &str, bound: Bound| {
        let limit = when::show::date(bound.day(today), cx);
        Refusal::new(code).fact(name, limit).fact("date", when::show::date(day, cx))
    };
    if let Some(min) = min.filter(|min| day < min.day(today)) {
        return Err(outside(if min == Bound::TODAY { "date_in_past" } else { "date_too_early" }, "min", min));
    }
    if let Some(max) = max.filter(|max| day > max.day(today)) {
        return Err(outside(if max == Bound::TODAY { "date_in_future" } else { "date_too_late" }, "max", max));
    }
    Ok(())
}

/// Whether the words of a day or range name it only roughly: "end of October", "mid-June".
pub fn is_rough(words: &Said, range: bool, cx: &Context<'_>) -> bool {
    Line::new(words, cx).is_rough(range)
}

/// Bounds for a widget.
pub(super) fn widget_bounds(min: Option<Bound>, max: Option<Bound>, cx: &Context<'_>) -> [Option<String>; 2] {
    [min, max].map(|bound| bound.map(|bound| bound.day(cx.now.date()).to_string()))
}

/// Days for trying expressions: a plain one and the fixed bounds.
pub(super) fn sample_days(min: Option<Bound>, max: Option<Bound>) -> Vec<civil::Date> {
    let fixed = [min, max].into_iter().flatten().filter_map(|bound| match bound {
        Bound::Day(day) => Some(day),
        Bound::FromToday { .. } => None,
    });
    let mut days: Vec<civil::Date> = fixed.collect();
    if days.is_empty() {
        days.extend([civil::date(2026, 5, 3), civil::date(1900, 1, 1), civil::date(2100, 12, 31)]);
    }
    days
}

impl Date {
    /// Readings that the bounds forbid fall away: where one order of day and month fits, it is meant, and where none
    /// does, the person is told rather than asked.
    fn hits(&self, line: &Line<'_>, cx: &Context<'_>) -> Vec<Hit<Value>> {
        let settled = |mut hit: Hit<civil::Date>| {
            if hit.values.len() > 1 {
                let fits = |day: &civil::Date| check_day(*day, self.min, self.max, cx).is_ok();
                let fitting: Vec<civil::Date> = hit.values.iter().copied().filter(fits).collect();
                if fitting.is_empty() {
                    hit.values.truncate(1);
                } else {
                    hit.values = fitting;
                }
            }
            hit.map(Value::Date)
        };
        line.days(self.prefer).into_iter().map(settled).collect()
    }
}

impl FieldKind for Date {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let line = Line::new(said, cx);
        when::found(&line, self.hits(&line, cx))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let line = Line::new(said, cx);
        let mut hits = self.hits(&line, cx);
        if hits.is_empty() {
            hits.extend(line.length_from_today(self.prefer).map(|hit| hit.map(Value::Date)));
        }
        when::reading(&line, hits, "date_not_real")
    }

    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = data.as_str().unwrap_or_default().trim();
        let value = match text.parse::<civil::Date>() {
            Ok(date) => Value::Date(date),
            Err(_) => when::from_words(self, text, cx, "not_a_date")?,
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Date(date) = value else { return Err(Refusal::new("not_a_date")) };
        check_day(*date, self.min, self.max, cx)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Value::Date(date) = value else { return String::new() };
        when::show::date(*date, cx)
    }

    fn json(&self, value: &Value) -> serde_json::Value {
        let Value::Date(date) = value else { return serde_json::Value::Null };
        json!(date.to_string())
    }

    fn schema(&self, _: Option<&Choices>) -> serde_json::Value {
        json!({ "type": "string", "format": "date" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let [min, max] = widget_bounds(self.min, self.max, cx);
        chat::Input::Date { min, max }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let Value::Date(date) = value else { return None };
        Some(date.to_string())
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        sample_days(self.min, self.max).into_iter().map(Value::Date).collect()
    }
}

#[cfg(test)]
mod tests;
