//! The form that comes next, and forms that are filled in for a field.

use std::collections::BTreeMap;

use formwright_form::field::SubForm;
use formwright_form::problem::{Place, Problem};
use formwright_form::tool::Next;
use formwright_form::{Kind, Tool};
use formwright_values::{FieldId, FormId, ToolId};

use crate::lower::flat::Flat;
use crate::lower::lowering::Lower;
use crate::node::Node;

impl Lower<'_> {
    /// The form that comes next. What the tool at the end names comes next too, so only one of the two may be there.
    pub(crate) fn then_of_form(
        &mut self,
        root: &Node,
        flats: &[Flat<'_>],
        tools: &BTreeMap<ToolId, Tool>,
        run: Option<&ToolId>,
    ) -> Option<Next> {
        let tables = crate::lower::parts::tables(root, "tool", "tools");
        for table in tables.iter().filter(|table| table.at("then").is_some()) {
            let id = table.at("id").and_then(Node::text);
            let Some(node) = table.at("then") else { continue };
            if id.is_none_or(|id| run.is_none_or(|run| run.as_str() != id)) {
                let message = "`then` of a tool that is not the end of the form has no effect".to_owned();
                self.warn(
                    &node.span,
                    "form::no_effect",
                    message,
                    "does nothing",
                    "name the tool in `run`, or take this out",
                );
            }
        }
        let node = root.at("then")?;
        if let Some(tool) = run.and_then(|run| tools.get(run)?.then.as_ref()) {
            let message = "both the form and its last tool say which form comes next".to_owned();
            self.either(message, &node.span, &tool.place.0);
        }
        let (form, table) = linked(node)?;
        let top = || flats.iter().filter(|flat| flat.parent.is_none()).map(|flat| flat.id);
        let mut with = Vec::new();
        for entry in table.and_then(|table| table.at("with")).map(Node::entries).unwrap_or_default() {
            let Some(name) = entry.node.text() else { continue };
            if !top().any(|id| id == name) {
                let problem = Problem::error("form::unknown_field", format!("there is no field `{name}`"))
                    .at(entry.node.span.clone(), "not a field of this form");
                self.problems.push(problem.did_you_mean(
                    name,
                    top(),
                    "write `field of the next form = \"field of this one\"`",
                ));
            }
            with.push((FieldId::new(&entry.key), name.to_owned()));
        }
        Some(Next { form, with, place: Place(node.span.clone()) })
    }

    /// The form that is filled in for a field.
    pub(crate) fn sub_form(&mut self, flat: &Flat<'_>, kind: &Kind) -> Option<SubForm> {
        let node = flat.at("form")?;
        if matches!(kind, Kind::List(_)) {
            let message = "no form can be filled in for a list".to_owned();
            let help = "give it to the group of an item: `of = \"group\"` members may have forms";
            self.error(&node.span, "form::misplaced_key", message, "not of a list", help);
        }
        let (form, table) = linked(node)?;
        let given = table.and_then(|table| table.at("gives")).map(Node::entries).unwrap_or_default();
        let gives: Vec<(FieldId, FieldId)> = given
            .iter()
            .filter_map(|entry| Some((FieldId::new(&entry.key), FieldId::new(entry.node.text()?))))
            .collect();
        let group = matches!(kind, Kind::Group(_));
        let members = crate::lower::parts::tables(flat.node, "field", "fields").iter();
        let own: Vec<&str> =
            if group { members.filter_map(|member| member.at("id")?.text()).collect() } else { vec![flat.id] };
        for key in given.iter().filter(|key| !own.contains(&key.key.as_str())) {
            let what = if group { "a field of this group" } else { "this field" };
            let or = if group { "" } else { ", or make the field a group" };
            let help = format!("write `{{ {} = \"field of the other form\" }}`{or}", own.first().unwrap_or(&"field"));
            let problem = Problem::error("form::unknown_field", format!("`{}` is not {what}", key.key));
            let problem = problem.at(key.span.clone(), "not filled here");
            self.problems.push(problem.did_you_mean(&key.key, own.iter().copied(), help));
        }
        Some(SubForm { form, gives, place: Place(node.span.clone()) })
    }
}

/// The form that a name or a table names.
fn linked(node: &Node) -> Option<(FormId, Option<&Node>)> {
    match node.text() {
        Some(name) => Some((FormId::new(name), None)),
        None => Some((FormId::new(node.at("form")?.text()?), Some(node))),
    }
}
