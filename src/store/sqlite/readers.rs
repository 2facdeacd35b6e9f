//! A few connections that read, beside the writer and without waiting for it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::{row::unavailable, schema};
use crate::{Outage, StoreError};

const READERS: u32 = 4;

/// A pool of reading connections.
#[derive(Debug)]
pub(super) struct Readers {
    free: Arc<Mutex<Vec<Connection>>>,
    permits: Semaphore,
}

impl Readers {
    pub(super) fn open(file: &Path) -> Result<Self, StoreError> {
        let free = (0..READERS).map(|_| schema::open_reader(file)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { free: Arc::new(Mutex::new(free)), permits: Semaphore::new(READERS as usize) })
    }

    /// Waits for what is being read, and closes the connections: nothing can be read any more.
    pub(super) async fn close(&self) {
        let all = self.permits.acquire_many(READERS).await;
        self.permits.close();
        drop(all);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Looks one thing up by its key, on the thread that asks: it takes less time than to hand it to another.
    pub(super) async fn peek<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send,
    ) -> Result<T, StoreError> {
        let _permit = self.permits.acquire().await.map_err(|_| lost())?;
        run(&self.free, work)
    }

    /// Runs `work` on a reading connection, off the async threads.
    pub(super) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let _permit = self.permits.acquire().await.map_err(|_| lost())?;
        let free = Arc::clone(&self.free);
        tokio::task::spawn_blocking(move || run(&free, work)).await.map_err(|_| lost())?
    }
}

fn run<T>(
    free: &Mutex<Vec<Connection>>,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let taken = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let connection = taken.ok_or_else(lost)?;
    let read = work(&connection);
    free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    read
}

fn lost() -> StoreError {
    Outage::NoReader.into()
}

/// Runs a cached statement and makes something of each row.
pub(super) fn rows<T>(
    db: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    mut make: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    let rows = statement.query_map(params, |row| make(row)).map_err(unavailable)?;
    rows.collect::<Result<_, _>>().map_err(unavailable)
}

/// Runs a cached statement that gives at most one row.
pub(super) fn one<T>(
    db: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    make: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    use rusqlite::OptionalExtension as _;
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    statement.query_row(params, make).optional().map_err(unavailable)
}

/// Runs a cached statement that changes rows; gives how many.
pub(super) fn change(db: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<u64, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    statement.execute(params).map(|n| n as u64).map_err(unavailable)
}
