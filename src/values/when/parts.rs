//! The part or the half of the day beside a time: "8 in the evening", "tomorrow night at 8", "8 pm".

use formwright_lexicon::dates::{Mark, Part, Term};

use super::Line;

/// A part of the day that is named beside a time.
#[derive(Clone, Copy)]
pub(crate) struct PartNear {
    pub(crate) part: Part,
    /// Whether it stands behind the time and a day with it, whose part it may be as well: "two tomorrow night".
    pub(crate) of_day: bool,
}

impl Line<'_> {
    /// The part of the day named beside a time, with nothing but a day and small words between.
    pub(crate) fn part_near(&self, start: usize, end: usize) -> Option<PartNear> {
        let joins = |term: Term| match term {
            Term::Day(_) | Term::Weekday(_) | Term::WeekdayShort(_) => true,
            Term::Mark(mark) => {
                matches!(
                    mark,
                    Mark::In
                        | Mark::InThe
                        | Mark::The
                        | Mark::Of
                        | Mark::On
                        | Mark::At
                        | Mark::Around
                        | Mark::This
                        | Mark::OClock
                        | Mark::For
                )
            }
            _ => false,
        };
        let part = |term| match term {
            Term::Part(part) => Some((part, false)),
            Term::DayPart(_, part) => Some((part, true)),
            _ => None,
        };
        let day = |term| matches!(term, Term::Day(_) | Term::Weekday(_) | Term::WeekdayShort(_)).then_some(());
        let mut at = end;
        let mut behind_day = false;
        while at < self.len() && at < end + 6 {
            if let Some((_, (part, with_day))) = self.pick(at, part) {
                return Some(PartNear { part, of_day: with_day || behind_day });
            }
            behind_day |= self.pick(at, day).is_some();
            let next = self.pick(at, |term| joins(term).then_some(())).map(|(end, ())| end);
            match next.or((self.text(at) == ",").then_some(at + 1)) {
                Some(next) => at = next,
                None => break,
            }
        }
        for from in (start.saturating_sub(7)..start).rev() {
            let Some((mut at, (part, _))) = self.pick(from, part) else { continue };
            while at < start {
                let next = self.pick(at, |term| joins(term).then_some(())).map(|(end, ())| end);
                match next.or((matches!(self.text(at), "," | "@")).then_some(at + 1)) {
                    Some(next) => at = next,
                    None => return None,
                }
            }
            return (at == start).then_some(PartNear { part, of_day: false });
        }
        None
    }

    /// The piece behind "in the evening", where it stands here.
    pub(crate) fn part_behind(&self, at: usize) -> usize {
        let next = self.skip_commas(at, &[Mark::In, Mark::InThe, Mark::The, Mark::Of, Mark::At]);
        self.pick(next, |term| matches!(term, Term::Part(_)).then_some(())).map_or(at, |(end, ())| end)
    }

    /// "am" or "pm"; the "am" of "für 3 am Sonntag" leads to a day.
    pub(crate) fn half(&self, at: usize, mark: Mark) -> Option<usize> {
        self.mark(at, mark).filter(|end| *end >= self.len() || self.mark(at, Mark::On).is_none())
    }

    /// Whether a word makes a time of the number before: "am", "pm", "o'clock".
    pub(crate) fn is_clock_word(&self, at: usize) -> bool {
        let half = [Mark::Am, Mark::Pm].into_iter().any(|mark| self.half(at, mark).is_some());
        half || self.mark(at, Mark::OClock).is_some()
    }
}
