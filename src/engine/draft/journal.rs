//! Every mutation of a draft's answers, written down so that it can be undone.

use std::collections::{BTreeMap, BTreeSet};

use crate::session::screen::Addr;
use crate::session::{Change, Draft};
use formwright_form::{Path, Value};
use formwright_nlu::{Answer, ListState};

/// Greatest number of changes that can be undone.
const UNDO_DEPTH: usize = 50;

/// A draft together with what this step has changed in it.
#[derive(Debug)]
pub(crate) struct Journal {
    pub(crate) draft: Draft,
    pub(crate) change: Change,
}

impl Journal {
    pub(crate) fn new(draft: Draft) -> Self {
        let change = Change {
            pages_hidden: draft.pages_hidden.clone(),
            pages_done: draft.pages_done.clone(),
            ..Change::default()
        };
        Self { draft, change }
    }

    pub(crate) fn set_answer(&mut self, path: &Path, answer: Option<Answer>) {
        let old = put(&mut self.draft.answers, path, answer);
        self.change.answers.entry(path.clone()).or_insert(old);
    }

    pub(crate) fn set_kept(&mut self, path: &Path, answer: Option<Answer>) {
        let old = put(&mut self.draft.kept, path, answer);
        self.change.kept.entry(path.clone()).or_insert(old);
    }

    pub(crate) fn set_offered(&mut self, path: &Path, value: Option<Value>) {
        let old = put(&mut self.draft.offered, path, value);
        self.change.offered.entry(path.clone()).or_insert(old);
    }

    pub(crate) fn set_list(&mut self, path: &Path, list: Option<ListState>) {
        let old = put(&mut self.draft.lists, path, list);
        self.change.lists.entry(path.clone()).or_insert(old);
    }

    pub(crate) fn set_skipped(&mut self, path: &Path, on: bool) {
        let was = put_in(&mut self.draft.skipped, path, on);
        self.change.skipped.entry(path.clone()).or_insert(was);
    }

    pub(crate) fn set_hidden(&mut self, path: &Path, on: bool) {
        let was = put_in(&mut self.draft.hidden, path, on);
        self.change.hidden.entry(path.clone()).or_insert(was);
    }

    pub(crate) fn set_todo(&mut self, addr: Addr, on: bool) {
        let was = put_in(&mut self.draft.todo, &addr, on);
        if was != on && !self.change.todo.iter().any(|(seen, _)| *seen == addr) {
            self.change.todo.push((addr, was));
        }
    }

    /// Closes the step: what it changed becomes one entry of the undo stack.
    pub(crate) fn finish(mut self) -> Draft {
        if self.is_changed() {
            self.draft.undo.push(self.change);
            self.draft.redo.clear();
            let surplus = self.draft.undo.len().saturating_sub(UNDO_DEPTH);
            self.draft.undo.drain(..surplus);
        }
        self.draft
    }

    /// Whether anything that a person would call a change has happened.
    pub(crate) fn is_changed(&self) -> bool {
        let draft = &self.draft;
        self.change.answers.iter().any(|(path, old)| draft.answers.get(path) != old.as_ref())
            || self.change.kept.iter().any(|(path, old)| draft.kept.get(path) != old.as_ref())
            || self.change.lists.iter().any(|(path, old)| draft.lists.get(path) != old.as_ref())
            || self.change.skipped.iter().any(|(path, old)| draft.skipped.contains(path) != *old)
    }
}

/// Takes the last change back, or puts the last one taken back on again; tells whether there was one.
pub(crate) fn travel(draft: &mut Draft, direction: Direction) -> bool {
    let change = match direction {
        Direction::Undo => draft.undo.pop(),
        Direction::Redo => draft.redo.pop(),
    };
    let Some(change) = change else { return false };
    let inverse = swap(draft, change);
    match direction {
        Direction::Undo => draft.redo.push(inverse),
        Direction::Redo => draft.undo.push(inverse),
    }
    true
}

/// Which way to travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Undo,
    Redo,
}

fn swap(draft: &mut Draft, change: Change) -> Change {
    Change {
        answers: swap_map(&mut draft.answers, change.answers),
        kept: swap_map(&mut draft.kept, change.kept),
        offered: swap_map(&mut draft.offered, change.offered),
        lists: swap_map(&mut draft.lists, change.lists),
        skipped: swap_set(&mut draft.skipped, change.skipped),
        hidden: swap_set(&mut draft.hidden, change.hidden),
        todo: swap_set(&mut draft.todo, change.todo),
        pages_hidden: std::mem::replace(&mut draft.pages_hidden, change.pages_hidden),
        pages_done: std::mem::replace(&mut draft.pages_done, change.pages_done),
    }
}

fn swap_map<V>(map: &mut BTreeMap<Path, V>, change: BTreeMap<Path, Option<V>>) -> BTreeMap<Path, Option<V>> {
    change
        .into_iter()
        .map(|(path, value)| {
            let old = put(map, &path, value);
            (path, old)
        })
        .collect()
}

fn swap_set<K, C>(set: &mut BTreeSet<K>, change: C) -> C
where
    K: Ord + Clone,
    C: IntoIterator<Item = (K, bool)> + FromIterator<(K, bool)>,
{
    change
        .into_iter()
        .map(|(key, on)| {
            let was = put_in(set, &key, on);
            (key, was)
        })
        .collect()
}

fn put<V>(map: &mut BTreeMap<Path, V>, path: &Path, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(path.clone(), value),
        None => map.remove(path),
    }
}

fn put_in<K: Ord + Clone>(set: &mut BTreeSet<K>, key: &K, on: bool) -> bool {
    if on { !set.insert(key.clone()) } else { set.remove(key) }
}
