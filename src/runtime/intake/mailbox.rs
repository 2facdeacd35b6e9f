//! One turn at a time in a session, in the order of arrival; sessions beside each other.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use formwright_store::SessionKey;

/// Most turns that wait in a session.
pub(crate) const ROOM: usize = 32;

/// The queues of the sessions that have something to do.
#[derive(Default)]
pub(crate) struct Mailboxes {
    /// A session is in here while a worker empties its queue.
    queues: Mutex<HashMap<SessionKey, VecDeque<Job>>>,
    quiet: tokio::sync::Notify,
}

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The session has too much to do already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Mailboxes {
    /// Puts a job behind those of the session that were put in before.
    pub(crate) fn post(
        self: &Arc<Self>,
        key: &SessionKey,
        job: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Full> {
        let queues = self.queues();
        if queues.get(key).is_some_and(|queue| queue.len() >= ROOM) {
            return Err(Full);
        }
        self.put(queues, key, Box::pin(job));
        Ok(())
    }

    /// The same for what is in the store already: kept waiting there it could be overtaken, so there is always room.
    pub(crate) fn post_kept(self: &Arc<Self>, key: &SessionKey, job: impl Future<Output = ()> + Send + 'static) {
        self.put(self.queues(), key, Box::pin(job));
    }

    fn put(
        self: &Arc<Self>,
        mut queues: MutexGuard<'_, HashMap<SessionKey, VecDeque<Job>>>,
        key: &SessionKey,
        job: Job,
    ) {
        if let Some(queue) = queues.get_mut(key) {
            queue.push_back(job);
            return;
        }
        queues.insert(key.clone(), VecDeque::new());
        drop(queues);
        let (mailboxes, key) = (Arc::clone(self), key.clone());
        tokio::spawn(mailboxes.empty(key, job));
    }

    /// Number of sessions that have something to do, and of jobs that wait behind others.
    pub(crate) fn load(&self) -> (usize, usize) {
        let queues = self.queues();
        (queues.len(), queues.values().map(VecDeque::len).sum())
    }

    /// Whether a session that fits has something to do.
    pub(crate) fn any(&self, fits: impl Fn(&SessionKey) -> bool) -> bool {
        self.queues().keys().any(fits)
    }

    /// Whether the session would take another job now.
    pub(crate) fn has_room(&self, key: &SessionKey) -> bool {
        self.queues().get(key).is_none_or(|queue| queue.len() < ROOM)
    }

    /// Waits until nothing is to be done, at most so long.
    pub(crate) async fn settle(&self, patience: Duration) {
        let quiet = async {
            loop {
                let notified = self.quiet.notified();
                if self.queues().is_empty() {
                    return;
                }
                notified.await;
            }
        };
        let _ = tokio::time::timeout(patience, quiet).await;
    }

    async fn empty(self: Arc<Self>, key: SessionKey, first: Job) {
        let mut job = first;
        loop {
            // A job that panics ends no other.
            let poll = |cx: &mut Context<'_>| match catch_unwind(AssertUnwindSafe(|| job.as_mut().poll(cx))) {
                Ok(poll) => poll,
                Err(_) => {
                    tracing::error!("a turn ended badly");
                    Poll::Ready(())
                }
            };
            std::future::poll_fn(poll).await;
            let mut queues = self.queues();
            match queues.get_mut(&key).and_then(VecDeque::pop_front) {
                Some(next) => job = next,
                None => {
                    queues.remove(&key);
                    if queues.is_empty() {
                        self.quiet.notify_waiters();
                    }
                    return;
                }
            }
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<SessionKey, VecDeque<Job>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    fn key(user: &str) -> SessionKey {
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "c".to_owned(),
            thread: None,
        };
        SessionKey::new(&place, &chat::UserId::new(user))
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn jobs_of_a_session_run_in_order_and_those_of_others_meanwhile() {
        let mailboxes = Arc::new(Mailboxes::default());
        let (open, gate) = oneshot::channel::<()>();
        let (done, mut order) = mpsc::unbounded_channel();
        let job = |no: u32| {
            let done = done.clone();
            async move { done.send(no).unwrap() }
        };
        let (held, first) = (job(0), job(1));
        mailboxes
            .post(&key("ann"), async {
                gate.await.unwrap();
                held.await;
            })
            .unwrap();
        mailboxes.post(&key("ann"), async { panic!("a job that fails") }).unwrap();
        mailboxes.post(&key("ann"), first).unwrap();
        mailboxes.post(&key("ann"), job(2)).unwrap();
        mailboxes.post(&key("ben"), job(99)).unwrap();
        assert_eq!(order.recv().await, Some(99));
        open.send(()).unwrap();
        for no in 0..3 {
            assert_eq!(order.recv().await, Some(no));
        }
        mailboxes.settle(Duration::from_secs(5)).await;
        assert!(mailboxes.queues().is_empty(), "an idle session takes no room");
    }

    #[tokio::test]
    async fn a_session_takes_so_many_and_no_more() {
        let mailboxes = Arc::new(Mailboxes::default());
        mailboxes.post(&key("ann"), std::future::pending()).unwrap();
        for _ in 0..ROOM {
            assert!(mailboxes.has_room(&key("ann")));
            mailboxes.post(&key("ann"), async {}).unwrap();
        }
        assert!(!mailboxes.has_room(&key("ann")));
        assert_eq!(mailboxes.post(&key("ann"), async {}), Err(Full));
        assert_eq!(mailboxes.post(&key("ben"), async {}), Ok(()));
    }
}
