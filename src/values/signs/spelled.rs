//! Telephone numbers said digit by digit: "oh two oh, seven nine double four, six oh one eight".

use std::ops::Range;

use formwright_lexicon::number::Atom;
use formwright_lexicon::spoken::Mark;
use formwright_text::{Class, Said};
use rust_decimal::prelude::ToPrimitive as _;

use super::dial::Dial;
use crate::reading::Context;

/// Fewest digits in words that make such a number: a few are an amount or a count.
const FEWEST: usize = 5;
/// Fewest and most digits of such a number.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// Such numbers of a message: their words and what they dial.
pub fn numbers(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Dial)> {
    let mut found = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        match at(said, cx, no) {
            Some((end, dial)) => {
                found.push((no..end, dial));
                no = end;
            }
            None => no += 1,
        }
    }
    found
}

/// The number that starts at a word, and the word behind it.
fn at(said: &Said, cx: &Context<'_>, from: usize) -> Option<(usize, Dial)> {
    let plus = cx.lang.and_english().filter_map(|lang| lang.spoken.marks.at(said, from));
    let plus = plus.filter(|(_, mark)| **mark == Mark::Plus).map(|(len, _)| len).max().unwrap_or(0);
    let (mut digits, mut spelled, mut end) = (String::new(), 0, from + plus);
    let mut no = end;
    while let Some((len, said_digits, in_words)) = digit(said, cx, no) {
        digits.push_str(&said_digits);
        spelled += in_words;
        no += len;
        end = no;
        while matches!(said.word(no), "," | "-" | "." | "،") && digit(said, cx, no + 1).is_some() {
            no += 1;
        }
    }
    let few = spelled < FEWEST || !DIGITS.contains(&digits.len());
    (!few).then_some((end, Dial { digits, international: plus > 0, extension: None }))
}

/// The digits at a word: how many words tell them, which they are, and how many of them are in words.
fn digit(said: &Said, cx: &Context<'_>, no: usize) -> Option<(usize, String, usize)> {
    let word = said.words.get(no)?;
    if word.class == Class::Digits {
        return Some((1, said.word(no).to_owned(), 0));
    }
    let repeats = cx.lang.and_english().find_map(|lang| lang.spoken.repeats.at(said, no));
    let (lead, times) = repeats.map_or((0, 1), |(len, times)| (len, *times));
    let at = no + lead;
    let one = |digit: String| (lead + 1, digit.repeat(times), times);
    if cx.lang.and_english().any(|lang| lang.spoken.zero.word_at(said, at).is_some()) {
        return Some(one("0".to_owned()));
    }
    let atom = cx.lang.and_english().find_map(|lang| lang.number.atoms.word_at(said, at))?;
    let Atom::Value(value) = atom else { return None };
    let digit = value.to_u32().filter(|digit| *digit < 10 && value.is_integer())?;
    Some(one(digit.to_string()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::cx;

    #[rstest]
    #[case("en", "it's oh two oh, seven nine double four, six oh one eight", Some("02079446018"))]
    #[case("en", "five five five 0 one nine eight", Some("5550198"))]
    #[case("en", "two or three of us at five", None)]
    #[case("en", "one two three", None)]
    #[case("it", "tre quattro sette uno due tre quattro cinque sei", Some("347123456"))]
    #[case("de", "null drei null eins zwei drei vier fünf", Some("03012345"))]
    #[case("fr", "zéro un deux trois quatre cinq six sept", Some("01234567"))]
    #[case("es", "seis uno dos tres cuatro cinco seis siete ocho", Some("612345678"))]
    fn numbers_are_said_digit_by_digit(#[case] lang: &'static str, #[case] said: &str, #[case] digits: Option<&str>) {
        let found = numbers(&Said::new(said), &cx(lang));
        assert_eq!(found.first().map(|(_, dial)| dial.digits.as_str()), digits, "{said}");
    }
}
