//! The shape of a reply: flat, without nullable values, its keys in alphabetical order, because some servers write them so.

use serde_json::{Map, Value as Json, json};

use formwright_nlu::Intent;

/// What a reply may name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Fields, as the prompt names them.
    pub(crate) fields: Vec<String>,
    /// The author's texts that may answer a question.
    pub(crate) texts: Vec<String>,
    /// Forms to start.
    pub(crate) forms: Vec<String>,
    /// Whether an answer is to be judged.
    pub(crate) judged: bool,
    /// Whether a question may be answered in the model's words.
    pub(crate) own_words: bool,
    /// Whether the next questions are to be worded.
    pub(crate) worded: bool,
}

/// The schema of a reply that names these.
pub(crate) fn schema(names: &Names) -> Json {
    let text = || json!({"type": "string"});
    let one_of = |names: &[String]| {
        let names: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
        json!({"type": "string", "enum": names})
    };
    let intents: Vec<&str> = Intent::NAMES.iter().map(|(name, _)| *name).collect();
    let field = json!({"type": "string", "enum": names.fields});
    let mut keys = Map::new();
    let mut put = |key: &str, wanted: bool, schema: Json| {
        if wanted {
            keys.insert(key.to_owned(), schema);
        }
    };
    put("about", names.judged, json!({"type": "boolean"}));
    put("answer", !names.texts.is_empty(), one_of(&names.texts));
    put("form", !names.forms.is_empty(), one_of(&names.forms));
    put("intent", true, json!({"type": "string", "enum": intents}));
    put("reply", names.own_words, text());
    let any = !names.fields.is_empty();
    put("updates", any, list(&[("field", field.clone()), ("quote", text()), ("value", text())]));
    put("wording", any && names.worded, list(&[("field", field), ("text", text())]));
    object(keys)
}

fn list(keys: &[(&str, Json)]) -> Json {
    let keys = keys.iter().map(|(key, schema)| ((*key).to_owned(), schema.clone()));
    json!({"type": "array", "items": object(keys.collect())})
}

fn object(properties: Map<String, Json>) -> Json {
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn every_key_is_required_and_stands_in_alphabetical_order() {
        let names = Names {
            fields: vec!["pizza".to_owned()],
            texts: vec!["faq1".to_owned()],
            forms: vec!["leave".to_owned()],
            judged: true,
            own_words: true,
            worded: true,
        };
        let schema = schema(&names).to_string();
        let places =
            ["\"about\":", "\"answer\":", "\"form\":", "\"intent\":", "\"reply\":", "\"updates\":", "\"wording\":"];
        let places: Vec<_> = places.iter().map(|key| schema.find(key).expect("the key")).collect();
        assert!(places.is_sorted(), "{schema}");
        assert!(!schema.contains("null"), "{schema}");
    }
}
