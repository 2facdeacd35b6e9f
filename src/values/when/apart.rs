//! Days said by how far they are from another one: "two days later", "the day after", "the same day", "a day longer".
//!
//! Which day that is, the words do not say: it is worked out where the conversation is known.

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::dates::{Length, Mark, Term, Unit};
use formwright_text::Said;
use jiff::civil::{Date, DateTime, Time};

use super::Line;
use crate::reading::Context;

/// Days said by how far they are from another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// Bytes of the message.
    pub span: Range<usize>,
    /// From what they are reckoned.
    pub from: From,
    by: Length,
    back: bool,
}

/// From what a distance is reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Another day: "the day after that".
    Other,
    /// Another day, or the one that stands: "two days later".
    Either,
    /// What stands: "postpone it by a week".
    Held,
    /// The last day of what stands: "a day longer".
    Last,
    /// The first of two days: "for a week".
    First,
}

impl From {
    /// Whether it may be a day that was spoken of.
    pub(crate) fn is_of_day(self) -> bool {
        matches!(self, Self::Other | Self::Either)
    }
}

impl Apart {
    /// Whether it goes back in time.
    pub fn is_back(&self) -> bool {
        self.back
    }

    /// The day so far from another; none off the calendar.
    pub fn day(&self, from: Date) -> Option<Date> {
        self.by.day_from(from, if self.back { -1 } else { 1 })
    }

    /// The time of the same day so far from another; none on another day.
    pub fn time(&self, from: Time) -> Option<Time> {
        from.checked_add(self.by.span(if self.back { -1 } else { 1 })?).ok()
    }

    /// The moment so far from another; none off the calendar.
    pub fn moment(&self, from: DateTime) -> Option<DateTime> {
        from.checked_add(self.by.span(if self.back { -1 } else { 1 })?).ok()
    }
}

/// Every such distance of whole days in a message, left to right.
pub fn apart(said: &Said, cx: &Context<'_>) -> Vec<Apart> {
    every(said, cx, Sort::Days)
}

/// Every such distance of hours and minutes: "half an hour later", "move it an hour earlier".
pub fn hours_apart(said: &Said, cx: &Context<'_>) -> Vec<Apart> {
    every(said, cx, Sort::Hours)
}

/// Every length of whole days of which nothing says from when it counts: "for a week", "3 nights".
pub fn lasting(said: &Said, cx: &Context<'_>) -> Vec<Apart> {
    every(said, cx, Sort::Lasting)
}

/// What is looked for.
#[derive(Clone, Copy)]
enum Sort {
    Days,
    Hours,
    Lasting,
}

fn every(said: &Said, cx: &Context<'_>, sort: Sort) -> Vec<Apart> {
    let line = Line::new(said, cx);
    let mut found = Vec::new();
    let mut at = if line.speaks_of_time() { 0 } else { line.len() };
    while at < line.len() {
        let hit = match sort {
            Sort::Days => line.apart(at),
            Sort::Hours => line.hours_apart(at),
            Sort::Lasting => line.lasting_days(at),
        };
        let Some((end, hit)) = hit else {
            at += 1;
            continue;
        };
        let span = line.quote(at..end);
        found.push(Apart { span, from: hit.from, by: hit.by, back: hit.back });
        at = end.max(at + 1);
    }
    found
}

/// Whether a length is one of whole days.
fn is_of_days(length: &Length) -> bool {
    length.seconds == 0
}

/// Whether a length is one of hours and minutes.
fn is_of_hours(length: &Length) -> bool {
    length.seconds > 0 && length.days == 0 && length.months == 0
}

/// A distance that was read.
pub(crate) struct Hit {
    pub from: From,
    pub by: Length,
    pub back: bool,
}

impl Line<'_> {
    /// Reads a distance from another day; the piece behind it.
    pub(crate) fn apart(&self, at: usize) -> Option<(usize, Hit)> {
        if self.is_inside(at) {
            return None;
        }
        self.moved(at, is_of_days)
            .or_else(|| self.beside(at))
            .or_else(|| self.counted(at, is_of_days))
            .or_else(|| self.more(at))
    }

    /// Reads a distance of hours and minutes; the piece behind it.
    fn hours_apart(&self, at: usize) -> Option<(usize, Hit)> {
        let hit = if self.is_inside(at) { None } else { self.moved(at, is_of_hours) };
        hit.or_else(|| self.counted(at, is_of_hours)).filter(|(_, hit)| hit.from != From::Last)
    }

    /// Reads a length of whole days that is no distance; the piece behind it.
    fn lasting_days(&self, at: usize) -> Option<(usize, Hit)> {
        const LONGEST: i64 = 6;
        let from = self.mark(at, Mark::For).unwrap_or(at);
        let nights = || self.nights(from).map(|(end, days)| (end, Length { days, ..Length::default() }));
        let (end, by) = self.length(from).map(|lasting| (lasting.end, lasting.length)).or_else(nights)?;
        let soon = |before: usize| {
            let leads = |mark| self.mark(before, mark) == Some(at);
            [Mark::In, Mark::AgoBefore, Mark::Around].into_iter().any(leads)
        };
        let later = [Mark::Later, Mark::Ago, Mark::LaterOn, Mark::EarlierOn, Mark::AfterThat, Mark::BeforeThat];
        let counts = later.into_iter().chain([Mark::Longer, Mark::Shorter]).any(|mark| self.mark(end, mark).is_some());
        let bare = is_of_days(&by) && by.months <= LONGEST && !self.is_inside(from);
        // "For a week from 3 April" counts from there.
        let begins = from > at && self.mark(end, Mark::From).is_some();
        let apart = counts || (at.saturating_sub(3)..at).any(soon) || !begins && self.leads_to_a_day(end);
        (bare && !apart).then_some((end, Hit { from: From::First, by, back: false }))
    }

    /// "3 nights", which are as many days.
    fn nights(&self, at: usize) -> Option<(usize, i64)> {
        let (end, count) = self.cardinal(at)?;
        let unit = |lang: &Language| {
            let alike = lang.date.counted_like(self.text(end));
            let day = |word: &String| lang.date.beginning(word).iter().any(|term| term.term == Term::Unit(Unit::Day));
            alike.iter().any(day)
        };
        self.cx.lang.and_english().any(unit).then_some((end + 1, i64::from(count)))
    }

    /// "The same day", "the day after", "the week before".
    fn beside(&self, at: usize) -> Option<(usize, Hit)> {
        let all = [
            (Mark::SameDay, 0, false),
            (Mark::DayAfter, 1, false),
            (Mark::DayBefore, 1, true),
            (Mark::WeekAfter, 7, false),
            (Mark::WeekBefore, 7, true),
        ];
        let hits = all.into_iter().filter_map(|(mark, days, back)| Some((self.mark(at, mark)?, days, back)));
        let (end, days, back) = hits.max_by_key(|(end, ..)| *end)?;
        // "The day after tomorrow" says which day it is.
        let longer = self.day(at, self.ahead()).is_some_and(|day| day.end > end);
        if longer || self.leads_to_a_day(end) {
            return None;
        }
        Some((end, Hit { from: From::Other, by: Length { days, ..Length::default() }, back }))
    }

    /// "Two days later", "a week before that", "a day longer".
    fn counted(&self, at: usize, fits: fn(&Length) -> bool) -> Option<(usize, Hit)> {
        let lasting = self.length(at).filter(|lasting| fits(&lasting.length))?;
        let (end, from, back) = self.direction(lasting.end)?;
        let beside = matches!(from, From::Other | From::Either);
        (!beside || !self.leads_to_a_day(end)).then_some((end, Hit { from, by: lasting.length, back }))
    }

    fn direction(&self, at: usize) -> Option<(usize, From, bool)> {
        let all = [
            (Mark::AfterThat, From::Other, false),
            (Mark::BeforeThat, From::Other, true),
            (Mark::LaterOn, From::Either, false),
            (Mark::EarlierOn, From::Either, true),
            (Mark::Longer, From::Last, false),
            (Mark::Shorter, From::Last, true),
        ];
        let hits = all.into_iter().filter_map(|(mark, from, back)| Some((self.mark(at, mark)?, from, back)));
        hits.max_by_key(|(end, ..)| *end)
    }

    /// "One more day", "two extra days".
    fn more(&self, at: usize) -> Option<(usize, Hit)> {
        let (after, count) = self.cardinal(at)?;
        let longer = self.mark(after, Mark::Longer).map(|end| (end, false));
        let (after, back) = longer.or_else(|| self.mark(after, Mark::Shorter).map(|end| (end, true)))?;
        let unit = |term| if let Term::Unit(unit @ (Unit::Day | Unit::Week)) = term { Some(unit) } else { None };
        let (end, unit) = self.pick(after, unit)?;
        let days = i64::from(count) * if unit == Unit::Week { 7 } else { 1 };
        Some((end, Hit { from: From::Last, by: Length { days, ..Length::default() }, back }))
    }

    /// "Postpone it by a week", "move everything two days earlier", "extend it by a day".
    fn moved(&self, at: usize, fits: fn(&Length) -> bool) -> Option<(usize, Hit)> {
        /// Most pieces between the verb and the length: "it all by about".
        const MOST: usize = 4;
        let all = [
            (Mark::Postpone, From::Held, false),
            (Mark::Advance, From::Held, true),
            (Mark::Extend, From::Last, false),
            (Mark::Shorten, From::Last, true),
        ];
        let verbs = all.into_iter().filter_map(|(mark, from, back)| Some((self.mark(at, mark)?, from, back)));
        let (after, from, back) = verbs.max_by_key(|(end, ..)| *end)?;
        let lasting = (after..=after + MOST).find_map(|at| self.length(at))?;
        let by = Some(lasting.length).filter(fits)?;
        let said = self.direction(lasting.end);
        let (end, back) = match said {
            Some((end, From::Either, back)) if from == From::Held => (end, back),
            _ => (lasting.end, back),
        };
        (!self.leads_to_a_day(end)).then_some((end, Hit { from, by, back }))
    }

    /// Whether the day that a distance is reckoned from is said: "two weeks after Christmas".
    fn leads_to_a_day(&self, at: usize) -> bool {
        self.day(self.skip(at, &[Mark::The, Mark::Of]), self.ahead()).is_some()
    }
}
