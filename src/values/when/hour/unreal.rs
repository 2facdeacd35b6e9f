//! Times that no clock shows: "25:00", "5:75 pm", "at 26 o'clock". Days that no calendar has: "31 April", "32 December".

use std::ops::Range;

use formwright_lexicon::dates::Mark;
use formwright_text::{Class, overlap};
use jiff::civil::Date;

use super::clock::Bare;
use crate::when::bound::Prefer;
use crate::when::{Hit, Line, Strength};

impl Line<'_> {
    /// The first such time; none in most messages.
    pub fn unreal_clock(&self) -> Option<Range<usize>> {
        let mut starts = (0..self.len()).filter(|at| !self.is_inside(*at));
        starts.find_map(|at| Some(at..self.written_so(at).or_else(|| self.named_so(at))?))
    }

    /// The first such day, of no values; none in most messages.
    pub fn unreal_day(&self, prefer: Prefer) -> Option<Hit<Date>> {
        let mut none = self.days(prefer).into_iter().filter(|day| day.values.is_empty()).peekable();
        // "A 13.30" is a time.
        let clocks = if none.peek().is_some() { self.clocks_said(Bare::Never) } else { Vec::new() };
        let known = none.find(|day| !clocks.iter().any(|(pieces, _)| overlap(pieces, &day.pieces)));
        known.or_else(|| {
            let pieces = (0..self.len()).find_map(|at| Some(at..self.past_month_end(at)?))?;
            Some(Hit { pieces, values: Vec::new(), strength: Strength::Typed })
        })
    }

    /// "32 December", "the 45th of May", "December 32".
    fn past_month_end(&self, at: usize) -> Option<usize> {
        let number = |at: usize| {
            let digits = || self.digits(at).filter(|(_, len)| *len == 2).map(|(n, _)| (at + 1, n));
            let (end, _) = self.ordinal(at).or_else(digits).filter(|(_, n)| (32..100).contains(n))?;
            (!self.is_other_number(end) && !self.is_inside(at)).then_some(end)
        };
        match self.month(at) {
            Some((end, _)) => number(self.skip(end, &[Mark::The])),
            None => self.month(self.skip(number(at)?, &[Mark::Of, Mark::The])).map(|(end, _)| end),
        }
    }

    /// "25:00", "5:75 pm".
    fn written_so(&self, at: usize) -> Option<usize> {
        let (hour, _) = self.digits(at).filter(|(_, len)| *len <= 2)?;
        let (minute, _) = self.digits(at + 2).filter(|(_, len)| *len == 2)?;
        let glued = matches!(self.text(at + 1), ":" | "h") && self.glued(at + 1) && self.glued(at + 2);
        let unreal = hour > 24 || minute > 59 || (hour == 24 && minute > 0);
        (glued && unreal).then(|| self.past_half(at + 3))
    }

    /// "at 26", "25 o'clock".
    fn named_so(&self, at: usize) -> Option<usize> {
        let (end, _) = self.cardinal(at).filter(|(_, hour)| (25..100).contains(hour))?;
        let closed = self.past_half(end);
        let announced = self.follows(at, &[Mark::At]) && matches!(self.class(end), None | Some(Class::Mark));
        let alone = !self.glued(closed) || self.class(closed) != Some(Class::Digits);
        ((announced || closed > end) && alone && !self.is_number_part(end)).then_some(closed)
    }

    /// The piece behind am, pm or "o'clock".
    fn past_half(&self, at: usize) -> usize {
        self.skip(at, &[Mark::OClock, Mark::Am, Mark::Pm])
    }
}
