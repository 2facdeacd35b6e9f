//! Replicas: which sessions this process works on, what it does with those that others do, and what only one may do.
//!
//! A store of one process makes all of it nothing: every session is worked on here.

pub(crate) mod compare;
pub mod lock;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chat::HostError;
use formwright_chat as chat;
use tokio::time::Instant;

use super::Runtime;
use super::turn::Turn;
use formwright_store::replicas::{LEASE, Partition, RENEW, Replicas};
use formwright_store::{Accepted, SessionKey, StoreError};

/// How long turns under way may take before their partition is given to another replica, or the process ends.
pub(super) const GRACE: Duration = Duration::from_secs(10);
/// How often it is looked whether they have ended.
const LOOK: Duration = Duration::from_millis(100);
/// How long whoever waits for an answer is kept waiting for another replica: longer than a takeover takes.
const PATIENCE: Duration = Duration::from_secs(25);

impl Runtime {
    /// Whether turns of the session are begun here.
    pub(super) fn is_here(&self, key: &SessionKey) -> bool {
        self.store.replicas().is_none_or(|replicas| replicas.owns(key))
    }

    /// Keeps this replica's share of the sessions, and runs what any replica has taken in for them. Never ends.
    pub(super) async fn share_sessions(self: Arc<Self>) {
        let Some(replicas) = self.store.replicas() else { return std::future::pending().await };
        tokio::join!(self.renew_regularly(replicas), self.take_arrivals(replicas), self.compare_regularly(replicas));
    }

    async fn renew_regularly(&self, replicas: &dyn Replicas) {
        let mut leaving = BTreeMap::new();
        loop {
            let next = Instant::now() + RENEW;
            match replicas.renew().await {
                Ok(others) => {
                    leaving.retain(|partition, _| others.contains(partition));
                    for partition in others {
                        leaving.entry(partition).or_insert_with(Instant::now);
                    }
                }
                Err(error) => {
                    self.metrics.store_failed("renew");
                    tracing::warn!(
                        error = %chat::chain(&error),
                        "this replica's share of the sessions could not be renewed"
                    );
                }
            }
            while !leaving.is_empty() && Instant::now() < next {
                self.hand_over(replicas, &mut leaving).await;
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep_until(next).await;
        }
    }

    /// Gives up the partitions in which nothing runs any more, or too long.
    async fn hand_over(&self, replicas: &dyn Replicas, leaving: &mut BTreeMap<Partition, Instant>) {
        let over = |(partition, since): (&Partition, &Instant)| {
            let ended = since.elapsed() > GRACE || !self.mailboxes.any(|key| replicas.partition(key) == *partition);
            ended.then_some(*partition)
        };
        let ended: Vec<Partition> = leaving.iter().filter_map(over).collect();
        if ended.is_empty() {
            return;
        }
        match replicas.give_back(&ended).await {
            Ok(()) => leaving.retain(|partition, _| !ended.contains(partition)),
            Err(error) => {
                tracing::warn!(
                    error = %chat::chain(&error),
                    "partitions could not be handed over, their leases run out by themselves"
                );
            }
        }
    }

    async fn take_arrivals(self: &Arc<Self>, replicas: &dyn Replicas) {
        loop {
            match replicas.arrivals().await {
                Ok(events) => events.into_iter().for_each(|event| self.take_up_event(event)),
                Err(error) => {
                    self.metrics.store_failed("arrivals");
                    tracing::warn!(error = %chat::chain(&error), "what was taken in could not be read");
                }
            }
        }
    }

    /// Ends this replica's part: waits for turns under way, then hands all sessions over.
    pub(super) async fn retire(&self) {
        let Some(replicas) = self.store.replicas() else { return self.mailboxes.settle(GRACE).await };
        let held = replicas.retire();
        self.mailboxes.settle(GRACE).await;
        if let Err(error) = replicas.give_back(&held).await {
            tracing::warn!(
                error = %chat::chain(&error),
                "the sessions could not be handed over, their leases run out by themselves"
            );
        }
    }

    /// Has the replica that works on the session run the turn of an event, and waits for its replies.
    pub(super) async fn ask_owner(self: &Arc<Self>, mut event: chat::Event) -> Result<chat::Turn, HostError> {
        let unavailable = |error: StoreError| HostError::Unavailable(error.to_string());
        let nobody =
            || HostError::Unavailable("no replica has run the turn yet; it is kept and will be run".to_owned());
        event.terms.waits = true;
        let id = event.id.clone();
        let turn = Turn::asked(event.clone());
        let key = &turn.key;
        let accepted = self.store.accept(key, &event).await.map_err(unavailable)?;
        let again = accepted != Accepted::New;
        let replies = match accepted {
            Accepted::Done(replies) => replies,
            Accepted::New | Accepted::Open => {
                let replicas = self.store.replicas().ok_or_else(nobody)?;
                let waiting = replicas.wait_for(key, &id, PATIENCE);
                // A replica that hangs lets its lease run out.
                let look = async || {
                    self.health().await?;
                    let tended = replicas.is_tended(key).await.map_err(unavailable)?;
                    if tended { Ok(()) } else { Err(nobody()) }
                };
                self.unless(waiting, look).await?.map_err(unavailable)?.ok_or_else(nobody)?
            }
        };
        if again && self.is_reused(&turn).await.map_err(unavailable)? {
            return Err(HostError::Reused);
        }
        Ok(chat::Turn { replies: self.safely(&turn, replies).await, standing: None })
    }

    /// Tells whoever waits at another replica that the turn of an event has ended.
    pub(super) async fn tell_replica(&self, key: &SessionKey, event: &chat::EventId) {
        let Some(replicas) = self.store.replicas() else { return };
        if let Err(error) = replicas.tell(key, event).await {
            tracing::debug!(error = %chat::chain(&error), "who waits for a turn finds its end a moment later");
        }
    }

    /// Waits until this replica may do what one does at a time; what is given completes once it may no longer.
    pub(super) async fn lead(self: &Arc<Self>, what: &str) -> chat::Lost {
        if self.store.replicas().is_none() {
            return Box::pin(std::future::pending());
        }
        let mut told = false;
        while !self.hold(what).await.unwrap_or(false) {
            if !std::mem::replace(&mut told, true) {
                tracing::info!(what, "another replica does this; waiting for it to end");
            }
            tokio::time::sleep(RENEW).await;
        }
        let (tell, lost) = tokio::sync::oneshot::channel::<()>();
        let (runtime, what) = (Arc::clone(self), what.to_owned());
        tokio::spawn(async move { runtime.keep_lead(&what, tell).await });
        Box::pin(async move { drop(lost.await) })
    }

    /// Renews a lead until it is lost, or nobody wants it any more.
    async fn keep_lead(&self, what: &str, mut tell: tokio::sync::oneshot::Sender<()>) {
        let mut until = Instant::now() + LEASE;
        loop {
            tokio::select! {
                () = tell.closed() => break,
                () = tokio::time::sleep(RENEW) => {}
            }
            let asked = Instant::now();
            match self.hold(what).await {
                Ok(true) => until = asked + LEASE,
                Ok(false) => break,
                // Ends before another may begin.
                Err(_) if Instant::now() + RENEW >= until => break,
                Err(_) => {}
            }
        }
        tracing::info!(what, "this replica no longer does this");
        if let Some(replicas) = self.store.replicas()
            && let Err(error) = replicas.let_go(what).await
        {
            tracing::debug!(error = %chat::chain(&error), what, "a lease could not be ended, it runs out by itself");
        }
    }

    async fn hold(&self, what: &str) -> Result<bool, StoreError> {
        match self.store.replicas() {
            Some(replicas) => replicas.hold(what).await,
            None => Ok(true),
        }
    }
}
