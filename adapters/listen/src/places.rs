//! So many of something at once for each key, such as connections of an address.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts what each key holds. A key that holds nothing is not remembered.
#[derive(Clone, Debug)]
pub struct Places<K: Ord> {
    most: usize,
    held: Arc<Mutex<BTreeMap<K, usize>>>,
}

/// One of a key's places, free again when dropped.
#[derive(Debug)]
pub struct Place<K: Ord> {
    key: K,
    held: Arc<Mutex<BTreeMap<K, usize>>>,
}

impl<K: Ord + Clone> Places<K> {
    /// So many places for each key.
    pub fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// A place for a key; none where it holds all of its places.
    pub fn take(&self, key: K) -> Option<Place<K>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.get(&key).copied().unwrap_or_default();
        if count >= self.most {
            return None;
        }
        held.insert(key.clone(), count + 1);
        Some(Place { key, held: Arc::clone(&self.held) })
    }
}

impl<K: Ord> Drop for Place<K> {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match held.get_mut(&self.key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(held.remove(&self.key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_places_and_gets_them_back() {
        let places = Places::new(2);
        let (first, second) = (places.take("a"), places.take("a"));
        assert!(first.is_some() && second.is_some());
        assert!(places.take("a").is_none());
        assert!(places.take("b").is_some());
        drop(first);
        assert!(places.take("a").is_some());
        drop(second);
        assert!(places.held.lock().unwrap().is_empty());
    }
}
