//! The embedded store: one SQLite file, one writer thread that commits in groups, a few readers.
//!
//! Every write waits for its group's `fsync`, so what is acknowledged survives a power cut. A full disk is an error
//! that passes once there is space. A second process may read and write the same file (operator's commands do).
//! Session rows carry a checksum: SQLite itself does not notice flipped bytes.

mod disk;
mod erase;
mod marks;
mod notes;
mod outbox;
mod people;
mod readers;
mod reseal;
mod row;
mod statements;
mod turn;
mod writer;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;
use rusqlite::Connection;

use super::recent::Recent;
use super::{
    Accepted, Backlog, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Resealed, Seal, SessionKey, Store,
    StoreError, Stored, pace,
};
use disk::place::Place;
use formwright_engine::Submission;
use formwright_form::FormId;
use readers::Readers;
use row::Bodies;
use writer::Writer;

/// Fewer writes between two rests are no reason to leave the log as it is.
const FEW: u64 = 200;

/// A store in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    bodies: Bodies,
    recent: Recent,
    /// What operators are to know of the file.
    told: Mutex<BTreeSet<String>>,
    /// How often it was written since the log was last seen to be idle.
    writes: AtomicU64,
}

impl SqliteStore {
    /// Opens the file, makes it where there is none, and brings its schema up to date. Blocks while it does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the file cannot be opened or written; [`StoreError::Damaged`] where it is no
    /// store; [`StoreError::Refused`] where a newer version made it.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Self::sealed(file, Seal::none())
    }

    /// The same, and what people said is sealed in it.
    ///
    /// # Errors
    /// As [`Self::open`]. Records that the keys do not open are damaged ones, told when they are read.
    pub fn sealed(file: &Path, seal: Seal) -> Result<Self, StoreError> {
        Self::over(disk::schema::open_migrated(file)?, file, seal)
    }

    fn over(connection: Connection, file: &Path, seal: Seal) -> Result<Self, StoreError> {
        Ok(Self {
            readers: Readers::open(file)?,
            writer: Writer::start(connection, Place::of(file))?,
            bodies: Bodies(seal),
            recent: Recent::default(),
            told: Mutex::default(),
            writes: AtomicU64::new(0),
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        let intake = turn::Intake::new(&self.bodies, key, event)?;
        let bodies = self.bodies.clone();
        self.write(move |tx| intake.store(tx, &bodies)).await
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        let bodies = self.bodies.clone();
        self.read(move |db| turn::open_events(db, &bodies, limit)).await
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        self.peek(|db| turn::seen(db, &self.bodies, key.as_str(), event.as_str())).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.peek(|db| turn::load(db, &self.bodies, key)).await
    }

    async fn load_recent(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        match self.recent.get(key) {
            Some(stored) => Ok(stored),
            None => self.load(key).await,
        }
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let prepared = turn::Prepared::new(&self.bodies, commit)?;
        let (ended, version) = self.write(move |tx| prepared.store(tx)).await?;
        self.recent.note(commit, ended, version);
        Ok(ended)
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        let bodies = self.bodies.clone();
        self.write(move |tx| outbox::due(tx, &bodies, now, lease_until, limit)).await
    }

    async fn release(&self) -> Result<u64, StoreError> {
        self.write(outbox::release).await
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |tx| outbox::mark(tx, &id, &delivery, now)).await
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        let (bodies, lane, id) = (self.bodies.clone(), lane.to_owned(), id.to_owned());
        self.read(move |db| outbox::behind(db, &bodies, &lane, &id)).await
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let (bodies, platform, key) = (self.bodies.clone(), platform.clone(), key.to_owned());
        self.read(move |db| notes::note(db, &bodies, platform.as_str(), &key)).await
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        let note = notes::NewNote::new(&self.bodies, note, now)?;
        self.write(move |tx| note.store(tx)).await
    }

    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        let bodies = self.bodies.clone();
        self.read(move |db| outbox::list(db, &bodies, state, limit)).await
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.write(move |tx| outbox::replay(tx, &id, now)).await
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        let (bodies, form) = (self.bodies.clone(), form.map(str::to_owned));
        self.read(move |db| people::submissions(db, &bodies, form.as_deref(), limit)).await
    }

    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError> {
        let mut gone = Erasure::default();
        let ended = self.erase_all(erase::Meant::new(platform.as_str(), user.as_str(), spare), &mut gone).await;
        self.recent.forget_all();
        ended?;
        if gone.counts.total() > 0 {
            self.removed().await?;
        }
        Ok(gone)
    }

    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        let (bodies, form) = (self.bodies.clone(), form.clone());
        let removed = self.write(move |tx| people::forget_submissions(tx, &bodies, &form, before)).await?;
        if removed > 0 {
            self.removed().await?;
        }
        Ok(removed)
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        self.recent.forget(key);
        let key = key.clone();
        self.write(move |tx| people::delete(tx, key.as_str())).await
    }

    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        self.read(move |db| people::expired(db, now, limit)).await
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut removed = 0;
        loop {
            let began = Instant::now();
            let (some, more) = self.write(move |tx| people::sweep(tx, before)).await?;
            removed += some;
            if !more {
                break;
            }
            pace::rest(began).await;
        }
        if removed > 0 {
            self.removed().await?;
        }
        Ok(removed)
    }

    async fn check_keys(&self) -> Result<(), StoreError> {
        self.peek(|db| marks::check(db, &self.bodies.0)).await
    }

    async fn use_keys(&self) -> Result<(), StoreError> {
        let bodies = self.bodies.clone();
        self.write(move |tx| marks::take(tx, &bodies.0)).await
    }

    async fn session_count(&self) -> Result<u64, StoreError> {
        self.read(people::session_count).await
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let backlog = self.read(outbox::backlog).await?;
        Ok(Backlog { unreadable: self.unreadable(), ..backlog })
    }

    async fn reseal(&self) -> Result<Resealed, StoreError> {
        let bodies = self.bodies.clone();
        let mut done = self.peek(|db| reseal::begin(db, &bodies)).await?;
        if done.left.is_empty() || !bodies.0.has_key() {
            return Ok(Resealed::default());
        }
        for table in reseal::TABLES {
            let mut skip = 0;
            loop {
                let bodies = bodies.clone();
                let some = self.write(move |tx| reseal::some(tx, &bodies, table, skip)).await?;
                let Some((found, skipped)) = some else { break };
                skip += skipped;
                done.add(found);
            }
        }
        let ended = done.clone();
        self.write(move |tx| reseal::end(tx, &ended)).await?;
        self.writer.empty_log().await?;
        Ok(done)
    }

    fn unreadable(&self) -> u64 {
        self.bodies.0.unreadable()
    }

    fn notices(&self) -> Vec<String> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    async fn rest(&self) -> Result<(), StoreError> {
        // Where much is written the log is emptied on the way.
        let written = self.writes.swap(0, Ordering::Relaxed);
        if (1..FEW).contains(&written) { self.writer.empty_log().await } else { Ok(()) }
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.readers.close().await;
        self.writer.close().await
    }

    async fn keep_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let body = self.bodies.write(&["answer", key.as_str(), event.as_str(), call], &answer)?;
        let (event, call) = (event.as_str().to_owned(), call.to_owned());
        let answer = turn::Answer { key: key.clone(), event, call, at: now, body };
        self.write(move |tx| answer.store(tx)).await
    }

    async fn kept_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        self.peek(|db| turn::answer(db, &self.bodies, (key.as_str(), event.as_str(), call))).await
    }
}

#[cfg(test)]
mod tests;
