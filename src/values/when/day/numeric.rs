//! Days in digits: `2026-12-31`, `31/12/2026`, `12/31`, `31.12.26`, `20261231`, `31121971`.

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_text::Class;
use jiff::civil::Date;

use super::calendar::Day;
use crate::when::bound::Prefer;
use crate::when::{Anchor, Line, Strength};

/// Regions that write the month before the day.
const MONTH_FIRST: [&str; 19] =
    ["US", "AS", "GU", "MP", "PR", "UM", "VI", "FM", "MH", "PW", "PH", "BZ", "JP", "KR", "KP", "CN", "TW", "HU", "LT"];

/// Regions that write both.
const MIXED: [&str; 3] = ["CA", "KE", "ZA"];

/// The order in which day and month are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    DayFirst,
    MonthFirst,
    Unknown,
}

/// Whether a region writes the month before the day.
pub(crate) fn month_first(region: Option<&str>) -> bool {
    region.is_some_and(|region| MONTH_FIRST.iter().any(|other| other.eq_ignore_ascii_case(region)))
}

impl Line<'_> {
    fn order(&self) -> Order {
        let is_in = |list: &[&str]| {
            self.cx.region.is_some_and(|region| list.iter().any(|other| other.eq_ignore_ascii_case(region)))
        };
        if month_first(self.cx.region) {
            Order::MonthFirst
        } else if self.cx.lang.date.day_first || (self.cx.region.is_some() && !is_in(&MIXED)) {
            Order::DayFirst
        } else {
            Order::Unknown
        }
    }

    /// Reads a day in digits.
    pub(crate) fn numeric(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (first, len) = self.digits(at)?;
        if self.is_inside(at) && len <= 2 && !matches!(self.text(at - 1), "-" | "/") {
            return None;
        }
        if len == 8 {
            return run_together(at, first).or_else(|| self.run_together_back(at, first, anchor));
        }
        let apart = self.with_year_apart(at, (first, len), anchor);
        if let Some(day) = apart.or_else(|| self.all_without_year(at, (first, len), anchor)) {
            return Some(day);
        }
        let mark = self.text(at + 1);
        let spaced = mark == "." && self.digits(at + 2).is_some();
        let joined = self.glued(at + 1) && (self.glued(at + 2) || spaced);
        let (second, second_len) = self.digits(at + 2).filter(|(_, len)| joined && *len <= 2)?;
        if !matches!(mark, "-" | "/" | ".") {
            return None;
        }
        let third = self.digits(at + 4).filter(|_| self.text(at + 3) == mark && self.glued(at + 3));
        let third = third.filter(|(_, len)| self.glued(at + 4) || spaced && *len == 4);
        if mark == "." && third.is_none_or(|(_, len)| len < 4) && self.is_serial(at) {
            return None;
        }
        match third {
            Some((third, third_len)) if !self.goes_on(at + 5, mark) => {
                self.with_year_digits(at..at + 5, [(first, len), (second, second_len), (third, third_len)], anchor)
            }
            None if len <= 2 && self.glued(at + 2) => self.without_year(at, first, second, anchor),
            _ => None,
        }
    }

    /// Whether numbers with dots are those of a version or a chapter: "version 1.1.30", "section 3.1.20".
    fn is_serial(&self, at: usize) -> bool {
        const LONGEST: usize = 2;
        let no = self.word_at(at);
        let marked = |no: &usize| matches!(self.said.word(*no), ":" | "." | "#");
        let end = (0..no).rev().find(|no| !marked(no)).map_or(0, |before| before + 1);
        let ends = |from: usize, lang: &Language| {
            lang.naming.numbered.at(self.said, from).is_some_and(|(len, ())| from + len == end)
        };
        (end.saturating_sub(LONGEST)..end).any(|from| self.cx.lang.and_english().any(|lang| ends(from, lang)))
    }

    /// "23/11 1961", "23 11 1961", "12/08, 2015": a year behind a space. Two digits are one where days lie back, or where
    /// nothing else is said: "20 02 14".
    fn with_year_apart(&self, at: usize, first: (u32, usize), anchor: Anchor) -> Option<Day> {
        let marked = matches!(self.text(at + 1), "-" | "/" | ".") && self.glued(at + 1) && self.glued(at + 2);
        let next = if marked { at + 2 } else { at + 1 };
        let second = self.digits(next).filter(|(_, len)| *len <= 2 && (marked || !self.glued(next)))?;
        let dot = marked && self.cx.lang.date.dot_ordinals && self.text(next + 1) == "." && self.glued(next + 1);
        let behind = next + 1 + usize::from(dot);
        let year_at = if marked { self.skip_commas(behind, &[Mark::Of, Mark::In]) } else { behind };
        let short = || anchor.prefer == Prefer::Past || !marked && self.is_whole(at..year_at + 1);
        let is_year = |n: u32, len: usize| {
            len == 4 && (1900..2100).contains(&n) || len == 2 && year_at == next + 1 && !self.glued(year_at) && short()
        };
        let year = self.digits(year_at).filter(|(n, len)| is_year(*n, *len))?;
        let glued = self.glued(year_at) && !matches!(self.text(year_at - 1), "," | "،");
        if first.1 > 2 || glued || self.glued(year_at + 1) && self.class(year_at + 1) != Some(Class::Mark) {
            return None;
        }
        let day = self.with_year_digits(at..year_at + 1, [first, second, year], anchor)?;
        let strength = if marked { Strength::Typed } else { Strength::Weak };
        (!day.dates.is_empty()).then_some(Day { strength, ..day })
    }

    /// "31 10" where nothing else is said.
    fn all_without_year(&self, at: usize, (a, a_len): (u32, usize), anchor: Anchor) -> Option<Day> {
        let (b, b_len) = self.digits(at + 1).filter(|_| !self.glued(at + 1))?;
        if a_len > 2 || b_len > 2 || a_len + b_len < 3 || !self.is_whole(at..at + 2) {
            return None;
        }
        let dates = swaps(a, b, self.order(), |month, day| nearest(month, day, anchor));
        (!dates.is_empty()).then(|| Day { open_year: true, ..Day::new(at + 2, dates, Strength::Weak) })
    }

    /// `25051971`, where days lie back.
    fn run_together_back(&self, at: usize, n: u32, anchor: Anchor) -> Option<Day> {
        let year = i16::try_from(n % 10_000).ok().filter(|year| (1900..2100).contains(year))?;
        let real = |month: u32, day: u32| Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok();
        let dates = swaps(n / 1_000_000, n / 10_000 % 100, self.order(), real);
        let back = anchor.prefer == Prefer::Past && !dates.is_empty();
        back.then(|| Day::new(at + 1, dates, Strength::Weak))
    }

    /// Whether digits go on behind a mark, as in a version or a phone number.
    fn goes_on(&self, end: usize, mark: &str) -> bool {
        let text = self.text(end);
        self.glued(end)
            && (text == mark || matches!(text, "." | ","))
            && self.glued(end + 1)
            && self.digits(end + 1).is_some()
    }

    fn with_year_digits(&self, of: Range<usize>, parts: [(u32, usize); 3], anchor: Anchor) -> Option<Day> {
        let [(a, a_len), (b, _), (c, c_len)] = parts;
        let Range { start: at, end } = of;
        let real =
            |year: i16, month: u32, day: u32| Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok();
        if a_len == 4 {
            let dates: Vec<Date> = real(i16::try_from(a).ok()?, b, c).into_iter().collect();
            return (c_len <= 2).then(|| Day::new(end, dates, Strength::Typed));
        }
        if a_len > 2 || !(c_len == 4 || c_len == 2) {
            return None;
        }
        let year = match c_len {
            4 => i16::try_from(c).ok()?,
            _ => self.short_year(c),
        };
        let dotted = self.text(at + 1) == ".";
        let order = if dotted && self.order() == Order::Unknown { Order::DayFirst } else { self.order() };
        let real_in = |month, day| Some(self.gone_by(real(year, month, day)?, c_len == 2, anchor));
        if c_len == 2 && (a > 31 || b > 31) {
            return None;
        }
        Some(Day::new(end, swaps(a, b, order, real_in), Strength::Typed))
    }

    fn without_year(&self, at: usize, a: u32, b: u32, anchor: Anchor) -> Option<Day> {
        let mark = self.text(at + 1);
        let end = at + 3;
        if (a, b) == (24, 7) || a == 0 || b == 0 || a.max(b) > 31 || a.min(b) > 12 || self.goes_on(end, mark) {
            return None;
        }
        let meridiem = self.is_clock_word(end);
        let unit = |term| matches!(term, Term::Unit(_) | Term::Letter(_) | Term::Month(_)).then_some(());
        if meridiem || self.pick(end, unit).is_some() || self.text(end) == "%" {
            return None;
        }
        // Who writes a dot writes the day first: "9.30" is a time.
        let order = if mark == "." && self.order() == Order::Unknown { Order::DayFirst } else { self.order() };
        let led = self.follows(at, &[Mark::On, Mark::The, Mark::In, Mark::From, Mark::To]);
        if mark == "." && order == Order::DayFirst && b > 12 && !led {
            return None;
        }
        let closed = self.cx.lang.date.dot_ordinals && self.text(end) == "." && self.glued(end) && mark == ".";
        let announced = self.follows(at, &[Mark::On, Mark::The, Mark::From, Mark::To]);
        let sure = mark == "/" || closed || announced && (mark == "." || self.class(end) != Some(Class::Letters));
        let strength = if sure { Strength::Typed } else { Strength::Weak };
        let day =
            Day::new(end + usize::from(closed), swaps(a, b, order, |month, day| nearest(month, day, anchor)), strength);
        Some(Day { open_year: true, ..day })
    }
}

/// A day of a month in the year nearest to now.
fn nearest(month: u32, day: u32, anchor: Anchor) -> Option<Date> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    anchor.nearest(|year| Date::new(year, month, day).ok())
}

/// `20261231`.
fn run_together(at: usize, n: u32) -> Option<Day> {
    let year = i16::try_from(n / 10_000).ok().filter(|year| (1900..2100).contains(year))?;
    let (month, day) = (i8::try_from(n / 100 % 100).ok()?, i8::try_from(n % 100).ok()?);
    Day::one(at + 1, Date::new(year, month, day).ok()?, Strength::Weak)
}

/// The days that two numbers may mean: one where the order or the numbers settle it, else both.
fn swaps(a: u32, b: u32, order: Order, real: impl Fn(u32, u32) -> Option<Date>) -> Vec<Date> {
    let day_first = (b <= 12).then(|| real(b, a)).flatten();
    let month_first = (a <= 12).then(|| real(a, b)).flatten();
    let (likely, other) = match order {
        Order::DayFirst => (day_first, month_first),
        Order::MonthFirst | Order::Unknown => (month_first, day_first),
    };
    match (likely, other, order) {
        (Some(one), Some(two), Order::Unknown) if one != two => vec![one, two],
        (Some(one), ..) => vec![one],
        // 30/02 is no 2 of a thirtieth month, but 12/31 where the day comes first is December.
        (None, Some(two), _) => vec![two],
        (None, None, _) => Vec::new(),
    }
}
