//! The conversation, without I/O: a session and an input give a session and effects.
//!
//! Deliberately absent: clocks, randomness, stores, platforms and models. [`Input`] carries time and ids;
//! the runtime performs the [`Effect`]s.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod answer;
mod answered;
mod aside;
mod ask;
mod begin;
mod calls;
mod carry;
mod climb;
mod decide;
mod deciding;
pub mod deeds;
pub mod desk;
mod digress;
mod doubts;
mod edited;
mod ending;
mod explain;
mod extract;
mod fetch;
mod fill;
mod finish;
mod follow;
mod foresee;
mod forget;
mod hear;
mod history;
mod hooks;
mod idle;
mod journal;
mod late;
mod leftover;
mod library;
mod link;
mod list;
mod lookup;
mod migrate;
pub mod model;
mod onward;
mod options;
mod order;
mod page;
mod phase;
mod plain;
mod press;
pub mod preview;
pub mod prompt;
mod receipt;
mod redacted;
mod review;
mod roam;
mod screen;
mod secrets;
pub mod session;
mod settle;
mod sheet;
mod step;
mod talk;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod together;
pub mod told;
mod tongue;
mod tools;
mod unfinished;
mod vars;
mod view;
mod waiting;
mod which;
mod whole;
mod world;
mod zone;

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use desk::{Case, Desk, Desks, Leaving, Reviewed};
pub use explain::{Explanation, Piece, Proposed, Reading};
pub use extract::{Extracted, Heard, Unheard};
pub use finish::delivery_call;
use formwright_form::{Catalog, Form, FormId, FormVersion, Path, ToolId};
pub use formwright_nlu::{Command, is_sensitive};
pub use library::{Library, Passage};
pub use lookup::{Again, LookUp};
pub use model::{ModelCall, ModelUse, unreadable};
pub use phase::{Asking, At, Before, Missing, Phases, Submitting, Values, Wrong};
pub use session::Session;

/// The conversation engine: pure, and the same for every platform.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    catalog: Catalog,
    model: Option<ModelUse>,
    phases: BTreeMap<FormId, Arc<dyn Phases>>,
    library: Option<Arc<dyn Library>>,
    desks: Desks,
    tries_out: bool,
}

/// One thing that happened, with the time and randomness that the step may use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// When it happened.
    pub now: Timestamp,
    /// 128 fresh random bits: names the screen, and whatever else this step creates.
    pub nonce: chat::Nonce,
    /// What happened.
    pub event: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    /// The person did something; boxed because events are large.
    Event(Box<chat::Event>),
    /// An outside call that the session asked for has ended.
    Outcome(Outcome),
    /// The draft's time is up, or will be soon.
    Expiry,
    /// A step is taken again, with something known that it lacked: see [`LookUp::answered`].
    Again(Box<Again>),
}

/// How an outside call ended.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The call; late outcomes of calls no longer pending are dropped.
    pub call: String,
    /// What came of it.
    pub result: Result<serde_json::Value, CallError>,
}

/// Why an outside call failed, in words for each reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallError {
    /// For the person; none says that it did not work and offers to try again.
    pub for_person: Option<String>,
    /// For the log.
    pub for_log: String,
    /// Whether trying again may help.
    pub retry: bool,
    /// Whose matter it is.
    #[serde(default)]
    pub failing: Failing,
}

/// Whose matter a failed call is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Failing {
    /// The person's: what was asked for cannot be done with these answers.
    Refused {
        /// What is wrong with which field or param, in words for the person.
        #[serde(default)]
        fields: std::collections::BTreeMap<String, String>,
    },
    /// The operator's: the tool may not be used so.
    Denied,
    /// The tool's.
    #[default]
    Broken,
}

impl CallError {
    /// Something does not work.
    pub fn broken(for_log: impl Into<String>, retry: bool) -> Self {
        Self { for_person: None, for_log: for_log.into(), retry, failing: Failing::Broken }
    }
}

/// What a step gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The session to store.
    pub session: Session,
    /// What to perform, in order.
    pub effects: Vec<Effect>,
}

/// What the runtime is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    /// Say and draw this.
    Reply(Box<chat::Reply>),
    /// Run a tool now and bring back its [`Outcome`]; the turn is not quiet before.
    CallTool(ToolCall),
    /// Look this up now and take the step again that needs it. Nothing else is to be done.
    LookUp(Box<LookUp>),
    /// Take this to the other session of the place: the one that all there share, or the person's own. It is where the
    /// form is filled. Nothing else is said.
    Move {
        /// The form to start there.
        form: FormId,
        /// The words that asked for it; may be empty.
        text: String,
    },
    /// Keep this for another session, under an id that is the same however often the step is taken: the other side of a
    /// case at a desk. It counts once what this step stores is stored.
    Send(Box<chat::Event>),
    /// Ask the model now and bring back its text as an [`Outcome`]; the turn is not quiet before.
    AskModel(Box<ModelCall>),
    /// Store this submission with the session, and deliver it.
    Submit(Box<Submission>),
    /// Erase what is kept of the person on this platform, in place of storing the session, and tell them.
    Forget {
        /// BCP 47 tag of the language to tell it in.
        lang: String,
    },
    /// Put this on the log: a form does something wrong, and its admin must mend it.
    Fault(String),
    /// Tell who listens to the form that an answer was refused; the person is told in the reply.
    Refused(Box<told::Refused>),
    /// Tell who listens to the form that it is over: it was filled in for a field of another one, and the session keeps
    /// nothing of it.
    Left(Box<session::Draft>),
}

/// A tool to run.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call; its outcome must bring it back.
    pub call: String,
    /// The form whose tool it is.
    pub form: FormId,
    /// The form's version.
    pub version: FormVersion,
    /// Which tool.
    pub tool: ToolId,
    /// Arguments by name.
    pub args: serde_json::Value,
    /// What it is made for.
    #[serde(default)]
    pub purpose: Purpose,
}

/// What a tool is called for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// It knows something. What it said to the same question before may serve.
    #[default]
    Know,
    /// It stands in the place of a phase.
    Decide,
    /// It does something: once under each id, whatever was done with the same arguments before.
    Do,
}

impl ToolCall {
    /// A call of a form's tool, to know something.
    pub(crate) fn of(form: &Form, tool: &ToolId, call: String, args: serde_json::Value) -> Self {
        let (form, version) = (form.id.clone(), form.version.clone());
        Self { call, form, version, tool: tool.clone(), args, purpose: Purpose::Know }
    }

    /// The same call for another purpose.
    pub(crate) fn to(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }
}

/// A finished form.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Stable id, made when the form was started: whatever is repeated, the receiver can tell.
    pub id: String,
    /// 1, and one more with each corrected submission of the same draft.
    pub revision: u32,
    /// Which form.
    pub form: FormId,
    /// Which version of it.
    pub version: FormVersion,
    /// When the person confirmed.
    pub at: Timestamp,
    /// Where.
    pub place: chat::Place,
    /// Who. Where several filled the form together, who confirmed.
    pub user: chat::UserId,
    /// Everybody at the place could fill the form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Visible answers by field id, groups as objects, lists as arrays, as [`formwright_form::kind::FieldKind::json`] gives them.
    pub answers: serde_json::Value,
    /// IANA name of the zone that the times among the answers are in, or a fixed distance from UTC, `+05:30`; none where
    /// there are no times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Where each answer came from.
    pub provenance: Vec<Provenance>,
    /// Who approved it, where somebody had to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Reviewed>,
}

/// Where an answer came from.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Which answer.
    pub field: Path,
    /// Its source.
    pub source: chat::Source,
    /// The person's words; none where the field is sensitive.
    pub quote: Option<String>,
    /// When it was given.
    pub at: Timestamp,
    /// Who gave it, where several filled the form together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<chat::UserId>,
}
