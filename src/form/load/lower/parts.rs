//! Pages, sinks, questions and answers.

use std::collections::BTreeMap;
use std::ops::Range;

use formwright_form::problem::Problem;
use formwright_form::tool::arrive::names_a_field;
use formwright_form::{Faq, ModelHints, Page, Sink, Tool, ToolRun};
use formwright_values::{SinkId, ToolId};

use super::flat::Flat;
use super::lowering::Lower;
use super::text::lines;
use crate::node::Node;

/// Sinks that are always there.
pub(in super::super) const BUILT_IN_SINKS: &[&str] = &["log", "file"];

impl Lower<'_> {
    /// The page of each field, by number: its own, that of its parent, or that of the field before.
    pub(super) fn paging(&mut self, root: &Node, flats: &[Flat<'_>]) -> Vec<u16> {
        let pages = tables(root, "page", "pages");
        self.unique(pages, "page");
        let ids: Vec<&str> = pages.iter().map(|page| page.at("id").and_then(Node::text).unwrap_or_default()).collect();
        let mut current = 0;
        let mut paging: Vec<u16> = Vec::with_capacity(flats.len());
        for flat in flats {
            let named = flat.at("page").and_then(|node| Some((node, node.text()?)));
            if let (Some((node, _)), Some(_)) = (named, flat.parent) {
                let message = "a member is on the page of its group or list".to_owned();
                self.error(&node.span, "form::misplaced_key", message, "has no effect", "take it out");
            } else if let Some((node, name)) = named {
                if let Some(no) = ids.iter().position(|id| *id == name) {
                    current = u16::try_from(no).unwrap_or(u16::MAX);
                } else {
                    let problem = Problem::error("form::unknown_page", format!("there is no page `{name}`"))
                        .at(node.span.clone(), "not a page of this form");
                    let known = ids.iter().copied();
                    self.problems.push(problem.did_you_mean(name, known, "declare it with `[[page]]`"));
                }
            }
            paging.push(current);
        }
        for (no, page) in pages.iter().enumerate() {
            if !paging.iter().any(|of| usize::from(*of) == no) {
                let message = format!("no field is on page `{}`", ids.get(no).copied().unwrap_or_default());
                self.warn(&page.span, "form::unused", message, "never shown", "say `page = \"…\"` on a field");
            }
        }
        paging
    }

    /// The steps of the form; one without a title where it has none.
    pub(super) fn pages(&mut self, root: &Node, tools: &BTreeMap<ToolId, Tool>) -> Vec<Page> {
        let mut pages: Vec<Page> = Vec::new();
        for page in tables(root, "page", "pages") {
            let id = page.at("id").and_then(Node::text).unwrap_or_default().to_owned();
            let title = self.text(page.at("title"));
            // What is confirmed is looked over.
            let review = page.at("review").and_then(Node::truth).unwrap_or(page.at("submit").is_some());
            let show_when = self.top(page.at("show_when"), &[]);
            let submit = self.tool_named(page.at("submit"), tools);
            pages.push(Page { id, title, review, submit, show_when });
        }
        if pages.is_empty() {
            pages.push(Page { id: String::new(), title: None, review: false, submit: None, show_when: None });
        }
        pages
    }

    /// How a language model is used.
    pub(super) fn model(&mut self, root: &Node) -> ModelHints {
        let text = |key: &str| root.at(key).and_then(Node::text);
        ModelHints {
            allowed: root.at("model").and_then(Node::truth).unwrap_or(true),
            retries: root.at("model_retries").and_then(Node::number),
            own_words: text("model_answers") == Some("words"),
            tone: text("tone").map(str::to_owned),
            guidance: self.unread(root.at("guidance")),
        }
    }

    /// Questions and answers.
    pub(super) fn faq(&mut self, root: &Node) -> Vec<Faq> {
        let mut all = Vec::new();
        for faq in root.at("faq").map(Node::items).unwrap_or_default() {
            let questions = self.texts(faq.at("question").or_else(|| faq.at("questions")));
            if let Some(answer) = self.text(faq.at("answer")) {
                all.push(Faq { questions, answer });
            }
        }
        all
    }

    /// Where submissions go, and the sinks of the file.
    pub(super) fn sinks(
        &mut self,
        root: &Node,
        tools: &BTreeMap<ToolId, Tool>,
    ) -> (Vec<SinkId>, BTreeMap<SinkId, Sink>) {
        let tables = tables(root, "sink", "sinks");
        self.unique(tables, "sink");
        let mut sinks = BTreeMap::new();
        for table in tables {
            if let (Some(id), Some(sink)) = (table.at("id").and_then(Node::text), self.sink(table)) {
                sinks.insert(SinkId::new(id), sink);
            }
        }
        for node in root.at("submit").map(Node::one_or_more).unwrap_or_default() {
            if let Some(name) = node.text().filter(|name| of_tool(name).is_some()) {
                let tool = of_tool(name).unwrap_or_default().to_owned();
                self.takes_submissions(node, &tool, tools);
                sinks.insert(SinkId::new(name), Sink::Tool { tool });
            }
        }
        let declared: Vec<&str> = tables.iter().filter_map(|table| table.at("id")?.text()).collect();
        let submit: Vec<SinkId> = match root.at("submit") {
            Some(_) => {
                lines(root.at("submit")).iter().map(|name| SinkId::new(of_settings(name).unwrap_or(name))).collect()
            }
            None => vec![SinkId::new("log")],
        };
        for node in root.at("submit").map(Node::one_or_more).unwrap_or_default() {
            let Some(name) = node.text() else { continue };
            if !declared.contains(&name)
                && !BUILT_IN_SINKS.contains(&name)
                && of_settings(name).is_none()
                && of_tool(name).is_none()
            {
                let problem = Problem::error("form::unknown_sink", format!("there is no sink `{name}`"))
                    .at(node.span.clone(), "not a sink of this form");
                let known = declared.iter().chain(BUILT_IN_SINKS).copied();
                let or_else = "declare it with `[[sink]]`, or write `settings.NAME` or `tool.NAME`";
                self.problems.push(problem.did_you_mean(name, known, or_else));
            }
        }
        let heard: Vec<&str> =
            self::tables(root, "listen", "listen").iter().filter_map(|t| t.at("to")?.text()).collect();
        for table in tables {
            let Some(id) = table.at("id") else { continue };
            let mut used = submit.iter().map(SinkId::as_str).chain(heard.iter().copied());
            if !used.any(|sink| Some(sink) == id.text()) {
                let message = format!("nothing is sent to sink `{}`", id.text().unwrap_or_default());
                self.warn(&id.span, "form::unused", message, "not in `submit`", "add it to `submit`");
            }
        }
        (submit, sinks)
    }

    /// Reports a tool that cannot take submissions.
    fn takes_submissions(&mut self, node: &Node, name: &str, tools: &BTreeMap<ToolId, Tool>) {
        let tool = ToolId::new(name);
        let Some(tool) = tools.get(&tool) else {
            let problem = Problem::error("form::unknown_tool", format!("there is no tool `{name}`"));
            let known = tools.keys().map(ToolId::as_str);
            let problem = problem.at(node.span.clone(), "not a tool of this form");
            self.problems.push(problem.did_you_mean(name, known, "declare it with `[[tool]]`"));
            return;
        };
        if matches!(tool.run, ToolRun::Data { .. } | ToolRun::Client { .. }) {
            let message = format!("the tool `{name}` does not run at the server, so nothing can be sent to it");
            let help = "take a tool of kind `http`, `command` or `function`";
            self.error(&node.span, "form::sink_tool", message, "cannot take submissions", help);
        }
        if let Some((param, _)) = tool.params.iter().find(|(_, expr)| !names_a_field(&expr.source)) {
            let message =
                format!("the param `{param}` of `{name}` is worked out, and a finished form has only answers");
            let help = "name a field, such as a `computed` one; or leave `params` out to send all answers";
            self.error(&node.span, "form::sink_tool", message, "cannot take submissions", help);
        }
    }

    fn sink(&mut self, table: &Node) -> Option<Sink> {
        let line = |key: &str| table.at(key).and_then(Node::text).map(str::to_owned);
        self.secrets(table);
        if let Some(file) = table.at("file")
            && file.text().is_some_and(|name| name.contains(['/', '\\', '\0']) || name.starts_with('.'))
        {
            let message = "a sink's file lies in the data directory".to_owned();
            self.error(&file.span, "form::bad_file", message, "not a plain file name", "write a name without `/`");
        }
        Some(match table.at("kind")?.text()? {
            "jsonl" => Sink::Jsonl { file: line("file") },
            "csv" => Sink::Csv { file: line("file") },
            "sqlite" => Sink::Sqlite { file: line("file"), table: line("table") },
            "webhook" => {
                let node = table.at("url")?;
                self.webhook_at(table, node, node.text()?)
            }
            _ => return None,
        })
    }

    /// A webhook that is declared where it is named.
    pub(super) fn webhook(&mut self, table: &Node, node: &Node, url: &str) -> Sink {
        self.secrets(table);
        self.webhook_at(table, node, url)
    }

    fn webhook_at(&mut self, table: &Node, node: &Node, url: &str) -> Sink {
        if !is_url(url) {
            let message = format!("`{url}` cannot be posted to");
            let help =
                "write `https://host/path`, or `http://127.0.0.1:port/path` where the operator's `http.local` names it";
            self.error(&node.span, "form::bad_url", message, "not an address taken here", help);
        }
        let line = |key: &str| table.at(key).and_then(Node::text).map(str::to_owned);
        Sink::Webhook { url: url.to_owned(), secret: line("secret"), secret_next: line("secret_next") }
    }

    /// Reports secrets that are written out.
    fn secrets(&mut self, table: &Node) {
        for key in ["secret", "secret_next"] {
            let secret = table.at(key).and_then(|node| Some((node, node.text()?)));
            if let Some((node, _)) = secret.filter(|(_, text)| !text.starts_with("env:") && !text.starts_with("file:"))
            {
                let message = "a secret is not written into a form file".to_owned();
                let help = "write `env:NAME` or `file:PATH`, and change this secret: others may have read it";
                self.error(&node.span, "form::bad_secret", message, "not a place of a secret", help);
            }
        }
    }

    pub(super) fn unique(&mut self, tables: &[Node], noun: &str) {
        let mut seen: BTreeMap<&str, &Range<usize>> = BTreeMap::new();
        for id in tables.iter().filter_map(|table| table.at("id")) {
            let Some(name) = id.text() else { continue };
            if let Some(first) = seen.insert(name, &id.span) {
                let message = format!("two {noun}s are called `{name}`");
                self.twice("form::duplicate_name", message, &id.span, first, "give one of them another name");
            }
        }
    }
}

pub(super) fn tables<'n>(root: &'n Node, key: &str, alias: &str) -> &'n [Node] {
    root.at(key).or_else(|| root.at(alias)).map(Node::items).unwrap_or_default()
}

/// The name of a sink of the settings, which a form file cannot see.
pub(super) fn of_settings(name: &str) -> Option<&str> {
    name.strip_prefix("settings.").filter(|name| !name.is_empty())
}

/// The tool that takes submissions.
fn of_tool(name: &str) -> Option<&str> {
    name.strip_prefix("tool.").filter(|name| !name.is_empty())
}

/// Whether a webhook may go there: encrypted, or to this machine.
pub(super) fn is_url(url: &str) -> bool {
    let host_of = |rest: &str| rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
    let plain = |host: &str| !host.is_empty() && !host.contains(['@', ' ']) && !host.starts_with(':');
    if url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return false;
    }
    if let Some(rest) = url.strip_prefix("https://") {
        return plain(&host_of(rest));
    }
    let Some(rest) = url.strip_prefix("http://") else { return false };
    let host = host_of(rest);
    let name = if host.starts_with('[') { host.split_inclusive(']').next() } else { host.split(':').next() };
    plain(&host) && matches!(name, Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    #[rstest::rstest]
    #[case("https://kitchen.example/orders", true)]
    #[case("http://127.0.0.1:8080/x", true)]
    #[case("http://[::1]:8080/x", true)]
    #[case("http://localhost", true)]
    #[case("http://kitchen.example/orders", false)]
    #[case("http://localhost.evil.example/", false)]
    #[case("https://user@host/", false)]
    #[case("https:///x", false)]
    #[case("ftp://x", false)]
    #[case("https://a b", false)]
    fn a_webhook_goes_to_an_encrypted_address_or_to_this_machine(#[case] url: &str, #[case] good: bool) {
        assert_eq!(super::is_url(url), good);
    }
}
