//! The zone that is said behind a time: "14:30 UTC", "12:00Z", "10:00+02:00", "9 am (GMT-3)", "3 pm CET", "3 pm New York
//! time".

use std::ops::Range;

use formwright_text::Class;
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{Span, Timestamp, Zoned};

use super::clock::Clock;
use crate::reading::{Reading, Refusal};
use crate::when::Line;
use crate::zone;

/// Whose clock shows a time.
#[derive(Clone, Copy, Debug)]
pub enum Zone {
    /// So far from UTC.
    Offset(Offset),
    /// Letters, with the names of the zones that they may mean.
    Letters(&'static str, &'static [&'static str]),
    /// A place, with the names of the zones that it may have; none where it is not known.
    Place(&'static [Box<str>]),
}

impl Zone {
    /// The points in time at which its clock shows this: several where the letters or a change of clocks leave it open, but
    /// one alone where that is what the person's own clock shows.
    pub fn points(self, at: DateTime, own: &TimeZone) -> Vec<Timestamp> {
        let letters = match self {
            Self::Offset(offset) => return offset.to_timestamp(at).into_iter().collect(),
            Self::Letters(letters, _) => Some(letters),
            Self::Place(_) => None,
        };
        let names = self.names();
        let mut points: Vec<Timestamp> = Vec::new();
        for clock in names.iter().filter_map(|name| zone::get(name)) {
            let mut here: Vec<Timestamp> = match clock.to_ambiguous_timestamp(at).offset() {
                AmbiguousOffset::Unambiguous { offset } => vec![offset],
                AmbiguousOffset::Gap { before, .. } => vec![before],
                AmbiguousOffset::Fold { before, after } => vec![before, after],
            }
            .into_iter()
            .filter_map(|offset| offset.to_timestamp(at).ok())
            .collect();
            let said = |point: &Timestamp| {
                letters.is_some_and(|letters| zone::is_called(letters, clock.to_offset_info(*point).abbreviation()))
            };
            if here.iter().any(said) {
                here.retain(said);
            }
            points.extend(here.into_iter().filter(|point| !points.contains(point)).collect::<Vec<_>>());
        }
        let shown_here = |point: &Timestamp| own.to_datetime(*point) == at;
        match points.iter().copied().find(shown_here) {
            Some(point) if names.len() > 1 => vec![point],
            _ => points,
        }
    }

    /// What its clock shows now.
    pub(crate) fn clock_at(self, now: &Zoned) -> DateTime {
        let clock = match self {
            Self::Offset(offset) => Some(TimeZone::fixed(offset)),
            Self::Letters(..) | Self::Place(_) => self.names().first().and_then(|name| zone::get(name)),
        };
        clock.map_or_else(|| now.datetime(), |clock| clock.to_datetime(now.timestamp()))
    }

    /// The names of the zones that it may be.
    fn names(self) -> Vec<&'static str> {
        match self {
            Self::Offset(_) => Vec::new(),
            Self::Letters(_, names) => names.to_vec(),
            Self::Place(names) => names.iter().map(|name| &**name).collect(),
        }
    }
}

impl Line<'_> {
    /// What the person's own clock shows at a time: two where summer and winter differ, for a time has no day.
    pub(crate) fn on_own_clock(&self, clock: &Clock) -> Vec<Time> {
        let Some(zone) = clock.zone else { return clock.times.clone() };
        let own = self.cx.now.time_zone();
        let days = [0, 182].into_iter().filter_map(|days| self.today().checked_add(Span::new().days(days)).ok());
        let mut times = Vec::new();
        for day in days {
            for point in clock.times.iter().flat_map(|time| zone.points(day.to_datetime(*time), own)) {
                let time = own.to_datetime(point).time();
                if !times.contains(&time) {
                    times.push(time);
                }
            }
        }
        times
    }

    /// "Noon", with the zone behind it.
    pub(crate) fn named_clock(&self, end: usize, time: Time) -> Clock {
        let zone = self.zone_behind(end, end);
        let end = zone.map_or(end, |(end, _)| end);
        Clock { zone: zone.map(|(_, zone)| zone), ..Clock::one(end, time) }
    }

    /// The zone behind a time that begins at `at`, with the piece behind it.
    pub(crate) fn zone_behind(&self, at: usize, end: usize) -> Option<(usize, Zone)> {
        let behind_digits =
            self.glued(end) && end.checked_sub(1).and_then(|last| self.class(last)) == Some(Class::Digits);
        let letters_end = |end: usize| !self.glued(end) || self.class(end) == Some(Class::Mark);
        if behind_digits && self.text(end) == "z" && letters_end(end + 1) {
            return Some((end + 1, Zone::Offset(Offset::UTC)));
        }
        // "12:00-05:00" are two times where no "T" of ISO 8601 leads to them.
        let iso = at.checked_sub(1).is_some_and(|before| self.text(before) == "t" && self.glued(at));
        if behind_digits && (iso || self.text(end) == "+") {
            return self.distance_from_utc(end, iso);
        }
        if self.text(end) == "," {
            return self.zone_of_place(end + 1);
        }
        let opened = self.text(end) == "(";
        let start = end + usize::from(opened);
        let (end, zone) = self.zone_named(start).or_else(|| self.zone_of_place(start))?;
        match (opened, self.text(end)) {
            (true, ")") => Some((end + 1, zone)),
            (true, _) => None,
            (false, _) => letters_end(end).then_some((end, zone)),
        }
    }

    /// "New York time".
    fn zone_of_place(&self, at: usize) -> Option<(usize, Zone)> {
        let word =
            |piece: &crate::when::Piece| self.said.words.partition_point(|word| word.span.end <= piece.span.start);
        let no = self.pieces.get(at).filter(|piece| piece.class == Class::Letters).map(word)?;
        let (len, zones) = zone::clock_of_place(self.said, no, self.cx.lang)?;
        let end = self.said.words.get(no + len - 1)?.span.end;
        Some((self.pieces.partition_point(|piece| piece.span.start < end), Zone::Place(zones)))
    }

    /// Refuses words that mean nothing that is: for the clock of a place that is not known, where one is in them.
    pub(crate) fn unreal_hit(&self, pieces: Range<usize>, not_real: &str) -> Reading {
        let unknown = pieces.clone().find_map(|at| match self.zone_of_place(at)? {
            (end, Zone::Place([])) => Some(at..end),
            _ => None,
        });
        let said = |pieces| self.said.raw.get(self.quote(pieces)).unwrap_or_default();
        let refusal = match unknown {
            Some(zone) => Refusal::new("zone_not_known").fact("said", said(zone)),
            None => Refusal::new(not_real).fact("said", said(pieces.clone())),
        };
        Reading::Refused(self.quote(pieces), refusal)
    }

    /// "UTC", "GMT+2", "UTC -3:30", "CET".
    fn zone_named(&self, at: usize) -> Option<(usize, Zone)> {
        if self.class(at) != Some(Class::Letters) {
            return None;
        }
        if matches!(self.text(at), "utc" | "gmt") {
            let far = self.distance_from_utc(at + 1, true);
            return Some(far.unwrap_or((at + 1, Zone::Offset(Offset::UTC))));
        }
        // "EST" is a zone, "est" a word. Who writes capitals alone may mean the word, where something follows.
        let capitals = !self.said.raw.contains(char::is_lowercase);
        if capitals && matches!(self.class(at + 1), Some(Class::Letters | Class::Digits)) {
            return None;
        }
        let written = self.said.raw.get(self.quote(at..at + 1))?;
        let (letters, names) = zone::of_letters(written)?;
        Some((at + 1, Zone::Letters(letters, names)))
    }

    /// "+02:00", "-0330", and where `short`, "+2".
    fn distance_from_utc(&self, at: usize, short: bool) -> Option<(usize, Zone)> {
        let west = match self.text(at) {
            "+" => false,
            "-" | "−" => true,
            _ => return None,
        };
        let (n, len) = self.digits(at + 1).filter(|_| self.glued(at + 1))?;
        let minutes = || {
            let (minutes, _) = self.digits(at + 3).filter(|(_, len)| *len == 2)?;
            (self.text(at + 2) == ":" && self.glued(at + 2) && self.glued(at + 3)).then_some(minutes)
        };
        let (end, hours, minutes) = match (len, minutes()) {
            (1 | 2, Some(minutes)) => (at + 4, n, minutes),
            (4, None) => (at + 2, n / 100, n % 100),
            (1 | 2, None) if short => (at + 2, n, 0),
            _ => return None,
        };
        let offset = zone::offset_of(west, i32::try_from(hours).ok()?, i32::try_from(minutes).ok()?)?;
        let closed = !self.glued(end) || self.class(end) == Some(Class::Mark);
        (closed && !self.is_number_part(end)).then_some((end, Zone::Offset(offset)))
    }
}
