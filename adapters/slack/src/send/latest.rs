//! Work that is only for show: of several pieces for the same thing the newest is done, and what comes too late is not.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::api::ApiError;

/// After so long nobody looks at it any more.
const LATE: Duration = Duration::from_secs(120);
/// The pause after Slack did not answer.
const PAUSE: Duration = Duration::from_secs(2);

/// What waits to be shown, by what it is shown on.
pub(crate) struct Latest<T> {
    /// With nothing that waits, a worker is at it.
    waiting: Mutex<BTreeMap<String, Option<(Instant, T)>>>,
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self { waiting: Mutex::default() }
    }
}

impl<T: Clone> Latest<T> {
    /// Puts something in place of what waits under the same key. True where nobody is at it: the caller is to
    /// [`Self::work_off`] the key then.
    #[must_use]
    pub(crate) fn put(&self, key: &str, value: T) -> bool {
        let value = Some((Instant::now(), value));
        self.lock().insert(key.to_owned(), value).is_none()
    }

    /// Shows what waits under a key, and what comes meanwhile. `show` is tried again where Slack asks to wait or does not
    /// answer.
    pub(crate) async fn work_off<Shown>(&self, key: &str, show: impl Fn(T) -> Shown)
    where
        Shown: Future<Output = Result<(), ApiError>>,
    {
        while let Some((since, value)) = self.next(key) {
            let pause = match show(value.clone()).await {
                Ok(()) => continue,
                Err(ApiError::Wait(after)) => after,
                Err(ApiError::Failed(_)) => PAUSE,
                Err(error @ ApiError::Refused(_)) => {
                    tracing::debug!(%error, key, "a change is not shown");
                    continue;
                }
            };
            if since.elapsed() + pause > LATE {
                tracing::debug!(key, "a change comes too late to be shown");
                continue;
            }
            tokio::time::sleep(pause).await;
            if let Some(waiting @ None) = self.lock().get_mut(key) {
                *waiting = Some((since, value));
            }
        }
    }

    /// What is to be shown now; without anything the key is free for another worker.
    fn next(&self, key: &str) -> Option<(Instant, T)> {
        let mut waiting = self.lock();
        let next = waiting.get_mut(key).and_then(Option::take);
        if next.is_none() {
            waiting.remove(key);
        }
        next
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Option<(Instant, T)>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows what waits under a key while Slack answers so, one answer a try; gives what was tried, with the second.
    async fn tried(latest: &Latest<&'static str>, answers: &[Result<(), ApiError>]) -> Vec<(u64, &'static str)> {
        let (start, answers) = (Instant::now(), Mutex::new(answers.iter().cloned()));
        let tried = Mutex::new(Vec::new());
        let show = |value| {
            tried.lock().unwrap().push((start.elapsed().as_secs(), value));
            std::future::ready(answers.lock().unwrap().next().unwrap_or(Ok(())))
        };
        latest.work_off("C1:1", show).await;
        tried.into_inner().unwrap()
    }

    fn wait(seconds: u64) -> Result<(), ApiError> {
        Err(ApiError::Wait(Duration::from_secs(seconds)))
    }

    #[tokio::test(start_paused = true)]
    async fn of_several_changes_the_newest_is_shown_once() {
        let latest = Latest::default();
        assert!(latest.put("C1:1", "first"));
        assert!(!latest.put("C1:1", "second") && latest.put("C1:2", "other"));
        assert_eq!(tried(&latest, &[]).await, [(0, "second")]);
        assert!(latest.put("C1:1", "third"), "nobody is at it any more");
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_waits_as_long_as_slack_asks_and_one_that_comes_too_late_is_dropped() {
        let latest = Latest::default();
        assert!(latest.put("C1:1", "tick"));
        assert_eq!(tried(&latest, &[wait(30), wait(30)]).await, [(0, "tick"), (30, "tick"), (60, "tick")]);
        assert!(latest.put("C1:1", "tick"));
        assert_eq!(tried(&latest, &[wait(100), wait(30)]).await, [(0, "tick"), (100, "tick")]);
        assert!(latest.lock().is_empty() || latest.lock().keys().eq(["C1:2"]));
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_while_slack_made_it_wait_takes_its_place() {
        let latest = Latest::default();
        assert!(latest.put("C1:1", "old"));
        let newer = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            latest.put("C1:1", "new")
        };
        let answers = [wait(10)];
        let (tried, is_idle) = tokio::join!(tried(&latest, &answers), newer);
        assert_eq!((tried, is_idle), (vec![(0, "old"), (10, "new")], false));
    }
}
