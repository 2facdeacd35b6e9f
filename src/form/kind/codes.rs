//! Codes of letters and digits: booking numbers, postcodes, article numbers.

use std::ops::Range;

use super::said::Class;
use super::{Context, Said, Strength, free};

/// Runs without spaces that look like codes, as bytes of the message.
pub(super) fn find(said: &Said) -> Vec<(Range<usize>, Strength)> {
    let mut found = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        let mut end = no + 1;
        while end < said.words.len() && said.is_glued(end) && is_part(said, end) {
            end += 1;
        }
        while end > no + 1 && matches!(said.word(end - 1), "-" | "/" | "_") {
            end -= 1;
        }
        if is_part(said, no) && said.words[no].class != Class::Mark {
            let span = said.raw_words(no..end);
            found.extend(strength(said.raw.get(span.clone()).unwrap_or_default()).map(|strength| (span, strength)));
        }
        no = end;
    }
    found
}

fn is_part(said: &Said, no: usize) -> bool {
    matches!(said.word(no), "-" | "/" | "_") || said.words.get(no).is_some_and(|word| word.class != Class::Mark)
}

/// How surely a run is a code: "AB-1234" is, "1234" may be, "5pm" and "blue" are not.
fn strength(run: &str) -> Option<Strength> {
    let digits = run.chars().filter(|c| c.is_numeric()).count();
    let letters = run.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = run.chars().any(char::is_uppercase);
    match (digits, letters) {
        (0, _) => None,
        (4..=14, 0) => Some(Strength::Weak),
        (_, 0) => None,
        _ if digits + letters >= 4 && (capitals || digits + letters >= 6 && digits >= 2) => Some(Strength::Typed),
        _ => None,
    }
}

/// The code that a message consists of; in a longer sentence, the only run that looks like one.
pub(super) fn whole(said: &Said, cx: &Context<'_>) -> Range<usize> {
    const SHORT: usize = 4;
    let words = free::words(said, cx);
    let letters =
        words.clone().filter(|&no| said.word(no).chars().count() > 1 && said.words[no].class == Class::Letters);
    if letters.count() >= SHORT
        && let [(span, _)] = find(said).as_slice()
    {
        return span.clone();
    }
    said.raw_words(words)
}
