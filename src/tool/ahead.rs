//! Calls in advance: whoever needs one that is under way waits for it, and one that failed is not made again at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hashlink::LruCache;
use serde_json::Value;
use tokio::sync::watch;

use super::cache::Key;
use formwright_engine::CallError;

/// How long a call that failed is not made in advance. Whoever needs it makes it in their time.
const REST: Duration = Duration::from_secs(60);
/// Most failures that are remembered.
const MOST: usize = 2000;

/// What came of a call; none while it is under way.
type Ended = Option<Result<Value, CallError>>;

/// The calls. Clones share them.
#[derive(Clone)]
pub(super) struct Ahead(Arc<Mutex<Calls>>);

struct Calls {
    under_way: HashMap<Key, watch::Receiver<Ended>>,
    failed: LruCache<Key, Instant>,
}

/// A call that is under way. One that is dropped ends without a word.
pub(super) struct Begun {
    ahead: Ahead,
    key: Key,
    tell: watch::Sender<Ended>,
}

impl Default for Ahead {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Calls { under_way: HashMap::new(), failed: LruCache::new_unbounded() })))
    }
}

impl Ahead {
    /// Whether a call is neither under way nor failed a short while ago.
    pub(super) fn may_begin(&self, key: Key, now: Instant) -> bool {
        self.calls().may_begin(key, now)
    }

    /// Begins a call, where it may be.
    pub(super) fn begin(&self, key: Key, now: Instant) -> Option<Begun> {
        let mut calls = self.calls();
        if !calls.may_begin(key, now) {
            return None;
        }
        let (tell, told) = watch::channel(None);
        calls.under_way.insert(key, told);
        Some(Begun { ahead: self.clone(), key, tell })
    }

    /// Waits for the call that is under way; none where there is none, or it has ended without a word.
    pub(super) async fn join(&self, key: Key) -> Option<Result<Value, CallError>> {
        let mut told = self.calls().under_way.get(&key)?.clone();
        told.wait_for(Option::is_some).await.ok()?.clone()
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calls {
    fn may_begin(&self, key: Key, now: Instant) -> bool {
        let rests = |at: &Instant| now.saturating_duration_since(*at) < REST;
        !self.under_way.contains_key(&key) && !self.failed.peek(&key).is_some_and(rests)
    }
}

impl Begun {
    /// Tells whoever waits what came of it.
    pub(super) fn end(self, result: Result<Value, CallError>, now: Instant) {
        {
            let mut calls = self.ahead.calls();
            calls.failed.remove(&self.key);
            if result.is_err() {
                calls.failed.insert(self.key, now);
            }
            while calls.failed.len() > MOST {
                calls.failed.remove_lru();
            }
        }
        self.tell.send_replace(Some(result));
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.ahead.calls().under_way.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_needs_a_call_that_is_under_way_waits_for_it() {
        let (ahead, key, now) = (Ahead::default(), Key::of_test(1), Instant::now());
        assert!(ahead.join(key).await.is_none(), "nothing is under way");
        let begun = ahead.begin(key, now).unwrap();
        assert!(ahead.begin(key, now).is_none(), "it is under way");
        let waits = tokio::spawn({
            let ahead = ahead.clone();
            async move { ahead.join(key).await }
        });
        tokio::task::yield_now().await;
        begun.end(Ok("rows".into()), now);
        assert_eq!(waits.await.unwrap(), Some(Ok("rows".into())));
        assert!(ahead.join(key).await.is_none() && ahead.may_begin(key, now));
    }

    #[tokio::test]
    async fn a_call_that_ends_without_a_word_is_waited_for_by_nobody() {
        let (ahead, key) = (Ahead::default(), Key::of_test(1));
        let begun = ahead.begin(key, Instant::now()).unwrap();
        let waits = tokio::spawn({
            let ahead = ahead.clone();
            async move { ahead.join(key).await }
        });
        tokio::task::yield_now().await;
        drop(begun);
        assert_eq!(waits.await.unwrap(), None);
    }

    #[test]
    fn a_call_that_failed_rests_for_a_while() {
        let (ahead, now) = (Ahead::default(), Instant::now());
        let key = Key::of_test(1);
        ahead.begin(key, now).unwrap().end(Err(CallError::broken("503", true)), now);
        assert!(!ahead.may_begin(key, now + REST / 2) && ahead.may_begin(Key::of_test(2), now));
        assert!(ahead.may_begin(key, now + REST));
    }
}
