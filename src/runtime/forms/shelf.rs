//! Which forms came along with events, and which of them make room for others.

use std::sync::{Mutex, PoisonError};

use formwright_form::FormId;
use hashlink::LruCache;

/// Most such forms in the catalog; the one used longest ago makes room.
const MOST: usize = 200;

/// Which forms of the catalog came along with events, those used longest ago first.
pub(crate) struct Shelf(Mutex<LruCache<FormId, ()>>);

impl Default for Shelf {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new_unbounded()))
    }
}

impl Shelf {
    /// Notes that a form is used; gives those that make room for it.
    pub(super) fn used(&self, id: &FormId) -> Vec<FormId> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(id.clone(), ());
        let surplus = kept.len().saturating_sub(MOST);
        (0..surplus).filter_map(|_| kept.remove_lru()).map(|(id, ())| id).collect()
    }
}
