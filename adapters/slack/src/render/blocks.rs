//! The blocks that are made of words alone, and buttons.

use serde_json::{Value, json};

use crate::{limits, text};

/// Sections that say these words, as few as hold them.
pub(super) fn sections(words: &str) -> Vec<Value> {
    text::pieces(&text::clean(words), limits::SECTION_TEXT).iter().map(|piece| section(piece)).collect()
}

/// One section; `words` fit in it.
fn section(words: &str) -> Value {
    json!({"type": "section", "text": text::plain(words, limits::SECTION_TEXT)})
}

/// Small print; more than a context block holds is joined to its last element.
pub(super) fn context(words: &[String]) -> Value {
    let elements: Vec<Value> =
        words.iter().take(limits::CONTEXT_ELEMENTS).map(|words| text::plain(words, limits::CONTEXT_TEXT)).collect();
    json!({"type": "context", "elements": elements})
}

/// A button.
pub(super) fn button(action: &str, label: &str, style: Option<&str>) -> Value {
    let mut button = json!({"type": "button", "action_id": action, "text": text::plain(label, limits::BUTTON_TEXT)});
    if let Some(style) = style {
        button["style"] = json!(style);
    }
    button
}

/// An option of a list.
pub(super) fn option(value: &str, label: &str, detail: Option<&str>) -> Value {
    let mut option = json!({"text": text::plain(label, limits::OPTION_TEXT), "value": value});
    if let Some(detail) = detail.filter(|detail| !text::clean(detail).trim().is_empty()) {
        option["description"] = text::plain(detail, limits::OPTION_DESCRIPTION);
    }
    option
}

/// Characters of a block that count towards a message's size: of all its texts, those on widgets and options too.
pub(super) fn chars(block: &Value) -> usize {
    match block {
        Value::Object(object) => {
            let own = object.get("text").and_then(Value::as_str).map_or(0, |text| text.chars().count());
            own + object.values().map(chars).sum::<usize>()
        }
        Value::Array(all) => all.iter().map(chars).sum(),
        _ => 0,
    }
}

/// The words of a section, header or context block, not escaped.
pub(super) fn words(block: &Value) -> Option<String> {
    let own = |object: &Value| {
        let words = object["text"].as_str()?;
        Some(if object["type"] == "mrkdwn" { text::entities(words) } else { words.to_owned() })
    };
    let text = own(&block["text"]);
    let listed = block["fields"].as_array().or_else(|| block["elements"].as_array()).into_iter().flatten();
    let listed = listed.filter(|object| object["type"] == "plain_text").filter_map(own);
    let words: Vec<String> = text.into_iter().chain(listed).collect();
    (!words.is_empty()).then(|| words.join("\n"))
}
