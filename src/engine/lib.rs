//! The conversation, without I/O: a session and an input give a session and effects.
//!
//! Deliberately absent: clocks, randomness, stores, platforms and models. [`Input`] carries time and ids;
//! the runtime performs the [`Effect`]s.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod ask;
mod command;
pub mod desk;
mod draft;
mod effect;
mod engine;
mod flow;
mod handle;
mod history;
mod input;
mod inspect;
mod library;
pub mod lifecycle;
mod lookup;
pub mod model;
mod phase;
pub mod prompt;
mod redacted;
mod saying;
pub mod session;
mod sheet;
mod talk;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tools;
mod world;
mod zone;

use formwright_chat as chat;
use jiff::Timestamp;

use crate::ask::page;
use crate::desk::leave;
use crate::handle::step;
use crate::inspect::preview::Preview;
use crate::inspect::{explain, extract, unfinished, view};
use crate::tools::foresee;
use formwright_form::Form;

pub use crate::desk::leave::Leaving;
pub use crate::desk::{Case, Desk, Desks, Reviewed};
pub use crate::effect::{Effect, Provenance, Purpose, Step, Submission, ToolCall};
pub use crate::engine::Engine;
pub use crate::flow::submit::delivery_call;
pub use crate::input::{CallError, Failing, Happening, Input, Outcome};
pub use crate::inspect::explain::{Explanation, Piece, Proposed, Reading};
pub use crate::inspect::extract::{Extracted, Heard, Unheard};
pub use crate::inspect::preview;
pub use crate::library::{Library, Passage};
pub use crate::lookup::{Again, LookUp};
pub use crate::model::reply::unreadable;
pub use crate::model::{ModelCall, ModelUse};
pub use crate::phase::{Asking, At, Before, Missing, Phases, Submitting, Values, Wrong};
pub use crate::session::Session;
pub use formwright_nlu::{Command, SlotChoice, SlotChoices, is_sensitive};

impl Engine {
    /// How a message would be understood in a session. `reply` is what a model says to the call, if it was asked.
    pub fn explain(&self, session: &Session, text: &str, now: Timestamp, reply: Option<&str>) -> Explanation {
        explain::explain(self, session, text, now, reply)
    }

    /// What a message gives. What would be asked back among several readings is no value.
    ///
    /// # Errors
    /// [`Unheard`] where the form, a field, an answer or a reply is not what it should be.
    pub fn extract(&self, heard: Heard<'_>) -> Result<Extracted, Unheard> {
        extract::extract(self, heard)
    }

    /// What each field could be filled with by a message, with the features that weigh for it: what weights are fitted on.
    ///
    /// # Errors
    /// [`Unheard`] where the form, a field or an answer is not what it should be.
    pub fn weigh(&self, heard: Heard<'_>) -> Result<Vec<SlotChoices>, Unheard> {
        extract::weigh(self, heard)
    }

    /// Lookups that open questions will need and whose arguments are all known, the soonest first. Their `call` is empty: they
    /// are no calls of the session. Only those whose result may be kept ([`Form::may_keep`]).
    pub fn foreseen(&self, session: &Session, now: Timestamp) -> Vec<ToolCall> {
        foresee::foreseen(self, session, now)
    }

    /// What would be wrong with the values of a press, each by itself; the session stays as it is. Presses that are no
    /// values, or of no widget shown now, are not judged.
    pub fn rehearse(&self, session: &Session, event: &chat::Event, now: Timestamp) -> Vec<chat::Fault> {
        page::rehearse(self, session, event, now)
    }

    /// The start of a form, each of its questions as asked the first time, and its review with an example of each answer.
    /// Options that a tool brings are not known, so such a question has none.
    pub fn screens(&self, form: &Form, lang: &str, draws_pages: bool, now: Timestamp) -> Vec<Preview> {
        preview::screens(self, form, lang, draws_pages, now)
    }

    /// What a client's form came to; none where no such form is being filled.
    pub fn sheet(&self, session: &Session) -> Option<chat::SheetView> {
        sheet::sheet(self, session)
    }

    /// Whether a field's name is that of a password, PIN, security code or key, in any language.
    pub fn names_a_secret(name: &str) -> bool {
        sheet::names_a_secret(name)
    }

    /// Words without card numbers, passwords and keys: what may be said back.
    pub fn repeatable(text: &str) -> String {
        sheet::repeatable(text)
    }

    /// Takes a session one step further. Total and deterministic: any session and any input give a result, and the same
    /// one twice.
    pub fn step(&self, session: Session, input: Input) -> Step {
        step::step(self, session, input)
    }

    /// Whether a message looks unfinished to whoever knows what is asked: it ends where a sentence goes on, it only greets, or
    /// it is the beginning of a text. What the asked field reads as a whole is finished, unless a mark says otherwise.
    pub fn is_unfinished(&self, session: &Session, text: &str) -> bool {
        unfinished::is_unfinished(self, session, text)
    }

    /// Shows a session to its owner; sensitive values are masked.
    pub fn view(&self, session: &Session, now: Timestamp) -> chat::SessionView {
        view::view(self, session, now)
    }

    /// Where a session stands: what every turn tells its sender of it.
    pub fn standing(&self, session: &Session) -> chat::Standing {
        view::standing(self, session)
    }

    /// What desks are told where a session ends that has asked them for something, as events for their cases. None for a
    /// session that waits for nobody.
    pub fn leaves(&self, session: &Session, how: Leaving, now: Timestamp) -> Vec<chat::Event> {
        leave::leaves(self, session, how, now)
    }

    /// What somebody is told whose request does not reach its desk, as an event for their session; none where nobody at
    /// the desk is waited for.
    pub fn unreached(case: &Session, now: Timestamp) -> Option<chat::Event> {
        leave::unreached(case, now)
    }
}
