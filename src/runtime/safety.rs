//! What is told while the store is not quite there: that there is trouble, or that a submission is not yet safe.
//!
//! Nobody is told "submitted" before it would outlive the machine that took it, and nobody waits in silence while a turn
//! cannot be run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use formwright_chat as chat;
use tokio::time::Instant;

use super::turn::Turn;
use super::{Runtime, words};
use crate::store::SessionKey;

/// How long a turn may fail before its sender is told.
pub(super) const SILENCE: Duration = Duration::from_secs(3);
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
            told.retain(|_, at| at.elapsed() < TOLD);
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
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, at| at.elapsed() < TOLD);
    }
}

impl Runtime {
    /// Tells the sender of a turn that cannot be run now that it is kept. Past the outbox, which is away as well: told
    /// once, or not at all.
    pub(super) async fn tell_trouble(&self, turn: &Turn) {
        let Some(adapter) = self.adapters.get(turn.place.platform.as_str()) else { return };
        let Some(event) = turn.event().filter(|_| self.troubled.is_to_be_told(&turn.key)) else { return };
        let delivery = chat::Delivery {
            id: chat::ReplyId::new(format!("{event}.trouble")),
            place: turn.place.clone(),
            user: turn.user.clone(),
            reply: words::reply("trouble", turn.locale()),
            attempt: 0,
            overtaken: false,
        };
        if let Err(error) = adapter.deliver(&delivery).await {
            tracing::debug!(%error, "that there is trouble could not be told");
        }
    }

    /// The replies as they may be given now: what tells of a submission says so only once it is safe.
    pub(super) async fn safely(&self, replies: Vec<chat::Reply>) -> Vec<chat::Reply> {
        if !replies.iter().any(tells_of_submission) || self.is_settled().await {
            return replies;
        }
        let honest = |reply: chat::Reply| if tells_of_submission(&reply) { not_safe_yet(&reply) } else { reply };
        replies.into_iter().map(honest).collect()
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
