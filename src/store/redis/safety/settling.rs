//! Those who wait to be told whether a write is safe, and where it shows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use redis::Cmd;
use tokio::sync::oneshot;

use crate::replicas::Partition;
use crate::{Safety, StoreError};
/// Those who wait for an answer.
#[derive(Default)]
pub(crate) struct Settling {
    pub(super) waiting: Mutex<Vec<Waiting>>,
    pub(super) turn: tokio::sync::Mutex<()>,
}

pub(super) struct Waiting {
    pub(super) look: Look,
    pub(super) tell: oneshot::Sender<Result<Safety, StoreError>>,
}

/// Where it shows whether something is there.
pub(super) struct Look {
    pub(super) partition: Partition,
    pub(super) command: Cmd,
    pub(super) shows: Shows,
}

/// What must be found there.
pub(super) enum Shows {
    /// A turn that was committed.
    Turn,
    /// A version of a session.
    Version(String),
    /// Anything.
    Entry,
}

impl Settling {
    pub(super) fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Look {
    /// What is known once it was looked for; `reached` is whether a replica has all that was written before.
    pub(super) fn safety(&self, found: Option<&[u8]>, reached: bool) -> Safety {
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
