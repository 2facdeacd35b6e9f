//! The JSON Schema of a form's submissions.

#![expect(clippy::wildcard_enum_match_arm, reason = "every kind but these describes itself")]

use serde_json::{Map, Value as Json, json};

use formwright_form::field::{Field, FieldNo, Required};
use formwright_form::{Form, Kind};

/// The JSON Schema of the answers that a form submits: visible answers by field id, groups as objects, lists as arrays.
/// Only fields that are always asked and always needed are required: the others may be hidden or left empty.
#[must_use]
pub fn submission_schema(form: &Form) -> Json {
    let langs: Vec<&str> = form.languages.iter().map(String::as_str).collect();
    let mut schema = object(form, form.top(), &langs);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        schema.insert("title".to_owned(), json!(form.title.pick(&langs)));
    }
    schema
}

fn object(form: &Form, members: &[FieldNo], langs: &[&str]) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in members.iter().filter_map(|no| form.field(*no)).filter(|field| !matches!(field.kind, Kind::Note(_))) {
        properties.insert(field.id.as_str().to_owned(), one(form, field, langs));
        if is_certain(form, field) {
            required.push(field.id.as_str());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn one(form: &Form, field: &Field, langs: &[&str]) -> Json {
    let mut schema = match &field.kind {
        Kind::Group(_) => object(form, form.members(field.no), langs),
        Kind::List(list) => {
            let items = match form.plain_item(field.no).and_then(|no| form.field(no)) {
                Some(item) => one(form, item, langs),
                None => object(form, form.members(field.no), langs),
            };
            let mut schema = json!({ "type": "array", "items": items });
            let least = list.min.or(matches!(field.required, Required::Yes).then_some(1)).filter(|least| *least > 0);
            if let Some(schema) = schema.as_object_mut() {
                schema.extend(least.map(|least| ("minItems".to_owned(), json!(least))));
                schema.extend(list.max.map(|max| ("maxItems".to_owned(), json!(max))));
            }
            schema
        }
        kind => kind.behaviour().schema(field.choices.as_ref()),
    };
    if schema.is_null() {
        schema = json!({});
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.entry("title").or_insert_with(|| json!(field.label.pick(langs)));
    }
    schema
}

/// Whether every submission has an answer for it.
fn is_certain(form: &Form, field: &Field) -> bool {
    let page = form.pages.get(usize::from(field.page));
    let shown = field.show_when.is_none() && page.is_none_or(|page| page.show_when.is_none());
    match &field.kind {
        Kind::Computed(_) | Kind::Hidden(_) => false,
        // A group without an answer is left out.
        Kind::Group(_) => {
            let mut members = form.members(field.no).iter().filter_map(|no| form.field(*no));
            shown && members.any(|member| is_certain(form, member))
        }
        Kind::List(_) => shown,
        _ => shown && matches!(field.required, Required::Yes),
    }
}
