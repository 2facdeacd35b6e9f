//! Reads an XLSForm as a form: rows become fields, groups and repeats, and what a form has no key for is told as lost.

use std::cell::RefCell;
use std::collections::BTreeSet;

use formwright_form::problem::{Problem, Problems};

use super::columns::{Column, entry, list, table, tag, text, words};
use super::known::{Holds, Question, Questions};
use super::options::Lists;
use super::row::Reading;
use super::tables::{Row, Sheet, sheets_of};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Entry, Node};

/// Most options of all questions together.
const MOST_OPTIONS: usize = 20_000;
/// Most groups and repeats that lie in each other.
const DEEPEST: usize = 16;

/// A question or a group with what lies in it, before it is read.
pub(super) struct Branch<'s> {
    pub(super) row: &'s Row,
    /// The first word of its type: `select_one`, `group`.
    pub(super) sort: String,
    /// The rest of its type: the list of a `select_one`.
    pub(super) of: String,
    /// Its name in the workbook, and in the form.
    pub(super) name: String,
    pub(super) id: String,
    pub(super) members: Vec<Branch<'s>>,
}

/// Reads the text of a workbook. `name` is the form's where it has none of its own.
pub(in super::super) fn read(source: &str, name: &str, lost: &mut Vec<Lost>, problems: &mut Problems) -> Node {
    let sheets = sheets_of(source);
    let nothing = || table(Vec::new(), &(0..0));
    let Some(survey) = sheets.iter().find(|sheet| sheet.name == "survey") else {
        let problem = Problem::error("form::missing_key", "this workbook has no sheet `survey`");
        problems
            .push(problem.at(0..0, "not an XLSForm").help("an XLSForm has its questions in a sheet called `survey`"));
        return nothing();
    };
    let mut branches = branches(survey, lost, problems);
    if branches.is_empty() && problems.is_empty() {
        let problem = Problem::error("form::missing_key", "the sheet `survey` has no questions");
        problems.push(problem.at(0..0, "nothing to fill in").help("each row below the headings is a question"));
    }
    if !problems.is_empty() {
        return nothing();
    }
    for other in sheets.iter().filter(|sheet| !matches!(sheet.name.as_str(), "survey" | "choices" | "settings")) {
        lost.push(Lost { place: format!("sheet `{}`", other.name), what: "all of it".to_owned() });
    }
    let settings = Settings::of(&sheets, name, lost);
    let paged = is_paged(survey, &branches);
    name_all(&mut branches, paged, lost);
    let choices = sheets.iter().find(|sheet| sheet.name == "choices");
    let lists = Lists::of(choices, &settings.lang, lost);
    if let Some(branch) = beyond(&branches, &lists, &mut 0) {
        let message = format!("its questions have more than {MOST_OPTIONS} options together");
        let problem =
            Problem::error("form::too_many", message).at(branch.row.span.clone(), "it is too many from here on");
        problems.push(problem.help("let a tool give the options of a long list: `options_from`"));
        return nothing();
    }
    let mut questions = Questions::default();
    if paged {
        questions.pages = branches.iter().map(|page| page.name.clone()).collect();
    }
    for branch in &branches {
        // A page is no part of its questions' names.
        let members = if paged { &branch.members[..] } else { std::slice::from_ref(branch) };
        learn(members, &[], 0, &lists, &mut questions);
    }
    let reading = Reading {
        survey,
        lists: &lists,
        questions: &questions,
        lang: &settings.lang,
        lost: RefCell::new(Vec::new()),
        tools: RefCell::new(Vec::new()),
    };
    let (pages, fields) = reading.whole(&branches, paged);
    lost.append(&mut reading.lost.borrow_mut());
    let mut entries = settings.entries;
    if !pages.is_empty() {
        entries.push(entry("pages", list(pages, &(0..0))));
    }
    entries.push(entry("fields", list(fields, &(0..0))));
    let tools = reading.tools.take();
    if !tools.is_empty() {
        entries.push(entry("tools", list(tools, &(0..0))));
    }
    Node { span: 0..0, data: Data::Map(entries) }
}

/// What the sheet `settings` says.
struct Settings {
    lang: String,
    entries: Vec<Entry>,
}

impl Settings {
    fn of(sheets: &[Sheet], name: &str, lost: &mut Vec<Lost>) -> Self {
        let sheet = sheets.iter().find(|sheet| sheet.name == "settings");
        let row = sheet.and_then(|sheet| Some((sheet, sheet.rows.first()?)));
        let said = |key: &str| row.and_then(|(sheet, row)| sheet.cell(row, key));
        // A language that is not told by its tag, but used in headings without one, is the first.
        let lang = said("default_language").and_then(|cell| tag(&cell.text)).unwrap_or_else(|| first_language(sheets));
        let (id, title) = (said("form_id").or_else(|| said("id_string")), said("form_title").or_else(|| said("title")));
        let wanted = id.map_or(name, |cell| cell.text.as_str());
        let slug = names::slug(wanted);
        let good = slug.starts_with(|c: char| c.is_ascii_alphabetic()) && slug.is_ascii();
        let slug = if good { slug } else { "form".to_owned() };
        if id.is_some_and(|cell| cell.text != slug && !names::is_name(&cell.text)) {
            lost.push(Lost {
                place: "the form".to_owned(),
                what: format!("its name `{wanted}`, which becomes `{slug}`"),
            });
        }
        let written = id.filter(|cell| names::is_name(&cell.text)).map_or(slug, |cell| cell.text.clone());
        let span = id.map_or(0..0, |cell| cell.span.clone());
        let titled = title.map_or_else(|| words(name, &(0..0)), |cell| words(cell.text.clone(), &cell.span));
        let entries = vec![
            entry("id", words(written, &span)),
            entry("title", titled),
            entry("languages", list(vec![words(lang.clone(), &(0..0))], &(0..0))),
        ];
        if let Some((sheet, row)) = row {
            for (heading, _) in sheet.named(row) {
                let known = ["form_id", "id_string", "form_title", "title", "default_language"];
                if !known.contains(&heading.to_lowercase().as_str()) {
                    lost.push(Lost { place: "sheet `settings`".to_owned(), what: format!("`{heading}`") });
                }
            }
        }
        let mut settings = Self { lang, entries };
        settings.languages(sheets);
        settings
    }

    /// All languages, the one of plain texts first; left out where there is only English.
    fn languages(&mut self, sheets: &[Sheet]) {
        let mut all = vec![self.lang.clone()];
        for heading in sheets.iter().flat_map(|sheet| &sheet.columns) {
            all.extend(Column::of(heading).lang.filter(|lang| !all.contains(lang)));
        }
        self.entries.retain(|entry| entry.key != "languages");
        if all != ["en"] {
            let all = all.into_iter().map(|lang| words(lang, &(0..0))).collect();
            self.entries.push(entry("languages", list(all, &(0..0))));
        }
    }
}

/// The language of the first heading that names one, where no heading of texts names none.
fn first_language(sheets: &[Sheet]) -> String {
    let columns: Vec<Column> =
        sheets.iter().flat_map(|sheet| &sheet.columns).map(|heading| Column::of(heading)).collect();
    if columns.iter().any(|column| column.name == "label" && column.lang.is_none()) {
        return "en".to_owned();
    }
    columns.into_iter().find_map(|column| column.lang).unwrap_or_else(|| "en".to_owned())
}

/// What the phone notes by itself, which nobody is asked.
const METADATA: &[&str] = &[
    "start",
    "end",
    "today",
    "deviceid",
    "subscriberid",
    "simserial",
    "phonenumber",
    "username",
    "email",
    "audit",
    "start-geopoint",
    "background-audio",
    "xml-external",
    "csv-external",
];

/// The rows of a survey as a tree.
fn branches<'s>(survey: &'s Sheet, lost: &mut Vec<Lost>, problems: &mut Problems) -> Vec<Branch<'s>> {
    let mut open: Vec<Branch<'s>> = Vec::new();
    let mut top: Vec<Branch<'s>> = Vec::new();
    for row in &survey.rows {
        let Some(kind) = survey.cell(row, "type") else { continue };
        // A row that its author has switched off is not there.
        let off = survey.cell(row, "disabled").map(|cell| cell.text.to_lowercase());
        if off.is_some_and(|off| matches!(off.as_str(), "yes" | "true" | "true()")) {
            continue;
        }
        let mut said = kind.text.split_whitespace();
        let first = said.next().unwrap_or_default().to_lowercase();
        let rest: Vec<&str> = said.collect();
        let (sort, of) = match first.as_str() {
            "begin" => (format!("begin_{}", rest.first().unwrap_or(&"group").to_lowercase()), String::new()),
            "end" if !rest.is_empty() => ("end_".to_owned(), String::new()),
            "select" => (
                format!(
                    "select_{}",
                    rest.first().map_or("one", |word| if *word == "one" { "one" } else { "multiple" })
                ),
                rest.iter().skip(1).copied().filter(|word| *word != "from").collect::<Vec<_>>().join(" "),
            ),
            _ => (first.clone(), rest.join(" ")),
        };
        let name = survey.cell(row, "name").map(|cell| cell.text.clone()).unwrap_or_default();
        if sort.starts_with("end_") {
            match open.pop() {
                Some(done) => open.last_mut().map_or(&mut top, |parent| &mut parent.members).push(done),
                None => {
                    let problem = Problem::error("form::syntax", "this ends a group that was not begun");
                    problems.push(problem.at(kind.span.clone(), "nothing is open here").help("take the row out"));
                }
            }
            continue;
        }
        if METADATA.contains(&sort.as_str()) {
            let place = format!("question `{}`", if name.is_empty() { &sort } else { &name });
            lost.push(Lost { place, what: "all of it: nobody is asked for it".to_owned() });
            continue;
        }
        let begins = sort.strip_prefix("begin_").map(str::to_owned);
        let branch =
            Branch { row, sort: begins.clone().unwrap_or(sort), of, name, id: String::new(), members: Vec::new() };
        if begins.is_some() {
            if open.len() == DEEPEST {
                let problem =
                    Problem::error("form::too_deep", format!("groups lie in each other more than {DEEPEST} deep"));
                problems
                    .push(problem.at(kind.span.clone(), "begun here").help("put its questions into the group above"));
                return top;
            }
            open.push(branch);
        } else {
            open.last_mut().map_or(&mut top, |parent| &mut parent.members).push(branch);
        }
    }
    if let Some(unclosed) = open.first() {
        let problem = Problem::error("form::syntax", format!("`{}` has no end", unclosed.name));
        problems.push(
            problem.at(unclosed.row.span.clone(), "begun here").help("add a row of type `end_group` or `end_repeat`"),
        );
    }
    top
}

/// Whether the form is made of pages: groups that are shown on one screen each, and nothing beside them.
fn is_paged(survey: &Sheet, branches: &[Branch<'_>]) -> bool {
    let on_one_screen = |branch: &Branch<'_>| {
        let look = survey.cell(branch.row, "appearance").map(|cell| cell.text.as_str()).unwrap_or_default();
        branch.sort == "group" && look.split_whitespace().any(|word| word == "field-list")
    };
    branches.iter().all(on_one_screen)
}

/// Gives every branch an id that form files take. What lies in pages lies side by side.
fn name_all(branches: &mut [Branch<'_>], paged: bool, lost: &mut Vec<Lost>) {
    name_members(branches.iter_mut(), lost);
    if paged {
        name_members(branches.iter_mut().flat_map(|page| &mut page.members), lost);
    }
    let inner = |branch: &mut Branch<'_>, lost: &mut Vec<Lost>| name_all(&mut branch.members, false, lost);
    for branch in branches {
        if paged {
            branch.members.iter_mut().for_each(|member| inner(member, lost));
        } else {
            inner(branch, lost);
        }
    }
}

fn name_members<'b, 's: 'b>(branches: impl Iterator<Item = &'b mut Branch<'s>>, lost: &mut Vec<Lost>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for branch in branches {
        let slug = || names::slug(&branch.name).replace('-', "_");
        let tries = [branch.name.clone(), slug(), format!("{}_", branch.name), format!("q_{}", slug())];
        let base = tries.into_iter().find(|id| names::is_free(id)).unwrap_or_else(|| "question".to_owned());
        let more = (2..10_000).map(|no| format!("{base}_{no}"));
        let free = std::iter::once(base.clone()).chain(more).find(|id| !taken.contains(id));
        branch.id = free.unwrap_or(base);
        if branch.id != branch.name && !branch.name.is_empty() {
            let what = format!("its name, which becomes `{}`", branch.id);
            lost.push(Lost { place: format!("question `{}`", branch.name), what });
        }
        taken.insert(branch.id.clone());
    }
}

/// The question with which there are too many options: each has those of its list for itself.
fn beyond<'b, 's>(branches: &'b [Branch<'s>], lists: &Lists, options: &mut usize) -> Option<&'b Branch<'s>> {
    branches.iter().find_map(|branch| {
        *options += lists.len(&branch.of);
        if *options > MOST_OPTIONS { Some(branch) } else { beyond(&branch.members, lists, options) }
    })
}

/// Notes what expressions may speak of.
fn learn(branches: &[Branch<'_>], above: &[String], list: usize, lists: &Lists, questions: &mut Questions) {
    for branch in branches {
        let mut path = above.to_vec();
        path.push(branch.id.clone());
        let (kind, _) = super::row::kind_of(branch, None, lists);
        let inner = if branch.sort == "repeat" { path.len() } else { list };
        learn(&branch.members, &path, inner, lists, questions);
        questions.all.push(Question { name: branch.name.clone(), path, holds: Holds::of(kind), list });
    }
}

/// Names that a text shows: `${name}` there, `{{ name }}` here. Those that cannot be shown are put aside.
fn shown(text: &str, questions: &Questions, at: &[String], unseen: &mut BTreeSet<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            out.push_str("${");
            rest = after;
            break;
        };
        match questions.named(name.trim()).and_then(|question| Questions::seen_from(question, at)) {
            Some(path) => out.push_str(&format!("{{{{ {path} }}}}")),
            None => {
                out.push('…');
                unseen.insert(name.trim().to_owned());
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Texts of a row in all languages.
pub(super) fn texts(reading: &Reading<'_>, branch: &Branch<'_>, column: &str, at: &[String]) -> Option<Node> {
    let unseen = RefCell::new(BTreeSet::new());
    let put = |words: &str| shown(words, reading.questions, at, &mut unseen.borrow_mut());
    let found = text(reading.survey, branch.row, column, reading.lang, &put);
    for name in unseen.take() {
        reading.lose(branch, format!("`${{{name}}}` in its `{column}`"));
    }
    found
}
