//! Which sessions were told that there is trouble.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use formwright_store::SessionKey;
use tokio::time::Instant;

/// How often a session is told of trouble, at most.
const TOLD: Duration = Duration::from_secs(60);
/// Most sessions of which it is remembered that they were told.
const REMEMBERED: usize = 10_000;

/// When sessions were told that there is trouble.
#[derive(Default)]
pub(crate) struct Troubled(Mutex<BTreeMap<SessionKey, Instant>>);

impl Troubled {
    /// Whether a session is to be told now; counts it as told.
    pub(super) fn is_to_be_told(&self, key: &SessionKey) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= REMEMBERED {
            drop_old(&mut told);
        }
        let fresh = told.get(key).is_some_and(|at| at.elapsed() < TOLD);
        let room = told.len() < REMEMBERED;
        if !fresh && room {
            told.insert(key.clone(), Instant::now());
        }
        !fresh && room
    }

    pub(super) fn was_not_told(&self, key: &SessionKey) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    /// Forgets sessions that may be told again.
    pub(crate) fn forget_old(&self) {
        drop_old(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn drop_old(told: &mut BTreeMap<SessionKey, Instant>) {
    told.retain(|_, at| at.elapsed() < TOLD);
}
