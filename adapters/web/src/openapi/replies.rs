//! What is said and drawn, and a session as it is shown, as JSON Schemas.

use serde_json::{Value, json};

use super::schemas::{object, perhaps, reference};

/// The named schemas.
pub(super) fn replies() -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "items": text });
    let flag = json!({ "type": "boolean" });
    let count = json!({ "type": "integer", "minimum": 0 });
    let token = json!({ "type": "string", "description": "Press it by sending it back as it is." });
    let some_token = json!({ "type": ["string", "null"], "description": "Changes this answer when pressed." });
    let list = |of: &str| json!({ "type": "array", "items": reference(of) });
    let or_null = |of: &str| json!({ "oneOf": [reference(of), { "type": "null" }] });
    json!({
        "Reply": object(
            &["say", "lang", "questions", "card", "buttons", "progress", "tool_call", "complete", "private"],
            json!({
                "say": { "type": "array", "items": text, "description": "Paragraphs of plain text, in order." },
                "lang": { "type": "string", "description": "BCP 47 tag of the language." },
                "form": text, "title": text,
                "answered": { "type": "array", "items": object(&["field", "label", "value"], json!({
                    "field": text, "label": text, "value": text,
                })), "description": "What the message has answered." },
                "questions": list("Question"),
                "page": list("Question"),
                "card": or_null("Card"),
                "buttons": list("Button"),
                "progress": or_null("Progress"),
                "tool_call": or_null("ToolCall"),
                "complete": { "description": "The answers of a form that was sent, null where sensitive; null otherwise." },
                "recalls": flag,
                "conceals": { "type": "boolean", "description": "What this answers is not to be shown again: mask what you keep of it." },
                "rejected": { "type": "array", "items": { "oneOf": [
                    object(&["field"], json!({ "field": object(&["field", "reason"], json!({ "field": text, "reason": text })) })),
                    object(&["result"], json!({ "result": object(&["tool"], json!({ "tool": text })) })),
                ] } },
                "private": flag, "shared": flag,
                "case": object(&["code"], json!({ "code": text, "over": flag })),
            }),
        ),
        "Question": object(
            &["field", "token", "label", "ask", "help", "required", "problem", "prefill", "input"],
            json!({
                "field": { "type": "string", "description": "Path of the field." },
                "token": token, "label": text, "ask": text, "help": perhaps("What may help."), "required": flag,
                "problem": perhaps("Why the last value was refused."),
                "prefill": perhaps("What the widget begins with."),
                "input": reference("Input"),
            }),
        ),
        "Input": { "description": "Which widget fits.", "oneOf": inputs() },
        "Option": object(&["token", "label", "detail", "picked"], json!({
            "token": token, "label": text, "detail": perhaps("A second line."), "picked": flag,
        })),
        "Button": object(&["token", "label", "role"], json!({
            "token": token, "label": text, "role": { "enum": ["primary", "plain", "danger"] },
        })),
        "Card": object(&["title", "rows"], json!({
            "title": text,
            "rows": { "type": "array", "items": object(&["field", "label", "value", "source", "edit"], json!({
                "field": text, "label": text, "value": text, "source": reference("Source"), "edit": some_token,
            })) },
        })),
        "Source": { "enum": ["said", "pressed", "tool", "default", "fixed", "computed"] },
        "Progress": object(&["answered", "total"], json!({ "answered": count, "total": count })),
        "ToolCall": object(&["call", "tool", "args"], json!({ "call": text, "tool": text, "args": {} })),
        "Session": object(&["form", "state", "answers", "asked", "parked", "last", "debug"], json!({
            "form": perhaps("The form being filled in."), "state": text,
            "answers": { "type": "array", "items": object(&["field", "label", "value", "shown", "source", "quote"], json!({
                "field": text, "label": text, "value": { "description": "Null where sensitive." }, "shown": text,
                "source": reference("Source"), "quote": perhaps("The person's words."),
            })) },
            "asked": perhaps("Path of the field being asked."),
            "parked": texts,
            "last": list("Reply"),
            "debug": { "description": "The session as it is kept, sensitive values masked. Its shape may change." },
        })),
    })
}

/// One schema for each kind of widget, told apart by `type`.
fn inputs() -> Vec<Value> {
    let flag = || json!({ "type": "boolean" });
    let count = || json!({ "type": "integer", "minimum": 0 });
    let some_count = || json!({ "type": ["integer", "null"], "minimum": 0 });
    let some_text = || json!({ "type": ["string", "null"] });
    let bounds = || json!({ "min": some_text(), "max": some_text() });
    let options = json!({ "type": "array", "items": reference("Option") });
    let kinds = [
        ("text", json!({ "long": flag(), "max_chars": some_count(), "example": some_text(), "secret": flag() })),
        ("number", json!({ "integer": flag(), "min": some_text(), "max": some_text(), "unit": some_text() })),
        ("rating", json!({ "min": count(), "max": count() })),
        (
            "options",
            json!({ "options": options, "multiple": flag(), "min": count(), "max": some_count(), "other": flag() }),
        ),
        ("date", bounds()),
        ("date_time", bounds()),
        ("date_range", bounds()),
        ("duration", json!({})),
        ("phone", json!({ "country": some_text() })),
        ("email", json!({})),
        ("url", json!({})),
        ("person", json!({})),
        ("channel", json!({})),
        (
            "file",
            json!({
                "accept": { "type": "array", "items": { "type": "string" } },
                "max_bytes": some_count(), "max_files": count(),
            }),
        ),
        ("location", json!({})),
    ];
    let kind = |(name, mut properties): (&str, Value)| {
        let keys = properties.as_object().into_iter().flat_map(|map| map.keys().cloned());
        let required: Vec<String> = std::iter::once("type".to_owned()).chain(keys).collect();
        properties["type"] = json!({ "const": name });
        let required: Vec<&str> = required.iter().map(String::as_str).collect();
        object(&required, properties)
    };
    let mut all: Vec<Value> = kinds.into_iter().map(kind).collect();
    // A time's bounds are left out where it has none.
    let mut time = bounds();
    time["type"] = json!({ "const": "time" });
    all.push(object(&["type"], time));
    all
}
