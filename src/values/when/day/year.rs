//! Years as they stand beside a day: "2027", "the year 1980", "next year", "two years ago", the "85" of "5 dec 85"; in front
//! of it, "2009 May 22nd".

use formwright_lexicon::dates::{Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::Date;

use super::calendar::Day;
use super::week::Which;
use crate::when::bound::Prefer;
use crate::when::{Anchor, Line, Strength};

/// The greatest number of a day in a month.
const LAST_DAY: u32 = 31;

impl Line<'_> {
    /// The "85" of "5 dec 85": two digits that can be no day, in a year gone by; where days lie back any two.
    pub(crate) fn year_in_short(&self, end: usize, at: usize, anchor: Anchor) -> Option<(usize, i16)> {
        let digits = self.digits(at).filter(|(_, len)| *len == 2 && !self.glued(at)).map(|(n, _)| (at + 1, n));
        let (behind, n) = digits.or_else(|| self.words(at).filter(|(_, n)| *n > LAST_DAY))?;
        let back = anchor.prefer == Prefer::Past;
        let (year, this) = (self.short_year(n), self.today().year());
        let year = if back && year > this { year.checked_sub(100)? } else { year };
        let counts = match self.class(behind) {
            None => false,
            Some(Class::Mark) => {
                matches!(self.text(behind), "€" | "$" | "£" | "%" | "/" | "-" | "+") || self.is_number_part(behind)
            }
            Some(Class::Digits) => true,
            Some(Class::Letters) => {
                let small = [Mark::And, Mark::In, Mark::Of, Mark::On, Mark::At, Mark::The];
                let word = self.word_at(behind);
                let filler = self.cx.lang.and_english().any(|lang| lang.filler.words_at(self.said, word) > 0);
                !filler && small.into_iter().all(|mark| self.mark(behind, mark).is_none())
            }
        };
        let sure = back || n > LAST_DAY && year <= this && at == end;
        (sure && !counts && !self.is_other_number(behind)).then_some((behind, year))
    }

    /// A day whose year was told by two digits: one of days that lie back is not to come.
    pub(crate) fn gone_by(&self, date: Date, short: bool, anchor: Anchor) -> Date {
        let before = || date.year().checked_sub(100).and_then(|year| Date::new(year, date.month(), date.day()).ok());
        let to_come = short && anchor.prefer == Prefer::Past && date > self.today();
        before().filter(|_| to_come).unwrap_or(date)
    }

    /// A year by its number: "1980", "the year 1980".
    pub(crate) fn year_named(&self, at: usize) -> Option<(usize, i16)> {
        let year = |term| (term == Term::Unit(Unit::Year)).then_some(());
        let behind = || self.pick(self.skip(at, &[Mark::The]), year).and_then(|(end, ())| self.year(end));
        self.year(at).or_else(behind)
    }

    /// A day with its year in front: "2009 May 22nd", "2018-Aug-16", "2027, 5 March".
    pub(crate) fn year_then_day(&self, at: usize) -> Option<Day> {
        let (end, year) =
            self.year_named(at).filter(|(end, _)| self.digits(end - 1).is_some_and(|(_, len)| len == 4))?;
        let named = self.year(at).is_none();
        if !(1900..2100).contains(&year) {
            return None;
        }
        let past = |at: usize| at + usize::from(matches!(self.text(at), "-" | "/" | "," | "."));
        // "In the year 1980 on the 2nd of February."
        let next = if named { self.skip_commas(end, &[Mark::On, Mark::The]) } else { past(end) };
        let (end, month, day) = if let Some((end, month)) = self.month(next) {
            let (end, day, _) = self.month_day(self.skip(past(end), &[Mark::The]))?;
            (end, month, day)
        } else {
            let (end, day, ordinal) = self.month_day(self.skip(next, &[Mark::The]))?;
            let (behind, month) = self.month(self.skip(past(end), &[Mark::Of]))?;
            (behind, month, Some(day).filter(|_| ordinal || self.class(end - 1) == Some(Class::Digits))?)
        };
        if self.is_other_number(end) || self.is_number_part(end) {
            return None;
        }
        let date = Date::new(year, month, i8::try_from(day).ok()?);
        let day = date.map_or_else(|_| Day::unreal(end), |date| Day::new(end, vec![date], Strength::Typed));
        Some(Day { named: true, ..day })
    }

    /// A year as it stands beside a day: "2027", "next year", "two years ago".
    pub(crate) fn year_said(&self, at: usize) -> Option<(usize, i16)> {
        let this = self.today().year();
        if let Some(said) = self.year_named(at) {
            return Some(said);
        }
        if let Some((end, which)) = self.which_unit(at, Unit::Year) {
            let years = match which {
                Which::This => 0,
                Which::Next | Which::Coming => 1,
                Which::Last => -1,
                Which::AfterNext => 2,
                Which::BeforeLast => -2,
            };
            return Some((end, this.checked_add(years)?));
        }
        let before = self.mark(at, Mark::AgoBefore);
        let lasting = self.length(before.unwrap_or(at))?;
        let end = if before.is_some() { lasting.end } else { self.mark(lasting.end, Mark::Ago)? };
        Some((end, this.checked_sub(i16::try_from(lasting.length.whole_years()?).ok()?)?))
    }
}
