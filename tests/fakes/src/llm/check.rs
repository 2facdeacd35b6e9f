//! What a request must be like, and how one that is not is refused.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::{Mode, Settings, schema};

/// Keys of a request that are known.
const KNOWN: [&str; 16] = [
    "model",
    "messages",
    "response_format",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "n",
    "stop",
    "seed",
    "user",
    "stream",
    "tools",
    "tool_choice",
    "reasoning_effort",
    "store",
];
const ROLES: [&str; 4] = ["system", "developer", "user", "assistant"];

/// A refusal, in the shape of `OpenAI`'s.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
    param: Option<&'static str>,
    code: Option<&'static str>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), param: None, code: None }
    }

    fn bad(param: &'static str, message: impl Into<String>) -> Self {
        Self { param: Some(param), ..Self::new(StatusCode::BAD_REQUEST, message) }
    }

    fn coded(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    pub(super) fn response(&self) -> Response {
        let kind = if self.status.is_server_error() { "server_error" } else { "invalid_request_error" };
        let error = json!({"message": self.message, "type": kind, "param": self.param, "code": self.code});
        (self.status, axum::Json(json!({"error": error}))).into_response()
    }
}

/// The key and the type of the body.
pub(super) fn head(headers: &HeaderMap, settings: &Settings) -> Result<(), Refusal> {
    authorized(headers, settings)?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("Unsupported content type: '{kind}'")));
    }
    Ok(())
}

/// The key. A refusal repeats it, as that of some servers does.
pub(super) fn authorized(headers: &HeaderMap, settings: &Settings) -> Result<(), Refusal> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    if settings.key.is_empty() || settings.key == given {
        return Ok(());
    }
    Err(wrong_key(given))
}

pub(super) fn wrong_key(given: &str) -> Refusal {
    let words = format!("Incorrect API key provided: {given}. You can find your API key in your settings.");
    Refusal::new(StatusCode::UNAUTHORIZED, words).coded("invalid_api_key")
}

/// The body: what every server refuses.
pub(super) fn body(body: &Value, settings: &Settings) -> Result<(), Refusal> {
    let Some(map) = body.as_object() else {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "We could not parse the JSON body of your request."));
    };
    if let Some(key) = map.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        let words = format!("Unrecognized request argument supplied: {key}");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    match body["model"].as_str() {
        None => return Err(Refusal::bad("model", "you must provide a model parameter")),
        Some(model) if model != settings.model => {
            let words = format!("The model `{model}` does not exist or you do not have access to it.");
            return Err(Refusal::new(StatusCode::NOT_FOUND, words).coded("model_not_found"));
        }
        Some(_) => {}
    }
    messages(&body["messages"])?;
    limits(body)?;
    format(body)
}

fn messages(messages: &Value) -> Result<(), Refusal> {
    let Some(messages) = messages.as_array().filter(|messages| !messages.is_empty()) else {
        return Err(Refusal::bad("messages", "'messages' is required and must not be empty"));
    };
    for (no, message) in messages.iter().enumerate() {
        if !message["role"].as_str().is_some_and(|role| ROLES.contains(&role)) {
            let words = format!("Invalid value: {} for 'messages[{no}].role'", message["role"]);
            return Err(Refusal::bad("messages", words));
        }
        if !message["content"].is_string() {
            let words = format!("Invalid type for 'messages[{no}].content': expected a string");
            return Err(Refusal::bad("messages", words));
        }
    }
    let has_user = messages.iter().any(|message| message["role"] == "user");
    if has_user { Ok(()) } else { Err(Refusal::bad("messages", "there is no message of the user")) }
}

fn limits(body: &Value) -> Result<(), Refusal> {
    let names = ["max_tokens", "max_completion_tokens"];
    let given: Vec<&'static str> = names.into_iter().filter(|name| !body[*name].is_null()).collect();
    if given.len() > 1 {
        let words = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
        return Err(Refusal::bad("max_tokens", words));
    }
    if let Some(name) = given.into_iter().find(|name| matches!(body[*name].as_u64(), None | Some(0))) {
        return Err(Refusal::bad(name, format!("Invalid '{name}': integer below minimum value. Expected at least 1.")));
    }
    let heat = &body["temperature"];
    if !heat.is_null() && !heat.as_f64().is_some_and(|heat| (0.0..=2.0).contains(&heat)) {
        return Err(Refusal::bad("temperature", "Invalid 'temperature': expected a number from 0 to 2."));
    }
    if body["stream"] == true {
        return Err(Refusal::bad("stream", "Streaming is not supported here."));
    }
    Ok(())
}

fn format(body: &Value) -> Result<(), Refusal> {
    let format = &body["response_format"];
    let bad = |words: String| Err(Refusal::bad("response_format", words));
    match format["type"].as_str() {
        None if format.is_null() => Ok(()),
        Some("text") => Ok(()),
        Some("json_object") => {
            let told = body["messages"].to_string().to_ascii_lowercase().contains("json");
            let words =
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
            if told { Ok(()) } else { bad(words.to_owned()) }
        }
        Some("json_schema") => {
            let named = |name: &str| {
                let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                !name.is_empty() && name.len() <= 64 && name.chars().all(fits)
            };
            let schema = &format["json_schema"];
            let Some(name) = schema["name"].as_str().filter(|name| named(name)) else {
                return bad("Missing or invalid 'response_format.json_schema.name'.".to_owned());
            };
            let wrong = if schema["strict"] == true { schema::refused(&schema["schema"]) } else { None };
            wrong.map_or(Ok(()), |why| bad(format!("Invalid schema for response_format '{name}': {why}.")))
        }
        _ => bad(format!("Invalid value: {} for 'response_format.type'", format["type"])),
    }
}

/// What this very server does not take.
pub(super) fn taken(body: &Value, mode: Mode) -> Result<(), Refusal> {
    let kind = body["response_format"]["type"].as_str();
    let refuses = match mode {
        Mode::NoSchema => kind == Some("json_schema"),
        Mode::NoFormat => kind.is_some(),
        _ => false,
    };
    if refuses {
        let words =
            format!("'response_format' of type '{}' is not supported with this model.", kind.unwrap_or_default());
        return Err(Refusal::bad("response_format", words));
    }
    if mode == Mode::NoSystem
        && body["messages"].as_array().is_some_and(|all| all.iter().any(|m| m["role"] == "system"))
    {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "System role not supported"));
    }
    if mode == Mode::NewNames && !body["max_tokens"].is_null() {
        let words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        return Err(Refusal::bad("max_tokens", words).coded("unsupported_parameter"));
    }
    if mode == Mode::NewNames && body["temperature"].as_f64().is_some_and(|heat| (heat - 1.0).abs() > f64::EPSILON) {
        let words = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
        return Err(Refusal::bad("temperature", words).coded("unsupported_value"));
    }
    Ok(())
}
