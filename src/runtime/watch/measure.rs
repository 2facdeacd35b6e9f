//! What was measured, for whoever watches: counted as it happens, and looked up when they ask.

use std::time::Duration;

use tokio::time::Instant;

use super::metrics::Looked;
use crate::Runtime;
use formwright_store::{Backlog, Replicas, StoreError};

/// How long the store has to say how it stands.
const DEADLINE: Duration = Duration::from_secs(2);
/// How long what it said holds: whoever asks often costs it no more than whoever asks now and then.
const FRESH: Duration = Duration::from_secs(5);

impl Runtime {
    /// Everything measured, as `OpenMetrics` text.
    pub(crate) async fn measured(&self) -> String {
        let looked = Looked {
            now: self.clock.now(),
            mailboxes: self.mailboxes.load(),
            stored: self.look_at_store().await,
            partitions: self.store.replicas().map(Replicas::held),
            model: self.model.as_ref().map(|model| model.health()),
        };
        self.metrics.text(&looked)
    }

    async fn look_at_store(&self) -> Option<(u64, Backlog)> {
        let mut last = self.last_look.lock().await;
        if let Some((_, known)) = last.as_ref().filter(|(at, known)| known.is_some() && at.elapsed() < FRESH) {
            return *known;
        }
        let looking = async { Ok::<_, StoreError>((self.store.session_count().await?, self.store.backlog().await?)) };
        let known = match tokio::time::timeout(DEADLINE, looking).await {
            Ok(Ok(known)) => Some(known),
            Ok(Err(error)) => {
                tracing::warn!(error = %formwright_chat::chain(&error), "how the store stands is not known");
                None
            }
            Err(_) => None,
        };
        *last = Some((Instant::now(), known));
        known
    }
}
