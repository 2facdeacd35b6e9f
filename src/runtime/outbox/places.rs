//! How many deliveries each sink may have under way: one that hangs leaves room for the others, and for replies.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use formwright_form::Sink;

/// Most deliveries at once to one sink.
const EACH: usize = 8;
/// How long a delivery waits for a place.
const PATIENCE: Duration = Duration::from_secs(1);

/// The places of each sink.
#[derive(Debug, Default)]
pub(crate) struct Places(Mutex<Vec<(Sink, Arc<Semaphore>)>>);

impl Places {
    /// A place for a delivery, given back when it is dropped; none where all are taken for longer than a moment.
    pub(crate) async fn take(&self, sink: &Sink) -> Option<OwnedSemaphorePermit> {
        let places = self.of(sink);
        tokio::time::timeout(PATIENCE, places.acquire_owned()).await.ok()?.ok()
    }

    fn of(&self, sink: &Sink) -> Arc<Semaphore> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, places)) = all.iter().find(|(known, _)| known == sink) {
            return Arc::clone(places);
        }
        all.retain(|(_, places)| Arc::strong_count(places) > 1);
        let places = Arc::new(Semaphore::new(EACH));
        all.push((sink.clone(), Arc::clone(&places)));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sink_that_hangs_leaves_room_for_another() {
        let places = Places::default();
        let [hangs, other] = ["a", "b"].map(|file| Sink::Jsonl { file: Some(file.to_owned()) });
        let mut held = Vec::new();
        for _ in 0..EACH {
            held.extend(places.take(&hangs).await);
        }
        assert_eq!(held.len(), EACH);
        assert!(places.take(&hangs).await.is_none());
        assert!(places.take(&other).await.is_some());
        held.pop();
        assert!(places.take(&hangs).await.is_some());
    }
}
