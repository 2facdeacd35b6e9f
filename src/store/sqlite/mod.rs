//! The embedded store: one SQLite file, one writer thread that commits in groups, a few readers.
//!
//! Every write waits for its group's `fsync`, so what is acknowledged survives a power cut. A full disk is an error
//! that passes once there is space. A second process may read and write the same file (operator's commands do).
//! Session rows carry a checksum: SQLite itself does not notice flipped bytes.

mod marks;
mod notes;
mod outbox;
mod people;
mod readers;
mod reseal;
mod row;
mod schema;
mod turn;
mod writer;

use std::collections::BTreeSet;
use std::path::Path;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;

use super::recent::Recent;
use super::{
    Accepted, Backlog, Commit, Committed, Delivery, Erased, OutboxState, Outgoing, Resealed, Seal, SessionKey, Store,
    StoreError, Stored,
};
use crate::engine::Submission;
use crate::form::FormId;
use readers::Readers;
use row::Bodies;
use writer::Writer;

/// A store in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    bodies: Bodies,
    recent: Recent,
}

impl SqliteStore {
    /// Opens the file, makes it where there is none, and brings its schema up to date. Blocks while it does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the file cannot be opened or written; [`StoreError::Damaged`] where it is no
    /// store, or one made by a newer version.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Self::sealed(file, Seal::none())
    }

    /// The same, and what people said is sealed in it.
    ///
    /// # Errors
    /// As [`Self::open`]. Records that the keys do not open are damaged ones, told when they are read.
    pub fn sealed(file: &Path, seal: Seal) -> Result<Self, StoreError> {
        let mut connection = schema::open_retrying(file)?;
        schema::migrate(&mut connection)?;
        Ok(Self {
            readers: Readers::open(file)?,
            writer: Writer::start(connection)?,
            bodies: Bodies(seal),
            recent: Recent::default(),
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        let intake = turn::Intake::new(&self.bodies, key, event)?;
        let bodies = self.bodies.clone();
        self.writer.write(move |tx| intake.store(tx, &bodies)).await
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        let bodies = self.bodies.clone();
        self.readers.read(move |db| turn::open_events(db, &bodies, limit)).await
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        self.readers.peek(|db| turn::seen(db, &self.bodies, key.as_str(), event.as_str())).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.readers.peek(|db| turn::load(db, &self.bodies, key)).await
    }

    async fn load_recent(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        match self.recent.get(key) {
            Some(stored) => Ok(stored),
            None => self.load(key).await,
        }
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let prepared = turn::Prepared::new(&self.bodies, commit)?;
        let (ended, version) = self.writer.write(move |tx| prepared.store(tx)).await?;
        self.recent.note(commit, ended, version);
        Ok(ended)
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        let bodies = self.bodies.clone();
        self.writer.write(move |tx| outbox::due(tx, &bodies, now, lease_until, limit)).await
    }

    async fn release(&self) -> Result<u64, StoreError> {
        self.writer.write(outbox::release).await
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.writer.write(move |tx| outbox::mark(tx, &id, &delivery, now)).await
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        let (bodies, lane, id) = (self.bodies.clone(), lane.to_owned(), id.to_owned());
        self.readers.read(move |db| outbox::behind(db, &bodies, &lane, &id)).await
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let (bodies, platform, key) = (self.bodies.clone(), platform.clone(), key.to_owned());
        self.readers.read(move |db| notes::note(db, &bodies, platform.as_str(), &key)).await
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        let note = notes::NewNote::new(&self.bodies, note, now)?;
        self.writer.write(move |tx| note.store(tx)).await
    }

    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        let bodies = self.bodies.clone();
        self.readers.read(move |db| outbox::list(db, &bodies, state, limit)).await
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.writer.write(move |tx| outbox::replay(tx, &id, now)).await
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        let (bodies, form) = (self.bodies.clone(), form.map(str::to_owned));
        self.readers.read(move |db| people::submissions(db, &bodies, form.as_deref(), limit)).await
    }

    async fn submissions_of(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
    ) -> Result<Vec<Submission>, StoreError> {
        let (bodies, platform, user) = (self.bodies.clone(), platform.clone(), user.clone());
        self.readers.read(move |db| people::submissions_of(db, &bodies, platform.as_str(), user.as_str())).await
    }

    async fn users(&self, platform: &chat::Platform, beginning: &str) -> Result<BTreeSet<chat::UserId>, StoreError> {
        let (platform, beginning) = (platform.clone(), beginning.to_owned());
        self.readers.read(move |db| people::users(db, platform.as_str(), &beginning)).await
    }

    async fn erase(&self, platform: &chat::Platform, user: &chat::UserId) -> Result<Erased, StoreError> {
        let (platform, user) = (platform.clone(), user.clone());
        let removed = self.writer.write(move |tx| people::erase(tx, platform.as_str(), user.as_str())).await?;
        self.recent.forget_all();
        // Rows are overwritten in the file (`secure_delete`), but the log still has them.
        self.writer.empty_log().await?;
        Ok(removed)
    }

    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        let (bodies, form) = (self.bodies.clone(), form.clone());
        let removed = self.writer.write(move |tx| people::forget_submissions(tx, &bodies, &form, before)).await?;
        if removed > 0 {
            self.writer.empty_log().await?;
        }
        Ok(removed)
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        self.recent.forget(key);
        let key = key.clone();
        self.writer.write(move |tx| people::delete(tx, key.as_str())).await
    }

    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        self.readers.read(move |db| people::expired(db, now, limit)).await
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        let removed = self.writer.write(move |tx| people::sweep(tx, before)).await?;
        if removed > 0 {
            self.writer.empty_log().await?;
        }
        Ok(removed)
    }

    async fn check_keys(&self) -> Result<(), StoreError> {
        self.readers.peek(|db| marks::check(db, &self.bodies.0)).await
    }

    async fn use_keys(&self) -> Result<(), StoreError> {
        let bodies = self.bodies.clone();
        self.writer.write(move |tx| marks::take(tx, &bodies.0)).await
    }

    async fn session_count(&self) -> Result<u64, StoreError> {
        self.readers.read(people::session_count).await
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let backlog = self.readers.read(outbox::backlog).await?;
        Ok(Backlog { unreadable: self.unreadable(), ..backlog })
    }

    async fn reseal(&self) -> Result<Resealed, StoreError> {
        let bodies = self.bodies.clone();
        let mut done = self.readers.peek(|db| reseal::begin(db, &bodies)).await?;
        if done.left.is_empty() || !bodies.0.has_key() {
            return Ok(Resealed::default());
        }
        for table in reseal::TABLES {
            let mut skip = 0;
            loop {
                let bodies = bodies.clone();
                let some = self.writer.write(move |tx| reseal::some(tx, &bodies, table, skip)).await?;
                let Some((found, skipped)) = some else { break };
                skip += skipped;
                done.add(found);
            }
        }
        let ended = done.clone();
        self.writer.write(move |tx| reseal::end(tx, &ended)).await?;
        self.writer.empty_log().await?;
        Ok(done)
    }

    fn unreadable(&self) -> u64 {
        self.bodies.0.unreadable()
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
        self.writer.write(move |tx| answer.store(tx)).await
    }

    async fn kept_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        self.readers.peek(|db| turn::answer(db, &self.bodies, (key.as_str(), event.as_str(), call))).await
    }
}

#[cfg(test)]
mod tests;
