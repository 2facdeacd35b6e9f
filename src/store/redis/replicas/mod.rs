//! Several replicas at one Redis: who works on what, and what they tell each other.

pub(crate) mod arrivals;
pub(crate) mod leases;
pub(crate) mod post;
pub(crate) mod reader;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use formwright_chat as chat;

use super::keys::{Digest, all};
use super::{RedisStore, intake};
use crate::redis::replicas::leases::{Held, owner_of};
use crate::redis::seal::marks;
use crate::redis::wire::link::all as side_by_side;
use crate::redis::wire::scripts::{self, Call};
use crate::replicas::{LEASE, LEFT, Partition, Replicas};
use crate::{Accepted, SessionKey, StoreError};

/// Pauses between looks for a turn that nobody told of: they grow.
const FIRST_LOOK: Duration = Duration::from_millis(20);
const LAST_LOOK: Duration = Duration::from_millis(250);

/// How long it is known which forms a replica serves, unless it tells again: longer than until it does.
const COMPARED: Duration = Duration::from_secs(30);

impl RedisStore {
    /// Tells that this replica lives, or is about to end; gives the living.
    async fn heartbeat(&self) -> Result<Vec<String>, StoreError> {
        let call = Call::new(&scripts::HEARTBEAT, self.names.replicas())
            .arg(&self.replica)
            .arg(if self.is_leaving() { "1" } else { "0" })
            .number(LEASE.as_millis());
        self.link.run(&call).await
    }

    /// Renews the lease of a partition, or takes it where it is wanted.
    async fn claim(&self, partition: Partition, wanted: bool) -> Result<(), StoreError> {
        let fence = self.leases.fence(partition);
        if fence.is_none() && !wanted {
            return Ok(());
        }
        let asked = Instant::now();
        let call = self
            .call(&scripts::CLAIM, partition)
            .arg(&self.replica)
            .arg(fence.as_deref().unwrap_or_default())
            .arg(if wanted { "1" } else { "0" })
            .number(LEASE.as_millis());
        let (held, mended): (String, String) = self.link.run(&call).await?;
        if !mended.is_empty() {
            self.watched.tell("a lease in Redis was damaged and has been replaced: something else writes to its keys");
        }
        if held.is_empty() {
            if let Some(fence) = fence {
                self.leases.lost(partition, &fence);
            }
        } else if self.leases.keep(partition, Held { fence: held, until: asked + LEASE, leaving: !wanted }) {
            self.ready.forget(partition);
            self.recent.forget_all();
            self.post.news_of(partition);
        }
        Ok(())
    }

    /// Whether this replica takes no share of the sessions.
    fn is_leaving(&self) -> bool {
        self.leases.retired() || self.watched.is_out_of_time()
    }

    async fn renew_leases(&self) -> Result<Vec<Partition>, StoreError> {
        let _turn = self.leases.turn.lock().await;
        self.look().await?;
        let living = self.heartbeat().await?;
        let mine = |partition| !self.is_leaving() && owner_of(partition, &living) == Some(&self.replica);
        let shares: Vec<(Partition, bool)> = all().map(|partition| (partition, mine(partition))).collect();
        // What is damaged in one partition costs no other its lease.
        let claimed = side_by_side(shares.iter().map(|(partition, wanted)| self.claim(*partition, *wanted))).await;
        for claimed in claimed {
            match claimed {
                Err(StoreError::Damaged(why)) => {
                    tracing::error!(why = %chat::chain(&why), "a part of the sessions cannot be worked on");
                }
                claimed => claimed?,
            }
        }
        let others = |partition: &Partition| shares.iter().any(|(share, mine)| share == partition && !mine);
        Ok(self.leases.held().into_iter().map(|(partition, _)| partition).filter(others).collect())
    }
}

#[async_trait]
impl Replicas for RedisStore {
    fn partition(&self, key: &SessionKey) -> Partition {
        Digest::session(key).partition()
    }

    fn owns(&self, key: &SessionKey) -> bool {
        self.leases.works_on(self.partition(key))
    }

    async fn is_tended(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let mut command = redis::cmd("PTTL");
        command.arg(self.key(self.partition(key), "lease"));
        // Below nothing where there is none.
        let left: i64 = self.link.ask(&command).await?;
        Ok(u128::try_from(left).is_ok_and(|left| left >= LEFT.as_millis()))
    }

    fn held(&self) -> usize {
        self.leases.held().len()
    }

    fn unfit(&self) -> Vec<&'static str> {
        self.watched.unfit()
    }

    async fn renew(&self) -> Result<Vec<Partition>, StoreError> {
        // A key of others may have come since: what they seal is not for this replica, nor what it seals for them.
        if let Err(error) = marks::take(self).await {
            if matches!(error, StoreError::Sealed(_)) {
                let held: Vec<Partition> = self.leases.held().into_iter().map(|(partition, _)| partition).collect();
                self.give_back(&held).await?;
            }
            return Err(error);
        }
        // Subscribing again does no harm, and finds out whether the connection that listens is there.
        let channels = self.post.channels();
        let (leaving, listening) = tokio::join!(self.renew_leases(), self.ears.subscribe(&channels));
        if let Err(error) = listening {
            tracing::debug!(
                error = %chat::chain(&error),
                "what replicas tell each other is not heard, they look by themselves"
            );
        }
        leaving
    }

    fn retire(&self) -> Vec<Partition> {
        self.leases.retire();
        self.leases.held().into_iter().map(|(partition, _)| partition).collect()
    }

    async fn give_back(&self, partitions: &[Partition]) -> Result<(), StoreError> {
        let _turn = self.leases.turn.lock().await;
        if self.leases.retired() {
            self.heartbeat().await?;
        }
        let give = async |partition: &Partition| {
            let Some(fence) = self.leases.fence(*partition) else { return Ok(()) };
            // First here: nothing is begun under a lease that may be another's.
            self.leases.lost(*partition, &fence);
            let call = self.call(&scripts::GIVE_BACK, *partition).arg(fence);
            self.link.run::<i64>(&call).await.map(drop)
        };
        side_by_side(partitions.iter().map(give)).await.into_iter().collect()
    }

    async fn arrivals(&self) -> Result<Vec<chat::Event>, StoreError> {
        arrivals::next(self).await
    }

    async fn tell(&self, key: &SessionKey, event: &chat::EventId) -> Result<(), StoreError> {
        let name = post::name(key, event);
        if self.post.done(&name) {
            return Ok(());
        }
        let mut command = redis::cmd("PUBLISH");
        command.arg(self.names.done()).arg(name);
        self.link.ask::<i64>(&command).await.map(drop)
    }

    async fn wait_for(
        &self,
        key: &SessionKey,
        event: &chat::EventId,
        patience: Duration,
    ) -> Result<Option<Vec<chat::Reply>>, StoreError> {
        let waiting = self.post.wait(post::name(key, event));
        let until = Instant::now() + patience;
        let mut pause = FIRST_LOOK;
        loop {
            if let Some(Accepted::Done(replies)) = intake::seen(self, key, event).await? {
                return Ok(Some(replies));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            tokio::select! {
                () = waiting.bell.notified() => {}
                () = tokio::time::sleep(pause.min(left)) => pause = (pause * 2).min(LAST_LOOK),
            }
        }
    }

    async fn compare(&self, forms: &str) -> Result<Vec<String>, StoreError> {
        let life = COMPARED.as_millis();
        let call = Call::new(&scripts::FORMS, self.names.forms()).arg(&self.replica).arg(forms).number(life);
        self.link.run(&call).await
    }

    async fn hold(&self, name: &str) -> Result<bool, StoreError> {
        let call = Call::new(&scripts::HOLD, self.names.hold(name)).arg(&self.replica).number(LEASE.as_millis());
        self.link.run(&call).await
    }

    async fn let_go(&self, name: &str) -> Result<(), StoreError> {
        let call = Call::new(&scripts::LET_GO, self.names.hold(name)).arg(&self.replica);
        self.link.run::<i64>(&call).await.map(drop)
    }
}
