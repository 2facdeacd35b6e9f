//! `duration`: a length of time, in seconds.
//!
//! `2 hours 30 minutes`, `1h30`, `an hour and a half`, `PT2H30M` → 9000 seconds. A month counts 30 days, a year 365.

use std::ops::Range;

use formwright_chat as chat;
use formwright_lexicon::dates::{Length, Mark};
use formwright_text::Said;
use formwright_values::when::{Hit, Line};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, when};
use jiff::Span;
use serde_json::json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A length of time, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duration {
    /// Shortest, in seconds.
    pub min: Option<i64>,
    /// Longest, in seconds.
    pub max: Option<i64>,
}

impl Duration {
    /// Lengths. "in 3 days" and "3 days ago" say when, so they are weak.
    fn hits(line: &Line<'_>) -> Vec<Hit<Value>> {
        let lengths = Self::all(line).into_iter();
        lengths
            .filter_map(|hit| {
                Some(Hit {
                    values: vec![Value::Duration(hit.values.first()?.to_seconds()?)],
                    pieces: hit.pieces,
                    strength: hit.strength,
                })
            })
            .collect()
    }

    /// Lengths of time in a message, with the bytes of each. Those that say when something is are left out.
    pub fn lengths(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Length)> {
        let line = Line::new(said, cx);
        let all = Self::all(&line).into_iter().filter(|hit| hit.strength > Strength::Weak);
        all.filter_map(|hit| Some((line.quote(hit.pieces), *hit.values.first()?))).collect()
    }

    fn all(line: &Line<'_>) -> Vec<Hit<Length>> {
        let mut hits = Vec::new();
        let mut at = if line.speaks_of_time() { 0 } else { line.len() };
        while at < line.len() {
            let Some(lasting) = line.may_begin(at).then(|| line.length(at)).flatten() else {
                at += 1;
                continue;
            };
            let behind = [Mark::Later, Mark::Ago, Mark::After, Mark::Before];
            let when = line.follows(at, &[Mark::In, Mark::AgoBefore])
                || behind.into_iter().any(|mark| line.mark(lasting.end, mark).is_some());
            let strength = if when { Strength::Weak } else { lasting.strength };
            hits.push(Hit { pieces: at..lasting.end, values: vec![lasting.length], strength });
            at = lasting.end.max(at + 1);
        }
        hits
    }
}

impl FieldKind for Duration {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let line = Line::new(said, cx);
        when::found(&line, Self::hits(&line))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let line = Line::new(said, cx);
        let mut hits = Self::hits(&line);
        if hits.is_empty() {
            hits.extend(line.hours_and_minutes().map(|hit| hit.map(Value::Duration)));
        }
        when::reading(&line, hits, "not_a_duration")
    }

    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = data.as_str().unwrap_or_default().trim();
        let standard = || Length::from_span(&text.parse().ok()?).to_seconds();
        let value = match data.as_i64().or_else(|| standard().filter(|_| text.contains('P'))) {
            Some(seconds) => Value::Duration(seconds),
            None => when::from_words(self.read(&Said::new(text), cx), text, "not_a_duration")?,
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Duration(seconds) = value else { return Err(Refusal::new("not_a_duration")) };
        let outside = |code: &str, name: &str, bound: i64| {
            let shown = when::show::duration(bound, cx);
            Err(Refusal::new(code).fact(name, shown).fact("duration", when::show::duration(*seconds, cx)))
        };
        match (self.min, self.max) {
            (Some(min), _) if *seconds < min => outside("duration_too_short", "min", min),
            (_, Some(max)) if *seconds > max => outside("duration_too_long", "max", max),
            _ => Ok(()),
        }
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Value::Duration(seconds) = value else { return String::new() };
        when::show::duration(*seconds, cx)
    }

    fn json(&self, value: &Value) -> serde_json::Value {
        self.prefill(value).map_or(serde_json::Value::Null, serde_json::Value::String)
    }

    fn schema(&self, _: Option<&Choices>) -> serde_json::Value {
        json!({ "type": "string", "format": "duration" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Duration
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let Value::Duration(seconds) = value else { return None };
        iso(*seconds)
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let plain = 5400;
        [plain, self.min.unwrap_or(0), self.max.unwrap_or(31_536_000)].into_iter().map(Value::Duration).collect()
    }
}

/// `P1DT2H30M`.
fn iso(seconds: i64) -> Option<String> {
    let span = Span::new()
        .try_days(seconds / 86_400)
        .and_then(|span| span.try_hours(seconds / 3600 % 24))
        .and_then(|span| span.try_minutes(seconds / 60 % 60))
        .and_then(|span| span.try_seconds(seconds % 60));
    span.ok().map(|span| span.to_string())
}

#[cfg(test)]
mod tests;
