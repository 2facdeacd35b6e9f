//! Deliveries wait for each platform by itself: one that is slow or away delays no other, nor what goes to sinks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use formwright_store::Parcel;

/// Most deliveries at once to one platform, and to all sinks together.
const AT_ONCE: usize = 64;
/// Most that are here at once for one of them; what is beyond that stays in the store.
const ROOM: usize = 256;
/// How long one waits here for its turn, while the store keeps it from being taken twice.
const PATIENCE: Duration = Duration::from_secs(5);

/// The queues, by platform; that of the sinks has no name.
#[derive(Debug, Default)]
pub(crate) struct Queues(Mutex<BTreeMap<String, Queue>>);

#[derive(Clone, Debug)]
struct Queue {
    room: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

/// A delivery that waits for its turn.
#[derive(Debug)]
pub(crate) struct Waiting {
    turns: Arc<Semaphore>,
    room: OwnedSemaphorePermit,
}

impl Queues {
    /// Lets a delivery into its queue; none where that is full.
    pub(crate) fn enter(&self, parcel: &Parcel) -> Option<Waiting> {
        let name = match parcel {
            Parcel::Reply { place, .. } => place.platform.as_str(),
            Parcel::Submission { .. } | Parcel::Told { .. } | Parcel::Erased => "",
        };
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Queue { room, turns } = queues.entry(name.to_owned()).or_default().clone();
        Some(Waiting { turns, room: room.try_acquire_owned().ok()? })
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(ROOM)), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Waiting {
    /// Waits for the turn, which lasts until what is given is dropped; none where that takes too long.
    pub(crate) async fn turn(self) -> Option<impl Send> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.acquire_owned()).await.ok()?.ok()?;
        Some((turn, self.room))
    }
}
