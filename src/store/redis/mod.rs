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

mod intake;
mod keys;
mod outbox;
mod people;
mod replicas;
mod row;
mod safety;
mod seal;
mod store;
#[cfg(test)]
mod tests;
mod turn;
mod wire;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::Timestamp;

use super::recent::Recent;
use super::replicas::Partition;
use super::{Seal, StoreError};
use keys::Names;
use wire::link::Link;
use wire::scripts::{Call, Script};

pub use safety::survival::Survival;
pub use wire::options::RedisOptions;

/// A store in Redis.
pub struct RedisStore {
    names: Names,
    seal: Seal,
    /// Whether its keys were found to be those that seal what is kept.
    fits: AtomicBool,
    replica: String,
    port: Option<wire::port::Port>,
    evicting_ok: bool,
    /// For commands and scripts.
    link: Link,
    /// For questions that hold a connection up, and with it all that is asked after them.
    careful: Link,
    /// For what is told on channels.
    ears: Link,
    leases: replicas::leases::Leases,
    recent: Recent,
    ready: outbox::ready::Ready,
    post: Arc<replicas::post::Post>,
    reader: tokio::sync::Mutex<replicas::reader::Reader>,
    settling: safety::settling::Settling,
    watched: safety::watched::Watched,
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
        let post = Arc::new(replicas::post::Post::new(&names));
        let heard = Arc::clone(&post);
        Ok(Self {
            link: Link::new(&options)?,
            careful: Link::new(&options)?,
            ears: Link::listening(&options, Arc::new(move |info| heard.heard(&info)))?,
            port: options.urls.first().and_then(|url| wire::port::Port::of(url)),
            names,
            post,
            seal: options.seal,
            fits: AtomicBool::new(false),
            replica: options.replica,
            evicting_ok: options.evicting_ok,
            leases: replicas::leases::Leases::default(),
            recent: Recent::default(),
            ready: outbox::ready::Ready::default(),
            reader: tokio::sync::Mutex::default(),
            settling: safety::settling::Settling::default(),
            watched: safety::watched::Watched::default(),
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
