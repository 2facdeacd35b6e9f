//! Updates that cannot be taken: what the person is told, and when Telegram is to bring them again.

use formwright_chat::HostError;
use formwright_chat::words::{Word, say};

use crate::render::html::shorten;

/// The update could not be stored: Telegram is to bring it again.
#[derive(Debug)]
pub(crate) struct Unstored(pub(crate) String);

pub(super) fn refusal_words(refusal: &HostError, lang: &str) -> String {
    match refusal {
        HostError::Refused(words) => words.clone(),
        HostError::Busy { .. } | HostError::Reused | HostError::Unavailable(_) => say(Word::SlowDown, lang).to_owned(),
    }
}

pub(super) fn no_such_form(name: &str, lang: &str) -> String {
    say(Word::NoSuchForm, lang).replace("{name}", &shorten(name, 64))
}

pub(super) fn unstored(error: HostError) -> Unstored {
    Unstored(error.to_string())
}
