//! Reads a JSON Schema of what is to be filled in as a form: properties become fields. Every keyword is accounted for: it
//! is marked where the form says what it says, and what is not marked in the end is told as lost.

mod account;
mod condition;
mod kind;
pub(crate) mod marks;
mod members;
mod merge;
mod number;
#[cfg(test)]
mod tests;
mod ui;

use std::collections::BTreeSet;
use std::ops::Range;

use formwright_form::problem::{Problem, Problems};

use self::condition::Condition;
use self::members::Member;
use self::merge::{DEEPEST, MOST, Schemas};
use super::names;
use super::node::{Data, Entry, Node};
use crate::json_schema::marks::end;
use crate::lost::Lost;
use crate::syntax::json;

/// Reads a schema, with the UI schema beside it. `name` is the form's where the schema has none.
pub(super) fn read(text: &str, ui: Option<&str>, name: &str, lost: &mut Vec<Lost>, problems: &mut Problems) -> Node {
    let mut schema = json::read(text, problems);
    let span = schema.span.clone();
    if let Some(ui) = ui.filter(|_| problems.is_empty()) {
        ui::apply(&mut schema, ui, lost, problems);
    }
    if !problems.is_empty() {
        return schema;
    }
    let schemas = Schemas::of(&schema);
    let mut reading = Reading { schemas: &schemas, lost: Vec::new(), owner: 0..0 };
    let whole = schemas.resolved(&schema);
    let title = schemas.take(&whole, "title").and_then(Node::text).filter(|title| !title.trim().is_empty());
    let id = names::slug(name);
    let id = if id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.is_ascii() { id } else { "form".to_owned() };
    let mut entries = vec![entry("id", words(&id, &span)), entry("title", words(title.unwrap_or(name), &span))];
    entries.extend(schemas.take(&whole, "description").map(|about| entry("description", about.clone())));
    let fields = reading.fields(&schema, "the form", 0);
    if schemas.is_too_large() {
        let problem = Problem::error("form::too_large", "this schema is too large with all that it refers to")
            .at(span.clone(), format!("more than {} schemas, or {} MB of them", MOST.0, MOST.1 >> 20))
            .help("leave out what people are not asked, or references that lead to references");
        problems.push(problem);
    } else if fields.is_empty() {
        let problem = Problem::error("form::missing_key", "this schema has no properties")
            .at(span.clone(), "nothing to fill in")
            .help("convert the schema of an object: `{ \"type\": \"object\", \"properties\": { … } }`");
        problems.push(problem);
    }
    lost.append(&mut reading.lost);
    schemas.account(&schema, "the form", &(0..0), lost);
    lost.sort_by_key(|lost| lost.spans.first().map_or(0, |span| span.start));
    entries.push(entry("fields", Node { span: span.clone(), data: Data::List(fields) }));
    Node { span, data: Data::Map(entries) }
}

/// A schema that is being read.
struct Reading<'a> {
    schemas: &'a Schemas<'a>,
    lost: Vec<Lost>,
    /// Where the property stands that is being read.
    owner: Range<usize>,
}

impl Reading<'_> {
    /// The fields of an object.
    fn fields(&mut self, object: &Node, place: &str, depth: usize) -> Vec<Node> {
        let mut ids = BTreeSet::new();
        let (members, untold) = self.schemas.members(object);
        for (name, why) in untold {
            self.lose(place, format!("that {} is required {why}", name.json()), &name.span);
        }
        members.into_iter().map(|member| self.field(member, depth, &mut ids)).collect()
    }

    fn field(&mut self, member: Member, depth: usize, ids: &mut BTreeSet<String>) -> Node {
        let Member { property, when, needed, needed_when, one_of } = member;
        let schema = self.schemas.resolved(&property.node);
        let span = property.span.clone();
        let outer = std::mem::replace(&mut self.owner, span.clone());
        let place = format!("property `{}`", property.key);
        let base = id_of(&property.key);
        let more = (2..1_000).map(|no| format!("{base}_{no}"));
        let id = std::iter::once(base.clone()).chain(more).find(|id| ids.insert(id.clone())).unwrap_or(base);
        if id != property.key {
            self.lose(&place, format!("its name, which becomes `{id}`"), &span);
        }
        let mut out = vec![entry("id", words(&id, &span))];
        out.extend(self.schemas.take(&schema, "title").map(|title| entry("label", title.clone())));
        if let Some(about) = self.schemas.take(&schema, "description") {
            let asks = about.text().is_some_and(|text| text.trim_end().ends_with(['?', '؟']));
            out.push(entry(if asks { "ask" } else { "help" }, about.clone()));
        }
        let (kind, keys) = if depth < DEEPEST {
            self.kind(&schema, depth, &place)
        } else {
            self.lose(&place, format!("all that lies in it: it lies more than {DEEPEST} deep"), &span);
            ("text", Vec::new())
        };
        out.insert(1, entry("kind", words(kind, &span)));
        out.extend(keys);
        let checks: Vec<Node> = one_of.iter().filter_map(|(when, values)| allowed(when, values, &span)).collect();
        match out.iter_mut().find(|known| known.key == "check").map(|known| &mut known.node.data) {
            Some(Data::List(known)) => known.extend(checks),
            _ if checks.is_empty() => {}
            _ => out.push(entry("check", Node { span: span.clone(), data: Data::List(checks) })),
        }
        let shown = schema.at(ui::SHOWN_WHEN).and_then(Node::text);
        let when = shown.map_or(when.clone(), |shown| Some(Condition::and(when.as_deref(), shown)));
        out.extend(when.map(|when| entry("show_when", words(&when, &span))));
        let flag = |key: &str, truth: bool| entry(key, Node { span: 0..0, data: Data::Bool(truth) });
        match (kind, needed, needed_when.as_slice()) {
            ("hidden", ..) | (_, true, _) => {}
            ("group", false, _) => {
                let inner = out.iter().filter(|entry| entry.key == "fields").flat_map(|entry| entry.node.items());
                if inner.into_iter().any(|member| member.at("required").is_none() && member.at("fixed").is_none()) {
                    self.lose(&place, "that all of it may be left out".to_owned(), &span);
                }
            }
            (_, false, []) => out.push(flag("required", false)),
            (_, false, [only]) => out.push(entry("required_when", words(only, &span))),
            (_, false, several) => {
                let any = several.iter().map(|when| format!("({when})")).collect::<Vec<_>>().join(" || ");
                out.push(entry("required_when", words(&any, &span)));
            }
        }
        self.given(&schema, kind, &mut out);
        self.owner = outer;
        Node { span: span.start..end(&property), data: Data::Map(out) }
    }

    /// Values that a schema gives: constants, defaults and examples.
    fn given(&self, schema: &Node, kind: &str, out: &mut Vec<Entry>) {
        let constant = schema.at("const").filter(|value| matches!(value.data, Data::Text(_) | Data::Number(_)));
        let default = schema.at("default");
        if let Some(value) = constant {
            self.schemas.take(schema, "const");
            out.push(entry("fixed", value.clone()));
        } else if default.is_some_and(|value| matches!(value.data, Data::Null)) {
            self.schemas.take(schema, "default");
        } else if let Some(value) = default.filter(|_| !matches!(kind, "group" | "list")) {
            self.schemas.take(schema, "default");
            if let Data::Map(_) = value.data {
                self.schemas.mark_all(value);
            }
            out.push(entry("default", value.clone()));
        }
        let examples = schema.at("examples").map(Node::items).unwrap_or_default();
        let written: Option<Vec<Node>> = examples
            .iter()
            .map(|example| match &example.data {
                Data::Number(digits) => Some(words(digits, &example.span)),
                _ => example.text().map(|text| words(text, &example.span)),
            })
            .collect();
        if let Some(written) = written.filter(|written| !written.is_empty() && !matches!(kind, "group" | "list")) {
            self.schemas.take(schema, "examples");
            out.push(entry("examples", Node { span: schema.span.clone(), data: Data::List(written) }));
        }
    }

    fn lose(&mut self, place: &str, what: impl Into<String>, span: &Range<usize>) {
        self.lost.push(Lost::new(place, what).from(span).of(&self.owner));
    }
}

/// The id of the field that a property becomes.
pub(super) fn id_of(name: &str) -> String {
    let slug = names::slug(name).replace('-', "_");
    let tries = [name.to_owned(), slug.clone(), format!("{name}_"), format!("field{slug}"), format!("field_{slug}")];
    tries.into_iter().find(|id| names::is_free(id)).unwrap_or_else(|| "field".to_owned())
}

pub(super) fn entry(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), span: node.span.clone(), node }
}

pub(super) fn words(text: &str, span: &Range<usize>) -> Node {
    Node { span: span.clone(), data: Data::Text(text.to_owned()) }
}

/// That an answer is one of these values while a condition holds.
fn allowed(when: &str, values: &[Node], span: &Range<usize>) -> Option<Node> {
    let literals: Option<Vec<String>> = values.iter().map(condition::literal).collect();
    let shown: Vec<&str> = values.iter().filter_map(Node::text).collect();
    let that = format!("!({when}) || value in [{}]", literals?.join(", "));
    Some(check(&that, &format!("One of these, please: {}", shown.join(", ")), span))
}

/// A check of a field, with what is said where it does not hold.
pub(super) fn check(that: &str, otherwise: &str, span: &Range<usize>) -> Node {
    let map = vec![entry("that", words(that, span)), entry("else", words(otherwise, span))];
    Node { span: span.clone(), data: Data::Map(map) }
}
