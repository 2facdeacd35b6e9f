//! A file as a tree of values that know where they stand, the same for every syntax.

#![expect(clippy::wildcard_enum_match_arm, reason = "each accessor asks for one sort of value")]

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value as Json;

use formwright_form::problem::{Problem, Problems};

/// Greatest depth of tables and lists in a file.
pub(super) const MAX_DEPTH: usize = 32;

/// A value and where it stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Byte range; of a TOML table, of its header.
    pub(super) span: Range<usize>,
    /// What it is.
    pub(super) data: Data,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    /// `null` of YAML and JSON.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A decimal numeral, without underscores and prefixes.
    Number(String),
    /// Words.
    Text(String),
    /// A date or time written without quotes, in TOML.
    Moment(String),
    /// A list.
    List(Vec<Node>),
    /// A table, in the order of the file.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The key.
    pub(super) key: String,
    /// Where the key stands.
    pub(super) span: Range<usize>,
    /// The value.
    pub(super) node: Node,
}

impl Node {
    /// The value of a key; of the first where a key is given twice.
    pub(super) fn at(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The entries of a table; none of anything else.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub(super) fn items(&self) -> &[Node] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list, or the value itself as the only one.
    pub(super) fn one_or_more(&self) -> &[Node] {
        match &self.data {
            Data::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// Words; dates and times written without quotes count as words.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) | Data::Moment(text) => Some(text),
            _ => None,
        }
    }

    /// Its words, or those in the first language; of several wordings the first.
    pub(super) fn first_text(&self) -> Option<&str> {
        match &self.data {
            Data::List(items) => items.first()?.text(),
            Data::Map(entries) => entries.first()?.node.first_text(),
            _ => self.text(),
        }
    }

    /// A truth value.
    pub(super) fn truth(&self) -> Option<bool> {
        match self.data {
            Data::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// A number, or words that are one, of a type that reads decimal numerals.
    pub(super) fn number<N: std::str::FromStr>(&self) -> Option<N> {
        match &self.data {
            Data::Number(digits) | Data::Text(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(super) fn noun(&self) -> &'static str {
        match self.data {
            Data::Null => "nothing",
            Data::Bool(_) => "true or false",
            Data::Number(ref digits) if digits.contains('.') => "a number with decimals",
            Data::Number(ref digits) if digits.contains(['e', 'E']) => "a number with an exponent",
            Data::Number(_) => "a number",
            Data::Text(_) => "text",
            Data::Moment(_) => "a date or time",
            Data::List(_) => "a list",
            Data::Map(_) => "a table",
        }
    }

    /// Visits every entry of the tree, in the order of the file.
    pub(super) fn each_entry(&self, visit: &mut impl FnMut(&Entry)) {
        for entry in self.entries() {
            visit(entry);
            entry.node.each_entry(visit);
        }
        self.items().iter().for_each(|item| item.each_entry(visit));
    }

    /// Moves its place, and those of all it holds, to the right.
    pub(super) fn shift(&mut self, by: usize) {
        let moved = |span: &Range<usize>| span.start + by..span.end + by;
        self.span = moved(&self.span);
        match &mut self.data {
            Data::List(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Data::Map(entries) => {
                for entry in entries {
                    entry.span = moved(&entry.span);
                    entry.node.shift(by);
                }
            }
            Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => {}
        }
    }

    /// Reports keys given twice in one table, everywhere, and keeps the first of each.
    pub(super) fn drop_repeated(&mut self, problems: &mut Problems) {
        match &mut self.data {
            Data::List(items) => items.iter_mut().for_each(|item| item.drop_repeated(problems)),
            Data::Map(entries) => {
                let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
                entries.retain(|entry| {
                    let Some(first) = seen.get(&entry.key) else {
                        seen.insert(entry.key.clone(), entry.span.clone());
                        return true;
                    };
                    let problem = Problem::error("form::duplicate_key", format!("`{}` is given twice", entry.key))
                        .at(entry.span.clone(), "again here")
                        .at(first.clone(), "first here");
                    problems.push(problem.help("keep one of the two"));
                    false
                });
                for entry in entries {
                    entry.node.drop_repeated(problems);
                }
            }
            Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => {}
        }
    }

    /// As JSON; a date or time becomes its text.
    pub(super) fn json(&self) -> Json {
        match &self.data {
            Data::Null => Json::Null,
            Data::Bool(truth) => Json::Bool(*truth),
            Data::Number(digits) => number(digits),
            Data::Text(text) | Data::Moment(text) => Json::String(text.clone()),
            Data::List(items) => items.iter().map(Node::json).collect(),
            Data::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.node.json())).collect(),
        }
    }
}

fn number(digits: &str) -> Json {
    if let Ok(whole) = digits.parse::<i64>() {
        return Json::from(whole);
    }
    digits.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map_or(Json::Null, Json::Number)
}
