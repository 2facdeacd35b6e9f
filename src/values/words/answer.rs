//! A whole message as the answer to a question: what to leave out around it, and rules all words obey.

use std::ops::Range;

use formwright_text::{Class, Said, is_void};
use serde_json::Value as Json;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use super::free;
use crate::reading::{Context, Refusal};
use crate::value::Value;

/// The words of a message without filler and marks around them: empty only where the message has no words.
pub fn words(said: &Said, cx: &Context<'_>) -> Range<usize> {
    let mut words = 0..said.words.len();
    loop {
        let skip = cx.lang.and_english().map(|lang| lang.filler.words_at(said, words.start)).max().unwrap_or(0);
        if skip == 0 || words.start + skip >= words.end {
            break;
        }
        words.start += skip;
    }
    while let Some(end) = filler_before(said, cx, words.clone()) {
        words.end = end;
    }
    words
}

/// Where the filler that ends a range of words begins; none where there is none or it is all that is left.
fn filler_before(said: &Said, cx: &Context<'_>, words: Range<usize>) -> Option<usize> {
    const LONGEST: usize = 6;
    let earliest = words.end.saturating_sub(LONGEST).max(words.start + 1);
    (earliest..words.end).find(|&no| cx.lang.and_english().any(|lang| lang.filler.words_at(said, no) == words.end - no))
}

/// Whether words say nothing of what was asked: they put it off, point back or leave it to others ("one sec", "as I said",
/// "ask my wife"). A title is one however it sounds ("Let Me Think"), and so is what stands in quotation marks.
pub fn evades(said: &Said, cx: &Context<'_>) -> bool {
    const MOST: usize = 12;
    const TITLE: usize = 3;
    let end = said.words.len();
    let evasive = |no: usize| free::at(said, cx, no, |lang| &lang.sentence.evasive).unwrap_or(0);
    // "Sorry?", "really?"
    let asks = looks_like_question(said);
    let quoted = said.raw.trim_start().starts_with(['"', '“', '„', '«']);
    if end > MOST || quoted || !asks && (0..end).all(|no| evasive(no) == 0) {
        return false;
    }
    let small = |no: usize| {
        let langs = || cx.lang.and_english();
        let filler = langs().map(|lang| lang.filler.words_at(said, no)).max().unwrap_or(0);
        let stop = langs().any(|lang| lang.sentence.stop.word_at(said, no).is_some());
        let courtesy = free::at(said, cx, no, |lang| &lang.sentence.courtesy).unwrap_or(0);
        filler.max(courtesy).max(usize::from(stop || is_picture(said.word(no))))
    };
    let mut no = 0;
    while no < end {
        match evasive(no).max(small(no)) {
            0 => return false,
            len => no += len,
        }
    }
    let letters = || (0..end).filter(|no| said.words.get(*no).is_some_and(|word| word.class == Class::Letters));
    letters().count() < TITLE || !letters().all(|no| said.is_capital(no))
}

/// Whether a word is nothing but emoji: "haha 😂".
fn is_picture(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}'))
}

/// The message without white space around it: byte range of `raw`.
pub fn line(said: &Said) -> Range<usize> {
    let start = said.raw.len() - said.raw.trim_start().len();
    start..start + said.raw.trim().len()
}

/// The answer in the person's own spelling: filler words around it are left out, and marks stay where no filler was
/// left out between them and the answer.
pub(crate) fn span(said: &Said, cx: &Context<'_>) -> Range<usize> {
    let line = line(said);
    let words = words(said, cx);
    let inner = said.raw_words(words.clone());
    let has_words = |range: Range<usize>| range.into_iter().any(|no| said.word(no).chars().any(char::is_alphanumeric));
    let start = if has_words(0..words.start) { inner.start } else { line.start };
    let end = if has_words(words.end..said.words.len()) { inner.end } else { line.end };
    if start < end { start..end } else { line }
}

/// Whether the message asks something.
pub fn looks_like_question(said: &Said) -> bool {
    said.words.last().is_some_and(|last| matches!(said.text(last.span.clone()), "?" | "؟"))
}

/// Whether nobody sees a character: white space, and marks that only join, part or turn what stands beside them.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || formwright_chat::unseen::is_unseen(c)
}

/// Whether a text shows nothing: no characters, or only unseen ones and marks that have no letter to stand on.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| is_unseen(c) || is_combining_mark(c))
}

/// Refuses a text that shows nothing.
///
/// # Errors
/// `text_expected`.
pub fn not_blank(text: &str) -> Result<(), Refusal> {
    if is_blank(text) { Err(Refusal::new("text_expected")) } else { Ok(()) }
}

/// How many characters of a text are seen; spaces between words count.
pub(crate) fn seen(text: &str) -> usize {
    text.chars().filter(|c| *c == ' ' || *c == '\n' || !is_unseen(*c)).count()
}

/// Words as they are stored: composed, without white space and unseen characters around them, nor inside where they carry
/// nothing. What shapes the character before it stays.
pub fn tidy(text: &str) -> String {
    if is_blank(text) {
        return String::new();
    }
    let text = text.trim_start_matches(|c: char| is_unseen(c) || is_combining_mark(c));
    let text = text
        .trim_end_matches(|c: char| is_unseen(c) && !matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'));
    let void = |(at, c): (usize, char)| is_void(text, at, c);
    if !text.is_ascii() && text.char_indices().any(void) {
        return text.char_indices().filter(|seen| !void(*seen)).map(|(_, c)| c).nfc().collect();
    }
    if is_nfc(text) { text.to_owned() } else { text.nfc().collect() }
}

/// As [`tidy`], on one line: line breaks and tabs turn to spaces.
pub fn tidy_line(text: &str) -> String {
    let text = tidy(text);
    if text.contains(['\n', '\r', '\t', '\u{2028}', '\u{2029}']) {
        text.split(['\n', '\r', '\t', '\u{2028}', '\u{2029}']).filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" ")
    } else {
        text
    }
}

/// Refuses characters that are no words: controls, and marks that turn the direction of what is shown after them.
///
/// # Errors
/// `text_control_chars`.
pub fn no_controls(text: &str, lines: bool) -> Result<(), Refusal> {
    let bad = |c: char| match c {
        '\n' | '\t' => !lines,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    };
    if text.chars().any(bad) { Err(Refusal::new("text_control_chars")) } else { Ok(()) }
}

/// The text of typed data that is a word, a number or a truth value.
///
/// # Errors
/// `text_expected`.
pub fn scalar(data: &Json) -> Result<String, Refusal> {
    match data {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(yes) => Ok(yes.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => Err(Refusal::new("text_expected")),
    }
}

/// The words of a value that holds words; empty for any other.
pub fn text_of(value: &Value) -> String {
    if let Value::Text(text) = value { text.clone() } else { String::new() }
}
