//! The components that messages are made of, as Discord takes them.

use chat::{ButtonRole, Wire};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::text;
use crate::limits;

/// A button that says only what it is for.
pub(super) fn button(wire: &Wire, label: &str, role: ButtonRole) -> Value {
    let style = match role {
        ButtonRole::Primary => 1,
        ButtonRole::Plain => 2,
        ButtonRole::Danger => 4,
    };
    json!({"type": 2, "style": style, "label": text::line(label, limits::BUTTON_LABEL), "custom_id": wire.to_string()})
}

/// A row of components.
pub(super) fn row(components: Vec<Value>) -> Value {
    json!({"type": 1, "components": components})
}

/// Buttons in as few rows as they need.
pub(super) fn rows(buttons: &[Value]) -> Vec<Value> {
    buttons.chunks(limits::ROW_BUTTONS).map(|chunk| row(chunk.to_vec())).collect()
}

/// An option of a select, a radio group or a group of check boxes.
pub(super) fn option(wire: &Wire, label: &str, detail: Option<&str>, picked: bool) -> Value {
    let mut option = json!({"label": text::line(label, limits::OPTION_TEXT), "value": wire.to_string()});
    if let Some(detail) = detail.filter(|detail| !detail.trim().is_empty()) {
        option["description"] = text::line(detail, limits::OPTION_TEXT).into();
    }
    if picked {
        option["default"] = true.into();
    }
    option
}

/// A select of words in a row of its own; `picks` is how few and how many.
pub(super) fn select(wire: &Wire, placeholder: &str, options: Vec<Value>, picks: (usize, usize)) -> Value {
    let most = picks.1.clamp(1, options.len().max(1));
    row(vec![json!({
        "type": 3,
        "custom_id": wire.to_string(),
        "placeholder": text::line(placeholder, limits::PLACEHOLDER),
        "min_values": picks.0.min(most),
        "max_values": most,
        "options": options,
    })])
}

/// Words that are markup already.
pub(super) fn words(content: impl Into<String>) -> Value {
    json!({"type": 10, "content": content.into()})
}

/// Words with a button beside them.
pub(super) fn section(content: impl Into<String>, accessory: Value) -> Value {
    json!({"type": 9, "components": [words(content)], "accessory": accessory})
}

/// A line between.
pub(super) fn separator() -> Value {
    json!({"type": 14, "divider": true, "spacing": 1})
}

/// A frame around components.
pub(super) fn container(components: Vec<Value>) -> Value {
    json!({"type": 17, "components": components})
}

/// A message of plain content. Whatever it says, nobody is pinged and no preview is drawn.
pub(super) fn message(content: &str, rows: Vec<Value>) -> Value {
    json!({
        "content": content,
        "components": rows,
        "flags": limits::FLAG_NO_EMBEDS,
        "allowed_mentions": {"parse": []},
    })
}

/// A message of components alone.
pub(super) fn sheet(components: Vec<Value>) -> Value {
    json!({"components": components, "flags": limits::FLAG_V2, "allowed_mentions": {"parse": []}})
}
