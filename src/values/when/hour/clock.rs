//! Times of day: "17:30", "5.30 pm", "half past five", "quarter to nine", "17h30", "8 in the evening", "noon".
//!
//! An hour from 1 to 11 said without minutes is open between morning and afternoon, unless am, pm or a part of the day
//! ("in the evening", "tonight") stands by. With minutes (5:30) it is open where the language counts twelve hours; a
//! two-digit hour (05:30, 10:30) settles it. The likelier of the two comes first: afternoon for 1 to 6, morning for 7 to 11.
//! A zone behind a time is read with it ("14:30 UTC"): see [`super::zoned`].

use std::ops::Range;

use formwright_lexicon::dates::{Mark, Part, Term, Unit};
use formwright_text::Class;
use jiff::civil::Time;

use super::zoned::Zone;
use crate::when::{Hit, Line, Strength};

/// A time that was read.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The piece behind it.
    pub end: usize,
    /// One, or two where morning or afternoon is open, the likelier first.
    pub times: Vec<Time>,
    /// How surely it is a time of day.
    pub strength: Strength,
    /// 24:00: the next day begins.
    pub next_day: bool,
    /// Whose clock it is, where that is said.
    pub zone: Option<Zone>,
}

/// When an hour counts that nothing announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bare {
    /// It does not.
    Never,
    /// Where it may be the answer to the question for a time.
    Asked,
    /// Where a day stands beside it.
    BesideDay,
}

/// Hour and minute as said, before morning or afternoon is settled.
#[derive(Clone, Copy)]
struct Face {
    end: usize,
    hour: u32,
    minute: u32,
    second: u32,
    /// Minutes to add: "half past", "quarter to".
    shift: i64,
    strength: Strength,
    /// Written on a 24-hour clock: a leading zero.
    settled: bool,
    /// Written in digits with minutes or "h".
    written: bool,
    /// Nothing but an hour.
    bare: bool,
}

impl Clock {
    /// A time that is sure.
    pub(crate) fn one(end: usize, time: Time) -> Self {
        Self { end, times: vec![time], strength: Strength::Typed, next_day: false, zone: None }
    }
}

impl Line<'_> {
    /// Reads every time of day, left to right, as the person's own clock shows it.
    pub(crate) fn clocks(&self, bare: Bare) -> Vec<Hit<Time>> {
        let own = |(pieces, clock): (Range<usize>, Clock)| {
            let values = self.on_own_clock(&clock);
            Hit { pieces, values, strength: clock.strength }
        };
        self.clocks_said(bare).into_iter().map(own).collect()
    }

    /// Reads every time of day, left to right, as it was said.
    pub fn clocks_said(&self, bare: Bare) -> Vec<(Range<usize>, Clock)> {
        let mut hits = Vec::new();
        let mut at = if self.speaks_of_time() { 0 } else { self.len() };
        while at < self.len() {
            match self.clock(at, None, bare) {
                Some(clock) => {
                    let end = self.past_last_hour(clock.end);
                    hits.push((at..end, clock));
                    at = end.max(at + 1);
                }
                None => at = self.past_part(at),
            }
        }
        hits
    }

    /// Reads a time. `part` is the part of the day where the words around tell it.
    pub(crate) fn clock(&self, at: usize, part: Option<Part>, bare: Bare) -> Option<Clock> {
        if !self.may_begin(at) || self.is_inside(at) && !(self.text(at - 1) == "t" || self.text(at - 1) == "-") {
            return None;
        }
        if let Some(clock) = self.clock_by_distance(at) {
            return Some(clock);
        }
        if let Some((end, time)) = self.pick(at, |term| if let Term::Clock(time) = term { Some(time) } else { None }) {
            let shifted = self.face_before_hour(at).filter(|face| face.end > end);
            if let (Some((end, minutes)), None) = (self.minutes_behind(end), shifted) {
                return Some(self.named_clock(end, time.wrapping_add(jiff::Span::new().minutes(minutes))));
            }
            if shifted.is_none() {
                return Some(self.named_clock(end, time));
            }
        }
        let face = self.face_before_hour(at).or_else(|| self.face_by_hour(at))?;
        let (end, meridiem) = self.meridiem(face);
        let about = self.mark(end, Mark::Around);
        let zone = self.zone_behind(at, end);
        let end = zone.map_or(end, |(end, _)| end);
        let glued = self.glued(end) && matches!(self.class(end), Some(Class::Digits | Class::Letters));
        if glued && about.is_none() || self.is_number_part(end) {
            return None;
        }
        let end = self.mark(end, Mark::OClock).unwrap_or(end);
        let near = if meridiem.or(part).is_none() { self.part_near(at, end) } else { None };
        let part = meridiem.or(part).or(near.map(|near| near.part));
        let of_days = |term| matches!(term, Term::Unit(unit) if unit >= Unit::Day).then_some(());
        // "2:30 hours" is how long something lasts.
        let lasts =
            || face.written && !face.settled && face.hour < 10 && self.length(at).is_some_and(|by| by.end > end);
        if face.bare && self.pick(end, of_days).is_some() || lasts() {
            return None;
        }
        let announced = self.follows(at, &[Mark::At, Mark::Around]) || about.is_some();
        let announced = announced || face.written && self.is_behind_day(at);
        let end = about.unwrap_or(end);
        let begins_range = face.bare && part.is_none() && self.leads_to_another(end);
        if begins_range || face.bare && part.is_none() && !announced && !self.takes(bare, at, end) {
            return None;
        }
        // "For two tomorrow night": the number may be of people, and the night the day's.
        let for_some = self.follows(at, &[Mark::For]);
        let open = face.bare && bare != Bare::Asked && (!announced || for_some);
        let of_day = open && near.is_some_and(|near| near.of_day);
        let strength = match (part, announced) {
            (Some(_), _) if of_day => Strength::Weak,
            (Some(_), _) => Strength::Typed,
            (None, true) if !face.bare || face.settled => Strength::Typed,
            _ => face.strength,
        };
        let times = self.settle(face, part)?;
        let end = self.part_behind(end);
        let zone = zone.or_else(|| self.zone_behind(at, end));
        let end = zone.map_or(end, |(behind, _)| end.max(behind));
        Some(Clock {
            end,
            times,
            strength,
            next_day: face.hour == 24 && face.shift >= 0,
            zone: zone.map(|(_, zone)| zone),
        })
    }

    /// am, pm, and "p" glued to digits.
    fn meridiem(&self, face: Face) -> (usize, Option<Part>) {
        let at = self.mark(face.end, Mark::OClock).filter(|_| !face.written).unwrap_or(face.end);
        let at = self.mark(at, Mark::InThe).unwrap_or(at);
        for (mark, letter, part) in [(Mark::Am, "a", Part::Morning), (Mark::Pm, "p", Part::Afternoon)] {
            if let Some(end) = self.half(at, mark) {
                return (end, Some(part));
            }
            let letter_ends =
                self.text(face.end) == letter && (self.glued(face.end) || face.minute > 0) && !self.glued(face.end + 1);
            let dotted = self.text(face.end) == letter
                && self.glued(face.end)
                && matches!(self.class(face.end + 1), None | Some(Class::Mark));
            if (letter_ends || dotted)
                && (face.written || letter == "p" || dotted && self.is_announced_letter(face.end))
                && self.class(face.end - 1) == Some(Class::Digits)
            {
                return (face.end + 1, Some(part));
            }
        }
        (face.end, None)
    }

    /// Whether a letter behind an hour stands for the half of the day: "at 5a", where twelve hours are counted.
    fn is_announced_letter(&self, letter: usize) -> bool {
        self.cx.lang.date.clock12 && letter.checked_sub(1).is_some_and(|hour| self.follows(hour, &[Mark::At]))
    }

    /// "half past five", "quarter to nine", "20 past eight", "halb sechs".
    fn face_before_hour(&self, at: usize) -> Option<Face> {
        let named =
            self.pick(at, |term| if let Term::BeforeHour(minutes) = term { Some(i64::from(minutes)) } else { None });
        let (at, shift) = match named {
            Some(named) => named,
            None => {
                let (end, minutes) = self.cardinal(at).filter(|(_, n)| (1..60).contains(n))?;
                let minute = |term| matches!(term, Term::Unit(Unit::Minute)).then_some(());
                let end = self.pick(end, minute).map_or(end, |(end, ())| end);
                // "from 3 to 7" is a range.
                let hours = minutes <= 12 && minutes % 5 != 0 || self.follows(at, &[Mark::From, Mark::Between]);
                match (self.mark(end, Mark::Past), self.mark(end, Mark::Till)) {
                    (Some(end), _) => (end, i64::from(minutes)),
                    (None, Some(end)) if !hours => (end, -i64::from(minutes)),
                    (None, _) => return None,
                }
            }
        };
        let at = self.skip(at, &[Mark::The]);
        if let Some((end, time)) = self.pick(at, |term| if let Term::Clock(time) = term { Some(time) } else { None }) {
            let hour = u32::try_from(time.hour()).ok()?;
            return Some(Face { end, hour, shift, settled: true, ..Face::EMPTY });
        }
        let (end, hour) = self.hour(at)?;
        (!self.is_clock_mark(end)).then_some(Face { end, hour, shift, bare: false, ..Face::EMPTY })
    }

    /// Whether a number goes on: "3/5", "12:30:45:10".
    pub(crate) fn is_number_part(&self, end: usize) -> bool {
        let mark = matches!(self.text(end), ":" | "/" | "." | "-" | ",");
        mark && self.glued(end) && self.glued(end + 1) && self.digits(end + 1).is_some()
    }

    fn is_clock_mark(&self, at: usize) -> bool {
        self.text(at) == ":" && self.glued(at) && self.glued(at + 1) && self.digits(at + 1).is_some()
    }

    /// An hour from 0 to 24.
    fn hour(&self, at: usize) -> Option<(usize, u32)> {
        let named = self.pick(at, |term| match term {
            Term::Hour(hour) => u32::try_from(hour).ok(),
            _ => None,
        });
        let digits = || self.digits(at).filter(|(_, len)| *len <= 2).map(|(n, _)| (at + 1, n));
        let words = || self.words(at);
        named.or_else(digits).or_else(words).filter(|(_, hour)| *hour <= 24)
    }

    /// "17:30", "5.30", "17h30", "17 Uhr 30", "seven thirty five", "nove e mezza", "1730".
    fn face_by_hour(&self, at: usize) -> Option<Face> {
        if let Some(face) = self.compact(at) {
            return Some(face);
        }
        let (end, hour) = self.hour(at)?;
        let digits = self.digits(at);
        // The nought of "zero seven thirty" is no hour of its own.
        if hour == 0 && digits.is_none() && self.words(end).is_some_and(|(_, n)| (1..=9).contains(&n)) {
            return None;
        }
        // "Oh seven thirty" is of the morning.
        let led = digits.is_none() && hour < 10 && self.follows_nought(at);
        let settled = hour > 12 || hour == 0 || led || digits.is_some_and(|(n, len)| len == 2 && n < 10);
        let base = Face { end, hour, settled, strength: Strength::Weak, bare: true, ..Face::EMPTY };
        if let Some((minute, end)) = self.joined_minutes(end).filter(|_| digits.is_some()) {
            let dot = self.text(at + 1) == ".";
            let seconds = self
                .joined_minutes(end)
                .filter(|_| !dot)
                .or_else(|| self.seconds_in_units(end).filter(|_| self.text(at + 1) == "h"));
            let (second, end) = seconds.unwrap_or((0, end));
            // Parts of a second: `17:00:00.000`.
            let parts = seconds.is_some() && self.text(end) == "." && self.is_number_part(end);
            let end = if parts { end + 2 } else { end };
            let strength = if dot { Strength::Weak } else { Strength::Typed };
            let end = self.mark(end, Mark::OClock).unwrap_or(end);
            // Who writes seconds writes the hours of the whole day.
            let settled = settled || seconds.is_some() || digits.is_some_and(|(_, len)| len == 2);
            return Some(Face { end, minute, second, strength, settled, written: true, bare: false, ..base });
        }
        if let Some((minute, end)) = self.minutes_apart(end).filter(|_| digits.is_some()) {
            return Some(Face { end, minute, strength: Strength::Typed, written: true, bare: false, ..base });
        }
        let hours = self.mark(end, Mark::OClock);
        // "Nine hundred hours", "seventeen hundred": the hours of the whole day.
        let hundred = self.is_hundred(end).filter(|_| digits.is_none());
        if let Some(end) = hours.or(hundred).filter(|_| hundred.is_some() && (hours.is_some() || hour > 12)) {
            return Some(Face { end, settled: true, strength: Strength::Typed, bare: false, ..base });
        }
        if let Some(after) = hours {
            let minutes = self.cardinal(self.skip(after, &[Mark::Plus])).filter(|(end, n)| {
                // "15 Uhr einen anderen Termin" has no minute.
                let article = *n == 1 && self.digits(end - 1).is_none();
                *n < 60 && !article && !self.is_minutes_of_other(*end) && self.mark(after, Mark::Minus).is_none()
            });
            if let Some((end, minute)) = minutes {
                let (second, end) = self.seconds_in_units(end).unwrap_or((0, end));
                return Some(Face {
                    end,
                    minute,
                    second,
                    strength: Strength::Typed,
                    written: true,
                    bare: false,
                    ..base
                });
            }
        }
        let after = hours.unwrap_or(end);
        let typed = |end, shift| Face { end, shift, strength: Strength::Typed, bare: false, ..base };
        if let Some((end, n)) = self.minutes_with_and(after) {
            return Some(typed(end, i64::from(n)));
        }
        if let Some((end, shift)) = self.pick(after, |term| if let Term::AfterHour(n) = term { Some(n) } else { None })
        {
            return Some(typed(end, i64::from(shift)));
        }
        for (mark, sign) in [(Mark::Plus, 1), (Mark::Minus, -1)] {
            let Some(next) = self.mark(after, mark) else { continue };
            if let Some((end, n)) = self.cardinal(next).filter(|(end, n)| *n < 60 && !self.is_minutes_of_other(*end)) {
                let sure = hours.is_some() || self.follows(at, &[Mark::At]);
                let strength = if sure { Strength::Typed } else { Strength::Weak };
                return Some(Face { strength, ..typed(end, sign * i64::from(n)) });
            }
        }
        if let Some(after) = hours {
            // "8h" is written so on a clock of 24 hours.
            let settled = settled || digits.is_some() && self.glued(end) && !self.cx.lang.date.clock12;
            return Some(Face { end: after, settled, strength: Strength::Typed, bare: false, ..base });
        }
        if let Some((end, minute)) = self.minutes_behind_nought(end).filter(|_| digits.is_none()) {
            return Some(Face { end, minute, bare: false, ..base });
        }
        // "Six-thirty."
        let hyphen = self.text(end) == "-" && self.glued(end) && self.glued(end + 1);
        if digits.is_none()
            && let Some((end, minute)) =
                self.words(end + usize::from(hyphen)).filter(|(_, minute)| (10..60).contains(minute))
        {
            let minutes = |term| matches!(term, Term::Unit(Unit::Minute)).then_some(());
            let end = self.pick(end, minutes).map_or(end, |(end, ())| end);
            return Some(Face { end, minute, bare: false, ..base });
        }
        Some(base)
    }

    /// Whether a number behind an hour counts something else.
    fn is_minutes_of_other(&self, end: usize) -> bool {
        self.pick(end, |term| matches!(term, Term::Month(_)).then_some(())).is_some()
    }

    /// "1730", "530" where a time is announced, or is all that is said.
    fn compact(&self, at: usize) -> Option<Face> {
        let (n, len) = self.digits(at).filter(|(_, len)| matches!(len, 3 | 4))?;
        let (hour, minute) = (n / 100, n % 100);
        let meridiem = [Mark::Am, Mark::Pm].into_iter().any(|mark| self.half(at + 1, mark).is_some());
        let settled = hour > 12 || hour == 0 || (len == 4 && n < 1000);
        // "2019" alone is a year, and "until 2027" ends with one.
        let year = matches!(hour, 19 | 20) && minute % 5 != 0;
        let at_hand =
            self.follows(at, &[Mark::At]) && !(year && self.follows(at, &[Mark::To, Mark::Before, Mark::After]));
        let announced = meridiem || at_hand || self.mark(at + 1, Mark::OClock).is_some();
        let announced = announced || settled && len == 4 && !year && self.is_whole(at..at + 1);
        let end = self.mark(at + 1, Mark::OClock).filter(|_| self.glued(at + 1)).unwrap_or(at + 1);
        let face = Face { end, hour, minute, settled, written: true, ..Face::EMPTY };
        (announced && hour <= 24 && minute < 60).then_some(face)
    }

    /// The times that a face means.
    fn settle(&self, face: Face, part: Option<Part>) -> Option<Vec<Time>> {
        let hour = match (face.hour, part) {
            (hour, _) if hour > 12 || hour == 0 => vec![hour % 24],
            (12, Some(Part::Morning | Part::Night)) => vec![0],
            (12, _) => vec![12],
            (hour, Some(Part::Morning)) => vec![hour],
            (hour, Some(Part::Noon)) if hour >= 10 => vec![hour],
            (hour, Some(Part::Night)) if hour < 6 => vec![hour],
            (hour, Some(_)) => vec![hour + 12],
            (hour, None) if face.settled => vec![hour],
            (hour, None) if face.written && !self.cx.lang.date.clock12 => vec![hour],
            (hour @ 1..=6, None) => vec![hour + 12, hour],
            (hour, None) => vec![hour, hour + 12],
        };
        let time = |hour: u32| {
            let seconds = i64::from(hour * 3600 + face.minute * 60 + face.second) + face.shift * 60;
            let seconds = seconds.rem_euclid(86_400);
            let part = |n: i64| i8::try_from(n).ok();
            Time::new(part(seconds / 3600)?, part(seconds / 60 % 60)?, part(seconds % 60)?, 0).ok()
        };
        let times: Vec<Time> = hour.into_iter().filter_map(time).collect();
        (!times.is_empty()).then_some(times)
    }
}

impl Face {
    const EMPTY: Self = Self {
        end: 0,
        hour: 0,
        minute: 0,
        second: 0,
        shift: 0,
        strength: Strength::Typed,
        settled: false,
        written: false,
        bare: false,
    };
}
