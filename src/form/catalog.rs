//! The forms at hand: the current version of each, and older versions that open drafts still use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use formwright_values::{FormId, FormVersion};

use super::Form;

/// The forms at hand. A snapshot: a reload makes a new one.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    current: BTreeMap<FormId, Arc<Form>>,
    versions: BTreeMap<(FormId, FormVersion), Arc<Form>>,
    /// Whether a step of a form among them may, or might, have to know something from outside.
    lookups: bool,
    /// Whether somebody listens, or listened, to a form among them.
    listeners: bool,
    /// Forms that come from no file.
    own: BTreeSet<FormId>,
    /// Seconds an untouched draft is kept of a form that does not say; none stands for [`Self::DRAFT_TTL`].
    draft_ttl: Option<u64>,
    /// Time zones of people whose own is not known.
    zones: Zones,
    /// Desks that can be reached; none where nobody looks.
    reached: Option<BTreeSet<String>>,
}

/// Time zones of the settings, for people whose own is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zones {
    /// Of a platform, by its name.
    pub platforms: BTreeMap<String, String>,
    /// Of all others.
    pub others: Option<String>,
}

impl Catalog {
    /// Seconds an untouched draft is kept where nobody says.
    pub const DRAFT_TTL: u64 = 7 * 86_400;

    /// Adds a form, or puts a new version in the place of the present one; older versions stay for open drafts.
    pub fn insert(&mut self, form: Form) {
        self.lookups |= form.looks_outside();
        self.listeners |= !form.listen.is_empty();
        let form = Arc::new(form);
        self.versions.insert((form.id.clone(), form.version.clone()), Arc::clone(&form));
        self.current.insert(form.id.clone(), form);
        self.switch_by_desks();
    }

    /// Adds a form that a program brings along. It stays when form files are read again, and a file with its id does not
    /// take its place.
    pub fn insert_own(&mut self, form: Form) {
        self.own.insert(form.id.clone());
        self.insert(form);
    }

    /// Whether a form comes from no file.
    pub fn is_own(&self, id: &FormId) -> bool {
        self.own.contains(id)
    }

    /// Sets how many seconds an untouched draft is kept of a form that does not say.
    pub fn keep_drafts(&mut self, seconds: u64) {
        self.draft_ttl = Some(seconds);
    }

    /// Sets the time zones of people whose own is not known.
    pub fn set_zones(&mut self, zones: Zones) {
        self.zones = zones;
    }

    /// The time zone of people on a platform whose own is not known; none where nobody says.
    pub fn zone_of(&self, platform: &formwright_chat::Platform) -> Option<&str> {
        self.zones.platforms.get(platform.as_str()).or(self.zones.others.as_ref()).map(String::as_str)
    }

    /// How many seconds an untouched draft of a form is kept.
    pub fn draft_ttl(&self, form: Option<&Form>) -> u64 {
        form.and_then(|form| form.draft_ttl).or(self.draft_ttl).unwrap_or(Self::DRAFT_TTL)
    }

    /// Adds the forms of another catalog, in the place of those with the same ids.
    pub fn merge(&mut self, other: Self) {
        self.lookups |= other.lookups;
        self.listeners |= other.listeners;
        self.own.extend(other.own);
        self.current.extend(other.current);
        self.versions.extend(other.versions);
        self.switch_by_desks();
    }

    /// Switches forms off while a desk that they need is not among these, and on again. Open drafts go on.
    pub fn reach_desks(&mut self, reached: BTreeSet<String>) {
        self.reached = Some(reached);
        self.switch_by_desks();
    }

    /// The desks that keep a form off because they cannot be reached.
    pub fn desks_out_of_reach<'f>(&self, form: &'f Form) -> impl Iterator<Item = &'f str> {
        form.desks().filter(|desk| self.reached.as_ref().is_some_and(|reached| !reached.contains(*desk)))
    }

    fn switch_by_desks(&mut self) {
        let Some(reached) = &self.reached else { return };
        for form in self.current.values_mut().filter(|form| form.desks().next().is_some()) {
            // A form is kept by its version as its author has it.
            let Some(own) = self.versions.get(&(form.id.clone(), form.version.clone())) else { continue };
            let is_reached = own.desks().all(|desk| reached.contains(desk));
            *form = if is_reached { Arc::clone(own) } else { Arc::new(Form { enabled: false, ..Form::clone(own) }) };
        }
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
