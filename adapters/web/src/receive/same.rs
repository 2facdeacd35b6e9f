//! The same request, sent again while it is under way.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// Requests under way, by the ids of their events.
#[derive(Default)]
pub(crate) struct UnderWay(Mutex<BTreeMap<String, watch::Receiver<()>>>);

/// The first of them; those that wait go on when it is dropped.
pub(crate) struct First<'a> {
    all: &'a UnderWay,
    event: String,
    _ended: watch::Sender<()>,
}

impl UnderWay {
    /// Marks a request, or waits until the one that is under way has ended: its answer is in the store then. Where it failed,
    /// all that waited go on together.
    pub(crate) async fn enter(&self, event: &str) -> Option<First<'_>> {
        let mut first = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(first) = all.get(event).cloned() else {
                let (ended, first) = watch::channel(());
                all.insert(event.to_owned(), first);
                return Some(First { all: self, event: event.to_owned(), _ended: ended });
            };
            first
        };
        // It ends by being dropped.
        let _ = first.changed().await;
        None
    }
}

impl Drop for First<'_> {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.event);
    }
}
