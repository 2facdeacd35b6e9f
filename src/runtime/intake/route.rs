//! Which session an event belongs to: the person's own at its place, or the one that everybody there shares.
//!
//! A form with `scope = "channel"` is filled in the shared one. A person's own form comes first: who has one under way
//! is not heard in the other.

use std::sync::Arc;

use chat::Action;
use formwright_chat as chat;

use crate::Runtime;
use formwright_engine::Session;
use formwright_form::{FormId, Scope};
use formwright_store::{SessionKey, StoreError, Stored};

impl Runtime {
    /// Notes in an event which session it belongs to. The same event gets the same answer again.
    pub(crate) async fn placed(&self, mut event: chat::Event) -> Result<chat::Event, StoreError> {
        event.terms.case = self.case_of(&event).await?;
        event.terms.shared = event.terms.case.is_none() && self.is_shared(&event).await?;
        Ok(event)
    }

    /// The case at a desk that an event is for: the one whose widget is pressed, or whose code the words begin with, be there
    /// one or not.
    async fn case_of(&self, event: &chat::Event) -> Result<Option<chat::CaseCode>, StoreError> {
        if !self.is_desk(&event.place) {
            return Ok(None);
        }
        let code = match &event.action {
            Action::Press { presses } => presses.first().and_then(|press| press.token.nonce.case()),
            Action::Say { text } | Action::Edit { text, .. } | Action::Attach { text, .. } => {
                return Ok(chat::addressed(text).map(|(code, _)| code));
            }
            _ => None,
        };
        let Some(code) = code else { return Ok(None) };
        let session = self.peek(&SessionKey::of_case(&event.place, &code)).await?;
        let is_there = session.is_some_and(|session| session.case.is_some());
        // A button of a case that is gone is no button of the person's own, though one of those may look like it.
        let own = async || Ok::<_, StoreError>(self.peek(&SessionKey::of(event)).await?.is_some_and(shown_in(event)));
        Ok((is_there || !own().await?).then_some(code))
    }

    /// Whether people at a place look after what others fill in.
    pub(crate) fn is_desk(&self, place: &chat::Place) -> bool {
        self.conversation().desks().values().any(|desk| desk.place == *place)
    }

    /// The key of the session that a person sees at a place: their own where they are filling a form, else the shared one
    /// where a form is filled there.
    pub(crate) async fn key_seen(&self, place: &chat::Place, user: &chat::UserId) -> Result<SessionKey, StoreError> {
        let (own, all) = (Self::key(place, user), SessionKey::of_place(place));
        let shared = self.shares(place) && self.only_all_fill(&own, &all).await?;
        Ok(if shared { all } else { own })
    }

    /// Whether a form is being filled in the session of all and none in the person's own.
    async fn only_all_fill(&self, own: &SessionKey, all: &SessionKey) -> Result<bool, StoreError> {
        let fills = |session: Option<Arc<Session>>| session.is_some_and(|session| session.draft.is_some());
        Ok(!fills(self.peek(own).await?) && fills(self.peek(all).await?))
    }

    /// Whether several people may be at a place, and a form is filled by all of them together.
    pub(crate) fn shares(&self, place: &chat::Place) -> bool {
        let adapter = self.adapters.get(place.platform.as_str());
        let conversation = self.conversation();
        adapter.is_some_and(|adapter| adapter.shares_places())
            && conversation.catalog().forms().any(|form| form.scope == Scope::Channel)
    }

    async fn is_shared(&self, event: &chat::Event) -> Result<bool, StoreError> {
        if !self.shares(&event.place) {
            return Ok(false);
        }
        let (own, all) = (Self::key(&event.place, &event.user.id), SessionKey::of_place(&event.place));
        // What was taken in before stays where it was.
        if self.store.seen(&all, &event.id).await?.is_some() {
            return Ok(true);
        }
        if self.store.seen(&own, &event.id).await?.is_some() {
            return Ok(false);
        }
        let shown = |session: Option<Arc<Session>>, presses: &[chat::Press]| {
            session.is_some_and(|session| presses.iter().any(|press| session.has_shown(&press.token)))
        };
        Ok(match &event.action {
            Action::Open { form: Some(form) } | Action::Start { form, .. } => {
                let conversation = self.conversation();
                let form = conversation.catalog().form(&FormId::new(form));
                form.is_some_and(|form| form.scope == Scope::Channel)
            }
            Action::Press { presses } => shown(self.peek(&all).await?, presses),
            Action::Edit { message, .. } => self.peek(&all).await?.is_some_and(|session| session.has_heard(message)),
            Action::Open { form: None } | Action::Say { .. } | Action::Attach { .. } | Action::Share { .. } => {
                self.only_all_fill(&own, &all).await?
            }
            Action::ToolResults { .. } | Action::Case { .. } => false,
        })
    }

    /// A session as it is now. What is damaged is told of when a turn loads it.
    pub(crate) async fn peek(&self, key: &SessionKey) -> Result<Option<Arc<Session>>, StoreError> {
        match self.store.load(key).await {
            Ok(Stored { session, .. }) => Ok(session),
            Err(StoreError::Damaged(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a session has shown one of the widgets that are pressed.
fn shown_in(event: &chat::Event) -> impl Fn(Arc<Session>) -> bool + '_ {
    move |session| match &event.action {
        Action::Press { presses } => presses.iter().any(|press| session.has_shown(&press.token)),
        _ => false,
    }
}
