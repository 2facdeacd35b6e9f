//! What is known until the next restart, and no longer needed after that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwright_chat::ReplyId;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::limits;

/// What is remembered about answers and channels.
pub(crate) struct Memory {
    /// Tokens of interactions whose first answer is on its way.
    answering: watch::Sender<BTreeSet<String>>,
    /// Channels that the bot was not let write in, and when.
    shut: Mutex<BTreeMap<String, Instant>>,
    /// Replies that may have arrived although nobody said so.
    unsure: Mutex<BTreeSet<ReplyId>>,
}

/// As many of each are remembered.
const MOST: usize = 10_000;

impl Memory {
    pub(super) fn new() -> Self {
        Self { answering: watch::Sender::default(), shut: Mutex::default(), unsure: Mutex::default() }
    }

    /// The first answer to an interaction is on its way from now on.
    pub(super) fn answers(&self, token: &str) {
        self.answering.send_if_modified(|tokens| tokens.insert(token.to_owned()));
    }

    /// The first answer to an interaction has arrived, or never will.
    pub(crate) fn has_answered(&self, token: &str) {
        self.answering.send_if_modified(|tokens| tokens.remove(token));
    }

    /// Completes once nothing stands before more answers to an interaction.
    pub(crate) async fn answered(&self, token: &str) {
        let mut tokens = self.answering.subscribe();
        let done = tokens.wait_for(|tokens| !tokens.contains(token));
        let _ = tokio::time::timeout(limits::CALLBACK_TIME, done).await;
    }

    /// Notes that the bot may not write in a channel. Tells whether that is news.
    pub(crate) fn shut(&self, channel: &str) -> bool {
        let mut shut = lock(&self.shut);
        shut.retain(|_, since| since.elapsed() < limits::SHUT);
        shut.insert(channel.to_owned(), Instant::now()).is_none()
    }

    /// Whether the bot was not let write in a channel a while ago.
    pub(crate) fn is_shut(&self, channel: &str) -> bool {
        lock(&self.shut).get(channel).is_some_and(|since| since.elapsed() < limits::SHUT)
    }

    /// Notes that a reply may have arrived.
    pub(crate) fn unsure(&self, reply: &ReplyId) {
        let mut unsure = lock(&self.unsure);
        if unsure.len() >= MOST {
            unsure.clear();
        }
        unsure.insert(reply.clone());
    }

    /// Whether a reply may have arrived; asked once.
    pub(crate) fn was_unsure(&self, reply: &ReplyId) -> bool {
        lock(&self.unsure).remove(reply)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
