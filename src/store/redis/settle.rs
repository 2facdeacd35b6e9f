//! Asked before a person is told "submitted": whether what was written is there, and whether a replica of the server has
//! it.
//!
//! `WAIT` holds up its connection. So one question at a time is asked, on a connection of its own, for all who wait: who
//! comes meanwhile is in the next. However many ask, nobody waits longer than two of them take.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{Cmd, Pipeline};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::keys::{Digest, all};
use super::link::try_all;
use super::survival::histories;
use super::{Link, RedisStore};
use crate::store::{Safety, StoreError, Written};

/// How long a replica of the server may take to confirm a write.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long the mark is kept that is written before the question.
const MARK: Duration = Duration::from_secs(60);

/// Those who wait for an answer.
#[derive(Default)]
pub(super) struct Settling {
    waiting: Mutex<Vec<Waiting>>,
    turn: tokio::sync::Mutex<()>,
}

struct Waiting {
    look: Look,
    tell: oneshot::Sender<Result<Safety, StoreError>>,
}

/// Where it shows whether something is there.
struct Look {
    command: Cmd,
    shows: Shows,
}

/// What must be found there.
enum Shows {
    /// A turn that was committed.
    Turn,
    /// A version of a session.
    Version(String),
    /// Anything.
    Entry,
}

impl Settling {
    fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) async fn settle(store: &RedisStore, written: &Written) -> Result<Safety, StoreError> {
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

/// Asks for all of them and tells them.
async fn answer(store: &RedisStore, waiting: Vec<Waiting>) {
    let (looks, tells): (Vec<Look>, Vec<_>) = waiting.into_iter().map(|one| (one.look, one.tell)).unzip();
    let answers = match ask(store, &looks).await {
        Ok(answers) => answers.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error); tells.len()],
    };
    for (tell, answer) in tells.into_iter().zip(answers) {
        // Whoever asked may have gone away.
        let _ = tell.send(answer);
    }
}

async fn ask(store: &RedisStore, looks: &[Look]) -> Result<Vec<Safety>, StoreError> {
    let (found, reached) = if store.is_backed().await? {
        store.careful.found_and_waited(store, looks).await?
    } else {
        (store.careful.found(looks).await?, true)
    };
    Ok(looks.iter().zip(&found).map(|(look, found)| look.safety(found.as_deref(), reached)).collect())
}

impl Look {
    /// None where it is not known where to look.
    fn of(store: &RedisStore, written: &Written) -> Option<Self> {
        let mut command = redis::cmd("HGET");
        let shows = match written {
            Written::Turn { key, event } => {
                let session = Digest::session(key);
                command.arg(store.key(session.partition(), &format!("e:{}", session.as_str())));
                command.arg(Digest::event(event).as_str());
                Shows::Turn
            }
            Written::Session { key, version } => {
                let session = Digest::session(key);
                command.arg(store.key(session.partition(), &format!("s:{}", session.as_str()))).arg("v");
                Shows::Version(version.to_string())
            }
            Written::Entry(id) => {
                let entry = Digest::entry(id);
                let partition = store.ready.place_of(&entry)?;
                command.arg(store.key(partition, &format!("o:{}", entry.as_str()))).arg("st");
                Shows::Entry
            }
        };
        Some(Self { command, shows })
    }

    fn safety(&self, found: Option<&[u8]>, reached: bool) -> Safety {
        match (&self.shows, found) {
            (_, None) => Safety::Lost,
            (Shows::Turn, Some(event)) if !event.starts_with(b"d") => Safety::Lost,
            // Another turn was faster, or this one was undone and the next is under way.
            (Shows::Version(version), Some(found)) if version.as_bytes() != found => Safety::NotYet,
            _ if reached => Safety::Safe,
            _ => Safety::NotYet,
        }
    }
}

impl Link {
    /// What is found.
    async fn found(&self, looks: &[Look]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        if self.is_cluster() {
            return try_all(looks.iter().map(|look| self.ask(&look.command))).await;
        }
        self.ask_together(&together(looks)).await
    }

    /// What is found, and whether a replica has all that was written before. The look and the question go to one server,
    /// one right after the other: what is there was written there, and lies before the mark in what replicas are sent.
    async fn found_and_waited(
        &self,
        store: &RedisStore,
        looks: &[Look],
    ) -> Result<(Vec<Option<Vec<u8>>>, bool), StoreError> {
        if self.is_cluster() {
            return self.found_and_waited_in_cluster(store, looks).await;
        }
        let mut pipeline = together(looks);
        // A write of our own comes first: on a new connection `WAIT` waits for nothing.
        pipeline.add_command(mark(store, 0)).add_command(wait(PATIENCE));
        let mut answers: Vec<redis::Value> = self.ask_together(&pipeline).await?;
        let reached = answers.pop().and_then(|reached| redis::from_redis_value::<u64>(reached).ok());
        answers.truncate(looks.len());
        let found = answers.into_iter().map(redis::from_redis_value).collect::<Result<_, _>>();
        let found = found.map_err(|_| StoreError::Damaged("Redis gave something that was not put there".to_owned()))?;
        Ok((found, reached.is_some_and(|reached| reached >= 1)))
    }

    /// The same of all servers of a cluster. What was found counts only where each has stayed the primary meanwhile.
    async fn found_and_waited_in_cluster(
        &self,
        store: &RedisStore,
        looks: &[Look],
    ) -> Result<(Vec<Option<Vec<u8>>>, bool), StoreError> {
        let before = histories(self).await?;
        let found = self.found(looks).await?;
        let marks: Vec<Cmd> = all().map(|partition| mark(store, partition.0)).collect();
        try_all(marks.iter().map(|mark| self.ask::<redis::Value>(mark))).await?;
        let reached: u64 = self.ask(&wait(PATIENCE)).await?;
        let same = histories(self).await? == before;
        Ok((found, same && reached >= 1))
    }

    /// Whether a replica of the server confirms a write within a moment; none where this user may not ask.
    pub(super) async fn is_followed(&self, store: &RedisStore, patience: Duration) -> Result<Option<bool>, StoreError> {
        self.ask::<redis::Value>(&mark(store, 0)).await?;
        let reached = self.ask_if_allowed(&wait(patience)).await?;
        Ok(reached.map(|reached| redis::from_redis_value::<u64>(reached).is_ok_and(|reached| reached >= 1)))
    }
}

/// All looks, one right after the other.
fn together(looks: &[Look]) -> Pipeline {
    let mut pipeline = redis::pipe();
    for look in looks {
        pipeline.add_command(look.command.clone());
    }
    pipeline
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
