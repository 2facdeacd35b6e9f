//! What a FormPilot client sends. Pure. Keys that are not known are passed over.

use axum::http::StatusCode;
use formwright_chat::{Action, LocationRef, ToolResult};
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::{limits, translate};

/// Body of `POST /api/chat`.
pub(super) struct ChatRequest {
    /// The form, written out.
    pub(super) form: String,
    /// The client's name of the conversation, or one that it was given; none begins one.
    pub(super) conversation: Option<String>,
    /// What was done, in order: results of tools, then words.
    pub(super) actions: Vec<Action>,
}

/// Reads the body of `POST /api/chat`.
pub(super) fn request(body: &[u8]) -> Result<ChatRequest, Refusal> {
    let map = object(body)?;
    let missing: Vec<Value> =
        ["form_context_md", "user_message"].iter().filter_map(|key| fault(&map, key, true)).collect();
    let wrong = fault(&map, "conversation_id", false).into_iter();
    let faults: Vec<Value> = missing.into_iter().chain(wrong).collect();
    if !faults.is_empty() {
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, faults));
    }
    let form = text(&map, "form_context_md").unwrap_or_default();
    if form.trim().is_empty() {
        let words =
            "form_context_md is empty. Send the form with every message; GET /api/schemas lists those there are.";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    translate::check_text("form_context_md", &form)?;
    let message = translate::message("user_message", text(&map, "user_message").unwrap_or_default())?;
    let mut actions = Vec::new();
    let results = results(map.get("tool_results"))?;
    if !results.is_empty() {
        actions.push(Action::ToolResults { results });
    }
    if let Some(location) = location(&message) {
        actions.push(Action::Share { location });
    } else if !message.trim().is_empty() {
        actions.push(Action::Say { text: message });
    }
    let conversation = text(&map, "conversation_id").filter(|name| !name.is_empty()).map(named).transpose()?;
    Ok(ChatRequest { form, conversation, actions })
}

/// Reads the body of `POST /api/sessions/reset`: the name of the conversation.
pub(super) fn reset(body: &[u8]) -> Result<String, Refusal> {
    let map = object(body)?;
    match fault(&map, "conversation_id", true) {
        None => named(text(&map, "conversation_id").unwrap_or_default()),
        Some(fault) => Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, vec![fault])),
    }
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    translate::parse(body).map_err(|error| Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, ..Refusal::from(error) })
}

fn text(map: &Map<String, Value>, key: &str) -> Option<String> {
    map.get(key)?.as_str().map(str::to_owned)
}

/// What is wrong with a key that holds a text, as such clients are told it: where, and what.
fn fault(map: &Map<String, Value>, key: &str, needed: bool) -> Option<Value> {
    let (kind, words) = match map.get(key) {
        Some(Value::String(_)) => return None,
        None | Some(Value::Null) if !needed => return None,
        None => ("missing", "Field required"),
        Some(_) => ("string_type", "Input should be a valid string"),
    };
    Some(json!({ "type": kind, "loc": ["body", key], "msg": words }))
}

fn named(name: String) -> Result<String, Refusal> {
    if name.trim().is_empty() || name.len() > limits::NAME_BYTES {
        let words =
            format!("conversation_id must have 1 to {} bytes. Leave it out to be given one.", limits::NAME_BYTES);
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, words));
    }
    translate::check_text("conversation_id", &name)?;
    Ok(name)
}

/// What tools gave. With which arguments they were called is known here.
fn results(sent: Option<&Value>) -> Result<Vec<ToolResult>, Refusal> {
    let wrong = || {
        let words = "tool_results must be a list of objects with tool_name, a text, and result.";
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, words)
    };
    let list = match sent {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong()),
    };
    let one = |entry: &Value| {
        let tool = entry.get("tool_name").and_then(Value::as_str).ok_or_else(wrong)?.to_owned();
        let result = entry.get("result").cloned().unwrap_or_default();
        translate::tool_result(None, tool, result).map_err(Refusal::from)
    };
    translate::at_most("tool_results", list.len(), limits::TOOL_RESULTS)?;
    list.iter().map(one).collect()
}

/// A place on the map, as its picker writes it into a message: `{"lat": 24.7, "lng": 46.6}`.
fn location(message: &str) -> Option<LocationRef> {
    let map: Map<String, Value> = serde_json::from_str(message).ok()?;
    let degrees = |key: &str, most: f64| map.get(key)?.as_f64().filter(|degrees| degrees.abs() <= most);
    let (lat, lng) = (degrees("lat", 90.0)?, degrees("lng", 180.0)?);
    let words = |key: &str| text(&map, key);
    Some(LocationRef { lat, lng, address: words("address"), city: words("city"), country: words("country") })
}
