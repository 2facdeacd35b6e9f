//! The API described in `OpenAPI` 3.1, as served at `/api/openapi.json`.

mod replies;
mod schemas;

use serde_json::{Value, json};

/// The description.
pub(crate) fn description() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Formwright",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Fills in a form by conversation. POST /api/chat without conversation_id starts one; send the \
                conversation_id of the answer with each further message. A conversation belongs to the cookie or key \
                that started it: to anybody else it does not exist.",
        },
        "security": [{ "cookie": [] }, { "key": [] }],
        "paths": paths(),
        "components": {
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey", "in": "cookie", "name": "formwright",
                    "description": "Handed out with the page or the first answer; __Host-formwright over https.",
                },
                "key": { "type": "http", "scheme": "bearer", "description": "One of web.keys." },
            },
            "responses": {
                "Error": {
                    "description": "A refusal that says what to do.",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
                },
            },
            "schemas": schemas::schemas(),
        },
    })
}

fn paths() -> Value {
    let id = json!([{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }]);
    let name = json!([{ "name": "name", "in": "path", "required": true, "schema": { "type": "string" } }]);
    let mut id_after = id.clone();
    if let Some(parameters) = id_after.as_array_mut() {
        parameters.push(json!({
            "name": "after", "in": "query", "schema": { "type": "integer", "minimum": 0 },
            "description": "Number of the last notice you have.",
        }));
    }
    json!({
        "/api/chat": { "post": operation(
            "Say or press something, or start a form",
            "An empty user_message greets. Send event_id to be able to send the same message again \
             safely. Without a conversation_id, the event_id of a client with an API key must have at least 16 characters, \
             such as a UUID, and starts the same conversation again: the client speaks for many people, and short ids meet, so \
             they are refused (short_event_id).",
            &json!([]), Some("ChatRequest"), "ChatResponse",
        ) },
        "/api/fill": { "post": refused_as("default", "FillRefusal", operation(
            "Fill in a form that you keep yourself",
            "Takes and gives nine variables; the schema of both is at /api/fill/schema.json. Forbidden where the operator \
             has not web.fill.",
            &json!([]), Some("Fill"), "Fill",
        )) },
        "/api/fill/schema.json": { "get": {
            "summary": "JSON Schema of /api/fill", "security": [],
            "responses": { "200": { "description": "JSON Schema 2020-12", "content": { "application/json": {} } } },
        } },
        "/api/schemas": { "get": operation("List the forms", "", &json!([]), None, "FormList") },
        "/api/schemas/{name}": { "get": operation(
            "Show a form", "With the JSON Schema of what it submits.", &name, None, "FormSchema",
        ) },
        "/api/sessions/reset": { "post": operation(
            "Throw a conversation's session away", "", &json!([]), Some("ResetRequest"), "Reset",
        ) },
        "/api/conversation/{id}": { "get": operation(
            "Show a conversation", "For page reloads and debugging; sensitive values are masked.", &id, None,
            "Conversation",
        ) },
        "/api/conversation/{id}/events": { "get": operation(
            "Wait for notices", "Answers at once where there are some, else when one comes or after 25 seconds. Where too many wait already, 429.",
            &id_after, None, "Notices",
        ) },
        "/api/health": { "get": refused_as("503", "Unwell", operation(
            "Status, number of sessions, and the language model",
            "Tries whether the store takes a write; 503 with the reason where it does not. The model changes nothing of that.",
            &json!([]), None, "Health",
        )) },
        "/api/openapi.json": { "get": {
            "summary": "This description", "security": [],
            "responses": { "200": { "description": "OpenAPI 3.1", "content": { "application/json": {} } } },
        } },
        "/health/live": { "get": {
            "summary": "Tells that the process lives", "security": [],
            "responses": { "200": { "description": "live", "content": { "text/plain": {} } } },
        } },
        "/health/ready": { "get": {
            "summary": "Tells whether messages are taken now, and the reasons where they are not", "security": [],
            "responses": {
                "200": { "description": "ready", "content": content("Readiness") },
                "503": { "description": "unready", "content": content("Readiness") },
            },
        } },
    })
}

fn content(name: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } })
}

/// An operation that is refused in a form of its own.
fn refused_as(status: &str, name: &str, mut operation: Value) -> Value {
    operation["responses"][status] =
        json!({ "description": "A refusal that says what to do.", "content": content(name) });
    operation
}

fn operation(summary: &str, description: &str, parameters: &Value, body: Option<&str>, answer: &str) -> Value {
    let mut operation = json!({
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "Done", "content": content(answer) },
            "default": { "$ref": "#/components/responses/Error" },
        },
    });
    if !description.is_empty() {
        operation["description"] = description.into();
    }
    if let Some(body) = body {
        operation["requestBody"] = json!({ "required": true, "content": content(body) });
    }
    operation
}
