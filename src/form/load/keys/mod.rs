//! The keys of a form file.

mod common;
mod field;
mod form;
mod hook;
mod listen;
mod parts;
mod settings;
mod tool;

pub(super) use field::{FIELD, KINDS};
pub(super) use form::FORM;
pub(super) use hook::HOOK;
pub(super) use listen::LISTEN;
pub(super) use parts::{CHECK, CONTEXT, FAQ, KEEP, OPTION, PAGE, REVIEW, SINK};
pub(super) use tool::{DEFAULT_FROM, OPTIONS_FROM, OUTPUT, PARAM, SUB_FORM, THEN, TOOL};

use super::node::{Data, Node};
use super::shape::{Shape, Spec};

/// The tree with lists of tables under one of their two names: `field`, or `fields` where `several`.
pub(super) fn named(node: &Node, spec: &Spec, several: bool) -> Node {
    let Data::Map(entries) = &node.data else { return node.clone() };
    let mut entries = entries.clone();
    for entry in &mut entries {
        let Some(key) = spec.all_keys().find(|key| key.is_named(&entry.key)) else { continue };
        let Shape::Tables(inner) = key.shape else { continue };
        if let Some(alias) = key.alias.filter(|_| key.name != "check") {
            entry.key = if several { alias } else { key.name }.to_owned();
        }
        if let Data::List(items) = &mut entry.node.data {
            items.iter_mut().for_each(|item| *item = named(item, inner, several));
        }
    }
    Node { data: Data::Map(entries), ..node.clone() }
}

/// The tables of a list, under whichever name.
pub(super) fn tables<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    let alias = FORM.all_keys().chain(FIELD.all_keys()).find(|known| known.name == key).and_then(|key| key.alias);
    node.at(key).or_else(|| node.at(alias?)).map(Node::items).unwrap_or_default()
}
