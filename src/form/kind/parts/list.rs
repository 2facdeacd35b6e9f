//! `list`: several of the member field or member group. Its members are the fields whose `parent` it is.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value};
use serde_json::{Value as Json, json};

use super::subtree;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Name of the only member of a list of plain values.
pub const PLAIN_ITEM: &str = "item";

/// Several of the member field or member group. Its members are the fields whose `parent` it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// Least number of items.
    pub min: Option<u32>,
    /// Greatest number of items.
    pub max: Option<u32>,
    /// What one item is called ("expense").
    pub item: Option<crate::Text>,
}

impl List {
    /// Whether a list of so many items can be taken.
    ///
    /// # Errors
    /// `too_few_items` or `too_many_items`.
    pub fn check_len(&self, items: usize) -> Result<(), Refusal> {
        let have = u32::try_from(items).unwrap_or(u32::MAX);
        match (self.min.filter(|min| have < *min), self.max.filter(|max| have > *max)) {
            (Some(min), _) => Err(Refusal::new("too_few_items").fact("min", min.to_string())),
            (_, Some(max)) => Err(Refusal::new("too_many_items").fact("max", max.to_string())),
            (None, None) => Ok(()),
        }
    }
}

impl FieldKind for List {
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
        match value {
            Value::List(items) => self.check_len(items.len()),
            _ => Err(Refusal::new("no_value")),
        }
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        subtree::show(value)
    }

    fn json(&self, value: &Value) -> Json {
        subtree::json(value)
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let mut schema = json!({ "type": "array" });
        if let Some(min) = self.min {
            schema["minItems"] = min.into();
        }
        if let Some(max) = self.max {
            schema["maxItems"] = max.into();
        }
        schema
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: None, example: None, secret: false }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_items_has_bounds() {
        let list = List { min: Some(1), max: Some(2), item: None };
        assert_eq!(list.check_len(0), Err(Refusal::new("too_few_items").fact("min", "1")));
        assert_eq!(list.check_len(2), Ok(()));
        assert_eq!(list.check_len(3), Err(Refusal::new("too_many_items").fact("max", "2")));
    }
}
