//! A person is forgotten: every record goes, and a receipt tells what went, and what is no longer here to go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;
use serde::Serialize;

use super::forgetting;
use crate::turn::commit::sinks_of;
use crate::turn::{Cause, Turn, TurnError};
use crate::{Runtime, words};
use formwright_engine::desk::alias;
use formwright_engine::{Leaving, Session};
use formwright_form::{Catalog, FormId, Sink};
use formwright_store::{Erased, ErasedSubmission, Erasure, SessionKey, Store, StoreError};
use formwright_submit::Opener;

/// Most submissions that a receipt in a chat names.
const MOST_NAMED: usize = 20;
/// How often a receipt is tried to be delivered, and the pause after the first try.
const TRIES: u32 = 3;
const PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

/// How long a receipt is left for another replica to fetch: longer than it waits.
const FETCHED: std::time::Duration = std::time::Duration::from_secs(30);

/// What is needed to forget somebody and to tell what was forgotten.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// Where the records are.
    pub store: &'a dyn Store,
    /// The forms, for the sinks that submissions went to.
    pub catalog: &'a Catalog,
    /// Sinks of the settings.
    pub sinks: &'a BTreeMap<String, Sink>,
    /// What opens sinks, and knows their files.
    pub opener: &'a Opener,
    /// Platforms of the desks that requests are sent to.
    pub desks: &'a BTreeSet<chat::Platform>,
}

/// What was forgotten of a person. It holds no answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    /// When.
    pub at: Timestamp,
    /// Records removed, by platform; those where there were none are left out.
    pub removed: BTreeMap<String, Erased>,
    /// Submissions that had been delivered before: they are the receivers' own.
    pub delivered: Vec<Delivered>,
}

/// A submission that had left before its records were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Delivered {
    /// The platform that it was made on.
    pub platform: String,
    /// Its id and revision, as receivers have them: `ID.REVISION`.
    pub id: String,
    /// The form.
    pub form: String,
    /// Where it went; none where the form is gone, so that nobody knows.
    pub to: Vec<Receiver>,
}

/// Where a submission went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receiver {
    /// The sink's name.
    pub sink: String,
    /// The file's path, or the receiver's address.
    pub place: String,
}

impl Receipt {
    /// Whether there was nothing to forget.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
    }

    /// The receipt in a chat.
    fn reply(&self, lang: &str) -> chat::Reply {
        let mut sum = Erased::default();
        for erased in self.removed.values() {
            sum.sessions += erased.sessions;
            sum.events += erased.events;
            sum.outbox += erased.outbox + erased.dead_letters;
            sum.submissions += erased.submissions;
            sum.notes += erased.notes + erased.answers;
        }
        let time = self.at.strftime("%Y-%m-%d %H:%M UTC").to_string();
        let counts = words::words("forgotten_what", Some(lang))
            .replace("{sessions}", &sum.sessions.to_string())
            .replace("{events}", &sum.events.to_string())
            .replace("{submissions}", &sum.submissions.to_string())
            .replace("{deliveries}", &sum.outbox.to_string())
            .replace("{notes}", &sum.notes.to_string());
        let mut reply = words::reply("forgotten", Some(lang));
        reply.say = vec![words::words("forgotten", Some(lang)).replace("{time}", &time), counts];
        let named: Vec<&str> = self.delivered.iter().take(MOST_NAMED).map(|gone| gone.id.as_str()).collect();
        if !named.is_empty() {
            let more = if self.delivered.len() > named.len() { " …" } else { "" };
            let list = format!("{}{more}", named.join(", "));
            reply.say.push(words::words("forgotten_elsewhere", Some(lang)).replace("{list}", &list));
        }
        reply
    }
}

impl Records<'_> {
    /// Removes every record of a person on these platforms; of a client of the API, named `key:CLIENT`, those of everybody
    /// it has spoken for. What is on its way to a sink is not sent any more, unless it is being sent at this moment.
    ///
    /// The session `spare` is left to the last, so that the turn that asked for it is run again where it was ended in the
    /// middle.
    ///
    /// Where no session is spared it is noted until it is done, so that a server goes on with what a killed command has left.
    ///
    /// # Errors
    /// Where the store fails. What was removed before stays removed: do it again.
    pub async fn forget(
        &self,
        platforms: &[chat::Platform],
        user: &chat::UserId,
        spare: Option<&SessionKey>,
        now: Timestamp,
    ) -> Result<Receipt, StoreError> {
        let mut receipt = Receipt { at: now, removed: BTreeMap::new(), delivered: Vec::new() };
        if spare.is_none() {
            forgetting::begin(self.store, platforms, user, now).await?;
        }
        for platform in platforms {
            let mut gone = Erasure::default();
            for desk in self.desks.iter().filter(|desk| *desk != platform) {
                gone.add(self.store.erase(desk, &alias(desk, platform, user), spare).await?);
            }
            gone.add(self.store.erase(platform, user, spare).await?);
            match spare {
                Some(_) => gone.add(self.store.erase(platform, user, None).await?),
                None => forgetting::end(self.store, platform, user, now).await?,
            }
            receipt.delivered.extend(gone.submissions.iter().filter_map(|of| self.delivered(platform, of, &gone)));
            if gone.counts.total() > 0 {
                receipt.removed.insert(platform.to_string(), gone.counts);
            }
        }
        Ok(receipt)
    }

    /// What a receiver has of a submission that was removed; none where nothing had arrived.
    fn delivered(&self, platform: &chat::Platform, of: &ErasedSubmission, gone: &Erasure) -> Option<Delivered> {
        let id = format!("{}.{}", of.id, of.revision);
        let form = self.catalog.version(&of.form, &of.version).or_else(|| self.catalog.form(&of.form));
        let sinks = form.map(|form| sinks_of(form, self.sinks)).unwrap_or_default();
        let arrived = sinks.into_iter().filter(|(name, _)| !gone.undelivered.contains(&format!("{id}.{name}")));
        let to: Vec<Receiver> = arrived
            .map(|(name, sink)| Receiver { sink: name.to_string(), place: self.place(&sink, &of.form) })
            .collect();
        let (platform, form_id) = (platform.to_string(), of.form.to_string());
        (form.is_none() || !to.is_empty()).then_some(Delivered { platform, id, form: form_id, to })
    }

    /// Where a submission went. Which of several replicas wrote it into a file of its own is not known.
    fn place(&self, sink: &Sink, form: &FormId) -> String {
        let place = self.opener.whereabouts(sink, form);
        let is_file = !matches!(sink, Sink::Webhook { .. } | Sink::Tool { .. });
        let several = is_file && self.store.replicas().is_some();
        if several { format!("{place}, or there in the data folder of another replica") } else { place }
    }
}

/// Keeps adapters from noting anything about a person while they are told that all is gone.
struct Hush<'a> {
    runtime: &'a Runtime,
    person: (chat::Platform, chat::UserId),
}

impl Drop for Hush<'_> {
    fn drop(&mut self) {
        self.runtime.hushed().remove(&self.person);
    }
}

impl Runtime {
    /// Erases whoever asked for it in a turn, and tells them. It takes the place of the turn's commit, so that nothing of
    /// the exchange is kept: the erasure takes the event with it. A process that dies before has done nothing, and the
    /// event runs again.
    pub(crate) async fn forget_sender(
        self: &Arc<Self>,
        turn: &Turn,
        session: &Session,
        lang: &str,
    ) -> Result<chat::Turn, TurnError> {
        let (platform, user) = (turn.place.platform.clone(), turn.user.clone());
        let conversation = self.conversation();
        let left = conversation.leaves(session, Leaving::Forgotten, self.clock.now());
        let receipt = self.forget_here(&platform, &user, Some(&turn.key)).await?;
        if turn.is_shared() {
            // Words that were no answer may be theirs as well.
            self.store.delete(&turn.key).await?;
        }
        self.drop_bursts_of(&platform, &user);
        self.tell_desks_of_forgotten(left);
        let reply = receipt.reply(lang);
        match &turn.cause {
            Cause::Asked(event) => {
                if event.terms.waits {
                    self.leave_for_replica(turn, &reply).await?;
                }
                let session = Session::new(turn.place.clone(), turn.user.clone());
                let standing = Some(conversation.standing(&session));
                Ok(chat::Turn { replies: vec![reply], standing })
            }
            Cause::Accepted(_) | Cause::Expired | Cause::Undelivered(_) => {
                self.give_receipt(turn, reply).await;
                Ok(chat::Turn::default())
            }
        }
    }

    /// Leaves the receipt where the replica finds it at which somebody waits: as the replies of an event that is as old as
    /// those that the next sweep forgets, which comes as soon as nobody waits any more.
    async fn leave_for_replica(self: &Arc<Self>, turn: &Turn, reply: &chat::Reply) -> Result<(), TurnError> {
        let session = Session::new(turn.place.clone(), turn.user.clone());
        let work = crate::turn::work::Work { replies: vec![reply.clone()], ..crate::turn::work::Work::new(session) };
        let commit = self.commit_of(turn, 0, work)?;
        let old = commit.now - self.around().kept.replies;
        self.store.commit(&formwright_store::Commit { session: None, now: old, ..commit }).await?;
        let runtime = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(FETCHED).await;
            if let Err(error) = runtime.store.sweep(runtime.clock.now() - runtime.around().kept.replies).await {
                tracing::debug!(error = %chat::chain(&error), "a receipt stays until the next sweep");
            }
        });
        Ok(())
    }

    /// Delivers the receipt past the outbox, which would keep it.
    async fn give_receipt(&self, turn: &Turn, reply: chat::Reply) {
        let person = (turn.place.platform.clone(), turn.user.clone());
        self.hushed().insert(person.clone());
        let _hush = Hush { runtime: self, person };
        let event = turn.event().map(ToString::to_string).unwrap_or_default();
        let id = chat::ReplyId::new(format!("{event}.forgotten"));
        let delivery = chat::Delivery::first(id, turn.place.clone(), turn.user.clone(), reply);
        if let Err(error) = self.deliver_unkept(delivery).await {
            tracing::warn!(
                error = %chat::chain(&error),
                "a person was forgotten, and the receipt could not be delivered"
            );
        }
    }

    /// Delivers past the outbox, which would keep it: a few times, and then no more.
    pub(crate) async fn deliver_unkept(&self, mut delivery: chat::Delivery) -> Result<(), chat::DeliveryError> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            match self.hand_to_adapter(&delivery).await {
                Some(Err(chat::DeliveryError::Later { why, after })) => {
                    tracing::debug!(%why, "a message that is not kept is tried again");
                    self.clock.pause(after.unwrap_or(pause).min(pause * 4)).await;
                }
                ended => return ended.unwrap_or(Ok(())),
            }
            delivery.attempt += 1;
            pause *= 2;
        }
        self.hand_to_adapter(&delivery).await.unwrap_or(Ok(()))
    }

    /// Whether nothing may be noted about a person now.
    pub(crate) fn is_hushed(&self, platform: &chat::Platform, user: &chat::UserId) -> bool {
        self.hushed().contains(&(platform.clone(), user.clone()))
    }

    pub(crate) fn hushed(&self) -> std::sync::MutexGuard<'_, BTreeSet<(chat::Platform, chat::UserId)>> {
        self.hushed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
