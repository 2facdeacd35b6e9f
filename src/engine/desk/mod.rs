//! Desks: people on a chat platform who approve what others submit, and whom others may talk to.
//!
//! A case is a session of its own at the desk's place. It and the person's session tell each other what happened by
//! events ([`super::Effect::Send`]): nothing is shared between them.

pub(crate) mod begin;
mod draw;
mod hall;
pub(crate) mod handoff;
pub(crate) mod late;
pub(crate) mod leave;
pub(crate) mod person;
pub(crate) mod shown;
mod state;
pub(crate) mod waiting;
mod words;

use std::collections::BTreeMap;

use chat::{CaseCode, CaseNews, CaseRequest};
use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Effect;
use super::session::Answer;
use formwright_form::{FormId, Path};
pub(super) use handoff::{HandOff, Line};
pub use leave::Leaving;
pub(super) use person::reviewed;
use state::{Affair, Deed};

/// Seconds after which nobody is waited for any more.
pub(super) const PATIENCE: i64 = 30 * 86_400;
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

/// News for a case at a desk. `count` tells apart what is told of the same kind.
fn to_desk(desk: &Desk, code: &CaseCode, person: &Person<'_>, news: CaseNews, count: &str, at: Timestamp) -> Effect {
    let id = alias(&desk.place.platform, &person.place.platform, person.user);
    Effect::Send(Box::new(told_desk(desk, code, (id, person.name), news, count, at)))
}

/// News for a case at a desk, as an event of somebody.
fn told_desk(
    desk: &Desk,
    code: &CaseCode,
    (id, name): (chat::UserId, Option<&str>),
    news: CaseNews,
    count: &str,
    at: Timestamp,
) -> chat::Event {
    chat::Event {
        id: event_id(code, &news, count),
        place: desk.place.clone(),
        user: chat::User { id, name: name.map(str::to_owned), locale: None, zone: None },
        at,
        action: chat::Action::Case { code: code.clone(), news },
        terms: chat::Terms { case: Some(code.clone()), ..chat::Terms::default() },
    }
}

/// News for the person of a case.
fn to_person(case: &Case, news: CaseNews, count: &str, at: Timestamp) -> chat::Event {
    let CaseRequest { place, person, shared, forms, .. } = &case.request;
    chat::Event {
        id: event_id(&case.code, &news, count),
        place: place.clone(),
        user: chat::User { id: person.id.clone(), name: person.name.clone(), locale: None, zone: None },
        at,
        action: chat::Action::Case { code: case.code.clone(), news },
        terms: chat::Terms { shared: *shared, forms: forms.clone(), ..chat::Terms::default() },
    }
}

/// The same for the same news, so that they count once however often a turn runs.
fn event_id(code: &CaseCode, news: &CaseNews, count: &str) -> chat::EventId {
    chat::EventId::new(format!("case/{code}/{}/{count}", news.kind()))
}

/// Who is on the other side of a desk.
struct Person<'a> {
    place: &'a chat::Place,
    user: &'a chat::UserId,
    name: Option<&'a str>,
}
