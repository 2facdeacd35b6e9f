//! The shape of a reply: flat, without nullable values, its keys in alphabetical order, because some servers write them so.

use serde_json::{Value as Json, json};

use super::reply::Intent;

/// The schema of a reply about a form with these fields and texts.
pub(super) fn of_form(fields: &[String], texts: &[String], forms: &[String], judged: bool) -> Json {
    let text = json!({"type": "string"});
    let one_of = |names: &[String]| {
        let names: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
        json!({"type": "string", "enum": names})
    };
    let intents: Vec<&str> = Intent::NAMES.iter().map(|(name, _)| *name).collect();
    let mut properties = serde_json::Map::new();
    if judged {
        properties.insert("about".to_owned(), json!({"type": "boolean"}));
    }
    if !texts.is_empty() {
        properties.insert("answer".to_owned(), one_of(texts));
    }
    if !forms.is_empty() {
        properties.insert("form".to_owned(), one_of(forms));
    }
    properties.insert("intent".to_owned(), json!({"type": "string", "enum": intents}));
    if !fields.is_empty() {
        let update = object(
            [("field", json!({"type": "string", "enum": fields})), ("quote", text.clone()), ("value", text)]
                .into_iter()
                .map(|(key, schema)| (key.to_owned(), schema))
                .collect(),
        );
        properties.insert("updates".to_owned(), json!({"type": "array", "items": update}));
    }
    object(properties)
}

fn object(properties: serde_json::Map<String, Json>) -> Json {
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}
