//! `hidden`: filled by the link or API that started the form; never shown.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value, answer};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Filled by the link or API that started the form; never shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hidden {}

impl FieldKind for Hidden {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    fn read(&self, _: &Said, _: &Context<'_>) -> Reading {
        Reading::Nothing
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Text(answer::scalar(data)?);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        match value {
            Value::Text(text) => answer::no_controls(text, true),
            _ => Err(Refusal::new("text_expected")),
        }
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        answer::text_of(value)
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "string" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: None, example: None, secret: false }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        vec![Value::Text("campaign-7".to_owned()), Value::Text(String::new())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::cx;

    #[test]
    fn it_is_filled_by_data_and_never_by_words() {
        let cx = cx("en");
        assert_eq!(Hidden {}.read(&Said::new("utm"), &cx), Reading::Nothing);
        assert_eq!(Hidden {}.accept(&json!(7), &cx), Ok(Value::Text("7".to_owned())));
        assert!(Hidden {}.accept(&json!("a\u{0}"), &cx).is_err());
        assert!(Hidden {}.accept(&json!([1]), &cx).is_err());
    }
}
