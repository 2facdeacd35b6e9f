//! The store for production: Redis 7 or later, Valkey, or a cluster of them; several replicas of the bot may work on it.
//!
//! Sessions lie in 64 partitions. All keys of a partition wear one hash tag, so that a script that changes several of
//! them at once works in a cluster. A partition has one owner at a time; see [`crate::replicas`].
//!
//! What people said is sealed ([`Seal`]) and bound to its place. Key names are digests: they tell nobody's name to whoever
//! does not know it already. A whole row of an earlier version, put back as it was, is taken for the present one.
//!
//! An id of an outbox entry or of a submission is known within its session: the same one under another session is
//! another entry.

mod arrivals;
mod backlog;
mod clients;
mod erase;
mod failure;
mod intake;
mod keys;
mod leases;
mod link;
mod marks;
mod notes;
mod options;
mod outbox;
mod people;
mod port;
mod post;
mod ready;
mod replicas;
mod reseal;
mod row;
mod scripts;
mod settle;
mod survival;
#[cfg(test)]
mod tests;
mod turn;
mod watch;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;

use super::recent::Recent;
use super::replicas::Partition;
use super::{
    Accepted, Backlog, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Replicas, Resealed, Safety, Seal,
    SessionKey, Store, StoreError, Stored, Written,
};
use formwright_engine::Submission;
use formwright_form::FormId;
use keys::Names;
use link::Link;
use scripts::{Call, Script};

pub use options::RedisOptions;
pub use survival::Survival;

/// A store in Redis.
pub struct RedisStore {
    names: Names,
    seal: Seal,
    /// Whether its keys were found to be those that seal what is kept.
    fits: AtomicBool,
    replica: String,
    port: Option<port::Port>,
    evicting_ok: bool,
    /// For commands and scripts.
    link: Link,
    /// For questions that hold a connection up, and with it all that is asked after them.
    careful: Link,
    /// For what is told on channels.
    ears: Link,
    leases: leases::Leases,
    recent: Recent,
    ready: ready::Ready,
    post: Arc<post::Post>,
    reader: tokio::sync::Mutex<arrivals::Reader>,
    settling: settle::Settling,
    watched: watch::Watched,
    /// The machine's clock.
    clock: fn() -> Timestamp,
}

impl RedisStore {
    /// Makes a store. Nothing is asked of the server yet: while it is down, calls give [`StoreError::Unavailable`].
    ///
    /// # Errors
    /// [`StoreError::Refused`] where an option cannot be used: it says which, and never shows an address.
    #[expect(clippy::unused_async, reason = "callers need not change when a store is asked for something at its start")]
    pub async fn connect(options: RedisOptions) -> Result<Self, StoreError> {
        options.check()?;
        let names = Names::new(&options.prefix);
        let post = Arc::new(post::Post::new(&names));
        let heard = Arc::clone(&post);
        Ok(Self {
            link: Link::new(&options)?,
            careful: Link::new(&options)?,
            ears: Link::listening(&options, Arc::new(move |info| heard.heard(&info)))?,
            port: options.urls.first().and_then(|url| port::Port::of(url)),
            names,
            post,
            seal: options.seal,
            fits: AtomicBool::new(false),
            replica: options.replica,
            evicting_ok: options.evicting_ok,
            leases: leases::Leases::default(),
            recent: Recent::default(),
            ready: ready::Ready::default(),
            reader: tokio::sync::Mutex::default(),
            settling: settle::Settling::default(),
            watched: watch::Watched::default(),
            clock: Timestamp::now,
        })
    }

    /// What an operator does about it, where Redis does not answer because its address says wrongly whether it speaks TLS.
    async fn explained<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        let (Err(StoreError::Unavailable(_)), Some(port)) = (&done, &self.port) else { return done };
        match port.wrong().await {
            Some(refusal) => Err(refusal.into()),
            None => done,
        }
    }

    /// A script's call on a partition.
    fn call(&self, script: &'static Script, partition: Partition) -> Call {
        Call::new(script, self.names.partition(partition))
    }

    /// The name of one of a partition's keys.
    fn key(&self, partition: Partition, name: &str) -> String {
        self.names.partition(partition) + name
    }
}

impl std::fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisStore").field("names", &self.names).field("replica", &self.replica).finish_non_exhaustive()
    }
}

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
