//! Connections that have not sent a whole request yet: the first to go where all places are taken.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

/// How long a connection may stay silent whoever waits for its place: its first request may still be on the way.
const GRACE: Duration = Duration::from_secs(1);

/// The silent connections, in the order in which they came.
#[derive(Clone, Default)]
pub(crate) struct Silent {
    held: Arc<Mutex<Held>>,
}

#[derive(Default)]
struct Held {
    came: u64,
    /// Since when each is silent, and what ends it when dropped.
    silent: BTreeMap<u64, (Instant, oneshot::Sender<()>)>,
}

/// One of them, until it is dropped.
pub(crate) struct Unheard {
    no: u64,
    ended: oneshot::Receiver<()>,
    of: Silent,
}

impl Silent {
    pub(crate) fn enter(&self) -> Unheard {
        let (end, ended) = oneshot::channel();
        let mut held = self.lock();
        held.came += 1;
        let no = held.came;
        held.silent.insert(no, (Instant::now(), end));
        Unheard { no, ended, of: self.clone() }
    }

    /// Ends the connection that has been silent longest, once it has had its time. Never completes where there is none.
    pub(crate) async fn end_oldest(&self) {
        loop {
            let oldest = self.lock().silent.first_key_value().map(|(no, (since, _))| (*no, *since + GRACE));
            match oldest {
                None => pending().await,
                Some((no, until)) if until <= Instant::now() => return drop(self.lock().silent.remove(&no)),
                Some((_, until)) => sleep_until(until).await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unheard {
    /// Completes when somebody else needs the place.
    pub(crate) async fn ended(&mut self) {
        // The other end is dropped, never used.
        let _ = (&mut self.ended).await;
    }
}

impl Drop for Unheard {
    fn drop(&mut self) {
        self.of.lock().silent.remove(&self.no);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_has_been_silent_longest_goes_first_and_not_before_its_time() {
        let silent = Silent::default();
        let (spoke, mut oldest, mut newest) = (silent.enter(), silent.enter(), silent.enter());
        drop(spoke);
        let began = Instant::now();
        silent.end_oldest().await;
        assert_eq!(began.elapsed(), GRACE);
        oldest.ended().await;
        tokio::select! {
            biased;
            () = newest.ended() => panic!("it was not its turn"),
            () = std::future::ready(()) => {}
        }
        drop(oldest);
        silent.end_oldest().await;
        newest.ended().await;
    }
}
