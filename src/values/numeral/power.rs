//! Powers behind digits: `1.3x10^6`, `12e-1`, `2^10`.

use formwright_text::{Class, Said};
use rust_decimal::Decimal;

use super::sum::rounded;

/// Greatest exponent that is worked out.
const MOST: u32 = 64;

/// One past the power that goes on a number, and its value.
pub(crate) fn at(said: &Said, to: usize, number: Decimal) -> Option<(usize, Decimal)> {
    let caret = |no: usize| said.word(no) == "^" && said.is_glued(no);
    match said.word(to) {
        "e" if said.is_glued(to) => {
            let (end, n) = exponent(said, to + 1)?;
            Some((end, number.checked_mul(power(Decimal::TEN, n)?).map(rounded)?))
        }
        "x" | "×" | "*" if said.word(to + 1) == "10" && caret(to + 2) => {
            let (end, n) = exponent(said, to + 3)?;
            Some((end, number.checked_mul(power(Decimal::TEN, n)?).map(rounded)?))
        }
        "^" if said.is_glued(to) => {
            let (end, n) = exponent(said, to + 1)?;
            Some((end, rounded(power(number, n)?)))
        }
        _ => None,
    }
}

/// A whole number glued to what stands before it, with or without a sign: one past it.
fn exponent(said: &Said, no: usize) -> Option<(usize, i64)> {
    let signed = matches!(said.word(no), "+" | "-");
    let at = no + usize::from(signed);
    let word = said.words.get(at).filter(|word| word.class == Class::Digits && word.span.len() <= 2)?;
    let glued = (no..=at).all(|no| said.is_glued(no));
    let ends = !said.is_glued(at + 1)
        || said.words.get(at + 1).is_some_and(|next| next.class == Class::Mark && !said.is_glued(at + 2));
    let n: i64 = said.text(word.span.clone()).parse().ok()?;
    (glued && ends).then_some((at + 1, if said.word(no) == "-" { -n } else { n }))
}

fn power(base: Decimal, exponent: i64) -> Option<Decimal> {
    let times = u32::try_from(exponent.unsigned_abs()).ok().filter(|times| *times <= MOST)?;
    let value = (0..times).try_fold(Decimal::ONE, |value, _| value.checked_mul(base))?;
    if exponent < 0 { Decimal::ONE.checked_div(value) } else { Some(value) }
}
