//! When something in a partition's outbox is ready, as far as this process knows: most looks need not be taken.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::redis::keys::Digest;
use crate::redis::row::number;
use crate::replicas::Partition;

/// How often every partition is looked at, for what other processes have put in.
const LOOK: Duration = Duration::from_secs(1);
/// Most entries under way whose partition is known by heart.
const PLACES: usize = 10_000;

/// What is known of all partitions.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    partitions: BTreeMap<Partition, Known>,
    looked: Option<Instant>,
    /// Where the entries are that were taken.
    places: BTreeMap<Digest, Partition>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Milliseconds since 1970; none where nothing waits.
    next: Option<f64>,
    /// Grows with each thing heard; what was asked before and is answered later must not undo it.
    heard: u64,
    /// Whether it was ever looked at.
    looked: bool,
}

impl Ready {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that something is ready then, or earlier. An empty text is nothing.
    pub(crate) fn earlier(&self, partition: Partition, next: &[u8]) {
        let Some(next) = number(next) else { return };
        let mut state = self.state();
        let known = state.partitions.entry(partition).or_default();
        known.heard += 1;
        known.next = Some(known.next.map_or(next, |before| before.min(next)));
    }

    /// Notes what a look found, unless something was heard since the look began.
    pub(crate) fn found(&self, partition: Partition, heard: u64, next: &[u8]) {
        let next = number(next);
        let mut state = self.state();
        let known = state.partitions.entry(partition).or_default();
        known.looked = true;
        if known.heard == heard {
            known.next = next;
        } else if let Some(next) = next {
            known.next = Some(known.next.map_or(next, |before| before.min(next)));
        }
    }

    /// Forgets what is known: a partition was taken, or leases were ended.
    pub(crate) fn forget(&self, partition: Partition) {
        let mut state = self.state();
        let known = state.partitions.entry(partition).or_default();
        known.heard += 1;
        known.looked = false;
    }

    /// How much was heard of a partition so far.
    pub(crate) fn heard(&self, partition: Partition) -> u64 {
        self.state().partitions.get(&partition).map_or(0, |known| known.heard)
    }

    /// Which of these partitions are to be looked at before it is known what is ready in them.
    pub(crate) fn unknown(&self, of: impl Iterator<Item = Partition>) -> Vec<Partition> {
        let mut state = self.state();
        let all = state.looked.is_none_or(|looked| looked.elapsed() >= LOOK);
        if all {
            state.looked = Some(Instant::now());
        }
        of.filter(|partition| all || !state.partitions.get(partition).is_some_and(|known| known.looked)).collect()
    }

    /// When something is ready in a partition.
    pub(crate) fn next(&self, partition: Partition) -> Option<f64> {
        self.state().partitions.get(&partition)?.next
    }

    /// Notes where an entry is.
    pub(crate) fn place(&self, entry: Digest, partition: Partition) {
        let mut state = self.state();
        if state.places.len() >= PLACES {
            state.places.clear();
        }
        state.places.insert(entry, partition);
    }

    /// Where an entry is.
    pub(crate) fn place_of(&self, entry: &Digest) -> Option<Partition> {
        self.state().places.get(entry).copied()
    }

    /// An entry is under way no more.
    pub(crate) fn left(&self, entry: &Digest) {
        self.state().places.remove(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_heard_during_a_look_is_not_undone_by_it() {
        let (ready, here) = (Ready::default(), Partition(3));
        let before = ready.heard(here);
        ready.earlier(here, b"500");
        ready.found(here, before, b"");
        assert_eq!(ready.next(here), Some(500.0));
        ready.found(here, ready.heard(here), b"");
        assert_eq!(ready.next(here), None);
    }
}
