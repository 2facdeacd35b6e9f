//! The file of a store: how a server takes it over, what operators are to know of it, and what is done there in pieces.

use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::place::name;
use super::{rescue, schema, space};
use crate::sqlite::{SqliteStore, erase, row};
use crate::{Erasure, Seal, StoreError, pace};

/// How often, and how long after each other, it is tried to empty a log that somebody reads.
const TRIES: u32 = 50;
const AGAIN: Duration = Duration::from_millis(100);

impl SqliteStore {
    /// Opens the file for the one server that it has: a damaged file, or an empty one with a log, is put aside and what can be
    /// read of it taken over, an empty one without a log begun afresh. What happened is told by [`notices`](crate::Store::notices).
    ///
    /// # Errors
    /// As [`Self::sealed`].
    pub fn serving(file: &Path, seal: Seal) -> Result<Self, StoreError> {
        rescue::finish(file)?;
        let opened = rescue::is_empty(file).and_then(|was_empty| {
            let connection = schema::open_migrated(file)?;
            rescue::look_through(&connection, file)?;
            Ok((connection, was_empty))
        });
        let shown = name(file);
        let (connection, told) = match opened {
            Ok((connection, false)) => (connection, None),
            Ok((connection, true)) => {
                let told = format!(
                    "{shown} was empty and is begun afresh: if it held something before, stop and put a backup back"
                );
                (connection, Some(told))
            }
            Err(StoreError::Damaged(why)) => {
                let (aside, rows) = rescue::replace(file)?;
                let aside = name(&aside);
                let told = format!(
                    "{shown} was damaged ({why}) and was put aside as {aside}: {rows} records could be read and were taken \
                     over, the others are lost unless a backup has them"
                );
                (schema::open_migrated(file)?, Some(told))
            }
            Err(error) => return Err(error),
        };
        let store = Self::over(connection, file, seal)?;
        told.into_iter().for_each(|told| store.tell(told));
        Ok(store)
    }

    /// Keeps what operators are to know of the file.
    fn tell(&self, told: String) {
        tracing::error!("{told}");
        self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(told);
    }

    /// Runs `work` in a transaction and waits until it is on disk.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        self.noted(self.writer.write(work).await)
    }

    /// Runs `work` on a connection that reads.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.noted(self.readers.read(work).await)
    }

    /// Looks one thing up by its key.
    pub(crate) async fn peek<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send,
    ) -> Result<T, StoreError> {
        self.noted(self.readers.peek(work).await)
    }

    /// Keeps that the file was found damaged.
    fn noted<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        let damage = done.as_ref().err().and_then(row::damage);
        let known = || self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(damage) = damage.filter(|damage| !known().contains(damage)) {
            self.tell(damage);
        }
        done
    }

    /// Brings a file of a version that could not give space back to do so, for the one server of a file at its start.
    /// It takes a second or two; larger files are left as they are, and the log says what to do.
    ///
    /// # Errors
    /// Where the file cannot be written; it stays as it was.
    pub async fn learn_to_shrink(&self) -> Result<(), StoreError> {
        if let Some(bytes) = self.writer.alone(space::learn).await? {
            let megabytes = bytes / 1_000_000;
            tracing::info!(
                megabytes,
                "what is deleted in the database makes room in it and does not shrink it: deploy/README.md says how to change that"
            );
        }
        Ok(())
    }

    /// Removes what belongs to a person, piece by piece.
    pub(in crate::sqlite) async fn erase_all(&self, meant: erase::Meant, gone: &mut Erasure) -> Result<(), StoreError> {
        loop {
            let (some, began) = (meant.clone(), Instant::now());
            let removed = self.write(move |tx| some.some(tx)).await?;
            if removed.is_nothing() {
                return Ok(());
            }
            removed.add_to(gone, &self.bodies);
            pace::rest(began).await;
        }
    }

    /// Gives back the space of what was removed, and removes it from the log as well: rows are overwritten in the file
    /// (`secure_delete`).
    pub(crate) async fn removed(&self) -> Result<(), StoreError> {
        loop {
            let began = Instant::now();
            if !self.write(space::give_back).await? {
                break;
            }
            pace::rest(began).await;
        }
        // A server beside this process may be reading it.
        let mut tries = 0;
        loop {
            match self.writer.empty_log().await {
                Err(StoreError::Unavailable(_)) if tries < TRIES => tries += 1,
                emptied => return emptied,
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}
