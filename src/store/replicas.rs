//! What a store has besides that several processes, replicas of the bot, work on at once.
//!
//! Sessions lie in partitions, and a partition is worked on by the one replica that holds its lease. The lease only
//! saves work. What makes it right is the epoch, a number that grows whenever a partition changes hands: a commit under
//! an old one is refused ([`Committed::Stale`](super::Committed::Stale)).

use std::time::Duration;

use async_trait::async_trait;
use formwright_chat as chat;

use super::{SessionKey, StoreError};

/// How long a lease holds without being renewed, by the store's clock.
pub const LEASE: Duration = Duration::from_secs(10);
/// How often a replica renews its leases.
pub const RENEW: Duration = Duration::from_secs(3);

/// What a lease that is renewed in time has left at least: a renewal may come two seconds late.
pub const LEFT: Duration = Duration::from_secs(5);

/// A part of the sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(pub u16);

/// The replicas at one store, as one of them sees it.
#[async_trait]
pub trait Replicas: Send + Sync {
    /// The partition of a session.
    fn partition(&self, key: &SessionKey) -> Partition;

    /// Whether turns of the session are begun here: its partition is held, and not about to be handed over. False as
    /// soon as the lease may have run out, by this process's own monotonic clock counted from before it asked.
    fn owns(&self, key: &SessionKey) -> bool;

    /// Whether a replica, this one or another, has renewed the lease of the session's partition in time: it lives.
    async fn is_tended(&self, key: &SessionKey) -> Result<bool, StoreError>;

    /// Number of partitions held.
    fn held(&self) -> usize;

    /// Why this replica, or the store, is not fit to serve, as far as [`Self::renew`] has seen.
    fn unfit(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Tells that this replica lives, renews the leases it holds, and takes free partitions that are its share among the
    /// living. Called every [`RENEW`].
    ///
    /// Partitions that are another living replica's share are held on to and named: nothing new is begun in them, and
    /// [`Self::give_back`] ends the lease once what runs there has ended.
    async fn renew(&self) -> Result<Vec<Partition>, StoreError>;

    /// Stops beginning turns and taking partitions: this process is about to end. Gives the partitions held.
    fn retire(&self) -> Vec<Partition>;

    /// Ends leases, so that other replicas may take these partitions at once.
    async fn give_back(&self, partitions: &[Partition]) -> Result<(), StoreError>;

    /// Waits for events accepted by any replica whose turns are to be run here, and gives them in the order of their
    /// acceptance. Each is given once, and again only where its partition was lost and taken again.
    ///
    /// Errors are given back after a pause, so that a caller may call again at once.
    async fn arrivals(&self) -> Result<Vec<chat::Event>, StoreError>;

    /// Tells the replica where somebody waits for it that the turn of an event was committed. What is not told is found
    /// by [`Self::wait_for`] all the same, later.
    async fn tell(&self, key: &SessionKey, event: &chat::EventId) -> Result<(), StoreError>;

    /// Waits until the turn of an accepted event was committed, by whichever replica, at most `patience`; gives its
    /// replies, or none.
    async fn wait_for(
        &self,
        key: &SessionKey,
        event: &chat::EventId,
        patience: Duration,
    ) -> Result<Option<Vec<chat::Reply>>, StoreError>;

    /// Tells which forms this replica serves, a text of this program's, and gives those of others where they differ. What
    /// one has not told for half a minute is forgotten.
    async fn compare(&self, forms: &str) -> Result<Vec<String>, StoreError>;

    /// Takes, or renews, a lease of [`LEASE`] under a name, for what one replica may do at a time: a connection of a
    /// gateway, polling with a token. Gives whether this replica holds it.
    async fn hold(&self, name: &str) -> Result<bool, StoreError>;

    /// Ends a lease under a name, where this replica holds it.
    async fn let_go(&self, name: &str) -> Result<(), StoreError>;
}
