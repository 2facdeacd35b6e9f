//! App Home, and the modal that offers forms.

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{PICK, Part, blocks};
use crate::{limits, text};

/// First letters of the action of a button that starts or resumes the form in its `value`.
pub(crate) const START: &str = "start";
/// First letters of the action of a button that only leads elsewhere.
const LINK: &str = "go";
/// The block and action of the list in [`picker`].
pub(crate) const LIST: &str = "forms";
/// Forms listed on App Home: two blocks each leave room for headings and drafts.
const HOME_FORMS: usize = 80;
/// Forms listed in a message.
const OFFERED: usize = 20;

/// A form that a person has begun.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) card: chat::FormCard,
    /// Where it is, in words.
    pub(crate) place: String,
    pub(crate) way: Way,
}

/// How a draft is gone on with.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// A button asks in the direct message.
    Start,
    /// An address leads to where it is.
    Link(String),
}

/// App Home: drafts to go on with, then the forms. `metadata` comes back with what is pressed.
pub(crate) fn home(forms: &[chat::FormCard], drafts: &[Draft], metadata: &str, lang: &str) -> Value {
    let heading = |word| json!({"type": "header", "text": text::plain(say(word, lang), limits::HEADER_TEXT)});
    let mut all = Vec::new();
    if !drafts.is_empty() {
        all.push(heading(Word::Drafts));
    }
    for (no, draft) in drafts.iter().enumerate().take(HOME_FORMS / 2) {
        let button = match &draft.way {
            Way::Start => start(&draft.card, Word::Resume, &format!("draft{no}"), lang),
            Way::Link(url) => {
                let mut button = blocks::button(&format!("{LINK}:{no}"), say(Word::GoThere, lang), None);
                button["url"] = json!(url);
                button
            }
        };
        all.push(row(&draft.card, &draft.place, button, lang));
    }
    if !forms.is_empty() {
        all.push(heading(Word::Forms));
    }
    for (no, card) in forms.iter().enumerate().take(HOME_FORMS / 2) {
        all.push(form(card, no, lang));
    }
    if all.is_empty() {
        all.extend(blocks::sections(say(Word::NothingHere, lang)));
    }
    json!({"type": "home", "private_metadata": text::cut(metadata, limits::PRIVATE_METADATA), "blocks": all})
}

/// A message with forms to start, each with its button.
pub(crate) fn offer(words: &str, forms: &[chat::FormCard], lang: &str) -> Part {
    let mut blocks = blocks::sections(words);
    blocks.extend(forms.iter().enumerate().take(OFFERED).map(|(no, card)| form(card, no, lang)));
    let titles = forms.iter().take(OFFERED).map(|form| form.words_in(lang).title);
    let lines: Vec<String> = std::iter::once(words.to_owned()).chain(titles).collect();
    Part { text: super::message_text(&lines.join("\n")), blocks }
}

/// A form that can be started.
fn form(card: &chat::FormCard, no: usize, lang: &str) -> Value {
    let button = start(card, Word::Start, &format!("form{no}"), lang);
    row(card, &card.words_in(lang).description, button, lang)
}

fn start(card: &chat::FormCard, verb: Word, what: &str, lang: &str) -> Value {
    let mut button = blocks::button(&format!("{START}:{what}"), say(verb, lang), None);
    button["value"] = json!(text::cut(&card.id, limits::BUTTON_VALUE));
    button
}

fn row(card: &chat::FormCard, below: &str, button: Value, lang: &str) -> Value {
    let title = text::label(&card.words_in(lang).title, limits::HEADER_TEXT);
    let words = if below.trim().is_empty() { title } else { format!("{title}\n{below}") };
    json!({"type": "section", "text": text::plain(&words, limits::SECTION_TEXT), "accessory": button})
}

/// A modal to pick a form from. `metadata` says where it is to be started.
pub(crate) fn picker(forms: &[chat::FormCard], metadata: &str, lang: &str) -> Value {
    let option = |card: &chat::FormCard| {
        let words = card.words_in(lang);
        blocks::option(&card.id, &words.title, Some(words.description.as_str()))
    };
    let fits = |card: &&chat::FormCard| card.id.chars().count() <= limits::OPTION_VALUE;
    let options: Vec<Value> = forms.iter().filter(fits).take(limits::SELECT_OPTIONS).map(option).collect();
    let kind = if options.len() <= limits::TICK_OPTIONS { "radio_buttons" } else { "static_select" };
    let title = text::plain(say(Word::Forms, lang), limits::MODAL_TITLE);
    let close = text::plain(say(Word::Close, lang), limits::MODAL_TITLE);
    if options.is_empty() {
        let blocks = blocks::sections(say(Word::NothingHere, lang));
        return json!({"type": "modal", "callback_id": PICK, "title": title, "close": close, "blocks": blocks});
    }
    let label = text::plain(say(Word::Choose, lang), limits::INPUT_LABEL);
    let element = json!({"type": kind, "action_id": LIST, "options": options});
    json!({
        "type": "modal",
        "callback_id": PICK,
        "private_metadata": text::cut(metadata, limits::PRIVATE_METADATA),
        "title": title,
        "submit": text::plain(say(Word::Start, lang), limits::MODAL_TITLE),
        "close": close,
        "blocks": [{"type": "input", "block_id": LIST, "label": label, "element": element}],
    })
}
