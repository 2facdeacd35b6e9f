//! House numbers before and after the name of a street: "12", "5/A", "221B", "n. 33".

use std::ops::Range;

use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::{Class, Said};

use super::tail::{floor, postcode};
use super::{Context, any, class};

/// The end of a house number that starts at a word, a comma and "n." before it allowed.
pub(crate) fn number_at(said: &Said, mut no: usize) -> Option<usize> {
    if said.word(no) == "," {
        no += 1;
    }
    if let Some(len) = any(said, no, |street| &street.no_number) {
        return Some(no + len);
    }
    if let Some(len) = any(said, no, |street| &street.number) {
        no += len;
    }
    if class(said, no) != Some(Class::Digits) || said.word(no).len() > 5 || postcode(said, no).is_some() {
        return None;
    }
    let mut end = no + 1;
    // "3rd", "3ème": a floor.
    let runs_on = said.is_glued(end) && class(said, end) == Some(Class::Letters) && said.word(end).chars().count() > 1;
    if runs_on && any(said, end, |street| &street.number_after).is_none() {
        return None;
    }
    // A time, a date or a telephone number is no house: "via Roma 20:30", "via Roma 347 123 4567".
    if matches!(said.word(end), ":") && class(said, end + 1) == Some(Class::Digits) {
        return None;
    }
    if class(said, end) == Some(Class::Digits) && class(said, end + 1) == Some(Class::Digits) {
        return is_dialled(said, end).then_some(end);
    }
    if class(said, end) == Some(Class::Digits) && is_dialled(said, end) {
        return Some(end);
    }
    loop {
        let letter = class(said, end) == Some(Class::Letters) && said.word(end).chars().count() == 1;
        let joined = matches!(said.word(end), "/" | "-") && said.is_glued(end) && said.is_glued(end + 1);
        if letter && (said.is_glued(end) || said.has_capital(end)) {
            end += 1;
        } else if joined
            && class(said, end + 1).is_some_and(|class| class != Class::Mark)
            && said.word(end + 1).len() <= 4
        {
            end += 2;
        } else if let Some(len) = any(said, end, |street| &street.number_after) {
            end += len;
        } else {
            return Some(end);
        }
    }
}

/// Whether a whole telephone number starts at a word, so that digits before it are none of it: "12 347 123 4567".
fn is_dialled(said: &Said, no: usize) -> bool {
    /// Digits of a number with its prefix, and of one that begins with a nought.
    const WITH_PREFIX: usize = 9;
    const LED: usize = 7;
    let groups = (no..said.words.len()).take_while(|&no| class(said, no) == Some(Class::Digits));
    let digits: usize = groups.map(|no| said.word(no).len()).sum();
    digits >= WITH_PREFIX || digits >= LED && said.word(no).starts_with('0')
}

/// The start of a house number that ends before a word.
pub(crate) fn number_before(said: &Said, no: usize) -> Option<usize> {
    let mut start = no.checked_sub(1)?;
    if said.word(start) == "," {
        start = start.checked_sub(1)?;
    }
    let mark = language::all().any(|lang| lang.street.number_after.word_at(said, start).is_some());
    let letter = || said.word(start).chars().count() == 1 && class(said, start) == Some(Class::Letters);
    if mark || letter() && said.is_glued(start) {
        start = start.checked_sub(1)?;
    }
    if class(said, start) != Some(Class::Digits) || said.word(start).len() > 5 {
        return None;
    }
    // "Um 18:30 am Markt."
    if start > 0 && said.word(start - 1) == ":" && said.is_glued(start) {
        return None;
    }
    // "An 80 square metre flat."
    let measures = |lang: &Language| lang.number.measures.at(said, start + 1).is_some_and(|(len, ())| len > 1);
    if language::all().any(measures) {
        return None;
    }
    while start >= 2 && matches!(said.word(start - 1), "-" | "/") && said.is_glued(start) && said.is_glued(start - 1) {
        start -= 2;
    }
    Some(start)
}

/// Where an address begins whose street is told after its flat, its floor or the name of its house: "flat 3, 19 Queens Road",
/// "Rose Cottage, Church Lane", "unit 12 Riverside Park".
pub(crate) fn head(said: &Said, cx: &Context<'_>, street: usize, from: usize) -> usize {
    const LONGEST: usize = 5;
    let mut start = street;
    loop {
        let number = class(said, start) == Some(Class::Digits);
        let unit = |no: &usize| number && any(said, *no, |street| &street.unit) == Some(1);
        if let Some(before) = start.checked_sub(1).filter(|no| *no >= from && unit(no)) {
            start = before;
            continue;
        }
        let comma = start.checked_sub(1).filter(|no| *no > from && matches!(said.word(*no), "," | "،"));
        let end = comma.unwrap_or(start);
        let part = |no: &usize| {
            let named = || comma.is_some() && is_house(said, cx, *no..end);
            is_unit(said, *no..end) || floor(said, cx, *no) == Some(end) || named()
        };
        match (end.saturating_sub(LONGEST).max(from)..end).find(part) {
            Some(part) => start = part,
            None => return start,
        }
    }
}

/// Whether words are a part of a house with its number: "flat 3b", "apt. 5", "appartement B".
fn is_unit(said: &Said, words: Range<usize>) -> bool {
    let Some(len) = any(said, words.start, |street| &street.unit) else { return false };
    let value = words.start + len + usize::from(said.word(words.start + len) == ".");
    let letter = said.is_glued(value + 1) && said.word(value + 1).chars().count() == 1;
    let short = class(said, value) == Some(Class::Digits) || said.word(value).chars().count() == 1;
    let end = value + 1 + usize::from(letter && class(said, value + 1) == Some(Class::Letters));
    short && class(said, value).is_some_and(|class| class != Class::Mark) && end == words.end
}

/// Whether words are the name of a house: "Rose Cottage", "Villa Anna".
fn is_house(said: &Said, cx: &Context<'_>, words: Range<usize>) -> bool {
    let small = |no: usize| cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some());
    let sort = |no: usize| any(said, no, |street| &street.house).is_some();
    let named = |no: usize| class(said, no) == Some(Class::Letters) && !small(no);
    words.len() > 1 && words.clone().all(named) && (sort(words.start) || sort(words.end - 1))
}
