//! UI schemas beside a JSON Schema, as react-jsonschema-form and JSON Forms take them: titles, help, order and what is
//! shown when are put into the schema; how things look is told as lost.

use std::ops::Range;

use formwright_form::problem::Problems;

use super::condition::of_property;
use super::words;
use crate::lost::{Lost, cited};
use crate::node::{Data, Entry, Node};
use crate::syntax::json;

/// Keywords that a UI schema puts into the schema: what is never shown, and when something is shown.
pub(super) const HIDDEN: &str = "ui:hidden";
pub(super) const SHOWN_WHEN: &str = "ui:shown-when";

/// Puts what a UI schema says into a schema.
pub(super) fn apply(schema: &mut Node, ui: &str, lost: &mut Vec<Lost>, problems: &mut Problems) {
    let ui = json::read(ui, problems);
    let mut laid_out = LaidOut { lost, order: Vec::new() };
    if ui.at("elements").is_some() || ui.at("scope").is_some() {
        laid_out.element(schema, &ui);
        let order = std::mem::take(&mut laid_out.order);
        reorder(schema, &order);
    } else {
        laid_out.options(schema, &ui, &[], &(0..0));
    }
}

/// A UI schema that is read.
struct LaidOut<'l> {
    lost: &'l mut Vec<Lost>,
    /// The properties in the order of their controls.
    order: Vec<String>,
}

impl LaidOut<'_> {
    fn lose(&mut self, path: &[String], what: &str, value: &Node, owner: &Range<usize>) {
        let place = match path.last() {
            Some(name) => format!("property `{name}`"),
            None => "the form".to_owned(),
        };
        let what = format!("`{what}` of the UI schema: {}", cited(&value.json().to_string()));
        self.lost.push(Lost::new(place, what).of(owner));
    }

    /// A table of react-jsonschema-form: keywords `ui:…`, and tables by the names of properties.
    fn options(&mut self, schema: &mut Node, ui: &Node, path: &[String], owner: &Range<usize>) {
        for entry in ui.entries() {
            if let Some(key) = entry.key.strip_prefix("ui:") {
                match &entry.node.data {
                    Data::Map(inner) if key == "options" => {
                        inner.iter().for_each(|inner| self.option(schema, &inner.key, &inner.node, path, owner));
                    }
                    _ => self.option(schema, key, &entry.node, path, owner),
                }
                continue;
            }
            let inner: Vec<String> = path.iter().chain([&entry.key]).cloned().collect();
            let is_items = entry.key == "items" && schema.at("items").is_some_and(|items| !items.entries().is_empty());
            let found = if is_items {
                items_of(schema)
            } else {
                property(schema, &entry.key).map(|found| (&mut found.node, found.span.clone()))
            };
            match found {
                Some((found, span)) => {
                    let owner = if span.is_empty() { owner.clone() } else { span };
                    self.options(found, &entry.node, &inner, &owner);
                }
                None => self.lose(path, &entry.key, &entry.node, owner),
            }
        }
    }

    fn option(&mut self, schema: &mut Node, key: &str, value: &Node, path: &[String], owner: &Range<usize>) {
        let text = value.text().unwrap_or_default().to_owned();
        match (key, text.as_str()) {
            ("title" | "description", words) if !words.is_empty() => set(schema, key, text_of(value)),
            ("help", words) if !words.is_empty() => {
                let about = schema.at("description").and_then(Node::text);
                let about = about.map_or(text.clone(), |about| format!("{about} {text}"));
                set(schema, "description", super::words(&about, &(0..0)));
            }
            ("placeholder", words) if !words.is_empty() && schema.at("examples").is_none() => {
                set(schema, "examples", Node { span: 0..0, data: Data::List(vec![text_of(value)]) });
            }
            ("widget", "hidden") => set(schema, HIDDEN, Node { span: 0..0, data: Data::Bool(true) }),
            ("widget", "textarea" | "password" | "email" | "date" | "time" | "date-time" | "uri")
                if schema.at("format").is_none() =>
            {
                set(schema, "format", text_of(value));
            }
            ("widget", "file") if schema.at("format").is_none() => set(schema, "format", words("data-url", &(0..0))),
            ("order", _) => {
                let order: Vec<String> = value.items().iter().filter_map(Node::text).map(str::to_owned).collect();
                reorder(schema, &order);
            }
            ("enumNames", _) if named(schema, value.items()) => {}
            _ => self.lose(path, &format!("ui:{key}"), value, owner),
        }
    }

    /// An element of JSON Forms, with those in it.
    fn element(&mut self, schema: &mut Node, element: &Node) {
        let names = element.at("scope").and_then(Node::text).map(names_of);
        let found = names.as_deref().and_then(|names| lead(schema, names));
        let Some(control) = found else {
            for entry in element.entries() {
                if entry.key != "elements" {
                    self.lose(&[], &entry.key, &entry.node, &(0..0));
                }
            }
            element
                .at("elements")
                .map(Node::items)
                .unwrap_or_default()
                .iter()
                .for_each(|one| self.element(schema, one));
            return;
        };
        let path = names.unwrap_or_default();
        self.order.extend(path.first().cloned());
        let owner = control.span.clone();
        let control = &mut control.node;
        for entry in element.entries() {
            match (entry.key.as_str(), entry.node.text()) {
                ("type" | "scope", _) => {}
                ("label", Some(_)) => set(control, "title", text_of(&entry.node)),
                ("rule", _) => match rule(&entry.node) {
                    Some(code) => set(control, SHOWN_WHEN, words(&code, &(0..0))),
                    None => self.lose(&path, "rule", &entry.node, &owner),
                },
                ("options", _) => {
                    for option in entry.node.entries() {
                        if option.key == "multi" && option.node.truth() == Some(true) && control.at("format").is_none()
                        {
                            set(control, "format", words("textarea", &(0..0)));
                        } else {
                            self.lose(&path, &option.key, &option.node, &owner);
                        }
                    }
                }
                (key, _) => self.lose(&path, key, &entry.node, &owner),
            }
        }
    }
}

/// When a control of JSON Forms is shown; none where that cannot be said here.
fn rule(rule: &Node) -> Option<String> {
    let condition = rule.at("condition")?;
    let mut names = names_of(condition.at("scope")?.text()?);
    let property = Entry { key: names.pop()?, span: 0..0, node: condition.at("schema")?.clone() };
    let above: String = names.iter().map(|name| format!("{}.", super::id_of(name))).collect();
    let known = condition.entries().iter().all(|entry| matches!(&*entry.key, "scope" | "schema"))
        && rule.entries().iter().all(|entry| matches!(&*entry.key, "effect" | "condition"));
    let when = of_property(&property, &above).filter(|_| known)?;
    match rule.at("effect")?.text()? {
        "SHOW" => Some(when.code),
        "HIDE" => Some(when.denied()),
        _ => None,
    }
}

/// The names of the properties that a scope leads through: `#/properties/a/properties/b`.
fn names_of(scope: &str) -> Vec<String> {
    let parts = scope.trim_start_matches('#').split('/').filter(|part| !part.is_empty() && *part != "properties");
    parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

fn lead<'n>(schema: &'n mut Node, names: &[String]) -> Option<&'n mut Entry> {
    let (first, rest) = names.split_first()?;
    let found = property(schema, first)?;
    if rest.is_empty() { Some(found) } else { lead(&mut found.node, rest) }
}

/// A property of an object, wherever its schema has it.
fn property<'n>(schema: &'n mut Node, name: &str) -> Option<&'n mut Entry> {
    let Data::Map(entries) = &mut schema.data else { return None };
    for entry in entries {
        let found = match entry.key.as_str() {
            "properties" => match &mut entry.node.data {
                Data::Map(properties) => properties.iter_mut().find(|property| property.key == name),
                _ => None,
            },
            "then" | "else" => property(&mut entry.node, name),
            "allOf" | "anyOf" | "oneOf" => match &mut entry.node.data {
                Data::List(parts) => parts.iter_mut().find_map(|part| property(part, name)),
                _ => None,
            },
            "dependencies" | "dependentSchemas" => match &mut entry.node.data {
                Data::Map(parts) => parts.iter_mut().find_map(|part| property(&mut part.node, name)),
                _ => None,
            },
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn items_of(schema: &mut Node) -> Option<(&mut Node, Range<usize>)> {
    let Data::Map(entries) = &mut schema.data else { return None };
    let items = entries.iter_mut().find(|entry| entry.key == "items")?;
    matches!(items.node.data, Data::Map(_)).then_some((&mut items.node, 0..0))
}

/// Gives the values of an `enum` their names. Tells whether there are as many.
fn named(schema: &mut Node, names: &[Node]) -> bool {
    let Data::Map(entries) = &mut schema.data else { return false };
    let Some(list) = entries.iter_mut().find(|entry| entry.key == "enum") else { return false };
    if list.node.items().len() != names.len() || !names.iter().all(|name| name.text().is_some()) {
        return false;
    }
    let one = |(value, name): (&Node, &Node)| {
        let key = |key: &str, node: Node| Entry { key: key.to_owned(), span: 0..0, node };
        let map = vec![key("const", value.clone()), key("title", text_of(name))];
        Node { span: value.span.clone(), data: Data::Map(map) }
    };
    let choices = list.node.items().iter().zip(names).map(one).collect();
    "oneOf".clone_into(&mut list.key);
    list.node.data = Data::List(choices);
    true
}

/// Puts properties into an order; those that it does not name stand where it has `*`, else at the end.
fn reorder(schema: &mut Node, order: &[String]) {
    let Data::Map(entries) = &mut schema.data else { return };
    let Some(properties) = entries.iter_mut().find(|entry| entry.key == "properties") else { return };
    if let Data::Map(properties) = &mut properties.node.data {
        let others = order.iter().position(|name| name == "*").unwrap_or(order.len());
        properties.sort_by_key(|property| order.iter().position(|name| *name == property.key).unwrap_or(others));
    }
}

/// Sets a keyword, in place of the one that stands there.
fn set(schema: &mut Node, key: &str, value: Node) {
    let Data::Map(entries) = &mut schema.data else { return };
    match entries.iter_mut().find(|entry| entry.key == key) {
        Some(known) => known.node.data = value.data,
        None => entries.push(Entry { key: key.to_owned(), span: 0..0, node: value }),
    }
}

/// A text without its place, which is in another file.
fn text_of(node: &Node) -> Node {
    Node { span: 0..0, ..node.clone() }
}
