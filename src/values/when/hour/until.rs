//! Hours that end a stretch whose beginning is told: the "1" of "noon to 1", which is neither a time nor a number of its own.

use formwright_lexicon::dates::Mark;
use formwright_text::Class;

use super::clock::Bare;
use crate::when::Line;

impl Line<'_> {
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
