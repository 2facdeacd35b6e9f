//! The outbox worker: takes what is due, delivers it, notes how it went.

pub(crate) mod again;
pub(crate) mod by_tool;
pub(crate) mod places;
pub(crate) mod queues;
pub(crate) mod safety;
pub(crate) mod troubled;

use std::sync::Arc;
use std::time::Duration;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinSet;
use tracing::{Instrument as _, debug_span};

use super::turn::{Cause, Turn};
use super::{Runtime, fault};
use crate::outbox::again::{Failure, after_failure, jittered};
use crate::outbox::queues::Waiting;
use crate::outbox::safety::{not_safe_yet, tells_of_submission};
use crate::watch::trace::{self, TARGET};
use formwright_engine::{CallError, Outcome, Submission, delivery_call};
use formwright_store::{Delivery, Outgoing, Parcel, Safety, SessionKey, Written};

/// Most entries that are taken from the store at a time.
const BATCH: u32 = 256;
/// How often the outbox is looked at though nobody woke the worker.
const POLL: Duration = Duration::from_secs(1);
/// Longer than any delivery takes.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// Pauses after each time that the end of a delivery could not be noted. With the time that the store is given to answer
/// they are over before the delivery is another's.
const NOTING: [Duration; 7] = [
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(2),
    Duration::from_secs(3),
    Duration::from_secs(3),
];
/// How long deliveries under way may take once the process is asked to stop.
const GRACE: Duration = Duration::from_secs(10);
/// Longest that an adapter may take over a reply.
const REPLY_TIME: Duration = Duration::from_secs(30);
/// Seconds that an entry stays in the store where too many wait for the same platform.
const FULL_PAUSE: i64 = 5;
/// Longest that a submission is held back because it is not safe yet.
const HELD: SignedDuration = SignedDuration::from_secs(60);

impl Runtime {
    /// Delivers until `shutdown` completes, and then what is under way.
    pub(super) async fn deliver_until(self: Arc<Self>, shutdown: impl Future<Output = ()>) {
        let mut shutdown = std::pin::pin!(shutdown);
        let mut under_way = JoinSet::new();
        loop {
            let taken = self.take_up(&mut under_way).await;
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                // Behind so many there may be more, for others.
                () = std::future::ready(()), if taken == BATCH as usize => {}
                () = self.wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                Some(_) = under_way.join_next() => {}
            }
            while under_way.try_join_next().is_some() {}
        }
        let _ = tokio::time::timeout(GRACE, async { while under_way.join_next().await.is_some() {} }).await;
    }

    /// Delivers what is due now and waits for it; gives how many there were. What becomes due by it is for the next call.
    pub async fn deliver_due(self: &Arc<Self>) -> usize {
        let mut under_way = JoinSet::new();
        let taken = self.take_up(&mut under_way).await;
        while under_way.join_next().await.is_some() {}
        taken
    }

    async fn take_up(self: &Arc<Self>, under_way: &mut JoinSet<()>) -> usize {
        let now = self.clock.now();
        let due = match self.store.due(now, now + LEASE, BATCH).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(error = %chat::chain(&error), "the outbox cannot be read");
                return 0;
            }
        };
        let taken = due.len();
        for entry in due {
            let waiting = self.queues.enter(&entry.parcel);
            under_way.spawn(Arc::clone(self).deliver_in_turn(entry, waiting));
        }
        taken
    }

    /// Delivers an entry once it is its turn; one that finds no room, or waits for too long, is for a later look.
    async fn deliver_in_turn(self: Arc<Self>, entry: Outgoing, waiting: Option<Waiting>) {
        let full = waiting.is_none();
        let turn = match waiting {
            Some(waiting) => waiting.turn().await,
            None => None,
        };
        if turn.is_some() {
            return self.deliver(entry).await;
        }
        let now = self.clock.now();
        let at = now + jittered(if full { FULL_PAUSE } else { 0 });
        let why = "others to the same platform are under way".to_owned();
        self.note_end(&entry.id, &Delivery::Hold { at, why }, now).await;
    }

    async fn deliver(self: Arc<Self>, entry: Outgoing) {
        let (kind, target) = trace::target(&entry.parcel);
        let span = debug_span!(target: TARGET, "delivery", kind, target, id = entry.id, attempt = entry.attempts);
        let tried = self.try_once(&entry).instrument(span).await;
        fault::reached("posted-webhook");
        let now = self.clock.now();
        let desk = self.desk_of(&entry.parcel);
        let delivery = match tried {
            Ok(()) => {
                desk.into_iter().for_each(|place| self.tried_desk(place, None));
                Delivery::Done
            }
            Err(failure) => {
                if let Some(place) = desk {
                    failure.fatal.then(|| self.tried_desk(place, Some(&failure.why)));
                    self.desk_failed(&entry, &failure).await;
                }
                after_failure(&entry, failure, desk.is_some(), now)
            }
        };
        self.metrics.delivery(
            kind,
            target,
            match &delivery {
                Delivery::Done => "done",
                Delivery::Retry { .. } => "retry",
                Delivery::Hold { .. } => "held",
                Delivery::Dead { .. } => "dead",
            },
        );
        let gave_up = match &delivery {
            Delivery::Done => None,
            Delivery::Hold { why, .. } => {
                tracing::debug!(id = %entry.id, %why, "a delivery is held back");
                None
            }
            Delivery::Retry { error, .. } => {
                tracing::warn!(id = %entry.id, attempts = entry.attempts + 1, %error, "a delivery failed, it is tried again");
                None
            }
            Delivery::Dead { error } => {
                tracing::error!(id = %entry.id, attempts = entry.attempts + 1, %error, "a delivery was given up");
                Some(error.clone())
            }
        };
        if !self.note_end(&entry.id, &delivery, now).await {
            return;
        }
        fault::reached("marked-done");
        if let (Some(why), Parcel::Submission { submission, .. }) = (gave_up, &entry.parcel) {
            self.tell_owner(submission, why);
        }
    }

    /// Notes how a delivery has ended, also where the store is away for a moment: what follows in its lane waits for that.
    /// False where it is not noted: then it is delivered once more, under the same id.
    async fn note_end(&self, id: &str, delivery: &Delivery, now: Timestamp) -> bool {
        let mut pauses = NOTING.into_iter();
        loop {
            let Err(error) = self.store.mark(id, delivery.clone(), now).await else { return true };
            tracing::warn!(id, error = %chat::chain(&error), "the end of a delivery could not be noted");
            let Some(pause) = pauses.next() else { return false };
            self.clock.pause(pause).await;
        }
    }

    async fn try_once(&self, entry: &Outgoing) -> Result<(), Failure> {
        match &entry.parcel {
            Parcel::Reply { place, user, reply } => {
                let delivery = chat::Delivery {
                    id: chat::ReplyId::new(&entry.id),
                    place: place.clone(),
                    user: user.clone(),
                    reply: (**reply).clone(),
                    attempt: entry.attempts,
                    overtaken: self.overtaken(entry, reply).await,
                };
                self.reply_safely(delivery).await
            }
            Parcel::Submission { sink, submission, .. } => {
                self.hold_back(entry).await?;
                let place = self.places.take(sink).await;
                let _place = place.ok_or_else(|| Failure::held("others to the same place are under way"))?;
                self.submit(&entry.id, sink, submission).await
            }
            Parcel::Told { sink, told } => {
                self.hold_back(entry).await?;
                let place = self.places.take(sink).await;
                let _place = place.ok_or_else(|| Failure::held("others to the same place are under way"))?;
                self.around().opener.tell(sink, &entry.id, told).await.map_err(Failure::from)
            }
            Parcel::Erased => Err(Failure::fatal("there is nothing in it")),
        }
    }

    /// Delivers a reply; one that tells of a submission only once that is safe, and an honest word until then.
    async fn reply_safely(&self, delivery: chat::Delivery) -> Result<(), Failure> {
        if !tells_of_submission(&delivery.reply) {
            return self.reply(&delivery).await;
        }
        match self.safety_of(&Written::Entry(delivery.id.as_str().to_owned())).await {
            Safety::Safe => return self.reply(&delivery).await,
            Safety::NotYet => {}
            Safety::Lost if self.is_hushed(&delivery.place.platform, &delivery.user) => {}
            Safety::Lost => {
                let shared = delivery.reply.shared;
                let key = if shared {
                    SessionKey::of_place(&delivery.place)
                } else {
                    Self::key(&delivery.place, &delivery.user)
                };
                for (no, reply) in self.not_kept(&key, Some(&delivery.reply.lang)).await.into_iter().enumerate() {
                    let id = chat::ReplyId::new(format!("{}.lost.{no}", delivery.id));
                    self.reply(&chat::Delivery { id, reply, ..delivery.clone() }).await?;
                }
                return Ok(());
            }
        }
        if delivery.attempt == 0 {
            let id = chat::ReplyId::new(format!("{}.wait", delivery.id));
            self.reply(&chat::Delivery { id, reply: not_safe_yet(&delivery.reply), ..delivery }).await?;
        }
        Err(Failure::held("the submission that it tells of is not safe yet"))
    }

    /// Holds a submission back until it is safe. Otherwise a failover could lose one that has arrived already: its owner
    /// is asked again, and what arrives then under the same id may be other answers. Who receives does not wait longer
    /// than [`HELD`] for a replica of the store that does not come back.
    async fn hold_back(&self, entry: &Outgoing) -> Result<(), Failure> {
        if self.clock.now().duration_since(entry.created) >= HELD {
            return Ok(());
        }
        match self.safety_of(&Written::Entry(entry.id.clone())).await {
            Safety::Safe => Ok(()),
            Safety::NotYet | Safety::Lost => Err(Failure::held("it is not safe yet")),
        }
    }

    async fn reply(&self, delivery: &chat::Delivery) -> Result<(), Failure> {
        let platform = &delivery.place.platform;
        let Some(delivered) = self.hand_to_adapter(delivery).await else {
            return Err(Failure::passing(None, format!("the platform {platform} is not running")));
        };
        delivered.or_else(|error| match error {
            // The try that the platform refused the token at is none, like all that wait from now on.
            chat::DeliveryError::Later { why, .. } if self.trouble_of(platform).is_some() => Err(Failure::barred(why)),
            chat::DeliveryError::Later { why, after } => Err(Failure::passing(after, why)),
            chat::DeliveryError::Unwanted { why } => {
                tracing::info!(id = %delivery.id, %why, "somebody takes no messages");
                Ok(())
            }
            chat::DeliveryError::Never { why } => Err(Failure::fatal(why)),
        })
    }

    /// Has the platform deliver a reply, within [`REPLY_TIME`]; none where the platform is not running.
    pub(super) async fn hand_to_adapter(&self, delivery: &chat::Delivery) -> Option<Result<(), chat::DeliveryError>> {
        let adapter = self.adapters.get(delivery.place.platform.as_str())?;
        if let Some(why) = adapter.trouble() {
            return Some(Err(chat::DeliveryError::later(why)));
        }
        let delivered = chat::pace::trying(delivery.id.as_str(), adapter.deliver(delivery));
        let delivered = tokio::time::timeout(REPLY_TIME, delivered).await;
        let late = || chat::DeliveryError::later(format!("no answer within {} s", REPLY_TIME.as_secs()));
        Some(delivered.unwrap_or_else(|_| Err(late())))
    }

    /// Whether a later reply with widgets waits behind this one. Where the store cannot tell, it counts as the newest.
    async fn overtaken(&self, entry: &Outgoing, reply: &chat::Reply) -> bool {
        if reply.nonce().is_none() {
            return false;
        }
        let behind = self.store.behind(&entry.lane, &entry.id).await.unwrap_or_default();
        behind.iter().any(|later| matches!(&later.parcel, Parcel::Reply { reply, .. } if reply.nonce().is_some()))
    }

    async fn submit(&self, id: &str, sink: &formwright_form::Sink, submission: &Submission) -> Result<(), Failure> {
        if let formwright_form::Sink::Tool { tool } = sink {
            return self.run_tool_with(id, tool, submission).await;
        }
        let schema = matches!(sink, formwright_form::Sink::Csv { .. }).then(|| {
            let conversation = self.conversation();
            let form = conversation.catalog().version(&submission.form, &submission.version).cloned();
            form.map(|form| (self.schema)(&form))
        });
        let delivered = self.around().opener.deliver(sink, schema.flatten().as_ref(), id, submission).await;
        delivered.map_err(Failure::from)
    }

    /// A submission was given up: its owner is told and may try again.
    fn tell_owner(self: &Arc<Self>, submission: &Submission, why: String) {
        let result = Err(CallError::broken(why, true));
        let outcome = Outcome { call: delivery_call(&submission.id), result };
        let turn = Turn {
            key: if submission.shared {
                SessionKey::of_place(&submission.place)
            } else {
                Self::key(&submission.place, &submission.user)
            },
            place: submission.place.clone(),
            user: submission.user.clone(),
            cause: Cause::Undelivered(outcome),
        };
        self.post_quietly(turn);
    }

    /// Runs a turn that nobody waits for.
    pub(super) fn post_quietly(self: &Arc<Self>, turn: Turn) {
        let (runtime, key) = (Arc::clone(self), turn.key.clone());
        let job = async move {
            if let Err(error) = runtime.turn(&turn).await {
                tracing::warn!(error = %chat::chain(&error), "a turn of our own did not come about");
            }
        };
        if self.mailboxes.post(&key, job).is_err() {
            tracing::warn!("a turn of our own found no room");
        }
    }
}
