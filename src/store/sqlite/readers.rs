//! A few connections that read, beside the writer and without waiting for it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::sqlite::disk::schema;
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
