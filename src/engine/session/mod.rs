//! One person's place: the draft being filled, parked drafts, and what was asked. Stored; its JSON is a stored format.

pub(crate) mod handoff;
pub(crate) mod heard;
pub(crate) mod hooked;
pub(crate) mod own_zone;
pub(crate) mod returns;
pub(crate) mod screen;
pub(crate) mod sheet;
pub(crate) mod side_effect;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{desk, model, session};
use formwright_form::{FormId, FormVersion, Path, ToolId, Value};
use formwright_nlu::SoFar;

pub use crate::session::heard::{Heard, Proposed};
pub use crate::session::hooked::Hooked;
pub use crate::session::own_zone::OwnZone;
pub use crate::session::returns::Returns;
pub use crate::session::screen::{Addr, PastScreen, Screen, Slot};
pub use crate::session::sheet::SheetState;
pub use formwright_nlu::{Answer, Asked, ListState, Pending};

/// One person's place in one chat.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Where.
    pub place: chat::Place,
    /// Whose; nobody else changes it. Where it is shared, who acted last.
    pub owner: chat::UserId,
    /// Everybody at the place shares it: they fill one form together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// BCP 47 tag of the person's language, as the platform tells it.
    pub lang: Option<String>,
    /// Tag of the language they asked for or wrote in, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaks: Option<String>,
    /// IANA time zone of the person, as the platform tells it.
    pub zone: Option<String>,
    /// What else is known of their time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_zone: Option<OwnZone>,
    /// Whether the platform does not know people's time zones: told anew at each turn, and not stored.
    #[serde(skip)]
    pub platform_lacks_zone: bool,
    /// Whether the platform can draw several fields as one form: told anew at each turn, and not stored.
    #[serde(skip)]
    pub draws_pages: bool,
    /// Whether several people may be at the place, so that a form which they fill together belongs to the place:
    /// told anew at each turn, and not stored.
    #[serde(skip)]
    pub shares_place: bool,
    /// The form being filled.
    pub draft: Option<Draft>,
    /// Forms put aside, the last one last.
    pub parked: Vec<Draft>,
    /// The form that closed last: its answers stay readable until the next one closes, and undo can bring a cancelled one back.
    pub closed: Option<Draft>,
    /// Forms that wait for somebody's approval, the last one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewing: Vec<Draft>,
    /// A person at a desk whom the owner talks to, or has asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Box<session::handoff::HandOff>>,
    /// The session is no person's but a request at a desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Box<desk::Case>>,
    /// The widgets that count now.
    pub screen: Option<Screen>,
    /// Earlier screens with what they asked, newest last, so that an old button can be explained.
    pub past: VecDeque<PastScreen>,
    /// What was said last, to draw again.
    pub last: Vec<chat::Reply>,
    /// Who was asked whether everything that is kept of them shall be deleted. It is asked once: the next event settles it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgetting: Option<chat::UserId>,
    /// What forms were made of that came along with events, as long as a draft here is of one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub brought: BTreeMap<FormId, chat::Brought>,
    /// A model is asked about a message. Only while a turn runs: nothing is held from one turn to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<model::Waiting>>,
}

/// One run of one form.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Which form.
    pub form: FormId,
    /// The version it was started with.
    pub version: FormVersion,
    /// Id of the submission to come.
    pub submission: String,
    /// How often it was submitted.
    pub revision: u32,
    /// Where the form is.
    pub state: State,
    /// Answers by path. Only values that passed their field's parser and checks.
    pub answers: BTreeMap<Path, Answer>,
    /// Lists: how many items, and whether the person said that there are no more.
    pub lists: BTreeMap<Path, ListState>,
    /// Optional fields that the person left empty.
    pub skipped: BTreeSet<Path>,
    /// Fields and groups whose `show_when` does not hold now; what lies inside is not shown either.
    pub hidden: BTreeSet<Path>,
    /// Answers of fields that are not shown now: back when the fields are.
    pub kept: BTreeMap<Path, Answer>,
    /// What is still to be asked, in the order of asking.
    pub todo: BTreeSet<Addr>,
    /// Answers read back to the person and confirmed ("you said X — right?").
    pub verified: BTreeSet<Path>,
    /// Answers that a change made doubtful, to be offered as a default when the field is asked again.
    pub offered: BTreeMap<Path, Value>,
    /// What is waited for.
    pub pending: Pending,
    /// What was asked before, where the turn that changed it took long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// What is asked next, in order, once nothing is waited for any more: the second of two answers to be changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Pending>,
    /// What the person said while a tool was running: heard when it has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unheard: Vec<String>,
    /// How often each field was asked in vain, and which wordings were used.
    pub asked: BTreeMap<Path, Asked>,
    /// How often each rotating message was said, by name.
    pub said: BTreeMap<String, u32>,
    /// Left by the person without submitting.
    pub cancelled: bool,
    /// Fields asked and left behind, newest last: the way back.
    pub trail: Vec<Path>,
    /// Defaults that the person took out.
    pub emptied: BTreeSet<Path>,
    /// Pages not shown now.
    pub pages_hidden: BTreeSet<u16>,
    /// Pages whose review was confirmed.
    pub pages_done: BTreeSet<u16>,
    /// Tool results by tool.
    pub tools: BTreeMap<ToolId, ToolState>,
    /// What was done, or is to be done, when a step or the form was confirmed: by step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deeds: BTreeMap<String, side_effect::Deed>,
    /// Everything was confirmed, and what is to be done before the submission is under way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirmed: bool,
    /// The submission was given up: it may be sent again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undelivered: bool,
    /// How it stands with those who have to approve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Box<desk::Approval>>,
    /// What hooks decided about the answers as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooked: Option<Hooked>,
    /// What tools had nothing against, by answer: changes with what they were told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided: BTreeMap<Path, u64>,
    /// The time zone of the local times among its answers, since the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// What the person said last, newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Heard>,
    /// What is known of the client that keeps the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<Box<SheetState>>,
    /// The field of another form that it is filled in for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Returns>,
    /// Fields for which another form was filled in, or could not be: what is still open in them is asked here.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub by_hand: BTreeSet<Path>,
    /// Changes, newest last, for undo.
    pub undo: Vec<Change>,
    /// Changes taken back, newest last, for redo.
    pub redo: Vec<Change>,
    /// When it was started.
    pub started: Timestamp,
    /// When the person last did something in it.
    pub touched: Timestamp,
}

/// Where a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Fields are still to be answered.
    Incomplete,
    /// Everything is answered; the person looks it over.
    WaitConfirm,
    /// Confirmed, and somebody has to approve it.
    InReview,
    /// Confirmed; the submission is on its way.
    Complete,
    /// Submitted or cancelled.
    Closed,
}

/// What was asked before, so that who wrote before they saw the present question is understood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// What was asked.
    pub pending: Pending,
    /// When the message came that changed that: what came no later was seen.
    pub since: Timestamp,
    /// When something else was asked in its place.
    pub until: Timestamp,
}

/// A tool's result and what it was called with.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolState {
    /// Arguments of the call.
    pub args: serde_json::Value,
    /// The call.
    pub call: String,
    /// What of the result is kept for options; none while it runs.
    pub result: Option<serde_json::Value>,
    /// Its outputs by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, Value>,
    /// When the result came.
    pub at: Timestamp,
    /// Failures since the last result.
    pub failures: u32,
}

/// A change that can be undone: everything it touched, as it was before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Answers; none where there was no answer.
    pub answers: BTreeMap<Path, Option<Answer>>,
    /// Answers kept aside.
    pub kept: BTreeMap<Path, Option<Answer>>,
    /// Values offered as defaults.
    pub offered: BTreeMap<Path, Option<Value>>,
    /// Lists.
    pub lists: BTreeMap<Path, Option<ListState>>,
    /// Whether it was skipped.
    pub skipped: BTreeMap<Path, bool>,
    /// Whether it was hidden.
    pub hidden: BTreeMap<Path, bool>,
    /// Whether it was to be asked.
    pub todo: Vec<(Addr, bool)>,
    /// Pages not shown.
    pub pages_hidden: BTreeSet<u16>,
    /// Pages whose review was confirmed.
    pub pages_done: BTreeSet<u16>,
}

impl Session {
    /// A place where nothing has happened yet.
    pub fn new(place: chat::Place, owner: chat::UserId) -> Self {
        Self {
            place,
            owner,
            shared: false,
            lang: None,
            speaks: None,
            zone: None,
            own_zone: None,
            platform_lacks_zone: false,
            draws_pages: false,
            shares_place: false,
            draft: None,
            parked: Vec::new(),
            closed: None,
            reviewing: Vec::new(),
            handoff: None,
            case: None,
            screen: None,
            past: VecDeque::new(),
            last: Vec::new(),
            forgetting: None,
            brought: BTreeMap::new(),
            model: None,
        }
    }

    /// Tag of the language spoken with the person, as far as one is known.
    pub fn tag(&self) -> Option<&str> {
        self.speaks.as_deref().or(self.lang.as_deref())
    }

    /// Whether a widget is or was on one of its screens.
    pub fn has_shown(&self, token: &chat::Token) -> bool {
        let now = self.screen.as_ref().is_some_and(|screen| screen.nonce == token.nonce);
        now || self.past.iter().any(|past| past.nonce == token.nonce)
    }

    /// Whether a message is remembered in one of its forms.
    pub fn has_heard(&self, message: &chat::MessageId) -> bool {
        self.draft.iter().chain(self.others()).any(|draft| draft.place_of(message).is_some())
    }

    /// Forms that are not being filled in now, the newest first.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Draft> {
        self.parked.iter().rev().chain(self.reviewing.iter().rev()).chain(&self.closed)
    }

    /// Lets go of forms that came along and that no draft is of any more.
    pub fn keep_what_is_used(&mut self) {
        let drafts = || self.draft.iter().chain(&self.parked).chain(&self.closed).chain(&self.reviewing);
        let used: BTreeSet<FormId> = drafts().map(|draft| draft.form.clone()).collect();
        self.brought.retain(|form, _| used.contains(form));
    }
}

impl Draft {
    /// Whether a field, or anything it lies in, is hidden.
    pub fn is_hidden(&self, path: &Path) -> bool {
        self.so_far().is_hidden(path)
    }

    /// As understanding looks at it.
    pub(crate) fn so_far(&self) -> SoFar<'_> {
        SoFar {
            pending: &self.pending,
            answers: &self.answers,
            last_change: self.undo.last().map(|change| &change.answers),
            lists: &self.lists,
            asked: &self.asked,
            offered: &self.offered,
            skipped: &self.skipped,
            hidden: &self.hidden,
            pages_hidden: &self.pages_hidden,
            elsewhere: self.sheet.as_ref().map(|sheet| &sheet.elsewhere),
        }
    }

    /// Where in its history a message is.
    pub(crate) fn place_of(&self, message: &chat::MessageId) -> Option<usize> {
        let is_it = |written: &heard::Written| written.messages.iter().any(|joined| joined.message == *message);
        self.history.iter().rposition(|heard| heard.written.as_deref().is_some_and(is_it))
    }

    /// The answers that came of a message's words and still stand.
    pub(crate) fn answers_of(&self, heard: &Heard) -> Vec<Path> {
        let events = heard.written.as_ref().map_or(&[][..], |written| &written.events);
        let of_it = |path: &&Path| {
            let answer = self.answers.get(path);
            answer.is_some_and(|answer| answer.quote.is_some() && answer.event.iter().any(|at| events.contains(at)))
        };
        heard.fields.iter().filter(of_it).cloned().collect()
    }
}
