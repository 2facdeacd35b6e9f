//! What desks and those who ask them are told outside a turn: a conversation is begun anew, its person is forgotten, or
//! the desk cannot be reached.

pub(crate) mod look;
pub(crate) mod reach;

use std::sync::Arc;

use formwright_chat as chat;

use super::{Runtime, clock};
use crate::outbox::again::Failure;
use crate::watch::metrics::Noted;
use formwright_engine::{Effect, Happening, Input, Leaving, Session};
use formwright_store::{Outgoing, Parcel, SessionKey, StoreError};

/// Failures of a delivery after which a desk counts as out of reach: about 40 seconds.
const OUT_OF_REACH: u32 = 3;

impl Runtime {
    /// Deletes a session; desks are told that nobody waits for them any more. Tells whether there was one.
    pub(super) async fn begin_anew(self: &Arc<Self>, key: &SessionKey) -> Result<bool, StoreError> {
        if let Some(session) = self.peek(key).await? {
            self.at_hand(&session);
            let told = self.conversation().leaves(&session, Leaving::Gone, self.clock.now());
            self.tell_in_their_sessions(told).await?;
        }
        self.throw_away(key).await
    }

    /// Makes events of our own durable and sees to their turns.
    async fn tell_in_their_sessions(self: &Arc<Self>, events: Vec<chat::Event>) -> Result<(), StoreError> {
        for event in &events {
            self.store.accept(&SessionKey::of(event), event).await?;
        }
        events.into_iter().for_each(|event| self.take_up_accepted(event));
        Ok(())
    }

    /// Tells desks that a person is forgotten. What was kept of their cases is gone, and of this too nothing is kept.
    pub(super) fn tell_desks_of_forgotten(self: &Arc<Self>, events: Vec<chat::Event>) {
        for event in events {
            let runtime = Arc::clone(self);
            tokio::spawn(async move {
                let Ok(nonce) = clock::nonce() else { return };
                let (place, user, id) = (event.place.clone(), event.user.id.clone(), event.id.clone());
                let input = Input { now: runtime.clock.now(), nonce, event: Happening::Event(Box::new(event)) };
                let step = runtime.conversation().step(Session::new(place.clone(), user.clone()), input);
                for effect in step.effects {
                    let Effect::Reply(reply) = effect else { continue };
                    let id = chat::ReplyId::new(id.to_string());
                    let delivery = chat::Delivery::first(id, place.clone(), user.clone(), *reply);
                    if let Err(error) = runtime.deliver_unkept(delivery).await {
                        tracing::warn!(
                            error = %chat::chain(&error),
                            "a desk could not be told that a person is forgotten"
                        );
                    }
                }
            });
        }
    }

    /// The place of the desk that a delivery shows a case to. It is tried for long, for the desk is waited for as long.
    pub(super) fn desk_of<'p>(&self, parcel: &'p Parcel) -> Option<&'p chat::Place> {
        match parcel {
            Parcel::Reply { place, reply, .. } if reply.case.is_some() && !reply.private => {
                self.is_desk(place).then_some(place)
            }
            Parcel::Reply { .. } | Parcel::Submission { .. } | Parcel::Told { .. } | Parcel::Erased => None,
        }
    }

    /// A delivery to a desk has failed. Once that is more than a hiccup, whose request it is, the log and the metrics are
    /// told.
    pub(super) async fn desk_failed(self: &Arc<Self>, entry: &Outgoing, failure: &Failure) {
        let Parcel::Reply { place, reply, .. } = &entry.parcel else { return };
        let since_now = if failure.fatal { entry.attempts == 0 } else { entry.attempts == OUT_OF_REACH };
        let Some(code) = reply.case.as_ref().map(|case| &case.code).filter(|_| since_now) else { return };
        let Ok(Some(session)) = self.peek(&SessionKey::of_case(place, code)).await else { return };
        let Some(case) = &session.case else { return };
        let (desk, about) = (case.request.desk.clone(), case.affair.about.name());
        tracing::error!(%desk, case = %code, why = %failure.why, "a desk cannot be reached: it is tried again");
        self.metrics.note(vec![Noted::Case(desk, about, "unreached")]);
        let told = self.conversation().unreached(&session, self.clock.now());
        if let Err(error) = self.tell_in_their_sessions(told.into_iter().collect()).await {
            tracing::warn!(
                error = %chat::chain(&error), case = %code,
                "nobody could be told that a desk cannot be reached"
            );
        }
    }
}
