//! Day phrases: "tomorrow", "3 May", "in 3 days", "first Monday of June", "Christmas".

use formwright_lexicon::dates::{Holiday, Mark, Part, Term};
use formwright_text::Class;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use crate::when::bound::Prefer;
use crate::when::{Anchor, Hit, Line, Strength, feast};

/// A day phrase that was read.
#[derive(Clone, Debug)]
pub(crate) struct Day {
    /// The piece behind it.
    pub end: usize,
    /// One; two where day and month may be swapped; none where there is no such day.
    pub dates: Vec<Date>,
    pub strength: Strength,
    /// The part of the day that the phrase names ("tonight").
    pub part: Option<Part>,
    /// The name of a day of the week and nothing more.
    pub weekday: bool,
    /// Names a month.
    pub named: bool,
    /// The year was not said.
    pub open_year: bool,
}

/// Days that a day of the week with its number may lie back where the next such is further away than [`FAR_AHEAD`] days.
const JUST_PAST: i32 = 10;
const FAR_AHEAD: i32 = 31;
/// Days from today whose names in the week people have before them.
const KNOWN: i32 = 60;

impl Day {
    pub(crate) fn new(end: usize, dates: Vec<Date>, strength: Strength) -> Self {
        Self { end, dates, strength, part: None, weekday: false, named: false, open_year: false }
    }

    #[expect(clippy::unnecessary_wraps, reason = "ends every reading of a phrase")]
    pub(crate) fn one(end: usize, date: Date, strength: Strength) -> Option<Self> {
        Some(Self::new(end, vec![date], strength))
    }

    /// The words name a day that no calendar has.
    pub(crate) fn unreal(end: usize) -> Self {
        Self::new(end, Vec::new(), Strength::Typed)
    }
}

impl Line<'_> {
    /// Reads every day phrase, left to right.
    pub fn days(&self, prefer: Prefer) -> Vec<Hit<Date>> {
        let anchor = Anchor { day: self.today(), prefer };
        let mut hits = Vec::new();
        let mut at = if self.speaks_of_time() { 0 } else { self.len() };
        while at < self.len() {
            match self.day_said(at, anchor).filter(|_| !self.is_inside(at)) {
                Some(day) => {
                    let end = self.past_own_weekday(&day);
                    for shared in self.sharing_month(at, &day) {
                        hits.retain(|hit: &Hit<Date>| hit.pieces.end <= shared.pieces.start);
                        hits.push(shared);
                    }
                    hits.push(Hit { pieces: at..day.end, values: day.dates, strength: day.strength });
                    at = end.max(at + 1);
                }
                None => at = self.past_part(at),
            }
        }
        hits
    }

    /// The days in front of one that names their month, left to right: "24, 28 and 29 December" are three.
    fn sharing_month(&self, at: usize, last: &Day) -> Vec<Hit<Date>> {
        let mut hits = Vec::new();
        if !last.named {
            return hits;
        }
        let numbered = |from: usize, end: usize| self.month_day(from).filter(|(to, ..)| *to <= end);
        let number = self.skip(at, &[Mark::The, Mark::On]);
        let ([date], Some((_, mut later, _))) = (last.dates.as_slice(), numbered(number, last.end)) else {
            return hits;
        };
        let mut next = number;
        loop {
            let comma = |from: usize| (!hits.is_empty() && matches!(self.text(from), "," | "،")).then_some(from + 1);
            let joins = |from: usize| {
                let behind = self.mark(from, Mark::And).or_else(|| comma(from));
                behind.is_some_and(|behind| self.skip(behind, &[Mark::The, Mark::On]) == next)
            };
            let Some(join) = (next.saturating_sub(3)..next).find(|from| joins(*from)) else { break };
            let ends = |from: usize| Some((from, numbered(from, join).filter(|(end, ..)| *end == join)?.1));
            let Some((start, day)) = (join.saturating_sub(3)..join).find_map(ends) else { break };
            let other = self.follows(start, &[Mark::At, Mark::For, Mark::From, Mark::Between]) || self.is_inside(start);
            let shared = i8::try_from(day).ok().filter(|_| day < later && !other);
            let Some(shared) = shared.and_then(|day| Date::new(date.year(), date.month(), day).ok()) else { break };
            hits.insert(0, Hit { pieces: start..join, values: vec![shared], strength: last.strength });
            (next, later) = (start, day);
        }
        hits
    }

    /// The piece behind a day and the name it has in its week: "August 16, 2018 on Thursday"; a bare number has none, "for 6
    /// Sunday" is two of a kind.
    fn past_own_weekday(&self, day: &Day) -> usize {
        if day.strength == Strength::Weak {
            return day.end;
        }
        let next = self.skip_commas(day.end, &[Mark::On, Mark::The]);
        let next = next + usize::from(self.text(next) == "(");
        let own = self.weekday(next).filter(|(_, weekday, _)| {
            !day.weekday && matches!(day.dates.as_slice(), [date] if date.weekday() == *weekday)
        });
        own.map_or(day.end, |(end, ..)| end)
    }

    /// Reads a day phrase: the longest that begins here.
    pub(crate) fn day(&self, at: usize, anchor: Anchor) -> Option<Day> {
        if !self.may_begin_day(at) {
            return None;
        }
        let readings = [
            self.numeric(at, anchor),
            self.month_phrase(at, anchor),
            self.day_and_month(at, anchor),
            self.weekday_and_day(at, anchor),
            self.week_day(at, anchor),
            self.relative(at),
            self.reckoned(at, anchor),
            self.feast(at, anchor),
            self.nth(at, anchor),
        ];
        let longest = |a: Day, b: Day| if (b.end, b.strength) > (a.end, a.strength) { b } else { a };
        let day = readings.into_iter().flatten().reduce(longest)?;
        (!self.runs_on(day.end)).then_some(day)
    }

    /// Digits, number words, and words that may lead a day phrase.
    fn may_begin_day(&self, at: usize) -> bool {
        use Mark::{
            AfterNext, AgoBefore, BeforeLast, Closest, Coming, DayAfter, DayBefore, End, In, Last, Middle, Next, Start,
            The, This,
        };
        let Some(piece) = self.pieces.get(at) else { return false };
        let leads = |term: &Term| match term {
            Term::Mark(mark) => {
                matches!(
                    mark,
                    This | Next
                        | Coming
                        | Last
                        | AfterNext
                        | BeforeLast
                        | In
                        | AgoBefore
                        | End
                        | Start
                        | Middle
                        | The
                        | Closest
                        | DayAfter
                        | DayBefore
                )
            }
            Term::Part(_) | Term::Clock(_) | Term::BeforeHour(_) | Term::AfterHour(_) | Term::Letter(_) => false,
            _ => true,
        };
        piece.class == Class::Digits || piece.atom.is_some() || piece.terms.iter().any(|(_, term)| leads(term))
    }

    /// Whether a piece is the middle of a word or number ("e-mail", "v1.2").
    pub(crate) fn is_inside(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        // The sign of an amount: "$ 12", but "20€ 3 May".
        if matches!(self.text(before), "$" | "€" | "£") && self.class(at) == Some(Class::Digits) {
            let behind = before.checked_sub(1).and_then(|at| self.class(at)) == Some(Class::Digits);
            return !(behind && self.glued(before));
        }
        if !self.glued(at) {
            return false;
        }
        match self.class(before) {
            Some(Class::Mark) if matches!(self.text(before), "-" | "." | "/" | ":" | "," | "+") => {
                self.glued(before)
                    && match (before.checked_sub(1).and_then(|at| self.class(at)), self.class(at)) {
                        (Some(Class::Digits), Some(Class::Digits)) => true,
                        (Some(Class::Letters), Some(Class::Letters)) => self.text(before) == "-",
                        _ => false,
                    }
            }
            Some(Class::Mark) => self.text(before) == "#",
            Some(Class::Letters) => true,
            _ => self.class(at) == Some(Class::Digits),
        }
    }

    /// Whether a word goes on behind its end.
    fn runs_on(&self, end: usize) -> bool {
        self.glued(end)
            && matches!(self.class(end), Some(Class::Letters))
            && self.class(end - 1) == Some(Class::Digits)
            && self.text(end) != "t"
    }

    /// "3 May", "the 3rd of May 2027", "May 3rd", "31-Oct-74", "2009 May 22nd".
    pub(crate) fn day_and_month(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let with_month = self.day_then_month(at, anchor).or_else(|| self.month_then_day(at, anchor));
        with_month.or_else(|| self.year_then_day(at))
    }

    fn day_then_month(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (end, day, ordinal) = self.month_day(at)?;
        let digits = self.class(at) == Some(Class::Digits);
        if !ordinal && !digits && !self.cx.lang.date.cardinal_days {
            return None;
        }
        let after = self.skip_commas(end, &[Mark::Of, Mark::The, Mark::In]);
        let after = after + usize::from(matches!(self.text(after), "-" | "/" | ".") && digits);
        let (end, month) = self.month(after)?;
        Some(self.with_year(end, month, day, anchor))
    }

    fn month_then_day(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (end, month) = self.month(at)?;
        let next = end + usize::from(matches!(self.text(end), "-" | "/" | ","));
        let (end, day, ordinal) = self.month_day(self.skip_commas(next, &[Mark::The]))?;
        (ordinal || !self.is_other_number(end)).then(|| self.with_year(end, month, day, anchor))
    }

    /// Whether the number before is of something else: "10:30", "10 pm", "5 miles".
    pub(crate) fn is_other_number(&self, end: usize) -> bool {
        let clock = matches!(self.text(end), ":" | "%") && self.glued(end);
        clock
            || (matches!(self.text(end), "." | "h")
                && self.glued(end)
                && self.glued(end + 1)
                && self.digits(end + 1).is_some())
            || self.is_clock_word(end)
            || self.pick(end, |term| matches!(term, Term::Unit(_)).then_some(())).is_some()
    }

    /// The year behind day and month, else the nearest.
    fn with_year(&self, end: usize, month: i8, day: u32, anchor: Anchor) -> Day {
        let day = i8::try_from(day).unwrap_or(0);
        let glued = matches!(self.text(end), "-" | "/") && self.glued(end) && self.glued(end + 1);
        // "31-Oct-74", but "Aug 3-14" are days of August.
        let after_month = end.checked_sub(1).is_some_and(|at| self.class(at) == Some(Class::Letters));
        let short = self.digits(end + 1).filter(|(_, len)| glued && after_month && *len == 2);
        let next = if glued { end + 1 } else { self.skip_commas(end, &[Mark::Of, Mark::In]) };
        let year = match short {
            Some((n, _)) => Some((end + 2, self.short_year(n))),
            None => self.year_said(next).or_else(|| self.year_in_short(end, next, anchor)),
        };
        let named = |day| Day { named: true, ..day };
        if let Some((end, year)) = year {
            let short = short.is_some() || self.digits(end - 1).is_some_and(|(_, len)| len == 2);
            let date = Date::new(year, month, day).ok().map(|date| self.gone_by(date, short, anchor));
            let dates: Vec<Date> = date.into_iter().collect();
            return named(if dates.is_empty() { Day::unreal(end) } else { Day::new(end, dates, Strength::Typed) });
        }
        let nearest = anchor.nearest(|year| Date::new(year, month, day).ok());
        let day = nearest.map_or_else(|| Day::unreal(end), |date| Day::new(end, vec![date], Strength::Typed));
        Day { open_year: true, ..named(day) }
    }

    /// A month's name, with the dot of a short form.
    pub(crate) fn month(&self, at: usize) -> Option<(usize, i8)> {
        let (end, month) = self.pick(at, |term| if let Term::Month(no) = term { Some(no) } else { None })?;
        // "أيار/مايو": two names of one month.
        let other = self.pick(end + 1, |term| (term == Term::Month(month)).then_some(()));
        if let Some((end, ())) = other.filter(|_| self.text(end) == "/") {
            return Some((end, month));
        }
        Some((end + usize::from(self.text(end) == "." && self.glued(end)), month))
    }

    /// "Friday, 3 May", "this Friday 5/12", "Friday the 22nd", "Sat 14th". The day of the month counts.
    fn weekday_and_day(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let at = self.which(at).map_or(at, |(end, _)| end);
        let (end, weekday, _) = self.weekday(at)?;
        let next = self.skip_commas(end, &[Mark::The, Mark::On]);
        let next = next + usize::from(matches!(self.text(next), "-" | "("));
        let digits = self.numeric(next, anchor).filter(|day| !self.is_rather_a_time(next, day, weekday));
        if let Some(mut day) = digits.or_else(|| self.day_and_month(next, anchor)) {
            self.agree(&mut day, weekday, anchor);
            return Some(Day { strength: Strength::Typed, ..day });
        }
        // "الأحد في الثامنة" has an hour.
        let hour = self.pick(next, |term| matches!(term, Term::Hour(_)).then_some(())).is_some();
        let (end, n, ordinal) = self.month_day(next).filter(|_| !hour)?;
        // "Thursday for 7" counts people, "Monday 9 in the evening" is an hour.
        let counts = self.follows(next, &[Mark::For]);
        let of = self.skip(end, &[Mark::Of]) != end && self.part_behind(end) == end;
        let plain = !counts && (n > 12 || self.ends_cardinal_day(end) || of);
        if !ordinal && (!plain || self.is_other_number(end)) {
            return None;
        }
        let numbered = |date: &Date| date.day() == i8::try_from(n).unwrap_or(0);
        let days = |step: i32, most: i32| (0..most).filter_map(move |n| anchor.day.checked_add((step * n).days()).ok());
        let nearest = |step, most| days(step, most).find(|date| numbered(date) && date.weekday() == weekday);
        let ahead = nearest(if anchor.prefer == Prefer::Past { -1 } else { 1 }, 1500)?;
        // "Friday the 22nd" on the 27th is not one months away; far off, name and number are of two days.
        let far = (ahead - anchor.day).get_days();
        let just_past = nearest(-1, JUST_PAST).filter(|_| far > FAR_AHEAD);
        let mut day = Day::one(end, just_past.unwrap_or(ahead), Strength::Typed)?;
        if just_past.is_none() && anchor.prefer != Prefer::Past && far > KNOWN {
            day.dates = days(1, 2 * FAR_AHEAD).find(numbered).into_iter().collect();
            self.agree(&mut day, weekday, anchor);
        }
        Some(day)
    }

    /// Whether a day in digits behind that of the week is a time: the "9.30" and "9.10" of "Friday 9.30".
    fn is_rather_a_time(&self, at: usize, day: &Day, weekday: Weekday) -> bool {
        let minutes = self.digits(at + 2).is_some_and(|(n, len)| len == 2 && n < 60);
        let hour = self.digits(at).is_some_and(|(hour, _)| hour < 24);
        let clock = self.text(at + 1) == "." && day.end == at + 3 && minutes && hour;
        clock && day.dates.iter().all(|date| date.weekday() != weekday)
    }

    /// "Saturday 5/12", "Friday, June 15": of the days that may be meant, the one with that name, in the year nearest to
    /// now where none is said and that is near. Where name and number are of two days, either may be meant.
    fn agree(&self, day: &mut Day, weekday: Weekday, anchor: Anchor) {
        let same = |date: &Date| date.weekday() == weekday;
        if day.dates.iter().any(same) {
            if day.dates.iter().filter(|date| same(date)).count() == 1 {
                day.dates.retain(same);
            }
            return;
        }
        let beside = |date: &Date| {
            let (year, month, day) = (date.year(), date.month(), date.day());
            [-1, 1].into_iter().filter_map(move |n: i16| Date::new(year.checked_add(n)?, month, day).ok())
        };
        let far = |date: &Date| (*date - self.today()).get_days().abs();
        let days = day.dates.iter().flat_map(beside).filter(|date| same(date) && far(date) <= 366);
        let near = |date: Date| {
            let near = [1, -1].into_iter().filter_map(|n| date.nth_weekday(n, weekday).ok());
            near.min_by_key(|near| (*near - date).get_days().abs())
        };
        match (days.min_by_key(far).filter(|_| day.open_year), &day.dates[..]) {
            (Some(date), _) if anchor.allows(date) || far(&date) <= JUST_PAST => day.dates = vec![date],
            // Who names a day that is near, or its year, knows the days around it; of one far off, the number counts.
            (_, [date]) if day.open_year && far(date) > KNOWN => {}
            // A day of last year is hardly meant where one is to come.
            (Some(date), _) => day.dates.push(date),
            (None, [date]) => day.dates.extend(near(*date)),
            (None, _) => {}
        }
    }
}

impl Anchor {
    pub(crate) fn allows(self, date: Date) -> bool {
        if self.prefer == Prefer::Past { date <= self.day } else { date >= self.day }
    }

    /// The nearest year on the preferred side that has such a day.
    pub(crate) fn nearest(self, in_year: impl Fn(i16) -> Option<Date>) -> Option<Date> {
        let step = if self.prefer == Prefer::Past { -1 } else { 1 };
        let years = (0..9).filter_map(|n: i16| self.day.year().checked_add(step * n));
        years.filter_map(in_year).find(|date| self.allows(*date))
    }

    /// The nearest day of a feast on the preferred side; some come twice in a year, and some years have none that is known.
    pub(crate) fn nearest_feast(self, feast: Holiday) -> Option<Date> {
        let past = self.prefer == Prefer::Past;
        let mut years = (0..9).filter_map(|n: i16| self.day.year().checked_add(if past { -n } else { n }));
        let allowed = |year| feast::in_year(feast, year).into_iter().filter(|date| self.allows(*date));
        years.find_map(|year| if past { allowed(year).max() } else { allowed(year).min() })
    }
}
