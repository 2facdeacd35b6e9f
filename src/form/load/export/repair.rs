//! What was translated and does not load: expressions that compare what forms here do not compare, defaults that their
//! fields would not take, texts that show what is not there. Each is taken out and told, so that the rest of the form is
//! there.

use std::collections::{BTreeMap, BTreeSet};

use formwright_form::problem::{Problem, Severity};

use crate::lost::{Lost, cited};
use crate::node::{Data, Entry, Node};

/// Keys that a field or page loads without.
const SPARED: &[&str] = &[
    "show_when",
    "required_when",
    "default_from",
    "default",
    "fixed",
    "examples",
    "check",
    "min",
    "max",
    "min_chars",
    "max_chars",
    "regex",
    "currencies",
    "help",
    "description",
    "shape",
    "item",
    "yes",
    "no",
];
/// Texts, which may show other answers.
const TEXTS: &[&str] = &["ask", "label", "help", "title", "description", "else"];

/// How often what waits for each other is taken out one by one; then all of it at once.
const ONE_BY_ONE: usize = 8;
/// How often in all; then what is still wrong is told as the file's mistake.
const MOST_TIMES: usize = 24;

/// Takes out what the problems of reading for the `time`th time point at, and nothing else. Nothing where they point at what
/// the form needs, or it was read often enough.
pub(super) fn take_out(root: &mut Node, problems: &[Problem], time: usize) -> Vec<Lost> {
    if time >= MOST_TIMES {
        return Vec::new();
    }
    let is_cycle = |problem: &&Problem| problem.code == "logic::cycle";
    let errors = || problems.iter().filter(|problem| problem.severity == Severity::Error);
    // One part less may end several circles; everything else is wrong by itself.
    let cycles = errors().filter(is_cycle).take(if time < ONE_BY_ONE { 1 } else { usize::MAX });
    let all = errors().filter(|problem| !is_cycle(problem)).chain(cycles);
    let at: BTreeMap<usize, &str> =
        all.filter_map(|problem| Some((problem.spans.first()?.0.start, problem.message.as_str()))).collect();
    let mut ids = BTreeSet::new();
    known(root, &mut ids);
    let mut lost = Vec::new();
    keys(root, (&at, &ids), &Owner::default(), &mut lost);
    if lost.is_empty() {
        items(root, &at, &Owner::default(), &mut lost);
    }
    lost
}

/// The table that a key belongs to.
#[derive(Clone, Default)]
struct Owner {
    name: Option<String>,
    span: std::ops::Range<usize>,
}

impl Owner {
    fn within(&self, node: &Node) -> Self {
        match node.at("id").and_then(Node::text).filter(|_| node.at("kind").is_some()) {
            Some(id) => Self { name: Some(id.to_owned()), span: node.span.clone() },
            None => self.clone(),
        }
    }

    fn lost(&self, what: String, node: &Node) -> Lost {
        let place = self.name.as_ref().map_or("the form".to_owned(), |name| format!("question `{name}`"));
        Lost::new(place, what).from(&node.span).of(&self.span)
    }
}

fn hit<'e>(node: &Node, at: &BTreeMap<usize, &'e str>) -> Option<&'e str> {
    at.range(node.span.clone()).next().map(|(_, why)| *why).filter(|_| !node.span.is_empty())
}

/// Takes out keys, and what texts show.
fn keys(node: &mut Node, (at, ids): (&BTreeMap<usize, &str>, &BTreeSet<String>), owner: &Owner, lost: &mut Vec<Lost>) {
    let owner = owner.within(node);
    match &mut node.data {
        Data::List(items) => items.iter_mut().for_each(|item| keys(item, (at, ids), &owner, lost)),
        Data::Map(entries) => {
            let mut always = false;
            entries.retain_mut(|entry| {
                let key = entry.key.as_str();
                let wrong = hit(&entry.node, at);
                if let Some(why) = wrong.filter(|_| TEXTS.contains(&key) && unshown(&mut entry.node, ids)) {
                    lost.push(owner.lost(format!("what its `{key}` shows: {why}"), &entry.node));
                    return true;
                }
                if let Some(why) = wrong.filter(|_| SPARED.contains(&key)) {
                    let what =
                        entry.node.text().map_or(format!("`{key}`"), |text| format!("`{key}` (`{}`)", cited(text)));
                    lost.push(owner.lost(format!("{what}: {why}"), &entry.node));
                    always |= key == "show_when";
                    return false;
                }
                keys(&mut entry.node, (at, ids), &owner, lost);
                true
            });
            // What may not be meant for everyone may be left out.
            let kind = entries.iter().find(|entry| entry.key == "kind").and_then(|entry| entry.node.text());
            let asked = kind.is_some_and(|kind| kind == "list" || formwright_form::kind::ASKED.contains(&kind));
            if always && asked && !entries.iter().any(|entry| matches!(&*entry.key, "required" | "required_when")) {
                let node = Node { span: 0..0, data: Data::Bool(false) };
                entries.push(Entry { key: "required".to_owned(), span: 0..0, node });
            }
        }
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => {}
    }
}

/// The ids of all fields.
fn known(node: &Node, ids: &mut BTreeSet<String>) {
    ids.extend(node.at("id").and_then(Node::text).map(str::to_owned));
    node.entries().iter().for_each(|entry| known(&entry.node, ids));
    node.items().iter().for_each(|item| known(item, ids));
}

/// Puts a mark in place of what a text shows and there is not, or of everything that it shows. Tells whether there was
/// anything.
fn unshown(node: &mut Node, ids: &BTreeSet<String>) -> bool {
    match &mut node.data {
        Data::Text(text) => {
            let is_there = |shown: &str| shown.trim().rsplit('.').next().is_some_and(|id| ids.contains(id));
            let some = marked(text, is_there);
            let plain = if some == *text { marked(text, |_| false) } else { some };
            let changed = plain != *text;
            *text = plain;
            changed
        }
        Data::List(items) => items.iter_mut().fold(false, |some, item| unshown(item, ids) | some),
        Data::Map(entries) => entries.iter_mut().fold(false, |some, entry| unshown(&mut entry.node, ids) | some),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Moment(_) => false,
    }
}

/// A text with a mark in place of what it shows, but for what is there.
pub(in super::super) fn marked(text: &str, is_there: impl Fn(&str) -> bool) -> String {
    let mut parts = text.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((shown, rest)) if is_there(shown) => out.push_str(&format!("{{{{{shown}}}}}{rest}")),
            Some((_, rest)) => out.push_str(&format!("…{rest}")),
            None => out.push('…'),
        }
    }
    out
}

/// Takes out whole items of lists: options, fields, tools. Tells whether the problem was met in the node.
fn items(node: &mut Node, at: &BTreeMap<usize, &str>, owner: &Owner, lost: &mut Vec<Lost>) -> bool {
    let owner = owner.within(node);
    let own =
        matches!(node.data, Data::Text(_) | Data::Number(_) | Data::Bool(_) | Data::Map(_)) && hit(node, at).is_some();
    match &mut node.data {
        Data::List(list) => {
            // A list of nothing is no better than a list with something wrong in it.
            list.retain_mut(|item| {
                let before = lost.len();
                if !items(item, at, &owner, lost) || lost.len() > before {
                    return true;
                }
                let of = owner.within(item);
                let why = first_hit(item, at).unwrap_or("it is not right");
                let what = item.at("id").and_then(Node::text).filter(|_| item.at("kind").is_none());
                let what = what.map_or("all of it".to_owned(), |id| format!("`{id}`"));
                let mut told = of.lost(format!("{what}: {why}"), item);
                within(item, &mut told.spans);
                lost.push(told);
                false
            });
            false
        }
        Data::Map(entries) => {
            entries.iter_mut().fold(own, |some, entry| items(&mut entry.node, at, &owner, lost) | some)
        }
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => own,
    }
}

/// Where the fields stand that lie in a table.
fn within(table: &Node, spans: &mut Vec<std::ops::Range<usize>>) {
    for field in crate::keys::tables(table, "field") {
        spans.extend(Some(field.span.clone()).filter(|span| !span.is_empty()));
        within(field, spans);
    }
}

fn first_hit<'e>(node: &Node, at: &BTreeMap<usize, &'e str>) -> Option<&'e str> {
    let inner = || match &node.data {
        Data::List(items) => items.iter().find_map(|item| first_hit(item, at)),
        Data::Map(entries) => entries.iter().find_map(|entry| first_hit(&entry.node, at)),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => None,
    };
    inner().or_else(|| hit(node, at))
}
