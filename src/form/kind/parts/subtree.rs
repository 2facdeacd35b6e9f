//! A whole group or list as one value: plain JSON and plain words, for expressions, tools and logs. Submissions are
//! built member by member with the members' own kinds.

use serde_json::Value as Json;

use formwright_values::Value;

/// The value as JSON, members by id.
pub(crate) fn json(value: &Value) -> Json {
    match value {
        Value::Group(members) => members.iter().map(|(id, member)| (id.to_string(), json(member))).collect(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Text(text) => text.as_str().into(),
        Value::Integer(number) | Value::Duration(number) => (*number).into(),
        Value::Number(number) => number.to_string().into(),
        Value::Money { amount, currency } => serde_json::json!({ "amount": amount.to_string(), "currency": currency }),
        Value::Bool(yes) => (*yes).into(),
        Value::Option(id) => id.as_str().into(),
        Value::Options { picked, other } => {
            picked.iter().map(formwright_values::OptionId::as_str).chain(other.as_deref()).collect()
        }
        Value::Date(date) => date.to_string().into(),
        Value::Time(time) => time.to_string().into(),
        Value::DateTime(at) | Value::RepeatedTime { at, .. } => at.to_string().into(),
        Value::DateRange { start, end } => serde_json::json!({ "start": start.to_string(), "end": end.to_string() }),
        Value::Entity { id, name } => serde_json::json!({ "id": id, "name": name }),
        Value::Files(files) => serde_json::to_value(files).unwrap_or_default(),
        Value::Location(location) => serde_json::to_value(location).unwrap_or_default(),
    }
}

/// The value in words: members and items one after the other.
pub(crate) fn show(value: &Value) -> String {
    let parts: Vec<String> = match value {
        Value::Group(members) => members.values().map(show).collect(),
        Value::List(items) => items.iter().map(show).collect(),
        Value::Entity { name, .. } => return name.clone(),
        Value::Files(files) => files.iter().map(|file| file.name.clone()).collect(),
        _ => match json(value) {
            Json::String(text) => return text,
            Json::Array(items) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
            Json::Object(facts) => {
                facts.values().map(|fact| fact.as_str().map_or_else(|| fact.to_string(), str::to_owned)).collect()
            }
            other => return other.to_string(),
        },
    };
    parts.join(", ")
}
