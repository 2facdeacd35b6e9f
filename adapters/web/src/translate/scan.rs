//! Looks a body over before it is read: nesting, halves of characters, and characters that make text lie.

use serde_json::Value;

use crate::error::ApiError;
use crate::limits;

/// Refuses JSON that is nested too deeply or writes half a character, before anything is built from it.
pub(super) fn scan(json: &str) -> Result<(), ApiError> {
    let bytes = json.as_bytes();
    let (mut depth, mut at, mut in_string) = (0_usize, 0, false);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match (in_string, byte) {
            (_, b'"') => in_string = !in_string,
            (true, b'\\') => at += escape(&bytes[at..])?,
            (false, b'{' | b'[') => {
                depth += 1;
                if depth > limits::JSON_DEPTH {
                    let words = format!("The JSON is nested more than {} levels deep. Flatten it.", limits::JSON_DEPTH);
                    return Err(ApiError::bad("too_deep", words));
                }
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Length of what follows a backslash; half a surrogate pair is refused.
fn escape(rest: &[u8]) -> Result<usize, ApiError> {
    match rest.first() {
        Some(b'u') => match unit(&rest[1..]) {
            Some(0xD800..=0xDBFF) => {
                let second = rest.get(5..7).filter(|two| two == b"\\u").and_then(|_| unit(&rest[7..]));
                match second {
                    Some(0xDC00..=0xDFFF) => Ok(11),
                    _ => Err(lone_surrogate()),
                }
            }
            Some(0xDC00..=0xDFFF) => Err(lone_surrogate()),
            _ => Ok(1),
        },
        _ => Ok(1),
    }
}

fn unit(rest: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(rest.get(..4)?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

fn lone_surrogate() -> ApiError {
    ApiError::bad(
        "lone_surrogate",
        "The text holds half a character (a lone \\ud800–\\udfff). Send whole characters, best as plain UTF-8.",
    )
}

/// Refuses control characters (but not tabs and line ends) and bidirectional overrides.
pub(crate) fn check_text(key: &str, text: &str) -> Result<(), ApiError> {
    for c in text.chars() {
        let code = u32::from(c);
        match c {
            '\t' | '\n' | '\r' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let words = format!("{key} holds U+{code:04X}, which changes the direction of text. Remove it.");
                return Err(ApiError::bad("bidi_control", words));
            }
            c if c.is_control() => {
                let words = format!("{key} holds the control character U+{code:04X}. Remove it.");
                return Err(ApiError::bad("control_character", words));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The same for every string of a client tool's result, keys too.
pub(super) fn check_strings(value: &Value) -> Result<(), ApiError> {
    match value {
        Value::String(text) => check_text("tool_results.result", text),
        Value::Array(items) => items.iter().try_for_each(check_strings),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| {
            check_text("tool_results.result", key)?;
            check_strings(value)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}
