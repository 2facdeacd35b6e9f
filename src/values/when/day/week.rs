//! Days of the week: "Friday", "next Monday", "Tuesday of next week", "Monday week", "three Fridays from now".

use formwright_lexicon::dates::{Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::calendar::Day;
use crate::when::bound::Prefer;
use crate::when::hour::clock::Bare;
use crate::when::{Anchor, Line, Strength};

/// Which one is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    This,
    Next,
    Coming,
    Last,
    AfterNext,
    BeforeLast,
}

const WHICH: [(Mark, Which); 6] = [
    (Mark::AfterNext, Which::AfterNext),
    (Mark::BeforeLast, Which::BeforeLast),
    (Mark::This, Which::This),
    (Mark::Next, Which::Next),
    (Mark::Coming, Which::Coming),
    (Mark::Last, Which::Last),
];

impl Line<'_> {
    pub(crate) fn which(&self, at: usize) -> Option<(usize, Which)> {
        WHICH.into_iter().find_map(|(mark, which)| Some((self.mark(at, mark)?, which)))
    }

    /// A day of the week, and whether the word is short enough to be another.
    pub(crate) fn weekday(&self, at: usize) -> Option<(usize, Weekday, bool)> {
        let (end, (no, short)) = self.pick(at, |term| match term {
            Term::Weekday(no) => Some((no, false)),
            Term::WeekdayShort(no) => Some((no, true)),
            _ => None,
        })?;
        let end = end + usize::from(short && self.text(end) == "." && self.glued(end));
        Some((end, Weekday::from_monday_one_offset(no).ok()?, short))
    }

    /// Whether a number of a day may end here in words that count days so: "lunedì 5", but not "lunedì 5 persone".
    pub(crate) fn ends_cardinal_day(&self, end: usize) -> bool {
        self.cx.lang.date.cardinal_days && self.class(end).is_none_or(|class| class == Class::Mark)
    }

    fn is_unit(&self, at: usize, unit: Unit) -> Option<usize> {
        self.pick(at, |term| (term == Term::Unit(unit)).then_some(())).map(|(end, ())| end)
    }

    /// So many days behind a day: the "week" of "Monday week", "Friday fortnight", "lundi en huit".
    pub(crate) fn weeks_on(&self, at: usize) -> Option<(usize, i32)> {
        let fortnight = |term| matches!(term, Term::Length(length) if length.days == 14).then_some(());
        let week = self.is_unit(at, Unit::Week).or_else(|| self.mark(at, Mark::WeekOn)).map(|end| (end, 7));
        let two = self.pick(at, fortnight).map(|(end, ())| end).or_else(|| self.mark(at, Mark::FortnightOn));
        week.or_else(|| two.map(|end| (end, 14)))
    }

    /// "next week", "la semaine prochaine", "the month": which unit.
    pub(crate) fn which_unit(&self, at: usize, unit: Unit) -> Option<(usize, Which)> {
        let at = self.skip(at, &[Mark::The]);
        if let Some((after, which)) = self.which(at) {
            return self.is_unit(after, unit).map(|end| (end, which));
        }
        let end = self.is_unit(at, unit)?;
        let twice = |which| matches!(which, Which::AfterNext | Which::BeforeLast);
        self.which(end).filter(|(_, which)| self.cx.lang.date.which_after || twice(*which))
    }

    /// A phrase whose day is given by a day of the week.
    pub(crate) fn week_day(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let best = [
            self.which_weekday(at, anchor),
            self.weekday_which(at, anchor),
            self.week_then_day(at),
            self.counted_weekdays(at, anchor),
        ];
        best.into_iter().flatten().max_by_key(|day| day.end)
    }

    /// "next Monday".
    fn which_weekday(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (after, which) = self.which(at)?;
        let after = self.skip(after, &[Mark::The]);
        let (end, weekday, _) = self.weekday(after)?;
        Day::one(end, self.that_weekday(weekday, which, anchor)?, Strength::Typed)
    }

    /// "Monday", "lunedì prossimo", "Monday after next", "Monday week", "Monday of next week".
    fn weekday_which(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (end, weekday, short) = self.weekday(at)?;
        let coming = near(weekday, anchor)?;
        let of = self.skip_commas(end, &[Mark::Of, Mark::In, Mark::The, Mark::On]);
        let of = of + usize::from(self.text(of) == "-");
        if let Some((end, which)) = self.which_unit(of, Unit::Week) {
            return Day::one(end, self.in_week(weekday, which)?, Strength::Typed);
        }
        if let Some(which) = self.week_of_later(end, weekday) {
            return Day::one(end, self.in_week(weekday, which)?, Strength::Typed);
        }
        if let Some((end, days)) = self.weeks_on(end).filter(|_| !short) {
            return Day::one(end, near(weekday, self.ahead())?.checked_add(days.days()).ok()?, Strength::Typed);
        }
        if let Some((end, which @ (Which::AfterNext | Which::BeforeLast))) = self.which(end) {
            return Day::one(end, self.that_weekday(weekday, which, anchor)?, Strength::Typed);
        }
        if let Some((end, which)) = self.which(end).filter(|_| self.cx.lang.date.which_after) {
            return Day::one(end, self.that_weekday(weekday, which, anchor)?, Strength::Typed);
        }
        // "Sat 8 pm."
        let timed = || self.clock(end, None, Bare::Never).is_some_and(|clock| clock.strength == Strength::Typed);
        let bare = short && !self.follows(at, &[Mark::On, Mark::From, Mark::To]) && !timed();
        let mut day = Day::one(end, coming, if bare { Strength::Weak } else { Strength::Typed })?;
        day.weekday = true;
        Some(day)
    }

    /// The week that is named behind a later day of it: the "next week" of "Thursday and Friday next week".
    fn week_of_later(&self, at: usize, weekday: Weekday) -> Option<Which> {
        let joined = self.skip_commas(at, &[Mark::And, Mark::To]);
        let joined = joined + usize::from(self.text(joined) == "-");
        let joined = joined + self.or(joined);
        let next = self.skip(joined, &[Mark::The, Mark::On]);
        let (end, later, _) = self.weekday(next).filter(|_| joined > at)?;
        if later.to_monday_zero_offset() <= weekday.to_monday_zero_offset() {
            return None;
        }
        let of = self.skip(end, &[Mark::Of, Mark::In, Mark::The]);
        self.which_unit(of, Unit::Week).map(|(_, which)| which).or_else(|| self.week_of_later(end, later))
    }

    /// How many pieces say "or" here.
    fn or(&self, at: usize) -> usize {
        let Some(piece) = self.pieces.get(at) else { return 0 };
        let no = self.said.words.partition_point(|word| word.span.end <= piece.span.start);
        let mut langs = self.cx.lang.and_english();
        langs.find_map(|lang| lang.sentence.or.at(self.said, no)).map_or(0, |(len, ())| len)
    }

    /// "next week Sunday", "this week on Monday".
    fn week_then_day(&self, at: usize) -> Option<Day> {
        let (end, which) = self.which_unit(at, Unit::Week)?;
        // "Last week's Friday."
        let end = end + if self.text(end) == "'" && self.glued(end) && self.text(end + 1) == "s" { 2 } else { 0 };
        let next = self.skip_commas(end, &[Mark::On, Mark::The, Mark::From]);
        let next = next + usize::from(self.text(next) == "-");
        let (end, weekday, _) = self.weekday(next)?;
        Day::one(end, self.in_week(weekday, which)?, Strength::Typed)
    }

    /// "three Fridays from now", "the fourth Friday from now".
    fn counted_weekdays(&self, at: usize, anchor: Anchor) -> Option<Day> {
        // "The fourth Friday from now".
        let (after, n) = self.cardinal(at).filter(|_| self.ordinal(at).is_none()).or_else(|| self.ordinal(at))?;
        let many = |term| match term {
            Term::Weekdays(no) | Term::Weekday(no) => Weekday::from_monday_one_offset(no).ok(),
            _ => None,
        };
        let (after, weekday) = self.pick(after, many)?;
        let n = i32::try_from(n).ok()?;
        let day = |n: i32| anchor.day.nth_weekday(n, weekday).ok();
        if let Some(end) = self.mark(after, Mark::Later) {
            return Day::one(end, day(n)?, Strength::Typed);
        }
        Day::one(self.mark(after, Mark::Ago)?, day(-n)?, Strength::Typed)
    }

    /// From today, to come; in a range that lies back, gone by.
    pub(crate) fn ahead(&self) -> Anchor {
        Anchor { day: self.today(), prefer: self.side() }
    }

    fn that_weekday(&self, weekday: Weekday, which: Which, anchor: Anchor) -> Option<Date> {
        let today = self.today();
        match which {
            Which::Coming => today.nth_weekday(1, weekday).ok(),
            Which::Next if self.cx.lang.date.next_is_coming => today.nth_weekday(1, weekday).ok(),
            Which::Next => self.in_week(weekday, Which::Next),
            Which::Last => today.nth_weekday(-1, weekday).ok(),
            Which::AfterNext => today.nth_weekday(2, weekday).ok(),
            Which::BeforeLast => today.nth_weekday(-2, weekday).ok(),
            Which::This if today.weekday() == weekday => Some(today),
            Which::This if anchor.prefer == Prefer::Past => self.in_week(weekday, Which::This),
            Which::This => today.nth_weekday(1, weekday).ok(),
        }
    }

    fn in_week(&self, weekday: Weekday, which: Which) -> Option<Date> {
        let monday = self.week(which)?;
        monday.checked_add(Span::new().days(weekday.to_monday_zero_offset())).ok()
    }

    /// The Monday of a week.
    pub(crate) fn week(&self, which: Which) -> Option<Date> {
        let today = self.today();
        let weeks = match which {
            Which::This => 0,
            Which::Next | Which::Coming => 7,
            Which::Last => -7,
            Which::AfterNext => 14,
            Which::BeforeLast => -14,
        };
        today.checked_add(Span::new().days(weeks - i32::from(today.weekday().to_monday_zero_offset()))).ok()
    }
}

/// The nearest such day that is not the anchor itself.
fn near(weekday: Weekday, anchor: Anchor) -> Option<Date> {
    anchor.day.nth_weekday(if anchor.prefer == Prefer::Past { -1 } else { 1 }, weekday).ok()
}
