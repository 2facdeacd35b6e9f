//! `channel`: a channel of the platform: `#general`, `<#C123>`, or its name.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value, free};
use serde_json::Value as Json;

use super::entity;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A channel of the platform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel {}

impl FieldKind for Channel {
    fn find(&self, said: &Said, _: &Context<'_>) -> Vec<Found> {
        entity::mentions(said, '#')
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut all = entity::mentions(said, '#');
        all.dedup_by(|b, a| a.value == b.value);
        match all.len() {
            0 => {}
            1 => return Reading::Value(all.remove(0)),
            _ => return Reading::Ambiguous(all),
        }
        let mut words = free::words(said, cx);
        while let Some(len) = free::at(said, cx, words.start, |lang| &lang.frame.channel) {
            if words.start + len >= words.end {
                break;
            }
            words.start += len;
        }
        let ends = |no: &usize| free::at(said, cx, *no, |lang| &lang.frame.channel) == Some(words.end - no);
        words.end = (words.start + 1..words.end).find(ends).unwrap_or(words.end);
        let span = said.raw_words(words);
        let name = said.raw.get(span.clone()).unwrap_or_default();
        // A channel's name has no spaces; a sentence is none.
        if name.starts_with('#') || name.contains(char::is_whitespace) || !name.contains(char::is_alphanumeric) {
            return Reading::Nothing;
        }
        Reading::Value(entity::named(span, name))
    }

    /// Takes `{ "id", "name" }`, a mention or a name.
    fn accept(&self, data: &Json, _: &Context<'_>) -> Result<Value, Refusal> {
        entity::accept(data, '#')
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        entity::check(value)
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        entity::show(value)
    }

    fn json(&self, value: &Value) -> Json {
        entity::to_json(value)
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        entity::schema()
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Channel
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(entity::show(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        entity::sample("C123", "general")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::cx;

    #[rstest]
    #[case("#general", "general", "general")]
    #[case("#\u{a5e}ab", "\u{a2b}\u{a3c}ab", "\u{a2b}\u{a3c}ab")]
    #[case("post it in <#C123|team-chat>", "C123", "team-chat")]
    #[case("the general channel please", "general", "general")]
    #[case("general", "general", "general")]
    fn an_answer_is_read(#[case] said: &str, #[case] id: &str, #[case] name: &str) {
        let reading = Channel {}.read(&Said::new(said), &cx("en"));
        let Reading::Value(found) = reading else { panic!("{reading:?}") };
        assert_eq!(found.value, Value::Entity { id: id.to_owned(), name: name.to_owned() });
        let data = Channel {}.json(&found.value);
        assert_eq!(Channel {}.accept(&data, &cx("en")), Ok(found.value));
    }

    #[test]
    fn other_messages_are_no_channel() {
        for said in ["", "I do not know", "#2"] {
            assert_eq!(Channel {}.read(&Said::new(said), &cx("en")), Reading::Nothing, "{said}");
        }
        for said in ["a#b", "#2", "general"] {
            assert_eq!(Channel {}.find(&Said::new(said), &cx("en")), [], "{said}");
        }
    }
}
