//! Accounts for the keywords of a schema: what the form does not say is told as lost.

use std::ops::Range;

use super::merge::Schemas;
use crate::lost::{Lost, cited};
use crate::node::{Entry, Node};

/// Keywords that say nothing of what is filled in.
const SILENT: &[&str] = &["$schema", "$id", "id", "$anchor"];
/// Keywords whose value is a table of schemas by their names.
const NAMED: &[&str] = &["properties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// Keywords whose value is a schema, or several.
const INNER: &[&str] = &["allOf", "anyOf", "oneOf", "items", "if", "then", "else", "not", "contains"];

impl Schemas<'_> {
    /// Notes that the form says what the keyword says, or that a name is a field's.
    pub(super) fn mark(&self, entry: &Entry) {
        if !entry.span.is_empty() {
            self.marked.borrow_mut().insert(entry.span.start);
        }
    }

    /// Notes that the form says all of a value.
    pub(super) fn mark_all(&self, node: &Node) {
        node.each_entry(&mut |entry| self.mark(entry));
    }

    /// The value of a keyword, which the form says.
    pub(super) fn take<'n>(&self, schema: &'n Node, key: &str) -> Option<&'n Node> {
        let entry = schema.entries().iter().find(|entry| entry.key == key)?;
        self.mark(entry);
        Some(&entry.node)
    }

    /// Notes that the form says what these keywords say, where they are there.
    pub(super) fn take_all(&self, schema: &Node, keys: &[&str]) {
        schema.entries().iter().filter(|entry| keys.contains(&entry.key.as_str())).for_each(|entry| self.mark(entry));
    }

    /// Whether the form says it; what a UI schema has put there is accounted for by itself.
    fn is_marked(&self, entry: &Entry) -> bool {
        entry.span.is_empty() || self.marked.borrow().contains(&entry.span.start)
    }

    /// Tells what is not marked of a schema; `owner` is where the field stands that it belongs to.
    pub(super) fn account(&self, schema: &Node, place: &str, owner: &Range<usize>, lost: &mut Vec<Lost>) {
        for entry in schema.entries() {
            let key = entry.key.as_str();
            if NAMED.contains(&key) && (self.is_marked(entry) || key.starts_with('$') || key == "definitions") {
                entry.node.entries().iter().for_each(|named| self.account_named(key, named, (place, owner), lost));
            } else if !self.is_marked(entry) {
                if !SILENT.contains(&key) {
                    lost.push(untold(place, format!("`{key}`"), entry, owner));
                }
            } else if INNER.contains(&key) {
                entry.node.one_or_more().iter().for_each(|inner| self.account(inner, place, owner, lost));
            }
        }
    }

    /// What stands under a name: a property, a definition, or what a property brings with it.
    fn account_named(&self, key: &str, named: &Entry, (place, owner): (&str, &Range<usize>), lost: &mut Vec<Lost>) {
        let name = &named.key;
        match (key, self.is_marked(named)) {
            ("properties", true) => self.account(&named.node, &format!("property `{name}`"), &named.span, lost),
            ("properties", false) => {
                lost.push(untold(&format!("property `{name}`"), "all of it".to_owned(), named, owner));
            }
            ("dependencies" | "dependentSchemas", true) => self.account(&named.node, place, owner, lost),
            (_, true) => self.account(&named.node, &format!("definition `{name}`"), owner, lost),
            (_, false) => lost.push(untold(place, format!("`{key}` of `{name}`"), named, owner)),
        }
    }
}

fn untold(place: &str, what: String, entry: &Entry, owner: &Range<usize>) -> Lost {
    let value = cited(&entry.node.json().to_string());
    Lost::new(place, format!("{what}: {value}")).from(&(entry.span.start..end(entry))).of(owner)
}

/// Where the value of a keyword ends; the place of an object is only that of its first keyword.
pub(super) fn end(entry: &Entry) -> usize {
    let mut last = entry.node.span.end.max(entry.span.end);
    entry.node.each_entry(&mut |inner| last = last.max(inner.node.span.end));
    last
}
