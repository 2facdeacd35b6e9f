//! Tools in the place of phases.

use std::collections::BTreeMap;

use formwright_form::{Hook, Part, Phase, Tool, ToolRun};
use formwright_values::ToolId;

use crate::lower::lowering::Lower;
use crate::lower::parts::tables;
use crate::node::Node;

/// The phase that is a key of the form as well: `run`.
const SUBMIT: &str = "submit";

/// The hooks that are the end of the form.
fn ends(root: &Node) -> impl Iterator<Item = &Node> {
    tables(root, "hook", "hooks").iter().filter(|hook| hook.at("phase").and_then(Node::text) == Some(SUBMIT))
}

/// Whether what is run at the end stands in a hook, and if so, whether it is told sensitive answers.
pub(crate) fn run_told(root: &Node) -> Option<bool> {
    let hook = ends(root).next()?;
    Some(hook.at("sensitive").and_then(Node::truth).unwrap_or(false))
}

impl Lower<'_> {
    /// What is run when everything is confirmed: the form's `run`, or a hook of that phase.
    pub(crate) fn run(&mut self, root: &Node, tools: &BTreeMap<ToolId, Tool>) -> Option<ToolId> {
        let hooks = ends(root);
        let ends: Vec<&Node> = root.at("run").into_iter().chain(hooks.filter_map(|hook| hook.at("tool"))).collect();
        if let [first, second, ..] = ends.as_slice() {
            self.either("two tools are the end of the form".to_owned(), &second.span, &first.span);
        }
        self.tool_named(ends.first().copied(), tools)
    }

    /// Hooks by phase.
    pub(crate) fn hooks(&mut self, root: &Node, tools: &BTreeMap<ToolId, Tool>) -> BTreeMap<Phase, Hook> {
        let mut hooks: BTreeMap<Phase, Hook> = BTreeMap::new();
        let mut places = BTreeMap::new();
        for table in tables(root, "hook", "hooks") {
            let text = |key: &str| table.at(key).and_then(Node::text);
            let part = text("part").and_then(|name| Part::ALL.into_iter().find(|part| part.name() == name));
            let Some(phase) = text("phase").and_then(|name| Phase::named(name, part)) else { continue };
            if let (Some(node), false) = (table.at("part"), matches!(phase, Phase::Message(_))) {
                let message = format!("`{}` has no parts", phase.name());
                self.error(&node.span, "form::misplaced_key", message, "of `message` only", "take it out");
            }
            if let Some(first) = places.insert(phase, table.span.clone()) {
                let message = format!("two hooks take `{}` into their hands", phase.name());
                self.either(message, &table.span, &first);
            }
            let Some(tool) = self.tool_named(table.at("tool"), tools) else { continue };
            let asks_outside =
                tools.get(&tool).is_none_or(|tool| !matches!(tool.run, ToolRun::Data { .. } | ToolRun::Client { .. }));
            if let (Some(node), false) = (table.at("tool"), asks_outside) {
                let message = format!("`{tool}` cannot take the place of a phase");
                let help = "take a `function`, an `http` or a `command` tool: rows know nothing of the conversation, and a \
                            client is not always there";
                self.error(&node.span, "form::tool_cannot", message, "not a tool for this", help);
            }
            let closed = text("fail") == Some("closed");
            let sensitive = table.at("sensitive").and_then(Node::truth).unwrap_or(false);
            hooks.insert(phase, Hook { tool, closed, sensitive });
        }
        hooks
    }
}
