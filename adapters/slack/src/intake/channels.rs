//! Names of channels that were asked for lately.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// Channels asked for lately; none where Slack does not tell the name.
#[derive(Default)]
pub(crate) struct Channels {
    known: Mutex<BTreeMap<String, (Timestamp, Option<String>)>>,
}

impl Channels {
    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, (Timestamp, Option<String>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
