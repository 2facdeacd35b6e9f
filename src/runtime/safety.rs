//! What is told while the store is not quite there: that there is trouble, or that a submission is not yet safe.
//!
//! Nobody is told "submitted" before it would outlive the machine that took it, and nobody waits in silence while a turn
//! cannot be run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use formwright_chat as chat;
use tokio::time::Instant;

use super::turn::Turn;
use super::{Runtime, words};
use crate::store::SessionKey;

/// How long a turn may fail before its sender is told.
pub(super) const SILENCE: Duration = Duration::from_secs(3);
/// How often it is asked whether a submission is safe before its sender is answered, and the pause after each.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(200);
/// How long and how often after that.
const TELL: Duration = Duration::from_secs(600);
const TELL_PAUSE: Duration = Duration::from_secs(2);
/// How often a session is told of trouble, at most.
const TOLD: Duration = Duration::from_secs(60);
/// Most sessions of which it is remembered that they were told.
const REMEMBERED: usize = 10_000;

/// When sessions were told that there is trouble.
#[derive(Default)]
pub(super) struct Troubled(Mutex<BTreeMap<SessionKey, Instant>>);

impl Troubled {
    /// Whether a session is to be told now; counts it as told.
    fn is_to_be_told(&self, key: &SessionKey) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= REMEMBERED {
            drop_old(&mut told);
        }
        let fresh = told.get(key).is_some_and(|at| at.elapsed() < TOLD);
        let room = told.len() < REMEMBERED;
        if !fresh && room {
            told.insert(key.clone(), Instant::now());
        }
        !fresh && room
    }

    /// Forgets sessions that may be told again.
    pub(super) fn forget_old(&self) {
        drop_old(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn drop_old(told: &mut BTreeMap<SessionKey, Instant>) {
    told.retain(|_, at| at.elapsed() < TOLD);
}

impl Runtime {
    /// Tells the sender of a turn that cannot be run now that it is kept. Past the outbox, which is away as well: told
    /// once, or not at all.
    pub(super) async fn tell_trouble(&self, turn: &Turn) {
        if !self.adapters.contains_key(turn.place.platform.as_str()) {
            return;
        }
        let Some(event) = turn.event().filter(|_| self.troubled.is_to_be_told(&turn.key)) else { return };
        let id = chat::ReplyId::new(format!("{event}.trouble"));
        let reply = words::reply("trouble", turn.locale());
        let delivery = chat::Delivery::first(id, turn.place.clone(), turn.user.clone(), reply);
        if let Some(Err(error)) = self.hand_to_adapter(&delivery).await {
            tracing::debug!(%error, "that there is trouble could not be told");
        }
    }

    /// The replies of a turn as they may be given now: what tells of a submission says so only once it is safe. Until then
    /// an honest word stands for it, and it is told later, where its platform can.
    pub(super) async fn safely(self: &Arc<Self>, turn: &Turn, replies: Vec<chat::Reply>) -> Vec<chat::Reply> {
        if !replies.iter().any(tells_of_submission) {
            return replies;
        }
        for _ in 0..TRIES {
            if self.is_settled().await {
                return replies;
            }
            self.clock.pause(PAUSE).await;
        }
        let (runtime, late): (_, Vec<_>) =
            (Arc::clone(self), replies.iter().filter(|r| tells_of_submission(r)).cloned().collect());
        let (place, user) = (turn.place.clone(), turn.user.clone());
        tokio::spawn(async move { runtime.tell_once_safe(place, user, late).await });
        let honest = |reply: chat::Reply| if tells_of_submission(&reply) { not_safe_yet(&reply) } else { reply };
        replies.into_iter().map(honest).collect()
    }

    /// Tells whoever was answered already that their form is submitted, for as long as they may wait for it. They see it
    /// when they ask again, too.
    async fn tell_once_safe(&self, place: chat::Place, user: chat::UserId, replies: Vec<chat::Reply>) {
        if !self.adapters.contains_key(place.platform.as_str()) {
            return;
        }
        let until = Instant::now() + TELL;
        while !self.is_settled().await {
            if Instant::now() > until {
                return;
            }
            tokio::time::sleep(TELL_PAUSE).await;
        }
        for reply in replies {
            let id =
                chat::ReplyId::new(super::clock::nonce().map(|nonce| nonce.as_str().to_owned()).unwrap_or_default());
            let delivery = chat::Delivery::first(id, place.clone(), user.clone(), reply);
            if let Some(Err(error)) = self.hand_to_adapter(&delivery).await {
                tracing::debug!(%error, "that a submission is safe was not told; it shows when it is asked for");
            }
        }
    }

    /// Whether what was committed before is safe from the loss of one machine.
    pub(super) async fn is_settled(&self) -> bool {
        match self.store.settle().await {
            Ok(settled) => settled,
            Err(error) => {
                tracing::warn!(%error, "whether a submission is safe is not known");
                false
            }
        }
    }
}

/// Whether a reply tells that a form was submitted.
pub(super) fn tells_of_submission(reply: &chat::Reply) -> bool {
    reply.complete.is_some()
}

/// What is said in place of a reply that tells of a submission.
pub(super) fn not_safe_yet(reply: &chat::Reply) -> chat::Reply {
    chat::Reply {
        form: reply.form.clone(),
        title: reply.title.clone(),
        private: reply.private,
        shared: reply.shared,
        ..words::reply("not_safe_yet", Some(&reply.lang))
    }
}
