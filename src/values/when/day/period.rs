//! Ranges of days: "from 3 to 7 May", "Monday to Friday", "next week", "for 3 days from Monday".

use formwright_lexicon::dates::{Length, Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use super::calendar::Day;
use super::week::Which;
use crate::when::bound::Prefer;
use crate::when::{Anchor, Hit, Line, Strength};

/// First and last day.
pub(crate) type Ends = (Date, Date);

/// Longest range, in days, that may reach into the next year without its being said.
const MOST_ROLLED: i32 = 183;

impl Line<'_> {
    /// Reads every range, left to right; single days are none.
    pub fn periods(&self) -> Vec<Hit<Ends>> {
        let mut hits: Vec<Hit<Ends>> = Vec::new();
        let mut at = if self.speaks_of_time() { 0 } else { self.len() };
        while at < self.len() {
            match self.period(at) {
                Some((end, ends)) => {
                    hits.push(Hit { pieces: at..end, values: ends, strength: Strength::Typed });
                    at = end.max(at + 1);
                }
                None => at = self.day(at, self.ahead()).map_or(at + 1, |day| day.end.max(at + 1)),
            }
        }
        hits
    }

    fn period(&self, at: usize) -> Option<(usize, Vec<Ends>)> {
        if !self.may_begin(at) || self.is_inside(at) {
            return None;
        }
        let lone = |reading: Option<(usize, Ends)>| reading.map(|(end, ends)| (end, vec![ends]));
        let readings = [self.between(at), lone(self.lasting(at)), lone(self.named(at))];
        readings.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    /// "from 3 to 7 May", "May 3 until May 7", "3–7 May", "Monday to Friday".
    fn between(&self, at: usize) -> Option<(usize, Vec<Ends>)> {
        let between = self.mark(at, Mark::Between);
        let from = self.skip(self.mark(at, Mark::From).or(between).unwrap_or(at), &[Mark::The, Mark::On]);
        let to = |at: usize| {
            let at = self.skip_commas(at, &[]);
            let to = match self.text(at) {
                "-" | "/" => Some(at + 1),
                // "El 3 de abril a las 8" has an hour.
                _ if self.mark(at, Mark::At) > self.mark(at, Mark::To) => None,
                _ => self.mark(at, Mark::To).or_else(|| self.mark(at, Mark::And).filter(|_| between.is_some())),
            };
            to.map(|to| self.skip(to, &[Mark::To, Mark::The, Mark::On]))
        };
        self.numbered(from, to).or_else(|| self.two_days(from, to)).or_else(|| self.adjoining(at))
    }

    /// "today and tomorrow", "3 and 4 May": two days side by side are all of a range.
    fn adjoining(&self, at: usize) -> Option<(usize, Vec<Ends>)> {
        // "24, 28 and 29 December" are three.
        let more = |comma: usize| {
            matches!(self.text(comma), "," | "،") && comma.checked_sub(1).is_some_and(|no| self.month_day(no).is_some())
        };
        if at.checked_sub(1).is_some_and(more) {
            return None;
        }
        let at = self.skip(at, &[Mark::The, Mark::On]);
        let to = |at: usize| self.mark(at, Mark::And).map(|to| self.skip(to, &[Mark::The, Mark::On]));
        let (end, ends) = self.numbered(at, to).or_else(|| self.two_days(at, to))?;
        let side_by_side = |(start, end): &Ends| start.tomorrow().is_ok_and(|next| next == *end);
        (!ends.is_empty() && ends.iter().all(side_by_side)).then_some((end, ends))
    }

    /// Both ends are whole days: "3 May to 7 May", "2026-05-03/2026-05-07"; or the end shares the month: "May 3 to 7".
    fn two_days(&self, from: usize, to: impl Fn(usize) -> Option<usize>) -> Option<(usize, Vec<Ends>)> {
        let mut first = self.day(from, self.ahead())?;
        let next = to(first.end)?;
        let order = self.shown_order(from).or_else(|| self.shown_order(next));
        self.put_in_order(&mut first, from, order);
        let unreal = |day: &Day| day.dates.is_empty();
        if let Some(last) = self.day(next, self.ahead()).filter(|last| unreal(&first) || unreal(last)) {
            return Some((last.end, Vec::new()));
        }
        let one = |day: &Day| day.dates.first().copied();
        let start = one(&first)?;
        if let Some((end, distance)) = self.apart(next).filter(|(_, distance)| distance.from.is_of_day()) {
            return Some((end, vec![(start, distance.by.day_from(start, if distance.back { -1 } else { 1 })?)]));
        }
        if first.named
            && let Some((end, n, _)) =
                self.month_day(next).filter(|_| self.day(next, self.ahead()).is_none_or(|day| !day.named))
            && !self.glued_mark(end)
            && !self.is_other_number(end)
        {
            let (end, year) = self.year(self.skip_commas(end, &[Mark::Of])).unwrap_or((end, start.year()));
            let start = Date::new(year, start.month(), start.day()).ok()?;
            return Some((end, vec![(start, Date::new(year, start.month(), i8::try_from(n).ok()?).ok()?)]));
        }
        let after = |day: Date| Anchor { day, prefer: Prefer::Future };
        let mut last = self.day(next, after(start))?;
        self.put_in_order(&mut last, next, order);
        if first.dates.len() == 2 && last.dates.len() == 2 {
            // Each order of day and month has its own nearest end.
            let ends = first.dates.iter().enumerate().map(|(no, start)| {
                let last = self.day(next, after(*start))?;
                Some((*start, last.dates.get(no).copied()?))
            });
            return Some((last.end, ends.flatten().filter(|(start, end)| start <= end).collect()));
        }
        let end = one(&last)?;
        let fixed = self.day(next, self.ahead())?.dates.contains(&end);
        let backed = self.day(from, Anchor { day: end, prefer: Prefer::Past }).as_ref().and_then(one);
        // "14 August to 3 August" is no range of a year.
        if !fixed
            && first.named
            && last.named
            && (end - start).get_days() > MOST_ROLLED
            && let Ok(backwards) = Date::new(start.year(), end.month(), end.day())
        {
            return Some((last.end, vec![(start, backwards)]));
        }
        let far = start > end || (end - start).get_days() > 366;
        let start = if fixed && far { backed.filter(|back| *back <= end).unwrap_or(start) } else { start };
        let start =
            first.dates.iter().copied().find(|_| first.dates.len() == 2).filter(|day| *day <= end).unwrap_or(start);
        Some((last.end, vec![(start, end)]))
    }

    /// Whether digits show that the day comes first (15/03) or the month (03/15); none where they may be either.
    fn shown_order(&self, at: usize) -> Option<bool> {
        let ((a, _), (b, _)) = (self.digits(at)?, self.digits(at + 2)?);
        let written = matches!(self.text(at + 1), "/" | "-" | ".") && self.glued(at + 1) && self.glued(at + 2);
        (written && a <= 31 && b <= 31 && (a > 12) != (b > 12)).then_some(a > 12)
    }

    /// Settles a day whose order is open by the order of the other end.
    fn put_in_order(&self, day: &mut Day, at: usize, day_first: Option<bool>) {
        let (Some(day_first), 2) = (day_first, day.dates.len()) else { return };
        let place = if day_first { at } else { at + 2 };
        let Some((n, _)) = self.digits(place) else { return };
        if let Some(date) = day.dates.iter().copied().find(|date| u32::from(date.day().unsigned_abs()) == n) {
            day.dates = vec![date];
        }
    }

    fn glued_mark(&self, end: usize) -> bool {
        self.glued(end) && matches!(self.text(end), "/" | ":" | "-") && self.glued(end + 1)
    }

    /// The start shares the end's month: "3 to 7 May", "the 3rd to the 7th".
    fn numbered(&self, from: usize, to: impl Fn(usize) -> Option<usize>) -> Option<(usize, Vec<Ends>)> {
        let (end, n, _) = self.month_day(from)?;
        let next = to(end)?;
        let last = self.day(next, self.ahead())?;
        let digits_only = self.class(next) == Some(Class::Digits) && !last.named;
        let end = last.dates.first().filter(|_| last.named && !digits_only)?;
        let start = Date::new(end.year(), end.month(), i8::try_from(n).ok()?);
        Some((last.end, start.into_iter().map(|start| (start, *end)).collect()))
    }

    /// "for 3 days from Monday", "from Monday for a week", "the next 3 days".
    fn lasting(&self, at: usize) -> Option<(usize, Ends)> {
        let days = |length: Length, start: Date| {
            let last = length.day_from(start, 1)?.checked_add(Span::new().days(-1)).ok()?;
            (last >= start).then_some((start, last))
        };
        if let Some((after, Which::Next | Which::Coming)) = self.which(at) {
            let lasting = self.length(after).filter(|_| self.count(after).is_some())?;
            return Some((lasting.end, days(lasting.length, self.today())?));
        }
        if let Some(after) = self.mark(at, Mark::For) {
            let lasting = self.length(after)?;
            let from = self.mark(lasting.end, Mark::From).or_else(|| self.mark(lasting.end, Mark::After))?;
            let day = self.day(self.skip(from, &[Mark::The, Mark::On]), self.ahead())?;
            return Some((day.end, days(lasting.length, *day.dates.first()?)?));
        }
        // "3 days from Monday"; "a week from Monday" is one day.
        if let Some(lasting) = self.length(at).filter(|_| self.count(at).is_some_and(|(_, n)| n > 1000))
            && let Some(from) = self.mark(lasting.end, Mark::From)
            && let Some(day) = self.day(self.skip(from, &[Mark::The, Mark::On]), self.ahead())
        {
            return Some((day.end, days(lasting.length, *day.dates.first()?)?));
        }
        let from = self.skip(self.mark(at, Mark::From).unwrap_or(at), &[Mark::The, Mark::On]);
        let day = self.day(from, self.ahead())?;
        let lasting = self.length(self.mark(self.skip_commas(day.end, &[]), Mark::For)?)?;
        Some((lasting.end, days(lasting.length, *day.dates.first()?)?))
    }

    /// "next week", "this weekend", "next month", "June 2027".
    fn named(&self, at: usize) -> Option<(usize, Ends)> {
        let days = |first: Date, n: i32| Some((first, first.checked_add(n.days()).ok()?));
        if let Some((end, which)) = self.which_unit(at, Unit::Week) {
            return Some((end, days(self.week(which)?, 6)?));
        }
        let skipped = self.skip(at, &[Mark::The]);
        // "The week of 7 December".
        if let Some((end, ())) = self.pick(skipped, |term| matches!(term, Term::Unit(Unit::Week)).then_some(()))
            && let Some(of) = self.mark(end, Mark::Of)
            && let Some(day) = self.day(self.skip(of, &[Mark::The, Mark::On]), self.ahead())
            && let [date] = day.dates[..]
        {
            let monday = date.checked_sub(i32::from(date.weekday().to_monday_zero_offset()).days()).ok()?;
            return Some((day.end, days(monday, 6)?));
        }
        let (next, which) = self.which(skipped).unwrap_or((skipped, Which::This));
        if let Some(end) = self.mark(next, Mark::Weekend) {
            let (end, which) = self.which(end).filter(|_| self.cx.lang.date.which_after).unwrap_or((end, which));
            let saturday = self.week(which)?.checked_add(5.days()).ok()?;
            return Some((end, days(saturday, 1)?));
        }
        let month = |at| self.pick(at, |term| matches!(term, Term::Month(_)).then_some(())).is_some();
        if !month(next) {
            let (end, _) = self.which_unit(at, Unit::Month)?;
            let (_, first) = self.month_of(at, self.ahead())?;
            return Some((end, (first, first.last_of_month())));
        }
        let (end, first) = self.month_of(at, self.ahead())?;
        let behind_number = at.checked_sub(1).is_some_and(|at| self.class(at) == Some(Class::Digits));
        let named_year = !month(end - 1) && self.text(end - 1) != ".";
        (named_year && !behind_number && !self.follows(at, &[Mark::Of, Mark::Ordinal]))
            .then_some((end, (first, first.last_of_month())))
    }
}
