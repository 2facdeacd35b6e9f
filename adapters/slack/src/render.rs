//! A reply as Slack draws it: messages of Block Kit blocks, modals, App Home, and what a type-ahead offers. Pure.
//!
//! Words are `plain_text` wherever Slack takes it; what must be mrkdwn goes through [`text::escape`].
//!
//! What is drawn for a question, and how it degrades: buttons, radio buttons, a menu, a type-ahead menu for one of a
//! list; check boxes, a menu, a type-ahead menu for several; pickers for days and times, persons and channels; a button
//! that opens a modal for what only modals have (numbers, e-mail and web addresses, files) and for a whole page of
//! fields. Whatever is drawn, the answer may be typed instead.

mod blocks;
mod card;
mod element;
mod home;
mod modal;
mod suggest;
mod widget;

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use crate::{limits, text};

pub(crate) use card::ROWS as CARD_ROWS;
pub(crate) use element::is_listed;
pub(crate) use home::{Draft, LIST, START, Way, home, offer, picker};
pub(crate) use modal::{FORM, PICK, modal};
pub(crate) use suggest::suggestions;

/// Operation: open the question, or the page it is on, as a modal.
pub(crate) const OPEN: &str = "form";
/// Operation: take what the question's widgets hold.
pub(crate) const DONE: &str = "done";
/// Operation: a widget that waits for [`DONE`].
pub(crate) const HOLD: &str = "in";
/// Operation: the first day of a range.
pub(crate) const FROM: &str = "from";
/// Operation: the last day of a range.
pub(crate) const TO: &str = "to";
/// Operation: words of one's own beside a list.
pub(crate) const OTHER: &str = "other";
/// Operation: a menu of answers to change.
pub(crate) const EDIT: &str = "edit";
/// First letter of the operation of a button that stands for a numeral: `v3`.
pub(crate) const NUMERAL: char = 'v';

/// Where a reply is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scene<'a> {
    /// What is typed here would be read by others, or is not for a chat's history: offer a modal for words too.
    pub(crate) closed: bool,
    /// The person's IANA time zone.
    pub(crate) zone: Option<&'a str>,
}

/// One message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Part {
    /// Escaped mrkdwn for notifications and screen readers.
    pub(crate) text: String,
    /// What is seen.
    pub(crate) blocks: Vec<Value>,
}

/// The messages that show a reply; its widgets are on the last ones. None for a reply that says nothing.
pub(crate) fn render(reply: &chat::Reply, scene: &Scene<'_>) -> Vec<Part> {
    let mut units: Vec<Vec<Value>> = Vec::new();
    let said = reply.say.join("\n");
    units.extend(blocks::sections(&said).into_iter().map(|block| vec![block]));
    if let Some(card) = &reply.card {
        units.extend(card::rows(card, &reply.lang));
    }
    if let Some(question) = reply.questions.first() {
        units.extend(widget::long_labels(question).into_iter().map(|block| vec![block]));
        units.extend(widget::widget(question, &reply.lang, scene));
    }
    units.extend(buttons(reply, scene));
    units.extend(small_print(reply, &said, scene));
    pack(units)
}

/// The words of a reply alone: what is drawn where a later question already waits.
pub(crate) fn words_only(reply: &chat::Reply) -> Vec<Part> {
    let mut units: Vec<Vec<Value>> =
        blocks::sections(&reply.say.join("\n")).into_iter().map(|block| vec![block]).collect();
    if let Some(card) = &reply.card {
        units.extend(blocks::sections(&chat::fallback::card_text(card)).into_iter().map(|block| vec![block]));
    }
    pack(units)
}

/// A message whose question is over: what it said, no widgets, and the answer below.
pub(crate) fn over(mut part: Part, answer: Option<&str>, last: bool) -> Part {
    part.blocks.retain(|block| block["type"] != "actions" && block["type"] != "input");
    for block in &mut part.blocks {
        if let Some(block) = block.as_object_mut() {
            block.remove("accessory");
        }
    }
    let answer = answer.filter(|_| last);
    if let Some(answer) = answer.filter(|_| part.blocks.len() < limits::MESSAGE_BLOCKS) {
        part.blocks.push(blocks::context(&[format!("✓ {answer}")]));
    }
    if part.blocks.is_empty() {
        part.blocks.push(blocks::context(&["✓".to_owned()]));
    }
    part
}

/// A sentence for one person.
pub(crate) fn note(words: &str) -> Part {
    let blocks = blocks::sections(words);
    Part { text: message_text(words), blocks }
}

/// The control buttons, led by those that open a modal.
fn buttons(reply: &chat::Reply, scene: &Scene<'_>) -> Vec<Vec<Value>> {
    let mut elements = Vec::new();
    if let Some(question) = reply.questions.first() {
        let word = if reply.questions.len() + reply.page.len() > 1 {
            Some(Word::OpenForm)
        } else {
            widget::wants_modal(question, scene).then_some(Word::TypeAnswer)
        };
        if let Some(word) = word {
            let wire = chat::Wire::op(&question.token, OPEN);
            elements.push(blocks::button(&wire.to_string(), say(word, &reply.lang), None));
        }
    }
    elements.extend(reply.buttons.iter().map(|button| {
        let style = match button.role {
            chat::ButtonRole::Primary => Some("primary"),
            chat::ButtonRole::Danger => Some("danger"),
            chat::ButtonRole::Plain => None,
        };
        blocks::button(&button.token.to_string(), &button.label, style)
    }));
    elements.chunks(limits::ACTIONS_ELEMENTS).map(|chunk| vec![json!({"type": "actions", "elements": chunk})]).collect()
}

/// Help, hints and how far the form is, small.
fn small_print(reply: &chat::Reply, said: &str, scene: &Scene<'_>) -> Vec<Vec<Value>> {
    let mut small: Vec<String> = Vec::new();
    if let Some(question) = reply.questions.first() {
        small.extend(question.help.clone().filter(|help| !said.contains(help.as_str())));
        small.extend(widget::hint(&question.input, scene).map(|word| say(word, &reply.lang).to_owned()));
        small.extend(chat::file_limits(&question.input, &reply.lang));
        small.extend(scene.closed.then(|| say(Word::OnlyYou, &reply.lang).to_owned()));
    }
    if let Some(progress) = reply.progress.filter(|progress| progress.total > 1) {
        small.push(format!("{}/{}", progress.answered, progress.total));
    }
    small.retain(|words| !text::clean(words).trim().is_empty());
    if small.is_empty() { Vec::new() } else { vec![vec![blocks::context(&small)]] }
}

/// Puts what belongs together into one message, as much as goes into one.
fn pack(units: Vec<Vec<Value>>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut chars = 0;
    for unit in units {
        let length: usize = unit.iter().map(blocks::chars).sum();
        let fits = |part: &Part| {
            part.blocks.len() + unit.len() <= limits::MESSAGE_BLOCKS && chars + length <= limits::MESSAGE_CHARS
        };
        match parts.last_mut().filter(|part| fits(part)) {
            Some(part) => {
                chars += length;
                part.blocks.extend(unit);
            }
            None => {
                chars = length;
                parts.push(Part { text: String::new(), blocks: unit });
            }
        }
    }
    for part in &mut parts {
        let words: Vec<String> = part.blocks.iter().filter_map(blocks::words).collect();
        part.text = message_text(&words.join("\n"));
    }
    parts
}

/// A message's `text`: escaped, and cut so that no escape is torn.
fn message_text(words: &str) -> String {
    let mut limit = limits::MESSAGE_TEXT;
    loop {
        let text = text::escape(&text::cut(words, limit));
        if text.chars().count() <= limits::MESSAGE_TEXT {
            return if text.trim().is_empty() { "…".to_owned() } else { text };
        }
        limit /= 2;
    }
}

#[cfg(test)]
mod tests;
