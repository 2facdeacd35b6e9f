//! Days told by today, "tomorrow evening", or by another one that is said: "in 3 days", "two weeks after Christmas", "the
//! Monday after Easter", "Friday in two weeks", "the closest Monday to 5 October".

use std::ops::Range;

use formwright_lexicon::dates::{Holiday, Length, Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::calendar::Day;
use super::week::Which;
use crate::when::bound::Prefer;
use crate::when::length::Lasting;
use crate::when::{Anchor, Line, Strength, feast};

/// What comes again and again.
#[derive(Clone, Copy)]
enum Named {
    Weekday(Weekday),
    Feast(Holiday),
}

/// Greatest place of "the second closest", "the third Friday after".
const MOST_PLACES: u32 = 9;

impl Line<'_> {
    /// "today", "tonight", "tomorrow evening"; in an answer "the next day", which elsewhere hangs on another day.
    pub(crate) fn relative(&self, at: usize) -> Option<Day> {
        let named = self.pick(at, |term| match term {
            Term::Day(days) => Some((days, None)),
            Term::DayPart(days, part) => Some((days, Some(part))),
            _ => None,
        });
        let tied = [(Mark::DayAfter, 1), (Mark::DayBefore, -1), (Mark::SameDay, 0)].into_iter();
        let tied = tied.filter_map(|(mark, days)| Some((self.mark(at, mark)?, days))).max_by_key(|(end, _)| *end);
        let (end, (days, part)) = match tied.filter(|(end, _)| named.is_none_or(|(known, _)| known < *end)) {
            Some((end, days)) if self.answers && days != 0 && self.stands_alone(at..end) => (end, (days, None)),
            Some(_) => return None,
            None => named?,
        };
        // "اليوم الخامس" is no today, nor is "اليوم الأخير".
        if self.cx.lang.date.nth_after && days == 0 {
            let hour = self.pick(end, |term| matches!(term, Term::Hour(_)).then_some(())).is_some();
            if self.which(end).is_some() || self.ordinal(end).is_some() && !hour {
                return None;
            }
        }
        let date = self.today().checked_add(jiff::Span::new().days(days)).ok()?;
        Some(Day { part, ..Day::one(end, date, Strength::Typed)? })
    }

    /// Whether "the next day" is all of its phrase: not "the day after my birthday", nor "a bad day before that".
    fn stands_alone(&self, pieces: Range<usize>) -> bool {
        let tied = [Mark::DayAfter, Mark::DayBefore, Mark::SameDay].map(Term::Mark);
        let leads = |(_, term): (usize, Term)| term != Term::Unit(Unit::Day) && !tied.contains(&term);
        let led = pieces.start == 0 || self.terms(pieces.start).any(leads);
        led && (self.class(pieces.end) != Some(Class::Letters) || self.terms(pieces.end).next().is_some())
    }

    /// A day told by another one.
    pub(crate) fn reckoned(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let far = || self.far(at, anchor).map(|(day, _)| day);
        let readings =
            [self.in_its_week(at, anchor), self.day_and_length(at), self.next_to(at, anchor), self.closest(at, anchor)];
        readings.into_iter().flatten().max_by_key(|day| day.end).or_else(far)
    }

    /// "in 3 days", "3 weeks ago", "two weeks after Christmas", with the distance.
    fn far(&self, at: usize, anchor: Anchor) -> Option<(Day, Length)> {
        let today = self.today();
        let soon = self.mark(at, Mark::In);
        let back = self.mark(at, Mark::AgoBefore);
        let from = soon.or(back).unwrap_or(at);
        // "Unos días" are some, "unos 3 días" about three.
        let lasting = self.length(from).or_else(|| self.length(self.skip(from, &[Mark::Around])))?;
        let (end, length) = (lasting.end, lasting.length);
        if let Some(day) = self.off_base(at, lasting, soon.is_some(), anchor) {
            return Some((day, length));
        }
        if soon.is_some() {
            let end = self.mark(end, Mark::Time).unwrap_or(end);
            let end = self.mark(end, Mark::Later).unwrap_or(end);
            return Some((Day::one(end, length.day_from(today, 1)?, Strength::Typed)?, length));
        }
        if back.is_some() {
            return Some((Day::one(end, length.day_from(today, -1)?, Strength::Typed)?, length));
        }
        if let Some(to) = self.mark(end, Mark::Later) {
            // "From now" tells from when; "a week later" hangs on what was said before.
            let tied = (end..to).any(|at| {
                let today = self.pick(at, |term| matches!(term, Term::Day(0)).then_some(())).is_some();
                today || self.mark(at, Mark::Now).is_some()
            });
            let strength = if tied { Strength::Typed } else { Strength::Weak };
            return Some((Day::one(to, length.day_from(today, 1)?, strength)?, length));
        }
        let end = self.mark(end, Mark::Ago)?;
        // "A year ago today", "two weeks ago tomorrow".
        let (end, base) = match self.relative(end) {
            Some(day) if day.part.is_none() => (day.end, day.dates.first().copied()?),
            _ => (end, today),
        };
        Some((Day::one(end, length.day_from(base, -1)?, Strength::Typed)?, length))
    }

    /// The day that a distance leads to from one that is said: "after Christmas", "since 2011". "A week on Friday" is
    /// one, but "in a week on Friday" is reckoned from today, and "for a week from Friday" is how long something lasts.
    fn off_base(&self, at: usize, lasting: Lasting, soon: bool, anchor: Anchor) -> Option<Day> {
        let Lasting { end, length, .. } = lasting;
        if (self.is_for(at) || self.is_rate(at)) && self.mark(end, Mark::From).is_some() {
            return None;
        }
        // "A year after Christmas" is reckoned from the last one.
        let from = if length.whole_years().is_some() { Anchor { prefer: Prefer::Past, ..anchor } } else { anchor };
        let moved = |base: Day, sign: i64| {
            let dates: Option<Vec<Date>> = base.dates.iter().map(|date| length.day_from(*date, sign)).collect();
            Some(Day::new(base.end, dates?, base.strength))
        };
        for (mark, sign) in [(Mark::After, 1), (Mark::Before, -1)] {
            let Some(at) = self.mark(end, mark).map(|at| self.skip(at, &[Mark::The])) else { continue };
            if soon && self.mark(end, Mark::On).is_some() && self.weekday(at).is_some() {
                continue;
            }
            let year = || {
                let (end, year) = self.year(at)?;
                Day::one(end, Date::new(year, 1, 1).ok()?, Strength::Typed)
            };
            if let Some(base) = self.day(at, from).or_else(year) {
                return moved(base, sign);
            }
        }
        // "A week tomorrow".
        let base = self.relative(end).filter(|day| length.is_of_weeks() && day.part.is_none())?;
        base.dates.iter().all(|date| *date >= self.today()).then(|| moved(base, 1)).flatten()
    }

    /// Whether a length says how often: "a week" of "25 hours a week from the 1st of April".
    fn is_rate(&self, at: usize) -> bool {
        let counted = |from: usize| self.cardinal(from).is_some_and(|(end, _)| end + 1 == at);
        at.checked_sub(2).is_some_and(counted)
    }

    /// Whether "for" stands before a length, with or without how many between.
    fn is_for(&self, at: usize) -> bool {
        let counted = |from: usize| self.count(from).is_some_and(|(end, _)| end == at);
        let mut starts = (at.saturating_sub(3)..at).filter(|from| counted(*from)).chain([at]);
        starts.any(|from| self.follows(from, &[Mark::For]))
    }

    /// "Friday in two weeks", "three weeks from now on Friday": that day of the week that a distance leads to.
    fn in_its_week(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let in_week = |end: usize, far: &Day, weekday: Weekday| {
            let [date] = far.dates[..] else { return None };
            let monday = date.checked_sub(i32::from(date.weekday().to_monday_zero_offset()).days()).ok()?;
            let day = monday.checked_add(Span::new().days(weekday.to_monday_zero_offset())).ok()?;
            Day::one(end, day, Strength::Typed)
        };
        let of_weeks = |at: usize| {
            self.far(at, anchor).filter(|(day, length)| length.is_of_weeks() && day.strength > Strength::Weak)
        };
        if let Some((end, weekday, _)) = self.weekday(at) {
            let (far, _) = of_weeks(self.skip_commas(end, &[]))?;
            return in_week(far.end, &far, weekday);
        }
        let (far, _) = of_weeks(at)?;
        let (end, weekday, _) = self.weekday(self.skip_commas(far.end, &[Mark::On, Mark::The]))?;
        in_week(end, &far, weekday)
    }

    /// "Tomorrow week", "heute in zwei Wochen": so much after a day.
    fn day_and_length(&self, at: usize) -> Option<Day> {
        let day = self.relative(at).filter(|day| day.part.is_none())?;
        let [date] = day.dates[..] else { return None };
        if let Some((end, days)) = self.weeks_on(day.end) {
            return Day::one(end, date.checked_add(days.days()).ok()?, Strength::Typed);
        }
        if let Some((end, by, sign)) = self.unit_on(day.end) {
            return Day::one(end, by.day_from(date, sign)?, Strength::Typed);
        }
        let lasting = self.length(self.mark(day.end, Mark::In)?)?;
        let date = lasting.length.day_from(date, 1).filter(|_| lasting.length.is_of_weeks())?;
        Day::one(lasting.end, date, Strength::Typed)
    }

    /// The "next week" of "today next week": one of a unit, and on which side.
    fn unit_on(&self, at: usize) -> Option<(usize, Length, i64)> {
        [Unit::Week, Unit::Month, Unit::Year].into_iter().find_map(|unit| {
            let (end, which) = self.which_unit(at, unit)?;
            let sign = match which {
                Which::Next => 1,
                Which::Last => -1,
                Which::This | Which::Coming | Which::AfterNext | Which::BeforeLast => return None,
            };
            Some((end, Length::of(unit, 1000)?, sign))
        })
    }

    /// "The day after Christmas", "the second Friday before Easter": the next such day on that side of another.
    fn next_to(&self, at: usize, anchor: Anchor) -> Option<Day> {
        // "Le lendemain de Noël".
        for (mark, n) in [(Mark::DayAfter, 1), (Mark::DayBefore, -1)] {
            let of = self.mark(at, mark).and_then(|end| self.mark(end, Mark::Of));
            if let Some(base) = of.and_then(|of| self.day(self.skip(of, &[Mark::The]), anchor))
                && let [date] = base.dates[..]
            {
                return Day::one(base.end, date.checked_add(n.days()).ok()?, Strength::Typed);
            }
        }
        let at = self.skip(at, &[Mark::The]);
        let (at, nth) = self.ordinal(at).filter(|(_, n)| *n <= MOST_PLACES).unwrap_or((at, 1));
        let unit = |term| (term == Term::Unit(Unit::Day)).then_some(None);
        let weekday = || self.weekday(at).map(|(end, weekday, _)| (end, Some(weekday)));
        let (end, weekday) = self.pick(at, unit).or_else(weekday)?;
        let nth = i32::try_from(nth).ok()?;
        // "Monday on the 5th" and "the day from Friday" lie on no side.
        let side = |mark| {
            self.mark(end, mark)
                .filter(|_| [Mark::On, Mark::From].into_iter().all(|mark| self.mark(end, mark).is_none()))
        };
        let (after, n) = side(Mark::After).map(|at| (at, nth)).or_else(|| Some((side(Mark::Before)?, -nth)))?;
        let base = self.day(self.skip(after, &[Mark::The]), anchor).filter(|day| day.strength > Strength::Weak)?;
        let [date] = base.dates[..] else { return None };
        let day = match weekday {
            Some(weekday) => date.nth_weekday(n, weekday),
            None => date.checked_add(n.days()),
        };
        Day::one(base.end, day.ok()?, Strength::Typed)
    }

    /// "The closest Monday to 5 October", "the second closest", "il lunedì più vicino al 5 ottobre".
    fn closest(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let at = self.skip(at, &[Mark::The]);
        let (next, place) = self.ordinal(at).filter(|(_, n)| *n <= MOST_PLACES).unwrap_or((at, 1));
        let (named, to) = if let Some(next) = self.mark(next, Mark::Closest) {
            let (end, named) = self.named_day(next)?;
            (named, [Mark::To, Mark::From, Mark::Of].into_iter().find_map(|mark| self.mark(end, mark))?)
        } else {
            let (end, named) = self.named_day(next)?;
            (named, self.mark(end, Mark::Closest)?)
        };
        let base = self.day(self.skip(to, &[Mark::The]), anchor)?;
        let [day] = base.dates[..] else { return None };
        let mut dates: Vec<Date> = match named {
            Named::Weekday(weekday) => {
                let steps = (1..=i32::try_from(place).ok()?).flat_map(|n| [-n, n]);
                let around = steps.filter_map(|n| day.nth_weekday(n, weekday).ok());
                around.chain((day.weekday() == weekday).then_some(day)).collect()
            }
            Named::Feast(feast) => {
                let reach = i16::try_from(place).ok()?;
                let years = (-reach..=reach).filter_map(|n| day.year().checked_add(n));
                years.flat_map(|year| feast::in_year(feast, year)).collect()
            }
        };
        dates.sort_by_key(|date| (*date - day).get_days().abs());
        Day::one(base.end, *dates.get(usize::try_from(place).ok()?.checked_sub(1)?)?, Strength::Typed)
    }

    fn named_day(&self, at: usize) -> Option<(usize, Named)> {
        let weekday = self.weekday(at).map(|(end, weekday, _)| (end, Named::Weekday(weekday)));
        weekday.or_else(|| self.holiday(at).map(|(end, feast)| (end, Named::Feast(feast))))
    }
}
