//! The one thread that writes: requests that wait while the disk syncs share the next sync.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::row::unavailable;
use crate::sqlite::disk::place::Place;
use crate::sqlite::disk::schema::BUSY;
use crate::{Outage, StoreError};

/// Most requests in one transaction.
const GROUP: usize = 64;
/// Requests that may wait; more make their callers wait.
const QUEUE: usize = 1024;
/// How long the log waits for those who read it before it is emptied, while others want to write.
const READERS: Duration = Duration::from_millis(20);

/// Hands requests to the writing thread, which ends when the last handle is gone.
#[derive(Debug)]
pub(super) struct Writer {
    requests: mpsc::Sender<Request>,
}

enum Request {
    Write(Box<dyn Write>),
    /// What cannot be done in a transaction.
    Alone(Box<dyn FnOnce(&Connection) + Send>),
    /// Nothing comes after it.
    Close(oneshot::Sender<Result<(), StoreError>>),
}

/// A request in three steps: done inside the group's transaction, and told once that has ended.
trait Write: Send {
    /// Makes the changes; false where they are to be taken back.
    fn run(&mut self, tx: &Connection) -> bool;
    /// Tells the caller, with the error that ended the group, if any.
    fn tell(self: Box<Self>, group: Result<(), StoreError>);
}

struct Task<F, T> {
    work: Option<F>,
    done: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl Writer {
    pub(super) fn start(connection: Connection, place: Place) -> Result<Self, StoreError> {
        let (requests, queue) = mpsc::channel(QUEUE);
        thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || serve(connection, &place, queue))
            .map_err(|error| Outage::NoThread(Arc::new(error)))?;
        Ok(Self { requests })
    }

    /// Runs `work` in a transaction and waits until it is on disk. An error takes back this request's changes only.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (caller, told) = oneshot::channel();
        let task = Task { work: Some(work), done: None, caller };
        self.requests.send(Request::Write(Box::new(task))).await.map_err(|_| stopped())?;
        told.await.map_err(|_| stopped())?
    }

    /// Moves the write-ahead log into the file, so that nothing deleted is left in it.
    pub(super) async fn empty_log(&self) -> Result<(), StoreError> {
        self.alone(|connection| empty_log(connection, READERS)).await
    }

    /// Runs `work` on the writing connection, outside of any transaction.
    pub(super) async fn alone<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (caller, told) = oneshot::channel();
        let work = Box::new(move |connection: &Connection| drop(caller.send(work(connection))));
        self.requests.send(Request::Alone(work)).await.map_err(|_| stopped())?;
        told.await.map_err(|_| stopped())?
    }

    /// Does what was asked before, empties the log and closes the file.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        let (caller, told) = oneshot::channel();
        self.requests.send(Request::Close(caller)).await.map_err(|_| stopped())?;
        told.await.map_err(|_| stopped())?
    }
}

impl<F, T> Write for Task<F, T>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, tx: &Connection) -> bool {
        self.done = self.work.take().map(|work| work(tx));
        matches!(self.done, Some(Ok(_)))
    }

    fn tell(self: Box<Self>, group: Result<(), StoreError>) {
        let Self { done, caller, .. } = *self;
        // A caller that went away does not need to know.
        let _ = caller.send(group.and_then(|()| done.unwrap_or_else(|| Err(stopped()))));
    }
}

fn stopped() -> StoreError {
    Outage::WriterStopped.into()
}

fn serve(connection: Connection, place: &Place, mut queue: mpsc::Receiver<Request>) {
    let mut group = Vec::with_capacity(GROUP);
    while queue.blocking_recv_many(&mut group, GROUP) > 0 {
        let mut writes = Vec::with_capacity(group.len());
        let (mut alone, mut closes) = (Vec::new(), Vec::new());
        for request in group.drain(..) {
            match request {
                Request::Write(write) => writes.push(write),
                Request::Alone(work) => alone.push(work),
                Request::Close(caller) => closes.push(caller),
            }
        }
        commit_group(&connection, place, writes);
        alone.into_iter().for_each(|work| work(&connection));
        if let Some(caller) = closes.pop() {
            let emptied = empty_log(&connection, BUSY);
            let closed = connection.close().map_err(|(_, error)| unavailable(error));
            let _ = caller.send(emptied.and(closed));
            return;
        }
    }
}

fn commit_group(connection: &Connection, place: &Place, mut writes: Vec<Box<dyn Write>>) {
    if writes.is_empty() {
        return;
    }
    let ended = place.check().and_then(|()| run_group(connection, &mut writes));
    if ended.is_err() && !connection.is_autocommit() {
        // What cannot be rolled back is rolled back when the connection closes; the next BEGIN tells.
        let _ = connection.execute_batch("ROLLBACK");
    }
    for write in writes {
        write.tell(ended.clone());
    }
}

fn run_group(connection: &Connection, writes: &mut [Box<dyn Write>]) -> Result<(), StoreError> {
    let run = |sql: &str| connection.prepare_cached(sql).and_then(|mut sql| sql.execute([])).map_err(unavailable);
    run("BEGIN IMMEDIATE")?;
    for write in writes {
        run("SAVEPOINT request")?;
        if !write.run(connection) {
            run("ROLLBACK TO request")?;
        }
        run("RELEASE request")?;
    }
    run("COMMIT").map(drop)
}

/// Nobody writes while it waits for those who read.
fn empty_log(connection: &Connection, patience: Duration) -> Result<(), StoreError> {
    connection.busy_timeout(patience).map_err(unavailable)?;
    let asked = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    connection.busy_timeout(BUSY).map_err(unavailable)?;
    let busy: i64 = asked.map_err(unavailable)?;
    if busy == 0 { Ok(()) } else { Err(Outage::LogInUse.into()) }
}
