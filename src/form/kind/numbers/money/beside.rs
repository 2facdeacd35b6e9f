//! What stands beside an amount and belongs to it: hundredths, scales, a sign.

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::number::Atom;
use formwright_text::{Class, Said};
use formwright_values::numeral::{Numeral, Shape};
use formwright_values::{Context, Value, currency, numeric};
use rust_decimal::Decimal;

use super::Money;

/// One past the words for hundredths at a word, and of which currency, `¢` of any: "cents", "pence"; single letters only
/// right behind the number.
pub(crate) fn cents_at<'a>(said: &Said, no: usize, cx: &Context<'a>) -> Option<(usize, &'a str)> {
    if said.word(no) == "¢" {
        return Some((no + 1, "¢"));
    }
    let (words, of) = cx.lang.and_english().find_map(|lang| lang.number.cents.at(said, no))?;
    let closed = said.word(no).len() > 1
        || said.is_glued(no)
        || ends_here(said, no + words)
        || is_polite(said, no + words, cx.lang);
    closed.then_some((no + words, of.as_str()))
}

/// The hundredths that a number ends in where it took their word for a hundred: how many, and of which currency. "Quarante-cinq
/// cents" are 45 of them, "douze cents" may as well be twelve hundred.
pub(crate) fn cents_within<'a>(said: &Said, numeral: &Numeral, cx: &Context<'a>) -> Option<(Decimal, &'a str)> {
    let last = numeral.words.end.checked_sub(1).filter(|last| *last > numeral.words.start)?;
    let (_, of) = cx.lang.number.cents.at(said, last).filter(|(words, _)| *words == 1)?;
    let count = numeral.value.checked_div(Decimal::ONE_HUNDRED)?;
    (count.is_integer() && count > Decimal::ZERO && count < Decimal::ONE_HUNDRED).then_some((count, of.as_str()))
}

/// An amount in a code with a scale: `30 MUSD`, `MEUR 5`.
pub(crate) fn scaled(said: &Said, number: &Range<usize>, amount: Decimal) -> Option<(Range<usize>, Value)> {
    let after = currency::scaled_at(said, number.end).map(|found| (number.start..number.end + 1, found));
    let before = || {
        let at = number.start.checked_sub(1)?;
        Some((at..number.end, currency::scaled_at(said, at)?))
    };
    let (words, (scale, code)) = after.or_else(before)?;
    Some((words, Money::value(amount.checked_mul(scale)?, code)))
}

/// Whether a currency belongs to the digits glued behind it: "3 $50 cards".
pub(crate) fn leads(said: &Said, no: usize, words: usize) -> bool {
    let behind = said.words.get(no + words).is_some_and(|word| word.class == Class::Digits);
    behind && said.is_glued(no + words) && !said.is_glued(no)
}

/// The hundredths after an amount with its currency: "and 50 cents", "e 50", the `50` of `12€50` and of "12 euro 50".
/// A bare number is one only where the currency stands before it (`after_currency`), or ends the answer: "$20 43".
pub(crate) fn hundredths(
    said: &Said,
    cx: &Context<'_>,
    next: Option<&Numeral>,
    amount: Range<usize>,
    after_currency: bool,
) -> Option<(usize, Decimal)> {
    let end = amount.end;
    // "e venti", "con cincuenta".
    let joined = cx.lang.and_english().find_map(|lang| {
        let (words, atom) = lang.number.atoms.at(said, end)?;
        matches!(atom, Atom::And | Atom::Point).then_some(end + words)
    });
    let start = joined.unwrap_or(end);
    if let Some((count, _)) =
        next.filter(|next| next.words.start == start).and_then(|next| cents_within(said, next, cx))
    {
        return Some((next?.words.end, count.checked_mul(Decimal::new(1, 2))?));
    }
    let next = next.filter(|next| next.value > Decimal::ZERO && next.value < Decimal::ONE_HUNDRED)?;
    if next.words.start != start || currency::at(said, next.words.end, cx.lang).is_some() {
        return None;
    }
    if !next.value.is_integer() {
        // "un euro e venti centesimi", "a dollar and a half".
        let spoken = matches!(next.shape, Shape::Words | Shape::Doubtful);
        let told = joined.is_some() && spoken && next.value < Decimal::ONE;
        let whole =
            next.value.scale() <= 2 && (ends_here(said, next.words.end) || is_polite(said, next.words.end, cx.lang));
        return (told && whole).then_some((next.words.end, next.value));
    }
    let cents = cents_at(said, next.words.end, cx);
    let two_digits = next.words.len() == 1 && said.word(start).len() == 2 && next.shape == Shape::Digits;
    let told = tells_when(said, next.words.end, cx.lang) || is_polite(said, next.words.end, cx.lang);
    let at_end = told || ends_here(said, next.words.end);
    let part = next.value.checked_mul(Decimal::new(1, 2))?;
    match cents {
        Some((to, _)) => Some((to, part)),
        None if !after_currency && joined.is_none() && two_digits => {
            numeric::is_all(said, cx.lang, &(amount.start..next.words.end)).then_some((next.words.end, part))
        }
        None if !after_currency => None,
        None if two_digits && at_end => Some((next.words.end, part)),
        None if at_end && next.shape == Shape::Words && next.value >= Decimal::TEN => Some((next.words.end, part)),
        None => None,
    }
}

/// Whether a message or clause ends before a word.
pub(crate) fn ends_here(said: &Said, no: usize) -> bool {
    matches!(said.word(no), "" | "." | "," | ";" | "!" | "?" | ")" | ":")
}

/// Whether nothing but thanks and the like follows from a word on.
fn is_polite(said: &Said, no: usize, lang: &Language) -> bool {
    let follows = |lang: &Language| {
        lang.sentence.courtesy.at(said, no).is_some() || lang.filler.is_all(said, no..said.words.len())
    };
    lang.and_english().any(follows)
}

/// Whether a word begins to tell when or what for, and so counts nothing: "12 euros 50 tomorrow".
pub(crate) fn tells_when(said: &Said, no: usize, lang: &Language) -> bool {
    let telling = |term: &Term| {
        matches!(
            term,
            Term::Day(_) | Term::DayPart(..) | Term::Weekday(_) | Term::Mark(Mark::On | Mark::For | Mark::At)
        )
    };
    let mut terms = lang.and_english().flat_map(|lang| lang.date.beginning_at(said, no));
    terms.any(|phrase| phrase.rest.is_empty() && telling(&phrase.term))
}

/// `$2m`, `€3b`, `$1.2T`: scales that only a currency before the number tells from units.
pub(crate) fn glued_scale(said: &Said, no: usize) -> Option<Decimal> {
    // "USD 1.5 mn", but "$ 5 m" is left alone.
    let apart = !said.is_glued(no) && said.word(no).len() < 2;
    if apart || said.is_glued(no + 1) && !ends_here(said, no + 1) {
        return None;
    }
    scale_of(said.word(no))
}

/// `5m euros`, "5 mn dollars": scales that only the currency behind them tells from units.
pub(crate) fn scale_before_currency(said: &Said, no: usize, lang: &Language) -> Option<Decimal> {
    let scale = scale_of(said.word(no))?;
    let spelled = said.words.get(no + 1).is_some_and(|word| word.class == Class::Letters);
    (currency::at(said, no + 1, lang).is_some() && !(spelled && said.is_glued(no + 1))).then_some(scale)
}

/// What letters behind an amount of money count.
fn scale_of(letters: &str) -> Option<Decimal> {
    let scale: i64 = match letters {
        "m" | "mm" | "mn" => 1_000_000,
        "b" => 1_000_000_000,
        // Of rupees.
        "l" => 100_000,
        "t" | "tn" | "trn" => 1_000_000_000_000,
        _ => return None,
    };
    Some(Decimal::from(scale))
}

/// The minus sign right before a currency sign.
pub(crate) fn minus_before(said: &Said, no: usize) -> Option<usize> {
    let minus = no.checked_sub(1).filter(|&minus| said.word(minus) == "-" && said.is_glued(no))?;
    (!said.is_glued(minus)).then_some(minus)
}

/// Whether all that is said is a number of something that is no money known here, "100 zorkmids", or a word between a number
/// and its currency tells of another: "100 ruritanische Kronen".
pub(crate) fn is_of_unknown_unit(said: &Said, lang: &Language, number: &Range<usize>) -> bool {
    const SHORTEST: usize = 4;
    let no = number.end;
    let word = said.plain(no);
    let letters = said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    let joint = |lang: &Language| lang.filler.words_at(said, no) > 0 || lang.sentence.stop.word(word).is_some();
    if letters && currency::at(said, no + 1, lang).is_some() && !lang.and_english().any(joint) {
        return true;
    }
    let several = |lang: &Language| lang.number.plural.iter().any(|end| word.ends_with(end.as_str()));
    let known = |lang: &Language| {
        lang.option.common.word(word).is_some()
            || lang.sentence.stop.word(word).is_some()
            || lang.number.atoms.word(word).is_some()
            || lang.filler.words_at(said, no) > 0
    };
    letters
        && word.chars().count() >= SHORTEST
        && lang.and_english().any(several)
        && !lang.and_english().any(known)
        && numeric::is_all(said, lang, &(number.start..no + 1))
}
