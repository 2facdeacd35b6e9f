//! Days of a month that has no need of its name: "end of the month", "first Monday of June", "20th of next month".

use formwright_lexicon::dates::{Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::{Date, Weekday};

use super::calendar::Day;
use super::week::Which;
use crate::when::bound::Prefer;
use crate::when::{Anchor, Line, Strength};

impl Line<'_> {
    /// "next month", "the month", "May 2027": its first day.
    pub(crate) fn month_of(&self, at: usize, anchor: Anchor) -> Option<(usize, Date)> {
        let first = self.today().first_of_month();
        if let Some((end, which)) = self.which_unit(at, Unit::Month) {
            let months = match which {
                Which::This => 0,
                Which::Next | Which::Coming => 1,
                Which::Last => -1,
                Which::AfterNext => 2,
                Which::BeforeLast => -2,
            };
            return Some((end, first.checked_add(jiff::Span::new().months(months)).ok()?));
        }
        let at = self.skip(at, &[Mark::The]);
        if let Some((end, month)) = self.month(at) {
            let year = self.year_named(self.skip_commas(end, &[Mark::Of, Mark::In]));
            if let Some((end, year)) = year.or_else(|| self.year_in_short(end, end, anchor)) {
                return Some((end, Date::new(year, month, 1).ok()?));
            }
            let from = Anchor { day: if anchor.prefer == Prefer::Past { anchor.day } else { first }, ..anchor };
            return Some((end, from.nearest(|year| Date::new(year, month, 1).ok())?));
        }
        let (end, ()) = self.pick(at, |term| (term == Term::Unit(Unit::Month)).then_some(()))?;
        Some((end, first))
    }

    /// "first Monday of June", "last day of the month", "20th of next month", "end of the year".
    pub(crate) fn month_phrase(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let at = self.skip(at, &[Mark::The]);
        let edge = self.edge(at, anchor).map(|(day, _)| day);
        edge.or_else(|| self.nth_of_month(at, anchor)).or_else(|| self.nth_of_nth(at, anchor))
    }

    /// "The third of the fifth seventy-one": a month by its number, where the year follows.
    fn nth_of_nth(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (end, day) = self.ordinal(at)?;
        let of = self.mark(end, Mark::Of)?;
        let (end, month) = self.ordinal(self.skip(of, &[Mark::The]))?;
        let year = self.skip_commas(end, &[Mark::Of, Mark::In]);
        let (end, year) = self.year_named(year).or_else(|| self.year_in_short(year, year, anchor))?;
        let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        let day = Day::one(end, date, Strength::Typed)?;
        Some(Day { named: true, ..day })
    }

    /// "End of the month", "mid-June": a day that may as well be one of those about it, and which edge it is.
    fn edge(&self, at: usize, anchor: Anchor) -> Option<(Day, Mark)> {
        if self.mark(at, Mark::Weekend).is_some() {
            return None;
        }
        let edge = |mark| self.mark(at, mark).map(|end| (end, mark));
        let (end, edge) = edge(Mark::End).or_else(|| edge(Mark::Start)).or_else(|| edge(Mark::Middle))?;
        // "mid-June".
        let end = end + usize::from(self.text(end) == "-" && self.glued(end) && self.glued(end + 1));
        let of = self.skip(end, &[Mark::Of]);
        // "Beginning March 10" is the 10th.
        if of == end && edge == Mark::Start && self.day_and_month(of, anchor).is_some() {
            return None;
        }
        let (end, first, last) = if let Some((end, first)) = self.month_of(of, anchor) {
            (end, first, first.last_of_month())
        } else if let Some((end, which)) = self.which_unit(of, Unit::Week) {
            let monday = self.week(which)?;
            (end, monday, monday.checked_add(jiff::Span::new().days(6)).ok()?)
        } else if let Some((end, which)) = self.which_unit(of, Unit::Year) {
            let shift = i16::from(matches!(which, Which::Next | Which::Coming)) - i16::from(which == Which::Last);
            let first = Date::new(self.today().year().checked_add(shift)?, 1, 1).ok()?;
            (end, first, first.last_of_year())
        } else {
            let of = self.skip(of, &[Mark::The]);
            let unit = |term| if let Term::Unit(unit @ (Unit::Week | Unit::Year)) = term { Some(unit) } else { None };
            let (end, unit) = self.pick(of, unit)?;
            let first = if unit == Unit::Week { self.week(Which::This)? } else { self.today().first_of_year() };
            let last = if unit == Unit::Week {
                first.checked_add(jiff::Span::new().days(6)).ok()?
            } else {
                first.last_of_year()
            };
            (end, first, last)
        };
        let date = match edge {
            Mark::End => last,
            Mark::Start => first,
            _ => first.checked_add(jiff::Span::new().days((last - first).get_days() / 2)).ok()?,
        };
        Some((Day::one(end, date, Strength::Typed)?, edge))
    }

    /// Whether words name a day only roughly; a range from a start to an end is the whole of both.
    pub fn is_rough(&self, range: bool) -> bool {
        let edges = |mark| {
            let here = |at: &usize| self.edge(*at, self.ahead()).is_some_and(|(_, edge)| edge == mark);
            (0..self.len()).any(|at| here(&at))
        };
        match (edges(Mark::Start), edges(Mark::Middle), edges(Mark::End)) {
            (true, false, true) => !range,
            (start, middle, end) => start || middle || end,
        }
    }

    /// "third Monday", "last day", "20th": the piece behind, which place, of which day of the week, and whether of days.
    fn place(&self, at: usize, anchor: Anchor) -> Option<(usize, i64, Option<Weekday>, bool)> {
        if let Some((end, weekday, _)) = self.weekday(at).filter(|_| self.cx.lang.date.nth_after) {
            // "الأربعاء الثالث عشر من شباط" is the 13th.
            let same = |date: &Date| date.weekday() == weekday;
            let dated = self.day_and_month(end, anchor).is_some_and(|day| day.dates.iter().any(same));
            let last = || self.mark(end, Mark::Last).map(|end| (end, -1));
            let nth = self.ordinal(end).filter(|(_, n)| *n <= 5).map(|(end, n)| (end, i64::from(n)));
            let (end, n) = nth.or_else(last).filter(|_| !dated)?;
            return Some((end, n, Some(weekday), true));
        }
        let (end, n) = match self.ordinal(at) {
            Some((end, n)) => match self.mark(end, Mark::Last) {
                Some(end) => (end, -i64::from(n)),
                None => (end, i64::from(n)),
            },
            None => match self.mark(at, Mark::Last) {
                Some(end) => (end, -1),
                None => self.digits(at).filter(|(_, len)| *len <= 2).map(|(n, _)| (at + 1, i64::from(n)))?,
            },
        };
        if let Some((end, weekday, _)) = self.weekday(end) {
            return Some((end, n, Some(weekday), true));
        }
        let day = self.pick(end, |term| (term == Term::Unit(Unit::Day)).then_some(()));
        Some((day.map_or(end, |(end, ())| end), n, None, day.is_some()))
    }

    fn nth_of_month(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (after, n, weekday, of_days) = self.place(at, anchor)?;
        if n < 0 && !of_days {
            return None;
        }
        // "10 days in December" are ten of them.
        if weekday.is_none() && of_days && self.digits(at).is_some() && self.ordinal(at).is_none() {
            return None;
        }
        let of = self.skip(after, &[Mark::Of, Mark::In]);
        if of == after {
            return None;
        }
        if let Some((end, year)) = self.year_of(of).filter(|_| of_days) {
            return nth_of_year(end, year, n, weekday);
        }
        let (end, first) = self.month_of(of, anchor)?;
        let in_month = |first: Date| match weekday {
            Some(weekday) => first.nth_weekday_of_month(i8::try_from(n).ok()?, weekday).ok(),
            None if n < 0 => {
                Date::new(first.year(), first.month(), i8::try_from(i64::from(first.days_in_month()) + 1 + n).ok()?)
                    .ok()
            }
            None => Date::new(first.year(), first.month(), i8::try_from(n).ok()?).ok(),
        };
        // "The 2nd of the month" is to come.
        let bare = self.which_unit(of, Unit::Month).is_none() && self.month(self.skip(of, &[Mark::The])).is_none();
        let next = || first.checked_add(jiff::Span::new().months(1)).ok();
        let date = match in_month(first) {
            Some(date) if bare && !anchor.allows(date) && anchor.prefer == Prefer::Future => in_month(next()?),
            date => date,
        };
        let day = date.map_or_else(|| Day::unreal(end), |date| Day::new(end, vec![date], Strength::Typed));
        Some(Day { named: true, ..day })
    }

    /// "the 5th", "on 15": a day of this month or the next. Weak, for it may be a place in a row.
    pub(crate) fn nth(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (end, n, ordinal) = self.month_day(at)?;
        // "3.1.20", where a dot makes an ordinal.
        if self.glued(end) && self.class(end) == Some(Class::Digits) {
            return None;
        }
        let announced = self.follows(at, &[Mark::On, Mark::The]) && (ordinal || !self.is_announced_hour(at));
        let digits = self.class(at) == Some(Class::Digits);
        // "Il ventidue", but "le due" is an hour.
        let said = announced && n > 12 && self.cx.lang.date.cardinal_days;
        // Of "31 10" neither is all.
        let half = !ordinal && self.digits(end).is_some_and(|(_, len)| len <= 2) && !self.is_other_number(end + 1);
        let last = (end..self.len()).all(|at| self.class(at) == Some(Class::Mark));
        let alone = ordinal && self.answers && last && self.is_whole(at..end);
        let told = ordinal && (digits || announced) || alone || digits && announced || said;
        if !told || half || self.is_other_number(end) {
            return None;
        }
        let n = i8::try_from(n).ok()?;
        let months = (0..12).map(|n| if anchor.prefer == Prefer::Past { -n } else { n });
        let date = months
            .filter_map(|n| anchor.day.first_of_month().checked_add(jiff::Span::new().months(n)).ok())
            .filter_map(|first| Date::new(first.year(), first.month(), n).ok())
            .find(|date| anchor.allows(*date))?;
        let last = matches!(self.class(end), None | Some(Class::Mark | Class::Digits))
            || self.may_begin(end)
            || self.cx.lang.and_english().any(|lang| {
                let words = &lang.sentence;
                let small = [&words.stop, &words.arrive, &words.leave, &words.second];
                small.into_iter().any(|table| table.word(self.text(end)).is_some())
            });
        let sure = ordinal && digits && last && self.follows(at, &[Mark::On, Mark::The]) && self.is_on_the(at, end);
        let day = Day::one(end, date, if sure { Strength::Typed } else { Strength::Weak })?;
        Some(Day { open_year: true, ..day })
    }

    /// Whether the longest phrase right before a number announces an hour: "a las 8", "alle 8".
    fn is_announced_hour(&self, at: usize) -> bool {
        let from = |marks: &[Mark]| {
            let starts = at.saturating_sub(4)..at;
            starts.into_iter().find(|from| marks.iter().any(|mark| self.mark(*from, *mark) == Some(at)))
        };
        from(&[Mark::At]).is_some_and(|hour| from(&[Mark::On, Mark::The]).is_none_or(|day| hour <= day))
    }

    /// Whether both a preposition and an article stand before ("on the 5th"); behind "from" it may be the end of a range.
    fn is_on_the(&self, at: usize, end: usize) -> bool {
        let from = |the: usize| self.follows(the, &[Mark::From]) && self.mark(end, Mark::To).is_none();
        at.checked_sub(1).is_some_and(|the| {
            self.mark(the, Mark::The) == Some(at) && (self.follows(the, &[Mark::On, Mark::For]) || from(the))
        })
    }

    /// "2027", "next year", "the year".
    fn year_of(&self, at: usize) -> Option<(usize, i16)> {
        let this = self.today().year();
        let bare = || self.pick(self.skip(at, &[Mark::The]), |term| (term == Term::Unit(Unit::Year)).then_some(()));
        self.year_said(at).or_else(|| bare().map(|(end, ())| (end, this)))
    }
}

/// "The last Monday of the year", "the first day of 2027".
fn nth_of_year(end: usize, year: i16, n: i64, weekday: Option<Weekday>) -> Option<Day> {
    let (first, last) = (Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?);
    let n = i32::try_from(n).ok()?;
    let from = if n < 0 { last.tomorrow().ok()? } else { first.yesterday().ok()? };
    let date = match weekday {
        Some(weekday) => from.nth_weekday(n, weekday).ok()?,
        None => from.checked_add(jiff::Span::new().days(n)).ok()?,
    };
    Day::one(end, date, Strength::Typed).filter(|_| (first..=last).contains(&date))
}
