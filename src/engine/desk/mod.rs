//! Desks: people on a chat platform who approve what others submit, and whom others may talk to.
//!
//! A case is a session of its own at the desk's place. It and the person's session tell each other what happened by
//! events ([`super::Effect::Send`]): nothing is shared between them.

pub(crate) mod begin;
pub(crate) mod case;
pub(crate) mod decided;
pub(crate) mod draw;
pub(crate) mod handoff;
pub(crate) mod late;
pub(crate) mod leave;
pub(crate) mod open;
pub(crate) mod person;
pub(crate) mod send;
pub(crate) mod shown;
pub(crate) mod state;
pub(crate) mod waiting;
pub(crate) mod words;

use std::collections::BTreeMap;

use formwright_chat as chat;
use formwright_chat::{CaseCode, CaseRequest};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::desk::state::{Affair, Deed};
use formwright_form::{FormId, Path};
use formwright_nlu::Answer;

pub use crate::desk::leave::Leaving;

/// Seconds after which nobody is waited for any more.
pub(crate) const PATIENCE: i64 = 30 * 86_400;

/// Seconds that a case is kept once it is over, so that who comes late is told how it ended.
const REMEMBERED: i64 = 7 * 86_400;

/// People who look after what others fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Where they are.
    pub place: chat::Place,
    /// Who may decide; everybody there where it is empty.
    pub people: Vec<chat::UserId>,
    /// BCP 47 tag of the language spoken with them; none takes the form's first.
    pub lang: Option<String>,
}

/// Desks by name.
pub type Desks = BTreeMap<String, Desk>;

/// A request at a desk.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Names it.
    pub code: CaseCode,
    /// What is asked for, as it stands.
    pub request: CaseRequest,
    /// The person as the desk's platform knows them. It is found by this when the person is forgotten.
    #[serde(rename = "by")]
    pub person: chat::UserId,
    /// Where it stands.
    pub affair: Affair,
    /// What the desk is asked beside its buttons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asking: Option<Asking>,
    /// Who is asked; what others write is no answer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<chat::UserId>,
    /// What others were asked before somebody else was: their words are an answer to it still.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    aside: BTreeMap<chat::UserId, Asking>,
    /// The widgets that count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screen: Option<CaseScreen>,
    /// When it was opened, or opened anew.
    pub opened: Timestamp,
    /// When it is reminded of, given up or forgotten next.
    pub wake: Timestamp,
}

/// What somebody at a desk is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Asking {
    /// Why it is rejected.
    Reason,
    /// Which fields are to be changed.
    Fields,
    /// Why they are to be changed.
    Why {
        /// Paths of the fields.
        fields: Vec<String>,
    },
}

/// The widgets of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CaseScreen {
    nonce: chat::Nonce,
    slots: Vec<Act>,
}

/// What a widget of a case does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Act {
    /// Does this.
    Do(Deed),
    /// Takes words: a reason, or an answer to the person.
    Words,
    /// Takes fields.
    Fields,
    /// Asks for nothing any more.
    Never,
}

/// How a form stands that somebody has to approve. Kept with the draft.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// How often it was sent.
    pub round: u32,
    /// Who approved it; empty as long as it is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<chat::Decision>,
    /// What alone may be changed; empty where anything may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Path>,
    /// What was answered when changes were asked for, and may not be changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locked: Vec<Path>,
    /// Sensitive answers as those saw them masked who asked for changes: so that they are told which have changed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub masked: BTreeMap<Path, Answer>,
    /// The form that the person was in when it was approved, put aside for what is to be done then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<FormId>,
}

/// Who approved a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reviewed {
    /// Name of the desk.
    pub desk: String,
    /// How often it was sent there.
    pub round: u32,
    /// Who approved it, and when.
    pub approvals: Vec<chat::Decision>,
}

/// What a person is called on the platform of a desk: by their own id there, or else by that of their platform.
pub fn alias(desk: &chat::Platform, platform: &chat::Platform, user: &chat::UserId) -> chat::UserId {
    if desk == platform { user.clone() } else { chat::UserId::new(format!("{platform}:{user}")) }
}

/// Who is on the other side of a desk.
pub(crate) struct Person<'a> {
    place: &'a chat::Place,
    user: &'a chat::UserId,
    name: Option<&'a str>,
}
