//! The review card: each answer with its own button while they fit, else as lines with selects to change one, else as
//! plain messages.

use chat::words::{Word, say};
use chat::{ButtonRole, Card, CardRow, Reply, Wire};
use formwright_chat as chat;
use serde_json::Value;

use super::{Canvas, body, kit, picks, plain, text, widgets};
use crate::limits;

/// The card's messages; the last one wears the widgets.
pub(super) fn messages(reply: &Reply, card: &Card, canvas: &Canvas) -> Vec<Value> {
    let edits = usize::from(card.rows.iter().any(|row| row.edit.is_some()));
    let widgets = widgets(reply, canvas, limits::ROWS - edits);
    if is_plain(reply, card) {
        let words = format!("{}\n{}", text(card), body(reply));
        let mut rows = changes(reply, card, limits::ROWS.saturating_sub(widgets.len()));
        rows.extend(widgets);
        return plain(&words, rows, reply);
    }
    let with_buttons = components(reply, card, sections(reply, card), widgets.clone());
    let components = if count(&with_buttons) <= limits::V2_COMPONENTS {
        with_buttons
    } else {
        let rows = changes(reply, card, CHANGES).into_iter().chain(widgets).collect();
        components(reply, card, vec![kit::words(rows_text(card))], rows)
    };
    vec![kit::sheet(components)]
}

/// Selects of answers to change, at most.
const CHANGES: usize = 4;

/// The card without widgets, and the answer that was given to it.
pub(super) fn over(reply: &Reply, card: &Card, answer: Option<&str>) -> Value {
    let mut components = components(reply, card, vec![kit::words(rows_text(card))], Vec::new());
    components.extend(answer.map(|answer| kit::words(text::clip(answer, 300))));
    kit::sheet(components)
}

/// Whether the words are too many for one message of components.
pub(super) fn is_plain(reply: &Reply, card: &Card) -> bool {
    // Room for the answer that is shown later.
    let room = limits::V2_TEXT - 400;
    card.rows.len() > limits::SELECT_OPTIONS * CHANGES || text::units(&body(reply)) + text::units(&text(card)) > room
}

/// The card as escaped text.
pub(super) fn text(card: &Card) -> String {
    format!("**{}**\n{}", escaped(&card.title), rows_text(card))
}

fn rows_text(card: &Card) -> String {
    let row = |row: &CardRow| format!("**{}**: {}", escaped(&row.label), escaped(&row.value));
    let rows: Vec<String> = card.rows.iter().map(row).collect();
    if rows.is_empty() { "—".to_owned() } else { rows.join("\n") }
}

fn escaped(words: &str) -> String {
    let words = text::escape(words);
    if words.trim().is_empty() { "—".to_owned() } else { words.trim().to_owned() }
}

fn sections(reply: &Reply, card: &Card) -> Vec<Value> {
    let section = |row: &CardRow| {
        let words = format!("**{}**\n{}", escaped(&row.label), escaped(&row.value));
        match &row.edit {
            Some(edit) => {
                let change = format!("{}: {}", say(Word::Change, &reply.lang), row.label);
                kit::section(words, kit::button(&Wire::press(edit), &change, ButtonRole::Plain))
            }
            None => kit::words(words),
        }
    };
    card.rows.iter().map(section).collect()
}

/// The card in its frame, what is said, and the widgets.
fn components(reply: &Reply, card: &Card, rows: Vec<Value>, widgets: Vec<Value>) -> Vec<Value> {
    let said = body(reply);
    let mut frame = vec![kit::words(format!("### {}", escaped(&card.title).replace('\n', " "))), kit::separator()];
    frame.extend(rows);
    let mut components = vec![kit::container(frame)];
    components.extend((!said.is_empty()).then(|| kit::words(said)));
    components.extend(widgets);
    components
}

fn changes(reply: &Reply, card: &Card, room: usize) -> Vec<Value> {
    let edits = card.rows.iter().filter_map(|row| row.edit.as_ref().map(|edit| (edit, row.label.as_str())));
    picks(edits, room, say(Word::Change, &reply.lang))
}

/// Components with those inside them.
fn count(components: &[Value]) -> usize {
    let inner = |component: &Value| {
        let children = component["components"].as_array().map_or(0, |children| count(children));
        1 + children + usize::from(component.get("accessory").is_some())
    };
    components.iter().map(inner).sum()
}
