//! The bodies of the API as JSON Schemas.

use serde_json::{Value, json};

use crate::limits;

/// What `form_context_md` takes.
const FORM_IN_REQUEST: &str = "A form written out in full, where the server allows it (web.inline_forms; else 403 \
    no_inline_forms). Four ways of writing are read: a form file as JSON (the text begins with {), as TOML (it has a \
    line that begins with id = or [[), as YAML, or as Markdown (it begins with a heading or with YAML between two lines \
    of ---, and has tables of fields; FormPilot's forms are read as they are). The same text names the same form \
    again. Its own sinks do not count: submissions go to the server's log; one that calls functions is refused. Send form or form_context_md, \
    not both, and only with the first message of a conversation.";

/// What a conversation may be called.
const CALLED: &str = "From the answer before; leave it out to start a conversation. A client with an API key may give a name \
    of its own from the first message on: 16 to 64 letters, digits, or any of - _ . : (a UUID fits; 43 characters, as those \
    handed out have, do not). It means the same conversation whenever this key sends it, and none of another \
    key's; where nothing is going on in it, a form that is named is started.";

/// All named schemas.
pub(super) fn schemas() -> Value {
    let mut all = requests();
    for more in [actions(), answers(), super::replies::replies()] {
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
    }
    all
}

pub(super) fn object(required: &[&str], properties: Value) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false, "required": required });
    schema["properties"] = properties;
    schema
}

/// A string that may be null.
pub(super) fn perhaps(description: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description })
}

pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn requests() -> Value {
    let token = json!({ "type": "string", "description": "As the widget or option wore it." });
    let files = json!({ "type": "array", "maxItems": limits::FILES, "items": reference("File") });
    json!({
        "ChatRequest": object(&[], json!({
            "form": perhaps("Id of the form to start, from /api/schemas."),
            "user_message": perhaps("What the person wrote, at most 16 KB; empty greets."),
            "conversation_id": perhaps(CALLED),
            "event_id": perhaps(
                "Your own id of this message: sent again, it has no further effect. Under an API key the one that starts a \
                 conversation has at least 16 characters.",
            ),
            "press": reference("Press"),
            "presses": { "type": "array", "maxItems": limits::PRESSES, "items": reference("Press") },
            "attach": object(&["files"], json!({ "files": files, "text": { "type": "string" } })),
            "location": reference("Location"),
            "tool_results": { "type": "array", "maxItems": limits::TOOL_RESULTS, "items": reference("ToolResult") },
            "form_context_md": perhaps(FORM_IN_REQUEST),
            "values": {
                "type": ["object", "null"], "maxProperties": limits::PRESSES,
                "additionalProperties": { "type": ["string", "number", "boolean"] },
                "description": "What the form that this request starts begins with, by field path, as data or in words: only \
                    for fields whose form says from_link. What does not fit is asked.",
            },
            "locale": perhaps("BCP 47 tag of the person's language, such as it-IT."),
            "zone": perhaps("IANA name of the person's time zone, such as Europe/Rome."),
        })),
        "Fill": { "type": "object", "description": "Nine variables: the schema of requests and answers is at \
            /api/fill/schema.json." },
        "Press": object(&["token"], json!({
            "token": token,
            "text": { "type": "string", "description": "What an input holds." },
            "options": { "type": "array", "items": token, "description": "Tokens of the options picked." },
            "files": files,
            "location": reference("Location"),
        })),
        "File": object(&["name", "size"], json!({
            "id": { "type": "string", "description": "Where you keep it; its name by default." },
            "name": { "type": "string" },
            "type": { "type": "string", "description": "Media type." },
            "size": { "type": "integer", "minimum": 0, "description": "Bytes; an empty file is refused. Contents are \
                never sent. Where only a link is known, send it as user_message." },
        })),
        "Location": object(&["lat", "lng"], json!({
            "lat": { "type": "number", "minimum": -90, "maximum": 90 },
            "lng": { "type": "number", "minimum": -180, "maximum": 180 },
            "address": { "type": "string" }, "city": { "type": "string" }, "country": { "type": "string" },
        })),
        "ToolResult": object(&["tool_name", "result"], json!({
            "call_id": { "type": "string", "description": "From the TOOL_CALL action." },
            "tool_name": { "type": "string" },
            "tool_args": { "description": "What the call was made with, as some clients repeat it. It is not read." },
            "result": { "description": "Any JSON. An object with the one key error tells that the tool failed, null that the client has no such tool: \
                then the rows in the form file serve, where there are any." },
        })),
        "ResetRequest": object(&["conversation_id"], json!({ "conversation_id": { "type": "string" } })),
    })
}

fn actions() -> Value {
    let text = json!({ "type": "string" });
    let action = |name: &str, required: &[&str], properties: Value| {
        let mut schema = json!({
            "type": "object", "additionalProperties": false, "properties": { "action": { "const": name } },
        });
        if let (Some(into), Value::Object(more)) = (schema["properties"].as_object_mut(), properties) {
            into.extend(more);
        }
        let required: Vec<&str> = ["action"].iter().chain(required).copied().collect();
        schema["required"] = json!(required);
        schema
    };
    let ask = ["field_id", "label", "message"];
    let asked = json!({ "field_id": text, "label": text, "message": text });
    let ask_options = ["field_id", "label", "options", "message"];
    let offered = json!({
        "field_id": text, "label": text, "options": { "type": "array", "items": text }, "message": text,
    });
    json!({ "Action": {
        "description": "What to show next. Whatever is asked may be answered by user_message in plain words.",
        "oneOf": [
            action("MESSAGE", &["text"], json!({ "text": text })),
            action("ASK_TEXT", &ask, asked.clone()),
            action("ASK_DROPDOWN", &ask_options, offered.clone()),
            action("ASK_CHECKBOX", &ask_options, offered),
            action("ASK_DATE", &ask, asked.clone()),
            action("ASK_DATETIME", &ask, asked.clone()),
            action("ASK_LOCATION", &ask, asked),
            action("TOOL_CALL", &["tool_name", "tool_args", "call_id", "message"], json!({
                "tool_name": text, "tool_args": {}, "call_id": text, "message": text,
            })),
            action("FORM_COMPLETE", &["data", "message"], json!({
                "data": { "description": "The answers as they were sent; null where sensitive." }, "message": text,
            })),
        ],
    } })
}

fn answers() -> Value {
    let replies = json!({
        "type": "array", "items": reference("Reply"), "description": "What to say and draw in full.",
    });
    let progress = json!({ "oneOf": [reference("Progress"), { "type": "null" }] });
    let card = json!({
        "id": { "type": "string" }, "title": { "type": "string" }, "description": { "type": "string" },
        "fields": { "type": "integer" },
    });
    let mut card_and_schema = card.clone();
    let mut listed = card;
    listed["words"] = json!({
        "type": "object", "description": "Title and description in further languages, by BCP 47 tag.",
        "additionalProperties": object(&["title", "description"], json!({
            "title": { "type": "string" }, "description": { "type": "string" },
        })),
    });
    card_and_schema["schema"] = json!({ "type": "object", "description": "JSON Schema of the submission." });
    let notice = object(&["no", "reply"], json!({ "no": { "type": "integer" }, "reply": reference("Reply") }));
    json!({
        "ChatResponse": object(&["action", "conversation_id", "answers", "replies"], json!({
            "action": reference("Action"),
            "conversation_id": { "type": "string", "description": "Names the conversation in what you send next." },
            "answers": { "type": "object", "description": "Answers so far by field path; null where sensitive." },
            "replies": replies,
            "progress": progress,
            "form": perhaps("The form being filled."),
            "state": perhaps("Incomplete, WaitConfirm, InReview (others have to approve it), Complete or Closed."),
            "asked": perhaps("Path of the field being asked."),
            "rejected": {
                "type": "array", "description": "What was sent and not taken; left out where there is nothing of the kind.",
                "items": object(&["reason"], json!({
                    "field": { "type": "string", "description": "Path of the field that refuses a value." },
                    "tool": { "type": "string", "description": "The client's tool whose result no call waits for." },
                    "reason": { "type": "string" },
                })),
            },
        })),
        "Conversation": object(&["action", "conversation_id", "session", "notices"], json!({
            "action": reference("Action"), "conversation_id": { "type": "string" }, "session": reference("Session"),
            "notices": { "type": "integer", "description": "Listen for notices after this number." },
        })),
        "FormList": object(&["schemas"], json!({
            "schemas": { "type": "array", "items": object(&["id", "title", "description", "fields"], listed) },
        })),
        "FormSchema": object(&["id", "title", "description", "fields", "schema"], card_and_schema),
        "Reset": object(&["reset"], json!({ "reset": { "type": "boolean", "description": "Whether there was one." } })),
        "Notices": object(&["events", "last"], json!({
            "events": { "type": "array", "items": notice }, "last": { "type": "integer" },
        })),
        "Health": object(&["status", "sessions", "forms", "model", "platforms"], json!({
            "status": { "const": "ok" }, "sessions": { "type": "integer" }, "forms": { "type": "integer" },
            "notices": {
                "type": "array", "items": { "type": "string" },
                "description": "What operators are to see to though messages are taken; missing where there is nothing.",
            },
            "model": object(&["state"], json!({
                "state": {
                    "enum": ["up", "resting", "refused", "none"],
                    "description": "The language model: asked, left alone for a while, its key not accepted, or not there. Forms go on without it.",
                },
                "calls": { "type": "integer", "description": "Calls on behalf of people since the start." },
                "failures": { "type": "integer", "description": "Calls that gave nothing." },
                "prompt_tokens": { "type": "integer" },
                "reply_tokens": { "type": "integer" },
            })),
            "platforms": {
                "type": "object",
                "description": "Each platform that is served: up, or down with why nothing is sent there.",
                "additionalProperties": object(&["state"], json!({
                    "state": { "enum": ["up", "down"] }, "why": { "type": "string" },
                })),
            },
        })),
        "Unwell": object(&["status", "error"], json!({
            "status": { "const": "unavailable" },
            "error": object(&["code", "message"], json!({
                "code": { "const": "unavailable" }, "message": { "type": "string", "description": "Why." },
            })),
        })),
        "Readiness": object(&["status", "reasons"], json!({
            "status": { "enum": ["ready", "unready"] }, "reasons": { "type": "array", "items": { "type": "string" } },
        })),
        "FillRefusal": object(&["error"], json!({
            "error": object(&["code", "message"], json!({ "code": { "type": "string" }, "message": { "type": "string" } })),
            "status": { "const": "in_progress" },
            "response_message": { "type": "string" },
        })),
        "Error": object(&["error"], json!({
            "error": object(&["code", "message"], json!({
                "code": { "type": "string", "description": "For programs: stable." },
                "message": { "type": "string", "description": "For people: what is wrong and what to do." },
            })),
        })),
    })
}
