//! Writes a document: the form's table, a heading for each step and field, tools with their rows. What has no place in
//! tables stands in a front matter; what has none there either is told as lost.

use std::fmt::Write as _;

use formwright_form::problem::Problems;

use super::cell::{cell, code, escape};
use super::rows::Rows;
use super::{lost, yaml};
use crate::keys::{FIELD, FORM, PAGE, TOOL, tables};
use crate::lost::Lost;
use crate::lower::label_of;
use crate::markdown::{self, heading};
use crate::node::{Data, Entry, Node};
use crate::shape::{Shape, Spec};

/// Greatest depth of headings.
const DEEPEST: usize = 6;

/// The form as a document, with what it has no place for.
pub(super) fn write(root: &Node, told: &mut Vec<Lost>) -> String {
    let written = document(root, told);
    let again = markdown::read(&written, &mut Problems::new());
    for lost in lost::between(root, &again) {
        if !told.contains(&lost) {
            told.push(lost);
        }
    }
    written
}

fn document(root: &Node, lost: &mut Vec<Lost>) -> String {
    let listed = root.at("languages").and_then(|list| list.one_or_more().first()?.text());
    let mut writing = Writing { first: listed.unwrap_or("en").to_owned(), out: String::new(), front: Vec::new(), lost };
    writing.form(root);
    if writing.front.is_empty() {
        return writing.out;
    }
    let span = 0..0;
    let front = Node { span, data: Data::Map(std::mem::take(&mut writing.front)) };
    format!("---\n{}---\n\n{}", yaml::block(&front), writing.out)
}

pub(super) struct Writing<'a> {
    first: String,
    pub(super) out: String,
    front: Vec<Entry>,
    lost: &'a mut Vec<Lost>,
}

impl Writing<'_> {
    fn form(&mut self, root: &Node) {
        let mut rows = Rows::default();
        let title = root.at("title");
        let (heading, others) = self.parted(title, heading::title);
        let headed = heading.is_some();
        if let Some(heading) = heading {
            let _ = writeln!(self.out, "# {}\n", escape(&heading));
        }
        if let Some(id) = root.at("id").and_then(Node::text) {
            rows.put("Form ID", code(id));
        }
        for entry in root.entries() {
            match entry.key.as_str() {
                "id" | "field" | "fields" | "page" | "pages" | "tool" | "tools" => {}
                "title" if headed => rows.0.extend(in_others("Title", &others)),
                "faq" if self.questions(&entry.node, false) => {}
                _ => {
                    if !self.property(&mut rows, entry, &FORM) {
                        self.front.push(entry.clone());
                    }
                }
            }
        }
        self.table(&rows);
        self.fields(root);
        let tools = tables(root, "tool");
        if !tools.is_empty() {
            self.out.push_str("## Tools\n\n");
        }
        for tool in tools {
            self.tool(tool);
        }
        if let Some(faq) = root.at("faq") {
            self.questions(faq, true);
        }
    }

    /// Steps and fields. The summary keeps the order where fields of a step do not stand together.
    fn fields(&mut self, root: &Node) {
        let (pages, fields) = (tables(root, "page"), tables(root, "field"));
        let mut page: Option<String> = None;
        let placed: Vec<(Option<String>, &Node)> = fields
            .iter()
            .map(|field| {
                page = field.at("page").and_then(Node::text).map(str::to_owned).or_else(|| page.take());
                (page.clone(), field)
            })
            .collect();
        let loose: Vec<&Node> = placed.iter().filter(|(page, _)| page.is_none()).map(|(_, field)| *field).collect();
        if !loose.is_empty() && !pages.is_empty() {
            self.out.push_str("## Fields\n\n");
        }
        let level = if pages.is_empty() { 2 } else { 3 };
        loose.into_iter().for_each(|field| self.field(field, level, "form"));
        for (no, page) in pages.iter().enumerate() {
            self.page(page, no + 1, pages.len());
            let id = page.at("id").and_then(Node::text);
            for (_, field) in placed.iter().filter(|(of, _)| of.as_deref() == id && id.is_some()) {
                self.field(field, level, "form");
            }
        }
        self.out.push_str("## Field Summary Table\n\n| # | Field ID | Type | Required |\n|---|---|---|---|\n");
        for (no, (_, field)) in placed.iter().enumerate() {
            let word = |key: &str| field.at(key).and_then(Node::text).unwrap_or_default();
            let kind = field.at("kind").or_else(|| field.at("type")).and_then(Node::text).unwrap_or_default();
            let required = match (kind, field.at("required").and_then(Node::truth), field.at("required_when")) {
                ("note" | "computed" | "hidden", ..) => "—",
                _ if field.at("fixed").is_some() => "—",
                (_, _, Some(_)) => "Conditional",
                (_, Some(false), _) => "No",
                _ => "Yes",
            };
            let _ = writeln!(self.out, "| {} | {} | {kind} | {required} |", no + 1, code(word("id")));
        }
        self.out.push('\n');
    }

    fn page(&mut self, page: &Node, number: usize, of: usize) {
        let (title, others) = self.parted(page.at("title"), |title| title.trim().to_owned());
        let headed = title.is_some();
        let title = title.unwrap_or_default();
        let _ = match title.as_str() {
            "" => writeln!(self.out, "## Step {number}\n"),
            title => writeln!(self.out, "## Step {number}: {}\n", escape(title)),
        };
        let mut rows = Rows::default();
        let mut front = Vec::new();
        for entry in page.entries() {
            match entry.key.as_str() {
                "id" => rows.put("Step ID", code(entry.node.text().unwrap_or_default())),
                "title" if headed => rows.0.extend(in_others("Title", &others)),
                // Steps of a document are looked over, unless they say otherwise.
                "review" if of > 1 && entry.node.truth() == Some(true) => {}
                _ => {
                    if !self.property(&mut rows, entry, &PAGE) {
                        front.push(entry.clone());
                    }
                }
            }
        }
        // What does something is looked over first, here as there.
        if of > 1 && page.at("review").is_none() && page.at("submit").is_none() {
            rows.put("Review", "No".to_owned());
        }
        self.table(&rows);
        self.leftover("pages", page, front);
    }

    fn field(&mut self, field: &Node, level: usize, within: &str) {
        let id = field.at("id").and_then(Node::text).unwrap_or_default();
        let (label, others) = self.parted(field.at("label"), heading::label);
        let headed = label.is_some();
        let label = label.unwrap_or_else(|| label_of(id));
        let _ = writeln!(self.out, "{} {}\n", "#".repeat(level.min(DEEPEST)), escape(&label));
        let mut rows = Rows::default();
        rows.put("Field ID", code(id));
        let mut front = Vec::new();
        let mut options = None;
        for entry in field.entries() {
            match entry.key.as_str() {
                "id" | "field" | "fields" | "page" => {}
                "kind" | "type" => rows.put("Type", escape(entry.node.text().unwrap_or_default())),
                // A heading would be read as its first language.
                "label" if !headed && matches!(entry.node.data, Data::Map(_)) => front.push(entry.clone()),
                "label" if headed => rows.0.extend(in_others("Label", &others)),
                "options" => match self.options(&entry.node) {
                    Some(table) => options = Some(table),
                    None if self.property(&mut rows, entry, &FIELD) => {}
                    None => front.push(entry.clone()),
                },
                "check" | "checks" => {
                    if !self.checks(&mut rows, &entry.node) {
                        front.push(entry.clone());
                    }
                }
                _ => {
                    if !self.property(&mut rows, entry, &FIELD) {
                        front.push(entry.clone());
                    }
                }
            }
        }
        self.table(&rows);
        self.out.push_str(&options.unwrap_or_default());
        let members = tables(field, "field");
        // Headings go six deep; fields that lie deeper, and what does not fit, stand in the front matter.
        if level >= DEEPEST && !members.is_empty() {
            front.extend(
                field.entries().iter().filter(|entry| matches!(entry.key.as_str(), "field" | "fields")).cloned(),
            );
        } else {
            members.iter().for_each(|member| self.field(member, level + 1, id));
        }
        if within == "form" {
            self.leftover("fields", field, front);
        } else {
            let place = format!("field `{id}`");
            self.lost.extend(front.into_iter().map(|entry| Lost::new(&place, format!("`{}`", entry.key))));
        }
    }

    fn tool(&mut self, tool: &Node) {
        let id = tool.at("id").and_then(Node::text).unwrap_or_default();
        let _ = writeln!(self.out, "### {}\n", code(id));
        let kind = tool.at("kind").and_then(Node::text).unwrap_or("data");
        let mut rows = Rows::default();
        rows.put("Kind", kind.to_owned());
        let (mut front, mut block) = (Vec::new(), None);
        for entry in tool.entries() {
            match (entry.key.as_str(), kind) {
                ("id" | "kind", _) => {}
                ("rows", "data") | ("fallback", "client") => block = Some(&entry.node),
                _ => {
                    if !self.property(&mut rows, entry, &TOOL) {
                        front.push(entry.clone());
                    }
                }
            }
        }
        self.table(&rows);
        if let Some(rows) = block {
            let lines: Vec<String> = rows.items().iter().map(|row| format!("  {}", super::json::exact(row))).collect();
            let _ = writeln!(self.out, "```json\n[\n{}\n]\n```\n", lines.join(",\n"));
        }
        self.leftover("tools", tool, front);
    }

    /// A property, or one for each language. False where it has no cell.
    pub(super) fn property(&self, rows: &mut Rows, entry: &Entry, spec: &'static Spec) -> bool {
        let Some(key) = spec.all_keys().find(|key| key.is_named(&entry.key)) else { return false };
        let name = name_of(key.name);
        let by_language = matches!(key.shape, Shape::Text | Shape::Texts | Shape::Words);
        let Data::Map(languages) = &entry.node.data else {
            return cell(&entry.node, &key.shape).map(|cell| rows.put(&name, cell)).is_some();
        };
        if !by_language {
            return cell(&entry.node, &key.shape).map(|cell| rows.put(&name, cell)).is_some();
        }
        let several = languages.len() > 1;
        let cells: Option<Vec<(String, String)>> = languages
            .iter()
            .map(|entry| {
                let plain = several && entry.key == self.first;
                let name = if plain { name.clone() } else { format!("{name} ({})", entry.key) };
                Some((name, cell(&entry.node, &key.shape)?))
            })
            .collect();
        cells.map(|cells| rows.0.extend(cells)).is_some()
    }

    /// Checks as pairs of rows. False where one has no cell.
    fn checks(&mut self, rows: &mut Rows, checks: &Node) -> bool {
        let mut all = Rows::default();
        for check in checks.items() {
            let that = check.at("that").or_else(|| check.at("tool")).and_then(Node::text);
            let Some(that) = that else { return false };
            all.put("Check", code(that));
            let Some(or_else) = check.entries().iter().find(|entry| entry.key == "else") else { return false };
            let entry = Entry { key: "otherwise".to_owned(), ..or_else.clone() };
            if !self.texts(&mut all, "Otherwise", &entry.node) {
                return false;
            }
        }
        rows.0.extend(all.0);
        true
    }

    /// A text by language, as rows.
    fn texts(&mut self, rows: &mut Rows, name: &str, node: &Node) -> bool {
        let Data::Map(languages) = &node.data else {
            return cell(node, &Shape::Text).map(|cell| rows.put(name, cell)).is_some();
        };
        for entry in languages {
            let plain = languages.len() > 1 && entry.key == self.first;
            let Some(cell) = cell(&entry.node, &Shape::Text) else { return false };
            rows.put(&if plain { name.to_owned() } else { format!("{name} ({})", entry.key) }, cell);
        }
        true
    }

    /// A text as its heading and its other languages. The heading is one only where it is read as the same words.
    fn parted(&self, text: Option<&Node>, read: impl Fn(&str) -> String) -> (Option<String>, Vec<(String, String)>) {
        let same = |words: &str| (read(words) == words && !words.contains('\n')).then(|| words.to_owned());
        match text.map(|text| &text.data) {
            Some(Data::Map(entries)) => {
                let heading = entries.iter().find(|entry| entry.key == self.first).and_then(|entry| entry.node.text());
                let heading = heading.filter(|_| entries.len() > 1).and_then(same);
                let others = entries.iter().filter(|entry| entry.key != self.first);
                let others = others.filter_map(|entry| Some((entry.key.clone(), entry.node.text()?.to_owned())));
                (heading.clone(), if heading.is_some() { others.collect() } else { Vec::new() })
            }
            Some(Data::Text(words)) => (same(words), Vec::new()),
            _ => (None, Vec::new()),
        }
    }

    fn table(&mut self, rows: &Rows) {
        if rows.0.is_empty() {
            return;
        }
        self.out.push_str("| Property | Value |\n|---|---|\n");
        for (name, cell) in &rows.0 {
            let _ = writeln!(self.out, "| {name} | {cell} |");
        }
        self.out.push('\n');
    }

    /// Keys that have no place in tables, under the thing's name in the front matter.
    fn leftover(&mut self, list: &str, thing: &Node, left: Vec<Entry>) {
        if left.is_empty() {
            return;
        }
        let id = thing.entries().iter().find(|entry| entry.key == "id").cloned();
        let item = Node { span: 0..0, data: Data::Map(id.into_iter().chain(left).collect()) };
        match self.front.iter_mut().find(|entry| entry.key == list) {
            Some(Entry { node: Node { data: Data::List(items), .. }, .. }) => items.push(item),
            _ => {
                let node = Node { span: 0..0, data: Data::List(vec![item]) };
                self.front.push(Entry { key: list.to_owned(), span: 0..0, node });
            }
        }
    }
}

/// The languages of a text that its heading is not in.
fn in_others(name: &str, others: &[(String, String)]) -> Vec<(String, String)> {
    others.iter().map(|(tag, words)| (format!("{name} ({tag})"), escape(words))).collect()
}

/// A key as the name of a property: `max_chars` becomes `Max chars`.
fn name_of(key: &str) -> String {
    match key {
        "show_when" => "Visible when".to_owned(),
        "params" => "Args".to_owned(),
        "id" => "Key".to_owned(),
        key => {
            let words = key.replace('_', " ");
            let mut letters = words.chars();
            letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        }
    }
}
