//! Who is told what happens to a form.

use std::collections::{BTreeMap, BTreeSet};

use formwright_form::Sink;
use formwright_form::listen::{Lifecycle, Listen, To};
use formwright_form::problem::Problem;
use formwright_values::SinkId;

use crate::lower::lowering::Lower;
use crate::lower::parts::{of_settings, tables};
use crate::node::Node;

impl Lower<'_> {
    /// Listeners of a form.
    pub(crate) fn listen(&mut self, root: &Node, sinks: &BTreeMap<SinkId, Sink>) -> Vec<Listen> {
        let mut listen = Vec::new();
        for table in tables(root, "listen", "listen") {
            let Some(to) = self.listener(table, sinks) else { continue };
            let words = table.at("events").map(Node::one_or_more).unwrap_or_default();
            let named: BTreeSet<Lifecycle> =
                words.iter().filter_map(|word| Lifecycle::named(word.text().unwrap_or_default())).collect();
            let events = if named.is_empty() { Lifecycle::ALL.into() } else { named };
            listen.push(Listen { to, events });
        }
        listen
    }

    fn listener(&mut self, table: &Node, sinks: &BTreeMap<SinkId, Sink>) -> Option<To> {
        let node = table.at("to")?;
        let to = node.text()?;
        if to.contains("://") {
            return Some(To::Webhook(self.webhook(table, node, to)));
        }
        if let Some(secret) = table.at("secret").or_else(|| table.at("secret_next")) {
            let message = format!("`{to}` is signed as it says itself");
            let help = "take the secret out, or write it where the webhook is declared";
            self.warn(&secret.span, "form::no_effect", message, "does nothing here", help);
        }
        if let Some(name) = of_settings(to) {
            return Some(To::Settings(SinkId::new(name)));
        }
        match sinks.get(&SinkId::new(to)) {
            Some(sink @ Sink::Webhook { .. }) => Some(To::Webhook(sink.clone())),
            Some(_) => {
                let message = format!("`{to}` is no webhook, and nothing else can be told");
                let help = "name a sink of kind `webhook`, or write an address";
                self.error(&node.span, "form::unknown_sink", message, "not a webhook", help);
                None
            }
            None => {
                let problem = Problem::error("form::unknown_sink", format!("there is no webhook `{to}`"))
                    .at(node.span.clone(), "not a webhook of this form");
                let known = sinks.iter().filter(|(_, sink)| matches!(sink, Sink::Webhook { .. }));
                let or_else =
                    "declare it with `[[sink]]`, write `settings.NAME`, or an address such as `https://host/path`";
                self.problems.push(problem.did_you_mean(to, known.map(|(name, _)| name.as_str()), or_else));
                None
            }
        }
    }
}
