//! Reads an XLSForm as a form: rows become fields, groups and repeats, and what a form has no key for is told as lost.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use formwright_form::problem::{Problem, Problems};

use super::columns::{Column, Heads, entry, list, only_unread, table, text};
use super::known::{Holds, Question, Questions};
use super::ledger::Ledger;
use super::offered::MOST_OPTIONS;
use super::options::{Lists, plain};
use super::row::{Survey, worked};
use super::settings::{SHEETS, Settings};
use super::tables::{Cell, Row, Sheet, sheets_of};
use super::types;
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Node};

/// Most groups and repeats that lie in each other.
const DEEPEST: usize = 16;

/// A question or a group with what lies in it, before it is read.
pub(super) struct Branch<'s> {
    pub(super) row: &'s Row,
    /// The cell of its type.
    pub(super) kind: &'s Cell,
    /// What its type makes it: `select_one`, `group`.
    pub(super) sort: String,
    /// The list of its options, or whatever else its type says.
    pub(super) of: String,
    /// Whether words of one's own are an answer too.
    pub(super) other: bool,
    /// Its name in the workbook, and in the form.
    pub(super) name: String,
    pub(super) id: String,
    pub(super) members: Vec<Branch<'s>>,
}

/// Reads the text of a workbook, and gives the form with an account of its cells. `name` is the form's where it has none of
/// its own.
pub(in super::super) fn read(
    source: &str,
    name: &str,
    lost: &mut Vec<Lost>,
    problems: &mut Problems,
) -> (Node, Ledger) {
    let ledger = Ledger::default();
    let sheets = sheets_of(source);
    let nothing = || table(Vec::new(), &(0..0));
    let Some(survey) = sheets.iter().find(|sheet| sheet.name == "survey") else {
        let problem = Problem::error("form::missing_key", "this workbook has no sheet `survey`");
        problems
            .push(problem.at(0..0, "not an XLSForm").help("an XLSForm has its questions in a sheet called `survey`"));
        return (nothing(), ledger);
    };
    let unread = only_unread(survey);
    let heads = Heads::of(survey, Column::of_survey, unread.as_deref());
    let mut branches = branches(survey, &heads, &ledger, lost, problems);
    if branches.is_empty() && problems.is_empty() {
        let problem = Problem::error("form::missing_key", "the sheet `survey` has no questions");
        problems.push(problem.at(0..0, "nothing to fill in").help("each row below the headings is a question"));
    }
    if !problems.is_empty() {
        return (nothing(), ledger);
    }
    for other in sheets.iter().filter(|sheet| !SHEETS.contains(&sheet.name.as_str())) {
        lost.push(Lost::new(format!("sheet `{}`", other.name), "all of it: it is no part of the questions"));
    }
    let settings = Settings::of(&sheets, name, &ledger, lost);
    let paged = is_paged(&heads, &branches);
    name_all(&mut branches, paged, lost);
    let choices = sheets.iter().find(|sheet| sheet.name == "choices");
    let lists = Lists::of(choices, settings.lang(), unread.as_deref());
    let questions = known(&heads, &branches, &lists, paged);
    let reading = Survey {
        heads: &heads,
        lists: &lists,
        params: questions.as_params(),
        questions: &questions,
        langs: &settings.langs,
        ledger: &ledger,
        lost: RefCell::new(Vec::new()),
        tools: RefCell::new(Vec::new()),
        shared: RefCell::default(),
        left: std::cell::Cell::new(MOST_OPTIONS),
    };
    let (pages, fields) = reading.whole(&branches, paged);
    lost.append(&mut reading.lost.borrow_mut());
    let tools = reading.tools.take();
    let mut entries = settings.entries;
    if !pages.is_empty() {
        entries.push(entry("pages", list(pages, &(0..0))));
    }
    entries.push(entry("fields", list(fields, &(0..0))));
    if !tools.is_empty() {
        entries.push(entry("tools", list(tools, &(0..0))));
    }
    (Node { span: 0..0, data: Data::Map(entries) }, ledger)
}

/// The questions that expressions may speak of, but for those that the form will have no place for.
fn known(heads: &Heads, branches: &[Branch<'_>], lists: &Lists<'_>, paged: bool) -> Questions {
    let mut questions = Questions::default();
    if paged {
        questions.pages = branches.iter().map(|page| page.name.clone()).collect();
    }
    // A page is no part of its questions' names.
    let tops: Vec<&[Branch<'_>]> =
        if paged { branches.iter().map(|page| page.members.as_slice()).collect() } else { vec![branches] };
    tops.iter().for_each(|top| learn(top, &[], 0, lists, &mut questions));
    // What speaks of a question that is left out is left out with it, down the sheet and up again.
    for round in 0..MOST_ROUNDS {
        let left = |top: &&[Branch<'_>]| leave_out(top, &[], round % 2 == 1, (heads, lists), &mut questions);
        if tops.iter().map(left).filter(|some| *some).count() == 0 {
            break;
        }
    }
    questions
}

/// How often the questions are looked through for those that speak of others that are left out.
const MOST_ROUNDS: usize = 16;

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
fn branches<'s>(
    survey: &'s Sheet,
    heads: &'s Heads,
    ledger: &Ledger,
    lost: &mut Vec<Lost>,
    problems: &mut Problems,
) -> Vec<Branch<'s>> {
    let mut open: Vec<Branch<'s>> = Vec::new();
    let mut top: Vec<Branch<'s>> = Vec::new();
    for row in &survey.rows {
        let name = heads.cell(row, "name").map(|cell| cell.text.clone()).unwrap_or_default();
        let mut leave_out = |why: &str| {
            let place = if name.is_empty() { format!("row {}", row.no) } else { format!("question `{name}`") };
            lost.push(Lost::new(place, format!("all of it: {why}")).from(&row.span));
        };
        let Some(kind) = heads.cell(row, "type") else {
            leave_out("it has no type");
            continue;
        };
        let types::Type { mut sort, of, other } = types::read(&kind.text);
        // What is worked out of nothing is what it begins with.
        if sort == "calculate" && heads.cell(row, "calculation").is_none() && heads.cell(row, "default").is_some() {
            "hidden".clone_into(&mut sort);
        }
        let off = heads.cell(row, "disabled").map(|cell| cell.text.to_lowercase());
        if off.is_some_and(|off| matches!(off.as_str(), "yes" | "true" | "true()")) {
            leave_out("it is switched off there");
            continue;
        }
        if sort == "end_" {
            ledger.takes(kind);
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
            leave_out("nobody is asked for it");
            continue;
        }
        let begins = sort.strip_prefix("begin_").map(str::to_owned);
        let sort = begins.clone().unwrap_or(sort);
        let branch = Branch { row, kind, sort, of, other, name, id: String::new(), members: Vec::new() };
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
fn is_paged(heads: &Heads, branches: &[Branch<'_>]) -> bool {
    let on_one_screen = |branch: &Branch<'_>| {
        let look = heads.cell(branch.row, "appearance").map(|cell| cell.text.as_str()).unwrap_or_default();
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
    // Each name with how often it was wanted.
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    for branch in branches {
        let slug = || names::slug(&branch.name).replace('-', "_");
        let tries = [branch.name.clone(), slug(), format!("{}_", branch.name), format!("q_{}", slug())];
        let base = tries.into_iter().find(|id| names::is_free(id)).unwrap_or_else(|| "question".to_owned());
        branch.id.clone_from(&base);
        while taken.contains_key(&branch.id) {
            let times = taken.entry(base.clone()).or_default();
            *times += 1;
            branch.id = format!("{base}_{}", *times + 1);
        }
        if branch.id != branch.name && !branch.name.is_empty() {
            let what = format!("its name, which becomes `{}`", branch.id);
            lost.push(Lost::new(format!("question `{}`", branch.name), what).of(&branch.row.span));
        }
        taken.insert(branch.id.clone(), 0);
    }
}

/// Notes what expressions may speak of.
fn learn(branches: &[Branch<'_>], above: &[String], list: usize, lists: &Lists, questions: &mut Questions) {
    for branch in branches {
        let path = [above, std::slice::from_ref(&branch.id)].concat();
        let (kind, _) = super::row::kind_of(branch, None, lists);
        let inner = if branch.sort == "repeat" { path.len() } else { list };
        questions.add(Question { name: branch.name.clone(), path: path.clone(), holds: Holds::of(kind), list });
        learn(&branch.members, &path, inner, lists, questions);
    }
}

/// Leaves out what the form has no place for: values that cannot be worked out, and groups in which nothing is left. Tells
/// whether there was any.
fn leave_out(
    branches: &[Branch<'_>],
    above: &[String],
    upwards: bool,
    (heads, lists): (&Heads, &Lists<'_>),
    questions: &mut Questions,
) -> bool {
    let mut some = false;
    for no in 0..branches.len() {
        let Some(branch) = branches.get(if upwards { branches.len() - 1 - no } else { no }) else { continue };
        let path = [above, std::slice::from_ref(&branch.id)].concat();
        if questions.is_gone(&path) {
            continue;
        }
        some |= leave_out(&branch.members, &path, upwards, (heads, lists), questions);
        let inside = |member: &Branch<'_>| !questions.is_gone(&[&path[..], std::slice::from_ref(&member.id)].concat());
        let gone = match super::row::kind_of(branch, None, lists).0 {
            "computed" => worked(heads, branch, &path, questions).is_none(),
            "group" | "list" => !branch.members.iter().any(inside),
            _ => false,
        };
        some |= gone && questions.leave_out(&path);
    }
    some
}

/// Names that a text shows: `${name}` there, `{{ name }}` here. Those that cannot be shown are put aside.
fn shown(text: &str, questions: &Questions, at: &[String], unseen: &mut BTreeSet<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(&plain(before));
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
    out.push_str(&plain(rest));
    out
}

/// Texts of a row in all languages.
pub(super) fn texts(reading: &Survey<'_>, branch: &Branch<'_>, column: &str, at: &[String]) -> Option<Node> {
    let unseen = RefCell::new(BTreeSet::new());
    let put = |words: &str| shown(words, reading.questions, at, &mut unseen.borrow_mut());
    let found = text(reading.heads, branch.row, column, reading.lang(), &put);
    for name in unseen.take() {
        let span = found.as_ref().map_or(0..0, |found| found.span.clone());
        reading.lose(branch, format!("`${{{name}}}` in its `{column}`"), &span);
    }
    found
}
