//! A turn: load, compute, commit in one atomic write. What conflicts is loaded and computed again.

pub(crate) mod commit;
pub(crate) mod foreseeing;
pub(crate) mod perform;
pub(crate) mod prefetch;
pub(crate) mod run;
pub(crate) mod work;

use formwright_chat as chat;
use formwright_engine::{Happening, Outcome};
use formwright_store::{SessionKey, StoreError};

use crate::clock;
use crate::intake::burst::merged;
use work::Work;

/// What a turn is about.
pub(super) struct Turn {
    pub(super) key: SessionKey,
    pub(super) place: chat::Place,
    pub(super) user: chat::UserId,
    pub(super) cause: Cause,
}

/// What brings a turn about.
#[derive(Clone)]
pub(super) enum Cause {
    /// An event whose sender waits for the replies.
    Asked(Box<chat::Event>),
    /// Accepted events that are read together, oldest first and never none: replies go to the outbox.
    Accepted(Vec<chat::Event>),
    /// The session's time is up.
    Expired,
    /// A submission was given up.
    Undelivered(Outcome),
}

/// Why a turn did not happen.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum TurnError {
    /// The store does not do it now.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no ids to be had.
    #[error(transparent)]
    NoRandomness(#[from] clock::NoRandomness),
    /// Others change the session faster than the turn is computed.
    #[error("the session is being changed all the time")]
    Contended,
    /// Another replica works on the session by now. An accepted event is run there.
    #[error("another replica works on the session")]
    Elsewhere,
    /// Never possible; words for the sender.
    #[error("{0}")]
    Refused(String),
    /// The event's id was used for something else before.
    #[error("the id of the event was used before")]
    Reused,
}

/// The id under which an event's request is kept.
fn request_of(event: &chat::Event) -> Option<chat::EventId> {
    let request = event.terms.request.as_ref()?;
    Some(chat::EventId::new(format!("{}#{request}", event.id)))
}

impl Turn {
    /// The turn of an event whose sender waits.
    pub(super) fn asked(event: chat::Event) -> Self {
        Self {
            key: SessionKey::of(&event),
            place: event.place.clone(),
            user: event.user.id.clone(),
            cause: Cause::Asked(Box::new(event)),
        }
    }

    /// What the engine is told; none for no events.
    pub(crate) fn happening(&self) -> Option<Happening> {
        Some(match &self.cause {
            Cause::Asked(event) => Happening::Event(event.clone()),
            Cause::Accepted(events) => Happening::Event(Box::new(merged(events)?)),
            Cause::Expired => Happening::Expiry,
            Cause::Undelivered(outcome) => Happening::Outcome(outcome.clone()),
        })
    }

    /// The language that its sender reads, where the platform tells.
    pub(super) fn locale(&self) -> Option<&str> {
        self.last_event()?.user.locale.as_deref()
    }

    /// Whether it is a turn of the session that all at the place share.
    pub(super) fn is_shared(&self) -> bool {
        self.key == SessionKey::of_place(&self.place)
    }

    /// What goes on in other sessions: a form in the other one of the place, the other side of a case.
    pub(crate) fn onward(&self, work: &Work) -> Vec<chat::Event> {
        let form = |(form, text): &(_, String)| Some(moved(self.last_event()?, form, text.clone()));
        work.moved.as_ref().and_then(form).into_iter().chain(work.sent.iter().cloned()).collect()
    }

    /// The event whose replies these are.
    pub(super) fn event(&self) -> Option<&chat::EventId> {
        self.last_event().map(|event| &event.id)
    }

    /// The event that brings it about, the last where several do.
    pub(crate) fn last_event(&self) -> Option<&chat::Event> {
        match &self.cause {
            Cause::Asked(event) => Some(event),
            Cause::Accepted(events) => events.last(),
            Cause::Expired | Cause::Undelivered(_) => None,
        }
    }

    /// What is kept beside the event as done, so that its request is known from another one under the same id.
    pub(super) fn request(&self) -> Option<chat::EventId> {
        match &self.cause {
            Cause::Asked(event) => request_of(event),
            Cause::Accepted(_) | Cause::Expired | Cause::Undelivered(_) => None,
        }
    }

    /// Whose the results of tools are that not everybody shares.
    pub(crate) fn whose(&self) -> String {
        [self.place.platform.as_str(), &self.place.workspace, self.user.as_str()].join("\n")
    }

    /// Earlier events that were read together with it.
    pub(super) fn merged_events(&self) -> Vec<chat::EventId> {
        match &self.cause {
            Cause::Accepted(events) => events.iter().rev().skip(1).rev().map(|event| event.id.clone()).collect(),
            Cause::Asked(_) | Cause::Expired | Cause::Undelivered(_) => Vec::new(),
        }
    }
}

/// The event that takes a form to the other session of its place: the same again for the same event.
fn moved(event: &chat::Event, form: &formwright_form::FormId, text: String) -> chat::Event {
    let id = chat::EventId::new(format!("{}~moved", event.id));
    let terms = chat::Terms { shared: !event.terms.shared, overheard: false, ..event.terms.clone() };
    let action = chat::Action::Start { form: form.to_string(), text };
    chat::Event { id, terms, action, ..event.clone() }
}
