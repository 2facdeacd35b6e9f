//! What the kinds that hold numbers share: how surely a number in a message is meant for a field, how numbers are
//! shown, and how they are read from data.

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::number::{Atom, Role};
use formwright_text::{Class, Said, is_same};
use rust_decimal::Decimal;
use serde_json::Value as Json;

use super::numeral::{self, Near, Numeral, Shape};
use crate::reading::{Context, Found, Reading, Refusal, Strength};
use crate::value::Value;
pub use formwright_text::phrase_at;

/// A number in a message that may be an answer.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// The number.
    pub(crate) numeral: &'a Numeral,
    /// The words it is quoted by: unit words right after it belong to the quote.
    pub words: Range<usize>,
    /// How surely it is meant.
    pub strength: Strength,
}

/// How surely a number is meant for a field that counts `units`. None where it is certainly something else.
pub fn judge<'a>(said: &Said, cx: &Context<'_>, numeral: &'a Numeral, units: &[String]) -> Option<Candidate<'a>> {
    // "No more than 5" tells no number, nor does "3 December", nor "grazie mille".
    let polite = cx.lang.and_english().any(|lang| lang.filler.is_inside(said, numeral.words.start));
    if polite || matches!(numeral.near, Near::Role(Role::Bound | Role::Date)) {
        return None;
    }
    let end = numeral.words.end;
    let candidate = |words, strength| Some(Candidate { numeral, words, strength });
    let alone = numeral.words.clone();
    if numeral.shape != Shape::Ordinal
        && let Some(found) = unit_near(said, cx.lang, numeral, units)
    {
        // "una pizza" is "a pizza" far more often than "one pizza"; English keeps the two apart.
        let article = numeral.shape == Shape::Doubtful && numeral.value == Decimal::ONE && !is_one(said, numeral);
        return candidate(alone.start..found.max(end), if article { Strength::Weak } else { Strength::Exact });
    }
    if counts_people(said, cx.lang, &alone) && !units.is_empty() && !units.iter().any(|unit| is_people(unit, cx.lang)) {
        return None;
    }
    let strength = match (numeral.near, numeral.shape) {
        (Near::Percent(_) | Near::Currency | Near::Code | Near::Dial | Near::Each(_), _) => return None,
        (Near::Alone, Shape::Digits | Shape::Words) if units.is_empty() || !counts_something(said, end, cx.lang) => {
            Strength::Typed
        }
        (Near::Alone | Near::Role(_) | Near::Range | Near::Row, _) => Strength::Weak,
    };
    candidate(alone, strength)
}

/// Finds the numbers of a message that `make` takes.
pub fn find(said: &Said, cx: &Context<'_>, units: &[String], make: impl Fn(&Numeral) -> Option<Value>) -> Vec<Found> {
    let numerals = numeral::all(said, cx);
    let candidates = numerals.iter().filter_map(|numeral| judge(said, cx, numeral, units));
    let found = candidates.filter_map(|candidate| {
        let value = make(candidate.numeral)?;
        Some(Found { span: said.raw_words(candidate.words), value, strength: candidate.strength })
    });
    found.collect()
}

/// Reads a whole message as the answer: the surest number, ambiguous where several are as sure.
pub fn read(
    said: &Said,
    cx: &Context<'_>,
    units: &[String],
    make: impl Fn(&Numeral) -> Result<Value, Refusal>,
) -> Reading {
    if let Some(words) = single(said, cx) {
        let one = Numeral { words, value: Decimal::ONE, other: None, shape: Shape::Words, near: Near::Alone };
        let span = said.raw_words(one.words.clone());
        return choose(said, std::iter::once((span, Strength::Exact, make(&one))));
    }
    let numerals = numeral::all(said, cx);
    let mut candidates: Vec<Candidate<'_>> =
        numerals.iter().filter_map(|numeral| judge_answer(said, cx, numeral, units)).collect();
    // Numbers side by side are a telephone number or a code, not several answers.
    if candidates.iter().filter(|candidate| candidate.numeral.near == Near::Row).count() > 1 {
        candidates.retain(|candidate| candidate.strength > Strength::Weak);
    }
    choose(
        said,
        candidates.into_iter().flat_map(|candidate| {
            let span = said.raw_words(candidate.words);
            let other = candidate.numeral.other.filter(|_| cx.lang.number.mark_is_open(cx.region));
            let other = other.map(|value| make(&Numeral { value, other: None, ..candidate.numeral.clone() }));
            let meant = std::iter::once(make(candidate.numeral)).chain(other);
            meant.map(move |value| (span.clone(), candidate.strength, value))
        }),
    )
}

/// An answer that means one and nothing else: "a single one".
fn single(said: &Said, cx: &Context<'_>) -> Option<Range<usize>> {
    (0..said.words.len()).find_map(|no| {
        let (words, ()) =
            cx.lang.and_english().filter_map(|lang| lang.number.single.at(said, no)).max_by_key(|(n, ())| *n)?;
        is_all(said, cx.lang, &(no..no + words)).then_some(no..no + words)
    })
}

/// Makes a reading of readings: the surest wins, several different ones as sure are a question, and a refusal counts
/// where nothing can be taken.
pub fn choose(said: &Said, all: impl Iterator<Item = (Range<usize>, Strength, Result<Value, Refusal>)>) -> Reading {
    let mut best: Vec<Found> = Vec::new();
    let mut refused = None;
    for (span, strength, value) in all {
        debug_assert!(said.raw.get(span.clone()).is_some());
        match value {
            Err(refusal) => refused = refused.or(Some((span, refusal))),
            Ok(value) => {
                if best.first().is_some_and(|first| first.strength < strength) {
                    best.clear();
                }
                let as_sure = best.first().is_none_or(|first| first.strength == strength);
                if as_sure && best.iter().all(|found| found.value != value) {
                    best.push(Found { span, value, strength });
                }
            }
        }
    }
    match (best.len(), refused) {
        (0, Some((span, refusal))) => Reading::Refused(span, refusal),
        (0, None) => Reading::Nothing,
        (1, _) => best.pop().map_or(Reading::Nothing, Reading::Value),
        (_, _) => Reading::Ambiguous(best),
    }
}

/// As [`judge`], for the answer to the field's own question: where the number is all that was said, whatever number it
/// is counts; else only those that stand for themselves.
fn judge_answer<'a>(said: &Said, cx: &Context<'_>, numeral: &'a Numeral, units: &[String]) -> Option<Candidate<'a>> {
    let judged = judge(said, cx, numeral, units);
    if judged.as_ref().is_some_and(|candidate| candidate.strength > Strength::Weak) {
        return judged;
    }
    if let Some(words) = measured(said, cx.lang, numeral).filter(|words| is_all(said, cx.lang, words)) {
        return Some(Candidate { numeral, words, strength: Strength::Typed });
    }
    let whole = is_all(said, cx.lang, &numeral.words);
    let own = Candidate { numeral, words: numeral.words.clone(), strength: Strength::Typed };
    match numeral.near {
        // "A year and a half" has its unit within it.
        Near::Alone | Near::Role(Role::Unit) if whole => Some(own),
        // As long as a telephone number, and perhaps one.
        Near::Code if whole => Some(Candidate { strength: Strength::Weak, ..own }),
        Near::Code | Near::Dial | Near::Role(Role::Time | Role::Date | Role::Address | Role::Name | Role::Bound) => {
            None
        }
        Near::Percent(_) | Near::Currency | Near::Each(_) => Some(Candidate { strength: Strength::Weak, ..own }),
        Near::Alone if matches!(numeral.shape, Shape::Doubtful | Shape::Ordinal) => None,
        Near::Alone | Near::Role(Role::Unit | Role::Unsure) | Near::Range | Near::Row => judged,
    }
}

/// A number with what it measures in: "six and a half kilos".
fn measured(said: &Said, lang: &Language, numeral: &Numeral) -> Option<Range<usize>> {
    let end = numeral.words.end;
    let measure = lang.and_english().filter_map(|lang| lang.number.measures.at(said, end)).map(|(len, ())| len).max();
    measure.map(|len| numeral.words.start..end + len)
}

/// Whether nothing but filler and marks stands around some words.
pub fn is_all(said: &Said, lang: &Language, words: &Range<usize>) -> bool {
    is_filler(said, lang, 0..words.start) && is_filler(said, lang, words.end..said.words.len())
}

/// Whether some words are nothing but filler and marks.
pub fn is_filler(said: &Said, lang: &Language, words: Range<usize>) -> bool {
    let mut no = words.start;
    while no < words.end {
        match lang.and_english().map(|lang| lang.filler.words_at(said, no)).max() {
            None | Some(0) => return false,
            Some(some) => no += some,
        }
    }
    true
}

fn is_one(said: &Said, numeral: &Numeral) -> bool {
    matches!(said.word(numeral.words.start), "one" | "eins" | "uno")
}

/// One past the unit's words where a unit belongs to a number; `0` as end says that it stands apart ("2 large pizzas",
/// "pizzas: 2").
fn unit_near(said: &Said, lang: &Language, numeral: &Numeral, units: &[String]) -> Option<usize> {
    if units.is_empty() {
        return None;
    }
    let end = numeral.words.end;
    let after = if said.word(end) == "-" && said.is_glued(end) { end + 1 } else { end };
    if let Some(words) = unit_at(said, after, units) {
        return Some(after + words);
    }
    // "Three kilos and a half".
    if (numeral.words.start + 1..end).any(|no| unit_at(said, no, units).is_some()) {
        return Some(end);
    }
    if numeral.near != Near::Alone {
        return None;
    }
    let before = numeral.words.start.checked_sub(2).filter(|&no| matches!(said.word(no + 1), ":" | "=" | "x"));
    // "3 pizzas: two …" are told one by one.
    let counted = |no: usize| no.checked_sub(1).is_some_and(|no| numeral::at(said, no, lang, None).is_some());
    if before.is_some_and(|no| unit_at(said, no, units) == Some(1) && !counted(no)) {
        return Some(0);
    }
    // "2,300 a month" counts no months.
    if numeral.value.is_integer() && lang.and_english().any(|lang| lang.number.rate.starts(said, end)) {
        return None;
    }
    let mut no = end;
    while no < end + 2 && is_plain_word(said, no, lang) {
        no += 1;
        if unit_at(said, no, units).is_some() {
            return Some(0);
        }
    }
    None
}

/// A word that may stand between a number and what is counted: no joint, no number, no filler.
fn is_plain_word(said: &Said, no: usize, lang: &Language) -> bool {
    let joint = |lang: &Language| {
        let number = &lang.number;
        number.before.at(said, no).is_some()
            || number.range.at(said, no).is_some()
            || number.out_of.at(said, no).is_some()
            || number.atoms.at(said, no).is_some_and(|(_, atom)| !matches!(atom, Atom::Article))
            || lang.filler.words_at(said, no) > 0
    };
    said.words.get(no).is_some_and(|word| word.class == Class::Letters) && !lang.and_english().any(joint)
}

/// Whether a word follows that says what is counted, so that it is not this field's unit.
fn counts_something(said: &Said, end: usize, lang: &Language) -> bool {
    is_plain_word(said, end, lang)
}

/// Whether a number counts people: "three of us", "we are three".
pub fn counts_people(said: &Said, lang: &Language, number: &Range<usize>) -> bool {
    let after = |lang: &Language| lang.number.people.starts(said, number.end);
    let before = |lang: &Language| {
        let from = number.start.saturating_sub(4);
        (from..number.start)
            .any(|no| lang.number.people_before.at(said, no).is_some_and(|(len, ())| no + len == number.start))
    };
    lang.and_english().any(after) || lang.and_english().any(before) && !is_plain_word(said, number.end, lang)
}

/// Whether a unit stands for people, or for what each of them gets one of: seats, tickets.
fn is_people(unit: &str, lang: &Language) -> bool {
    let unit = Said::new(unit);
    let known = |lang: &Language| {
        lang.number.people.starts(&unit, 0)
            || lang.sentence.alike.first().is_some_and(|words| words.iter().any(|word| is_same(unit.plain(0), word)))
    };
    lang.and_english().any(known)
}

/// How many words of a unit start at a word.
fn unit_at(said: &Said, no: usize, units: &[String]) -> Option<usize> {
    units.iter().find_map(|unit| phrase_at(said, no, unit))
}

/// Shows a number with the marks of the person's language, in groups of three from `group_from` on; `decimals` fixes
/// how many decimals are shown.
pub fn format(value: Decimal, decimals: Option<u32>, group_from: i64, cx: &Context<'_>) -> String {
    let words = &cx.lang.number;
    let (point, group) = (words.decimal_mark(cx.region), words.group_mark(cx.region));
    let mut rounded = decimals.map_or(value.normalize(), |decimals| value.round_dp(decimals));
    if let Some(decimals) = decimals {
        rounded.rescale(decimals);
    }
    let plain = rounded.abs().to_string();
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut shown = String::with_capacity(plain.len() + 8);
    if rounded.is_sign_negative() && !rounded.is_zero() {
        shown.push('-');
    }
    // With one mark and no decimals, `1.234` could be read as a fraction where the person's region is not known.
    let open = part.is_empty() && whole.len() <= 6 && words.mark_is_open(cx.region);
    let grouped = !open && rounded.abs() >= Decimal::from(group_from);
    for (i, digit) in whole.chars().enumerate() {
        if grouped && i > 0 && (whole.len() - i).is_multiple_of(3) {
            shown.push(group);
        }
        shown.push(digit);
    }
    if !part.is_empty() {
        shown.push(point);
        shown.push_str(part);
    }
    shown
}

/// Numbers below this are shown without groups where they may be years or codes.
pub const GROUP_COUNTS: i64 = 10_000;
/// Amounts of money are grouped from here on.
pub const GROUP_AMOUNTS: i64 = 1_000;

/// A number out of data: a JSON number, or a string as widgets write it (`12.5`), or as people do.
///
/// # Errors
/// Where the data is no number.
pub fn of_data(data: &Json, cx: &Context<'_>) -> Result<Numeral, Refusal> {
    let refusal = || Refusal::new("not_a_number");
    let text = match data {
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.trim().to_owned(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => return Err(refusal()),
    };
    let exact = text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(&text));
    if let Ok(value) = exact {
        let value = value.normalize();
        return Ok(Numeral { words: 0..0, value, other: None, shape: Shape::Digits, near: Near::Alone });
    }
    let said = Said::new(&text);
    let numerals = numeral::all(&said, cx);
    match numerals.as_ref() {
        [numeral] if is_all(&said, cx.lang, &numeral.words) => Ok(numeral.clone()),
        _ => Err(refusal()),
    }
}

/// A number as JSON: an integer where it is whole, else the nearest float, else its digits.
pub fn to_json(value: Decimal) -> Json {
    if value.is_integer()
        && let Ok(whole) = i64::try_from(value)
    {
        return Json::from(whole);
    }
    let digits = value.normalize().to_string();
    let float = digits.parse().ok().and_then(serde_json::Number::from_f64);
    float.map_or(Json::String(digits), Json::Number)
}

/// Applies bounds; they are told to the person as `show` writes them.
///
/// # Errors
/// Where the number lies outside its bounds.
pub fn within(
    value: Decimal,
    min: Option<Decimal>,
    max: Option<Decimal>,
    show: impl Fn(Decimal) -> String,
) -> Result<(), Refusal> {
    match (min, max) {
        (Some(min), _) if value < min => Err(Refusal::new("number_too_small").fact("min", show(min))),
        (_, Some(max)) if value > max => Err(Refusal::new("number_too_big").fact("max", show(max))),
        _ => Ok(()),
    }
}

/// Refuses more significant digits than a JSON number keeps.
///
/// # Errors
/// Where the number would be another one in JSON.
pub fn exact_in_json(value: Decimal) -> Result<(), Refusal> {
    const MOST: u32 = 15;
    let digits = value.normalize().mantissa().unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
    if digits > MOST { Err(Refusal::new("too_many_digits").fact("max", MOST.to_string())) } else { Ok(()) }
}
