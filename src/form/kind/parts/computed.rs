//! `computed`: worked out from other answers. The kind of the result does everything but reading words.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value};
use serde_json::Value as Json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Worked out from other answers.
#[derive(Clone, Debug)]
pub struct Computed {
    /// How the value is shown and stored: the kind of the result.
    pub result: Box<crate::kind::Kind>,
}

impl FieldKind for Computed {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    fn read(&self, _: &Said, _: &Context<'_>) -> Reading {
        Reading::Nothing
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        self.result.behaviour().accept(data, cx)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        self.result.behaviour().check(value, cx)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        self.result.behaviour().show(value, cx)
    }

    fn json(&self, value: &Value) -> Json {
        self.result.behaviour().json(value)
    }

    fn schema(&self, choices: Option<&Choices>) -> Json {
        self.result.behaviour().schema(choices)
    }

    fn input(&self, slot: &chat::Token, picked: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        self.result.behaviour().input(slot, picked, cx)
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        self.result.behaviour().prefill(value)
    }

    fn samples(&self, choices: Option<&Choices>) -> Vec<Value> {
        self.result.behaviour().samples(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::kind::parts::hidden;
    use crate::kind::testing::cx;

    #[test]
    fn data_is_taken_as_the_kind_of_the_result_and_words_are_not() {
        let kind = Computed { result: Box::new(Kind::Hidden(hidden::Hidden {})) };
        let cx = cx("en");
        assert_eq!(kind.accept(&"a".into(), &cx), Ok(Value::Text("a".to_owned())));
        assert_eq!(kind.read(&Said::new("a"), &cx), Reading::Nothing);
    }
}
