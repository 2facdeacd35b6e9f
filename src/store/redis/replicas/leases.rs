//! Which partitions this process holds, as far as it knows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use crate::replicas::Partition;

/// A partition that is held.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// What a commit must still find: the epoch and the replica.
    pub(crate) fence: String,
    /// The lease is over then, counted from before it was asked for.
    pub(crate) until: Instant,
    /// It is another replica's share: nothing new is begun.
    pub(crate) leaving: bool,
}

/// The partitions that are held.
#[derive(Debug, Default)]
pub(crate) struct Leases {
    held: Mutex<BTreeMap<Partition, Held>>,
    retired: AtomicBool,
    /// Renewing and giving back take turns.
    pub(crate) turn: tokio::sync::Mutex<()>,
}

impl Leases {
    fn table(&self) -> MutexGuard<'_, BTreeMap<Partition, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether turns of a partition are begun here.
    pub(crate) fn works_on(&self, partition: Partition) -> bool {
        !self.retired() && self.table().get(&partition).is_some_and(Held::works)
    }

    /// The partitions whose turns are begun here, with their fences.
    pub(crate) fn working(&self) -> Vec<(Partition, String)> {
        if self.retired() {
            return Vec::new();
        }
        let table = self.table();
        table
            .iter()
            .filter(|(_, held)| held.works())
            .map(|(partition, held)| (*partition, held.fence.clone()))
            .collect()
    }

    /// The partitions held, with their fences.
    pub(crate) fn held(&self) -> Vec<(Partition, String)> {
        self.table().iter().map(|(partition, held)| (*partition, held.fence.clone())).collect()
    }

    /// What a commit in a partition must still find. Whether the lease is over does not matter as long as nobody took
    /// the partition.
    pub(crate) fn fence(&self, partition: Partition) -> Option<String> {
        self.table().get(&partition).map(|held| held.fence.clone())
    }

    /// Notes that a partition is held; tells whether it is newly so.
    pub(crate) fn keep(&self, partition: Partition, held: Held) -> bool {
        let fence = held.fence.clone();
        let before = self.table().insert(partition, held);
        before.is_none_or(|before| before.fence != fence)
    }

    /// Notes that a partition is not held under this fence.
    pub(crate) fn lost(&self, partition: Partition, fence: &str) {
        let mut table = self.table();
        if table.get(&partition).is_some_and(|held| held.fence == fence) {
            table.remove(&partition);
        }
    }

    pub(crate) fn retire(&self) {
        self.retired.store(true, Ordering::SeqCst);
    }

    pub(crate) fn retired(&self) -> bool {
        self.retired.load(Ordering::SeqCst)
    }
}

impl Held {
    fn works(&self) -> bool {
        !self.leaving && Instant::now() < self.until
    }
}

/// Whose share a partition is among the living: each partition goes to the replica that draws the highest number for it,
/// so that one that comes or goes moves no partition between two others.
pub(crate) fn owner_of(partition: Partition, living: &[String]) -> Option<&String> {
    let draw = |replica: &String| {
        let sum = Sha256::new().chain_update(partition.0.to_le_bytes()).chain_update(replica).finalize();
        <[u8; 32]>::from(sum)
    };
    living.iter().max_by_key(|replica| draw(replica))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::redis::keys::all;

    fn shares(living: &[&str]) -> Vec<String> {
        let living: Vec<String> = living.iter().map(|&name| name.to_owned()).collect();
        all().map(|partition| owner_of(partition, &living).unwrap().clone()).collect()
    }

    #[test]
    fn shares_are_even_and_only_those_of_one_that_goes_move() {
        let (three, two) = (shares(&["a", "b", "c"]), shares(&["a", "c"]));
        for name in ["a", "b", "c"] {
            let share = three.iter().filter(|owner| *owner == name).count();
            assert!((12..=32).contains(&share), "{name} has {share}");
        }
        let moved: BTreeSet<&String> =
            three.iter().zip(&two).filter(|(before, after)| before != after).map(|(before, _)| before).collect();
        assert_eq!(moved, BTreeSet::from([&"b".to_owned()]));
        assert_eq!(owner_of(Partition(0), &[]), None);
    }
}
