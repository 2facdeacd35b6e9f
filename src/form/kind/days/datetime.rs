//! `datetime`: a day and time.
//!
//! `tomorrow at 5 pm`, `17:30 on 3 May`, `in two hours`, `2026-05-03T17:30` → `2026-05-03T17:30`. A time alone is that of
//! the day held or said before, else of the nearest; a day alone keeps the time held, else it is not enough.

mod changed;

use formwright_chat as chat;
use formwright_text::{Said, overlap};
use formwright_values::when::bound::{Bound, Prefer};
use formwright_values::when::hour::clock::Bare;
use formwright_values::when::hour::moment::Moment;
use formwright_values::when::{Hit, Line};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, when, zone};
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde_json::json;

use super::date::{check_day, sample_days, widget_bounds};
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A day and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Datetime {
    /// Earliest day.
    pub min: Option<Bound>,
    /// Latest day.
    pub max: Option<Bound>,
    /// Which day is meant where it is left open.
    pub prefer: Prefer,
}

impl Datetime {
    /// Days with times; times alone are weak unless their day is known, and none beside a day that no calendar has.
    fn hits(&self, line: &Line<'_>, bare: Bare, cx: &Context<'_>) -> Vec<Hit<Value>> {
        let here = |Hit { pieces, values, strength }: Hit<Moment>| {
            let values = values.into_iter().flat_map(|moment| changed::here(moment, cx)).collect();
            Hit { pieces, values, strength }
        };
        let mut hits: Vec<Hit<Value>> = line.moments(self.prefer).into_iter().map(here).collect();
        if hits.is_empty() {
            hits.extend(line.day_and_time_apart(self.prefer).map(here));
        }
        if hits.is_empty() && line.unreal_day(self.prefer).is_some() {
            return hits;
        }
        for (pieces, clock) in line.clocks_said(bare) {
            let within = hits.iter().any(|hit| overlap(&hit.pieces, &pieces));
            if !within {
                let values = line.on_nearest_day(&clock, self.prefer);
                let strength = if cx.held.is_some() { clock.strength } else { Strength::Weak };
                hits.push(here(Hit { pieces, values, strength }));
            }
        }
        if let (true, Some(Value::DateTime(held)), None) = (hits.is_empty(), cx.held, line.unreal_clock()) {
            let same_time = |day: jiff::civil::Date| Value::DateTime(day.to_datetime(held.time()));
            hits.extend(line.days(self.prefer).into_iter().map(|hit| hit.map(same_time)));
        }
        hits
    }
}

impl FieldKind for Datetime {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let line = Line::new(said, cx);
        when::found(&line, self.hits(&line, Bare::Never, cx))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let line = Line::new(said, cx).answering(self.prefer);
        let hits = self.hits(&line, Bare::Asked, cx);
        let sure = |hit: &Hit<Value>| hit.strength > Strength::Weak || cx.held.is_some();
        let day = || line.unreal_day(self.prefer).or_else(|| line.days(self.prefer).pop());
        let day = if hits.iter().any(sure) { None } else { day() };
        if let Some(refused) = when::unreal_time(&line, day.as_ref().map(|day| day.pieces.start))
            .filter(|_| day.is_some() || hits.is_empty())
        {
            return refused;
        }
        if let Some(day) = day {
            let span = line.quote(day.pieces.clone());
            let said = said.raw.get(span.clone()).unwrap_or_default();
            return match day.values.first() {
                Some(date) => {
                    let shown = when::show::date(*date, cx);
                    let missing = Refusal::new("time_missing").fact("date", shown);
                    let open = day.values.len() > 1;
                    Reading::Refused(span, if open { missing } else { missing.fact("day", date.to_string()) })
                }
                None => {
                    // Its time is of no other day.
                    let clocks = line.clocks_said(Bare::BesideDay).into_iter().map(|(pieces, _)| pieces);
                    let apart = clocks.filter(|pieces| !overlap(pieces, &day.pieces));
                    let whole = apart.fold(day.pieces.clone(), |a, b| a.start.min(b.start)..a.end.max(b.end));
                    Reading::Refused(line.quote(whole), Refusal::new("date_not_real").fact("said", said))
                }
            };
        }
        when::reading(&line, hits, "date_not_real")
    }

    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = data.as_str().unwrap_or_default().trim();
        let value = match parse_iso(text, cx) {
            Some(moment) => moment,
            None => when::from_words(self.read(&Said::new(text), cx), text, "not_a_datetime")?,
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Some((moment, offset)) = parts(value) else { return Err(Refusal::new("not_a_datetime")) };
        check_day(moment.date(), self.min, self.max, cx)?;
        changed::check(moment, offset, cx)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Some((moment, offset)) = parts(value) else { return String::new() };
        let shown = when::show::moment(moment, cx);
        offset.map_or_else(|| shown.clone(), |offset| format!("{shown} ({})", zone::offset_label(offset)))
    }

    fn json(&self, value: &Value) -> serde_json::Value {
        let local = self.prefill(value);
        let offset = parts(value).and_then(|(_, offset)| offset).map(zone::offset_digits);
        local.map_or(serde_json::Value::Null, |local| (local + &offset.unwrap_or_default()).into())
    }

    fn schema(&self, _: Option<&Choices>) -> serde_json::Value {
        // The format `date-time` of JSON Schema demands a zone; this is the person's own local time. An hour that their
        // clock shows twice has its distance from UTC.
        let local = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?";
        json!({ "type": "string", "pattern": format!("^{local}([+-][0-9]{{2}}:[0-9]{{2}})?$") })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let [min, max] = widget_bounds(self.min, self.max, cx);
        let at = |time: &str, day: Option<String>| day.map(|day| format!("{day}T{time}"));
        chat::Input::DateTime { min: at("00:00", min), max: at("23:59", max) }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let (moment, _) = parts(value)?;
        let time = moment.time();
        let time = time.strftime(if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" });
        Some(format!("{}T{time}", moment.date()))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let moment = |day: jiff::civil::Date| Value::DateTime(day.at(12, 30, 0, 0));
        sample_days(self.min, self.max).into_iter().map(moment).collect()
    }
}

/// A day and time, with the distance from UTC that tells it from another at the same hour.
fn parts(value: &Value) -> Option<(DateTime, Option<Offset>)> {
    match value {
        Value::DateTime(moment) => Some((*moment, None)),
        Value::RepeatedTime { at, offset } => Some((*at, Offset::from_seconds(*offset).ok())),
        _ => None,
    }
}

/// ISO 8601, with a zone turned into the person's own time.
fn parse_iso(text: &str, cx: &Context<'_>) -> Option<Value> {
    if let Ok(at) = text.parse::<jiff::Timestamp>() {
        return Some(changed::value_at(&at.to_zoned(cx.now.time_zone().clone())));
    }
    text.contains(':').then(|| text.parse().ok().map(Value::DateTime)).flatten()
}

#[cfg(test)]
mod tests;
