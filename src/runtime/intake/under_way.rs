//! Events that are queued or running: each is marked once, however often it comes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwright_chat as chat;

use formwright_store::SessionKey;

/// An event in its session.
type Mark = (SessionKey, chat::EventId);

/// Events that are queued or running.
#[derive(Clone, Default)]
pub(crate) struct UnderWay(Arc<Mutex<HashSet<Mark>>>);

impl UnderWay {
    /// Marks an event; none where it is marked already.
    pub(crate) fn hold(&self, key: &SessionKey, event: &chat::EventId) -> Option<Held> {
        let mark = (key.clone(), event.clone());
        self.marks().insert(mark.clone()).then(|| Held { all: self.clone(), mark })
    }

    /// Whether nothing is.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.marks().is_empty()
    }

    fn marks(&self) -> MutexGuard<'_, HashSet<Mark>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The mark of an event; taken away when dropped, however its turn ends.
pub(crate) struct Held {
    all: UnderWay,
    mark: Mark,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.marks().remove(&self.mark);
    }
}
