//! Lengths of time: "2 hours 30 minutes", "an hour and a half", "a fortnight", "1h30", `PT2H30M`.

use formwright_lexicon::dates::{Length, Mark, Term, Unit};
use formwright_text::Class;
use jiff::Span;
use jiff::civil::Date;

use super::bound::Prefer;
use super::{Line, Strength};

/// A length that was read.
#[derive(Clone, Copy)]
pub struct Lasting {
    /// The piece behind it.
    pub end: usize,
    pub length: Length,
    pub strength: Strength,
}

impl Line<'_> {
    /// Reads a length of time.
    pub fn length(&self, at: usize) -> Option<Lasting> {
        if at > 0
            && self.glued(at)
            && matches!(self.text(at - 1), "." | "," | ":" | "/" | "-")
            && self.class(at) == Some(Class::Digits)
        {
            return None;
        }
        if let Some(iso) = self.iso_length(at) {
            return Some(iso);
        }
        if let Some(lasting) = self.on_the_clock(at) {
            return Some(lasting);
        }
        let mut all = self.one_length(at)?;
        let mut last = all.unit;
        loop {
            let end = all.lasting.end;
            let end = end + usize::from(self.text(end) == "." && self.glued(end));
            let next = self.skip_commas(end, &[Mark::And, Mark::Plus]);
            let joined = self.one_length(next).filter(|more| more.unit < last);
            let bare = || self.bare_minutes(self.skip(all.lasting.end, &[Mark::And]), last);
            let Some(more) = joined.or_else(bare) else { break };
            let Some(length) = all.lasting.length.plus(more.lasting.length) else { break };
            last = more.unit;
            all.lasting = Lasting { end: more.lasting.end, length, strength: Strength::Typed };
        }
        Some(all.lasting)
    }

    /// "two and a half hours", "an hour and a half", "a fortnight", "30min".
    fn one_length(&self, at: usize) -> Option<Part> {
        let counted = self.count(at);
        let (after, count) = counted.unwrap_or((at, 1000));
        let (after, count) = match (counted, self.mark(after, Mark::AndHalf)) {
            (Some(_), Some(end)) => (end, count.checked_add(500)?),
            _ => (after, count),
        };
        let whole = |at| self.pick(at, |term| if let Term::Length(length) = term { Some(length) } else { None });
        let alone = whole(at).map(|(end, length)| (end, length, 1000));
        let counted_whole = whole(after).map(|(end, length)| (end, length, count));
        if let Some((end, one, count)) = alone.into_iter().chain(counted_whole).max_by_key(|(end, ..)| *end) {
            let (end, half) = match self.mark(end, Mark::AndHalf) {
                // "ساعتين ونصف": the dual has its count within it.
                Some(end) if self.cx.lang.number.and_prefix.is_some() => (end, Length::of(one.unit(), 500)?),
                // "ساعتين ونصف": the dual has its count within it.
                Some(end) if self.cx.lang.number.and_prefix.is_some() => (end, Length::of(one.unit(), 500)?),
                Some(end) => (end, one.times(500)?),
                None => (end, Length::default()),
            };
            let length = one.times(count)?.plus(half)?;
            return Some(Part { lasting: Lasting { end, length, strength: Strength::Typed }, unit: one.unit() });
        }
        let unit = |term| match term {
            Term::Unit(unit) => Some((unit, Strength::Typed)),
            Term::Letter(unit @ Unit::Hour) if self.glued(after) => Some((unit, Strength::Typed)),
            // "In 3D" is no day.
            Term::Letter(Unit::Day) if self.is_capital(after) => None,
            Term::Letter(unit) if self.glued(after) => Some((unit, Strength::Weak)),
            Term::Letter(unit @ (Unit::Hour | Unit::Minute)) if self.class(at) == Some(Class::Digits) => {
                Some((unit, Strength::Weak))
            }
            _ => None,
        };
        let (end, (unit, strength)) = self.pick(after, unit)?;
        counted?;
        let length = Length::of(unit, count)?;
        if let Some(end) = self.mark(end, Mark::AndHalf) {
            let length = length.plus(Length::of(unit, 500)?)?;
            return Some(Part { lasting: Lasting { end, length, strength }, unit });
        }
        Some(Part { lasting: Lasting { end, length, strength }, unit })
    }

    /// Whether a piece is written with a capital, where not all is.
    fn is_capital(&self, at: usize) -> bool {
        let raw = self.said.raw.get(self.quote(at..at + 1)).unwrap_or_default();
        raw.starts_with(char::is_uppercase) && !self.said.shouts()
    }

    /// The minutes of "1h30"; of "one hour thirty" where nothing else is counted by them.
    fn bare_minutes(&self, at: usize, last: Unit) -> Option<Part> {
        let (end, minutes) = self.cardinal(at).filter(|(_, n)| last == Unit::Hour && *n < 60)?;
        let glued = self.glued(at) && self.digits(at).is_some_and(|(_, len)| len == 2);
        let last = minutes >= 5 && matches!(self.class(end), None | Some(Class::Mark)) && !self.is_number_part(end);
        let length = Length::of(Unit::Minute, i64::from(minutes) * 1000)?;
        let lasting = Lasting { end, length, strength: Strength::Typed };
        (glued || last && !self.glued(at)).then_some(Part { lasting, unit: Unit::Minute })
    }

    /// "1:30 hours", "1:30 h".
    fn on_the_clock(&self, at: usize) -> Option<Lasting> {
        let (end, seconds) = self.colon(at)?;
        let (end, strength) = self.pick(end, |term| match term {
            Term::Unit(Unit::Hour) => Some(Strength::Typed),
            Term::Letter(Unit::Hour) => Some(Strength::Weak),
            _ => None,
        })?;
        Some(Lasting { end, length: Length { seconds, ..Length::default() }, strength })
    }

    /// "1:30": hours and minutes in seconds.
    fn colon(&self, at: usize) -> Option<(usize, i64)> {
        let (hours, _) = self.digits(at).filter(|(_, len)| *len <= 3)?;
        let (minutes, _) = self.digits(at + 2).filter(|(n, len)| *len == 2 && *n < 60)?;
        let glued = self.text(at + 1) == ":" && self.glued(at + 1) && self.glued(at + 2);
        glued.then(|| (at + 3, i64::from(hours) * 3600 + i64::from(minutes) * 60))
    }

    /// `PT2H30M`, `P3D`.
    fn iso_length(&self, at: usize) -> Option<Lasting> {
        if !matches!(self.text(at), "p" | "pt") || !self.glued(at + 1) {
            return None;
        }
        let mut end = at + 1;
        while self.glued(end) && matches!(self.class(end), Some(Class::Digits | Class::Letters)) {
            end += 1;
        }
        let norm = self.pieces.get(at)?.span.start..self.pieces.get(end - 1)?.span.end;
        let span: Span = self.said.text(norm).to_ascii_uppercase().parse().ok()?;
        Some(Lasting { end, length: Length::from_span(&span), strength: Strength::Exact })
    }
}

struct Part {
    lasting: Lasting,
    unit: Unit,
}

impl Line<'_> {
    /// "1:30" as the answer to how long: hours and minutes.
    pub fn hours_and_minutes(&self) -> Option<super::Hit<i64>> {
        let at = (0..self.len()).find(|at| self.digits(*at).is_some())?;
        let (end, seconds) = self.colon(at)?;
        let whole = self.is_whole(at..end);
        whole.then(|| super::Hit { pieces: at..end, values: vec![seconds], strength: Strength::Weak })
    }

    /// "two weeks" as the answer to when: so far from today.
    pub fn length_from_today(&self, prefer: Prefer) -> Option<super::Hit<Date>> {
        let (at, lasting) = (0..self.len()).find_map(|at| Some((at, self.length(at)?)))?;
        let sign = if prefer == Prefer::Past { -1 } else { 1 };
        let day = lasting.length.day_from(self.today(), sign)?;
        let pieces = at..lasting.end;
        self.is_whole(pieces.clone()).then(|| super::Hit { pieces, values: vec![day], strength: Strength::Weak })
    }
}
