//! Documents in which form builders keep their forms, read as forms: `SurveyJS`, Typeform, Google Forms. Every keyword is
//! accounted for as those of a JSON Schema are ([`crate::json_schema::marks`]); conditions become expressions as those of XLSForms do.

mod draft;
mod google;
mod jumps;
mod surveyjs;
#[cfg(test)]
mod tests;
mod typeform;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use formwright_form::problem::{Problem, Problems};

use self::draft::Shown;
use crate::json_schema::marks::{Marks, end_of, untold};
use crate::json_schema::{entry, words};
use crate::lost::{Lost, cited};
use crate::names;
use crate::node::{Data, Entry, Node};
use crate::syntax::json;
use crate::xls::expression::to_cel::{self, Place};
use crate::xls::expression::xpath::Expr;
use crate::xls::known::{Holds, Questions};
use crate::xls::offered::MOST_OPTIONS;

/// Whose document it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// The JSON of a `SurveyJS` survey.
    SurveyJs,
    /// A form of Typeform's API.
    Typeform,
    /// A form of the Google Forms API.
    GoogleForms,
}

/// What a document says of a form: keys of the form, pages and fields.
#[derive(Default)]
struct Parts {
    keys: Vec<Entry>,
    pages: Vec<Node>,
    fields: Vec<Node>,
}

impl Builder {
    /// Tells by its keywords whose document it is; none where it is nobody's.
    #[must_use]
    pub fn of(document: &serde_json::Value) -> Option<Self> {
        let is = |value: &serde_json::Value, keys: &[&str]| keys.iter().any(|key| value.get(key).is_some());
        let all = |key: &str, keys: &[&str]| {
            let list = document.get(key).and_then(serde_json::Value::as_array);
            list.is_some_and(|list| !list.is_empty() && list.iter().all(|item| is(item, keys)))
        };
        let is_typeform = ["_links", "welcome_screens", "thankyou_screens", "logic", "workspace"];
        if all("fields", &["type"]) && (all("fields", &["ref"]) || is(document, &is_typeform)) {
            return Some(Self::Typeform);
        }
        if is(document, &["info", "formId"]) && all("items", &["itemId", "questionItem", "pageBreakItem", "textItem"]) {
            return Some(Self::GoogleForms);
        }
        if is(document, &["field", "fields", "form_id"]) {
            return None;
        }
        if all("pages", &["elements", "questions"]) || all("elements", &["type"]) || all("questions", &["type"]) {
            return Some(Self::SurveyJs);
        }
        None
    }

    /// Reads a document. `name` is the form's where the document has none.
    pub(crate) fn read(self, text: &str, name: &str, lost: &mut Vec<Lost>, problems: &mut Problems) -> Node {
        let document = json::read(text, problems);
        if !problems.is_empty() {
            return document;
        }
        let (form, shown): (fn(&Build, &Node) -> Parts, Shown) = match self {
            Self::SurveyJs => (surveyjs::form, surveyjs::shown),
            Self::Typeform => (typeform::form, typeform::shown),
            Self::GoogleForms => (google::form, google::shown),
        };
        // Conditions may speak of questions below: the first time tells which there are.
        let first = Build::new(Questions::default(), shown);
        form(&first, &document);
        let build = Build::new(first.found.into_inner(), shown);
        let Parts { mut keys, pages, fields } = form(&build, &document);
        if fields.is_empty() {
            let problem = Problem::error("form::missing_key", "there are no questions in this document")
                .at(document.span.clone(), "nothing to fill in")
                .help("convert the whole document, as its form builder exports it");
            problems.push(problem);
        } else if build.room.get() == 0 {
            let problem = Problem::error("form::too_large", format!("a form has at most {MOST_FIELDS} fields"));
            problems.push(problem.at(document.span.clone(), "these are more").help("make several forms of it"));
        }
        build.account(&document, "the form", &(0..0));
        lost.append(&mut build.lost.borrow_mut());
        lost.sort_by_key(|lost| lost.spans.first().map_or(0, |span| span.start));
        // Columns of a matrix are read once for each of its rows.
        lost.dedup();
        let id = names::slug(name);
        let id = if names::is_name(&id) { id } else { "form".to_owned() };
        let mut entries = vec![entry("id", words(&id, &(0..0)))];
        if !keys.iter().any(|key| key.key == "title") {
            entries.push(entry("title", words(name, &(0..0))));
        }
        entries.append(&mut keys);
        let list = |nodes| Node { span: document.span.clone(), data: Data::List(nodes) };
        if !pages.is_empty() {
            entries.push(entry("pages", list(pages)));
        }
        entries.push(entry("fields", list(fields)));
        Node { span: document.span.clone(), data: Data::Map(entries) }
    }
}

/// Most fields that are made of a document; a matrix makes one of each cell.
const MOST_FIELDS: usize = 2_000;

/// A document that is being read.
struct Build {
    marks: Marks,
    /// The questions that conditions may speak of, and those found so far.
    known: Questions,
    found: RefCell<Questions>,
    lost: RefCell<Vec<Lost>>,
    /// What stands where: the name of a question, and its place.
    owners: RefCell<BTreeMap<usize, (String, Range<usize>)>>,
    /// The languages of the form, that of plain texts first.
    langs: RefCell<Vec<String>>,
    shown: Shown,
    /// How many fields and options there may still be.
    room: Cell<usize>,
    options: Cell<usize>,
}

impl Build {
    fn new(known: Questions, shown: Shown) -> Self {
        Self {
            marks: Marks::default(),
            known,
            found: RefCell::default(),
            lost: RefCell::default(),
            owners: RefCell::default(),
            langs: RefCell::new(vec!["en".to_owned()]),
            shown,
            room: Cell::new(MOST_FIELDS + 1),
            options: Cell::new(MOST_OPTIONS),
        }
    }

    /// The items of a list that are objects; others are told.
    fn tables<'n>(&self, table: &'n Node, key: &str) -> Vec<&'n Node> {
        let Some(list) = table.at(key).filter(|list| matches!(list.data, Data::List(_))) else { return Vec::new() };
        self.marks.take(table, key);
        let (good, bad): (Vec<&Node>, Vec<&Node>) =
            list.items().iter().partition(|item| matches!(item.data, Data::Map(_)));
        for item in bad {
            let what = format!("an item of `{key}` that is no object: {}", cited(&item.json().to_string()));
            self.lost.borrow_mut().push(Lost::new("the form", what).from(&item.span));
        }
        good
    }

    /// The object of a keyword; anything else stays to be told.
    fn inside<'n>(&self, table: &'n Node, key: &str) -> Option<&'n Node> {
        table.at(key).filter(|inner| matches!(inner.data, Data::Map(_)))?;
        self.marks.take(table, key)
    }

    /// Words of a keyword.
    fn text<'n>(&self, table: &'n Node, key: &str) -> Option<&'n str> {
        let text = table.at(key)?.text()?;
        self.marks.take(table, key);
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// Whether a keyword says yes; what says no says nothing.
    fn is(&self, table: &Node, key: &str) -> bool {
        let truth = table.at(key).and_then(Node::truth);
        truth.is_some_and(|truth| {
            self.marks.take(table, key);
            truth
        })
    }

    /// A condition as code; none where it has no counterpart.
    fn condition(&self, expr: &Expr, at: &[String]) -> Option<String> {
        to_cel::condition_of(expr, self.place(at, Holds::Nothing))
    }

    fn place<'a>(&'a self, at: &'a [String], holds: Holds) -> Place<'a> {
        Place { questions: &self.known, at, holds, columns: &[] }
    }

    /// Whether there is room for one field more.
    fn has_room(&self) -> bool {
        self.room.set(self.room.get().saturating_sub(1));
        self.room.get() > 0
    }

    /// Tells what is not marked.
    fn account(&self, node: &Node, place: &str, owner: &Range<usize>) {
        let known = self.owners.borrow().get(&node.span.start).cloned();
        let known = known.filter(|_| matches!(node.data, Data::Map(_)));
        let (place, owner) = known.as_ref().map_or((place, owner), |(place, owner)| (place.as_str(), owner));
        for entry in node.entries() {
            if self.marks.has(entry) {
                self.account(&entry.node, place, owner);
            } else {
                self.lost.borrow_mut().push(untold(place, &format!("`{}`", entry.key), entry, owner));
            }
        }
        node.items().iter().for_each(|item| self.account(item, place, owner));
    }
}

/// The names of fields that lie beside each other.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    next: BTreeMap<String, usize>,
}

impl Names {
    /// A name that is free.
    fn free(&mut self, base: &str) -> String {
        loop {
            let no = self.next.entry(base.to_owned()).or_default();
            *no += 1;
            let name = if *no == 1 { base.to_owned() } else { format!("{base}_{no}") };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Where fields lie.
#[derive(Clone, Default)]
struct Scope {
    /// Ids from the top of the form down to what they lie in.
    path: Vec<String>,
    /// How many of these lead to a list.
    list: usize,
    /// What their names follow in conditions: `panel.`.
    prefix: String,
}

/// Where a table stands, with all that lies in it.
fn whole(node: &Node) -> Range<usize> {
    node.span.start..end_of(node)
}
