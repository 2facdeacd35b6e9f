//! Accounts for the keywords of a schema: what the form does not say is told as lost.

use std::ops::Range;

use super::merge::Schemas;
use crate::json_schema::marks::untold;
use crate::lost::Lost;
use crate::node::{Entry, Node};

/// Keywords that say nothing of what is filled in.
const SILENT: &[&str] = &["$schema", "$id", "id", "$anchor"];
/// Keywords whose value is a table of schemas by their names.
const NAMED: &[&str] = &["properties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// Keywords whose value is a schema, or several.
const INNER: &[&str] = &["allOf", "anyOf", "oneOf", "items", "if", "then", "else", "not", "contains"];

impl Schemas<'_> {
    /// Tells what is not marked of a schema; `owner` is where the field stands that it belongs to.
    pub(super) fn account(&self, schema: &Node, place: &str, owner: &Range<usize>, lost: &mut Vec<Lost>) {
        for entry in schema.entries() {
            let key = entry.key.as_str();
            if NAMED.contains(&key) && (self.has(entry) || key.starts_with('$') || key == "definitions") {
                entry.node.entries().iter().for_each(|named| self.account_named(key, named, (place, owner), lost));
            } else if !self.has(entry) {
                if !SILENT.contains(&key) {
                    lost.push(untold(place, &format!("`{key}`"), entry, owner));
                }
            } else if INNER.contains(&key) {
                entry.node.one_or_more().iter().for_each(|inner| self.account(inner, place, owner, lost));
            }
        }
    }

    /// What stands under a name: a property, a definition, or what a property brings with it.
    fn account_named(&self, key: &str, named: &Entry, (place, owner): (&str, &Range<usize>), lost: &mut Vec<Lost>) {
        let name = &named.key;
        match (key, self.has(named)) {
            ("properties", true) => self.account(&named.node, &format!("property `{name}`"), &named.span, lost),
            ("properties", false) => {
                lost.push(untold(&format!("property `{name}`"), "all of it", named, owner));
            }
            ("dependencies" | "dependentSchemas", true) => self.account(&named.node, place, owner, lost),
            (_, true) => self.account(&named.node, &format!("definition `{name}`"), owner, lost),
            (_, false) => lost.push(untold(place, &format!("`{key}` of `{name}`"), named, owner)),
        }
    }
}
