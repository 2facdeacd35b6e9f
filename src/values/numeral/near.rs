//! What stands beside a number, and so what it is other than a plain count.

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::given::is_given;
use formwright_lexicon::measure::STOREY;
use formwright_lexicon::number::{Atom, Role};
use formwright_text::{Class, Said};
use rust_decimal::Decimal;

use super::{Numeral, Shape, parted};
use crate::currency;

/// What stands beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// Nothing that speaks against a plain count.
    Alone,
    /// A percent sign or word, so many words long.
    Percent(usize),
    /// A currency.
    Currency,
    /// The price of one of several, so many words long: "20 each".
    Each(usize),
    /// Words of a kind.
    Role(Role),
    /// It is one end of a range, or one of two choices: "2-3", "2 or 3".
    Range,
    /// Another number right beside it.
    Row,
    /// Written as telephone numbers are: in groups of digits, or long with a nought or plus in front.
    Dial,
    /// Letters or marks glued to it: a code, an address of the net, a hyphenated name; or a name itself: "Claudia Tausend".
    Code,
}

/// What stands beside the number `numerals[i]`.
pub(crate) fn near(said: &Said, lang: &Language, numerals: &[Numeral], i: usize, dialled: &[Range<usize>]) -> Near {
    let Some(numeral) = numerals.get(i) else { return Near::Alone };
    let (start, end) = (numeral.words.start, numeral.words.end);
    if dialled.iter().any(|run| run.start <= start && end <= run.end && run.len() > end - start) {
        return Near::Dial;
    }
    // "One" of "20 each one" is no number.
    let before = i.checked_sub(1).and_then(|before| numerals.get(before)).map(|before| before.words.end);
    if before.is_some_and(|before| each_at(said, before, lang).is_some_and(|words| start < before + words)) {
        return Near::Code;
    }
    if let Some(words) = percent_at(said, end, lang) {
        return Near::Percent(words);
    }
    if currency::at(said, end, lang).is_some() || currency::before(said, start, lang).is_some() {
        return Near::Currency;
    }
    if let Some(near) = glued_before(said, start).or_else(|| glued_after(said, end, lang)) {
        return near;
    }
    if is_between(said, lang, numerals, i) {
        return Near::Range;
    }
    if is_side(said, lang, numerals, i) {
        return Near::Code;
    }
    if parted::is(said, lang, numeral) {
        return Near::Role(Role::Unit);
    }
    if let Some(words) = each_at(said, end, lang) {
        return Near::Each(words);
    }
    if leads_to_date(said, lang, numerals, i) {
        return Near::Role(Role::Date);
    }
    // German "am" leads to a day, whatever it is in English.
    let weekday = lang.and_english().any(|lang| begins_weekday(said, end, lang));
    let role = lang.and_english().find_map(|lang| {
        let after = lang.number.after.at(said, end).map(|(_, role)| *role).filter(|_| !weekday);
        after.or_else(|| role_before(said, start, lang))
    });
    // "On the 4th floor" is no day.
    let role = role.map(|role| match role {
        Role::Date if numeral.shape == Shape::Ordinal && is_of_thing(said, end, lang) => Role::Unsure,
        role => role,
    });
    if let Some(role) = role {
        return Near::Role(role);
    }
    if is_year(said, numerals, i) {
        return Near::Role(Role::Date);
    }
    if is_surname(said, numeral) {
        return Near::Code;
    }
    if let Some(near) = neighbour(said, lang, numerals, i) {
        return near;
    }
    if let Some(near) = code(said, numeral) {
        return near;
    }
    if numeral.shape == Shape::Digits && in_street(said, start, end, lang) {
        return Near::Role(Role::Address);
    }
    if numeral.shape == Shape::Digits && after_name(said, start, lang) {
        return Near::Role(Role::Name);
    }
    Near::Alone
}

/// Whether the noun of a floor stands at a word: "floor" of "on the 4th floor".
fn is_of_thing(said: &Said, no: usize, lang: &Language) -> bool {
    lang.and_english().any(|lang| lang.number.measure.said.at(said, no).is_some_and(|(_, unit)| &**unit == STOREY))
}

/// Whether a word leads to a day of the week, and so counts nothing: Arabic "يوم" in "نحن خمسة يوم الجمعة".
fn begins_weekday(said: &Said, no: usize, lang: &Language) -> bool {
    let has = |no: usize, fits: fn(&Term) -> bool| {
        let mut phrases = lang.date.beginning_at(said, no).iter();
        phrases.any(|phrase| phrase.rest.is_empty() && fits(&phrase.term))
    };
    has(no, |term| matches!(term, Term::Mark(Mark::On))) && has(no + 1, |term| matches!(term, Term::Weekday(_)))
}

/// How many words of "percent" start at a word.
pub(crate) fn percent_at(said: &Said, no: usize, lang: &Language) -> Option<usize> {
    match said.word(no) {
        "" => None,
        "%" | "٪" => Some(1),
        _ => lang.and_english().find_map(|lang| lang.number.percent.at(said, no)).map(|(words, ())| words),
    }
}

/// How many words of "each" start at a word, as said behind a price: not the "each" of "each day".
pub fn each_at(said: &Said, no: usize, lang: &Language) -> Option<usize> {
    let (words, ()) =
        lang.and_english().filter_map(|lang| lang.number.each.at(said, no)).max_by_key(|(words, ())| *words)?;
    let time = |lang: &Language| {
        let phrases = lang.date.beginning_at(said, no + words);
        phrases.iter().any(|phrase| phrase.rest.is_empty() && !matches!(phrase.term, Term::Mark(_) | Term::Count(_)))
    };
    (!lang.and_english().any(time)).then_some(words)
}

fn class(said: &Said, no: usize) -> Option<Class> {
    said.words.get(no).map(|word| word.class)
}

fn glued_before(said: &Said, start: usize) -> Option<Near> {
    let before = start.checked_sub(1).filter(|_| said.is_glued(start))?;
    let further = before.checked_sub(1).filter(|_| said.is_glued(before)).and_then(|no| class(said, no));
    match (said.word(before), class(said, before)?) {
        ("x", Class::Letters) if further.is_none() => None,
        (_, Class::Letters | Class::Digits) => Some(Near::Code),
        ("/" | "@" | "_" | "\\" | "&" | "*" | "+", _) => Some(Near::Code),
        ("#" | "№", _) => Some(Near::Role(Role::Name)),
        ("-", _) if further == Some(Class::Digits) => Some(Near::Range),
        ("-" | ".", _) if further.is_some() => Some(Near::Code),
        (":", _) if further == Some(Class::Digits) => Some(Near::Role(Role::Time)),
        (",", _) if further == Some(Class::Digits) => Some(Near::Row),
        ("°", _) => Some(Near::Role(Role::Unit)),
        _ => None,
    }
}

fn glued_after(said: &Said, end: usize, lang: &Language) -> Option<Near> {
    if !said.is_glued(end) {
        return None;
    }
    let further = said.is_glued(end + 1).then(|| class(said, end + 1)).flatten();
    match (said.word(end), class(said, end)?) {
        ("x", Class::Letters) if further.is_none() => None,
        (_, Class::Letters) => {
            let role = lang.and_english().find_map(|lang| lang.number.after.at(said, end)).map(|(_, role)| *role);
            Some(role.map_or(Near::Code, Near::Role))
        }
        ("/" | "@" | "_" | "\\" | "&" | "*" | "#", _) => Some(Near::Code),
        (":", _) if further == Some(Class::Digits) => Some(Near::Role(Role::Time)),
        ("-", _) if further == Some(Class::Digits) => Some(Near::Range),
        ("," | "'", _) if further == Some(Class::Digits) => Some(Near::Row),
        (".", _) if further.is_some() => Some(Near::Code),
        _ => None,
    }
}

/// Whether a number is the first day of "1 to 3 December", whose month stands with the last.
fn leads_to_date(said: &Said, lang: &Language, numerals: &[Numeral], i: usize) -> bool {
    let (Some(one), Some(two)) = (numerals.get(i), numerals.get(i + 1)) else { return false };
    let joins = |lang: &Language| {
        let words = lang.number.range.at(said, one.words.end).map(|(words, ())| words);
        words.is_some_and(|words| one.words.end + words == two.words.start)
    };
    let dash = said.word(one.words.end) == "-" && one.words.end + 1 == two.words.start;
    let date = |lang: &Language| lang.number.after.at(said, two.words.end).is_some_and(|(_, role)| *role == Role::Date);
    (dash || lang.and_english().any(joins)) && lang.and_english().any(date)
}

/// The longest phrase that ends right before a word.
fn role_before(said: &Said, start: usize, lang: &Language) -> Option<Role> {
    // "aug. 17"
    let dot = start.checked_sub(1).filter(|&dot| said.word(dot) == "." && said.is_glued(dot));
    let start = dot.unwrap_or(start);
    let from = start.saturating_sub(3);
    (from..start).find_map(|no| {
        let (words, role) = lang.number.before.at(said, no)?;
        (no + words == start).then_some(*role)
    })
}

/// The year of a date: "May 4, 2018", "19th of December of 2018".
fn is_year(said: &Said, numerals: &[Numeral], i: usize) -> bool {
    let (Some(year), Some(day)) = (numerals.get(i), i.checked_sub(1).and_then(|i| numerals.get(i))) else {
        return false;
    };
    let four = year.words.len() == 1 && said.word(year.words.start).len() == 4 && year.shape == Shape::Digits;
    let plausible = year.value >= Decimal::from(1900) && year.value < Decimal::from(2100);
    four && plausible && day.near == Near::Role(Role::Date) && year.words.start.saturating_sub(day.words.end) <= 1
}

fn neighbour(said: &Said, lang: &Language, numerals: &[Numeral], i: usize) -> Option<Near> {
    let numeral = numerals.get(i)?;
    let before = i.checked_sub(1).and_then(|i| numerals.get(i)).map(|other| (other.words.end, numeral.words.start));
    let after = numerals.get(i + 1).map(|other| (numeral.words.end, other.words.start));
    [before, after].into_iter().flatten().find_map(|(from, to)| match to.saturating_sub(from) {
        0 => Some(Near::Row),
        _ => joins_range(said, lang, from..to).then_some(Near::Range),
    })
}

/// Whether words make a range of the numbers before and behind them: a dash, "to", "or".
pub fn joins_range(said: &Said, lang: &Language, between: Range<usize>) -> bool {
    let dash = between.len() == 1 && matches!(said.word(between.start), "-" | "/");
    let joined = || lang.and_english().find_map(|lang| lang.number.range.at(said, between.start));
    !between.is_empty() && (dash || joined().is_some_and(|(words, ())| words == between.len()))
}

/// One of the ends of "between 2 and 4".
fn is_between(said: &Said, lang: &Language, numerals: &[Numeral], i: usize) -> bool {
    let between = |no: usize| {
        let term = |lang: &Language| {
            let phrases = lang.date.beginning_at(said, no);
            phrases.iter().any(|phrase| phrase.rest.is_empty() && phrase.term == Term::Mark(Mark::Between))
        };
        lang.and_english().any(term)
    };
    let and = |no: usize| {
        let atom = |lang: &Language| matches!(lang.number.atoms.at(said, no), Some((1, Atom::And)));
        lang.and_english().any(atom)
    };
    let ends = |first: usize| {
        let (Some(one), Some(two)) = (numerals.get(first), numerals.get(first + 1)) else { return false };
        let joined = one.words.end + 1 == two.words.start && and(one.words.end);
        let role = lang.and_english().any(|lang| lang.number.after.at(said, two.words.end).is_some());
        joined && !role && one.words.start.checked_sub(1).is_some_and(between)
    };
    ends(i) || i.checked_sub(1).is_some_and(ends)
}

/// One of the sides of "40 x 30 cm" or "40 x 30 x 20"; not the count of "2 x 5 kg".
fn is_side(said: &Said, lang: &Language, numerals: &[Numeral], i: usize) -> bool {
    const LENGTHS: [&str; 5] = ["mm", "cm", "m", "in", "ft"];
    let joined = |first: usize| {
        let (Some(one), Some(two)) = (numerals.get(first), numerals.get(first + 1)) else { return false };
        one.words.end + 1 == two.words.start && matches!(said.word(one.words.end), "x" | "×")
    };
    let first = (0..i).rev().take_while(|no| joined(*no)).last().unwrap_or(i);
    let last = (i..numerals.len()).find(|no| !joined(*no)).unwrap_or(i);
    let length = || {
        let Some(end) = numerals.get(last).map(|last| last.words.end) else { return false };
        lang.and_english()
            .any(|lang| lang.number.measure.said.at(said, end).is_some_and(|(_, unit)| LENGTHS.contains(&&**unit)))
    };
    last - first > 1 || last > first && length()
}

/// A number nobody counts to: a leading zero, or as long as a telephone number.
fn code(said: &Said, numeral: &Numeral) -> Option<Near> {
    const SHORTEST: usize = 7;
    let first = said.word(numeral.words.start);
    let digits = if matches!(first, "+" | "-") { said.word(numeral.words.start + 1) } else { first };
    let plus = first == "+";
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let led = digits.starts_with('0') || plus;
    match digits.len() {
        _ if !all_digits => None,
        SHORTEST.. if led => Some(Near::Dial),
        10.. => Some(Near::Code),
        len => (len > 1 && digits.starts_with('0')).then_some(Near::Code),
    }
}

/// "12 Baker Street", "via Roma 12": a street's word near by, with its name between.
fn in_street(said: &Said, start: usize, end: usize, lang: &Language) -> bool {
    let is_letters = |no: usize| class(said, no) == Some(Class::Letters);
    let names = |no: usize, after: bool| {
        lang.and_english().any(|lang| {
            let table = if after { &lang.number.after } else { &lang.number.before };
            table.at(said, no).is_some_and(|(_, role)| *role == Role::Address)
        })
    };
    let ahead = (end..end + 4).take_while(|&no| is_letters(no)).skip(1).any(|no| names(no, true));
    let behind = || (start.saturating_sub(4)..start).rev().take_while(|&no| is_letters(no)).any(|no| names(no, false));
    // "2317 South Street": people do not count so far.
    let numbered = || {
        let long = said.word(start).len() >= 3 && end == start + 1 && lang.code != "de";
        long && is_letters(end) && starts_upper(said, end)
    };
    let suffix = || {
        let word = start.checked_sub(1).map_or("", |no| said.plain(no));
        lang.number.compounds
            && ["strasse", "str", "weg", "platz", "gasse", "allee"].iter().any(|end| word.ends_with(end))
    };
    ahead || behind() || suffix() || numbered()
}

/// Whether a number word is the name of somebody whose given name stands before it: "Claudia Tausend".
fn is_surname(said: &Said, numeral: &Numeral) -> bool {
    let start = numeral.words.start;
    let Some(before) = start.checked_sub(1).filter(|_| numeral.words.len() == 1 && numeral.shape != Shape::Digits)
    else {
        return false;
    };
    starts_upper(said, start) && starts_upper(said, before) && is_given(said.plain(before))
}

/// Whether the word before is a name ("Terminal 3", "Boeing 747"): a capital in the middle of a sentence.
fn after_name(said: &Said, start: usize, lang: &Language) -> bool {
    // German writes every noun so.
    let Some(before) = start.checked_sub(1).filter(|_| lang.code != "de") else { return false };
    let sentence_start = before.checked_sub(1).is_none_or(|no| class(said, no) != Some(Class::Letters));
    starts_upper(said, before) && !sentence_start
}

/// A word with a capital only at its start.
fn starts_upper(said: &Said, no: usize) -> bool {
    let mut chars = said.raw.get(said.raw_words(no..no + 1)).unwrap_or_default().chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
}
