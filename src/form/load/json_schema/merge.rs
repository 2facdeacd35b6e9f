//! Schemas with what they refer to, and several schemas of one value as one.

use std::cell::Cell;
use std::ops::Deref;

use crate::json_schema::marks::Marks;
use crate::node::{Data, Entry, Node};

/// Greatest depth of schemas in each other, references counted.
pub(super) const DEEPEST: usize = 12;

/// Most schemas, and most bytes of them, that are read, references counted each time: they may multiply.
pub(super) const MOST: (usize, usize) = (10_000, 16 << 20);

/// A schema with those that it refers to.
pub(super) struct Schemas<'a> {
    root: &'a Node,
    /// The keywords and names that the form says.
    marks: Marks,
    /// Schemas and bytes that may still be read; none where there were more.
    left: Cell<Option<(usize, usize)>>,
}

impl<'a> Schemas<'a> {
    pub(super) fn of(root: &'a Node) -> Self {
        Self { root, marks: Marks::default(), left: Cell::new(Some(MOST)) }
    }
}

impl Deref for Schemas<'_> {
    type Target = Marks;

    fn deref(&self) -> &Marks {
        &self.marks
    }
}

impl Schemas<'_> {
    /// Whether there was more than is read.
    pub(super) fn is_too_large(&self) -> bool {
        self.left.get().is_none()
    }

    /// Whether a schema may still be read.
    pub(super) fn counts(&self, schema: &Node) -> bool {
        let left = self
            .left
            .get()
            .and_then(|(schemas, bytes)| Some((schemas.checked_sub(1)?, bytes.checked_sub(schema.span.len())?)));
        self.left.set(left);
        left.is_some()
    }

    /// A schema with what it refers to and what it is all of put in; a choice between something and nothing is something.
    /// What an object is all of stays beside it: it may hold under conditions.
    pub(super) fn resolved(&self, schema: &Node) -> Node {
        let mut all = Node { span: schema.span.clone(), data: Data::Map(Vec::new()) };
        self.collect(schema, 0, &mut all);
        all
    }

    fn collect(&self, schema: &Node, depth: usize, all: &mut Node) {
        let follows = depth <= DEEPEST && self.counts(schema);
        let mut parts: Vec<Node> = Vec::new();
        for entry in schema.entries() {
            match entry.key.as_str() {
                "$ref" if follows => {
                    if let Some(found) = entry.node.text().and_then(|path| self.referred(path)) {
                        self.mark(entry);
                        parts.push(found.clone());
                        continue;
                    }
                }
                "allOf" if follows && !self.is_object(schema, 0) => {
                    self.mark(entry);
                    parts.extend(entry.node.items().iter().cloned());
                    continue;
                }
                "anyOf" | "oneOf" if follows => {
                    if let Some(only) = self.only(&entry.node) {
                        self.mark(entry);
                        parts.push(only);
                        continue;
                    }
                }
                _ => {}
            }
            self.absorb(all, entry);
        }
        for part in parts {
            self.collect(&part, depth + 1, all);
        }
    }

    /// The only choice beside nothing.
    fn only(&self, choice: &Node) -> Option<Node> {
        let (nothing, some): (Vec<&Node>, Vec<&Node>) = choice.items().iter().partition(|one| is_nothing(one));
        let [only] = some.as_slice() else { return None };
        let fits = !nothing.is_empty() && only.at("const").is_none();
        fits.then(|| {
            nothing.iter().for_each(|nothing| self.mark_all(nothing));
            (*only).clone()
        })
    }

    /// Adds a keyword to those of the same value: of two bounds, the closer one holds.
    fn absorb(&self, all: &mut Node, entry: &Entry) {
        let Data::Map(known) = &mut all.data else { return };
        let Some(same) = known.iter_mut().find(|known| known.key == entry.key) else {
            return known.push(entry.clone());
        };
        let closer = |greater: bool| {
            let number = |node: &Node| node.number::<rust_decimal::Decimal>();
            number(&same.node)
                .zip(number(&entry.node))
                .map(|(one, other)| if greater { other > one } else { other < one })
        };
        let replaced = match entry.key.as_str() {
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" => closer(true),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" => closer(false),
            "properties" => {
                self.mark(entry);
                return join(&mut same.node, &entry.node);
            }
            "required" | "allOf" => {
                self.mark(entry);
                if let (Data::List(items), Data::List(more)) = (&mut same.node.data, &entry.node.data) {
                    items.extend(more.iter().cloned());
                }
                return;
            }
            _ if same.node.json() == entry.node.json() => Some(false),
            _ => None,
        };
        if let Some(replaced) = replaced {
            self.mark(same);
            self.mark(entry);
            if replaced {
                *same = entry.clone();
            }
        }
    }

    /// What a reference within the file leads to.
    fn referred(&self, path: &str) -> Option<&Node> {
        let parts = path.strip_prefix('#')?.split('/').skip(1);
        let found = parts.map(|part| part.replace("~1", "/").replace("~0", "~")).try_fold(self.root, |node, part| {
            let entry = node.entries().iter().find(|entry| entry.key == part)?;
            self.mark(entry);
            Some(&entry.node)
        });
        found.filter(|found| matches!(found.data, Data::Map(_)))
    }

    /// Whether a schema is that of an object, as far as it says so itself.
    pub(super) fn is_object(&self, schema: &Node, depth: usize) -> bool {
        let says = ["properties", "if", "required", "dependencies", "dependentSchemas", "dependentRequired"];
        let types = schema.at("type").map(Node::one_or_more).unwrap_or_default();
        let parts = schema.at("allOf").map(Node::items).unwrap_or_default();
        let inner = |part: &Node| depth <= DEEPEST && self.counts(part) && self.is_object(part, depth + 1);
        let referred = || schema.at("$ref").and_then(Node::text).and_then(|path| self.referred(path));
        types.iter().any(|name| name.text() == Some("object"))
            || says.iter().any(|key| schema.at(key).is_some())
            || parts.iter().any(inner)
            || referred().is_some_and(inner)
    }
}

/// Puts the properties of one object to those of another; what both have must be both.
fn join(all: &mut Node, more: &Node) {
    let Data::Map(known) = &mut all.data else { return };
    for entry in more.entries() {
        match known.iter_mut().find(|known| known.key == entry.key) {
            Some(same) => both(&mut same.node, &entry.node),
            None => known.push(entry.clone()),
        }
    }
}

/// Makes a schema one that is also the other.
pub(super) fn both(one: &mut Node, other: &Node) {
    let parts = Node { span: 0..0, data: Data::List(vec![one.clone(), other.clone()]) };
    let span = one.span.clone();
    let all = Entry { key: "allOf".to_owned(), span: 0..0, node: parts };
    *one = Node { span, data: Data::Map(vec![all]) };
}

/// Whether a schema or value stands for nothing.
pub(super) fn is_nothing(node: &Node) -> bool {
    matches!(node.data, Data::Null)
        || node.at("type").and_then(Node::text) == Some("null")
        || node.at("const").is_some_and(|value| matches!(value.data, Data::Null))
}
