//! Whether the store takes writes: tried, not believed. Whether messages are taken here at all.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use formwright_chat::{HostError, Note, Platform};
use jiff::{SignedDuration, Timestamp};

use crate::Runtime;

/// How long the store has for a write before it counts as away.
const DEADLINE: Duration = Duration::from_secs(2);
/// How long an answer holds: whoever asks often costs the disk no more than whoever asks once.
const FRESH: SignedDuration = SignedDuration::from_secs(1);

/// How long a turn that could not be kept counts, where none came after it, and where tries do not show why.
const REMEMBERED: SignedDuration = SignedDuration::from_secs(60);

impl Runtime {
    /// Notes whether a turn was kept. Where a try fails as well there is nothing to remember: a try will show when it is over.
    pub(crate) async fn note_commit(&self, why_not: Option<String>) {
        let is_hidden = why_not.is_some() && self.try_in_time(SignedDuration::ZERO).await.is_ok();
        let mut last = self.last_loss.lock().unwrap_or_else(PoisonError::into_inner);
        *last = why_not.filter(|_| is_hidden).map(|why| (self.clock.now(), why));
    }

    /// Why the last turn was not kept, where that was just now: a full disk takes a small note, and no turn.
    fn loss(&self) -> Option<String> {
        let last = self.last_loss.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, why) = last.as_ref()?;
        (self.clock.now().duration_since(*at) < REMEMBERED).then(|| format!("the last turn could not be kept: {why}"))
    }

    /// Writes a note of our own and waits until it is durable, unless that was tried just now. That a turn could not be kept
    /// counts as well.
    pub(crate) async fn health(&self) -> Result<(), HostError> {
        let tried = self.try_in_time(FRESH).await;
        tried.and_then(|()| self.loss().map_or(Ok(()), Err)).map_err(HostError::Unavailable)
    }

    /// Why nothing is sent on a platform now; none where all is well.
    pub(crate) fn trouble_of(&self, platform: &Platform) -> Option<String> {
        self.adapters.get(platform.as_str())?.trouble()
    }

    /// The same for each platform.
    pub(crate) fn platforms(&self) -> BTreeMap<String, Option<String>> {
        self.adapters.iter().map(|(name, adapter)| (name.clone(), adapter.trouble())).collect()
    }

    /// Why messages are not taken here now.
    pub(crate) async fn unready(&self) -> Vec<&'static str> {
        let mut reasons = Vec::new();
        if self.stopping.load(Ordering::Relaxed) {
            reasons.push("the process is going down");
        } else if self.store.replicas().is_some_and(|replicas| replicas.held() == 0) {
            reasons.push("no share of the sessions is this replica's yet");
        }
        if let Some(replicas) = self.store.replicas() {
            reasons.extend(replicas.unfit());
        }
        if let Err(error) = self.health().await {
            tracing::warn!(error = %formwright_chat::chain(&error), "the store takes no writes");
            reasons.push("the store takes no writes");
        }
        reasons
    }

    /// Tells whoever asks whether this process is ready that it is not, and will not be again.
    pub fn going_down(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Why sinks cannot write files, as of the last look.
    pub(crate) fn no_files(&self) -> Vec<String> {
        let last = self.last_files.lock().unwrap_or_else(PoisonError::into_inner);
        last.iter().filter_map(|(_, why_not)| why_not.clone()).collect()
    }

    /// Looks whether they can, unless that was done just now.
    pub(crate) async fn try_files(&self) {
        let now = self.clock.now();
        let last = || self.last_files.lock().unwrap_or_else(PoisonError::into_inner);
        if last().as_ref().is_some_and(|(at, _)| is_within(FRESH, *at, now)) {
            return;
        }
        let around = self.around();
        let look = tokio::task::spawn_blocking(move || around.opener.trouble());
        // A folder that does not answer leaves what was known.
        let Ok(Ok(found)) = tokio::time::timeout(DEADLINE, look).await else { return };
        let before = last().replace((now, found.clone())).and_then(|(_, before)| before);
        if let Some(why) = found.filter(|why| before.as_ref() != Some(why)) {
            tracing::error!("{why}");
        }
    }

    async fn try_in_time(&self, fresh: SignedDuration) -> Result<(), String> {
        tokio::select! {
            biased;
            tried = self.try_store(fresh) => tried,
            () = self.clock.pause(DEADLINE) => Err(format!("the store took no write within {} seconds", DEADLINE.as_secs())),
        }
    }

    /// Tries it, unless that was done within `fresh`.
    async fn try_store(&self, fresh: SignedDuration) -> Result<(), String> {
        let mut last = self.last_try.lock().await;
        let now = self.clock.now();
        if let Some((_, known)) = last.as_ref().filter(|(at, _)| is_within(fresh, *at, now)) {
            return known.clone();
        }
        let value = Some(serde_json::json!(now.to_string()));
        let note = Note { platform: Platform::new("formwright"), key: "health".to_owned(), owner: None, value };
        let tried = self.store.set_note(&note, now).await.map_err(|error| error.to_string());
        *last = Some((now, tried.clone()));
        tried
    }
}

/// Whether what was found then still holds.
fn is_within(fresh: SignedDuration, at: Timestamp, now: Timestamp) -> bool {
    at <= now && now.duration_since(at) < fresh
}
