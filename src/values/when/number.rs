//! Small numbers, ordinals and years, in digits and words.

use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::number;
use formwright_lexicon::number::NumberWords;
use formwright_text::Class;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::Line;
use crate::reading::Context;

/// A word that numbers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Value(u32),
    Ordinal(u32),
    Hundred,
    Thousand,
}

impl Line<'_> {
    fn atom(&self, at: usize) -> Option<Atom> {
        self.pieces.get(at)?.atom
    }

    /// The piece behind "hundred", where it stands here.
    pub(crate) fn is_hundred(&self, at: usize) -> Option<usize> {
        (self.atom(at) == Some(Atom::Hundred)).then_some(at + 1)
    }

    /// A number below 100 in words, or an ordinal: whether it is one.
    fn small(&self, at: usize) -> Option<(usize, u32, bool)> {
        if let Some(found) = self.of_words(at) {
            return Some(found);
        }
        match self.atom(at)? {
            Atom::Ordinal(ones @ 1..=9) if self.cx.lang.number.and_prefix.is_some() => {
                let (end, tens) = self.tens_behind(at + 1).unwrap_or((at + 1, 0));
                Some((end, ones + tens, true))
            }
            Atom::Ordinal(n) => Some((at + 1, n, true)),
            Atom::Value(10) => Some(self.teens(at).unwrap_or((at + 1, 10, false))),
            Atom::Value(tens @ (20 | 30 | 40 | 50 | 60 | 70 | 80 | 90)) => {
                let ones = if self.text(at + 1) == "-" { at + 2 } else { self.skip(at + 1, &[Mark::And]) };
                Some(match self.atom(ones) {
                    Some(Atom::Value(n @ 1..=9)) => (ones + 1, tens + n, false),
                    Some(Atom::Ordinal(n @ 1..=9)) => (ones + 1, tens + n, true),
                    _ => (at + 1, tens, false),
                })
            }
            Atom::Value(ones @ 1..=9) if self.cx.lang.number.ones_first => {
                let (end, tens) = self.tens_behind(at + 1).unwrap_or((at + 1, 0));
                Some((end, ones + tens, false))
            }
            Atom::Value(n @ 0..100) => Some((at + 1, n, false)),
            Atom::Value(_) | Atom::Hundred | Atom::Thousand => None,
        }
    }

    /// The tens behind ones: "und zwanzig", "وعشرون".
    fn tens_behind(&self, at: usize) -> Option<(usize, u32)> {
        let numbers = &self.cx.lang.number;
        let and = self.mark(at, Mark::And);
        let tens = and.unwrap_or(at);
        let word = if and.is_some() { self.text(tens) } else { self.text(tens).strip_prefix(numbers.and_prefix?)? };
        match small_atom(*numbers.atoms.word(word)?)? {
            Atom::Value(n @ (20 | 30 | 40 | 50)) | Atom::Ordinal(n @ (20 | 30)) => Some((tens + 1, n)),
            _ => None,
        }
    }

    /// A number below 60 that "and" is written before: "وخمس وثلاثون".
    pub(crate) fn joined_number(&self, at: usize) -> Option<(usize, u32)> {
        let rest = self.text(at).strip_prefix(self.cx.lang.number.and_prefix?)?;
        let (more, atom) = self.cx.lang.number.atoms.led_by(rest, self.said, self.word_at(at) + 1)?;
        let end = at + 1 + more;
        match small_atom(*atom)? {
            Atom::Value(ones @ 1..=9) => {
                Some(self.tens_behind(end).map_or((end, ones), |(end, tens)| (end, tens + ones)))
            }
            Atom::Value(n @ 10..60) => Some((end, n)),
            _ => None,
        }
    }

    /// A number that is a phrase of the table: "خمسة عشر", "الحادي عشر".
    fn of_words(&self, at: usize) -> Option<(usize, u32, bool)> {
        let no = self.word_at(at);
        let (words, atom) = self.cx.lang.number.atoms.at(self.said, no).filter(|(words, _)| *words > 1)?;
        let end = at + words;
        // Pieces are words but for apostrophes and hyphens.
        let last = (self.pieces.get(end - 1)?.span.end, self.said.words.get(no + words - 1)?.span.end);
        match small_atom(*atom)? {
            Atom::Value(n @ 0..100) if last.0 == last.1 => Some((end, n, false)),
            Atom::Ordinal(n) if last.0 == last.1 => Some((end, n, true)),
            _ => None,
        }
    }

    /// "Dix-huit", "dix huit": ten and more in two words.
    fn teens(&self, at: usize) -> Option<(usize, u32, bool)> {
        let ones = if self.text(at + 1) == "-" { at + 2 } else { at + 1 };
        let Some(Atom::Value(7..=9)) = self.atom(ones) else { return None };
        let word = format!("{}-{}", self.text(at), self.text(ones));
        match small_atom(*self.cx.lang.number.atoms.word(&word)?) {
            Some(Atom::Value(n)) => Some((ones + 1, n, false)),
            _ => None,
        }
    }

    /// A number below 100 in words.
    pub(crate) fn words(&self, at: usize) -> Option<(usize, u32)> {
        self.small(at).filter(|(_, _, ordinal)| !ordinal).map(|(end, n, _)| (end, n))
    }

    /// A whole number in digits or words.
    pub(crate) fn cardinal(&self, at: usize) -> Option<(usize, u32)> {
        self.digits(at).map(|(n, _)| (at + 1, n)).or_else(|| self.words(at))
    }

    /// How many, in thousandths: digits with or without decimals, words, "a couple of".
    pub(crate) fn count(&self, at: usize) -> Option<(usize, i64)> {
        if let Some((n, _)) = self.digits(at) {
            if let Some(fraction) = self.fraction(at) {
                return Some(fraction);
            }
            let whole = i64::from(n) * 1000;
            let mark = matches!(self.text(at + 1), "." | ",") && self.glued(at + 1) && self.glued(at + 2);
            return Some(match self.digits(at + 2).filter(|(_, len)| mark && *len <= 3) {
                Some((part, len)) => (at + 3, whole + i64::from(part) * [1000, 100, 10].get(len).copied().unwrap_or(1)),
                None => (at + 1, whole),
            });
        }
        let word = self.words(at).map(|(end, n)| (end, i64::from(n) * 1000));
        let named = self.pick(at, |term| if let Term::Count(n) = term { Some(n) } else { None });
        word.into_iter().chain(named).max_by_key(|(end, _)| *end)
    }

    /// "½", "1½", "1 1/2", "3/4", in thousandths.
    fn fraction(&self, at: usize) -> Option<(usize, i64)> {
        let line = (at + 1..at + 3).find(|line| matches!(self.text(*line), "/" | "⁄") && self.glued(*line))?;
        let word = self
            .said
            .words
            .partition_point(|word| word.span.end <= self.pieces.get(at).map_or(0, |piece| piece.span.start));
        let numeral = crate::numeral::at(self.said, word, self.cx.lang, self.cx.region)?;
        let end = at + numeral.words.len();
        let thousandths = (numeral.value * Decimal::ONE_THOUSAND).round().to_i64()?;
        (end > line && numeral.value < Decimal::ONE_THOUSAND).then_some((end, thousandths))
    }

    /// A place in a row: "3rd", "third", and "3." where the language writes it so. Digits alone are none.
    pub(crate) fn ordinal(&self, at: usize) -> Option<(usize, u32)> {
        let Some((n, len)) = self.digits(at) else {
            return self.small(at).filter(|(_, _, ordinal)| *ordinal).map(|(end, n, _)| (end, n));
        };
        if len > 2 {
            return None;
        }
        if let Some(end) = self.mark(at + 1, Mark::Ordinal).filter(|_| self.glued(at + 1)) {
            return Some((end, n));
        }
        let dot = self.cx.lang.date.dot_ordinals && self.text(at + 1) == "." && self.glued(at + 1);
        dot.then_some((at + 2, n))
    }

    /// A day of the month, 1 to 31, with whether it is an ordinal.
    pub(crate) fn month_day(&self, at: usize) -> Option<(usize, u32, bool)> {
        let ordinal = self.ordinal(at).map(|(end, n)| (end, n, true));
        let digits = || self.digits(at).filter(|(_, len)| *len <= 2).map(|(n, _)| (at + 1, n, false));
        let words = || self.words(at).map(|(end, n)| (end, n, false));
        ordinal.or_else(digits).or_else(words).filter(|(_, n, _)| (1..=31).contains(n))
    }

    /// A year: four digits, `'27`, or words ("nineteen seventy eight", "two thousand and eighteen").
    pub(crate) fn year(&self, at: usize) -> Option<(usize, i16)> {
        if let Some((n, len)) = self.digits(at) {
            let bare = !(self.glued(at + 1) && self.class(at + 1) == Some(Class::Letters));
            let more =
                self.glued(at + 2) && matches!(self.text(at + 1), ":" | "." | ",") && self.digits(at + 2).is_some();
            return (len == 4 && bare && !more).then(|| i16::try_from(n).ok()).flatten().map(|year| (at + 1, year));
        }
        if self.text(at) == "'" && self.glued(at + 1) {
            let (n, _) = self.digits(at + 1).filter(|(_, len)| *len == 2)?;
            return Some((at + 2, self.short_year(n)));
        }
        let (end, high) = self.words(at)?;
        if self.atom(end) == Some(Atom::Thousand) {
            let low = self.skip(end + 1, &[Mark::And]);
            let (end, low) = self.words(low).unwrap_or((end + 1, 0));
            return i16::try_from(high * 1000 + low).ok().map(|year| (end, year));
        }
        let (end, low) = self.words(end).filter(|(_, low)| (10..100).contains(low) && (10..=21).contains(&high))?;
        i16::try_from(high * 100 + low).ok().map(|year| (end, year))
    }

    /// The year that two digits mean: from 80 years ago to 19 years ahead.
    pub(crate) fn short_year(&self, n: u32) -> i16 {
        let now = i32::from(self.today().year());
        let first = now - 80;
        let n = i32::try_from(n).unwrap_or(0);
        i16::try_from(first + (n - first).rem_euclid(100)).unwrap_or(self.today().year())
    }
}

/// What a word is to a number; English words count beside every language's own.
pub(crate) fn atom(word: &str, cx: &Context<'_>) -> Option<Atom> {
    cx.lang.and_english().find_map(|lang| {
        let atom = lang.number.atoms.word(word).and_then(|atom| small_atom(*atom));
        atom.or_else(|| lang.number.compounds.then(|| compound(word, &lang.number)).flatten())
    })
}

fn small_atom(atom: number::Atom) -> Option<Atom> {
    let whole = |n: Decimal| n.is_integer().then(|| n.to_u32()).flatten();
    match atom {
        number::Atom::Value(n) => whole(n).map(Atom::Value),
        number::Atom::Ordinal(n) => whole(n).map(Atom::Ordinal),
        number::Atom::Scale(n) if n == Decimal::ONE_HUNDRED => Some(Atom::Hundred),
        number::Atom::Scale(n) if n == Decimal::ONE_THOUSAND => Some(Atom::Thousand),
        _ => None,
    }
}

/// "einundzwanzig", "ventidue": ones and tens in one word.
fn compound(word: &str, numbers: &NumberWords) -> Option<Atom> {
    let known = |part: &str| numbers.atoms.word(part).and_then(|atom| small_atom(*atom));
    if let Some((ones, tens)) = word.split_once("und").filter(|_| numbers.ones_first) {
        let (Some(Atom::Value(ones @ 1..=9)), Some(tens)) = (known(ones), known(tens)) else { return None };
        return match tens {
            Atom::Value(tens @ 20..100) => Some(Atom::Value(tens + ones)),
            Atom::Ordinal(tens @ 20..100) => Some(Atom::Ordinal(tens + ones)),
            _ => None,
        };
    }
    numbers.stems.iter().find_map(|(stem, tens)| {
        let Atom::Value(tens @ 20..100) = small_atom(*tens)? else { return None };
        let rest = word.strip_prefix(&**stem)?;
        // A stem has lost its last vowel, which it keeps before a consonant.
        let shorter = rest.char_indices().nth(1).and_then(|(at, _)| rest.get(at..));
        match known(rest).or_else(|| known(shorter?))? {
            Atom::Value(ones @ 1..=9) => Some(Atom::Value(tens + ones)),
            _ => None,
        }
    })
}
