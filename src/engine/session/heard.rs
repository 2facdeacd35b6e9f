//! What the person said last, as the draft remembers it.

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use formwright_form::Path;
use formwright_nlu::Verdict;

/// Stands for what nobody else may see.
pub(crate) const HIDDEN: &str = "[hidden]";

/// A message of the person, as far as it is remembered.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// Its words, without what nobody else may see; at most 200 characters.
    pub words: String,
    /// The answers that came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Path>,
    /// What a model proposed about it, and what became of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<Proposed>,
    /// When it was said.
    pub at: Timestamp,
    /// Who said it, where several fill the form together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<chat::UserId>,
    /// What an edit of it is known by, where its platform tells of edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Box<Written>>,
}

/// What the edit of a remembered message is known by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The events by which answers came of it: its own, and those of its edits.
    pub events: Vec<chat::EventId>,
    /// Its messages. Of one alone the text is not kept, nor of several where nobody else may see it or it is long.
    pub messages: Vec<chat::Joined>,
    /// The field that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Path>,
}

/// What became of a value that a model proposed. Neither the value nor any other word of the model's own is kept.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Which field, without the numbers of items; none where the form has no such field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The part of [`Heard::words`] that it was read from; none where nobody said the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
}
