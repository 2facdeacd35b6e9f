//! Tools: what goes into them, how they run, what comes out.

use std::collections::BTreeMap;
use std::ops::Range;

use formwright_form::problem::Problem;
use formwright_form::tool::{Http, Method, Next, Output, RETRIES};
use formwright_form::{Tool, ToolRun};
use formwright_values::{FieldId, FormId, ToolId};

use crate::lower::lowering::{Lower, seconds};
use crate::lower::parts::{is_url, tables};
use crate::node::Node;

impl Lower<'_> {
    /// Tools by name.
    pub(crate) fn tools(&mut self, root: &Node) -> BTreeMap<ToolId, Tool> {
        let tables = tables(root, "tool", "tools");
        self.unique(tables, "tool");
        let mut tools = BTreeMap::new();
        for table in tables {
            let Some(id) = table.at("id").and_then(Node::text).map(ToolId::new) else { continue };
            let tool = self.tool(table, id.clone());
            tools.insert(id, tool);
        }
        tools
    }

    fn tool(&mut self, table: &Node, id: ToolId) -> Tool {
        let mut params = Vec::new();
        for param in table.at("params").map(Node::entries).unwrap_or_default() {
            let expr = self.top(Some(&param.node), &[]);
            params.extend(expr.map(|expr| (param.key.clone(), expr)));
        }
        let outputs = self.outputs(table);
        let run = self.tool_run(table, &id, &params);
        let given: Vec<&str> =
            params.iter().map(|(name, _)| name.as_str()).chain(outputs.iter().map(|out| out.name.as_str())).collect();
        let complete = self.row_condition(table.at("is_complete"), &given);
        let answer = self.text_with(table.at("answer"), &given);
        let then = self.then(table, &given);
        Tool {
            description: self.unread(table.at("description")).unwrap_or_default(),
            message: self.text(table.at("message")),
            outputs,
            complete,
            refusal: self.dotted(table.at("refusal")).unwrap_or_default(),
            retries: table.at("retries").and_then(Node::number).unwrap_or(RETRIES),
            fresh: seconds(table.at("fresh")),
            shared: table.at("shared").and_then(Node::truth).unwrap_or(false),
            answer,
            then,
            params,
            ..Tool::new(id, run)
        }
    }

    fn tool_run(&mut self, table: &Node, id: &ToolId, params: &[(String, formwright_form::logic::Expr)]) -> ToolRun {
        let given: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).chain(["row"]).collect();
        let keep = self.row_condition(table.at("keep"), &given);
        let rows =
            |key: &str| table.at(key).map(|rows| rows.items().iter().map(Node::json).collect()).unwrap_or_default();
        match table.at("kind").and_then(Node::text) {
            Some("client") => ToolRun::Client { fallback: rows("fallback"), keep },
            Some("function") => ToolRun::Function,
            Some("http") => ToolRun::Http(self.http(table, &given)),
            Some("command") => {
                let name = table.at("command").and_then(Node::text).unwrap_or_default();
                ToolRun::Command { name: name.to_owned() }
            }
            _ => {
                if table.at("rows").is_none() {
                    let message = format!("tool `{id}` has no rows");
                    self.error(&table.span, "form::missing_key", message, "in this", "add `rows`, or another `kind`");
                }
                ToolRun::Data { rows: rows("rows"), keep }
            }
        }
    }

    fn http(&mut self, table: &Node, params: &[&str]) -> Http {
        let method = match table.at("method").and_then(Node::text) {
            Some("post") => Method::Post,
            Some("put") => Method::Put,
            _ => Method::Get,
        };
        let Some((node, url)) = table.at("url").and_then(|node| Some((node, node.text()?))) else {
            return Http { method, url: String::new(), holes: Vec::new() };
        };
        let holes = holes(url);
        for (range, name) in &holes {
            if !params.contains(&name.as_str()) || name == "row" {
                let span = self.inside(node, range);
                let problem = Problem::error("form::unknown_param", format!("this tool has no param `{name}`"));
                let known = params.iter().copied().filter(|param| *param != "row");
                let problem = problem.at(span, "not a param of this tool");
                self.problems.push(problem.did_you_mean(name, known, "give it in `params`"));
            }
        }
        if !is_url(url) || !holes_lie_behind_the_host(url, &holes) {
            let message = format!("`{url}` cannot be asked");
            let help = "write `https://host/path/{param}`; the host stands there in plain letters";
            self.error(&node.span, "form::bad_url", message, "not an address taken here", help);
        }
        Http { method, url: url.to_owned(), holes }
    }

    fn outputs(&mut self, table: &Node) -> Vec<Output> {
        let tables = tables(table, "output", "outputs");
        let mut outputs: Vec<Output> = Vec::new();
        for output in tables {
            let Some(node) = output.at("id").or_else(|| output.at("name")) else { continue };
            let Some(name) = node.text() else { continue };
            if let Some(first) = tables
                .iter()
                .filter_map(|other| other.at("id").or_else(|| other.at("name")))
                .find(|other| other.text() == Some(name))
                .filter(|first| first.span != node.span)
            {
                let message = format!("two outputs are called `{name}`");
                self.twice("form::duplicate_name", message, &node.span, &first.span, "give one of them another name");
                continue;
            }
            let kind = output.at("kind").or_else(|| output.at("type")).and_then(Node::text);
            outputs.push(Output {
                name: name.to_owned(),
                at: self.dotted(output.at("at")).unwrap_or_else(|| vec![name.to_owned()]),
                kind: crate::lower::kind::plain(kind.unwrap_or_default()),
                required: output.at("required").and_then(Node::truth).unwrap_or(true),
            });
        }
        outputs
    }

    fn then(&mut self, table: &Node, given: &[&str]) -> Option<Next> {
        let then = table.at("then")?;
        let form = FormId::new(then.at("form")?.text()?);
        let mut with = Vec::new();
        for entry in then.at("with").map(Node::entries).unwrap_or_default() {
            let Some(name) = entry.node.text() else { continue };
            if !given.contains(&name) {
                self.unknown_output(&entry.node, name, given.iter().copied());
            }
            with.push((FieldId::new(&entry.key), name.to_owned()));
        }
        Some(Next { form, with, place: formwright_form::problem::Place(then.span.clone()) })
    }

    /// A dotted path.
    fn dotted(&mut self, node: Option<&Node>) -> Option<Vec<String>> {
        let text = node?.text()?;
        if text.trim() == "." {
            return Some(Vec::new());
        }
        let path: Vec<String> = text.split('.').map(|part| part.trim().to_owned()).collect();
        if let Some(node) = node.filter(|_| path.iter().any(String::is_empty)) {
            let message = format!("`{text}` is not a path");
            let help = "write names with a point between them: `data.status`";
            self.error(&node.span, "form::bad_path", message, "a name is missing here", help);
        }
        Some(path)
    }

    /// A tool that is named here; reports one that there is not.
    pub(crate) fn tool_named(&mut self, node: Option<&Node>, tools: &BTreeMap<ToolId, Tool>) -> Option<ToolId> {
        let node = node?;
        let tool = ToolId::new(node.text()?);
        if !tools.contains_key(&tool) {
            let problem = Problem::error("form::unknown_tool", format!("there is no tool `{tool}`"))
                .at(node.span.clone(), "not a tool of this form");
            let known = tools.keys().map(ToolId::as_str);
            self.problems.push(problem.did_you_mean(tool.as_str(), known, "declare it with `[[tool]]`"));
        }
        Some(tool)
    }

    /// Reports an output that a tool does not have.
    pub(crate) fn unknown_output<'a>(&mut self, node: &Node, name: &str, known: impl Iterator<Item = &'a str>) {
        let problem = Problem::error("form::unknown_output", format!("the tool has no output `{name}`"))
            .at(node.span.clone(), "not an output of the tool");
        self.problems.push(problem.did_you_mean(name, known, "declare it with `output = [{ id = \"…\" }]`"));
    }
}

/// Where an address has `{name}`.
fn holes(url: &str) -> Vec<(Range<usize>, String)> {
    url.match_indices('{')
        .filter_map(|(open, _)| {
            let name = url.get(open + 1..)?.split_once('}')?.0;
            Some((open..open + name.len() + 2, name.to_owned()))
        })
        .collect()
}

/// Whether scheme and host are written out.
fn holes_lie_behind_the_host(url: &str, holes: &[(Range<usize>, String)]) -> bool {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |at| host + at);
    holes.iter().all(|(range, _)| range.start > path)
}

#[cfg(test)]
mod tests {
    #[rstest::rstest]
    #[case("https://parcels.example/{number}", true)]
    #[case("https://parcels.example/v1/{number}/state?of={number}", true)]
    #[case("https://parcels.example", true)]
    #[case("https://{number}.example/", false)]
    #[case("https://parcels.example{number}/", false)]
    #[case("{number}", false)]
    #[case("https://parcels.example:{number}/", false)]
    fn params_go_behind_the_host(#[case] url: &str, #[case] good: bool) {
        assert_eq!(super::holes_lie_behind_the_host(url, &super::holes(url)), good);
    }
}
