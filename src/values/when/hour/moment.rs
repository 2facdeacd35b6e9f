//! Moments: a day and a time in either order, "in two hours", "now", `2026-05-03T17:30`.

use std::ops::Range;

use formwright_lexicon::dates::{Mark, Part, Term};
use formwright_text::{Class, Said};
use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Zoned};

use super::clock::{Bare, Clock};
use super::zoned::Zone;
use crate::reading::Context;
use crate::value::Value;
use crate::when::bound::Prefer;
use crate::when::day::calendar::Day;
use crate::when::{Anchor, Hit, Line, Strength};

/// A moment that is told by its distance from now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromNow {
    /// Bytes of the message.
    pub span: Range<usize>,
    /// When it is.
    pub at: DateTime,
    /// Whether it is now itself.
    pub now: bool,
}

/// Every moment of a message that is told by its distance from now, left to right: "in nineteen hours", "now".
pub fn from_now(said: &Said, cx: &Context<'_>) -> Vec<FromNow> {
    let line = Line::new(said, cx);
    let mut found = Vec::new();
    let mut at = if line.speaks_of_time() { 0 } else { line.len() };
    while at < line.len() {
        let Some((end, moment)) = line.now_or_soon(at).filter(|_| !line.is_inside(at)) else {
            at += 1;
            continue;
        };
        found.push(FromNow { span: line.quote(at..end), at: moment, now: line.mark(at, Mark::Now).is_some() });
        at = end.max(at + 1);
    }
    found
}

/// What a clock shows on a day.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The day and time.
    pub at: DateTime,
    /// Whose clock it is, where that is said.
    pub zone: Option<Zone>,
}

impl Line<'_> {
    /// Reads every moment, left to right.
    pub fn moments(&self, prefer: Prefer) -> Vec<Hit<Moment>> {
        let anchor = Anchor { day: self.today(), prefer };
        let mut hits: Vec<Hit<Moment>> = Vec::new();
        let mut at = if self.speaks_of_time() { 0 } else { self.len() };
        while at < self.len() {
            match self.moment_said(at, anchor) {
                Some((end, values, strength)) => {
                    hits.push(Hit { pieces: at..end, values, strength });
                    at = end.max(at + 1);
                }
                None => at += 1,
            }
        }
        hits
    }

    /// Reads every time of today that is told by its distance from now: "in half an hour", "two hours ago".
    pub(crate) fn times_from_now(&self) -> Vec<Hit<Time>> {
        let mut hits = Vec::new();
        for at in 0..self.len() {
            let apart = !self.is_inside(at) && self.mark(at, Mark::Now).is_none();
            let moment = self.now_or_soon(at).filter(|(_, moment)| apart && moment.date() == self.today());
            hits.extend(moment.map(|(end, moment)| Hit {
                pieces: at..end,
                values: vec![moment.time()],
                strength: Strength::Typed,
            }));
        }
        // "2 hours" of "in 2 hours" is no other one.
        hits.dedup_by(|later, first| later.pieces.end <= first.pieces.end);
        hits
    }

    /// Reads a moment; one to come that the words around it say lies back is the last such moment.
    fn moment_said(&self, at: usize, anchor: Anchor) -> Option<(usize, Vec<Moment>, Strength)> {
        let moment = self.moment(at, anchor)?;
        let now = self.cx.now.datetime();
        let back = self.lies_back(at, moment.0, anchor, || moment.1.iter().all(|moment| moment.at > now));
        if !back {
            return Some(moment);
        }
        self.moment(at, Anchor { prefer: Prefer::Past, ..anchor }).or(Some(moment))
    }

    fn moment(&self, at: usize, anchor: Anchor) -> Option<(usize, Vec<Moment>, Strength)> {
        if self.is_inside(at) {
            return None;
        }
        if let Some((end, at)) = self.now_or_soon(at) {
            return Some((end, vec![Moment { at, zone: None }], Strength::Typed));
        }
        let readings = [self.day_then_time(at, anchor), self.time_then_day(at, anchor), self.end_of_day(at, anchor)];
        let longest = readings.into_iter().flatten().max_by_key(|(end, ..)| *end);
        longest.map(|(end, moments)| (end, moments, Strength::Typed))
    }

    /// "now", "in two hours", "30 minutes later", "an hour ago".
    fn now_or_soon(&self, at: usize) -> Option<(usize, DateTime)> {
        if let Some(end) = self.mark(at, Mark::Now) {
            return Some((end, to_minute(self.cx.now)?));
        }
        let soon = self.mark(at, Mark::In);
        let before = self.mark(at, Mark::AgoBefore);
        let lasting = self.length(self.skip(soon.or(before).unwrap_or(at), &[Mark::Around]))?;
        let (end, sign) = match (soon, before) {
            (Some(_), _) => (self.mark(lasting.end, Mark::Time).unwrap_or(lasting.end), 1),
            (None, Some(_)) => (lasting.end, -1),
            (None, None) => match (self.mark(lasting.end, Mark::Later), self.mark(lasting.end, Mark::Ago)) {
                (Some(end), _) => (end, 1),
                (None, Some(end)) => (end, -1),
                (None, None) => return None,
            },
        };
        if lasting.length.seconds == 0 {
            return None;
        }
        Some((end, to_minute(&self.cx.now.checked_add(lasting.length.span(sign)?).ok()?)?))
    }

    /// "tomorrow at 5 pm", "3 May, 17:30", "tonight at 8".
    fn day_then_time(&self, at: usize, anchor: Anchor) -> Option<(usize, Vec<Moment>)> {
        let day = self.day(at, anchor).filter(|day| !day.dates.is_empty())?;
        let mut next = day.end;
        let mut part = day.part;
        loop {
            let from = next;
            let named = |at| self.pick(at, |term| if let Term::Part(part) = term { Some(part) } else { None });
            // "Après" of "après-midi" leads to no hour.
            if named(next).is_none() {
                next = self.skip_commas(next, &[Mark::At, Mark::Around, Mark::For, Mark::InThe, Mark::The, Mark::On]);
                if matches!(self.text(next), "@" | "-" | "t" | ":") || self.is_bracketed(next) {
                    next += if self.is_bracketed(next) { 3 } else { 1 };
                }
            }
            if let Some((end, named)) = named(next) {
                (next, part) = (end, part.or(Some(named)));
            }
            if next == from {
                break;
            }
        }
        let clock = self.clock(next, part, if next > day.end { Bare::BesideDay } else { Bare::Never })?;
        let end = self.part_behind(clock.end);
        if let Some((end, dates)) = self.year_behind(end, &day) {
            return Some((end, self.pairs(&dates, &clock, part)));
        }
        Some((end, self.pairs(&day.dates, &clock, part)))
    }

    /// The year of a day that stands behind its time: "Oct 26 15:50:06 2016".
    fn year_behind(&self, at: usize, day: &Day) -> Option<(usize, Vec<Date>)> {
        let (end, year) = self.year(at).filter(|(_, year)| day.open_year && (1900..2100).contains(year))?;
        let closed = self.class(end) != Some(Class::Letters);
        let dates = day.dates.iter().filter_map(|date| Date::new(year, date.month(), date.day()).ok());
        let mut dates: Vec<Date> = dates.collect();
        dates.dedup();
        closed.then_some((end, dates))
    }

    /// "End of tomorrow": its last minute.
    fn end_of_day(&self, at: usize, anchor: Anchor) -> Option<(usize, Vec<Moment>)> {
        let of = self.mark(at, Mark::End)?;
        let next = self.skip(of, &[Mark::Of, Mark::The]);
        let day = self.day(next, anchor).filter(|day| next > of && day.strength > Strength::Weak)?;
        let last = Clock::one(day.end, Time::constant(23, 59, 0, 0));
        Some((day.end, self.pairs(&day.dates, &last, None)))
    }

    /// "(Tue)" between a day and a time.
    fn is_bracketed(&self, at: usize) -> bool {
        self.text(at) == "(" && self.weekday(at + 1).is_some() && self.text(at + 2) == ")"
    }

    /// "5 pm tomorrow", "at 8 on Friday", "10, tonight".
    fn time_then_day(&self, at: usize, anchor: Anchor) -> Option<(usize, Vec<Moment>)> {
        let mut clock = self.clock(at, None, Bare::BesideDay)?;
        let next = self.part_behind(clock.end);
        let next = self.skip_commas(next, &[Mark::On, Mark::The, Mark::Of]);
        let day = self.day(next, anchor).filter(|day| !day.dates.is_empty())?;
        let end = self.part_behind(day.end);
        // "For 2 on Friday at 8": the day has a time of its own.
        let bare = || self.follows(at, &[Mark::For]) || self.clock(at, None, Bare::Never).is_none();
        if bare() && self.day_then_time(next, anchor).is_some_and(|(after, _)| after > end) {
            return None;
        }
        let zone = if clock.zone.is_none() { self.zone_behind(at, end) } else { None };
        clock.zone = clock.zone.or(zone.map(|(_, zone)| zone));
        let end = zone.map_or(end, |(end, _)| end);
        Some((end, self.pairs(&day.dates, &clock, day.part)))
    }

    fn pairs(&self, days: &[Date], clock: &Clock, part: Option<Part>) -> Vec<Moment> {
        let on = |day: Date, time: Time| {
            let small_hours = part == Some(Part::Night) && time.hour() < 6;
            let moment = day.to_datetime(time);
            let late = clock.next_day || small_hours && moment < self.cx.now.datetime();
            let at = if late { moment.checked_add(Span::new().days(1)).unwrap_or(moment) } else { moment };
            Moment { at, zone: clock.zone }
        };
        days.iter().flat_map(|day| clock.times.iter().map(move |time| on(*day, *time))).collect()
    }

    /// The only day and the only time of a message, with other words between.
    pub fn day_and_time_apart(&self, prefer: Prefer) -> Option<Hit<Moment>> {
        let (mut days, mut clocks) = (self.days(prefer), self.clocks_said(Bare::Never));
        clocks.retain(|(_, clock)| clock.strength > Strength::Weak);
        let (day, (at, clock)) = (days.pop()?, clocks.pop()?);
        let apart = day.pieces.end <= at.start || at.end <= day.pieces.start;
        if !apart || !days.is_empty() || !clocks.is_empty() || day.values.is_empty() {
            return None;
        }
        let pieces = day.pieces.start.min(at.start)..day.pieces.end.max(at.end);
        Some(Hit { pieces, values: self.pairs(&day.values, &clock, None), strength: day.strength })
    }

    /// The moments that a time without a day means: on the day held or said before, else the next, or the last where the
    /// past is preferred.
    pub fn on_nearest_day(&self, clock: &Clock, prefer: Prefer) -> Vec<Moment> {
        let held = match self.cx.held {
            Some(Value::DateTime(moment) | Value::RepeatedTime { at: moment, .. }) => Some(moment.date()),
            Some(Value::Date(day)) => Some(*day),
            _ => None,
        };
        if let Some(day) = held {
            return self.pairs(&[day], clock, None);
        }
        let now = clock.zone.map_or_else(|| self.cx.now.datetime(), |zone| zone.clock_at(self.cx.now));
        let nearest = |time: &Time| {
            let today = now.date().to_datetime(*time);
            let day = Span::new().days(1);
            let at = match prefer {
                Prefer::Future if today < now => today.checked_add(day).ok()?,
                Prefer::Past if today > now => today.checked_sub(day).ok()?,
                Prefer::Future | Prefer::Past => today,
            };
            Some(Moment { at, zone: clock.zone })
        };
        clock.times.iter().filter_map(nearest).collect()
    }
}

/// Local time without seconds.
fn to_minute(moment: &Zoned) -> Option<DateTime> {
    let moment = moment.datetime();
    let seconds = Span::new().seconds(moment.second()).nanoseconds(moment.subsec_nanosecond());
    moment.checked_sub(seconds).ok()
}
