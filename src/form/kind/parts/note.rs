//! `note`: text shown, nothing asked.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value};
use serde_json::Value as Json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Text shown, nothing asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {}

impl FieldKind for Note {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    fn read(&self, _: &Said, _: &Context<'_>) -> Reading {
        Reading::Nothing
    }

    fn accept(&self, _: &Json, _: &Context<'_>) -> Result<Value, Refusal> {
        Err(Refusal::new("no_value"))
    }

    fn check(&self, _: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        Err(Refusal::new("no_value"))
    }

    fn show(&self, _: &Value, _: &Context<'_>) -> String {
        String::new()
    }

    fn json(&self, _: &Value) -> Json {
        Json::Null
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        serde_json::json!({ "type": "null" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: None, example: None, secret: false }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        Vec::new()
    }
}
