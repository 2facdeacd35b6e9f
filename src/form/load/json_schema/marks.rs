//! Accounts for the keywords of a JSON document that is read as a form: those that the form says are marked, and what is not
//! marked in the end is told as lost.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::lost::{Lost, cited};
use crate::node::{Entry, Node};

/// Where the keywords stand that the form says.
#[derive(Default)]
pub(crate) struct Marks(RefCell<BTreeSet<usize>>);

impl Marks {
    /// Notes that the form says what the keyword says, or that a name is a field's.
    pub(crate) fn mark(&self, entry: &Entry) {
        if !entry.span.is_empty() {
            self.0.borrow_mut().insert(entry.span.start);
        }
    }

    /// Notes that the form says all of a value.
    pub(crate) fn mark_all(&self, node: &Node) {
        node.each_entry(&mut |entry| self.mark(entry));
    }

    /// The value of a keyword, which the form says.
    pub(crate) fn take<'n>(&self, table: &'n Node, key: &str) -> Option<&'n Node> {
        let entry = table.entries().iter().find(|entry| entry.key == key)?;
        self.mark(entry);
        Some(&entry.node)
    }

    /// Notes that the form says what these keywords say, where they are there.
    pub(crate) fn take_all(&self, table: &Node, keys: &[&str]) {
        table.entries().iter().filter(|entry| keys.contains(&entry.key.as_str())).for_each(|entry| self.mark(entry));
    }

    /// Whether the form says it; what was put there beside the document is accounted for by itself.
    pub(crate) fn has(&self, entry: &Entry) -> bool {
        entry.span.is_empty() || self.0.borrow().contains(&entry.span.start)
    }
}

/// A keyword that the form does not say; `owner` is where the field stands that it belongs to.
pub(crate) fn untold(place: &str, what: &str, entry: &Entry, owner: &Range<usize>) -> Lost {
    let value = cited(&entry.node.json().to_string());
    Lost::new(place, format!("{what}: {value}")).from(&(entry.span.start..end(entry))).of(owner)
}

/// Where the value of a keyword ends; the place of an object is only that of its first keyword.
pub(crate) fn end(entry: &Entry) -> usize {
    end_of(&entry.node).max(entry.span.end)
}

/// Where a value ends.
pub(crate) fn end_of(node: &Node) -> usize {
    let mut last = node.span.end;
    node.each_entry(&mut |inner| last = last.max(inner.node.span.end));
    last
}
