//! JSON Schema of `POST /api/fill`, as served at `/api/fill/schema.json`.

use serde_json::{Value, json};

use crate::limits;

/// The schema: of a request, and under `$defs` of the answer.
pub(super) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "/api/fill/schema.json",
        "title": "Form filler",
        "description": "POST /api/fill takes and gives the same nine variables. Send form_fields with every request, \
            or thread_id, or both. With both, the last write wins: a value that you changed since your last request, \
            else what was said here. Empty values say nothing, unless the field held one in your last request: then it \
            is emptied. Without form_fields and a thread that has some, user_message is a question: none of the server's own forms begins.",
        "$ref": "#/$defs/request",
        "$defs": {
            "request": request(),
            "answer": answer(),
            "field": field(),
            "filled": filled(),
            "missing": missing(),
            "said": said(),
            "status": { "type": "string", "enum": ["in_progress", "awaiting_info", "completed"] },
        },
    })
}

fn variables() -> Value {
    json!({
        "user_message": { "type": "string", "description": "What the person wrote, at most 16 KB." },
        "form_fields": { "type": "array", "maxItems": limits::FILL_FIELDS, "items": { "$ref": "#/$defs/field" },
            "description": "The form, or the page that is shown: send the fields of one page, and answers of others \
                are kept for their page." },
        "filled_fields": { "type": "array", "maxItems": limits::FILL_FIELDS, "items": { "$ref": "#/$defs/filled" },
            "description": "In an answer: everything known that form_fields of the request did not hold, each field \
                once. Put it into your fields." },
        "missing_fields": { "type": "array", "items": { "$ref": "#/$defs/missing" },
            "description": "In a request: fields that need an answer though they do not say so themselves. In an \
                answer: fields that need one, those of earlier pages of the thread too, and fields whose value was \
                refused, with the reason." },
        "current_field": { "description": "The field being asked; null where none is. Its validation_message tells \
            why the last answer was not taken, and what an answer has to be. In a request the first of several counts." },
        "conversation_history": { "type": "array", "items": { "$ref": "#/$defs/said" },
            "description": "What was said, with one summary of the system's at its head. Card numbers, passwords and \
                keys are taken out." },
        "status": { "$ref": "#/$defs/status" },
        "response_message": { "type": "string", "description": "What to show." },
        "thread_id": { "type": "string", "minLength": limits::UNIQUE_ID, "maxLength": limits::EVENT_ID_CHARS,
            "pattern": "^[A-Za-z0-9_.:-]+$",
            "description": "Names the conversation. Your own (a UUID fits), or left out to be given one. It belongs to \
                the cookie or key that it began with." },
    })
}

fn request() -> Value {
    let mut properties = variables();
    let nullable = |schema: &Value| json!({ "anyOf": [schema, { "type": "null" }] });
    if let Some(properties) = properties.as_object_mut() {
        properties.values_mut().for_each(|schema| *schema = nullable(schema));
        let more = json!({
            "event_id": { "type": ["string", "null"],
                "description": "Your own id of this request: sent again, it has no further effect. Under an API key, and without a \
                    thread_id, it has at least 16 characters." },
            "locale": { "type": ["string", "null"], "description": "BCP 47 tag of the person's language." },
            "zone": { "type": ["string", "null"], "description": "IANA name of the person's time zone." },
            // What a client holds and does not mean for us.
            "thread_id": { "type": ["string", "null"], "maxLength": limits::EVENT_ID_CHARS },
            "status": { "type": ["string", "null"] },
        });
        properties.extend(more.as_object().cloned().unwrap_or_default());
    }
    json!({ "type": "object", "properties": properties })
}

fn answer() -> Value {
    let names: Vec<String> = variables().as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
    json!({
        "type": "object", "required": names, "additionalProperties": false, "properties": variables(),
        "description": "status is completed only where nothing is missing, refused, asked or left not understood; \
            awaiting_info where something is missing or asked; in_progress where neither is so, and response_message tells \
            what was not understood: show it, and let the person go on. A refusal is no answer: it has an HTTP status of 4xx or 5xx, error.code, error.message, and status in_progress.",
    })
}

fn field() -> Value {
    json!({
        "type": "object",
        "description": "Every further key comes back as it was sent.",
        "properties": {
            "data_id": { "type": ["string", "number"], "description": "Your name of the field; field_id and id are \
                read too. It has to stay the same, and comes back as you sent it; as a text where a request has no \
                form_fields." },
            "fieldLabel": { "type": ["string", "null"], "description": "What people read." },
            "fieldType": { "type": ["string", "null"], "description": "input, text, textarea, select, radio, checkbox \
                (with options: several of them), select-multiple, boolean, integer, number, date, email, tel, url. \
                Buttons, sections and the like are passed over. What only your page can take (file, password, any other \
                type), and a line whose label names a password, PIN or \
                security code, is not asked; it is among missing_fields while it is required and empty." },
            "fieldValue": { "description": "What it holds; of options their keys." },
            "is_required": { "type": ["boolean", "string", "number", "null"], "description": "Or required. A field named \
                in missing_fields without a reason is needed whatever this says. False is an answer: that a box has to \
                be ticked is for your page to check." },
            "options": { "type": ["array", "null"], "description": "Texts, or objects with key (or value), label \
                and synonyms. What is stored is the key; people may say the label, the key, or words like them." },
            "validation_message": { "type": ["string", "null"], "description": "What an answer has to be, in words." },
            "description": { "type": ["string", "null"], "description": "What it is for; help, fieldContext, context \
                and hint are read too." },
            "min": { "type": ["string", "number", "null"] },
            "max": { "type": ["string", "number", "null"] },
            "maxLength": { "type": ["integer", "string", "null"] },
        },
    })
}

fn filled() -> Value {
    json!({
        "type": "object",
        "required": ["data_id", "fieldValue"],
        "properties": {
            "data_id": { "type": ["string", "number"] },
            "fieldValue": { "description": "Null where the person took out what you hold." },
            "confidence": { "type": "number", "minimum": 0, "maximum": 1, "description": "A table of cases, not a \
                measure: 1 for what was picked, sent by you, worked out, or read back and confirmed; 0.95 for words \
                that code read; 0.8 for words that a language model read." },
            "source": { "type": "string", "enum": ["user", "ai", "default", "server", "computed"],
                "description": "user: the person's words, read by code. ai: their words, read by a language model. \
                    server: sent by you. default, computed: from the form." },
            "at": { "type": "string", "format": "date-time" },
            "quote": { "type": "string", "description": "The words it was read from." },
        },
    })
}

fn missing() -> Value {
    json!({ "anyOf": [
        { "type": ["string", "number"] },
        { "type": "object", "properties": {
            "data_id": { "type": ["string", "number"] },
            "reason": { "type": ["string", "null"], "description": "Why a value was refused." },
        } },
    ] })
}

fn said() -> Value {
    json!({
        "type": "object",
        "properties": {
            "role": { "type": "string", "enum": ["user", "assistant", "system"] },
            "content": { "type": "string" },
        },
    })
}
