//! `date`: a calendar day.
//!
//! `tomorrow`, `next Friday`, `3 May`, `31/12/2026`, `in two weeks` → `2026-12-31`. 02/03 is asked back unless the
//! region or the language settles which is the month.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::when::{Hit, Line};
use formwright_values::{Context, Found, Reading, Refusal, Value, when};
use jiff::civil;
use serde_json::json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
pub use formwright_values::when::apart::{Apart, From, apart, hours_apart, lasting};
pub use formwright_values::when::bound::{Bound, BoundError, Prefer};
pub use formwright_values::when::hour::moment::{FromNow, from_now};

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

/// Refuses a day outside its bounds.
pub(crate) fn check_day(
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
pub(crate) fn widget_bounds(min: Option<Bound>, max: Option<Bound>, cx: &Context<'_>) -> [Option<String>; 2] {
    [min, max].map(|bound| bound.map(|bound| bound.day(cx.now.date()).to_string()))
}

/// Days for trying expressions: a plain one and the fixed bounds.
pub(crate) fn sample_days(min: Option<Bound>, max: Option<Bound>) -> Vec<civil::Date> {
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
        let line = Line::new(said, cx).answering(self.prefer);
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
            Err(_) => when::from_words(self.read(&Said::new(text), cx), text, "not_a_date")?,
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
