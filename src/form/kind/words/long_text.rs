//! `long_text`: several lines of words, taken as they are written.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer, free};
use serde_json::Value as Json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Several lines of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongText {
    /// Least number of characters.
    pub min_chars: Option<u32>,
    /// Greatest number of characters.
    pub max_chars: Option<u32>,
}

/// Composed, one kind of line break, no white space around.
fn tidy(text: &str) -> String {
    answer::tidy(text).replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n")
}

impl FieldKind for LongText {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let span = answer::line(said);
        if answer::is_blank(&said.raw) || answer::evades(said, cx) {
            return Reading::Nothing;
        }
        let value = Value::Text(tidy(said.raw.get(span.clone()).unwrap_or_default()));
        Reading::Value(Found { span, value, strength: Strength::Weak })
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = tidy(&answer::scalar(data)?);
        if answer::is_blank(&text) {
            return Err(Refusal::new("text_expected"));
        }
        let value = Value::Text(text);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(text) = value else { return Err(Refusal::new("text_expected")) };
        answer::not_blank(text)?;
        answer::no_controls(text, true)?;
        free::check_len(text, self.min_chars, self.max_chars)
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        answer::text_of(value)
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        free::schema(self.min_chars, self.max_chars)
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: true, max_chars: self.max_chars, example: None, secret: false }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        free::samples(self.min_chars, self.max_chars)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{cx, text};

    #[test]
    fn lines_and_every_word_are_kept() {
        let said = Said::new(" It's broken.\r\nPlease come\tsoon. ");
        let read = text(LongText::default().read(&said, &cx("en")));
        assert_eq!(read.as_deref(), Some("It's broken.\nPlease come\tsoon."));
        assert_eq!(LongText::default().read(&Said::new(" \n"), &cx("en")), Reading::Nothing);
    }

    #[test]
    fn control_characters_other_than_line_breaks_are_refused() {
        let accept = |text: &str| LongText::default().accept(&Json::from(text), &cx("en"));
        assert!(accept("a\nb").is_ok());
        assert_eq!(accept("a\u{0}b"), Err(Refusal::new("text_control_chars")));
        for unseen in ["", "  \n ", "\u{200b}", "\u{3164} \u{2800}"] {
            assert_eq!(accept(unseen), Err(Refusal::new("text_expected")), "{unseen:?}");
        }
    }
}
