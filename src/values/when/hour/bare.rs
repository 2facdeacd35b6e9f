//! Whether an hour counts that nothing announces: "8", and the "3" of "3 to 5".

use formwright_lexicon::dates::{Mark, Term};
use formwright_text::Class;

use super::clock::Bare;
use crate::when::Line;

impl Line<'_> {
    /// Whether a range goes on to its end: "3 to 5", "dalle 15 a mezzanotte"; not "alle 21 a nome Rossi".
    pub(crate) fn leads_to_another(&self, at: usize) -> bool {
        let hour = |term| matches!(term, Term::Clock(_) | Term::BeforeHour(_)).then_some(());
        let next = self.mark(at, Mark::To).map(|to| self.skip(to, &[Mark::The, Mark::At, Mark::Around]));
        next.is_some_and(|next| self.cardinal(next).is_some() || self.pick(next, hour).is_some())
    }

    /// Whether a day of the week or one told from today stands right before: "Friday 9.30".
    pub(crate) fn is_behind_day(&self, at: usize) -> bool {
        let day = |term| matches!(term, Term::Day(_) | Term::Weekday(_) | Term::WeekdayShort(_)).then_some(());
        (at.saturating_sub(3)..at).any(|from| self.pick(from, day).is_some_and(|(end, ())| end == at))
    }

    pub(crate) fn takes(&self, bare: Bare, at: usize, end: usize) -> bool {
        match bare {
            Bare::Never => false,
            Bare::Asked => self.may_answer(at, end),
            Bare::BesideDay => true,
        }
    }

    /// Whether a bare number may be the hour that was asked for: first in the message or with little else.
    fn may_answer(&self, at: usize, end: usize) -> bool {
        let counted = self.pick(end, |term| matches!(term, Term::Unit(_) | Term::Month(_)).then_some(())).is_some();
        let first = (0..at).all(|at| self.class(at) == Some(Class::Mark));
        !counted && (first || self.follows(at, &[Mark::After, Mark::On, Mark::For]) || self.is_whole(at..end))
    }

    /// The piece behind a bare hour that a time lasts until, else behind the time.
    pub(crate) fn past_last_hour(&self, end: usize) -> usize {
        let hour = |to: usize| {
            let (after, hour) = self.cardinal(self.skip(to, &[Mark::At, Mark::The]))?;
            let closed = matches!(self.class(after), None | Some(Class::Mark)) && !self.is_number_part(after);
            (closed && (1..=24).contains(&hour) && self.clock(to, None, Bare::Never).is_none()).then_some(after)
        };
        self.mark(end, Mark::To).and_then(hour).unwrap_or(end)
    }
}
