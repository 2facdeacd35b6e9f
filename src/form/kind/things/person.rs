//! `person`: a person of the platform: `@ada`, `<@U123>`, or a name.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value, answer, names};
use serde_json::Value as Json;

use super::entity;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A person of the platform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Person {}

impl FieldKind for Person {
    fn find(&self, said: &Said, _: &Context<'_>) -> Vec<Found> {
        entity::mentions(said, '@')
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut all = entity::mentions(said, '@');
        all.dedup_by(|b, a| a.value == b.value);
        match all.len() {
            0 => {}
            1 => return Reading::Value(all.remove(0)),
            _ => return Reading::Ambiguous(all),
        }
        let Some(words) = names::whole(said, cx) else { return Reading::Nothing };
        let span = said.raw_words(words);
        let name = said.raw.get(span.clone()).unwrap_or_default();
        if answer::looks_like_question(said) || answer::evades(said, cx) {
            return Reading::Nothing;
        }
        Reading::Value(entity::named(span, name))
    }

    /// Takes `{ "id", "name" }`, a mention or a name.
    fn accept(&self, data: &Json, _: &Context<'_>) -> Result<Value, Refusal> {
        entity::accept(data, '@')
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
        chat::Input::Person
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(entity::show(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        entity::sample("U123", "Ada")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::cx;

    #[rstest]
    #[case("@ada", "ada", "ada")]
    #[case("ask <@U123|Ada L> please", "U123", "Ada L")]
    #[case("<@!987654321>", "987654321", "987654321")]
    #[case("it's Ada Lovelace", "Ada Lovelace", "Ada Lovelace")]
    #[case("my name is No", "No", "No")]
    #[case("Will Smith", "Will Smith", "Will Smith")]
    #[case("ludwig van beethoven", "ludwig van beethoven", "ludwig van beethoven")]
    #[case("my manager is @ada.lovelace.", "ada.lovelace", "ada.lovelace")]
    fn an_answer_is_read(#[case] said: &str, #[case] id: &str, #[case] name: &str) {
        let reading = Person {}.read(&Said::new(said), &cx("en"));
        let Reading::Value(found) = reading else { panic!("{reading:?}") };
        assert_eq!(found.value, Value::Entity { id: id.to_owned(), name: name.to_owned() });
        let data = Person {}.json(&found.value);
        assert_eq!(Person {}.accept(&data, &cx("en")), Ok(found.value));
    }

    #[test]
    fn other_messages_are_no_person() {
        for said in
            ["", "who is that?", "12", "change it", "i want to change my email", "whatever you like", "Add another one"]
        {
            assert_eq!(Person {}.read(&Said::new(said), &cx("en")), Reading::Nothing, "{said}");
        }
        for said in ["ada@example.com", "@ 5 pm", "Ada"] {
            assert_eq!(Person {}.find(&Said::new(said), &cx("en")), [], "{said}");
        }
    }
}
