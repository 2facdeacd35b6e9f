//! Reads a form that is written as a document: headings, tables of properties, prose for people. What comes out is the same
//! tree of keys as of every other syntax, so that the same checks are made, at the places of the document.
//!
//! Prose decides nothing: it is advice for a language model's wording, or a comment. Sentences that look like logic and are
//! not code are told as warnings.

mod cells;
mod entries;
mod field;
mod front;
mod gather;
mod merge;
mod options;
mod outline;
mod prose;
mod rules;
mod tabled;
#[cfg(test)]
mod tests;
mod tools;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;

use entries::{Entries, words as text};
use formwright_form::problem::{Problem, Problems};
use gather::{Draft, Told, Value};
use words::Meaning;

use super::keys::{FAQ, FORM, PAGE};
use super::lower::label_of;
use super::names;
use super::node::{Data, Entry, Node};
use super::shape::{Shape, Spec};
use crate::syntax::yaml;

/// What headings are read as.
pub(super) mod heading {
    /// As the title of a form.
    pub(crate) fn title(words: &str) -> String {
        super::words::title(words).to_owned()
    }

    /// As the label of a field.
    pub(crate) fn label(words: &str) -> String {
        super::words::label(words)
    }
}

/// What a cell is read as; none where it breaks its table.
pub(super) fn cell_node(written: &str, shape: &Shape) -> Option<Node> {
    let sections = outline::outline(&format!("| a |\n|---|\n| {written} |\n"), 0);
    let [block] = sections.first()?.blocks.as_slice() else { return None };
    let outline::Block::Table(table) = block else { return None };
    let [row] = table.rows.as_slice() else { return None };
    row.first().map(|cell| cells::node(cell, shape))
}

/// Reads a document.
pub(super) fn read(source: &str, problems: &mut Problems) -> Node {
    let empty = Node { span: 0..0, data: Data::Map(Vec::new()) };
    let (mut head, from) = match front::split(source) {
        Some((head, from)) => (yaml::read_at(source, head, problems), from),
        None => (empty.clone(), 0),
    };
    head.drop_repeated(problems);
    if problems.iter().any(|problem| problem.code == "form::syntax") {
        return empty;
    }
    let mut draft = gather::gather(outline::outline(source.get(from..).unwrap_or_default(), from));
    let rest = front::take(head, &mut draft);
    form(draft, rest, problems)
}

/// A form in FormPilot's words (`form_id`, `type`, `prompt`) in a file of another syntax, as a tree of ours. Others stay.
pub(super) fn of_formpilot(root: Node, problems: &mut Problems) -> Node {
    if root.at("form_id").is_none() || root.at("id").is_some() {
        return root;
    }
    let mut draft = Draft::default();
    draft.form.span = root.span.clone();
    let rest = front::take(root, &mut draft);
    form(draft, rest, problems)
}

/// Puts the form together.
fn form(mut draft: Draft, rest: Vec<Entry>, problems: &mut Problems) -> Node {
    let span = draft.form.span.clone();
    let mut out = Entries::default();
    // FormPilot's first forms have no title.
    let theirs = rest.iter().any(|entry| entry.key == "form_id");
    draft.form.said.extend(rest.into_iter().map(front::said));
    for said in std::mem::take(&mut draft.form.said) {
        match words::property(&said.name, &FORM) {
            Meaning::Key("languages", _) => {
                out.put("languages", None, said.at.clone(), spoken(&said.value), problems);
            }
            Meaning::Key(key, language) => {
                let node = valued(&said.value, key, &FORM);
                out.put(key, language, said.at, node, problems);
            }
            Meaning::Nothing => {}
            // Rules of FormPilot's first forms, which hold here anyway.
            _ if said.name == "rules" => {}
            _ => match said.value {
                Value::Node(node) => out.put(&said.name, None, said.at, node, problems),
                Value::Cell(_) => {
                    let known = FORM.all_keys().map(|key| key.name);
                    let problem = Problem::warning("form::prose_key", format!("`{}` is no key of a form", said.name));
                    let problem = problem.at(said.at, "not read");
                    problems.push(problem.did_you_mean(&said.name, known, "forms/README.md lists the keys"));
                }
            },
        }
    }
    let first = out.at("languages").and_then(|node| node.one_or_more().first()?.text()).unwrap_or("en").to_owned();
    if let Some(title) = draft.form.title.take() {
        let node = text(words::title(&title.text()), title.span.clone());
        match out.at("title").map(|node| &node.data) {
            // The head of the file and the first heading: the heading counts.
            Some(Data::Text(_)) => out.put("title", None, title.span, node, problems),
            _ => out.put_default("title", node),
        }
    }
    if theirs && let Some(id) = out.at("id").and_then(Node::text) {
        let title = text(label_of(id), span.clone());
        out.put_default("title", title);
    }
    let title = out.at("title").and_then(Node::first_text).map(names::slug);
    if let Some(id) = title.filter(|id| !id.is_empty()) {
        let id = if id.is_ascii() { id } else { "form".to_owned() };
        out.put_default("id", text(id, span.clone()));
    }
    let tools = tools::drafts(std::mem::take(&mut draft.tools));
    let pages = pages(&mut draft, &tools, &first, problems);
    let page_ids: Vec<String> = pages.iter().filter_map(|page| Some(page.at("id")?.text()?.to_owned())).collect();
    let mut tooling = Problems::new();
    let tool_ids: BTreeSet<String> = tools.iter().map(|(name, _)| name.clone()).collect();
    let logic = std::mem::take(&mut draft.logic);
    let instructions = std::mem::take(&mut draft.instructions);
    let faq = std::mem::take(&mut draft.faq);
    let prose = std::mem::take(&mut draft.prose);
    let fields = merge::fields(draft, problems);
    let mut known = Vec::new();
    fields.iter().for_each(|field| all_known(field, &mut known));
    let logic = rules::logic::read(&logic, &known, problems);
    for (sentence, span) in prose.iter().flat_map(rules::logic::rules) {
        problems.push(rules::logic::problem(
            &span,
            "this is not code: it decides nothing".to_owned(),
            &sentence,
            &known,
        ));
    }
    let ids: BTreeSet<String> = known.iter().map(|known| known.id.clone()).collect();
    let tools: Vec<Node> =
        tools.iter().map(|(name, told)| tools::make(name, told, &fields, &ids, &first, &mut tooling)).collect();
    let around = field::Around {
        known: &known,
        tools: &tool_ids,
        brings: &tools::outputs(&tools),
        first: &first,
        logic: &logic,
        pages: &page_ids,
        sources: &tools::sources(&fields, &tool_ids),
    };
    let made: Vec<Node> = fields.iter().map(|draft| field::make(draft, &around, problems)).collect();
    problems.extend(tooling);
    advice(&mut out, &instructions, &tool_ids, problems);
    questions(&mut out, &faq, &first, problems);
    let lists = [("page", pages), ("field", merge::without_repeated_pages(made)), ("tool", tools)];
    for (key, nodes) in lists {
        if let Some(list) = field::list(nodes) {
            out.put_default(key, list);
        }
    }
    out.node(span, &first)
}

fn all_known(draft: &field::Draft, known: &mut Vec<rules::condition::Known>) {
    known.push(field::known(draft));
    draft.members.iter().for_each(|member| all_known(member, known));
}

/// The value of a key that is no field's.
fn valued(value: &Value, key: &str, spec: &'static Spec) -> Node {
    match value {
        Value::Cell(cell) => {
            let shape = spec.all_keys().find(|known| known.is_named(key)).map_or(&Shape::Text, |key| &key.shape);
            cells::node(cell, shape)
        }
        Value::Node(node) => node.clone(),
    }
}

/// Languages, as tags or in words: `en, ar`, `bilingual (Arabic / English)`.
fn spoken(value: &Value) -> Node {
    let node = match value {
        Value::Cell(cell) => cells::node(cell, &Shape::Languages),
        Value::Node(node) => node.clone(),
    };
    if node.one_or_more().iter().all(|item| item.text().is_some_and(names::is_language)) {
        return node;
    }
    let Some(cell) = value.cell() else { return node };
    let mut tags = words::languages(&cell.text());
    // The document itself is in the one whose letters it is written in.
    tags.sort_by_key(|tag| *tag != "en");
    if tags.is_empty() {
        return node;
    }
    let tags = tags.into_iter().map(|tag| text(tag, node.span.clone())).collect();
    Node { span: node.span.clone(), data: Data::List(tags) }
}

/// The steps. Each is looked over before the next begins, unless it says otherwise.
fn pages(draft: &mut Draft, tools: &[(String, Vec<Told>)], first: &str, problems: &mut Problems) -> Vec<Node> {
    numbered(draft);
    let mut front = std::mem::take(&mut draft.front_pages);
    let several = draft.pages.len() > 1;
    let mut pages = Vec::new();
    for (number, told) in &draft.pages {
        let mut out = Entries::default();
        let heading = told.title.as_ref().map(outline::Cell::text).unwrap_or_default();
        let title = words::step(&heading).map_or("", |(_, title)| title);
        page(&mut out, told, problems);
        let slug = names::slug(title);
        let id = if slug.is_empty() || !slug.is_ascii() { format!("step-{number}") } else { slug };
        out.put_default("id", text(id, told.span.clone()));
        if !title.is_empty() {
            out.put_default("title", text(title, told.span.clone()));
        }
        let id = out.at("id").and_then(Node::text).unwrap_or_default().to_owned();
        if let Some(at) = front.iter().position(|page| page.id.as_ref().is_some_and(|(known, _)| *known == id)) {
            page(&mut out, &front.remove(at), problems);
        }
        if let Some(tool) = tools::after_step(tools, *number) {
            out.put_default("submit", tool);
        }
        if several {
            out.put_default("review", Node { span: told.span.clone(), data: Data::Bool(true) });
        }
        pages.push(out.node(told.span.clone(), first));
    }
    for told in front {
        let mut out = Entries::default();
        if let Some((id, at)) = &told.id {
            out.put("id", None, at.clone(), text(id.clone(), at.clone()), problems);
        }
        page(&mut out, &told, problems);
        pages.push(out.node(told.span.clone(), first));
    }
    pages
}

fn page(out: &mut Entries, told: &Told, problems: &mut Problems) {
    for said in &told.said {
        match words::property(&said.name, &PAGE) {
            Meaning::Key(key, language) => {
                out.put(key, language, said.at.clone(), valued(&said.value, key, &PAGE), problems);
            }
            _ => {
                if let Value::Node(node) = &said.value {
                    out.put(&said.name, None, said.at.clone(), node.clone(), problems);
                    continue;
                }
                let known = PAGE.all_keys().map(|key| key.name);
                let problem = Problem::warning("form::prose_key", format!("`{}` is no key of a step", said.name));
                let problem = problem.at(said.at.clone(), "not read");
                problems.push(problem.did_you_mean(&said.name, known, "forms/README.md lists the keys"));
            }
        }
    }
}

/// Fields that say the number of their step belong to it; a number without a heading is a step all the same.
fn numbered(draft: &mut Draft) {
    let number = |told: &Told| {
        let said = told.said.iter().find(|said| words::property(&said.name, &super::keys::FIELD) == Meaning::Step)?;
        let cell = said.value.cell()?;
        Some((cell.text().parse::<u32>().ok()?, cell.span))
    };
    let mut pages = std::mem::take(&mut draft.pages);
    for told in draft.front.iter_mut().chain(&mut draft.summary).chain(&mut draft.sections) {
        let Some((number, span)) = number(told) else { continue };
        let at = pages.iter().position(|(known, _)| *known == number).unwrap_or_else(|| {
            pages.push((number, Told { span, ..Told::default() }));
            pages.len() - 1
        });
        told.page = Some(at);
    }
    draft.pages = pages;
}

/// Instructions for whoever runs the form: the tone, and advice for a language model.
fn advice(out: &mut Entries, cells: &[outline::Cell], tools: &BTreeSet<String>, problems: &mut Problems) {
    let mut pieces: Vec<(String, Range<usize>)> = Vec::new();
    for cell in cells {
        let words = cell.text();
        match words.split_once(':') {
            Some((name, tone)) if name.trim().eq_ignore_ascii_case("tone") => {
                out.put_default("tone", text(tone.trim(), cell.span.clone()));
            }
            _ if prose::is_advice(cell, tools) => pieces.push((words, cell.span.clone())),
            _ => {}
        }
    }
    if !out.has("guidance")
        && let Some(node) = prose::advice(&pieces, problems)
    {
        out.put_default("guidance", node);
    }
}

/// Questions with their answers, a row for each.
fn questions(out: &mut Entries, tables: &[outline::Table], first: &str, problems: &mut Problems) {
    let mut all = out.at("faq").map(|faq| faq.items().to_vec()).unwrap_or_default();
    for table in tables {
        for row in &table.rows {
            let mut one = Entries::default();
            for (cell, head) in row.iter().zip(&table.head).filter(|(cell, _)| !cell.is_empty()) {
                if let Meaning::Key(key, language) = words::property(&head.text(), &FAQ) {
                    let node = valued(&Value::Cell(cell.clone()), key, &FAQ);
                    one.put(key, language, head.span.clone(), node, problems);
                }
            }
            let span = row.first().map_or(0..0, |cell| cell.span.clone());
            all.push(one.node(span, first));
        }
    }
    if !tables.is_empty()
        && let Some(list) = field::list(all)
    {
        out.replace("faq", list);
    }
}
