//! Strict schemas: which ones are accepted, and making a reply fit.

use serde_json::{Map, Value, json};

/// Bounds of strict mode, as `OpenAI` documents them.
const PROPERTIES: usize = 5_000;
const ENUM_VALUES: usize = 1_000;
const LEVELS: usize = 10;
/// Keywords that every server understands. Others are accepted by some and then break what they write.
const KEYWORDS: [&str; 7] = ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];

/// Why a schema is refused in strict mode, if it is.
pub(super) fn refused(schema: &Value) -> Option<String> {
    if schema["type"] != "object" {
        return Some("schema must be a JSON Schema of 'type: \"object\"'".to_owned());
    }
    let mut count = Count::default();
    let wrong = walk(schema, "()", 1, &mut count);
    let too_many = || {
        let properties = (count.properties > PROPERTIES).then(|| format!("{} properties", count.properties));
        properties.or_else(|| (count.values > ENUM_VALUES).then(|| format!("{} enum values", count.values)))
    };
    wrong.or_else(|| too_many().map(|what| format!("schema exceeds the limits: {what}")))
}

#[derive(Default)]
struct Count {
    properties: usize,
    values: usize,
}

fn walk(schema: &Value, at: &str, level: usize, count: &mut Count) -> Option<String> {
    let Some(map) = schema.as_object() else { return Some(format!("In context={at}, schema is no object")) };
    if level > LEVELS {
        return Some(format!("In context={at}, nesting exceeds {LEVELS} levels"));
    }
    if let Some(key) = map.keys().find(|key| !KEYWORDS.contains(&key.as_str())) {
        return Some(format!("In context={at}, '{key}' is not permitted"));
    }
    let Some(kind) = map.get("type").and_then(Value::as_str) else {
        return Some(format!("In context={at}, schema must have a single 'type' key"));
    };
    if let Some(values) = map.get("enum") {
        return wrong_enum(values, at, count);
    }
    match kind {
        "object" => wrong_object(map, at, level, count),
        "array" => match map.get("items") {
            None => Some(format!("In context={at}, array schema missing items")),
            Some(items) => walk(items, &format!("{at}.items"), level + 1, count),
        },
        "string" | "boolean" | "integer" | "number" => None,
        other => Some(format!("In context={at}, '{other}' is not a type")),
    }
}

fn wrong_enum(values: &Value, at: &str, count: &mut Count) -> Option<String> {
    let values = values.as_array().map_or(&[][..], Vec::as_slice);
    count.values += values.len();
    if values.is_empty() {
        return Some(format!("In context={at}, enum must not be empty"));
    }
    if let Some(value) = values.iter().find(|value| !value.is_string()) {
        // Some servers refuse these, others make something up.
        return Some(format!("In context={at}, enum value {value} does not validate against {{'type': 'string'}}"));
    }
    let mut seen: Vec<&Value> = values.iter().collect();
    seen.sort_by_key(|value| value.as_str());
    seen.windows(2).any(|two| two[0] == two[1]).then(|| format!("In context={at}, enum values must be unique"))
}

fn wrong_object(map: &Map<String, Value>, at: &str, level: usize, count: &mut Count) -> Option<String> {
    if map.get("additionalProperties") != Some(&json!(false)) {
        return Some(format!("In context={at}, 'additionalProperties' is required to be supplied and to be false"));
    }
    let empty = Map::new();
    let properties = map.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    count.properties += properties.len();
    let required = map.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let missing = properties.keys().find(|key| !required.iter().any(|name| name.as_str() == Some(key)));
    if let Some(missing) = missing {
        let words = "'required' is required to be supplied and to be an array including every key in properties";
        return Some(format!("In context={at}, {words}. Missing '{missing}'"));
    }
    let unknown = required.iter().find(|name| !name.as_str().is_some_and(|name| properties.contains_key(name)));
    if let Some(unknown) = unknown {
        return Some(format!("In context={at}, extra required key {unknown} supplied"));
    }
    let mut wrong = properties.iter().map(|(key, schema)| (format!("{at}.properties.{key}"), schema));
    wrong.find_map(|(at, schema)| walk(schema, &at, level + 1, count))
}

/// A value made to fit a schema, as a grammar makes it.
pub(super) fn fitted(value: &Value, schema: &Value) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return if values.contains(value) { value.clone() } else { values.first().cloned().unwrap_or_default() };
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            let fit = |(key, schema): (&String, &Value)| (key.clone(), fitted(&value[key.as_str()], schema));
            Value::Object(properties.iter().map(fit).collect())
        }
        "array" => {
            let items = value.as_array().map_or(&[][..], Vec::as_slice);
            Value::Array(items.iter().map(|item| fitted(item, &schema["items"])).collect())
        }
        "boolean" => json!(value.as_bool().unwrap_or_default()),
        "integer" | "number" => json!(value.as_f64().unwrap_or_default()),
        _ => json!(value.as_str().unwrap_or_default()),
    }
}
