//! Amounts in other words than a number and its currency: "a dollar", "a buck fifty", "twenty four fifty", "five-dollar".

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;
use formwright_text::Said;
use formwright_values::numeral::{Numeral, Shape};
use formwright_values::{Context, Found, Reading, Strength, Value, currency, numeral, numeric};
use rust_decimal::Decimal;

use super::Money;
use super::beside::hundredths;

impl Money {
    /// "a dollar" as the whole answer: one of the currency.
    pub(crate) fn one(&self, said: &Said, cx: &Context<'_>) -> Option<Found> {
        let at = (0..said.words.len()).find(|no| is_article(said, *no, cx))?;
        let (count, sign) = currency::at(said, at + 1, cx.lang)?;
        let words = at..at + 1 + count;
        let value = Self::value(Decimal::ONE, self.code(sign, cx));
        let found = Found { span: said.raw_words(words.clone()), value, strength: Strength::Typed };
        numeric::is_all(said, cx.lang, &words).then_some(found)
    }

    /// "a dollar twenty-five": one of the currency, and the hundredths that a number tells.
    pub(crate) fn one_and_hundredths(
        &self,
        said: &Said,
        cx: &Context<'_>,
        part: &Numeral,
    ) -> Option<(Range<usize>, Value)> {
        const LONGEST: usize = 4;
        let start = part.words.start;
        (start.saturating_sub(LONGEST)..start).find_map(|at| {
            let (count, sign) = currency::at(said, at + 1, cx.lang).filter(|_| is_article(said, at, cx))?;
            let (end, part) = hundredths(said, cx, Some(part), at..at + 1 + count, true)?;
            Some((at..end, Self::value(Decimal::ONE.checked_add(part)?, self.code(sign, cx))))
        })
    }

    /// "twenty four fifty" as the whole answer: 24.50. "Two fifty" may be 250 as well.
    pub(crate) fn spoken_with_hundredths(&self, said: &Said, cx: &Context<'_>) -> Option<Reading> {
        let numerals = numeral::all(said, cx);
        let [one, two] = numerals.as_ref() else { return None };
        let spoken = one.shape == Shape::Words && two.shape == Shape::Words && one.words.end == two.words.start;
        let whole = one.value.is_integer() && one.value >= Decimal::ONE && one.value < Decimal::ONE_HUNDRED;
        let part = two.value.is_integer() && two.value >= Decimal::TEN && two.value < Decimal::ONE_HUNDRED;
        let words = one.words.start..two.words.end;
        let cents = spoken && whole && part && currency::decimals(&self.currency) == 2;
        if !cents || !numeric::is_all(said, cx.lang, &words) {
            return None;
        }
        let amount = one.value.checked_add(two.value.checked_mul(Decimal::new(1, 2))?)?;
        let whole = one.value.checked_mul(Decimal::ONE_HUNDRED)?.checked_add(two.value)?;
        let found = |amount| {
            let value = Self::value(amount, &self.currency);
            Found { span: said.raw_words(words.clone()), value, strength: Strength::Typed }
        };
        if one.value < Decimal::TEN {
            return Some(Reading::Ambiguous(vec![found(amount), found(whole)]));
        }
        Some(Reading::Value(found(amount)))
    }

    /// "one-yen", "five-dollar", the dual "دولارين": an amount in one word.
    pub(crate) fn in_one_word(&self, said: &Said, cx: &Context<'_>) -> Option<(Range<usize>, Value)> {
        (0..said.words.len()).find_map(|no| {
            if let Some((words, sign)) = cx.lang.number.two_of.at(said, no) {
                return Some((no..no + words, Self::value(Decimal::TWO, self.code(sign, cx))));
            }
            let (count, unit) = said.plain(no).rsplit_once('-')?;
            cx.lang.and_english().find_map(|lang| {
                let Atom::Value(amount) = lang.number.atoms.word(count)? else { return None };
                let sign = lang.number.currencies.word(unit)?;
                Some((no..no + 1, Self::value(*amount, self.code(sign, cx))))
            })
        })
    }
}

/// Whether a word is "a", of which there is one.
fn is_article(said: &Said, no: usize, cx: &Context<'_>) -> bool {
    let article = |lang: &Language| matches!(lang.number.atoms.at(said, no), Some((_, Atom::Article)));
    said.word(no).len() < 4 && cx.lang.and_english().any(article)
}
