//! The forms at hand: the current version of each, and older versions that open drafts still use.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Form, FormId, FormVersion};

/// The forms at hand. A snapshot: a reload makes a new one.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    current: BTreeMap<FormId, Arc<Form>>,
    versions: BTreeMap<(FormId, FormVersion), Arc<Form>>,
    /// Whether a step of a form among them may, or might, have to know something from outside.
    lookups: bool,
    /// Whether somebody listens, or listened, to a form among them.
    listeners: bool,
}

impl Catalog {
    /// Adds a form, or puts a new version in the place of the present one; older versions stay for open drafts.
    pub fn insert(&mut self, form: Form) {
        self.lookups |= form.looks_outside();
        self.listeners |= !form.listen.is_empty();
        let form = Arc::new(form);
        self.versions.insert((form.id.clone(), form.version.clone()), Arc::clone(&form));
        self.current.insert(form.id.clone(), form);
    }

    /// Adds the forms of another catalog, in the place of those with the same ids.
    pub fn merge(&mut self, other: Self) {
        self.lookups |= other.lookups;
        self.listeners |= other.listeners;
        self.current.extend(other.current);
        self.versions.extend(other.versions);
    }

    /// Takes a form off: it cannot be started any more, open drafts go on.
    pub fn remove(&mut self, id: &FormId) -> bool {
        self.current.remove(id).is_some()
    }

    /// Takes a form off with all its versions.
    pub fn forget(&mut self, id: &FormId) {
        self.current.remove(id);
        self.versions.retain(|(other, _), _| other != id);
    }

    /// The current version of a form.
    pub fn form(&self, id: &FormId) -> Option<&Arc<Form>> {
        self.current.get(id)
    }

    /// That very version of a form.
    pub fn version(&self, id: &FormId, version: &FormVersion) -> Option<&Arc<Form>> {
        self.versions.get(&(id.clone(), version.clone()))
    }

    /// Whether a step may have to know something from outside, for a hook or a check by a tool.
    pub fn may_look_outside(&self) -> bool {
        self.lookups
    }

    /// Whether somebody may listen to a form.
    pub fn may_have_listeners(&self) -> bool {
        self.listeners
    }

    /// Current forms, by id.
    pub fn forms(&self) -> impl Iterator<Item = &Arc<Form>> {
        self.current.values()
    }
}
