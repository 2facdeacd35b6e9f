//! What one person sends is worked on in order, and what several send side by side.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// Keys kept before those that nobody waits for are forgotten.
const KEPT: usize = 1000;

/// Who is at work under which key.
#[derive(Debug, Default)]
pub struct OneByOne {
    locks: Mutex<BTreeMap<String, Arc<Lock<()>>>>,
}

/// A place in the queue of a key, from the moment it is made. The next one's turn comes when it is dropped.
pub enum Queued {
    /// It is this one's turn.
    Now(OwnedMutexGuard<()>),
    /// Others are before it.
    Behind(Pin<Box<dyn Future<Output = OwnedMutexGuard<()>> + Send>>),
}

impl OneByOne {
    /// Queues up behind all who came before under the same key.
    pub fn queue(&self, key: &str) -> Queued {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.len() >= KEPT {
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        }
        let lock = Arc::clone(locks.entry(key.to_owned()).or_default());
        // A lock is fair from the first time that it is asked on, which is now.
        let mut asked = Box::pin(tokio::task::unconstrained(lock.lock_owned()));
        match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(guard) => Queued::Now(guard),
            Poll::Pending => Queued::Behind(asked),
        }
    }

    /// Waits until all before have ended; the next one's turn comes when what this gives is dropped.
    pub async fn turn(&self, key: &str) -> OwnedMutexGuard<()> {
        self.queue(key).turn().await
    }
}

impl Queued {
    /// Waits until all before have ended.
    pub async fn turn(self) -> OwnedMutexGuard<()> {
        match self {
            Self::Now(guard) => guard,
            Self::Behind(asked) => asked.await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_same_key_waits_in_order_and_others_do_not() {
        let all = OneByOne::default();
        let (first, second, third) = (all.turn("ann").await, all.queue("ann"), all.queue("ann"));
        drop(all.queue("ben").turn().await);
        let (told, mut order) = tokio::sync::mpsc::unbounded_channel();
        for (name, queued) in [("third", third), ("second", second)] {
            let told = told.clone();
            tokio::spawn(async move {
                let _turn = queued.turn().await;
                told.send(name).unwrap();
            });
        }
        tokio::task::yield_now().await;
        assert!(order.try_recv().is_err(), "the first is still at work");
        drop(first);
        assert_eq!([order.recv().await, order.recv().await], [Some("second"), Some("third")]);
    }

    #[tokio::test]
    async fn whoever_gives_up_in_the_queue_lets_nobody_past_those_before() {
        let all = OneByOne::default();
        let (first, second, third) = (all.turn("ann").await, all.queue("ann"), all.queue("ann"));
        drop(second);
        let third = tokio::spawn(third.turn());
        tokio::task::yield_now().await;
        assert!(!third.is_finished());
        drop(first);
        third.await.unwrap();
    }

    #[tokio::test]
    async fn keys_that_nobody_waits_for_are_forgotten() {
        let all = OneByOne::default();
        let kept = all.queue("kept");
        (0..5 * KEPT).for_each(|no| drop(all.queue(&no.to_string())));
        assert!(all.locks.lock().unwrap().len() <= KEPT);
        assert!(matches!(all.queue("kept"), Queued::Behind(_)));
        drop(kept);
    }
}
