//! A row of the survey as a field.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::columns::{Heads, entry, list, table, words};
use super::expression::to_cel::Place;
use super::expression::{to_cel, xpath};
use super::known::{Holds, Questions};
use super::ledger::Ledger;
use super::options::Lists;
use super::read::{Branch, texts};
use super::tables::Cell;
use crate::lost::Lost;
use crate::node::{Data, Entry, Node};

/// A survey that is being read.
pub(super) struct Survey<'s> {
    pub(super) heads: &'s Heads,
    pub(super) lists: &'s Lists<'s>,
    pub(super) questions: &'s Questions,
    /// The questions as the params of a tool.
    pub(super) params: Questions,
    /// The form's languages, that of plain texts first.
    pub(super) langs: &'s [String],
    pub(super) ledger: &'s Ledger,
    pub(super) lost: RefCell<Vec<Lost>>,
    pub(super) tools: RefCell<Vec<Node>>,
    /// The tools that give all options of a list, by the list's name.
    pub(super) shared: RefCell<BTreeMap<String, String>>,
    /// How many options the form may still have.
    pub(super) left: std::cell::Cell<usize>,
}

/// A question of this length is a name for it; a longer one is asked as it stands.
const SHORT: usize = 30;

/// The kind of a branch, and whether anything of its type has no place here.
pub(super) fn kind_of(
    branch: &Branch<'_>,
    look: Option<&str>,
    lists: &Lists<'_>,
) -> (&'static str, Option<&'static str>) {
    let has = |word: &str| look.is_some_and(|look| look.split_whitespace().any(|found| found == word));
    match branch.sort.as_str() {
        "group" => ("group", None),
        "repeat" => ("list", None),
        "text" if has("multiline") => ("long_text", None),
        "text" | "barcode" => ("text", None),
        "integer" => ("integer", None),
        "decimal" => ("number", None),
        "range" if has("rating") => ("rating", None),
        "range" => ("number", None),
        "select_one" | "select_multiple" | "rank" if lists.len(list_of(branch)) == 0 => {
            ("text", Some("its options: the sheet `choices` has no such list"))
        }
        "select_one" if !branch.other && lists.is_yes_no(list_of(branch)) => ("yes_no", None),
        "select_one" => ("choice", None),
        "select_multiple" => ("choices", None),
        "rank" => ("choices", Some("the order of the picks")),
        "select_one_from_file" | "select_multiple_from_file" | "select_one_external" => {
            ("text", Some("its options, which are in another file or sheet"))
        }
        "note" => ("note", None),
        "geopoint" => ("location", None),
        "date" => ("date", None),
        "time" => ("time", None),
        "datetime" => ("datetime", None),
        "image" | "audio" | "video" | "file" => ("file", None),
        "calculate" => ("computed", None),
        "acknowledge" => ("yes_no", None),
        "hidden" => ("hidden", None),
        "loop" => ("group", Some("that it is asked for each option of its list")),
        _ if !branch.members.is_empty() => ("group", Some("its type")),
        _ => ("text", Some("its type")),
    }
}

/// The list that a choice has its options from.
pub(super) fn list_of<'b>(branch: &'b Branch<'_>) -> &'b str {
    branch.of.split_whitespace().next().unwrap_or_default()
}

/// What a value is worked out by; none where that has no counterpart.
pub(super) fn worked(heads: &Heads, branch: &Branch<'_>, at: &[String], questions: &Questions) -> Option<String> {
    let value = heads.cell(branch.row, "calculation")?;
    to_cel::code(&value.text, Place { questions, at, holds: Holds::Nothing, columns: &[] })
}

impl Survey<'_> {
    /// Pages and fields of the whole form.
    pub(super) fn whole(&self, branches: &[Branch<'_>], paged: bool) -> (Vec<Node>, Vec<Node>) {
        if !paged {
            return (Vec::new(), branches.iter().filter_map(|branch| self.field(branch, &[])).collect());
        }
        let (mut pages, mut fields) = (Vec::new(), Vec::new());
        for branch in branches {
            let span = &branch.row.span;
            let mut page = vec![entry("id", words(branch.id.clone(), self.named(branch)))];
            page.extend(texts(self, branch, "label", &[]).map(|title| entry("title", title)));
            page.extend(self.condition(branch, "relevant", "show_when", &[]));
            pages.push(table(page, span));
            self.takes(branch, "appearance");
            self.ledger.takes(branch.kind);
            for member in &branch.members {
                if let Some(mut field) = self.field(member, &[]) {
                    if let Data::Map(entries) = &mut field.data {
                        entries.push(entry("page", words(branch.id.clone(), span)));
                    }
                    fields.push(field);
                }
            }
        }
        (pages, fields)
    }

    /// The language of plain texts.
    pub(super) fn lang(&self) -> &str {
        self.langs.first().map_or("en", String::as_str)
    }

    pub(super) fn cell<'a>(&'a self, branch: &Branch<'a>, column: &str) -> Option<&'a Cell> {
        self.heads.cell(branch.row, column)
    }

    /// Notes that the form says what stands in the column.
    fn takes(&self, branch: &Branch<'_>, column: &str) {
        if let Some(cell) = self.cell(branch, column) {
            self.ledger.takes(cell);
        }
    }

    /// Where the name of a question stands.
    fn named<'a>(&'a self, branch: &Branch<'a>) -> &'a Range<usize> {
        self.cell(branch, "name").map_or(&branch.row.span, |cell| &cell.span)
    }

    pub(super) fn lose(&self, branch: &Branch<'_>, what: impl Into<String>, span: &Range<usize>) {
        let name = if branch.name.is_empty() { &branch.id } else { &branch.name };
        let lost = Lost::new(format!("question `{name}`"), what).from(span).of(&branch.row.span);
        self.lost.borrow_mut().push(lost);
    }

    pub(super) fn place<'a>(&'a self, at: &'a [String], holds: Holds) -> Place<'a> {
        Place { questions: self.questions, at, holds, columns: &[] }
    }

    fn field(&self, branch: &Branch<'_>, above: &[String]) -> Option<Node> {
        let span = &branch.row.span;
        let look = self.cell(branch, "appearance").map(|cell| cell.text.as_str());
        let (mut kind, mut told) = kind_of(branch, look, self.lists);
        if matches!(kind, "choice" | "choices") && !self.has_room(branch) {
            (kind, told) = ("text", Some("its options: a form has at most 20,000 of all questions together"));
        }
        let at = [above, std::slice::from_ref(&branch.id)].concat();
        let mut keys: Vec<Entry> = Vec::new();
        match kind {
            "computed" => {
                let Some(code) = worked(self.heads, branch, &at, self.questions) else {
                    let value = self.cell(branch, "calculation");
                    let why = value.map_or("it has no `calculation`".to_owned(), |value| {
                        format!("`{}` has no counterpart", value.text)
                    });
                    self.lose(branch, format!("all of it: {why}"), span);
                    return None;
                };
                let value = self.cell(branch, "calculation")?;
                keys.push(entry("value", words(code, &value.span)));
                if to_cel::is_number(&value.text, self.place(&at, Holds::Nothing)) {
                    keys.push(entry("result", words("number", &(0..0))));
                }
            }
            "group" | "list" => {
                let members: Vec<Node> = branch.members.iter().filter_map(|member| self.field(member, &at)).collect();
                if members.is_empty() {
                    self.lose(branch, "all of it: there is nothing in it to answer", span);
                    return None;
                }
                self.repeated(branch, &at, &mut keys);
                keys.push(entry("fields", list(members, span)));
            }
            "choice" | "choices" => self.options(branch, &mut keys),
            "file" => keys.extend(accepted(&branch.sort).map(|accept| entry("accept", words(accept, &(0..0))))),
            "yes_no" if branch.sort == "select_one" => self.lists.take_yes_no(list_of(branch), self.ledger),
            _ => {}
        }
        if let Some(told) = told {
            self.lose(branch, format!("{told} (`{}`)", branch.kind.text), &branch.kind.span);
        } else if let Some((_, more)) = branch.of.split_once(char::is_whitespace) {
            self.lose(branch, format!("`{}` in its type", more.trim()), &branch.kind.span);
        }
        let mut said: Vec<Entry> = Vec::new();
        self.texts(branch, kind, &at, &mut said);
        if branch.sort == "range" {
            kind = self.range(branch, kind, &mut said);
        }
        said.append(&mut keys);
        let mut keys = said;
        self.looks(branch, kind);
        let shown = self.condition(branch, "relevant", "show_when", &at);
        let always = shown.is_none() && self.cell(branch, "relevant").is_some_and(|cell| !self.ledger.has(cell));
        keys.extend(shown);
        if !matches!(kind, "group" | "note" | "computed" | "hidden") {
            // What may not be meant for everyone may be left out.
            if always {
                keys.push(entry("required", Node { span: 0..0, data: Data::Bool(false) }));
            } else {
                self.required(branch, &at, &mut keys);
            }
            self.constraint(branch, kind, &at, &mut keys);
        }
        if !matches!(kind, "group" | "list" | "note" | "computed") {
            self.default(branch, kind, &at, &mut keys);
        }
        let mut entries = vec![
            entry("id", words(branch.id.clone(), self.named(branch))),
            entry("kind", words(kind, &branch.kind.span)),
        ];
        entries.append(&mut keys);
        Some(table(entries, span))
    }

    /// Notes an appearance that the kind of the field says.
    fn looks(&self, branch: &Branch<'_>, kind: &str) {
        let look = self.cell(branch, "appearance").map(|cell| cell.text.as_str());
        if matches!((look, kind), (Some("multiline"), "long_text") | (Some("rating"), "rating")) {
            self.takes(branch, "appearance");
        }
    }

    fn texts(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        if let Some(label) = texts(self, branch, "label", at) {
            let first = label.first_text().unwrap_or_default();
            let asks = first.chars().count() > SHORT || first.contains(['?', '؟', '{']);
            let asked = !matches!(kind, "group" | "list" | "computed" | "hidden");
            if kind == "note" || asks && asked {
                keys.push(entry("ask", label));
            } else if !first.contains("{{ ") {
                keys.push(entry("label", label));
            } else {
                self.lose(branch, format!("`label`, which shows answers: {first}"), &label.span);
            }
        }
        if !matches!(kind, "note" | "computed" | "hidden") {
            keys.extend(texts(self, branch, "hint", at).map(|hint| entry("help", hint)));
        }
    }

    fn condition(&self, branch: &Branch<'_>, column: &str, key: &str, at: &[String]) -> Option<Entry> {
        let cell = self.cell(branch, column)?;
        match to_cel::condition(&cell.text, self.place(at, Holds::Nothing)) {
            Some(code) if code == "true" => {
                self.ledger.takes(cell);
                None
            }
            Some(code) => Some(entry(key, words(code, &cell.span))),
            None => {
                self.lose(branch, format!("`{column}`: `{}` has no counterpart", cell.text), &cell.span);
                None
            }
        }
    }

    /// What is not said to be required may be left out there; here it must be said.
    fn required(&self, branch: &Branch<'_>, at: &[String], keys: &mut Vec<Entry>) {
        let cell = self.cell(branch, "required");
        let said = cell.map(|cell| cell.text.trim_end_matches("()").to_lowercase());
        match said.as_deref() {
            Some("yes" | "true" | "1" | "x") => self.takes(branch, "required"),
            None | Some("no" | "false" | "0" | "") => {
                let span = cell.map_or(0..0, |cell| cell.span.clone());
                keys.push(entry("required", Node { span, data: Data::Bool(false) }));
            }
            Some(_) => {
                let before = keys.len();
                keys.extend(self.condition(branch, "required", "required_when", at));
                if keys.len() == before {
                    keys.push(entry("required", Node { span: 0..0, data: Data::Bool(false) }));
                }
            }
        }
    }

    fn default(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        if let Some(worked) = self.cell(branch, "calculation") {
            match to_cel::code(&worked.text, self.place(at, Holds::Nothing)) {
                Some(code) => keys.push(entry("default_from", words(code, &worked.span))),
                None => self.lose(branch, format!("`calculation`: `{}` has no counterpart", worked.text), &worked.span),
            }
            return;
        }
        let Some(cell) = self.cell(branch, "default") else { return };
        let dynamic = cell.text.contains("${") || xpath::is_call(&cell.text);
        if dynamic {
            return match to_cel::code(&cell.text, self.place(at, Holds::Nothing)) {
                Some(code) => keys.push(entry("default_from", words(code, &cell.span))),
                None => self.lose(branch, format!("`default`: `{}` has no counterpart", cell.text), &cell.span),
            };
        }
        let text = cell.text.trim_matches('\'').to_owned();
        let data = match kind {
            "integer" | "number" | "rating" => Data::Number(text),
            "yes_no" => match text.to_lowercase().as_str() {
                "yes" | "ok" | "true" | "1" => Data::Bool(true),
                "no" | "false" | "0" => Data::Bool(false),
                _ => return self.lose(branch, format!("`default`: `{text}` is neither yes nor no"), &cell.span),
            },
            "choices" => {
                return keys.push(entry(
                    "default",
                    list(text.split_whitespace().map(|pick| words(pick, &cell.span)).collect(), &cell.span),
                ));
            }
            "file" | "location" => return self.lose(branch, format!("`default`: {text}"), &cell.span),
            _ => Data::Text(text),
        };
        keys.push(entry("default", Node { span: cell.span.clone(), data }));
    }
}

fn accepted(sort: &str) -> Option<&'static str> {
    Some(match sort {
        "image" => "image/*",
        "audio" => "audio/*",
        "video" => "video/*",
        _ => return None,
    })
}
