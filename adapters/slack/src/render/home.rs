//! App Home, and the modal that offers forms.

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{PICK, blocks};
use crate::{limits, text};

/// First letters of the action of a button that starts or resumes the form in its `value`.
pub(crate) const START: &str = "start";
/// The block and action of the list in [`picker`].
pub(crate) const LIST: &str = "forms";
/// Forms listed on App Home: two blocks each leave room for headings and drafts.
const HOME_FORMS: usize = 80;

/// App Home: drafts to go on with, then the forms. `metadata` comes back with what is pressed.
pub(crate) fn home(forms: &[chat::FormCard], drafts: &[chat::FormCard], metadata: &str, lang: &str) -> Value {
    let mut all = Vec::new();
    let mut list = |heading: Word, verb: Word, cards: &[chat::FormCard], what: &str| {
        if !cards.is_empty() {
            all.push(json!({"type": "header", "text": text::plain(say(heading, lang), limits::HEADER_TEXT)}));
        }
        for (no, card) in cards.iter().enumerate().take(HOME_FORMS / 2) {
            let theirs = card.words_in(lang);
            let mut words = text::label(&theirs.title, limits::HEADER_TEXT);
            if !theirs.description.trim().is_empty() {
                words = format!("{words}\n{}", theirs.description);
            }
            let mut button = blocks::button(&format!("{START}:{what}{no}"), say(verb, lang), None);
            button["value"] = json!(text::cut(&card.id, limits::BUTTON_VALUE));
            let words = text::plain(&words, limits::SECTION_TEXT);
            all.push(json!({"type": "section", "text": words, "accessory": button}));
        }
    };
    list(Word::Drafts, Word::Resume, drafts, "draft");
    list(Word::Forms, Word::Start, forms, "form");
    if all.is_empty() {
        all.extend(blocks::sections(say(Word::NothingHere, lang)));
    }
    json!({"type": "home", "private_metadata": text::cut(metadata, limits::PRIVATE_METADATA), "blocks": all})
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
