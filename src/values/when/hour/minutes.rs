//! Minutes and seconds behind an hour: ":30", "h30", "min30s", "05" of "8 05 am", "oh five", "وخمس دقائق".

use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term, Unit};
use formwright_text::Class;

use crate::when::Line;

impl Line<'_> {
    /// ":30", ".30" and "h30" glued to an hour.
    pub(super) fn joined_minutes(&self, at: usize) -> Option<(u32, usize)> {
        let mark = matches!(self.text(at), ":" | "." | "h");
        let (minute, _) = self.digits(at + 1).filter(|(n, len)| *len == 2 && *n < 60)?;
        (mark && self.glued(at) && self.glued(at + 1)).then_some((minute, at + 2))
    }

    /// What says that a number was of minutes, with the seconds behind it: the "min30s" of "19h56min30s".
    pub(super) fn seconds_in_units(&self, at: usize) -> Option<(u32, usize)> {
        let unit = |at: usize, unit: Unit| {
            let named = |term| matches!(term, Term::Unit(said) | Term::Letter(said) if said == unit).then_some(());
            self.pick(at, named).map(|(end, ())| end)
        };
        let minutes = unit(at, Unit::Minute)?;
        let seconds = self.cardinal(self.skip(minutes, &[Mark::And, Mark::Plus])).filter(|(_, n)| *n < 60);
        let told = seconds.and_then(|(end, n)| Some((n, unit(end, Unit::Second)?)));
        Some(told.unwrap_or((0, minutes)))
    }

    /// The "05" of "8 05 am".
    pub(super) fn minutes_apart(&self, at: usize) -> Option<(u32, usize)> {
        let (minute, _) = self.digits(at).filter(|(n, len)| *len == 2 && *n < 60 && !self.glued(at))?;
        let half = [Mark::Am, Mark::Pm].into_iter().any(|mark| self.half(at + 1, mark).is_some());
        half.then_some((minute, at + 1))
    }

    /// The "oh five" of "seven oh five".
    pub(super) fn minutes_behind_nought(&self, at: usize) -> Option<(usize, u32)> {
        let nought = |lang: &Language| lang.number.nought.word(self.text(at)).is_some();
        let minutes = self.words(at + 1).filter(|(_, minute)| (1..10).contains(minute));
        minutes.filter(|_| self.cx.lang.and_english().any(nought))
    }

    /// Minutes that "and" is written before: "وخمس وعشرون دقيقة".
    pub(super) fn minutes_with_and(&self, at: usize) -> Option<(usize, u32)> {
        let (end, n) = self.joined_number(at)?;
        let minute = |term| matches!(term, Term::Unit(Unit::Minute)).then_some(());
        self.pick(end, minute).map(|(end, ())| (end, n))
    }

    /// Whether a nought leads to an hour in words: "oh seven thirty".
    pub(super) fn follows_nought(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|no| self.class(*no) == Some(Class::Letters)) else { return false };
        let named = |lang: &Language| lang.number.nought.word(self.text(before)).is_some();
        self.words(before) == Some((at, 0)) || self.cx.lang.and_english().any(named)
    }
}
