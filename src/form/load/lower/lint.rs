//! What only shows when the whole form is known: parts that nothing uses.

use super::Lower;
use super::flat::Flat;
use crate::form::Form;
use crate::form::load::node::Node;

impl Lower<'_> {
    /// Warns of what cannot have been meant.
    pub(super) fn lint(&mut self, root: &Node, form: &Form, _: &[Flat<'_>]) {
        let tools = root.at("tool").or_else(|| root.at("tools")).map(Node::items).unwrap_or_default();
        for id in tools.iter().filter_map(|tool| tool.at("id")) {
            let used = |field: &crate::form::Field| {
                let from = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
                from.is_some_and(|from| Some(from.tool.as_str()) == id.text())
            };
            if !form.fields.iter().any(used) {
                let message = format!("no field uses tool `{}`", id.text().unwrap_or_default());
                self.warn(
                    &id.span,
                    "form::unused",
                    message,
                    "never called",
                    "name it in `options_from`, or take it out",
                );
            }
        }
    }
}
