//! Records that could not be read: counted, so that who watches sees that there are some.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Most that are told apart.
const MOST: usize = 10_000;

/// The records that could not be read since the program has started, each counted once.
#[derive(Clone, Debug, Default)]
pub(super) struct Unreadable(Arc<Mutex<BTreeSet<[u8; 8]>>>);

impl Unreadable {
    pub(super) fn note(&self, record: [u8; 8]) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() < MOST {
            found.insert(record);
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }
}
