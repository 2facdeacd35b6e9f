//! Full-text search in the documents of forms, by the engine's port for it.
//!
//! Documents are split into passages, which SQLite's FTS5 keeps in memory; it gives the passages that share words with a
//! question, and `about.rs` says which of them the question is about. An index is made when it is first needed, under
//! the digest of its documents: a form that is read again has another one, and one that came along with a request has
//! one too.

mod about;
mod alike;
mod excerpt;
mod index;
mod split;
#[cfg(test)]
mod tests;
mod words;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use hashlink::LruCache;

use formwright_engine::{Library, Passage};
use formwright_form::context::Context;
use formwright_form::{Catalog, Form};
use index::Index;

/// Most indexes that are kept; the one used longest ago makes room.
const MOST: usize = 256;

/// The documents of all forms, searchable.
pub struct Shelf {
    common: RwLock<Arc<Context>>,
    indexes: Mutex<LruCache<String, Arc<Index>>>,
}

impl Default for Shelf {
    fn default() -> Self {
        Self { common: RwLock::default(), indexes: Mutex::new(LruCache::new(MOST)) }
    }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl Shelf {
    /// Puts other documents in the place of those for all forms.
    pub fn share(&self, common: Context) {
        *self.common.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(common);
    }

    /// Makes the indexes of these forms now, so that nobody waits for them.
    ///
    /// # Errors
    /// Which form's documents cannot be searched, and why, for the operator.
    pub fn prepare(&self, forms: &Catalog) -> Result<(), String> {
        let common = self.common();
        self.index(&common).map_err(|error| format!("the documents for all forms cannot be searched: {error}"))?;
        for form in forms.forms() {
            let made = self.index(&form.context);
            made.map_err(|error| format!("the documents of `{}` cannot be searched: {error}", form.id))?;
        }
        Ok(())
    }

    fn common(&self) -> Arc<Context> {
        Arc::clone(&self.common.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn index(&self, context: &Context) -> rusqlite::Result<Option<Arc<Index>>> {
        if context.is_empty() {
            return Ok(None);
        }
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = indexes.get(&context.digest) {
            return Ok(Some(Arc::clone(index)));
        }
        let index = Arc::new(Index::of(&context.documents)?);
        indexes.insert(context.digest.clone(), Arc::clone(&index));
        Ok(Some(index))
    }

    fn find_in(&self, context: &Context, question: &str, lang: &str) -> Option<Passage> {
        let found = self.index(context).and_then(|index| match index {
            Some(index) => about::find(&index, question, lang),
            None => Ok(None),
        });
        found.unwrap_or_else(|error| {
            tracing::error!(%error, "documents cannot be searched");
            None
        })
    }
}

impl Library for Shelf {
    fn find(&self, form: Option<&Form>, question: &str, lang: &str) -> Option<Passage> {
        let own = form.and_then(|form| self.find_in(&form.context, question, lang));
        let common = self.find_in(&self.common(), question, lang);
        // Where both answer alike, the form knows better.
        match (own, common) {
            (Some(own), Some(common)) if common.rank() > own.rank() => Some(common),
            (own, common) => own.or(common),
        }
    }
}
