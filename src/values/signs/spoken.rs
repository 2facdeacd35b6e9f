//! Addresses spelled out in words: "ada dot lovelace at example dot com".

use std::ops::Range;

use formwright_lexicon::spoken::Mark;
use formwright_text::Said;

use crate::reading::{Context, Strength};

/// E-mail addresses written with words for their marks: the words, the address they spell, and how surely.
pub fn emails(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, String, Strength)> {
    (0..said.words.len()).filter_map(|no| around(said, cx, no)).collect()
}

/// The address around the word for `@` at word `no`.
fn around(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, String, Strength)> {
    let (at, Mark::At) = mark(said, cx, no)? else { return None };
    let mut address = String::new();
    let (start, local_spoken) = before(said, cx, no, &mut address)?;
    address.push('@');
    let (end, domain_spoken) = after(said, cx, no + at, &mut address)?;
    // "I am at acme.com" looks the same as "ada at acme.com": sure only where the dot is spelled out too.
    let strength = if domain_spoken { Strength::Typed } else { Strength::Weak };
    let plausible = address.contains('.') && (domain_spoken || local_spoken || said.words.len() <= 12);
    plausible.then_some((start..end, address, strength))
}

/// The mark that words spell, and how many words that takes: "at", "(at)", "underscore".
fn mark(said: &Said, cx: &Context<'_>, no: usize) -> Option<(usize, Mark)> {
    let plain = |no| cx.lang.and_english().find_map(|lang| lang.spoken.marks.at(said, no)).map(|(n, mark)| (n, *mark));
    match said.word(no) {
        "(" | "[" | "{" => {
            let (n, mark) = plain(no + 1)?;
            matches!(said.word(no + 1 + n), ")" | "]" | "}").then_some((n + 2, mark))
        }
        _ => plain(no),
    }
}

/// The mark whose spelling ends before word `no`, and where it begins.
fn mark_before(said: &Said, cx: &Context<'_>, no: usize) -> Option<(usize, Mark)> {
    (1..=4).find_map(|n| {
        let from = no.checked_sub(n)?;
        mark(said, cx, from).filter(|(len, mark)| *len == n && *mark != Mark::At).map(|(_, mark)| (from, mark))
    })
}

/// Reads what stands before the `@`, right to left.
fn before(said: &Said, cx: &Context<'_>, no: usize, address: &mut String) -> Option<(usize, bool)> {
    let mut start = no;
    let mut spoken = false;
    let mut parts: Vec<String> = Vec::new();
    loop {
        let from = atom_before(said, start)?;
        parts.push(said.raw.get(said.raw_words(from..start))?.to_owned());
        start = from;
        let Some((from, mark)) = mark_before(said, cx, start) else { break };
        parts.push(mark.written().to_string());
        start = from;
        spoken = true;
    }
    address.extend(parts.into_iter().rev());
    Some((start, spoken))
}

/// Reads what stands after the `@`: `example.com`, "example dot com".
fn after(said: &Said, cx: &Context<'_>, no: usize, address: &mut String) -> Option<(usize, bool)> {
    let mut end = atom_after(said, no)?;
    address.push_str(said.raw.get(said.raw_words(no..end))?);
    let mut spoken = false;
    while let Some((words, mark @ (Mark::Dot | Mark::Dash))) = mark(said, cx, end) {
        let Some(next) = atom_after(said, end + words) else { break };
        address.push(mark.written());
        address.push_str(said.raw.get(said.raw_words(end + words..next))?);
        end = next;
        spoken |= mark == Mark::Dot;
    }
    Some((end, spoken))
}

/// Whether a word can be part of an address as it is written.
fn is_part(said: &Said, no: usize) -> bool {
    let word = said.word(no);
    matches!(word, "." | "_" | "-" | "+") || word.chars().next().is_some_and(char::is_alphanumeric)
}

/// The start of the glued words that end before word `no`.
fn atom_before(said: &Said, no: usize) -> Option<usize> {
    let mut from = no.checked_sub(1)?;
    if !is_part(said, from) || matches!(said.word(from), "." | "-" | "+") {
        return None;
    }
    while from > 0 && said.is_glued(from) && is_part(said, from - 1) {
        from -= 1;
    }
    Some(from)
}

/// The end of the glued words that start at word `no`, without marks at their end.
fn atom_after(said: &Said, no: usize) -> Option<usize> {
    if no >= said.words.len() || !is_part(said, no) || said.word(no).len() == 1 && !said.word(no).is_ascii() {
        return None;
    }
    let mut end = no + 1;
    while end < said.words.len() && said.is_glued(end) && is_part(said, end) {
        end += 1;
    }
    while end > no && matches!(said.word(end - 1), "." | "_" | "-" | "+") {
        end -= 1;
    }
    (end > no).then_some(end)
}
