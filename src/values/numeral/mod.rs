//! Numbers in a message: in digits of either convention, in words, and mixed ("1.5 million").
//!
//! [`all`] reads a message once for every field that wants numbers. What surrounds a number ("at", "pm", "kg", "%",
//! a street's name) is told by [`Near`]; what follows from that is for the field kinds to say. Ordinals are kept apart
//! by [`Shape::Ordinal`].

mod digits;
mod near;
mod parted;
mod power;
mod spoken;
mod sum;

use std::borrow::Cow;
use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;
use formwright_text::{Class, Said};
use rust_decimal::Decimal;

use super::currency;
use crate::reading::Context;
use crate::signs::dial;
pub use near::{Near, each_at, joins_range};
pub use sum::rounded;

/// A number in a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Numeral {
    /// Which words of [`Said::words`] it is made of; sign and scale included, units and currencies not.
    pub words: Range<usize>,
    /// Its value.
    pub value: Decimal,
    /// What the same digits mean where the other decimal mark is used (`1.234`); none where only one reading is possible.
    pub other: Option<Decimal>,
    /// How it is written.
    pub shape: Shape,
    /// What stands beside it.
    pub near: Near,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Digits, perhaps with a scale: `12`, `1.5 million`, `2k`.
    Digits,
    /// Words that mean nothing else: "twenty-one", "half a dozen".
    Words,
    /// A word that is more often no number: "one", "una", "sei".
    Doubtful,
    /// `3/4`, which may be a date or points out of others too: over and under the line.
    Fraction(u32, u32),
    /// A place in a row: "third", `3rd`.
    Ordinal,
}

/// Every number of a message, left to right, none overlapping.
///
/// The first call for a message does the work; later ones in the same language are free.
pub fn all<'s>(said: &'s Said, cx: &Context<'_>) -> Cow<'s, [Numeral]> {
    let key = (cx.lang.code, cx.lang.number.decimal_mark(cx.region));
    let known = said.numerals.get_or_keep(|| Known { key, numerals: scan(said, cx.lang, cx.region) });
    match known.filter(|known| known.key == key) {
        Some(known) => Cow::Borrowed(&known.numerals),
        None => Cow::Owned(scan(said, cx.lang, cx.region)),
    }
}

/// The number that starts at a word, the longest there is, whatever surrounds it ([`Numeral::near`] is not looked for).
pub fn at(said: &Said, no: usize, lang: &Language, region: Option<&str>) -> Option<Numeral> {
    let point = lang.number.decimal_mark(region);
    digit_numeral(said, no, lang, point).or_else(|| {
        let (to, mut spoken) = lang.and_english().find_map(|lang| Some((lang, spoken::at(said, no, lang)?)))?;
        scale_up(said, lang, &mut spoken);
        let shape = match to.number.doubtful.at(said, no) {
            _ if spoken.ordinal => Shape::Ordinal,
            Some((words, ())) if no + words == spoken.to => Shape::Doubtful,
            _ => Shape::Words,
        };
        Some(Numeral { words: no..spoken.to, value: spoken.value, other: None, shape, near: Near::Alone })
    })
}

/// Takes in a scale that is commonly written behind digits: "three hundred mln".
fn scale_up(said: &Said, lang: &Language, spoken: &mut spoken::Spoken) {
    let to = spoken.to;
    let scale = lang.and_english().find_map(|lang| lang.number.suffixes.at(said, to));
    let Some((words, scale)) = scale.filter(|_| !spoken.ordinal && said.plain(to).len() > 1 && !said.is_glued(to))
    else {
        return;
    };
    if let Some(value) = spoken.value.checked_mul(*scale) {
        (spoken.value, spoken.to) = (value, to + words);
    }
}

/// The numbers found in a message, kept with it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    key: (&'static str, char),
    numerals: Vec<Numeral>,
}

fn scan(said: &Said, lang: &Language, region: Option<&str>) -> Vec<Numeral> {
    let mut numerals: Vec<Numeral> = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        let found = at(said, no, lang, region).map(|numeral| parted::lengthen(said, lang, numeral));
        // The unit behind a number is not one more.
        let counted = numerals.last().map(|last| last.words.end);
        let of_one = || parted::of_one(said, no, lang).filter(|_| counted != Some(no));
        if let Some(numeral) = found.or_else(of_one) {
            // The "cent" of "pour cent" is no other one.
            no = numeral.words.end + near::percent_at(said, numeral.words.end, lang).unwrap_or(0);
            if !is_uncounted(said, &numeral, lang) && !parted::is_of_other(said, &numeral, counted, lang) {
                numerals.push(numeral);
            }
        } else {
            no = digits::run_end(said, no).max(no + 1);
        }
    }
    let dialled = if numerals.len() > 1 { dial::dialled(said) } else { Vec::new() };
    for i in 0..numerals.len() {
        let near = near::near(said, lang, &numerals, i, &dialled);
        if let Some(numeral) = numerals.get_mut(i) {
            numeral.near = near;
        }
    }
    numerals
}

/// Whether a number is a scale that nobody has counted: "a few hundred", "thousands of euros".
fn is_uncounted(said: &Said, numeral: &Numeral, lang: &Language) -> bool {
    const LONGEST: usize = 3;
    let start = numeral.words.start;
    let scale = |lang: &Language| matches!(lang.number.atoms.at(said, start), Some((_, Atom::Scale(_))));
    let ends_here = |lang: &Language, no: usize| {
        lang.number.uncounted.at(said, no).is_some_and(|(words, ())| no == start || no + words == start)
    };
    let uncounted = |lang: &Language| (start.saturating_sub(LONGEST)..=start).any(|no| ends_here(lang, no));
    numeral.shape == Shape::Words && lang.and_english().any(scale) && lang.and_english().any(uncounted)
}

/// A number that starts with a digit or a sign before digits.
fn digit_numeral(said: &Said, start: usize, lang: &Language, point: char) -> Option<Numeral> {
    let (no, negative) = if is_sign(said, start) { (start + 1, said.word(start) == "-") } else { (start, false) };
    let spaces =
        lang.number.space_groups || digits::spaced_end(said, no).is_some_and(|end| is_priced(said, no, end, lang));
    let read = digits::at(said, no, point, spaces)?;
    let mut numeral = Numeral {
        words: start..read.to,
        value: read.value,
        other: read.other,
        shape: read.fraction.map_or(Shape::Digits, |(over, under)| Shape::Fraction(over, under)),
        near: Near::Alone,
    };
    if let Some((end, value)) = spaced_point(said, no, &numeral, lang).filter(|_| point == '.') {
        (numeral.words.end, numeral.value, numeral.other) = (end, value, None);
    }
    if numeral.shape == Shape::Digits {
        match power::at(said, read.to, read.value) {
            Some((to, value)) => (numeral.words.end, numeral.value, numeral.other) = (to, value, None),
            None => grow(said, lang, &mut numeral),
        }
    }
    if negative {
        numeral.value = -numeral.value;
        numeral.other = numeral.other.map(|other| -other);
    }
    Some(numeral)
}

/// The decimals of "$ 7 . 57" and "59 . 2 %", as texts that were cut into words have them; a full stop elsewhere.
fn spaced_point(said: &Said, no: usize, numeral: &Numeral, lang: &Language) -> Option<(usize, Decimal)> {
    let (point, end) = (numeral.words.end, numeral.words.end + 2);
    let apart = said.word(point) == "." && !said.is_glued(point) && !said.is_glued(point + 1);
    if !apart || !numeral.value.is_integer() || said.words.get(point + 1)?.class != Class::Digits {
        return None;
    }
    let scale = || lang.and_english().any(|lang| matches!(lang.number.atoms.at(said, end), Some((_, Atom::Scale(_)))));
    let measured = near::percent_at(said, end, lang).is_some() || is_priced(said, no, end, lang) || scale();
    let part: Decimal = format!("0.{}", said.word(point + 1)).parse().ok().filter(|_| measured)?;
    Some((end, numeral.value.checked_add(part)?))
}

/// Takes in what follows digits: "k", "th", "million", "and a half", "dozen".
fn grow(said: &Said, lang: &Language, numeral: &mut Numeral) {
    let to = numeral.words.end;
    for lang in lang.and_english() {
        let words = &lang.number;
        // "12 cents" in French are no hundreds.
        let hundred = |no| matches!(words.atoms.at(said, no), Some((1, Atom::Scale(_))));
        if words.cents.at(said, to).is_some() && hundred(to) && !hundred(to + 1) {
            continue;
        }
        let spoken = spoken::after(said, to, numeral.value, lang);
        if let Some((count, scale)) = words.suffixes.at(said, to)
            && (said.is_glued(to) || said.plain(to).len() > 1 || !is_letters(said, to + count))
            && !(said.is_glued(to + count) && is_letters(said, to + count))
            && let Some(value) = numeral.value.checked_mul(*scale)
            && spoken.as_ref().is_none_or(|spoken| spoken.to <= to + count)
        {
            // A scale settles what `1.234` means: nobody writes thousands of thousands so.
            (numeral.value, numeral.other, numeral.words.end) = (value, None, to + count);
            return;
        }
        // `10M` is ten million, `10m` ten metres.
        if said.is_glued(to)
            && said.word(to) == "m"
            && !said.words.get(to + 1).is_some_and(|next| next.class == Class::Digits && said.is_glued(to + 1))
            && said.raw.get(said.raw_words(to..to + 1)) == Some("M")
            && let Some(value) = numeral.value.checked_mul(Decimal::from(1_000_000))
        {
            (numeral.value, numeral.other, numeral.words.end) = (value, None, to + 1);
            return;
        }
        if said.is_glued(to) && numeral.value.is_integer() && words.ordinal_suffixes.at(said, to).is_some() {
            numeral.shape = Shape::Ordinal;
            numeral.words.end = to + 1;
            return;
        }
        if let Some(spoken) = spoken {
            (numeral.value, numeral.other, numeral.words.end) = (spoken.value, None, spoken.to);
            return;
        }
    }
}

/// Whether digits stand beside a currency: "1 200 €", "1 200 euros" is one amount in every language.
fn is_priced(said: &Said, start: usize, end: usize, lang: &Language) -> bool {
    currency::at(said, end, lang).is_some()
        || start.checked_sub(1).is_some_and(|before| currency::is_written(said, before))
}

fn is_letters(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Letters)
}

/// Whether a word is the sign of the number behind it: "-3", "− 3" written with a true minus; no dash, hyphen or bullet.
/// A hyphen with a space behind it is one where nothing but the number follows.
pub fn is_sign(said: &Said, no: usize) -> bool {
    if !matches!(said.word(no), "-" | "+") || !is_free(said, no) {
        return false;
    }
    let is_digits = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Digits);
    let opens = no == 0 || matches!(said.word(no - 1), ":" | "=");
    let minus = said.raw.get(said.raw_words(no..no + 1)) == Some("\u{2212}") && !(no > 0 && is_digits(no - 1));
    let number = |no: usize| is_digits(no) || matches!(said.word(no), "," | ".") && said.is_glued(no);
    let apart = minus || said.word(no) == "-" && opens && (no + 1..said.words.len()).all(number);
    said.is_glued(no + 1) && no + 1 < said.words.len() || apart && is_digits(no + 1)
}

/// Whether a sign at a word is no hyphen: nothing before it, a space, or an opening mark.
fn is_free(said: &Said, no: usize) -> bool {
    !said.is_glued(no)
        || matches!(no.checked_sub(1).map(|before| said.word(before)), Some("(" | "=" | ":" | "$" | "€" | "£"))
}

#[cfg(test)]
mod tests;
