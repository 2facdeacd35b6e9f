//! A form as a client keeps it, with what it holds, and what a conversation about it came to.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Redacted, Source};

/// A form as a client keeps it: it comes along with each request, and the client has the answers.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// The fields, in the client's order; each id once.
    pub fields: Vec<SheetField>,
    /// Values that the client holds beside those of the fields, later ones after earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<Given>,
    /// The field that the person is at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
}

/// A field of a [`Sheet`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetField {
    /// The client's name for it.
    pub id: String,
    /// What people read.
    pub label: String,
    /// What it holds.
    pub kind: SheetKind,
    /// Whether an answer is needed.
    pub required: bool,
    /// Whether it is for a password: what is said of it is refused, and said back nowhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// What can be picked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<SheetOption>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Least number or earliest day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Greatest number or latest day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// Greatest number of characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<u32>,
    /// What it holds now; null where the client does not say.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub value: serde_json::Value,
}

/// What a field of a [`Sheet`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SheetKind {
    /// A line of words.
    Line,
    /// Words of any length.
    Long,
    /// One option.
    One,
    /// Several options.
    Several,
    /// Yes or no.
    Tick,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A day.
    Date,
    /// An address for email.
    Email,
    /// A phone number.
    Phone,
    /// An address of a page.
    Url,
    /// What only the client's own page takes: files, passwords.
    Page,
}

/// An option of a field of a [`Sheet`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetOption {
    /// What is stored.
    pub key: String,
    /// What people read.
    pub label: String,
    /// Other words for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

/// A value that a client holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The client's name of the field.
    pub id: String,
    /// The value.
    pub value: serde_json::Value,
    /// Whether it says when it was told: it came out of a conversation, and goes before what the field held then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

impl Sheet {
    /// The form alone, without anything that it holds.
    #[must_use]
    pub fn blank(&self) -> Self {
        let empty = |field: &SheetField| SheetField { value: serde_json::Value::Null, ..field.clone() };
        Self { fields: self.fields.iter().map(empty).collect(), filled: Vec::new(), focus: None }
    }
}

/// What a [`Sheet`] came to.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetView {
    /// Fields with a value, in the client's order.
    pub filled: Vec<Filled>,
    /// Fields that need an answer and have none, and fields whose value was refused.
    pub missing: Vec<Missing>,
    /// The field being asked.
    pub focus: Option<Focus>,
    /// Something is waited for: an answer, or a choice between readings of one.
    pub waits: bool,
    /// Nothing is missing, refused, waited for, or left not understood.
    pub done: bool,
}

/// A field with its value, in a [`SheetView`].
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Filled {
    /// The client's name of the field.
    pub id: String,
    /// Short name of the field.
    pub label: String,
    /// The canonical value; of options their keys; null where the person took out what the client holds.
    pub value: serde_json::Value,
    /// Where it came from.
    pub source: Source,
    /// Whether a model read it out of the person's words.
    pub by_model: bool,
    /// Whether it was read back to the person and confirmed.
    pub verified: bool,
    /// The words it was read from.
    pub quote: Option<String>,
    /// When it was given.
    pub at: Timestamp,
}

/// A field without a value, in a [`SheetView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The client's name of the field.
    pub id: String,
    /// Short name of the field.
    pub label: String,
    /// Why what was given was not taken; none where nothing was given.
    pub reason: Option<String>,
}

/// The field being asked, in a [`SheetView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The client's name of the field.
    pub id: String,
    /// Short name of the field.
    pub label: String,
    /// What was wrong with the last try.
    pub problem: Option<String>,
    /// What an answer looks like.
    pub hint: Option<String>,
}

impl fmt::Debug for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Sheet");
        shown.field("fields", &self.fields).field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl fmt::Debug for SheetField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SheetField");
        shown.field("id", &self.id).field("kind", &self.kind).field("value", &Redacted::json(&self.value));
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, value, told } = self;
        f.debug_struct("Given").field("id", id).field("value", &Redacted::json(value)).field("told", told).finish()
    }
}

impl fmt::Debug for SheetView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SheetView");
        shown.field("filled", &self.filled.len()).field("missing", &self.missing.len()).field("done", &self.done);
        shown.finish_non_exhaustive()
    }
}
