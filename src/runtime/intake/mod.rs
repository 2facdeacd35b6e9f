//! Events come in: they are admitted, made durable, and their turns run.

pub(crate) mod burst;
pub(crate) mod gather;
pub mod limits;
pub(crate) mod mailbox;
pub(crate) mod rate;
pub(crate) mod route;
pub(crate) mod under_way;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chat::HostError;
use formwright_chat as chat;
use tracing::Instrument as _;

use super::host::unavailable;
use super::turn::{Cause, Turn, TurnError};
use super::{Runtime, fault};
use crate::intake::burst::Coming;
use crate::outbox::safety::SILENCE;
use crate::watch::metrics::{Dropped, Phase};
use formwright_store::{Accepted, SessionKey};

/// The first pause before the turn of an accepted event is tried again, and the longest.
const PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// When it is first looked whether a turn hangs because the store does, and the pause until the next look.
const TAKES_LONG: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_secs(1);
/// What a person waits when the session has too much to do.
const FULL_SECONDS: u32 = 2;

impl Runtime {
    /// Admits an event: rate, size, characters.
    fn admit(&self, event: chat::Event) -> Result<chat::Event, HostError> {
        fault::reached("received");
        let taken = self.rate.take(&event.place.platform, &event.user.id, self.clock.now());
        taken.map_err(|retry_after| {
            self.metrics.dropped(Dropped::Rate);
            HostError::Busy { retry_after }
        })?;
        limits::admit(event, &self.limits).map_err(|words| {
            self.metrics.dropped(Dropped::Size);
            HostError::Refused(words)
        })
    }

    /// Makes an event durable and sees to its turn.
    pub(super) async fn take_in(self: &Arc<Self>, event: chat::Event) -> Result<(), HostError> {
        let event = self.placed(self.admit(event)?).await.map_err(unavailable)?;
        let key = SessionKey::of(&event);
        if !self.mailboxes.has_room(&key) {
            self.metrics.dropped(Dropped::Full);
            return Err(HostError::Busy { retry_after: FULL_SECONDS });
        }
        // Those accepted before a restart come first: an event may not overtake an earlier one of its session.
        self.taken_up.get_or_try_init(|| self.take_up_open_events()).await.map_err(unavailable)?;
        let accepted = self.store.accept(&key, &event).await.map_err(unavailable)?;
        fault::reached("stored");
        self.metrics.accepted(Duration::try_from(self.clock.now().duration_since(event.at)).unwrap_or_default());
        if accepted != Accepted::New {
            self.metrics.dropped(Dropped::Duplicate);
        }
        match accepted {
            Accepted::New | Accepted::Open => self.take_up_accepted(event),
            Accepted::Done(_) => {}
        }
        Ok(())
    }

    /// Runs the turn of an event whose sender waits for it.
    pub(super) async fn answer(self: &Arc<Self>, event: chat::Event) -> Result<chat::Turn, HostError> {
        // Whoever waits for an answer is alone at their place.
        let mut event = self.admit(event)?;
        event.terms.shared = false;
        event.terms.waits = false;
        let key = SessionKey::of(&event);
        if !self.is_here(&key) {
            return self.ask_owner(event).await;
        }
        let (tell, told) = tokio::sync::oneshot::channel();
        let (runtime, posted) = (Arc::clone(self), Instant::now());
        let turn = Turn::asked(event.clone());
        let first = self.asked.hold(&key, &event.id);
        let job = async move {
            runtime.metrics.took(Phase::Queue, posted.elapsed());
            let ended = if first.is_some() { runtime.turn(&turn).await } else { runtime.turn_again(&turn).await };
            drop(first);
            // Whoever asked may have gone away; the turn counts all the same.
            let _ = tell.send(ended);
        }
        .in_current_span();
        self.mailboxes.post(&key, job).map_err(|_| {
            self.metrics.dropped(Dropped::Full);
            HostError::Busy { retry_after: FULL_SECONDS }
        })?;
        let ended = self.in_time(told).await?;
        let ended = ended.map_err(|_| HostError::Unavailable("the turn ended badly".to_owned()))?;
        match ended {
            Ok(turn) => Ok(turn),
            Err(TurnError::Refused(words)) => Err(HostError::Refused(words)),
            Err(TurnError::Reused) => Err(HostError::Reused),
            Err(TurnError::Elsewhere) => self.ask_owner(event).await,
            Err(error) => Err(HostError::Unavailable(error.to_string())),
        }
    }

    /// The end of a turn that somebody waits for, however long it takes; but for one that hangs because the store does.
    /// That one goes on by itself.
    async fn in_time<T>(&self, turn: impl Future<Output = T>) -> Result<T, HostError> {
        self.unless(turn, || self.health()).await
    }

    /// The end of a turn that somebody waits for, unless a look finds meanwhile that it hangs.
    pub(super) async fn unless<T, F>(&self, turn: impl Future<Output = T>, look: impl Fn() -> F) -> Result<T, HostError>
    where
        F: Future<Output = Result<(), HostError>>,
    {
        let mut turn = std::pin::pin!(turn);
        let mut wait = TAKES_LONG;
        loop {
            tokio::select! {
                ended = &mut turn => return Ok(ended),
                () = tokio::time::sleep(wait) => look().await?,
            }
            wait = LOOK;
        }
    }

    /// Queues the turn of an event just accepted. Where there are replicas it comes by the store, like all others: the
    /// order of acceptance is known there.
    pub(super) fn take_up_accepted(self: &Arc<Self>, event: chat::Event) {
        if self.store.replicas().is_none() {
            self.take_up_event(event);
        }
    }

    /// Queues the turn of an accepted event, unless it is queued or running.
    pub(super) fn take_up_event(self: &Arc<Self>, event: chat::Event) {
        let key = SessionKey::of(&event);
        if let Some(held) = self.accepted.hold(&key, &event.id) {
            self.gather(key, Coming { event, held });
        }
    }

    /// Queues one turn for accepted events that are read together.
    pub(super) fn post_events(self: &Arc<Self>, key: &SessionKey, burst: Vec<Coming>) {
        let (events, held): (Vec<_>, Vec<_>) = burst.into_iter().map(|coming| (coming.event, coming.held)).unzip();
        let Some(last) = events.last() else { return };
        let mut turn = if last.terms.waits {
            Turn::asked(last.clone())
        } else {
            let (place, user) = (last.place.clone(), last.user.id.clone());
            Turn { key: key.clone(), place, user, cause: Cause::Accepted(events) }
        };
        let (runtime, posted) = (Arc::clone(self), Instant::now());
        let job = async move {
            runtime.metrics.took(Phase::Queue, posted.elapsed());
            runtime.introduce(&mut turn).await;
            let ended = Box::pin(runtime.turn_of_accepted(&turn)).await;
            drop(held);
            // Another replica had the session, and by now this one has it again.
            if !ended && runtime.is_here(&turn.key) {
                match turn.cause {
                    Cause::Asked(event) => runtime.take_up_event(*event),
                    Cause::Accepted(events) => events.into_iter().for_each(|event| runtime.take_up_event(event)),
                    Cause::Expired | Cause::Undelivered(_) => {}
                }
            }
        };
        self.mailboxes.post_kept(key, job);
    }

    /// Has the platform tell who sent the events of a turn, where they came without.
    async fn introduce(&self, turn: &mut Turn) {
        let Cause::Accepted(events) = &mut turn.cause else { return };
        let is_unknown = |user: &chat::User| user.name.is_none() && user.locale.is_none() && user.zone.is_none();
        let Some(unknown) = events.iter().map(|event| &event.user).find(|user| is_unknown(user)).cloned() else {
            return;
        };
        let Some(adapter) = self.adapters.get(turn.place.platform.as_str()) else { return };
        let known = adapter.introduce(unknown).await;
        for event in events.iter_mut().filter(|event| is_unknown(&event.user)) {
            let whole = chat::Event { user: known.clone(), ..event.clone() };
            if let Ok(whole) = limits::admit(whole, &self.limits) {
                *event = whole;
            }
        }
    }

    /// Runs the turn of accepted events until it is committed: what comes after in the session waits for it. False where
    /// the session is another replica's.
    async fn turn_of_accepted(self: &Arc<Self>, turn: &Turn) -> bool {
        let (mut pause, since) = (PAUSE, tokio::time::Instant::now());
        loop {
            if !self.is_here(&turn.key) {
                return false;
            }
            let ended = match self.turn(turn).await {
                Ok(_) => Ok(()),
                Err(TurnError::Refused(words)) => self.decline(turn, &words).await,
                // It was worked on before.
                Err(TurnError::Reused) => Ok(()),
                Err(error) => Err(error),
            };
            match ended {
                Ok(()) => break,
                Err(error) => {
                    tracing::warn!(
                        error = %chat::chain(&error),
                        "the turn of an accepted event failed and is tried again"
                    );
                }
            }
            if since.elapsed() > SILENCE {
                self.tell_trouble(turn).await;
            }
            self.clock.pause(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        if let Cause::Asked(event) = &turn.cause {
            self.tell_replica(&turn.key, &event.id).await;
        }
        true
    }
}
