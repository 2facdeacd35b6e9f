//! What is known of the desks: which can be reached, and since when.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// What is known of the desks.
#[derive(Default)]
pub(crate) struct Reach(Mutex<Known>);

#[derive(Default)]
pub(super) struct Known {
    /// Desks that cannot be reached: why, and until when no look says otherwise.
    pub(super) shut: BTreeMap<String, (String, Timestamp)>,
    /// Desks that could be reached at some time.
    pub(super) met: BTreeSet<String>,
    /// When they were looked at first.
    pub(super) began: Option<Timestamp>,
    /// By which the forms are switched now.
    pub(super) reached: Option<BTreeSet<String>>,
}

impl Reach {
    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// A desk was reached; that counts against what was found out before `until`.
    pub(super) fn meet(&mut self, desk: &str, until: Timestamp) {
        if self.shut.get(desk).is_some_and(|(_, shut_until)| *shut_until <= until) {
            self.shut.remove(desk);
        }
        self.met.insert(desk.to_owned());
    }
}
