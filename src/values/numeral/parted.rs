//! A number around what it measures: "two kilos and a half", "a year and a half", "tre chili e mezzo", "سنة ونصف".

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::number::{Atom, Role};
use formwright_text::{Class, Said};
use rust_decimal::Decimal;

use super::{Near, Numeral, Shape};

/// A number with the part of one that is said behind its unit, where there is one.
pub(crate) fn lengthen(said: &Said, lang: &Language, mut numeral: Numeral) -> Numeral {
    if matches!(numeral.shape, Shape::Digits | Shape::Words | Shape::Doubtful)
        && numeral.value.is_integer()
        && !numeral.value.is_sign_negative()
        && let Some((end, part)) = behind_unit(said, numeral.words.end, lang)
        && let Some(value) = numeral.value.checked_add(part)
    {
        (numeral.words.end, numeral.value, numeral.other) = (end, value.normalize(), None);
        if numeral.shape == Shape::Doubtful {
            numeral.shape = Shape::Words;
        }
    }
    numeral
}

/// "A year and a half", "litro y medio", "سنة ونصف": one of what is measured, and its part.
pub(crate) fn of_one(said: &Said, no: usize, lang: &Language) -> Option<Numeral> {
    let article = lang.and_english().find_map(|lang| match lang.number.atoms.at(said, no) {
        Some((words, Atom::Article)) => Some(words),
        _ => None,
    });
    let start = no + article.unwrap_or(0);
    if article.is_none() && lang.number.and_prefix.is_none() && !is_singular(said.plain(start), lang) {
        return None;
    }
    let (end, part) = behind_unit(said, start, lang)?;
    let value = Decimal::ONE.checked_add(part)?.normalize();
    Some(Numeral { words: no..end, value, other: None, shape: Shape::Words, near: Near::Alone })
}

/// Whether a unit that is said without an article is one: "chilo e mezzo"; not the "chili" of "qualche chilo", nor a letter.
fn is_singular(plain: &str, lang: &Language) -> bool {
    const SHORTEST: usize = 3;
    let several = || lang.number.several_endings.iter().any(|ending| plain.ends_with(ending.as_str()));
    plain.len() >= SHORTEST && !several()
}

/// Whether a number is the half of something that nobody has counted: "paquete y medio", "una taza y media"; not the half of
/// "two kilos and half a litre". `counted` is where the number before it ends.
pub(crate) fn is_of_other(said: &Said, numeral: &Numeral, counted: Option<usize>, lang: &Language) -> bool {
    let Range { start, end } = numeral.words.clone();
    let atom = |no: usize, is: fn(&Atom) -> bool| {
        lang.and_english()
            .any(|lang| lang.number.atoms.at(said, no).is_some_and(|(words, atom)| words == 1 && is(atom)))
    };
    let letters = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    let half = numeral.value < Decimal::ONE && atom(start, |atom| matches!(atom, Atom::Fraction(_)));
    let noun = start.checked_sub(2).filter(|no| letters(*no) && counted != Some(*no));
    let of = || lang.and_english().any(|lang| lang.number.of.starts(said, end));
    half && noun.is_some() && atom(start - 1, |atom| matches!(atom, Atom::And)) && (!letters(end) || of())
}

/// Whether a number has its unit within it.
pub(crate) fn is(said: &Said, lang: &Language, numeral: &Numeral) -> bool {
    let inside = numeral.words.start..numeral.words.end.saturating_sub(1);
    !numeral.value.is_integer() && inside.into_iter().any(|no| unit(said, no, lang).is_some())
}

/// "Kilos and a half" at a word: one past it, and the part.
fn behind_unit(said: &Said, no: usize, lang: &Language) -> Option<(usize, Decimal)> {
    let end = no + unit(said, no, lang)?;
    lang.and_english().find_map(|lang| half(said, end, lang))
}

/// How many words of what numbers measure in start at a word.
fn unit(said: &Said, no: usize, lang: &Language) -> Option<usize> {
    let of_number = |lang: &Language| match lang.number.after.at(said, no) {
        Some((words, Role::Unit)) => Some(words),
        _ => None,
    };
    let measure = |lang: &Language| lang.number.measure.said.at(said, no).map(|(words, _)| words);
    lang.and_english().find_map(|lang| measure(lang).max(of_number(lang)))
}

/// "And a half" at a word: one past it, and what it adds.
fn half(said: &Said, no: usize, lang: &Language) -> Option<(usize, Decimal)> {
    let atom = |no: usize| lang.number.atoms.at(said, no);
    if let Some(word) = lang.number.and_prefix.and_then(|prefix| said.plain(no).strip_prefix(prefix))
        && let Some(Atom::Fraction(part)) = lang.number.atoms.word(word)
    {
        return Some((no + 1, *part));
    }
    let (and, Atom::And) = atom(no)? else { return None };
    let article = match atom(no + and) {
        Some((words, Atom::Article)) => words,
        _ => 0,
    };
    let (words, Atom::Fraction(part)) = atom(no + and + article)? else { return None };
    let end = no + and + article + words;
    // "Two kilos and half a dozen eggs", "un kilo y medio litro", "3 kg and half of that".
    let goes_on = matches!(atom(end), Some((_, Atom::Article | Atom::Collective(_) | Atom::Scale(_))))
        || unit(said, end, lang).is_some();
    (!goes_on && !lang.number.of.starts(said, end)).then_some((end, *part))
}

#[cfg(test)]
mod tests {
    use formwright_text::Said;
    use rstest::rstest;

    use crate::numeral::all;
    use crate::testing;

    #[rstest]
    #[case("en", "about a year and a half", &["1.5"])]
    #[case("en", "2 kilos and a half", &["2.5"])]
    #[case("en", "two metres and a quarter of it", &["2", "0.25"])]
    #[case("en", "two kilos and half a dozen eggs", &["2", "6"])]
    #[case("it", "tre chili e mezzo", &["3.5"])]
    #[case("it", "un anno e mezzo", &["1.5"])]
    #[case("it", "litro e mezzo", &["1.5"])]
    #[case("it", "un pacco e mezzo", &["1", "0.5"])]
    #[case("es", "más o menos litro y medio", &["1.5"])]
    #[case("es", "varios kilos y medio", &[])]
    #[case("es", "saco y medio", &[])]
    #[case("es", "saco y medio de arena", &[])]
    #[case("es", "un kilo y medio litro", &["1", "0.5"])]
    #[case("fr", "kilo et demi", &["1.5"])]
    #[case("en", "kilo and a half", &["1.5"])]
    #[case("en", "an hour and half a dozen eggs", &["6"])]
    #[case("es", "cuatro kilos y medio", &["4.5"])]
    #[case("fr", "deux ans et demi", &["2.5"])]
    #[case("ar", "سنة ونصف", &["1.5"])]
    fn what_is_said_behind_the_unit_belongs_to_the_number(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &[&str],
    ) {
        let said = Said::new(said);
        let found: Vec<String> =
            all(&said, &testing::cx(lang)).iter().map(|found| found.value.normalize().to_string()).collect();
        assert_eq!(found, expected);
    }
}
