//! The port, as Redis serves it: each call is done where the job is.

use async_trait::async_trait;
use formwright_chat as chat;
use formwright_engine::Submission;
use formwright_form::FormId;
use jiff::Timestamp;

use super::outbox::{self, backlog};
use super::people::{self, clients, erase, notes};
use super::safety::settle;
use super::seal::{marks, reseal};
use super::{RedisStore, intake, turn};
use crate::{
    Accepted, Backlog, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Replicas, Resealed, Safety,
    SessionKey, Store, StoreError, Stored, Written,
};
#[async_trait]
impl Store for RedisStore {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        intake::accept(self, key, event).await
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        intake::open_events(self, limit).await
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        intake::seen(self, key, event).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        turn::load(self, key).await
    }

    async fn load_recent(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        match self.recent.get(key) {
            Some(stored) => Ok(stored),
            None => turn::load(self, key).await,
        }
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        turn::commit(self, commit).await
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        outbox::due(self, now, lease_until, limit).await
    }

    async fn release(&self) -> Result<u64, StoreError> {
        outbox::release(self).await
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        outbox::mark(self, id, &delivery, now).await
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        outbox::behind(self, lane, id).await
    }

    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        outbox::list(self, state, limit).await
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        outbox::replay(self, id, now).await
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        people::submissions(self, form, limit).await
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        notes::note(self, platform, key).await
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        notes::set(self, note, now).await
    }

    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError> {
        erase::erase(self, platform, user, spare).await
    }

    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        people::forget_submissions(self, form, before).await
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        people::delete(self, key).await
    }

    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        people::expired(self, now, limit).await
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        clients::go_through(self).await?;
        people::sweep(self, before).await
    }

    async fn check_keys(&self) -> Result<(), StoreError> {
        self.explained(marks::check(self).await).await
    }

    async fn use_keys(&self) -> Result<(), StoreError> {
        self.explained(marks::take(self).await).await
    }

    async fn reseal(&self) -> Result<Resealed, StoreError> {
        reseal::reseal(self).await
    }

    fn unreadable(&self) -> u64 {
        self.seal.unreadable()
    }

    fn notices(&self) -> Vec<String> {
        self.watched.notices()
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        backlog::backlog(self).await
    }

    async fn session_count(&self) -> Result<u64, StoreError> {
        people::session_count(self).await
    }

    async fn keep_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        _now: Timestamp,
    ) -> Result<(), StoreError> {
        intake::keep_answer(self, event, call, answer).await
    }

    async fn kept_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        intake::kept_answer(self, event, call).await
    }

    async fn settle(&self, written: &Written) -> Result<Safety, StoreError> {
        settle::settle(self, written).await
    }

    fn replicas(&self) -> Option<&dyn Replicas> {
        Some(self)
    }
}
