//! Times that no clock shows: "25:00", "5:75 pm", "at 26 o'clock".

use std::ops::Range;

use super::Line;
use crate::form::kind::said::Class;
use crate::form::language::dates::Mark;

impl Line<'_> {
    /// The first such time; none in most messages.
    pub(in crate::form::kind) fn unreal_clock(&self) -> Option<Range<usize>> {
        let mut starts = (0..self.len()).filter(|at| !self.is_inside(*at));
        starts.find_map(|at| Some(at..self.written_so(at).or_else(|| self.named_so(at))?))
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
