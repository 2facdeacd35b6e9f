//! Keyboards: buttons in rows, under a message or in place of the person's own keyboard.

use formwright_chat::{ButtonRole, Token, Wire};
use serde_json::{Value, json};

use super::html::shorten;
use crate::limits;

/// A button under a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What the person reads.
    pub label: String,
    /// What a press does.
    pub does: Does,
    /// How it is drawn.
    pub role: ButtonRole,
}

/// What a press of a button does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Comes back to the bot.
    Press(Wire),
    /// Opens an address.
    Open(String),
}

impl Key {
    pub(crate) fn press(token: &Token, label: &str) -> Self {
        Self::new(Wire::press(token), label)
    }

    pub(crate) fn op(token: &Token, op: impl Into<String>, label: &str) -> Self {
        Self::new(Wire::op(token, op), label)
    }

    /// A button that only looks like one: a heading, an empty cell.
    pub(crate) fn idle(token: &Token, label: &str) -> Self {
        Self::op(token, "n", label)
    }

    pub(crate) fn open(url: String, label: &str) -> Self {
        Self { label: text(label), does: Does::Open(url), role: ButtonRole::Plain }
    }

    /// Whether it turns a list to another page.
    pub(crate) fn turns(&self, list: char) -> bool {
        matches!(&self.does, Does::Press(wire) if wire.op.as_deref().is_some_and(|op| op.starts_with(list)))
    }

    pub(crate) fn role(self, role: ButtonRole) -> Self {
        Self { role, ..self }
    }

    fn new(wire: Wire, label: &str) -> Self {
        Self { label: text(label), does: Does::Press(wire), role: ButtonRole::Plain }
    }

    fn json(&self) -> Value {
        let mut key = match &self.does {
            Does::Press(wire) => json!({"text": self.label, "callback_data": wire.to_string()}),
            Does::Open(url) => json!({"text": self.label, "url": url}),
        };
        match self.role {
            ButtonRole::Primary => key["style"] = json!("success"),
            ButtonRole::Danger => key["style"] = json!("danger"),
            ButtonRole::Plain => {}
        }
        key
    }
}

/// Telegram refuses a button without words.
fn text(label: &str) -> String {
    let label = shorten(label, limits::LABEL);
    if label.is_empty() { "…".to_owned() } else { label }
}

/// What the person's own input line offers instead of a keyboard of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Their telephone number.
    Phone,
    /// Where they are.
    Location,
    /// One of their contacts.
    Person,
}

/// What hangs on a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Nothing.
    #[default]
    Bare,
    /// Buttons under the message.
    Inline(Vec<Vec<Key>>),
    /// A keyboard in place of the person's own; only in private chats.
    Keyboard {
        /// What its first button asks for.
        ask: Ask,
        /// What stands on that button.
        label: String,
        /// Further buttons, which send their words.
        words: Vec<String>,
        /// Hint in the input line.
        hint: String,
    },
    /// Opens the input line as an answer to this message.
    Force {
        /// Hint in the input line.
        hint: String,
    },
    /// Takes such a keyboard away.
    Remove,
}

impl Markup {
    /// As `reply_markup`; none where there is nothing.
    pub fn json(&self) -> Option<Value> {
        match self {
            Self::Bare => None,
            Self::Inline(rows) => {
                let rows: Vec<Vec<Value>> = rows.iter().map(|row| row.iter().map(Key::json).collect()).collect();
                Some(json!({"inline_keyboard": rows}))
            }
            Self::Keyboard { ask, label, words, hint } => {
                let mut first = json!({"text": text(label)});
                match ask {
                    Ask::Phone => first["request_contact"] = json!(true),
                    Ask::Location => first["request_location"] = json!(true),
                    Ask::Person => {
                        let of = json!({"request_id": 1, "user_is_bot": false, "request_name": true, "request_username": true});
                        first["request_users"] = of;
                    }
                }
                let words: Vec<Value> = words.iter().map(|words| json!({"text": text(words)})).collect();
                let rows: Vec<Vec<Value>> =
                    std::iter::once(vec![first]).chain(words.chunks(3).map(<[Value]>::to_vec)).collect();
                let mut keyboard = json!({"keyboard": rows, "resize_keyboard": true, "one_time_keyboard": true});
                placeholder(&mut keyboard, hint);
                Some(keyboard)
            }
            Self::Force { hint } => {
                let mut force = json!({"force_reply": true, "selective": true});
                placeholder(&mut force, hint);
                Some(force)
            }
            Self::Remove => Some(json!({"remove_keyboard": true})),
        }
    }
}

fn placeholder(markup: &mut Value, hint: &str) {
    let hint = shorten(hint, limits::PLACEHOLDER);
    if !hint.is_empty() {
        markup["input_field_placeholder"] = json!(hint);
    }
}

/// Keys beside each other: as many as their words leave room for on a phone.
pub(crate) fn rows(keys: Vec<Key>) -> Vec<Vec<Key>> {
    let columns = columns(keys.iter().map(|key| key.label.as_str()));
    keys.chunks(columns).map(<[Key]>::to_vec).collect()
}

/// How many of these labels stand beside each other.
pub(crate) fn columns<'a>(labels: impl Iterator<Item = &'a str>) -> usize {
    match labels.map(|label| label.chars().count()).max().unwrap_or(0) {
        0..=4 => 5,
        5..=9 => 3,
        10..=18 => 2,
        _ => 1,
    }
}

/// The keys of one page of a list, and the row that turns pages where there are more. `op` names the page of its number.
pub(crate) fn page(keys: Vec<Key>, size: usize, page: usize, turn: impl Fn(usize, &str) -> Key) -> Vec<Vec<Key>> {
    let (page, pages) = of_pages(keys.len(), size, page);
    let shown: Vec<Key> = keys.into_iter().skip(page * size).take(size).collect();
    let mut rows = rows(shown);
    if pages > 1 {
        let before = (page + pages - 1) % pages;
        let after = (page + 1) % pages;
        let here = format!("{}/{pages}", page + 1);
        rows.push(vec![turn(before, "‹"), turn(page, &here), turn(after, "›")]);
    }
    rows
}

/// The page, put right, and how many there are.
pub(crate) fn of_pages(count: usize, size: usize, page: usize) -> (usize, usize) {
    let pages = count.div_ceil(size.max(1)).max(1);
    (page.min(pages - 1), pages)
}
