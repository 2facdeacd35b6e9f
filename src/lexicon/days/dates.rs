//! `[date]`: how days, times and lengths of time are said.

use std::collections::BTreeMap;

use formwright_text::Said;
use jiff::civil;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::Deserialize;

pub use super::holiday::Holiday;
pub use super::length::Length;
use super::modal::Modal;
pub use super::part::Part;
use super::past::Past;
use super::shown::Show;
use crate::by_word::ByWord;
use crate::phrases::Phrases;

/// How days, times and lengths of time are said: tables of words and the rules that differ between languages.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Section")]
pub struct DateWords {
    /// Where the region is not known, 02/03 is 2 March; otherwise it is ambiguous.
    pub day_first: bool,
    /// Hours from 1 to 11 written with minutes (5:30) may be in the morning or in the afternoon.
    pub clock12: bool,
    /// A number word may be a day without being an ordinal ("tre maggio").
    pub cardinal_days: bool,
    /// "next Friday" is the coming Friday rather than that of next week.
    pub next_is_coming: bool,
    /// "next" and "last" may follow the day ("lunedì prossimo").
    pub which_after: bool,
    /// A place in a row follows what it counts: "الجمعة الأولى", "اليوم الخامس".
    pub nth_after: bool,
    /// A number with a dot is an ordinal ("3. Mai").
    pub dot_ordinals: bool,
    /// Names of months that are verbs as well.
    pub modal: Modal,
    /// What tells of days gone by.
    pub past: Past,
    /// How values are shown.
    pub show: Show,
    /// Names of the months as shown, January first.
    pub months: Vec<String>,
    /// Names of the days as shown, Monday first.
    pub weekdays: Vec<String>,
    /// Words for units of time. Those of days are joined by those of nights.
    counted: Vec<(Unit, Vec<String>)>,
    /// Meals, each with the part of the day it is eaten in.
    pub meals: Phrases<Part>,
    /// By first word.
    terms: ByWord<Vec<Phrase>>,
}

impl DateWords {
    /// All words for the unit of time that a word names: "nights" of "days".
    pub fn counted_like(&self, word: &str) -> &[String] {
        self.counted(word).map_or(&[], |(_, like)| like.as_slice())
    }

    /// The unit of time that a word counts, and all words for it; nights are days.
    pub fn counted(&self, word: &str) -> Option<&(Unit, Vec<String>)> {
        self.counted.iter().find(|(_, like)| like.iter().any(|known| known == word))
    }

    /// Terms that begin with a word, each with the words that must follow; the longest first.
    pub fn beginning(&self, word: &str) -> &[Phrase] {
        self.terms.get(word).map_or(&[], Vec::as_slice)
    }

    /// [`Self::beginning`] with a word of a message.
    #[inline]
    pub fn beginning_at(&self, said: &Said, no: usize) -> &[Phrase] {
        self.terms.get_named(said.plain_name(no), said.plain(no)).map_or(&[], Vec::as_slice)
    }
}

/// A phrase of the table, without its first word.
#[derive(Debug)]
pub struct Phrase {
    /// Its words after the first.
    pub rest: Box<[Box<str>]>,
    /// What it means.
    pub term: Term,
}

/// What a word or phrase can mean in a day, time or length of time. A word may have several meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// So many days from today.
    Day(i32),
    /// A part of a day so many days from today ("tonight").
    DayPart(i32, Part),
    /// Day of the week, Monday is 1.
    Weekday(i8),
    /// The same, short enough to be another word ("sat").
    WeekdayShort(i8),
    /// Several of them ("fridays").
    Weekdays(i8),
    /// January is 1.
    Month(i8),
    /// A unit.
    Unit(Unit),
    /// A unit, but only right behind digits ("h").
    Letter(Unit),
    /// A whole length ("fortnight").
    Length(Length),
    /// How many, in thousandths ("a couple of").
    Count(i64),
    /// A part of the day.
    Part(Part),
    /// A time with a name ("noon").
    Clock(civil::Time),
    /// Minutes that the hour behind is shifted by ("half past" 30, "quarter to" -15).
    BeforeHour(i16),
    /// Minutes that the hour before is shifted by ("e mezza" 30).
    AfterHour(i16),
    /// An hour with a name of its own.
    Hour(i8),
    /// A feast.
    Holiday(Holiday),
    /// A small word of the grammar.
    Mark(Mark),
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// 60 to the minute.
    Second,
    /// 60 to the hour.
    Minute,
    /// 24 to the day.
    Hour,
    /// A calendar day.
    Day,
    /// Seven days.
    Week,
    /// A calendar month.
    Month,
    /// A calendar year.
    Year,
}

/// A small word of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Of the week, month or year after this one.
    Next,
    /// The very next.
    Coming,
    /// Of this week, month or year.
    This,
    /// The one before.
    Last,
    /// The one after the next.
    AfterNext,
    /// The one before the last.
    BeforeLast,
    /// Before a length: from now on.
    In,
    /// After a length: before now.
    Ago,
    /// Before a length: before now.
    AgoBefore,
    /// After a length: from now on.
    Later,
    /// After "in" and a length, without meaning ("time").
    Time,
    /// Between a length and a day: so long after it.
    After,
    /// Between a length and a day: so long before it.
    Before,
    /// Before a day.
    On,
    /// Before a time.
    At,
    /// Before or after a time: about.
    Around,
    /// An article.
    The,
    /// Joins a day to its month, a month to its year.
    Of,
    /// The last of.
    End,
    /// The first of.
    Start,
    /// The middle of.
    Middle,
    /// Begins a range.
    From,
    /// Begins a range ended by "and".
    Between,
    /// Joins the ends of a range.
    To,
    /// Before a length: how long.
    For,
    /// Joins.
    And,
    /// Half of the unit before more.
    AndHalf,
    /// Between minutes and the hour they follow.
    Past,
    /// Between minutes and the hour they precede.
    Till,
    /// Between an hour and the minutes that follow it.
    Plus,
    /// Between an hour and the minutes that precede it.
    Minus,
    /// Before noon.
    Am,
    /// After noon.
    Pm,
    /// After a full hour; minutes may follow.
    OClock,
    /// Behind digits makes an ordinal.
    Ordinal,
    /// Saturday and Sunday.
    Weekend,
    /// This very moment.
    Now,
    /// Joins a time to its part of the day.
    InThe,
    /// Of several days of a name, the one nearest to a day.
    Closest,
    /// Behind a day: a week after it ("lundi en huit").
    WeekOn,
    /// Behind a day: two weeks after it.
    FortnightOn,
    /// The day that was spoken of.
    SameDay,
    /// The day after the one spoken of.
    DayAfter,
    /// The day before the one spoken of.
    DayBefore,
    /// A week after the day spoken of.
    WeekAfter,
    /// A week before the day spoken of.
    WeekBefore,
    /// After a length: so long after the day spoken of.
    AfterThat,
    /// After a length: so long before the day spoken of.
    BeforeThat,
    /// After a length: so long after the day spoken of or the one that stands.
    LaterOn,
    /// After a length: so long before the day spoken of or the one that stands.
    EarlierOn,
    /// After a length: what stands lasts so much longer.
    Longer,
    /// After a length: what stands lasts so much shorter.
    Shorter,
    /// Before a length: what stands is later by it.
    Postpone,
    /// Before a length: what stands is earlier by it.
    Advance,
    /// Before a length: what stands lasts longer by it.
    Extend,
    /// Before a length: what stands lasts shorter by it.
    Shorten,
    /// Wishes a good part of the day, and names no day: "good morning".
    Greeting,
}

impl Mark {
    /// Whether it says more than a small word: how far a day is from another one, or a greeting.
    pub fn compares(self) -> bool {
        self >= Self::SameDay
    }
}

/// Cuts a word at its apostrophes and hyphens, which become words of their own.
pub fn cut(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let at = rest.find(['\'', '-']).unwrap_or(rest.len()).max(usize::from(!rest.is_empty()));
        let (piece, after) = rest.split_at_checked(at)?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The section as written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Section {
    day_first: bool,
    clock12: bool,
    cardinal_days: bool,
    next_is_coming: bool,
    which_after: bool,
    nth_after: bool,
    dot_ordinals: bool,
    months: Vec<Vec<String>>,
    weekdays: Vec<Vec<String>>,
    weekdays_short: Vec<Vec<String>>,
    weekdays_many: Vec<Vec<String>>,
    days: BTreeMap<String, i32>,
    day_parts: BTreeMap<String, (i32, Part)>,
    meals: BTreeMap<Part, Vec<String>>,
    parts: BTreeMap<Part, Vec<String>>,
    units: BTreeMap<Unit, Vec<String>>,
    nights: Vec<String>,
    letters: BTreeMap<Unit, Vec<String>>,
    lengths: BTreeMap<String, jiff::Span>,
    counts: BTreeMap<String, Decimal>,
    clocks: BTreeMap<String, civil::Time>,
    before_hour: BTreeMap<String, i16>,
    after_hour: BTreeMap<String, i16>,
    hours: BTreeMap<String, i8>,
    holidays: BTreeMap<String, String>,
    marks: BTreeMap<Mark, Vec<String>>,
    #[serde(default)]
    modal: Modal,
    past: Past,
    show: Show,
}

impl TryFrom<Section> for DateWords {
    type Error = String;

    fn try_from(section: Section) -> Result<Self, String> {
        let mut terms = Terms::default();
        for (list, term) in [
            (&section.months, Term::Month as fn(i8) -> Term),
            (&section.weekdays, Term::Weekday),
            (&section.weekdays_short, Term::WeekdayShort),
            (&section.weekdays_many, Term::Weekdays),
        ] {
            for (no, names) in (1..).zip(list) {
                names.iter().for_each(|name| terms.add(name, term(no)));
            }
        }
        section.days.iter().for_each(|(word, days)| terms.add(word, Term::Day(*days)));
        section.day_parts.iter().for_each(|(word, (day, part))| terms.add(word, Term::DayPart(*day, *part)));
        terms.add_lists(&section.parts, Term::Part);
        terms.add_lists(&section.units, Term::Unit);
        terms.add_lists(&section.letters, Term::Letter);
        terms.add_lists(&section.marks, Term::Mark);
        section.lengths.iter().for_each(|(word, span)| terms.add(word, Term::Length(Length::from_span(span))));
        for (word, count) in &section.counts {
            terms.add(word, Term::Count((count * Decimal::ONE_THOUSAND).to_i64().unwrap_or_default()));
        }
        section.clocks.iter().for_each(|(word, time)| terms.add(word, Term::Clock(*time)));
        section.before_hour.iter().for_each(|(word, minutes)| terms.add(word, Term::BeforeHour(*minutes)));
        section.after_hour.iter().for_each(|(word, minutes)| terms.add(word, Term::AfterHour(*minutes)));
        section.hours.iter().for_each(|(word, hour)| terms.add(word, Term::Hour(*hour)));
        for (word, feast) in &section.holidays {
            let term = Term::Holiday(feast.parse()?);
            super::holiday::spellings(word).iter().for_each(|word| terms.add(word, term));
        }
        let meals = section.meals.into_iter().flat_map(|(part, meals)| meals.into_iter().map(move |meal| (meal, part)));
        let meals = Phrases::new(meals);
        let mut counted = section.units;
        counted.entry(Unit::Day).or_default().extend(section.nights);
        let shown = |list: Vec<Vec<String>>| list.into_iter().filter_map(|names| names.into_iter().next()).collect();
        Ok(Self {
            day_first: section.day_first,
            clock12: section.clock12,
            cardinal_days: section.cardinal_days,
            next_is_coming: section.next_is_coming,
            which_after: section.which_after,
            nth_after: section.nth_after,
            dot_ordinals: section.dot_ordinals,
            modal: section.modal,
            past: section.past,
            show: section.show,
            months: shown(section.months),
            weekdays: shown(section.weekdays),
            meals,
            counted: counted.into_iter().map(|(unit, words)| (unit, crate::phrases::plain(words))).collect(),
            terms: terms.finish(),
        })
    }
}

#[derive(Default)]
struct Terms(BTreeMap<Box<str>, Vec<Phrase>>);

impl Terms {
    fn add(&mut self, phrase: &str, term: Term) {
        let said = Said::new(phrase);
        let mut words = (0..said.words.len()).flat_map(|no| cut(said.plain(no))).map(Box::from);
        let Some(first) = words.next() else { return };
        self.0.entry(first).or_default().push(Phrase { rest: words.collect(), term });
    }

    fn add_lists<T: Copy>(&mut self, lists: &BTreeMap<T, Vec<String>>, term: fn(T) -> Term) {
        for (meaning, phrases) in lists {
            phrases.iter().for_each(|phrase| self.add(phrase, term(*meaning)));
        }
    }

    fn finish(mut self) -> ByWord<Vec<Phrase>> {
        self.0.values_mut().for_each(|list| list.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len())));
        ByWord::new(self.0)
    }
}
