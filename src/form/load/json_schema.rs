//! Reads a JSON Schema of what is to be filled in as a form: properties become fields, and what a form has no key for is
//! told as lost.

mod number;

use std::cell::Cell;

use formwright_form::problem::{Problem, Problems};

use super::names;
use super::node::{Data, Entry, Node};
use crate::lost::Lost;
use crate::syntax::json;

/// Greatest depth of schemas in each other, references counted.
const DEEPEST: usize = 12;
/// Most schemas, and most bytes of them, that are read, references counted each time: they may multiply.
const MOST: (usize, usize) = (10_000, 16 << 20);
/// Texts that may be longer get room for several lines.
const LINE: u64 = 200;

/// Keywords that say nothing of what people are asked.
const SILENT: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "$comment",
    "type",
    "title",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "uniqueItems",
    "items",
    "enum",
    "oneOf",
    "anyOf",
    "const",
    "format",
    "default",
    "examples",
    "$ref",
    "allOf",
    "pattern",
];

/// Reads a schema. `name` is the form's where the schema has none.
pub(super) fn read(text: &str, name: &str, lost: &mut Vec<Lost>, problems: &mut Problems) -> Node {
    let schema = json::read(text, problems);
    let span = schema.span.clone();
    if !problems.is_empty() {
        return schema;
    }
    let mut reading = Reading { root: &schema, lost, left: Cell::new(Some(MOST)) };
    let whole = reading.resolved(&schema, 0);
    if whole.at("properties").is_none_or(|properties| properties.entries().is_empty()) {
        let problem = Problem::error("form::missing_key", "this schema has no properties")
            .at(span.clone(), "nothing to fill in")
            .help("convert the schema of an object: `{ \"type\": \"object\", \"properties\": { … } }`");
        problems.push(problem);
        return schema;
    }
    let title = whole.at("title").and_then(Node::text).filter(|title| !title.trim().is_empty());
    let id = names::slug(name);
    let id = if id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.is_ascii() { id } else { "form".to_owned() };
    let mut entries = vec![entry("id", words(&id, &span)), entry("title", words(title.unwrap_or(name), &span))];
    entries.extend(whole.at("description").map(|about| entry("description", about.clone())));
    reading.unread(&whole, "the form", &[]);
    let fields = reading.members(&whole, 0);
    if reading.left.get().is_none() {
        let problem = Problem::error("form::too_large", "this schema is too large with all that it refers to")
            .at(span.clone(), format!("more than {} schemas, or {} MB of them", MOST.0, MOST.1 >> 20))
            .help("leave out what people are not asked, or references that lead to references");
        problems.push(problem);
    }
    entries.push(entry("fields", Node { span: span.clone(), data: Data::List(fields) }));
    Node { span, data: Data::Map(entries) }
}

struct Reading<'a> {
    root: &'a Node,
    lost: &'a mut Vec<Lost>,
    /// Schemas and bytes that may still be read; none where there were more.
    left: Cell<Option<(usize, usize)>>,
}

impl Reading<'_> {
    /// Whether a schema may still be read.
    fn counts(&self, schema: &Node) -> bool {
        let left = self
            .left
            .get()
            .and_then(|(schemas, bytes)| Some((schemas.checked_sub(1)?, bytes.checked_sub(schema.span.len())?)));
        self.left.set(left);
        left.is_some()
    }

    /// A schema with what it refers to put in, and a choice between something and nothing taken as optional.
    fn resolved(&self, schema: &Node, depth: usize) -> Node {
        if depth > DEEPEST || !self.counts(schema) {
            return schema.clone();
        }
        let mut all = schema.clone();
        let referred = schema.at("$ref").and_then(Node::text).and_then(|path| self.referred(path)).cloned();
        let parts = schema.at("allOf").map(Node::items).unwrap_or_default().to_vec();
        let choice = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.at(key)).map(Node::items).unwrap_or_default();
        let some: Vec<&Node> =
            choice.iter().filter(|one| one.at("type").and_then(Node::text) != Some("null")).collect();
        let only = match some.as_slice() {
            [only] if choice.len() > 1 && only.at("const").is_none() => Some((*only).clone()),
            _ => None,
        };
        for part in referred.into_iter().chain(parts).chain(only) {
            let part = self.resolved(&part, depth + 1);
            if let Data::Map(entries) = &mut all.data {
                for entry in part.entries() {
                    if !entries.iter().any(|known| known.key == entry.key) {
                        entries.push(entry.clone());
                    }
                }
            }
        }
        all
    }

    fn referred(&self, path: &str) -> Option<&Node> {
        let parts = path.strip_prefix("#/")?.split('/');
        parts.map(|part| part.replace("~1", "/").replace("~0", "~")).try_fold(self.root, |node, part| node.at(&part))
    }

    /// The fields of an object.
    fn members(&mut self, object: &Node, depth: usize) -> Vec<Node> {
        let needed: Vec<&str> =
            object.at("required").map(Node::items).unwrap_or_default().iter().filter_map(Node::text).collect();
        let properties = object.at("properties").map(Node::entries).unwrap_or_default();
        properties.iter().map(|property| self.field(property, needed.contains(&property.key.as_str()), depth)).collect()
    }

    fn field(&mut self, property: &Entry, needed: bool, depth: usize) -> Node {
        let schema = self.resolved(&property.node, 0);
        let span = property.span.clone();
        let place = format!("property `{}`", property.key);
        let id = names::slug(&property.key).replace('-', "_");
        let shaped = property.key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && property.key.starts_with(|c: char| c.is_ascii_alphabetic());
        let id =
            if shaped { property.key.clone() } else { format!("{}{id}", if id.is_empty() { "field" } else { "" }) };
        if !shaped {
            self.lost.push(Lost::new(&place, format!("its name, which becomes `{id}`")));
        }
        let mut out = vec![entry("id", words(&id, &span))];
        out.extend(schema.at("title").map(|title| entry("label", title.clone())));
        if let Some(about) = schema.at("description").and_then(|about| Some((about, about.text()?))) {
            let key = if about.1.trim_end().ends_with(['?', '؟']) { "ask" } else { "help" };
            out.push(entry(key, about.0.clone()));
        }
        let (kind, keys, read) =
            if depth < DEEPEST { self.kind(&schema, depth, &place) } else { ("text", Vec::new(), &[][..]) };
        out.insert(1, entry("kind", words(kind, &span)));
        out.extend(keys);
        if !needed && !matches!(kind, "group" | "hidden") {
            out.push(entry("required", Node { span: span.clone(), data: Data::Bool(false) }));
        }
        if let Some(value) = schema.at("const") {
            match value.data {
                Data::Text(_) | Data::Number(_) | Data::Bool(_) => out.push(entry("fixed", value.clone())),
                Data::Null | Data::Moment(_) | Data::List(_) | Data::Map(_) => self.lose(&place, "`const`"),
            }
        } else if let Some(value) = schema.at("default").filter(|_| !matches!(kind, "group" | "list")) {
            out.push(entry("default", value.clone()));
        }
        let examples: Vec<Node> = schema.at("examples").map(Node::items).unwrap_or_default().to_vec();
        if !examples.is_empty() && examples.iter().all(|example| example.text().is_some()) && kind != "group" {
            out.push(entry("examples", Node { span: span.clone(), data: Data::List(examples) }));
        }
        self.unread(&schema, &place, read);
        Node { span, data: Data::Map(out) }
    }

    /// The kind of field that a schema describes, with its keys, and the keywords that these are made of.
    fn kind(
        &mut self,
        schema: &Node,
        depth: usize,
        place: &str,
    ) -> (&'static str, Vec<Entry>, &'static [&'static str]) {
        let span = schema.span.clone();
        let copied = |pairs: &[(&str, &str)]| -> Vec<Entry> {
            pairs.iter().filter_map(|(theirs, ours)| Some(entry(ours, schema.at(theirs)?.clone()))).collect()
        };
        if let Some(found) = number::to_choose(schema) {
            return found;
        }
        if let Some(options) = self.options(schema, place) {
            return ("choice", vec![entry("options", options)], &[]);
        }
        let types: Vec<&str> =
            schema.at("type").map(Node::one_or_more).unwrap_or_default().iter().filter_map(Node::text).collect();
        let first =
            types.iter().find(|name| **name != "null").copied().or_else(|| schema.at("const").and_then(type_of));
        let word = |key: &str| schema.at(key).and_then(Node::text).unwrap_or_default();
        match first {
            Some("boolean") => ("yes_no", Vec::new(), &[]),
            Some("integer") => {
                let (keys, read) = number::bounds(schema);
                ("integer", keys, read)
            }
            Some("number") => ("number", copied(&[("minimum", "min"), ("maximum", "max")]), &["minimum", "maximum"]),
            Some("array") => self.array(schema, depth, place),
            Some("object") => match shape_of(schema) {
                Some(kind) => (kind, of_shape(kind, schema), &[]),
                None => {
                    let fields = self.members(schema, depth + 1);
                    ("group", vec![entry("fields", Node { span, data: Data::List(fields) })], &[])
                }
            },
            _ => {
                if matches!(word("format"), "time" | "date-time") {
                    self.lose(
                        place,
                        &format!("the zone of `{}`: what is answered is the person's own time", word("format")),
                    );
                }
                let kind = match (word("format"), word("pattern")) {
                    ("date", _) => "date",
                    ("time", _) => "time",
                    ("date-time", _) => "datetime",
                    ("duration", _) => "duration",
                    ("email" | "idn-email", _) => "email",
                    ("uri" | "url" | "iri", _) => "url",
                    ("phone" | "tel", _) => "phone",
                    (_, pattern) if pattern.starts_with("^\\+[1-9]") || pattern.starts_with("^(\\+[1-9]") => "phone",
                    (_, pattern) if pattern.starts_with("^([01][0-9]|2[0-3]):") => "time",
                    (_, pattern) if pattern.starts_with("^[0-9]{4}-[0-9]{2}-[0-9]{2}T") => "datetime",
                    (_, "") => "text",
                    _ => "pattern",
                };
                match kind {
                    "pattern" => {
                        let regex = word("pattern");
                        let regex =
                            regex.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(")$")).unwrap_or(regex);
                        ("pattern", vec![entry("regex", words(regex, &span))], &[])
                    }
                    "text" => {
                        let long = schema.at("maxLength").and_then(Node::number::<u64>).is_some_and(|most| most > LINE);
                        let long = long || matches!(word("format"), "textarea" | "multiline");
                        let keys = copied(&[("minLength", "min_chars"), ("maxLength", "max_chars")]);
                        let keys = keys.into_iter().filter(|key| key.node.number::<u64>() != Some(0)).collect();
                        (if long { "long_text" } else { "text" }, keys, &["minLength", "maxLength"])
                    }
                    kind => (kind, Vec::new(), &[]),
                }
            }
        }
    }

    fn array(
        &mut self,
        schema: &Node,
        depth: usize,
        place: &str,
    ) -> (&'static str, Vec<Entry>, &'static [&'static str]) {
        let read: &'static [&'static str] = &["minItems", "maxItems"];
        let span = schema.span.clone();
        let bounds = |min: &str, max: &str| -> Vec<Entry> {
            let pairs = [("minItems", min), ("maxItems", max)];
            pairs.iter().filter_map(|(theirs, ours)| Some(entry(ours, schema.at(theirs)?.clone()))).collect()
        };
        let items = schema.at("items").map(|items| self.resolved(items, 0));
        let Some(items) = items else { return ("list", vec![entry("of", words("text", &span))], read) };
        if let Some(options) = self.options(&items, place) {
            let mut keys = bounds("min", "max");
            keys.push(entry("options", options));
            return ("choices", keys, read);
        }
        if shape_of(&items) == Some("file") {
            return ("file", bounds("min_files", "max_files"), read);
        }
        let (kind, keys, _) = self.kind(&items, depth + 1, place);
        let mut out = bounds("min", "max");
        if matches!(kind, "group" | "list" | "choice" | "choices") {
            let fields = match kind {
                "group" => keys,
                _ => return ("list", out, read),
            };
            out.extend(fields);
        } else {
            out.push(entry("of", words(kind, &span)));
        }
        ("list", out, read)
    }

    /// The options of a schema: its words, or constants with titles. Each is stored and sent as it is written there.
    fn options(&mut self, schema: &Node, place: &str) -> Option<Node> {
        let (key, list) = ["enum", "oneOf", "anyOf"].into_iter().find_map(|key| Some((key, schema.at(key)?)))?;
        let values = |item: &Node| {
            let value = if key == "enum" { Some(item.clone()) } else { item.at("const").cloned() };
            value.map(|value| (value, item.at("title").and_then(Node::text).map(str::to_owned)))
        };
        let some = |item: &&Node| {
            let null =
                |node: &Node| matches!(node.data, Data::Null) || node.at("type").and_then(Node::text) == Some("null");
            !null(item) && !item.at("const").is_some_and(null)
        };
        let given: Option<Vec<(Node, Option<String>)>> = list.items().iter().filter(some).map(values).collect();
        let plain = |(value, _): &(Node, Option<String>)| matches!(value.data, Data::Text(_) | Data::Number(_));
        let Some(given) = given.filter(|given| !given.is_empty() && given.iter().all(plain)) else {
            // Something or nothing is something that may be left out; yes and no are a kind of their own.
            let truths = list.items().iter().all(|item| matches!(item.data, Data::Bool(_)));
            if list.items().iter().filter(some).count() != 1 && !(truths && list.items().len() == 2) {
                self.lose(place, &format!("`{key}`"));
            }
            return None;
        };
        let mut options = Vec::new();
        for (value, title) in given {
            let (id, number) = match &value.data {
                Data::Number(digits) => (digits.clone(), true),
                _ => (value.text().unwrap_or_default().to_owned(), false),
            };
            if !names::is_option(&id) {
                self.lose(place, &format!("the value {id:?}: no option is stored as that"));
                continue;
            }
            if number {
                self.lose(place, &format!("`{id}` as a number: it is sent as \"{id}\""));
            }
            let label = title.unwrap_or_else(|| id.clone());
            options.push(names::option(&id, &words(&label, &value.span)));
        }
        (!options.is_empty()).then(|| Node { span: list.span.clone(), data: Data::List(options) })
    }

    fn lose(&mut self, place: &str, what: &str) {
        self.lost.push(Lost::new(place, what));
    }

    /// Keywords that a form has no key for.
    fn unread(&mut self, schema: &Node, place: &str, read: &[&str]) {
        for entry in schema.entries() {
            let known = SILENT.contains(&entry.key.as_str()) || read.contains(&entry.key.as_str());
            if !known {
                self.lost.push(Lost::new(place, format!("`{}`", entry.key)));
            }
        }
    }
}

/// The name of a constant's type.
fn type_of(value: &Node) -> Option<&'static str> {
    match &value.data {
        Data::Bool(_) => Some("boolean"),
        Data::Number(digits) => Some(if digits.parse::<i64>().is_ok() { "integer" } else { "number" }),
        Data::Null | Data::Text(_) | Data::Moment(_) | Data::List(_) | Data::Map(_) => None,
    }
}

/// The kind that an object of these properties is.
fn shape_of(schema: &Node) -> Option<&'static str> {
    let properties = schema.at("properties")?;
    let has = |names: &[&str]| names.iter().all(|name| properties.at(name).is_some());
    let count = properties.entries().len();
    match () {
        () if count == 2 && has(&["amount", "currency"]) && currencies(schema).is_some() => Some("money"),
        () if count == 2 && has(&["start", "end"]) => Some("date_range"),
        () if has(&["lat", "lng"]) => Some("location"),
        () if has(&["id", "name", "url"]) || has(&["id", "name", "size"]) => Some("file"),
        () => None,
    }
}

fn currencies(schema: &Node) -> Option<&Node> {
    schema.at("properties")?.at("currency")?.at("enum").filter(|list| !list.items().is_empty())
}

fn of_shape(kind: &str, schema: &Node) -> Vec<Entry> {
    let Some(list) = currencies(schema).filter(|_| kind == "money") else { return Vec::new() };
    let mut keys: Vec<Entry> = list.items().first().map(|first| entry("currency", first.clone())).into_iter().collect();
    if list.items().len() > 1 {
        keys.push(entry("currencies", list.clone()));
    }
    keys
}

fn entry(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), span: node.span.clone(), node }
}

fn words(text: &str, span: &std::ops::Range<usize>) -> Node {
    Node { span: span.clone(), data: Data::Text(text.to_owned()) }
}
