//! `group`: fields that belong together. Its members hold the values.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value};
use serde_json::{Value as Json, json};

use super::subtree;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Fields that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {}

impl FieldKind for Group {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    fn read(&self, _: &Said, _: &Context<'_>) -> Reading {
        Reading::Nothing
    }

    fn accept(&self, _: &Json, _: &Context<'_>) -> Result<Value, Refusal> {
        Err(Refusal::new("no_value"))
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        if matches!(value, Value::Group(_)) { Ok(()) } else { Err(Refusal::new("no_value")) }
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        subtree::show(value)
    }

    fn json(&self, value: &Value) -> Json {
        subtree::json(value)
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "object" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: None, example: None, secret: false }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        Vec::new()
    }
}
