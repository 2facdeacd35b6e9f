//! The fields of an object: of its own properties, and of those that it has under conditions.

use super::condition::{Condition, of_object, of_property};
use super::id_of;
use super::merge::{DEEPEST, Schemas, both, is_nothing};
use crate::node::{Data, Entry, Node};

/// A property with when it is there and when it is needed.
pub(super) struct Member {
    pub(super) property: Entry,
    pub(super) when: Option<String>,
    pub(super) needed: bool,
    pub(super) needed_when: Vec<String>,
    /// Values of which it is one while a condition holds.
    pub(super) one_of: Vec<(String, Vec<Node>)>,
}

/// A name that is required, and when.
struct Need {
    name: Node,
    when: Option<String>,
}

/// What was found of an object.
#[derive(Default)]
struct Found {
    members: Vec<Member>,
    needs: Vec<Need>,
    /// Names that are required under conditions that cannot be said here.
    unsaid: Vec<Node>,
}

impl Found {
    fn named(&mut self, name: &str) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.property.key == name)
    }
}

impl Schemas<'_> {
    /// The properties of an object, those under conditions among them; and names that are required where the form cannot
    /// say so, each with why.
    pub(super) fn members(&self, object: &Node) -> (Vec<Member>, Vec<(Node, String)>) {
        let mut found = Found::default();
        self.gather(object, None, 0, &mut found);
        let unsaid = std::mem::take(&mut found.unsaid).into_iter();
        let mut untold: Vec<_> =
            unsaid.map(|name| (name, "where a condition holds that has no counterpart".to_owned())).collect();
        for Need { name, when } in std::mem::take(&mut found.needs) {
            let Some(member) = name.text().and_then(|text| found.named(text)) else {
                let when = when.map_or(String::new(), |when| format!("where `{when}`, "));
                untold.push((name, format!("{when}and is no property")));
                continue;
            };
            match when {
                None => member.needed = true,
                when if when == member.when => member.needed = true,
                Some(when) if member.needed_when.contains(&when) => {}
                Some(when) => member.needed_when.push(when),
            }
        }
        (found.members, untold)
    }

    /// Adds what a schema says of an object while a condition holds.
    fn gather(&self, object: &Node, when: Option<&str>, depth: usize, found: &mut Found) {
        if depth > DEEPEST || !self.counts(object) {
            return;
        }
        let object = self.resolved(object);
        if object.at("type").is_some_and(|name| name.one_or_more().iter().any(|name| name.text() == Some("object"))) {
            self.take(&object, "type");
        }
        if object.at("additionalProperties").and_then(Node::truth).is_some() {
            self.take(&object, "additionalProperties");
        }
        for property in self.take(&object, "properties").map(Node::entries).unwrap_or_default() {
            self.place(property, when, found);
        }
        for name in self.take(&object, "required").map(Node::items).unwrap_or_default() {
            found.needs.push(Need { name: name.clone(), when: when.map(str::to_owned) });
        }
        for part in self.take(&object, "allOf").map(Node::items).unwrap_or_default() {
            self.gather(part, when, depth + 1, found);
        }
        self.either(&object, when, depth, found);
        for key in ["dependencies", "dependentRequired", "dependentSchemas"] {
            for entry in self.take(&object, key).map(Node::entries).unwrap_or_default() {
                self.mark(entry);
                let there = Condition::and(when, &format!("answered({})", id_of(&entry.key)));
                match &entry.node.data {
                    Data::List(names) => found
                        .needs
                        .extend(names.iter().map(|name| Need { name: name.clone(), when: Some(there.clone()) })),
                    _ => self.gather(&entry.node, Some(&there), depth + 1, found),
                }
            }
        }
        for key in ["oneOf", "anyOf"] {
            self.choose(&object, key, when, depth, found);
        }
    }

    fn place(&self, property: &Entry, when: Option<&str>, found: &mut Found) {
        self.mark(property);
        let member = Member {
            property: property.clone(),
            when: when.map(str::to_owned),
            needed: false,
            needed_when: Vec::new(),
            one_of: Vec::new(),
        };
        match found.named(&property.key) {
            None => found.members.push(member),
            Some(same) if same.when == member.when => both(&mut same.property.node, &property.node),
            Some(same) if same.property.node.json() == property.node.json() => {
                self.mark_all(&property.node);
                same.when = same.when.take().zip(member.when).map(|(one, other)| format!("({one}) || ({other})"));
            }
            // What a property must be besides, under a condition, is told as lost: nothing else marks it.
            Some(same) if same.when.is_none() => {}
            Some(same) => self.merge(same, member),
        }
    }

    /// Makes one of two properties of the same name under different conditions. Where both are one of some values it is one
    /// of all, and those of its condition are checked; of anything else, what they have in common is left.
    fn merge(&self, same: &mut Member, other: Member) {
        let values = |node: &Node| node.at("enum").map(|list| list.items().to_vec());
        let both = values(&same.property.node).zip(values(&other.property.node));
        if let (Some((some, more)), Some(one), Some(two)) = (both, &same.when, &other.when) {
            self.take(&other.property.node, "enum");
            if same.one_of.is_empty() {
                same.one_of.push((one.clone(), some));
            }
            same.one_of.push((two.clone(), more));
        }
        if let Data::Map(entries) = &mut same.property.node.data {
            entries.retain_mut(|entry| {
                if let Some(list) =
                    Some(&mut entry.node.data).filter(|_| entry.key == "enum" && !same.one_of.is_empty())
                {
                    let mut all: Vec<Node> = Vec::new();
                    for value in same.one_of.iter().flat_map(|(_, values)| values) {
                        if !all.iter().any(|known| known.json() == value.json()) {
                            all.push(value.clone());
                        }
                    }
                    *list = Data::List(all);
                    return true;
                }
                let alike = other
                    .property
                    .node
                    .entries()
                    .iter()
                    .find(|other| other.key == entry.key && other.node.json() == entry.node.json());
                alike.into_iter().for_each(|alike| {
                    self.mark(alike);
                    self.mark_all(&alike.node);
                });
                alike.is_some()
            });
        }
        same.when = same.when.take().zip(other.when).map(|(one, other)| format!("({one}) || ({other})"));
    }

    /// `if`, `then` and `else`. Where the condition cannot be said, the fields are there and may be left out.
    fn either(&self, object: &Node, when: Option<&str>, depth: usize, found: &mut Found) {
        let Some(test) = object.at("if").filter(|_| object.at("then").is_some() || object.at("else").is_some()) else {
            return;
        };
        let condition = of_object(test, "");
        if let Some(condition) = &condition {
            self.take(object, "if");
            condition.said.iter().for_each(|entry| self.mark(entry));
        }
        for (key, holds) in [("then", true), ("else", false)] {
            let Some(then) = self.take(object, key) else { continue };
            match &condition {
                Some(condition) => {
                    let code = if holds { condition.code.clone() } else { condition.denied() };
                    self.gather(then, Some(&Condition::and(when, &code)), depth + 1, found);
                }
                None => self.gather_loosely(then, when, depth, found),
            }
        }
    }

    /// Adds the properties that an object may have, with none of them required.
    fn gather_loosely(&self, object: &Node, when: Option<&str>, depth: usize, found: &mut Found) {
        let before = found.needs.len();
        self.gather(object, when, depth + 1, found);
        found.unsaid.extend(found.needs.drain(before..).map(|need| need.name));
    }

    /// A choice between objects, by a property that each of them has with another value.
    fn choose(&self, object: &Node, key: &str, when: Option<&str>, depth: usize, found: &mut Found) {
        let Some(choice) = object.at(key).map(Node::items) else { return };
        let branches: Vec<Node> =
            choice.iter().filter(|one| !is_nothing(one)).map(|branch| self.resolved(branch)).collect();
        if !branches.iter().any(|branch| branch.at("properties").is_some()) {
            return;
        }
        self.invent(&branches, when, found);
        let tells = |property: &&Entry| property.node.at("const").is_some() || property.node.at("enum").is_some();
        let conditions: Option<Vec<(Vec<&Entry>, Condition<'_>)>> = branches
            .iter()
            .map(|branch| {
                let properties = branch.at("properties").map(Node::entries).unwrap_or_default();
                let known = |property: &&Entry| found.members.iter().any(|member| member.property.key == property.key);
                let by: Vec<&Entry> = properties.iter().filter(tells).filter(known).collect();
                let parts: Option<Vec<Condition<'_>>> = by.iter().map(|property| of_property(property, "")).collect();
                Some((by, Condition::joined(parts?, "&&")?))
            })
            .collect();
        if conditions.is_some() {
            self.take(object, key);
        }
        let Some(conditions) = conditions else {
            return branches.iter().for_each(|branch| self.gather_loosely(branch, when, depth, found));
        };
        for (branch, (by, condition)) in branches.iter().zip(&conditions) {
            condition.said.iter().for_each(|entry| self.mark(entry));
            let answered = |field: &String| when == Some(format!("answered({field})").as_str());
            let outer = when.filter(|_| !condition.fields.iter().any(answered));
            let code = Condition::and(outer, &condition.code);
            let names: Vec<&str> = by.iter().map(|property| property.key.as_str()).collect();
            let needs = found.needs.len();
            self.gather(&without(branch, &names), Some(&code), depth + 1, found);
            // That the choice is made is not up to what is chosen.
            let mut after = found.needs.split_off(needs);
            after.iter_mut().filter(|need| need.name.text().is_some_and(|name| names.contains(&name))).for_each(
                |need| {
                    need.when = outer.map(str::to_owned);
                },
            );
            found.needs.extend(after);
        }
    }

    /// Adds the property by which branches are told apart, where only they have it: one of their values.
    fn invent(&self, branches: &[Node], when: Option<&str>, found: &mut Found) {
        let Some(first) = branches.first().and_then(|branch| branch.at("properties")) else { return };
        for property in first.entries() {
            let values: Option<Vec<Node>> = branches
                .iter()
                .map(|branch| branch.at("properties")?.at(&property.key)?.at("const").cloned())
                .collect();
            let Some(values) = values.filter(|values| values.len() > 1) else { continue };
            if found.named(&property.key).is_none() {
                let list = Node { span: property.node.span.clone(), data: Data::List(values) };
                let entry = Entry { key: "enum".to_owned(), span: 0..0, node: list };
                let node = Node { span: property.node.span.clone(), data: Data::Map(vec![entry]) };
                self.place(&Entry { node, ..property.clone() }, when, found);
            }
        }
    }
}

/// A schema without some of its properties.
fn without(schema: &Node, names: &[&str]) -> Node {
    let mut out = schema.clone();
    if let Data::Map(entries) = &mut out.data {
        for entry in entries.iter_mut().filter(|entry| entry.key == "properties") {
            if let Data::Map(properties) = &mut entry.node.data {
                properties.retain(|property| !names.contains(&property.key.as_str()));
            }
        }
    }
    out
}
