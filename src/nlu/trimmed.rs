//! A short answer as it is kept: without the full stop that ends it as a sentence, without emoji around it, with single
//! spaces: "Seven." and "Seven 😊" are "Seven", "Acme Inc." keeps its stop.

use super::reader::Reader;
use super::sentence::is_wording;
use super::spans::Slot;
use formwright_form::kind::Said;
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;

/// Most words of such an answer; what is longer is a text, and stays as it was written.
const MOST: usize = 6;

/// The value of a line of words, trimmed where it is short. What a card is to say is not touched.
pub(super) fn trimmed(reader: &Reader<'_>, slot: &Slot<'_>, lang: &Language, value: &Value) -> Option<Value> {
    let (Kind::Text(_), Value::Text(text)) = (&slot.field.kind, value) else { return None };
    let around = |c: char| is_emoji(c) || c.is_whitespace();
    let bare = text.trim_matches(around);
    let plain = bare.len() == text.len() && !bare.contains("  ") && !bare.ends_with(['.', '。']);
    if plain || bare.split_whitespace().count() > MOST || is_wording(slot.field, lang) {
        return None;
    }
    let bare = without_stop(reader, bare).trim_end_matches(around);
    let line = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    line.contains(char::is_alphanumeric).then_some(Value::Text(line))
}

/// An answer without the one full stop that ends it, unless that belongs to its last word: "Inc.", "J.", "p.m.".
fn without_stop<'a>(reader: &Reader<'_>, text: &'a str) -> &'a str {
    let Some(rest) = text.strip_suffix(['.', '。']) else { return text };
    let last = rest.rsplit(char::is_whitespace).next().unwrap_or_default();
    let said = Said::new(last);
    let known =
        |lang: &Language| lang.sentence.abbreviated.word_at(&said, said.words.len().saturating_sub(1)).is_some();
    let letter = last.chars().count() == 1 && last.chars().all(char::is_alphabetic);
    let sentences = || rest.contains(['!', '?', '…', '\n']) || rest.contains(". ");
    let belongs = letter || last.is_empty() || last.contains('.') || reader.langs().any(known);
    if belongs || sentences() { text } else { rest }
}

/// Whether a character is an emoji, or belongs to one.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const WORK: &str = r#"
id = "work"
title = "Work"

[[field]]
id = "work"
kind = "text"
label = "Occupation"

[[field]]
id = "remarks"
kind = "long_text"
label = "Remarks"
"#;

    #[rstest]
    #[case("work", "freelance.", "work=freelance")]
    #[case("work", "Teacher 😊", "work=Teacher")]
    #[case("work", "Teacher 😊.", "work=Teacher")]
    #[case("work", "Acme Inc.", "work=Acme Inc.")]
    #[case("work", "night  porter", "work=night porter")]
    #[case("work", "J. P.", "work=J. P.")]
    #[case("remarks", "All fine 😊", "remarks=All fine 😊")]
    fn a_short_answer_is_kept_without_what_stands_around_it(
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(WORK, asked).fills(said), expected, "{said}");
    }
}
