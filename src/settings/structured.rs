//! Lists and tables in variables of the environment, written as in the settings file.

use serde_json::Value as Json;

use super::Settings;

/// What a variable holds for a key such as `slack.access`; none where the setting is a text or a number. An entry of a table
/// may be a table or a list itself.
pub(super) fn read(key: &str, text: &str) -> Result<Option<config::Value>, String> {
    let known = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut at = &known;
    for part in key.split('.') {
        let Some(next) = at.get(part) else { break };
        at = next;
    }
    let written = text.trim_start().starts_with(['[', '{']);
    match at {
        Json::Array(_) | Json::Object(_) if written => parse(text).map(Some).map_err(|error| {
            let error = error.message();
            format!("write it as in the settings file, on one line: {error}")
        }),
        Json::Array(_) => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            Ok(Some(words.map(str::to_owned).collect::<Vec<_>>().into()))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => Ok(None),
    }
}

fn parse(text: &str) -> Result<config::Value, toml::de::Error> {
    #[derive(serde::Deserialize)]
    struct Line {
        value: config::Value,
    }
    toml::from_str(&format!("value = {text}")).map(|line: Line| line.value)
}
