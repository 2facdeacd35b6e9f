//! Free words: what is put around them, how long they may be, and which letters they may have.

use std::ops::Range;

use formwright_lexicon::frame::FrameWords;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};
use serde_json::{Value as Json, json};

use super::answer;
use crate::reading::{Context, Refusal};
use crate::value::Value;

/// A script of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// A to Z with accents.
    Latin,
    /// Arabic.
    Arabic,
    /// Cyrillic.
    Cyrillic,
    /// Greek.
    Greek,
}

/// The longest phrase of a table that starts at a word, in the person's language or English.
pub fn at<'a>(said: &Said, cx: &Context<'a>, no: usize, table: fn(&'a Language) -> &'a Phrases<()>) -> Option<usize> {
    cx.lang.and_english().filter_map(|lang| table(lang).at(said, no)).map(|(words, ())| words).max()
}

/// The answer in the person's own spelling without what is put around it ("the answer is …, please"), as bytes of the
/// message.
pub fn span(said: &Said, cx: &Context<'_>) -> Range<usize> {
    let line = answer::line(said);
    let words = words(said, cx);
    let inner = said.raw_words(words.clone());
    let start = if words.start > 0 && !is_marks(said, 0..words.start) { inner.start } else { line.start };
    let end = if is_marks(said, words.end..said.words.len()) { line.end } else { inner.end };
    let span = if start < end { start..end } else { line };
    unquoted(said, span)
}

/// As [`span`], as words, without marks at either end.
pub fn words(said: &Said, cx: &Context<'_>) -> Range<usize> {
    const SHORT: usize = 6;
    let mut words = unmarked(said, 0..said.words.len());
    let lead = |words: &Range<usize>, table: fn(&FrameWords) -> &Phrases<()>| {
        let len = cx
            .lang
            .and_english()
            .filter_map(|lang| table(&lang.frame).at(said, words.start))
            .map(|(len, ())| len)
            .max()?;
        let rest = unmarked(said, words.start + len..words.end);
        // A single word in front may be a name ("Sure Thing Ltd"); with a small letter or a comma it is none.
        let first = said.raw.get(said.raw_words(words.start..words.start + 1))?;
        let small = len > 1 || rest.start > words.start + len || !first.starts_with(char::is_uppercase);
        (small && !rest.is_empty()).then_some(rest)
    };
    while let Some(rest) = lead(&words, |frame| &frame.lead) {
        words = rest;
    }
    if words.len() <= SHORT + 2
        && let Some(rest) = lead(&words, |frame| &frame.short_lead)
        && rest.len() <= SHORT
    {
        words = rest;
    }
    while let Some(no) = tail(said, cx, &words) {
        words = unmarked(said, words.start..no);
    }
    words
}

/// Where a phrase that ends an answer begins.
fn tail(said: &Said, cx: &Context<'_>, words: &Range<usize>) -> Option<usize> {
    const LONGEST: usize = 6;
    let from = words.end.saturating_sub(LONGEST).max(words.start + 1);
    (from..words.end).find(|&no| at(said, cx, no, |lang| &lang.frame.tail) == Some(words.end - no))
}

fn is_marks(said: &Said, words: Range<usize>) -> bool {
    words.into_iter().all(|no| said.words.get(no).is_none_or(|word| word.class == Class::Mark))
}

/// Words without marks at either end; empty only where there is nothing but marks.
fn unmarked(said: &Said, mut words: Range<usize>) -> Range<usize> {
    let is_mark = |no: usize| {
        matches!(said.word(no), "," | "." | "!" | "?" | ";" | ":" | "\"" | "'" | "…" | "،" | "؟" | "¿" | "¡")
    };
    while words.start < words.end && is_mark(words.start) {
        words.start += 1;
    }
    while words.start < words.end && is_mark(words.end - 1) {
        words.end -= 1;
    }
    words
}

/// Takes off quotation marks around the whole.
fn unquoted(said: &Said, span: Range<usize>) -> Range<usize> {
    let text = said.raw.get(span.clone()).unwrap_or_default();
    let mut chars = text.chars();
    let closing = match chars.next() {
        Some('"') => '"',
        Some('“' | '„') => '”',
        Some('«') => '»',
        _ => return span,
    };
    match (chars.next_back(), text.chars().next()) {
        (Some(last), Some(first)) if last == closing || first == '„' && last == '“' => {
            let inner = span.start + first.len_utf8()..span.end - last.len_utf8();
            let bare = said.raw.get(inner.clone()).unwrap_or_default();
            if bare.trim().is_empty() || bare.contains(['"', '«', '»', '“', '”']) { span } else { inner }
        }
        _ => span,
    }
}

/// Bounds on the number of characters; unseen ones do not help to reach the least.
///
/// # Errors
/// `text_too_short` or `text_too_long`.
pub fn check_len(text: &str, min: Option<u32>, max: Option<u32>) -> Result<(), Refusal> {
    let have = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let refusal = |code: &str, bound: &str, limit: u32, have: u32| {
        Err(Refusal::new(code).fact(bound, limit.to_string()).fact("have", have.to_string()))
    };
    let seen = u32::try_from(answer::seen(text)).unwrap_or(u32::MAX);
    match (min.filter(|min| seen < *min), max.filter(|max| have > *max)) {
        (Some(min), _) => refusal("text_too_short", "min", min, seen),
        (_, Some(max)) => refusal("text_too_long", "max", max, have),
        (None, None) => Ok(()),
    }
}

/// Bounds on the letters: those of some scripts only; digits, spaces and marks always pass.
///
/// # Errors
/// `letters_only`.
pub fn check_letters(text: &str, scripts: &[Script]) -> Result<(), Refusal> {
    let fits = |c: char| !c.is_alphabetic() || scripts.iter().any(|script| is_of(c, *script));
    if scripts.is_empty() || text.chars().all(fits) {
        return Ok(());
    }
    let names = scripts.iter().map(|script| match script {
        Script::Latin => "latin",
        Script::Arabic => "arabic",
        Script::Cyrillic => "cyrillic",
        Script::Greek => "greek",
    });
    Err(Refusal::new("letters_only").fact("letters", names.collect::<Vec<_>>().join(", ")))
}

fn is_of(c: char, script: Script) -> bool {
    // Letters that combine with others belong to whichever script stands before them.
    if matches!(c, '\u{0300}'..='\u{036f}' | '\u{1dc0}'..='\u{1dff}') {
        return true;
    }
    match script {
        Script::Latin => matches!(c, 'A'..='Z' | 'a'..='z' | 'ª' | 'º' | 'À'..='ʯ' | '\u{1d00}'..='\u{1dbf}'
            | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}'
            | '\u{fb00}'..='\u{fb06}' | '\u{ff21}'..='\u{ff5a}'),
        Script::Arabic => matches!(c, '\u{0600}'..='\u{06ff}' | '\u{0750}'..='\u{077f}' | '\u{0870}'..='\u{08ff}'
            | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'),
        Script::Cyrillic => matches!(c, '\u{0400}'..='\u{052f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2de0}'..='\u{2dff}'
            | '\u{a640}'..='\u{a69f}'),
        Script::Greek => matches!(c, '\u{0370}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}'),
    }
}

/// JSON Schema of words with bounds.
pub fn schema(min: Option<u32>, max: Option<u32>) -> Json {
    let mut schema = json!({ "type": "string" });
    if let Some(min) = min {
        schema["minLength"] = min.into();
    }
    if let Some(max) = max {
        schema["maxLength"] = max.into();
    }
    schema
}

/// Words of plain, least and greatest length.
pub fn samples(min: Option<u32>, max: Option<u32>) -> Vec<Value> {
    const LONGEST: u32 = 1_000;
    let word = |len: u32| Value::Text("a".repeat(usize::try_from(len.min(LONGEST)).unwrap_or(1)));
    let plain = if min.unwrap_or(0) <= 5 && max.unwrap_or(5) >= 5 {
        Value::Text("words".to_owned())
    } else {
        word(min.unwrap_or(1))
    };
    vec![plain, word(min.unwrap_or(1).max(1)), word(max.unwrap_or(200))]
}
