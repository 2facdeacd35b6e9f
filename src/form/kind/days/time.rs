//! `time`: a time of day.
//!
//! `5 pm`, `17:30`, `half past five`, `noon`, `at 8 in the evening` → `17:30`. Where morning or afternoon is open, the
//! field's bounds settle it, else the person is asked.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::when::hour::clock::Bare;
use formwright_values::when::{Hit, Line};
use formwright_values::{Context, Found, Reading, Refusal, Value, when};
use jiff::civil;
use serde_json::json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A time of day. Where the earliest is after the latest, midnight lies between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Time {
    /// Earliest time.
    pub min: Option<civil::Time>,
    /// Latest time.
    pub max: Option<civil::Time>,
}

impl Time {
    fn allows(&self, time: civil::Time) -> bool {
        let after = self.min.is_none_or(|min| time >= min);
        let before = self.max.is_none_or(|max| time <= max);
        match (self.min, self.max) {
            (Some(min), Some(max)) if min > max => after || before,
            _ => after && before,
        }
    }

    fn hits(&self, line: &Line<'_>, bare: Bare) -> Vec<Hit<Value>> {
        let settled = |mut hit: Hit<civil::Time>| {
            let allowed: Vec<_> = hit.values.iter().copied().filter(|time| self.allows(*time)).collect();
            if allowed.len() == 1 {
                hit.values = allowed;
            }
            hit.map(Value::Time)
        };
        when::times(line, bare).into_iter().map(settled).collect()
    }
}

impl FieldKind for Time {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let line = Line::new(said, cx);
        when::found(&line, self.hits(&line, Bare::Never))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let line = Line::new(said, cx);
        match when::reading(&line, self.hits(&line, Bare::Asked), "not_a_time") {
            Reading::Nothing => when::unreal_time(&line, None).unwrap_or(Reading::Nothing),
            reading => reading,
        }
    }

    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = data.as_str().unwrap_or_default().trim();
        let value = match text.parse::<civil::Time>().ok().filter(|_| text.contains(':')) {
            Some(time) => Value::Time(time),
            None => when::from_words(self.read(&Said::new(text), cx), text, "not_a_time")?,
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Time(time) = value else { return Err(Refusal::new("not_a_time")) };
        if self.allows(*time) {
            return Ok(());
        }
        let shown = |time: civil::Time| when::show::time(time, cx);
        let (code, name, bound) = match (self.min, self.max) {
            (Some(min), _) if *time < min => ("time_too_early", "min", min),
            (_, Some(max)) => ("time_too_late", "max", max),
            (Some(min), None) => ("time_too_early", "min", min),
            (None, None) => return Ok(()),
        };
        Err(Refusal::new(code).fact(name, shown(bound)).fact("time", shown(*time)))
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Value::Time(time) = value else { return String::new() };
        when::show::time(*time, cx)
    }

    fn json(&self, value: &Value) -> serde_json::Value {
        self.prefill(value).map_or(serde_json::Value::Null, serde_json::Value::String)
    }

    fn schema(&self, _: Option<&Choices>) -> serde_json::Value {
        // The format `time` of JSON Schema demands a zone, which a time of day has none of.
        json!({ "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        let bound = |time: Option<civil::Time>| time.map(|time| time.strftime("%H:%M").to_string());
        chat::Input::Time { min: bound(self.min), max: bound(self.max) }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let Value::Time(time) = value else { return None };
        Some(time.strftime(if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" }).to_string())
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let plain = civil::time(12, 30, 0, 0);
        let least = self.min.unwrap_or(civil::time(0, 0, 0, 0));
        let greatest = self.max.unwrap_or(civil::time(23, 59, 0, 0));
        [plain, least, greatest].into_iter().map(Value::Time).collect()
    }
}

#[cfg(test)]
mod tests;
