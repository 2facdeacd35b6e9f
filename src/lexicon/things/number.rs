//! `[number]`: how numbers are written and said.

use std::collections::{BTreeMap, BTreeSet};

use formwright_text::Said;
use rust_decimal::Decimal;
use serde::Deserialize;

use super::measure::Measures;
use crate::days::dates::Unit;
use crate::phrases::Phrases;

/// How numbers are written and said.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Section")]
pub struct NumberWords {
    /// Between the whole part and the decimals: `.` or `,`. Some regions differ: see [`Self::decimal_mark`].
    decimal_mark: char,
    /// Between groups of three digits, as shown.
    group_mark: char,
    /// Regions that write the decimal mark the other way.
    other_mark_regions: Vec<String>,
    /// A plain space groups digits too (`1 234`).
    pub space_groups: bool,
    /// Numbers are said as one word ("einundzwanzig").
    pub compounds: bool,
    /// Ones may come before tens ("fünf und zwanzig").
    pub ones_first: bool,
    /// "and" joins tens and ones ("treinta y cinco"), not only hundreds and the rest.
    pub and_after_tens: bool,
    /// "and" written as the first letter of the next word (Arabic `و`).
    pub and_prefix: Option<char>,
    /// "for" written as the first letter of the number (Arabic `ل`).
    pub for_prefix: Option<char>,
    /// Currency after the amount, with a space.
    pub currency_after: bool,
    /// A space before the percent sign.
    pub percent_space: bool,
    /// What number words are made of.
    pub atoms: Phrases<Atom>,
    /// Forms used only inside compounds ("vent" in "ventuno").
    pub stems: BTreeMap<Box<str>, Atom>,
    /// First two bytes of the pieces of compounds, sorted: most words are told apart by them.
    compound_starts: Vec<[u8; 2]>,
    /// Last two bytes of the pieces of compounds, sorted.
    compound_ends: Vec<[u8; 2]>,
    /// After digits: "k", "mio".
    pub suffixes: Phrases<Decimal>,
    /// Mean two people by themselves: Arabic "شخصين".
    pub two_people: Phrases<()>,
    /// What is counted, by the word for several of it, where that does not follow from its ending: Arabic "غرف", "غرفة".
    pub one_of: BTreeMap<String, String>,
    /// How words for several of a unit end: "kilos", "chili".
    pub several_endings: Vec<String>,
    /// Glued to digits they make an ordinal: "st", "er".
    pub ordinal_suffixes: Phrases<()>,
    /// Number words with another, commoner meaning ("one", "sei"): they count only where the answer is a number.
    pub doubtful: Phrases<()>,
    /// "percent", "per cento".
    pub percent: Phrases<()>,
    /// Between a part and what it is of: "two thirds of a million".
    pub of: Phrases<()>,
    /// Between what is divided and by what: "one over eight".
    pub over: Phrases<()>,
    /// Say nought among decimals, and nothing elsewhere: "oh" of "five point oh three".
    pub nought: Phrases<()>,
    /// Before a scale or in its place, make a number that nobody has counted: "a few" hundred, "thousands".
    pub uncounted: Phrases<()>,
    /// Answers that mean one and nothing else: "a single one".
    pub single: Phrases<()>,
    /// What numbers measure in, behind them in an answer: "kilos", "km".
    pub measures: Phrases<()>,
    /// What numbers measure, and its units.
    pub measure: Measures,
    /// Currencies by word; the meaning is a sign (`$`) or an ISO 4217 code.
    pub currencies: Phrases<String>,
    /// Two of a currency in a word, by the currency: Arabic "دولارين".
    pub two_of: Phrases<String>,
    /// Hundredths of a currency, by its code; `¢` where many have them.
    pub cents: Phrases<String>,
    /// "out of", between the points and the scale.
    pub out_of: Phrases<()>,
    /// What ratings count: "stars", "points".
    pub points: Phrases<()>,
    /// Between the ends of a range or two choices: "to", "or".
    pub range: Phrases<()>,
    /// After the price of one of several: "each".
    pub each: Phrases<()>,
    /// Between a number and the time that it is for, which it does not count: "a" in "2,300 a month".
    pub rate: Phrases<()>,
    /// How long an amount is for, behind it and in the names of fields: "a month", "monthly".
    pub every: Phrases<Unit>,
    /// What words for several of something end in: "s".
    pub plural: Vec<String>,
    /// In a question for a count, which "none" answers: "how many".
    pub counting: Phrases<()>,
    /// The floor that is none: "ground floor".
    pub ground: Phrases<()>,
    /// Before a number that is not exact: "about", "more like".
    pub about: Phrases<()>,
    /// Names of fields for a number of what is named beside it, and of nothing else: "quantity".
    pub quantity: Phrases<()>,
    /// After a number of people: "of us", "persons".
    pub people: Phrases<()>,
    /// Before a number of people: "we are".
    pub people_before: Phrases<()>,
    /// Before a number of people that no noun follows: "for" in "a cab for two".
    pub for_people: Phrases<()>,
    /// Words after a number that say what it is.
    pub after: Phrases<Role>,
    /// Words before a number that say what it is.
    pub before: Phrases<Role>,
}

/// What a number word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Adds: "twenty".
    Value(Decimal),
    /// Multiplies: "hundred", "million".
    Scale(Decimal),
    /// One, before a scale, a collective or a fraction: "a".
    Article,
    /// Multiplies what is counted: "dozen".
    Collective(Decimal),
    /// A part of one: "half".
    Fraction(Decimal),
    /// So many of them make one: "fifths".
    Parts(Decimal),
    /// Joins: "and".
    And,
    /// Begins the decimals: "point".
    Point,
    /// Turns the sign: "minus".
    Minus,
    /// A place in a row: "third".
    Ordinal(Decimal),
}

/// What a number beside certain words is, other than a plain count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A time of day: "pm".
    Time,
    /// Part of a date: "May".
    Date,
    /// An amount of some unit: "minutes", "kg".
    Unit,
    /// A number that names: "room", "no.".
    Name,
    /// Part of an address: "Street".
    Address,
    /// Perhaps a time or date, perhaps not: "at", "on".
    Unsure,
    /// A bound and no number: "no more than", "at least".
    Bound,
}

impl NumberWords {
    /// The mark before the decimals: the region's, else the language's.
    pub fn decimal_mark(&self, region: Option<&str>) -> char {
        let differs =
            region.is_some_and(|region| self.other_mark_regions.iter().any(|other| other.eq_ignore_ascii_case(region)));
        match (self.decimal_mark, differs) {
            (',', false) | ('.', true) => ',',
            _ => '.',
        }
    }

    /// Whether the language alone does not tell what `1.234` means: it is written so in many regions, and the person's is
    /// not known.
    pub fn mark_is_open(&self, region: Option<&str>) -> bool {
        const MANY: usize = 6;
        region.is_none() && self.other_mark_regions.len() >= MANY
    }

    /// Whether a plain word (see [`formwright_text::Said::plain`]) may be a compound of number words, by its ends alone.
    pub fn may_be_compound(&self, plain: &str) -> bool {
        self.compounds
            && plain.as_bytes().first_chunk().is_some_and(|start| self.compound_starts.binary_search(start).is_ok())
            && plain.as_bytes().last_chunk().is_some_and(|end| self.compound_ends.binary_search(end).is_ok())
    }

    /// The mark between groups of three digits, as shown.
    pub fn group_mark(&self, region: Option<&str>) -> char {
        match self.decimal_mark(region) {
            mark if mark == self.decimal_mark => self.group_mark,
            ',' => '.',
            _ => ',',
        }
    }
}

/// The section as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    decimal_mark: char,
    group_mark: char,
    #[serde(default)]
    other_mark_regions: Vec<String>,
    #[serde(default)]
    space_groups: bool,
    #[serde(default)]
    compounds: bool,
    #[serde(default)]
    ones_first: bool,
    #[serde(default)]
    and_after_tens: bool,
    and_prefix: Option<char>,
    for_prefix: Option<char>,
    #[serde(default)]
    currency_after: bool,
    #[serde(default)]
    percent_space: bool,
    several_endings: Vec<String>,
    #[serde(default, deserialize_with = "crate::phrases::list")]
    two_people: Phrases<()>,
    #[serde(default)]
    one_of: BTreeMap<String, String>,
    values: BTreeMap<Decimal, Vec<String>>,
    #[serde(default)]
    stems: BTreeMap<Decimal, Vec<String>>,
    scales: BTreeMap<Decimal, Vec<String>>,
    articles: Vec<String>,
    collectives: BTreeMap<Decimal, Vec<String>>,
    fractions: BTreeMap<Decimal, Vec<String>>,
    parts: BTreeMap<Decimal, Vec<String>>,
    ordinals: BTreeMap<Decimal, Vec<String>>,
    and: Vec<String>,
    point: Vec<String>,
    minus: Vec<String>,
    #[serde(deserialize_with = "crate::phrases::table")]
    suffixes: Phrases<Decimal>,
    #[serde(deserialize_with = "crate::phrases::list")]
    ordinal_suffixes: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    doubtful: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    percent: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    of: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    over: Phrases<()>,
    #[serde(default, deserialize_with = "crate::phrases::list")]
    nought: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    uncounted: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    single: Phrases<()>,
    #[serde(default, deserialize_with = "crate::phrases::list")]
    measures: Phrases<()>,
    measure: Measures,
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    currencies: Phrases<String>,
    #[serde(default, deserialize_with = "crate::phrases::by_meaning")]
    two_of: Phrases<String>,
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    cents: Phrases<String>,
    #[serde(deserialize_with = "crate::phrases::list")]
    out_of: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    points: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    range: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    each: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    rate: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    every: Phrases<Unit>,
    plural: Vec<String>,
    #[serde(deserialize_with = "crate::phrases::list")]
    counting: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    ground: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    about: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    quantity: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    people: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    people_before: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::list")]
    for_people: Phrases<()>,
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    after: Phrases<Role>,
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    before: Phrases<Role>,
}

impl From<Section> for NumberWords {
    fn from(section: Section) -> Self {
        let mut atoms: Vec<(String, Atom)> = Vec::new();
        #[expect(clippy::type_complexity, reason = "a table, written where it is used")]
        let tables: [(&BTreeMap<Decimal, Vec<String>>, fn(Decimal) -> Atom); 6] = [
            (&section.values, Atom::Value),
            (&section.scales, Atom::Scale),
            (&section.collectives, Atom::Collective),
            (&section.fractions, Atom::Fraction),
            (&section.parts, Atom::Parts),
            (&section.ordinals, Atom::Ordinal),
        ];
        for (table, atom) in tables {
            atoms.extend(flat(table, atom));
        }
        let lists = [
            (&section.articles, Atom::Article),
            (&section.and, Atom::And),
            (&section.point, Atom::Point),
            (&section.minus, Atom::Minus),
        ];
        for (list, atom) in lists {
            atoms.extend(list.iter().map(|word| (word.clone(), atom)));
        }
        let stems: BTreeMap<Box<str>, Atom> =
            flat(&section.stems, Atom::Value).map(|(word, atom)| (word.into_boxed_str(), atom)).collect();
        let pieces: Vec<Said> = atoms
            .iter()
            .filter(|(_, atom)| matches!(atom, Atom::Value(_) | Atom::Scale(_) | Atom::Ordinal(_)))
            .map(|(word, _)| Said::new(word))
            .chain(stems.keys().map(|word| Said::new(word)))
            .collect();
        let sorted = |ends: &mut dyn Iterator<Item = [u8; 2]>| ends.collect::<BTreeSet<_>>().into_iter().collect();
        let compound_starts =
            sorted(&mut pieces.iter().filter_map(|said| said.plain(0).as_bytes().first_chunk().copied()));
        let compound_ends =
            sorted(&mut pieces.iter().filter_map(|said| said.plain(0).as_bytes().last_chunk().copied()));
        Self {
            decimal_mark: section.decimal_mark,
            group_mark: section.group_mark,
            other_mark_regions: section.other_mark_regions,
            space_groups: section.space_groups,
            compounds: section.compounds,
            ones_first: section.ones_first,
            and_after_tens: section.and_after_tens,
            and_prefix: section.and_prefix,
            for_prefix: section.for_prefix,
            currency_after: section.currency_after,
            percent_space: section.percent_space,
            atoms: Phrases::new(atoms),
            stems,
            compound_starts,
            compound_ends,
            suffixes: section.suffixes,
            several_endings: section.several_endings,
            two_people: section.two_people,
            one_of: section.one_of.into_iter().map(|(many, one)| (plain(&many), plain(&one))).collect(),
            ordinal_suffixes: section.ordinal_suffixes,
            doubtful: section.doubtful,
            percent: section.percent,
            of: section.of,
            over: section.over,
            nought: section.nought,
            uncounted: section.uncounted,
            single: section.single,
            measures: section.measures.with(&section.measure.units()),
            measure: section.measure,
            currencies: section.currencies,
            two_of: section.two_of,
            cents: section.cents,
            out_of: section.out_of,
            points: section.points,
            range: section.range,
            each: section.each,
            rate: section.rate,
            every: section.every,
            plural: section.plural,
            counting: section.counting,
            ground: section.ground,
            about: section.about,
            quantity: section.quantity,
            people: section.people,
            people_before: section.people_before,
            for_people: section.for_people,
            after: section.after,
            before: section.before,
        }
    }
}

/// A word as [`Said::plain`] has it.
fn plain(word: &str) -> String {
    Said::new(word).plain(0).to_owned()
}

fn flat(table: &BTreeMap<Decimal, Vec<String>>, atom: fn(Decimal) -> Atom) -> impl Iterator<Item = (String, Atom)> {
    table.iter().flat_map(move |(value, words)| words.iter().map(move |word| (word.clone(), atom(*value))))
}
