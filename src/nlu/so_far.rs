//! What understanding knows of a conversation: what is waited for, and what was answered. Stored in drafts; its JSON is a
//! stored format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use formwright_chat as chat;
use formwright_chat::Redacted;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::command::Command;
use formwright_form::kind::Refusal;
use formwright_form::{FieldId, Path, ToolId, Value};

/// The question whether a change that nobody asked for is meant: name of its message, in [`Pending::Sure`].
pub const UNASKED_CHANGE: &str = "verify_change";

/// How far a draft is, as far as understanding looks at it.
#[derive(Clone, Copy, Debug)]
pub struct SoFar<'a> {
    /// What is waited for.
    pub pending: &'a Pending,
    /// Answers by path.
    pub answers: &'a BTreeMap<Path, Answer>,
    /// What the last change touched: its answers as they were before.
    pub last_change: Option<&'a BTreeMap<Path, Option<Answer>>>,
    /// Lists.
    pub lists: &'a BTreeMap<Path, ListState>,
    /// What was tried for each field.
    pub asked: &'a BTreeMap<Path, Asked>,
    /// Values offered as defaults.
    pub offered: &'a BTreeMap<Path, Value>,
    /// Optional fields that the person left empty.
    pub skipped: &'a BTreeSet<Path>,
    /// Fields and groups that are not shown now; what lies inside is not shown either.
    pub hidden: &'a BTreeSet<Path>,
    /// Pages not shown now.
    pub pages_hidden: &'a BTreeSet<u16>,
    /// Labels of fields on other pages, where a client keeps the form.
    pub elsewhere: Option<&'a BTreeMap<FieldId, String>>,
}

impl SoFar<'_> {
    /// Whether a field, or anything it lies in, is hidden.
    pub fn is_hidden(&self, path: &Path) -> bool {
        let segs = path.segs();
        !self.hidden.is_empty()
            && (1..=segs.len()).any(|len| self.hidden.contains(&Path::from_segs(segs[..len].to_vec())))
    }
}

/// A value with where it came from.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Canonical value.
    pub value: Value,
    /// Where it came from.
    pub source: chat::Source,
    /// The person's words.
    pub quote: Option<String>,
    /// Earlier words that tell the day, where `quote` is a time alone: "tomorrow", before "at 10".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day_quote: Option<String>,
    /// The event it came with.
    pub event: Option<chat::EventId>,
    /// When it was given.
    pub at: Timestamp,
    /// Whether a model read it out of the person's words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_model: bool,
    /// Who gave it, where several fill the form together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<chat::UserId>,
}

/// The value and the words do not get into a log.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = serde_json::to_value(&self.value).map_or(Redacted(0), |value| Redacted::json(&value));
        let mut shown = f.debug_struct("Answer");
        shown
            .field("value", &value)
            .field("source", &self.source)
            .field("quote", &self.quote.as_deref().map(Redacted::text));
        shown.field("at", &self.at).finish_non_exhaustive()
    }
}

/// What the session waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Pending {
    /// Nothing: the step will decide what to ask.
    Nothing,
    /// The answer to a field.
    Field {
        /// Which.
        path: Path,
        /// The person came here to change it, and goes back where they came from.
        editing: bool,
    },
    /// Whether to add another item.
    MoreItems {
        /// Which list.
        list: Path,
    },
    /// Which of several readings was meant.
    Which {
        /// What each choice would do, with its label.
        readings: Vec<(String, Command)>,
        /// It is asked for the second time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// Yes or no to doing this ("you said X — right?", "really cancel?").
    Sure {
        /// What yes does.
        then: Box<Command>,
        /// Why it is asked: name of a message.
        question: String,
    },
    /// The review of a page.
    PageReview {
        /// Which page.
        page: u16,
    },
    /// The review of the form.
    Review,
    /// What to change, after a "no" at a review.
    WhatToChange,
    /// A tool's outcome.
    Tool {
        /// The call.
        call: String,
        /// The tool.
        tool: ToolId,
        /// Run by the client rather than by us.
        client: bool,
    },
}

impl Pending {
    /// The field that this asks about, which of several readings is meant.
    pub fn asks_which_of(&self) -> Option<&Path> {
        let Self::Which { readings, .. } = self else { return None };
        one_field(readings)
    }
}

/// What was tried to get an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Tries in vain since the last answer.
    pub failures: u32,
    /// Tries in vain before the last answer: they count on when that is refused after all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub earlier: u32,
    /// How often the question was put.
    pub times: u32,
    /// What went wrong last.
    pub refusal: Option<Refusal>,
    /// How often a model found the words to be beside the question, in this draft.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub beside: u32,
    /// The part of an answer that was said and waits for the rest: the day of a moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<Value>,
    /// The message that said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_quote: Option<String>,
    /// How a model words the question, after the author's words that this is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worded: Option<(String, String)>,
    /// Hashes of wordings used, so that none is used twice.
    pub wordings: BTreeSet<u64>,
}

/// How a list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListState {
    /// Number of items.
    pub len: u32,
    /// The person said that there are no more.
    pub ended: bool,
}

/// The field that all readings are answers to.
pub fn one_field(readings: &[(String, Command)]) -> Option<&Path> {
    let mut paths = readings.iter().map(|(_, command)| match command {
        Command::Fill { path, .. } => Some(path),
        _ => None,
    });
    let first = paths.next()??;
    paths.all(|path| path == Some(first)).then_some(first)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
