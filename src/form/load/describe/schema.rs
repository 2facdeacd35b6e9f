//! The JSON Schema of form files, for completion and hover texts in editors: made from the table of keys.

#![expect(clippy::wildcard_enum_match_arm, reason = "only objects have keys")]

use formwright_form::messages;
use serde_json::{Map, Value as Json, json};

use crate::check::VALUE_KINDS;
use crate::keys::{
    CHECK, CONTEXT, DEFAULT_FROM, FAQ, FIELD, FORM, HOOK, KEEP, LISTEN, OPTION, OPTIONS_FROM, OUTPUT, PAGE, PARAM,
    REVIEW, SINK, SUB_FORM, THEN, TOOL,
};
use crate::shape::{Key, Kinds, Shape, Spec};

/// The JSON Schema of form files.
#[must_use]
pub fn json_schema() -> Json {
    let mut root = table(&FORM);
    let head = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Formwright form",
        "description": "A form that is filled in by conversation.",
    });
    let mut definitions = Map::new();
    for spec in [
        &FIELD,
        &CHECK,
        &CONTEXT,
        &DEFAULT_FROM,
        &FAQ,
        &KEEP,
        &LISTEN,
        &REVIEW,
        &OPTION,
        &OPTIONS_FROM,
        &OUTPUT,
        &HOOK,
        &PAGE,
        &PARAM,
        &SINK,
        &SUB_FORM,
        &THEN,
        &TOOL,
    ] {
        definitions.insert(spec.name.to_owned(), table(spec));
    }
    definitions.extend(texts());
    if let (Some(root), Json::Object(head)) = (root.as_object_mut(), head) {
        let rest = std::mem::take(root);
        root.extend(head);
        root.extend(rest);
        root.insert("definitions".to_owned(), Json::Object(definitions));
    }
    root
}

/// Texts, phrases and their languages.
fn texts() -> Map<String, Json> {
    let one = json!({ "type": "string", "minLength": 1 });
    let some = json!({ "anyOf": [one, { "type": "array", "items": one }] });
    let by_language = |value: &Json| {
        let tag = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
        json!({ "type": "object", "patternProperties": { tag: value }, "additionalProperties": false, "minProperties": 1 })
    };
    let mut texts = Map::new();
    texts.insert("text".to_owned(), json!({ "anyOf": [one, by_language(&one)] }));
    texts.insert("texts".to_owned(), json!({ "anyOf": [one, { "type": "array", "items": one }, by_language(&some)] }));
    texts
}

fn table(spec: &Spec) -> Json {
    let mut properties = Map::new();
    for key in spec.all_keys() {
        let twins: Vec<&Key> = spec.all_keys().filter(|twin| twin.name == key.name).collect();
        for name in std::iter::once(key.name).chain(key.alias) {
            properties.entry(name).or_insert_with(|| property(&twins));
        }
    }
    let mut out = Map::new();
    out.insert("type".into(), json!("object"));
    out.insert("properties".into(), Json::Object(properties));
    out.insert("additionalProperties".into(), json!(false));
    let (aliased, required): (Vec<_>, Vec<_>) =
        spec.all_keys().filter(|key| key.required && key.kinds.is_empty()).partition(|key| key.alias.is_some());
    out.insert("required".into(), required.iter().map(|key| key.name).collect());
    let mut all_of: Vec<Json> = aliased.into_iter().map(either).collect();
    if let Some(kinds) = &spec.kinds {
        all_of.extend(kinds.all.iter().map(|(kind, _)| of_kind(spec, kinds, kind)));
    }
    if !all_of.is_empty() {
        out.insert("allOf".into(), Json::Array(all_of));
    }
    Json::Object(out)
}

/// One of a key's two names must be given.
fn either(key: &Key) -> Json {
    let names = std::iter::once(key.name).chain(key.alias);
    json!({ "anyOf": names.map(|name| json!({ "required": [name] })).collect::<Vec<_>>() })
}

/// A key's schema; where kinds differ in what it holds, only what it does.
fn property(twins: &[&Key]) -> Json {
    let mut docs: Vec<&str> = twins.iter().map(|key| key.doc).collect();
    docs.dedup();
    let doc = docs.join(" ");
    match twins {
        [key] => describe(shape(&key.shape), &doc),
        _ => json!({ "description": doc }),
    }
}

fn describe(schema: Json, doc: &str) -> Json {
    let mut out = Map::new();
    out.insert("description".into(), json!(doc));
    match schema {
        // Next to a reference draft 7 reads nothing else.
        Json::Object(schema) if schema.contains_key("$ref") => {
            out.insert("allOf".into(), json!([schema]));
        }
        Json::Object(schema) => out.extend(schema),
        _ => {}
    }
    Json::Object(out)
}

/// What a kind adds: which keys it takes, and what those hold that other kinds have too.
fn of_kind(spec: &Spec, kinds: &Kinds, kind: &str) -> Json {
    let inner =
        |key: &Key| matches!(kind, "computed" | "list") && key.kinds.iter().any(|kind| VALUE_KINDS.contains(kind));
    let taken: Vec<&Key> = spec.all_keys().filter(|key| key.is_of(Some(kind)) || inner(key)).collect();
    let names: Vec<&str> = taken.iter().flat_map(|key| std::iter::once(key.name).chain(key.alias)).collect();
    let mut properties = Map::new();
    for key in taken
        .iter()
        .filter(|key| key.is_of(Some(kind)) && spec.all_keys().filter(|twin| twin.name == key.name).count() > 1)
    {
        properties.insert(key.name.to_owned(), describe(shape(&key.shape), key.doc));
    }
    let required: Vec<&str> = taken
        .iter()
        .filter(|key| key.required && !key.kinds.is_empty() && key.is_of(Some(kind)))
        .map(|key| key.name)
        .collect();
    let mut condition = json!({ "properties": { "kind": { "const": kind } } });
    if kinds.default != Some(kind) {
        condition["required"] = json!(["kind"]);
    }
    let mut then = json!({ "propertyNames": { "enum": names } });
    if !properties.is_empty() {
        then["properties"] = Json::Object(properties);
    }
    if !required.is_empty() {
        then["required"] = json!(required);
    }
    json!({ "if": condition, "then": then })
}

fn words(words: &[(&str, &str)]) -> Json {
    let all = words.iter().map(|(word, doc)| json!({ "const": word, "description": doc })).collect::<Vec<_>>();
    json!({ "oneOf": all })
}

fn reference(spec: &Spec) -> Json {
    json!({ "$ref": format!("#/definitions/{}", spec.name) })
}

fn one_or_some(item: &Json) -> Json {
    json!({ "anyOf": [item, { "type": "array", "items": item }] })
}

fn shape(of: &Shape) -> Json {
    let line = json!({ "type": "string", "minLength": 1 });
    let name = |body: &str| json!({ "type": "string", "pattern": format!("^[A-Za-z][{body}]{{0,63}}$") });
    let language = json!({ "type": "string", "pattern": "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$" });
    let code = |len: u8| json!({ "type": "string", "pattern": format!("^[A-Z]{{{len}}}$") });
    match of {
        Shape::Text => json!({ "$ref": "#/definitions/text" }),
        Shape::Texts | Shape::Words => json!({ "$ref": "#/definitions/texts" }),
        Shape::Line | Shape::Regex => line,
        Shape::Name => name("A-Za-z0-9_-"),
        Shape::OptionName => json!({ "type": "string", "pattern": "^\\S(.*\\S)?$", "maxLength": 200 }),
        Shape::FieldName => name("A-Za-z0-9_"),
        Shape::Lines => one_or_some(&line),
        Shape::Truth => json!({ "type": "boolean" }),
        Shape::Whole(min, max) => {
            let mut whole = json!({ "type": "integer" });
            if *min > i64::MIN {
                whole["minimum"] = json!(min);
            }
            if *max < i64::MAX {
                whole["maximum"] = json!(max);
            }
            whole
        }
        Shape::Decimal => json!({ "type": ["number", "string"] }),
        Shape::Expr => json!({ "type": ["string", "boolean", "number"] }),
        Shape::Length => json!({ "type": "string", "pattern": "^\\s*([0-9]+\\s*(s|m|min|h|d|w)\\s*)+$" }),
        Shape::Day => json!({
            "type": "string",
            "pattern": "^\\s*([0-9]{4}-[0-9]{2}-[0-9]{2}|today(\\s*[-+]\\s*([0-9]+\\s*[ymwd]\\s*)+)?)\\s*$",
        }),
        Shape::Clock => json!({ "type": "string", "pattern": "^\\s*[0-9]{2}:[0-9]{2}(:[0-9]{2})?\\s*$" }),
        Shape::Currency => code(3),
        Shape::Currencies => one_or_some(&code(3)),
        Shape::Country => code(2),
        Shape::OneOf(all) => words(all),
        Shape::SomeOf(all) => one_or_some(&words(all)),
        Shape::ValueKind => json!({ "enum": VALUE_KINDS }),
        Shape::Languages => one_or_some(&language),
        Shape::Messages => {
            let text = json!({ "$ref": "#/definitions/text" });
            let names: Map<String, Json> =
                messages::NAMES.iter().map(|name| ((*name).to_owned(), text.clone())).collect();
            json!({ "type": "object", "properties": names, "additionalProperties": false })
        }
        Shape::Table(spec) => reference(spec),
        Shape::Tables(spec) => json!({ "type": "array", "items": reference(spec) }),
        Shape::LineOrTable(spec) => json!({ "anyOf": [line, reference(spec)] }),
        Shape::LinesOrTables(spec) => {
            json!({ "type": "array", "items": { "anyOf": [{ "type": ["string", "number"] }, reference(spec)] } })
        }
        Shape::Exprs => {
            json!({ "type": "object", "additionalProperties": { "type": ["string", "boolean", "number"] } })
        }
        Shape::Names => json!({ "type": "object", "additionalProperties": line }),
        Shape::ExprOrTable(spec) => {
            json!({ "anyOf": [{ "type": ["string", "boolean", "number"] }, reference(spec)] })
        }
        Shape::TruthOrText => json!({ "anyOf": [{ "type": "boolean" }, { "$ref": "#/definitions/text" }] }),
        Shape::Rows => json!({ "type": "array", "items": { "type": "object" } }),
        Shape::Any => json!({}),
    }
}
