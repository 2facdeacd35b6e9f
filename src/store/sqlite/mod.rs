//! The embedded store: one SQLite file, one writer thread that commits in groups, a few readers.
//!
//! Every write waits for its group's `fsync`, so what is acknowledged survives a power cut. A full disk is an error
//! that passes once there is space. A second process may read and write the same file (operator's commands do).
//! Session rows carry a checksum: SQLite itself does not notice flipped bytes.

mod notes;
mod outbox;
mod people;
mod readers;
mod row;
mod schema;
mod turn;
mod writer;

use std::path::Path;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;

use super::{Accepted, Commit, Committed, Delivery, OutboxState, Outgoing, SessionKey, Store, StoreError, Stored};
use crate::engine::Submission;
use readers::Readers;
use writer::Writer;

/// A store in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
}

impl SqliteStore {
    /// Opens the file, makes it where there is none, and brings its schema up to date. Blocks while it does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the file cannot be opened or written; [`StoreError::Damaged`] where it is no
    /// store, or one made by a newer version.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let mut connection = schema::open_retrying(file)?;
        schema::migrate(&mut connection)?;
        Ok(Self { readers: Readers::open(file)?, writer: Writer::start(connection)? })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        let intake = turn::Intake::new(key, event)?;
        self.writer.write(move |tx| intake.store(tx)).await
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        self.readers.read(move |db| turn::open_events(db, limit)).await
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        self.readers.peek(|db| turn::seen(db, key.as_str(), event.as_str())).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.readers.peek(|db| turn::load(db, key)).await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let prepared = turn::Prepared::new(commit)?;
        self.writer.write(move |tx| prepared.store(tx)).await
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.writer.write(move |tx| outbox::due(tx, now, lease_until, limit)).await
    }

    async fn release(&self) -> Result<u64, StoreError> {
        self.writer.write(outbox::release).await
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.writer.write(move |tx| outbox::mark(tx, &id, &delivery, now)).await
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        let (lane, id) = (lane.to_owned(), id.to_owned());
        self.readers.read(move |db| outbox::behind(db, &lane, &id)).await
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let (platform, key) = (platform.clone(), key.to_owned());
        self.readers.read(move |db| notes::note(db, platform.as_str(), &key)).await
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        let note = notes::NewNote::new(note, now)?;
        self.writer.write(move |tx| note.store(tx)).await
    }

    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.readers.read(move |db| outbox::list(db, state, limit)).await
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.writer.write(move |tx| outbox::replay(tx, &id, now)).await
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        let form = form.map(str::to_owned);
        self.readers.read(move |db| people::submissions(db, form.as_deref(), limit)).await
    }

    async fn erase(&self, platform: &chat::Platform, user: &chat::UserId) -> Result<u64, StoreError> {
        let (platform, user) = (platform.clone(), user.clone());
        let removed = self.writer.write(move |tx| people::erase(tx, platform.as_str(), user.as_str())).await?;
        // Rows are overwritten in the file (`secure_delete`), but the log still has them.
        self.writer.empty_log().await?;
        Ok(removed)
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
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

    async fn session_count(&self) -> Result<u64, StoreError> {
        self.readers.read(people::session_count).await
    }

    async fn keep_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (event, call, body) = (event.as_str().to_owned(), call.to_owned(), answer.to_owned());
        let answer = turn::Answer { key: key.clone(), event, call, at: now, body };
        self.writer.write(move |tx| answer.store(tx)).await
    }

    async fn kept_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        self.readers.peek(|db| turn::answer(db, key.as_str(), event.as_str(), call)).await
    }
}

#[cfg(test)]
mod tests;
