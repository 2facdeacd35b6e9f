//! A server that fails again and again is left alone for a while, then tried with one call.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row after which it is left alone.
const FAILURES: u32 = 5;
/// How long it is left alone, the first time and at most.
const REST: (Duration, Duration) = (Duration::from_secs(15), Duration::from_secs(300));

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    rests: u32,
    /// The last call failed because the key is not accepted.
    refused: bool,
    /// Left alone until then; calls after that wait for the one that tries.
    until: Option<Instant>,
}

impl Breaker {
    /// Whether the server may be called. After a rest one caller may; the others wait for what comes of it.
    pub(super) fn may_call(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(until) = state.until else { return true };
        if now < until {
            return false;
        }
        state.until = Some(now + REST.0);
        true
    }

    /// Whether it is left alone now.
    pub(super) fn is_resting(&self, now: Instant) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.until.is_some_and(|until| now < until)
    }

    /// Leaves the server alone until then: it asked for that.
    pub(super) fn rest_until(&self, until: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.until = Some(state.until.map_or(until, |known| known.max(until)));
    }

    /// Whether it has failed so often that it is left alone for that, rather than because it asked.
    pub(super) fn has_failed(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failures >= FAILURES
    }

    /// Whether the key was not accepted when it was last tried.
    pub(super) fn is_refused(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).refused
    }

    /// Notes that an answer came, of which nobody knows yet whether it is worth anything: others may call again.
    pub(super) fn answered(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.until = None;
        state.refused = false;
    }

    /// Notes that the key is not accepted, which the next call will not change: it is left alone at once. Tells whether
    /// that is news.
    pub(super) fn refuse(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.max(FAILURES);
        let known = std::mem::replace(&mut state.refused, true);
        drop(state);
        self.note(false, now);
        !known
    }

    /// Notes how a call ended.
    pub(super) fn note(&self, well: bool, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if well {
            *state = State::default();
            return;
        }
        state.until = None;
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            let rest = REST.0.saturating_mul(1 << state.rests.min(8)).min(REST.1);
            state.rests = state.rests.saturating_add(1);
            state.until = Some(now + rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_server_rests_longer_each_time_and_one_call_tries_it() {
        let breaker = Breaker::default();
        let start = Instant::now();
        for _ in 0..FAILURES {
            assert!(breaker.may_call(start));
            breaker.note(false, start);
        }
        assert!(!breaker.may_call(start + Duration::from_secs(14)));
        let tried = start + Duration::from_secs(15);
        assert!(breaker.may_call(tried));
        assert!(!breaker.may_call(tried), "only one call tries");
        breaker.note(false, tried);
        assert!(!breaker.may_call(tried + Duration::from_secs(29)));
        let again = tried + Duration::from_secs(30);
        assert!(breaker.may_call(again));
        breaker.note(true, again);
        assert!(breaker.may_call(again) && breaker.may_call(again));
    }

    #[test]
    fn answers_that_are_worth_nothing_are_failures_too() {
        let breaker = Breaker::default();
        let start = Instant::now();
        for no in 0..FAILURES {
            assert!(breaker.may_call(start) && !breaker.has_failed(), "{no}");
            breaker.answered();
            breaker.note(false, start);
        }
        assert!(!breaker.may_call(start) && breaker.has_failed());
    }

    #[test]
    fn who_does_not_accept_the_key_rests_at_once_until_it_does() {
        let breaker = Breaker::default();
        let start = Instant::now();
        assert!(breaker.refuse(start) && breaker.is_refused() && !breaker.may_call(start));
        let again = start + REST.0;
        assert!(breaker.may_call(again) && breaker.is_refused(), "it is tried, and nothing better is known of it");
        assert!(!breaker.refuse(again), "that is no news");
        let again = again + 2 * REST.0;
        assert!(breaker.may_call(again));
        breaker.answered();
        assert!(!breaker.is_refused() && breaker.may_call(again));
    }

    #[test]
    fn a_server_rests_as_long_as_it_asked() {
        let breaker = Breaker::default();
        let start = Instant::now();
        breaker.rest_until(start + Duration::from_secs(5));
        assert!(breaker.is_resting(start) && !breaker.may_call(start) && !breaker.has_failed());
        let after = start + Duration::from_secs(5);
        assert!(!breaker.is_resting(after) && breaker.may_call(after));
        breaker.note(false, after);
        assert!(breaker.may_call(after), "one failure alone makes nobody rest");
    }
}
