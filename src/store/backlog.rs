//! What waits in a store: numbers for those who watch it.

use jiff::Timestamp;

use super::{OutboxState, Store, StoreError};

/// What waits in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Accepted events whose turn was not committed.
    pub events: u64,
    /// When the oldest of them came.
    pub oldest_event: Option<Timestamp>,
    /// Entries of the outbox that wait for their next try.
    pub waiting: u64,
    /// When the oldest of them was put in.
    pub oldest_waiting: Option<Timestamp>,
    /// Dead letters.
    pub dead: u64,
    /// Records that this process could not read since it has started: damaged, or sealed with a key that is not set.
    pub unreadable: u64,
}

/// Most records of a kind that are counted by listing them.
const MOST: u32 = 1_000;

/// Counts by listing.
pub(super) async fn listed<S: Store + ?Sized>(store: &S) -> Result<Backlog, StoreError> {
    let events = store.open_events(MOST).await?;
    let waiting = store.outbox(OutboxState::Waiting, MOST).await?;
    let dead = store.outbox(OutboxState::Dead, MOST).await?;
    Ok(Backlog {
        events: events.len() as u64,
        oldest_event: events.iter().map(|event| event.at).min(),
        waiting: waiting.len() as u64,
        oldest_waiting: waiting.iter().map(|entry| entry.created).min(),
        dead: dead.len() as u64,
        unreadable: store.unreadable(),
    })
}
