//! `date_range`: first and last day, both included.
//!
//! `from 3 to 7 May`, `Monday to Friday`, `next week`, `for 3 days from Monday`, `2026-05-03/2026-05-07`. A single day is a
//! range of one day.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::when::bound::Bound;
use formwright_values::when::{Hit, Line};
use formwright_values::{Context, Found, Reading, Refusal, Value, when};
use jiff::civil;
use serde_json::json;

use super::date::{check_day, sample_days, widget_bounds};
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// First and last day, both included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DateRange {
    /// Earliest first day.
    pub min: Option<Bound>,
    /// Latest last day.
    pub max: Option<Bound>,
    /// Greatest number of days.
    pub max_days: Option<u32>,
}

fn range((start, end): (civil::Date, civil::Date)) -> Value {
    Value::DateRange { start, end }
}

fn backwards(start: civil::Date, end: civil::Date, cx: &Context<'_>) -> Refusal {
    let shown = |day| when::show::date(day, cx);
    Refusal::new("range_backwards").fact("start", shown(start)).fact("end", shown(end))
}

impl DateRange {
    /// Ranges, or where there is none single days, each a range of one day.
    fn hits(line: &Line<'_>) -> Vec<Hit<Value>> {
        let ranges: Vec<Hit<Value>> = line.periods().into_iter().map(|hit| hit.map(range)).collect();
        if !ranges.is_empty() {
            return ranges;
        }
        let days = line.days(line.side());
        if let Some(away) = away(line, &days) {
            return vec![away];
        }
        let one = |hit: Hit<civil::Date>| hit.map(|day| range((day, day)));
        days.into_iter().map(one).collect()
    }

    /// As [`Self::hits`], with the last such days too where the year is left open, the field takes them, and they are
    /// nearer than the next ones: "from 1 to 3 November" on the 21st.
    fn open_hits(&self, line: Line<'_>, cx: &Context<'_>) -> Vec<Hit<Value>> {
        let mut hits = Self::hits(&line);
        let today = cx.now.date();
        if self.min.is_none_or(|min| min.day(today) >= today) {
            return hits;
        }
        let past = Self::hits(&line.looking_back());
        for hit in &mut hits {
            let [Value::DateRange { start, .. }] = hit.values[..] else { continue };
            let same = past.iter().find(|past| past.pieces == hit.pieces);
            let Some([before]) = same.map(|past| &past.values[..]) else { continue };
            let Value::DateRange { start: first, end: last } = *before else { continue };
            let a_year = (360..=370).contains(&(start - first).get_days());
            let nearer = (today - last).get_days() < (start - today).get_days();
            if a_year && nearer && self.check(before, cx).is_ok() {
                hit.values.insert(0, before.clone());
            }
        }
        hits
    }
}

/// "Off since Monday, back on Thursday": whether Thursday is the last day or the first one after it is left open.
fn away(line: &Line<'_>, days: &[Hit<civil::Date>]) -> Option<Hit<Value>> {
    let [first, second] = days else { return None };
    let ([start], [back]) = (first.values.as_slice(), second.values.as_slice()) else { return None };
    let before = back.yesterday().ok().filter(|before| before >= start && line.resumes(&second.pieces))?;
    let pieces = first.pieces.start..second.pieces.end;
    let values = vec![range((*start, before)), range((*start, *back))];
    Some(Hit { pieces, values, strength: first.strength.min(second.strength) })
}

impl FieldKind for DateRange {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        when::found(&Line::new(said, cx), self.open_hits(Line::new(said, cx), cx))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let line = Line::new(said, cx);
        match when::reading(&line, self.open_hits(Line::new(said, cx), cx), "date_not_real") {
            Reading::Value(Found { span, value: Value::DateRange { start, end }, .. }) if start > end => {
                Reading::Refused(span, backwards(start, end, cx))
            }
            reading => reading,
        }
    }

    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal> {
        let pair = match data {
            serde_json::Value::String(text) => text.split_once('/'),
            _ => data.get("start").and_then(|day| day.as_str()).zip(data.get("end").and_then(|day| day.as_str())),
        };
        let days = pair.and_then(|(start, end)| Some((start.trim().parse().ok()?, end.trim().parse().ok()?)));
        let value = match days {
            Some(days) => range(days),
            None => {
                let text = data.as_str().unwrap_or_default();
                when::from_words(self.read(&Said::new(text), cx), text, "not_a_date_range")?
            }
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::DateRange { start, end } = *value else { return Err(Refusal::new("not_a_date_range")) };
        if start > end {
            return Err(backwards(start, end, cx));
        }
        check_day(start, self.min, self.max, cx)?;
        check_day(end, self.min, self.max, cx)?;
        let days = i64::from((end - start).get_days()) + 1;
        match self.max_days {
            Some(max) if days > i64::from(max) => {
                Err(Refusal::new("range_too_long").fact("max_days", max.to_string()).fact("days", days.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Value::DateRange { start, end } = *value else { return String::new() };
        when::show::range(start, end, cx)
    }

    fn json(&self, value: &Value) -> serde_json::Value {
        let Value::DateRange { start, end } = value else { return serde_json::Value::Null };
        json!({ "start": start.to_string(), "end": end.to_string() })
    }

    fn schema(&self, _: Option<&Choices>) -> serde_json::Value {
        json!({
            "type": "object",
            "properties": {
                "start": { "type": "string", "format": "date" },
                "end": { "type": "string", "format": "date" },
            },
            "required": ["start", "end"],
            "additionalProperties": false,
        })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let [min, max] = widget_bounds(self.min, self.max, cx);
        chat::Input::DateRange { min, max }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let Value::DateRange { start, end } = value else { return None };
        Some(format!("{start}/{end}"))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let days = sample_days(self.min, self.max);
        days.into_iter().map(|day| range((day, day))).collect()
    }
}

#[cfg(test)]
mod tests;
