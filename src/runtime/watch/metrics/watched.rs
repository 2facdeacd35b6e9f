//! The store, with what it did not do counted by operation.

use std::sync::Arc;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;

use super::Metrics;
use formwright_engine::Submission;
use formwright_form::FormId;
use formwright_store::{
    Accepted, Backlog, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Replicas, Resealed, Safety,
    SessionKey, Store, StoreError, Stored, Written,
};

/// A store that is watched.
pub(crate) struct Watched {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

impl Watched {
    pub(crate) fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { store, metrics }
    }

    fn noted<T>(&self, operation: &'static str, done: Result<T, StoreError>) -> Result<T, StoreError> {
        if done.is_err() {
            self.metrics.store_failed(operation);
        }
        done
    }
}

#[async_trait]
impl Store for Watched {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        self.noted("accept", self.store.accept(key, event).await)
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        self.noted("open_events", self.store.open_events(limit).await)
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        self.noted("seen", self.store.seen(key, event).await)
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.noted("load", self.store.load(key).await)
    }

    async fn load_recent(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.noted("load", self.store.load_recent(key).await)
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        self.noted("commit", self.store.commit(commit).await)
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.noted("due", self.store.due(now, lease_until, limit).await)
    }

    async fn release(&self) -> Result<u64, StoreError> {
        self.noted("release", self.store.release().await)
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        self.noted("mark", self.store.mark(id, delivery, now).await)
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        self.noted("behind", self.store.behind(lane, id).await)
    }

    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.noted("outbox", self.store.outbox(state, limit).await)
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        self.noted("replay", self.store.replay(id, now).await)
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        self.noted("submissions", self.store.submissions(form, limit).await)
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        self.noted("note", self.store.note(platform, key).await)
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        self.noted("set_note", self.store.set_note(note, now).await)
    }

    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError> {
        self.noted("erase", self.store.erase(platform, user, spare).await)
    }

    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        self.noted("forget_submissions", self.store.forget_submissions(form, before).await)
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        self.noted("delete", self.store.delete(key).await)
    }

    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        self.noted("expired", self.store.expired(now, limit).await)
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.noted("sweep", self.store.sweep(before).await)
    }

    async fn session_count(&self) -> Result<u64, StoreError> {
        self.noted("session_count", self.store.session_count().await)
    }

    async fn check_keys(&self) -> Result<(), StoreError> {
        self.noted("check_keys", self.store.check_keys().await)
    }

    async fn use_keys(&self) -> Result<(), StoreError> {
        self.noted("use_keys", self.store.use_keys().await)
    }

    async fn reseal(&self) -> Result<Resealed, StoreError> {
        self.noted("reseal", self.store.reseal().await)
    }

    fn unreadable(&self) -> u64 {
        self.store.unreadable()
    }

    fn notices(&self) -> Vec<String> {
        self.store.notices()
    }

    async fn rest(&self) -> Result<(), StoreError> {
        self.noted("rest", self.store.rest().await)
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.noted("close", self.store.close().await)
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        self.noted("backlog", self.store.backlog().await)
    }

    async fn keep_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.noted("keep_answer", self.store.keep_answer(event, call, answer, now).await)
    }

    async fn kept_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        self.noted("kept_answer", self.store.kept_answer(event, call).await)
    }

    async fn settle(&self, written: &Written) -> Result<Safety, StoreError> {
        self.noted("settle", self.store.settle(written).await)
    }

    fn replicas(&self) -> Option<&dyn Replicas> {
        self.store.replicas()
    }
}

#[cfg(test)]
mod tests {
    /// A method with a default that is not handed on here would be the default's, and not the store's.
    #[test]
    fn every_method_of_the_port_is_handed_on() {
        let names = |text: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| {
                line.strip_prefix("    async fn ").or_else(|| line.strip_prefix("    fn ")).map(str::to_owned)
            });
            let mut names: Vec<String> = lines.filter_map(|line| Some(line.split('(').next()?.to_owned())).collect();
            names.sort();
            names
        };
        let of = |text: &'static str, from: &str| text.split_once(from).unwrap().1.split_once("\n}\n").unwrap().0;
        let port = names(of(include_str!("../../../store/port.rs"), "pub trait Store"));
        assert!(port.len() > 20, "{port:?}");
        assert_eq!(names(of(include_str!("watched.rs"), "impl Store for Watched")), port);
    }
}
