//! What comes out of a step: the session, and what the runtime is to do.

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::desk::Reviewed;
use crate::lifecycle;
use crate::lookup::LookUp;
use crate::model::ModelCall;
use crate::session::{self, Session};
use formwright_form::{Form, FormId, FormVersion, Path, ToolId};

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
    /// Run a tool now and bring back its [`Outcome`](crate::Outcome); the turn is not quiet before.
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
    /// Ask the model now and bring back its text as an [`Outcome`](crate::Outcome); the turn is not quiet before.
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
    Refused(Box<lifecycle::Refused>),
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
