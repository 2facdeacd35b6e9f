//! HTTP JSON to `chat::Event`. Pure: time, ids and the person are given.

mod scan;

pub(crate) use scan::check_text;

use formwright_chat::{Action, FileRef, LocationRef, Prefill, Press, Pressed, Token, ToolResult};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::limits;

/// Body of `POST /api/chat`. Keys that are not here are refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ChatRequest {
    /// Id of the form to start, from `/api/schemas`.
    pub(crate) form: Option<String>,
    /// What the person wrote; empty greets.
    pub(crate) user_message: Option<String>,
    /// From the answer before, or an API client's own name of the conversation; none starts one.
    pub(crate) conversation_id: Option<String>,
    /// The client's own id of this message: sent again, it has no further effect.
    pub(crate) event_id: Option<String>,
    press: Option<WirePress>,
    presses: Option<Vec<WirePress>>,
    attach: Option<WireAttach>,
    location: Option<WireLocation>,
    tool_results: Option<Vec<WireToolResult>>,
    /// A form written out in full, where the settings allow it: TOML, YAML or JSON, or YAML at the head of Markdown.
    pub(crate) form_context_md: Option<String>,
    /// What the form that is started begins with, by field path.
    pub(crate) values: Option<Map<String, Value>>,
    /// BCP 47 tag of the person's language.
    pub(crate) locale: Option<String>,
    /// IANA name of the person's time zone.
    pub(crate) zone: Option<String>,
}

/// A widget used: a button by its token alone, any other with one value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePress {
    token: String,
    text: Option<String>,
    options: Option<Vec<String>>,
    files: Option<Vec<WireFile>>,
    location: Option<WireLocation>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireAttach {
    files: Vec<WireFile>,
    #[serde(default)]
    text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    id: Option<String>,
    name: String,
    #[serde(rename = "type", default)]
    media_type: String,
    size: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireLocation {
    lat: f64,
    lng: f64,
    address: Option<String>,
    city: Option<String>,
    country: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireToolResult {
    call_id: Option<String>,
    tool_name: String,
    /// Some clients send along what the call was made with. It is known here.
    #[serde(rename = "tool_args")]
    _args: Option<IgnoredAny>,
    result: Value,
}

/// Body of `POST /api/sessions/reset`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetRequest {
    /// Which conversation.
    pub(crate) conversation_id: String,
}

/// Reads a request body: valid UTF-8, not too deep, no halves of characters, no unknown keys.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let text = std::str::from_utf8(body)
        .map_err(|_| ApiError::bad("bad_encoding", "The body is not valid UTF-8. Send JSON encoded as UTF-8."))?;
    scan::scan(text)?;
    if !text.trim_start().starts_with('{') {
        return Err(ApiError::bad("bad_json", "Send one JSON object. See /api/openapi.json for what it may hold."));
    }
    serde_json::from_str(text).map_err(|error| {
        let hint =
            if error.is_data() { "See /api/openapi.json for what may be sent." } else { "Send one JSON object." };
        ApiError::bad("bad_json", format!("The body could not be read: {error}. {hint}"))
    })
}

/// Reads the body of `POST /api/chat`, and checks the names in it.
pub(crate) fn chat_request(body: &[u8]) -> Result<ChatRequest, ApiError> {
    let request = parse(body)?;
    check_names(&request)?;
    Ok(request)
}

/// What the person did, from a request whose form has been looked up.
pub(crate) fn action(request: ChatRequest, form: Option<String>) -> Result<Action, ApiError> {
    let text = message("user_message", request.user_message.unwrap_or_default())?;
    let ways = [
        request.press.is_some(),
        request.presses.is_some(),
        request.attach.is_some(),
        request.location.is_some(),
        request.tool_results.as_ref().is_some_and(|results| !results.is_empty()),
    ];
    let ways = ways.into_iter().filter(|used| *used).count();
    let message_too = !text.trim().is_empty() && request.attach.is_none();
    if ways + usize::from(message_too) > 1 {
        return Err(ApiError::bad(
            "too_many_ways",
            "Send one of user_message, press, presses, attach, location and tool_results in a request, not several.",
        ));
    }
    if let Some(attach) = request.attach {
        let caption = message("attach.text", attach.text)?;
        let text = if caption.is_empty() { text } else { caption };
        return Ok(Action::Attach { files: files(attach.files)?, text });
    }
    if let Some(location) = request.location {
        return Ok(Action::Share { location: place(location)? });
    }
    if let Some(results) = request.tool_results.filter(|results| !results.is_empty()) {
        return Ok(Action::ToolResults { results: tool_results(results)? });
    }
    if let Some(wire) = request.presses.or(request.press.map(|press| vec![press])) {
        at_most("presses", wire.len(), limits::PRESSES)?;
        let presses: Result<Vec<Press>, ApiError> = wire.into_iter().map(press).collect();
        return Ok(Action::Press { presses: presses? });
    }
    if message_too { Ok(Action::Say { text }) } else { Ok(Action::Open { form }) }
}

/// What a form that is started begins with.
pub(crate) fn prefill(values: Map<String, Value>) -> Result<Prefill, ApiError> {
    at_most("values", values.len(), limits::PRESSES)?;
    let words = |(path, value): (String, Value)| {
        let value = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                let words =
                    format!("values.{path} must be a text, a number, true or false. Send several picks as one text.");
                return Err(ApiError::bad("bad_values", words));
            }
        };
        Ok((name("values", path)?, message("values", value)?))
    };
    values.into_iter().map(words).collect::<Result<_, _>>().map(Prefill)
}

/// The first language of an `Accept-Language` header, if it is one.
pub(crate) fn first_language(header: &str) -> Option<String> {
    let tag = header.split([',', ';']).next().unwrap_or_default().trim();
    is_locale(tag).then(|| tag.to_owned())
}

fn press(wire: WirePress) -> Result<Press, ApiError> {
    let WirePress { token, text, options, files: sent, location } = wire;
    let value = match (text, options, sent, location) {
        (None, None, None, None) => Pressed::Button,
        (Some(text), None, None, None) => Pressed::Text { text: message("press.text", text)? },
        (None, Some(tokens), None, None) => {
            at_most("options", tokens.len(), limits::PICKED)?;
            let tokens: Result<_, _> = tokens.iter().map(|token| self::token("press.options", token)).collect();
            Pressed::Options { tokens: tokens? }
        }
        (None, None, Some(sent), None) => Pressed::Files { files: files(sent)? },
        (None, None, None, Some(location)) => Pressed::Location { location: place(location)? },
        _ => {
            return Err(ApiError::bad(
                "too_many_values",
                "A press has one value: text, options, files or location, or none for a button.",
            ));
        }
    };
    Ok(Press { token: self::token("press.token", &token)?, value })
}

fn token(key: &str, text: &str) -> Result<Token, ApiError> {
    text.parse().map_err(|_| {
        let words =
            format!("{key} is no widget's token. Send it as it came in replies, with nothing added or left out.");
        ApiError::bad("bad_token", words)
    })
}

fn files(wire: Vec<WireFile>) -> Result<Vec<FileRef>, ApiError> {
    at_most("files", wire.len(), limits::FILES)?;
    wire.into_iter()
        .map(|file| {
            let name = name("files.name", file.name)?;
            let id = file.id.map(|id| self::name("files.id", id)).transpose()?.unwrap_or_else(|| name.clone());
            let media_type = self::name("files.type", file.media_type)?;
            Ok(FileRef { id, name, media_type, bytes: Some(file.size) })
        })
        .collect()
}

fn place(wire: WireLocation) -> Result<LocationRef, ApiError> {
    let WireLocation { lat, lng, address, city, country } = wire;
    if !((-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng)) {
        return Err(ApiError::bad("bad_location", "lat must be from -90 to 90 and lng from -180 to 180."));
    }
    let named = |key, text: Option<String>| text.map(|text| name(key, text)).transpose();
    Ok(LocationRef {
        lat,
        lng,
        address: named("location.address", address)?,
        city: named("location.city", city)?,
        country: named("location.country", country)?,
    })
}

fn tool_results(wire: Vec<WireToolResult>) -> Result<Vec<ToolResult>, ApiError> {
    at_most("tool_results", wire.len(), limits::TOOL_RESULTS)?;
    wire.into_iter()
        .map(|WireToolResult { call_id, tool_name, _args: _, result }| tool_result(call_id, tool_name, result))
        .collect()
}

/// What one of the client's tools gave.
pub(crate) fn tool_result(call: Option<String>, tool: String, result: Value) -> Result<ToolResult, ApiError> {
    scan::check_strings(&result)?;
    let call = call.map(|call| name("tool_results.call_id", call)).transpose()?;
    Ok(ToolResult { call, tool: name("tool_results.tool_name", tool)?, result })
}

fn check_names(request: &ChatRequest) -> Result<(), ApiError> {
    check_ids(request.event_id.as_deref(), request.locale.as_deref(), request.zone.as_deref())
}

/// Whether a client may call a conversation so: long enough that names for two of the people it speaks for do not meet.
pub(crate) fn is_name(name: &str) -> bool {
    (limits::UNIQUE_ID..=limits::EVENT_ID_CHARS).contains(&name.len()) && name.chars().all(in_alphabet)
}

/// The refusal of a conversation's name, sent under a key.
pub(crate) fn bad_name(code: &'static str, key: &str) -> ApiError {
    let (least, most) = (limits::UNIQUE_ID, limits::EVENT_ID_CHARS);
    let words = format!(
        "{key} must be {least} to {most} letters, digits, or any of - _ . : (a UUID fits). Leave it out to be given one."
    );
    ApiError::bad(code, words)
}

fn in_alphabet(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.:".contains(c)
}

/// Checks an event's id, a language tag and the name of a time zone, where they are given.
pub(crate) fn check_ids(event_id: Option<&str>, locale: Option<&str>, zone: Option<&str>) -> Result<(), ApiError> {
    if let Some(id) = event_id
        && (id.is_empty() || id.len() > limits::EVENT_ID_CHARS || !id.chars().all(in_alphabet))
    {
        return Err(ApiError::bad(
            "bad_event_id",
            format!(
                "event_id must be 1 to {} letters, digits, or any of - _ . : (a UUID fits).",
                limits::EVENT_ID_CHARS
            ),
        ));
    }
    if locale.is_some_and(|tag| !is_locale(tag)) {
        return Err(ApiError::bad("bad_locale", "locale must be a BCP 47 language tag, such as it or it-IT."));
    }
    let in_zone = |c: char| c.is_ascii_alphanumeric() || "-_+/".contains(c);
    if zone.is_some_and(|zone| {
        zone.is_empty() || zone.len() > limits::ZONE_CHARS || !zone.chars().all(in_zone) || zone.contains("//")
    }) {
        return Err(ApiError::bad("bad_zone", "zone must be an IANA time zone name, such as Europe/Rome."));
    }
    Ok(())
}

fn is_locale(tag: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    tag.len() <= limits::LOCALE_CHARS && tag.split('-').all(part) && tag.starts_with(|c: char| c.is_ascii_alphabetic())
}

pub(crate) fn message(key: &str, text: String) -> Result<String, ApiError> {
    limited(key, text, limits::MESSAGE_BYTES)
}

fn name(key: &str, text: String) -> Result<String, ApiError> {
    limited(key, text, limits::NAME_BYTES)
}

fn limited(key: &str, text: String, limit: usize) -> Result<String, ApiError> {
    if text.len() > limit {
        let words = format!("{key} is longer than {limit} bytes. Shorten it, or send it in parts.");
        return Err(ApiError::too_big("text_too_long", words));
    }
    scan::check_text(key, &text)?;
    Ok(text)
}

pub(crate) fn at_most(key: &str, count: usize, limit: usize) -> Result<(), ApiError> {
    if count > limit {
        return Err(ApiError::too_big("too_many", format!("{key} holds {count} entries; at most {limit} are taken.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
