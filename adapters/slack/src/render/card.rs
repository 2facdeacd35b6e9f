//! The review card: an answer a section with its edit button; a long card as text with a menu of what to change.

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{EDIT, blocks};
use crate::{limits, text};

/// Answers that get a section of their own; with title, words and buttons the card stays within one message.
pub(crate) const ROWS: usize = 40;
/// Characters of a value that stands beside its label.
const FIELD_TEXT: usize = 2000;

/// The card, in units that may be parted.
pub(super) fn rows(card: &chat::Card, lang: &str) -> Vec<Vec<Value>> {
    let mut units = vec![vec![json!({"type": "header", "text": text::plain(&card.title, limits::HEADER_TEXT)})]];
    if text::clean(&card.title).chars().count() > limits::HEADER_TEXT {
        units.extend(blocks::sections(&card.title).into_iter().map(|block| vec![block]));
    }
    if card.rows.len() <= ROWS {
        units.extend(card.rows.iter().flat_map(|row| roomy(row, lang)));
        return units;
    }
    let lines: Vec<String> = card.rows.iter().map(|row| format!("{}: {}", row.label, row.value)).collect();
    units.extend(blocks::sections(&lines.join("\n")).into_iter().map(|block| vec![block]));
    units.extend(menus(card, lang));
    units
}

fn roomy(row: &chat::CardRow, lang: &str) -> Vec<Vec<Value>> {
    let value = text::label(&row.value, usize::MAX);
    let short = text::clean(&row.label).chars().count() <= limits::HEADER_TEXT && value.chars().count() <= FIELD_TEXT;
    let mut blocks: Vec<Value> = if short {
        let field = text::plain(&value, FIELD_TEXT);
        vec![json!({"type": "section", "text": bold(&row.label), "fields": [field]})]
    } else {
        blocks::sections(&format!("{}: {value}", row.label))
    };
    if let (Some(edit), Some(first)) = (&row.edit, blocks.first_mut()) {
        let change = say(Word::Change, lang);
        let mut button = blocks::button(&edit.to_string(), change, None);
        // The label stands beside the button, but who has the screen read hears the button alone.
        let which = text::clean(&format!("{change}: {}", row.label));
        button["accessibility_label"] = json!(text::cut(&which, limits::ACCESSIBILITY_LABEL));
        first["accessory"] = button;
    }
    blocks.into_iter().map(|block| vec![block]).collect()
}

/// A label in bold, unless it holds a character that would end it.
fn bold(label: &str) -> Value {
    let label = text::label(label, limits::HEADER_TEXT);
    if label.contains(['*', '_', '~', '`', '\n']) {
        return text::plain(&label, limits::HEADER_TEXT);
    }
    json!({"type": "mrkdwn", "text": format!("*{}*", text::escape(&label)), "verbatim": true})
}

fn menus(card: &chat::Card, lang: &str) -> Vec<Vec<Value>> {
    let editable: Vec<_> = card.rows.iter().filter_map(|row| Some((row, row.edit.as_ref()?))).collect();
    let menu = |rows: &[(&chat::CardRow, &chat::Token)]| {
        let (_, first) = rows.first()?;
        let options: Vec<Value> =
            rows.iter().map(|(row, token)| blocks::option(&token.to_string(), &row.label, Some(&row.value))).collect();
        let element = json!({
            "type": "static_select",
            "action_id": chat::Wire::op(first, EDIT).to_string(),
            "placeholder": text::plain(say(Word::Change, lang), limits::PLACEHOLDER),
            "options": options,
        });
        Some(vec![json!({"type": "actions", "elements": [element]})])
    };
    editable.chunks(limits::SELECT_OPTIONS).filter_map(menu).collect()
}
