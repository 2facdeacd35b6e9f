//! Keys with their values, as they come together from several places and languages.

use std::ops::Range;

use crate::node::{Data, Entry, Node};
use formwright_form::problem::{Problem, Problems};

/// A value that was said, with its language and where its name stands.
#[derive(Clone, Debug)]
struct Value {
    language: Option<String>,
    at: Range<usize>,
    node: Node,
}

/// The keys of a table in the making.
#[derive(Debug, Default)]
pub(super) struct Entries {
    keys: Vec<(String, Vec<Value>)>,
}

impl Entries {
    /// Whether a key is there, in whatever language.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|(name, _)| name == key)
    }

    /// The value of a key without a language.
    pub(super) fn at(&self, key: &str) -> Option<&Node> {
        let (_, values) = self.keys.iter().find(|(name, _)| name == key)?;
        values.iter().find(|value| value.language.is_none()).map(|value| &value.node)
    }

    /// Takes a value. What was said before and differs is put aside with a warning.
    pub(super) fn put(
        &mut self,
        key: &str,
        language: Option<String>,
        at: Range<usize>,
        node: Node,
        problems: &mut Problems,
    ) {
        let value = Value { language, at, node };
        let Some((_, values)) = self.keys.iter_mut().find(|(name, _)| name == key) else {
            self.keys.push((key.to_owned(), vec![value]));
            return;
        };
        let Some(before) = values.iter_mut().find(|before| before.language == value.language) else {
            values.push(value);
            return;
        };
        if before.node.json() != value.node.json() {
            let problem = Problem::warning("form::said_twice", format!("`{key}` is said in two places, and differs"))
                .at(value.node.span.clone(), "this is taken")
                .at(before.node.span.clone(), "and not this");
            problems.push(problem.help("say it in one place, or the same in both"));
        }
        *before = value;
    }

    /// Takes a value where none is there yet.
    pub(super) fn put_default(&mut self, key: &str, node: Node) {
        let Some((_, values)) = self.keys.iter_mut().find(|(name, _)| name == key) else {
            self.keys.push((key.to_owned(), vec![Value { language: None, at: node.span.clone(), node }]));
            return;
        };
        // Other languages may be there already, of which this is the first.
        let by_language = |value: &Value| value.language.is_none() || matches!(value.node.data, Data::Map(_));
        if !values.iter().any(by_language) {
            values.insert(0, Value { language: None, at: node.span.clone(), node });
        }
    }

    /// Takes a value in place of what was there.
    pub(super) fn replace(&mut self, key: &str, node: Node) {
        self.keys.retain(|(name, _)| name != key);
        self.put_default(key, node);
    }

    /// The table. Texts without a language are in the first one, where there are others of the same key.
    pub(super) fn node(self, span: Range<usize>, first: &str) -> Node {
        let entries = self.keys.into_iter().map(|(key, values)| entry(key, values, first)).collect();
        Node { span, data: Data::Map(entries) }
    }
}

fn entry(key: String, mut values: Vec<Value>, first: &str) -> Entry {
    let span = values.first().map_or(0..0, |value| value.at.clone());
    if values.iter().all(|value| value.language.is_none())
        && let Some(only) = values.pop()
    {
        return Entry { key, span, node: only.node };
    }
    let mut by_language: Vec<Entry> = Vec::new();
    for value in values {
        // A table by language of the front matter is taken apart.
        if let (None, Data::Map(entries)) = (&value.language, value.node.data.clone()) {
            by_language.extend(entries);
            continue;
        }
        let tag = value.language.unwrap_or_else(|| first.to_owned());
        by_language.retain(|entry| entry.key != tag);
        by_language.push(Entry { key: tag, span: value.at, node: value.node });
    }
    let whole = by_language.first().map_or(span.clone(), |entry| entry.node.span.clone());
    Entry { key, span, node: Node { span: whole, data: Data::Map(by_language) } }
}

/// Words as a value.
pub(super) fn words(text: impl Into<String>, span: Range<usize>) -> Node {
    Node { span, data: Data::Text(text.into()) }
}

/// An entry of a table whose key stands where its value does.
pub(super) fn keyed(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), span: node.span.clone(), node }
}
