//! Asked before a person is told "submitted": whether what was written is there, and whether a replica of the server has
//! it.
//!
//! `WAIT` holds up its connection. So one question at a time is asked, on a connection of its own, for all who wait: who
//! comes meanwhile is in the next. However many ask, nobody waits longer than two of them take.

use std::collections::BTreeMap;
use std::time::Duration;

use redis::Cmd;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::settling::{Look, Shows, Waiting};
use crate::redis::keys::Digest;
use crate::redis::wire::failure::unexpected;
use crate::redis::wire::link::all;
use crate::redis::{Link, RedisStore};
use crate::replicas::Partition;
use crate::{Safety, StoreError, Written};

/// How long a replica of the server may take to confirm a write.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long the mark is kept that is written before the question.
const MARK: Duration = Duration::from_secs(60);

pub(crate) async fn settle(store: &RedisStore, written: &Written) -> Result<Safety, StoreError> {
    loop {
        let Some(look) = Look::of(store, written) else { return Ok(Safety::NotYet) };
        let (tell, mut told) = oneshot::channel();
        store.settling.waiting().push(Waiting { look, tell });
        let turn = store.settling.turn.lock().await;
        match told.try_recv() {
            Ok(answer) => return answer,
            Err(TryRecvError::Empty) => {
                let waiting = std::mem::take(&mut *store.settling.waiting());
                answer(store, waiting).await;
                drop(turn);
                if let Ok(answer) = told.await {
                    return answer;
                }
            }
            // Whoever asked for all gave up in the middle: it is asked again.
            Err(TryRecvError::Closed) => {}
        }
    }
}

/// Asks for all of them and tells them. In a cluster each partition is asked about by itself: another server may have it.
async fn answer(store: &RedisStore, waiting: Vec<Waiting>) {
    let backed = store.is_backed().await;
    let mut groups: BTreeMap<Partition, Vec<Waiting>> = BTreeMap::new();
    for one in waiting {
        let group = if store.careful.is_cluster() { one.look.partition } else { Partition(0) };
        groups.entry(group).or_default().push(one);
    }
    all(groups.into_values().map(|group| answer_together(store, group, backed.clone()))).await;
}

async fn answer_together(store: &RedisStore, waiting: Vec<Waiting>, backed: Result<bool, StoreError>) {
    let (looks, tells): (Vec<Look>, Vec<_>) = waiting.into_iter().map(|one| (one.look, one.tell)).unzip();
    let found = match backed {
        Ok(backed) => store.careful.found(store, &looks, backed).await,
        Err(error) => Err(error),
    };
    for (no, (look, tell)) in looks.iter().zip(tells).enumerate() {
        let of = |(found, reached): (Vec<Option<Vec<u8>>>, bool)| {
            look.safety(found.get(no).and_then(Option::as_deref), reached)
        };
        // Whoever asked may have gone away.
        let _ = tell.send(found.clone().map(of));
    }
}

impl Look {
    /// None where it is not known where to look.
    fn of(store: &RedisStore, written: &Written) -> Option<Self> {
        let mut command = redis::cmd("HGET");
        let (partition, shows) = match written {
            Written::Turn { key, event } => {
                let session = Digest::session(key);
                command.arg(store.key(session.partition(), &format!("e:{}", session.as_str())));
                command.arg(Digest::event(event).as_str());
                (session.partition(), Shows::Turn)
            }
            Written::Session { key, version } => {
                let session = Digest::session(key);
                command.arg(store.key(session.partition(), &format!("s:{}", session.as_str()))).arg("v");
                (session.partition(), Shows::Version(version.to_string()))
            }
            Written::Entry(id) => {
                let entry = Digest::entry(id);
                let partition = store.ready.place_of(&entry)?;
                command.arg(store.key(partition, &format!("o:{}", entry.as_str()))).arg("st");
                (partition, Shows::Entry)
            }
        };
        Some(Self { partition, command, shows })
    }
}

impl Link {
    /// What is found, and whether a replica has all that was written before, where that is asked for. The look and the
    /// question go to one server, one right after the other: what is there was written there, and lies before the mark in
    /// what replicas are sent. In a cluster all looks must be in one partition.
    async fn found(
        &self,
        store: &RedisStore,
        looks: &[Look],
        backed: bool,
    ) -> Result<(Vec<Option<Vec<u8>>>, bool), StoreError> {
        let mut pipeline = redis::pipe();
        for look in looks {
            pipeline.add_command(look.command.clone());
        }
        if backed {
            // A write of our own comes first: on a new connection `WAIT` waits for nothing.
            let partition = looks.first().map_or(0, |look| look.partition.0);
            pipeline.add_command(mark(store, partition)).add_command(wait(PATIENCE));
        }
        let mut answers: Vec<redis::Value> = self.ask_together(&pipeline).await?;
        let waited = if backed { answers.pop() } else { None };
        let reached = waited.map(|reached| redis::from_redis_value::<u64>(reached).is_ok_and(|reached| reached >= 1));
        answers.truncate(looks.len());
        let found = answers.into_iter().map(redis::from_redis_value).collect::<Result<_, _>>();
        let found = found.map_err(|_| unexpected())?;
        Ok((found, reached.unwrap_or(true)))
    }

    /// Whether a replica of the server confirms a write within a moment; none where this user may not ask.
    pub(crate) async fn is_followed(&self, store: &RedisStore, patience: Duration) -> Result<Option<bool>, StoreError> {
        self.ask::<redis::Value>(&mark(store, 0)).await?;
        let reached = self.ask_if_allowed(&wait(patience)).await?;
        Ok(reached.map(|reached| redis::from_redis_value::<u64>(reached).is_ok_and(|reached| reached >= 1)))
    }
}

fn mark(store: &RedisStore, no: u16) -> Cmd {
    let mut command = redis::cmd("SET");
    command.arg(store.names.settled(no)).arg(1).arg("PX").arg(MARK.as_millis().to_string());
    command
}

fn wait(patience: Duration) -> Cmd {
    let mut wait = redis::cmd("WAIT");
    wait.arg(1).arg(patience.as_millis().to_string());
    wait
}
