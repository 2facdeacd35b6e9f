//! Tools: rows of a table, headings with a table and a block of rows, entries of the front matter.

pub(super) mod outputs;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use formwright_form::problem::{Problem, Problems};

use super::cells;
use super::entries::{Entries, keyed, words as text};
use super::field::{self, Draft};
use super::gather::{Said, Told, Value};
use super::outline::Cell;
use super::words::{self, Meaning};
use crate::keys::{FIELD, TOOL};
use crate::node::{Data, Entry, Node};
use crate::shape::Shape;
use crate::syntax::{json, yaml};

/// What is told of each tool, by its name, in the order in which they come up.
pub(super) fn drafts(told: Vec<Told>) -> Vec<(String, Vec<Told>)> {
    let mut all: Vec<(String, Vec<Told>)> = Vec::new();
    for told in told {
        let Some((id, _)) = &told.id else { continue };
        let name = id.split('(').next().unwrap_or_default().trim().to_owned();
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, places)) => places.push(told),
            None => all.push((name, vec![told])),
        }
    }
    all
}

/// The tool that is run when a step is done, where its row says so: `After Step 2 complete`.
pub(super) fn after_step(tools: &[(String, Vec<Told>)], number: u32) -> Option<Node> {
    let says = |said: &&Said| words::property(&said.name, &TOOL) == Meaning::Nothing;
    let is_done = |cell: &Cell| {
        let words = cell.text().to_lowercase();
        let rest = words.strip_prefix("after step ").and_then(|rest| rest.strip_prefix(&number.to_string()));
        rest.is_some_and(|rest| {
            let rest = rest.trim_end_matches('.').trim_start_matches(" is").trim_start();
            matches!(rest, "" | "complete" | "done" | "confirmed" | "complete and confirmed")
        })
    };
    tools.iter().find_map(|(name, told)| {
        let cells = told.iter().flat_map(|told| &told.said).filter(says).filter_map(|said| said.value.cell());
        Some(text(name.clone(), cells.into_iter().find(is_done)?.span))
    })
}

/// The outputs that tools tell of, with the tools' names.
pub(super) fn outputs(tools: &[Node]) -> BTreeSet<(String, String)> {
    let each = |tool: &Node| {
        let name = tool.at("id").and_then(Node::text).unwrap_or_default().to_owned();
        let outputs = tool.at("output").map(Node::items).unwrap_or_default().to_vec();
        outputs
            .into_iter()
            .filter_map(move |output| Some((name.clone(), output.at("id").or(output.at("name"))?.text()?.to_owned())))
    };
    tools.iter().flat_map(each).collect()
}

/// Makes a tool.
pub(super) fn make(
    name: &str,
    told: &[Told],
    fields: &[Draft],
    ids: &BTreeSet<String>,
    first: &str,
    problems: &mut Problems,
) -> Node {
    let mut out = Entries::default();
    let span = told.first().map_or(0..0, |told| told.span.clone());
    let at = told.first().and_then(|told| told.id.clone()).map_or(span.clone(), |(_, at)| at);
    out.put("id", None, at.clone(), text(name, at.clone()), problems);
    let mut args: Vec<(String, Range<usize>)> = Vec::new();
    for told in told {
        if let Some((id, at)) = &told.id
            && let Some((_, inside)) = id.split_once('(')
        {
            args.extend(names(inside.trim_end_matches(')')).into_iter().map(|name| (name, at.clone())));
        }
        for said in &told.said {
            match words::property(&said.name, &TOOL) {
                Meaning::Key("id", _) | Meaning::Nothing => {}
                Meaning::Args => given(said, &mut args, &mut out, problems),
                Meaning::Key(key, language) => {
                    let shape =
                        TOOL.all_keys().find(|spec| spec.is_named(key)).map_or(&Shape::Text, |spec| &spec.shape);
                    let node = match &said.value {
                        Value::Cell(cell) if key == "output" && cells::written(cell).is_none() => {
                            match outputs::listed(cell) {
                                Some(node) => node,
                                None => {
                                    problems.push(outputs::unread(&said.name, &said.at));
                                    continue;
                                }
                            }
                        }
                        Value::Cell(cell) if is_table(shape) && cells::written(cell).is_none() => {
                            unknown(said, &mut out, problems);
                            continue;
                        }
                        Value::Cell(cell) => cells::node(cell, shape),
                        Value::Node(node) => node.clone(),
                    };
                    out.put(key, language, said.at.clone(), node, problems);
                }
                _ => unknown(said, &mut out, problems),
            }
        }
        for table in &told.tables {
            match outputs::tabled(table) {
                Some(node) => out.put_default("output", node),
                None => {
                    let at = table.head.first().map_or_else(|| table.span.clone(), |head| head.span.clone());
                    let problem =
                        Problem::warning("form::prose_key", "this table belongs to no tool").at(at, "not read");
                    problems.push(
                        problem.help("a tool has a table of `Property` and `Value`, and one of `Output`, `At`, `Kind`"),
                    );
                }
            }
        }
        for (info, code) in &told.code {
            let Some(rows) = block(info, code, problems) else { continue };
            let data = out.at("kind").and_then(Node::text) == Some("data");
            out.put_default(if data { "rows" } else { "fallback" }, rows);
        }
    }
    out.put_default("kind", text("client", at.clone()));
    // What shows a map gives the place whole.
    let place = fields.iter().find(|field| uses(field, name) && field::known(field).kind == "location");
    if let Some(place) = place {
        let keys = [("id", place.id.as_str()), ("at", "."), ("kind", "location")];
        let keys = keys.map(|(key, value)| keyed(key, text(value, at.clone())));
        let output = Node { span: at.clone(), data: Data::Map(keys.to_vec()) };
        out.put_default("output", Node { span: at, data: Data::List(vec![output]) });
    }
    if !out.has("params") {
        let params = params(name, &args, fields, ids, problems);
        if !params.is_empty() {
            let span = params.first().map_or(span.clone(), |entry| entry.span.clone());
            out.put_default("params", Node { span, data: Data::Map(params) });
        }
    }
    out.node(span, first)
}

fn is_table(shape: &Shape) -> bool {
    matches!(shape, Shape::Tables(_) | Shape::Rows)
}

/// Names of arguments in a list: `a, b`, `{ a: string }`, `none`.
fn names(words: &str) -> Vec<String> {
    let words = words.trim().trim_start_matches('{').trim_end_matches('}');
    let name = |part: &str| part.split(':').next().unwrap_or_default().trim().trim_matches('"').to_owned();
    let is_name = |name: &String| {
        !matches!(name.as_str(), "" | "none" | "None" | "-" | "—")
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    words.split(',').map(name).filter(is_name).collect()
}

/// What a tool is given: names, or `name = expression`.
fn given(said: &Said, args: &mut Vec<(String, Range<usize>)>, out: &mut Entries, problems: &mut Problems) {
    match &said.value {
        // Each in code of its own, with commas between.
        Value::Cell(cell) if cell.codes.len() > 1 && cell.codes.iter().all(|(code, _)| code.contains('=')) => {
            let apart = super::outline::Cell { lines: cell.codes.clone(), codes: Vec::new(), ..cell.clone() };
            out.put("params", None, said.at.clone(), cells::node(&apart, &Shape::Exprs), problems);
        }
        Value::Cell(cell) if cell.text().contains('=') => {
            out.put("params", None, said.at.clone(), cells::node(cell, &Shape::Exprs), problems);
        }
        Value::Cell(cell) => args.extend(names(&cell.text()).into_iter().map(|name| (name, cell.span.clone()))),
        Value::Node(node) => match &node.data {
            Data::List(items) => items.iter().for_each(|item| listed(item, args, problems)),
            Data::Text(words) => args.extend(names(words).into_iter().map(|name| (name, node.span.clone()))),
            _ => args.extend(node.entries().iter().map(|entry| (entry.key.clone(), entry.span.clone()))),
        },
    }
}

/// An argument in a list: its name, its name and type, or a table with its `name`.
fn listed(item: &Node, args: &mut Vec<(String, Range<usize>)>, problems: &mut Problems) {
    let found: Vec<String> = match item.at("name").or_else(|| item.at("id")) {
        Some(name) => name.text().into_iter().flat_map(names).collect(),
        None => match item.entries() {
            [only] => names(&only.key),
            _ => item.text().into_iter().flat_map(names).collect(),
        },
    };
    if found.is_empty() {
        let problem = Problem::warning("form::prose_logic", "this is not code: no name of an argument stands here")
            .at(item.span.clone(), "the tool is called without it");
        problems.push(problem.help("write the names of fields: `args: [a, b]`"));
    }
    args.extend(found.into_iter().map(|name| (name, item.span.clone())));
}

/// Arguments as expressions: one named like a field is that field; the only one of a tool is the field that those who use
/// the tool depend on.
fn params(
    tool: &str,
    args: &[(String, Range<usize>)],
    fields: &[Draft],
    ids: &BTreeSet<String>,
    problems: &mut Problems,
) -> Vec<Entry> {
    let mut params: Vec<Entry> = Vec::new();
    let mut seen = BTreeSet::new();
    let distinct: Vec<&(String, Range<usize>)> = args.iter().filter(|(name, _)| seen.insert(name.clone())).collect();
    let users: Vec<&Draft> = fields.iter().filter(|field| uses(field, tool)).collect();
    let needs: BTreeSet<String> = users.iter().filter_map(|field| depends_on(field, ids, fields)).collect();
    let mut unknown: BTreeMap<&str, &Range<usize>> = BTreeMap::new();
    for (name, at) in &distinct {
        if ids.contains(name) {
            params.push(keyed(name, text(name.clone(), at.clone())));
        } else {
            unknown.insert(name, at);
        }
    }
    // Two documents may call one argument by two names: the field that is depended on is given under each.
    for (name, at) in unknown {
        if let (1, Some(need)) = (needs.len(), needs.first()) {
            params.push(keyed(name, text(need.clone(), at.clone())));
        } else if !users.is_empty() {
            let message = format!("this is not code: nothing is known of the argument `{name}`");
            let problem =
                Problem::warning("form::prose_logic", message).at(at.clone(), "the tool is called without it");
            problems.push(problem.help(format!("write where it comes from in `Args`: `{name} = field`")));
        }
    }
    params
}

/// Whether a field takes its options from a tool.
fn uses(field: &Draft, tool: &str) -> bool {
    let names = |said: &&Said| words::property(&said.name, &FIELD) == Meaning::Source;
    field
        .told
        .iter()
        .flat_map(|told| &told.said)
        .filter(names)
        .filter_map(|said| said.value.cell())
        .any(|cell| cell.text().split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == tool))
}

/// The tool that each field takes its options from, by field.
pub(super) fn sources(fields: &[Draft], tools: &BTreeSet<String>) -> BTreeMap<String, String> {
    let one = |field: &Draft| Some((field.id.clone(), tools.iter().find(|tool| uses(field, tool))?.clone()));
    fields.iter().filter_map(one).collect()
}

/// The field that a field depends on, in whatever words.
fn depends_on(field: &Draft, ids: &BTreeSet<String>, fields: &[Draft]) -> Option<String> {
    let said = |said: &&Said| words::property(&said.name, &FIELD) == Meaning::DependsOn;
    let cell = field.told.iter().flat_map(|told| &told.said).find(said)?.value.cell()?;
    let words = cell.text();
    let by_id = ids.iter().find(|id| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == *id));
    by_id.cloned().or_else(|| {
        let plain = words::plain(&words);
        let label = |draft: &&Draft| {
            let title = draft.told.iter().find_map(|told| told.title.as_ref());
            let label = title.map(|title| words::plain(&words::label(&title.text()))).unwrap_or_default();
            !label.is_empty() && draft.id != field.id && plain.contains(&label)
        };
        fields.iter().find(label).map(|draft| draft.id.clone())
    })
}

/// A block of rows below a tool.
fn block(info: &str, code: &Cell, problems: &mut Problems) -> Option<Node> {
    let from = code.lines.first().map_or(code.span.start, |(_, span)| span.start);
    let source: String = code.lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n");
    let before = problems.len();
    let mut node = match info {
        "json" => json::read(&source, problems),
        "yaml" | "yml" => yaml::read(&source, problems),
        _ => return None,
    };
    let found = problems.iter_mut().skip(before).flat_map(|problem| &mut problem.spans);
    // In a block that is set in, marks stand between the lines.
    let whole = code.lines.first().map_or(code.span.clone(), |(_, span)| span.clone());
    if whole.len() == source.len() {
        node.shift(from);
        found.for_each(|(span, _)| *span = span.start + from..span.end + from);
    } else {
        cells::stand(&mut node, &whole);
        found.for_each(|(span, _)| *span = whole.clone());
    }
    Some(node)
}

fn unknown(said: &Said, out: &mut Entries, problems: &mut Problems) {
    if let Value::Node(node) = &said.value {
        return out.put(&said.name, None, said.at.clone(), node.clone(), problems);
    }
    let problem = Problem::warning("form::prose_key", format!("`{}` is no key of a tool", said.name))
        .at(said.at.clone(), "not read");
    let known = TOOL.all_keys().map(|key| key.name);
    problems.push(problem.did_you_mean(&said.name, known, "take it out; forms/README.md lists the keys"));
}
