//! What differs between a form and what is read of it in another syntax.

use std::collections::BTreeMap;

use super::json::exact;
use crate::keys::FORM;
use crate::lost::Lost;
use crate::lower::label_of;
use crate::node::{Data, Node};
use crate::shape::{Shape, Spec};

/// Keys of a form that another syntax does not say, by where they stand.
pub(in super::super) fn between(before: &Node, after: &Node) -> Vec<Lost> {
    let mut lost = Vec::new();
    compare(before, after, &FORM, "the form", &mut lost);
    lost
}

fn compare(before: &Node, after: &Node, spec: &Spec, place: &str, lost: &mut Vec<Lost>) {
    for entry in before.entries() {
        let Some(key) = spec.all_keys().find(|key| key.is_named(&entry.key)) else { continue };
        let other = after.entries().iter().find(|other| key.is_named(&other.key)).map(|other| &other.node);
        if let Shape::Tables(inner) = key.shape
            && matches!(inner.name, "field" | "page" | "tool" | "sink")
        {
            each(&entry.node, other, inner, lost);
            continue;
        }
        if is_default(key.name, &entry.node, before, spec) {
            continue;
        }
        let mut tell = |what: String| lost.push(Lost::new(place, what));
        match other {
            None => tell(format!("`{}`", key.name)),
            Some(other) if same(&entry.node, other) => {}
            Some(other) => match (&entry.node.data, other.text()) {
                // One language of several is there.
                (Data::Map(languages), Some(_)) if matches!(key.shape, Shape::Text | Shape::Texts | Shape::Words) => {
                    let others = languages.iter().filter(|language| !same_first(&language.node, other));
                    let others: Vec<String> = others.map(|language| format!("`{}`", language.key)).collect();
                    tell(format!("`{}` in {}", key.name, others.join(", ")));
                }
                (Data::List(_), Some(_)) => tell(format!("`{}`, but for the first", key.name)),
                _ => tell(format!("`{}` as it was", key.name)),
            },
        }
    }
}

/// Tables of a list, by their names.
fn each(before: &Node, after: Option<&Node>, spec: &'static Spec, lost: &mut Vec<Lost>) {
    let id = |node: &Node| node.at("id").and_then(Node::text).unwrap_or_default().to_owned();
    let others: BTreeMap<String, &Node> =
        after.map(Node::items).unwrap_or_default().iter().map(|node| (id(node), node)).collect();
    for item in before.items() {
        let name = id(item);
        let place = format!("{} `{name}`", spec.name);
        match others.get(&name) {
            Some(other) => compare(item, other, spec, &place, lost),
            None => lost.push(Lost::new(place, "all of it")),
        }
    }
}

/// Whether a key says no more than what holds without it.
fn is_default(key: &str, node: &Node, table: &Node, spec: &Spec) -> bool {
    let id = table.at("id").and_then(Node::text).unwrap_or_default();
    match (spec.name, key) {
        (_, "$schema" | "schema") => true,
        ("field", "required") => node.truth() == Some(true) || table.at("required_when").is_some(),
        ("field", "label") => node.text() == Some(label_of(id).as_str()),
        ("tool", "kind") => node.text() == Some("data"),
        ("page", "review") => node.truth() == Some(table.at("submit").is_some()),
        // A field is on the page of the one before it.
        ("field", "page") => true,
        _ => false,
    }
}

/// Whether two values are read as the same: a number may stand in a text, and a list of one text is the text.
pub(super) fn same(one: &Node, other: &Node) -> bool {
    match (&one.data, &other.data) {
        (Data::List(items), Data::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Data::List(items), _) if items.len() == 1 => items.first().is_some_and(|one| same(one, other)),
        (_, Data::List(others)) if others.len() == 1 => others.first().is_some_and(|other| same(one, other)),
        (Data::Map(entries), Data::Map(others)) => {
            entries.len() == others.len()
                && entries.iter().all(|entry| other.at(&entry.key).is_some_and(|value| same(&entry.node, value)))
        }
        // An option that is only its label.
        (Data::Map(entries), _) if entries.len() == 2 => is_label(one, other),
        (_, Data::Map(entries)) if entries.len() == 2 => is_label(other, one),
        (Data::Number(digits), Data::Text(text)) | (Data::Text(text), Data::Number(digits)) => digits == text,
        _ => exact(one) == exact(other),
    }
}

fn is_label(option: &Node, label: &Node) -> bool {
    let id = option.at("id").and_then(Node::text);
    let slug = label.text().map(crate::names::slug);
    id.is_some() && id == slug.as_deref() && option.at("label").is_some_and(|written| same(written, label))
}

fn same_first(one: &Node, other: &Node) -> bool {
    same(one, other) || one.items().first().is_some_and(|first| same(first, other))
}
