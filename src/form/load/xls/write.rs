//! Writes a form as the sheets of an XLSForm.

use std::collections::BTreeMap;

use formwright_lexicon as language;
use formwright_lexicon::NAMED;

use super::expression::from_cel;
use super::expression::from_cel::Place;
use super::known::{Holds, Question, Questions};
use super::row_out::Out;
use super::tables::{Grid, text_of};
use crate::export::lost;
use crate::keys::tables;
use crate::lost::Lost;
use crate::node::{Data, Node};

/// Columns of the survey in their usual order; those that are in languages stand for one of each.
const COLUMNS: [&str; 14] = [
    "type",
    "name",
    "label",
    "hint",
    "required",
    "relevant",
    "constraint",
    "constraint_message",
    "default",
    "calculation",
    "appearance",
    "choice_filter",
    "repeat_count",
    "parameters",
];

/// The list that questions of yes and no share.
pub(super) const YES_NO: &str = "yes_no";

/// A row by the names of its columns, in languages as `label::it`.
pub(super) type Cells = BTreeMap<String, String>;

/// The sheets of a form, with what they do not say.
pub(in super::super) fn write(root: &Node, told: &mut Vec<Lost>) -> Vec<(String, Grid)> {
    let mut writing = Writing::of(root);
    writing.fields(root);
    let sheets = writing.sheets(root);
    // What is not read back was lost on the way.
    let (id, mut unread, mut problems) = (word(root, "id"), Vec::new(), Vec::new());
    let (again, _) = super::read::read(&text_of(&sheets), &id, &mut unread, &mut problems);
    told.extend(lost::between(root, &again));
    sheets
}

/// A workbook that is being written.
pub(super) struct Writing<'n> {
    root: &'n Node,
    pub(super) langs: Vec<String>,
    pub(super) questions: Questions,
    pub(super) survey: Vec<Cells>,
    pub(super) choices: Vec<Cells>,
    /// The lists of tools, by their names.
    lists: BTreeMap<String, String>,
}

pub(super) fn word(node: &Node, key: &str) -> String {
    node.at(key).and_then(Node::text).unwrap_or_default().to_owned()
}

impl<'n> Writing<'n> {
    fn of(root: &'n Node) -> Self {
        let mut langs: Vec<String> = root
            .at("languages")
            .map(Node::one_or_more)
            .unwrap_or_default()
            .iter()
            .filter_map(|lang| lang.text().map(str::to_owned))
            .collect();
        if langs.is_empty() {
            collect_languages(root, &mut langs);
        }
        if langs.is_empty() {
            langs.push("en".to_owned());
        }
        let mut questions = Questions::default();
        learn(tables(root, "field"), &[], 0, &mut questions);
        Self { root, langs, questions, survey: Vec::new(), choices: Vec::new(), lists: BTreeMap::new() }
    }

    fn fields(&mut self, root: &'n Node) {
        let pages = tables(root, "page");
        let mut page = String::new();
        for field in tables(root, "field") {
            let own = word(field, "page");
            if !own.is_empty() && own != page {
                self.end_page(&page);
                page = own;
                let mut cells = Out::new("begin_group", &page, &self.langs, &self.questions);
                let found = pages.iter().find(|known| word(known, "id") == page);
                cells.put("appearance", "field-list");
                if let Some(found) = found {
                    cells.text("label", found.at("title"));
                    cells.expr("relevant", self.code(found.at("show_when"), None, Holds::Other));
                }
                self.survey.push(cells.cells);
            }
            self.field(field);
        }
        self.end_page(&page);
    }

    fn end_page(&mut self, page: &str) {
        if !page.is_empty() {
            self.survey.push(Out::new("end_group", "", &self.langs, &self.questions).cells);
        }
    }

    /// An expression of the form as one of the workbook.
    pub(super) fn code(&self, node: Option<&Node>, own: Option<&str>, holds: Holds) -> Option<String> {
        let params = BTreeMap::new();
        from_cel::code(node?.text()?, Place { questions: &self.questions, own, holds, params: &params })
    }

    /// The condition by which a tool keeps rows, as a filter of choices.
    pub(super) fn filter(&self, tool: &Node) -> Option<String> {
        let named = tool.at("params").map(Node::entries).unwrap_or_default();
        let params: Option<BTreeMap<String, String>> = named
            .iter()
            .map(|param| Some((param.key.clone(), param.node.text()?.rsplit('.').next()?.to_owned())))
            .collect();
        let params = params?;
        let place = Place { questions: &self.questions, own: None, holds: Holds::Other, params: &params };
        from_cel::code(tool.at("keep")?.text()?, place)
    }

    pub(super) fn tool(&self, name: &str) -> Option<&'n Node> {
        tables(self.root, "tool").iter().find(|tool| word(tool, "id") == name)
    }

    /// The name of a list of these options: a tool's is there once, a field has its own.
    pub(super) fn list(&mut self, tool: Option<&str>, field: &str, options: &[Node]) -> String {
        if let Some(known) = tool.and_then(|tool| self.lists.get(tool)) {
            return known.clone();
        }
        let base = tool.unwrap_or(field);
        let more = (2..).map(|no| format!("{base}_{no}"));
        let free = |name: &String| {
            name != YES_NO && !self.choices.iter().any(|row| row.get("list_name").is_some_and(|list| list == name))
        };
        let name = std::iter::once(base.to_owned()).chain(more).find(free).unwrap_or_else(|| base.to_owned());
        if let Some(tool) = tool {
            self.lists.insert(tool.to_owned(), name.clone());
        }
        self.choose(&name, options);
        name
    }

    /// Rows of a list of options.
    fn choose(&mut self, list: &str, options: &[Node]) {
        for option in options {
            let whole = matches!(option.data, Data::Map(_));
            let named = |keys: &[&str]| keys.iter().find_map(|key| option.at(key));
            let label = if whole { named(&["label", "name", "title", "english", "en"]) } else { Some(option) };
            let first = label.and_then(Node::first_text);
            let id = named(&["id", "key", "code", "value"]).and_then(super::row_out::digits);
            let id = id.unwrap_or_else(|| crate::names::slug(first.unwrap_or_default()));
            let mut cells = Out::new("", &id, &self.langs, &self.questions);
            cells.cells.remove("type");
            cells.put("list_name", list);
            match label {
                Some(label) if label.text().is_some() || !label.entries().is_empty() => {
                    cells.text("label", Some(label));
                }
                _ => cells.put("label", &id),
            }
            for extra in option.entries() {
                if let Some(value) = extra
                    .node
                    .text()
                    .filter(|_| !matches!(extra.key.as_str(), "id" | "name" | "label" | "detail" | "synonyms"))
                {
                    cells.put(&extra.key, value);
                }
            }
            self.choices.push(cells.cells);
        }
    }

    /// The list of yes and no.
    pub(super) fn choose_yes_no(&mut self) {
        if self.choices.iter().any(|row| row.get("list_name").is_some_and(|list| list == YES_NO)) {
            return;
        }
        for yes in [true, false] {
            let mut cells = Cells::new();
            cells.insert("list_name".to_owned(), YES_NO.to_owned());
            cells.insert("name".to_owned(), if yes { "yes" } else { "no" }.to_owned());
            for lang in &self.langs {
                let shown = &language::language(lang).yes_no;
                let label = if yes { &shown.show_yes } else { &shown.show_no };
                cells.insert(heading("label", lang, &self.langs), label.clone());
            }
            self.choices.push(cells);
        }
    }

    fn sheets(self, root: &Node) -> Vec<(String, Grid)> {
        let mut settings = Cells::new();
        let title = root.at("title").and_then(Node::first_text);
        settings.insert("form_title".to_owned(), title.unwrap_or_default().to_owned());
        settings.insert("form_id".to_owned(), word(root, "id"));
        if let Some(first) = self.langs.first().filter(|first| self.langs.len() > 1 || *first != "en") {
            settings.insert("default_language".to_owned(), spoken(first));
        }
        let langs = &self.langs;
        vec![
            ("survey".to_owned(), grid(&self.survey, &COLUMNS, langs)),
            ("choices".to_owned(), grid(&self.choices, &["list_name", "name", "label"], langs)),
            ("settings".to_owned(), grid(&[settings], &["form_title", "form_id", "default_language"], langs)),
        ]
    }
}

/// The heading of a text in a language.
pub(super) fn heading(column: &str, lang: &str, langs: &[String]) -> String {
    if langs.len() < 2 && lang == "en" { column.to_owned() } else { format!("{column}::{}", spoken(lang)) }
}

/// A language as headings name it: `Italian (it)`.
fn spoken(lang: &str) -> String {
    let named = NAMED.iter().find(|(_, tag)| *tag == lang).map(|(name, _)| *name);
    let mut letters = named.unwrap_or(lang).chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{} ({lang})", letters.as_str())
}

/// Rows with their columns: the usual ones in their order, then all others.
fn grid(rows: &[Cells], usual: &[&str], langs: &[String]) -> Grid {
    let mut columns: Vec<String> = Vec::new();
    for column in usual {
        columns.push((*column).to_owned());
        columns.extend(langs.iter().map(|lang| heading(column, lang, langs)).filter(|heading| heading != column));
    }
    columns.extend(rows.iter().flat_map(BTreeMap::keys).cloned());
    let mut seen = std::collections::BTreeSet::new();
    columns.retain(|column| seen.insert(column.clone()) && rows.iter().any(|row| row.contains_key(column)));
    let cells = |row: &Cells| columns.iter().map(|column| row.get(column).cloned().unwrap_or_default()).collect();
    std::iter::once(columns.clone()).chain(rows.iter().map(cells)).collect()
}

/// Languages of the texts of a form that does not list them: those of the first text with several.
fn collect_languages(root: &Node, langs: &mut Vec<String>) {
    root.each_entry(&mut |entry| {
        let several = matches!(entry.key.as_str(), "label" | "ask" | "title" | "help" | "description");
        for lang in entry.node.entries().iter().filter(|_| several) {
            if crate::names::is_language(&lang.key) && !langs.contains(&lang.key) {
                langs.push(lang.key.clone());
            }
        }
    });
}

fn learn(fields: &[Node], above: &[String], list: usize, questions: &mut Questions) {
    for field in fields {
        let mut path = above.to_vec();
        path.push(word(field, "id"));
        let kind = word(field, "kind");
        let inner = if kind == "list" { path.len() } else { list };
        learn(tables(field, "field"), &path, inner, questions);
        let holds = match kind.as_str() {
            "computed" => Holds::of(&word(field, "result")),
            kind => Holds::of(kind),
        };
        questions.add(Question { name: word(field, "id"), path, holds, list });
    }
}
