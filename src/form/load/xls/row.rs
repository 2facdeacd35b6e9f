//! A row of the survey as a field.

use std::cell::RefCell;

use super::columns::{Column, entry, list, table, words};
use super::expression::to_cel::Place;
use super::expression::{to_cel, xpath};
use super::known::{Holds, Questions};
use super::options::Lists;
use super::read::{Branch, texts};
use super::tables::{Cell, Sheet};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Entry, Node};

/// A survey that is being read.
pub(super) struct Reading<'s> {
    pub(super) survey: &'s Sheet,
    pub(super) lists: &'s Lists<'s>,
    pub(super) questions: &'s Questions,
    pub(super) lang: &'s str,
    pub(super) lost: RefCell<Vec<Lost>>,
    pub(super) tools: RefCell<Vec<Node>>,
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
    let list = branch.of.split_whitespace().next().unwrap_or_default();
    match branch.sort.as_str() {
        "group" => ("group", None),
        "repeat" => ("list", None),
        "text" | "string" if has("multiline") => ("long_text", None),
        "text" | "string" | "barcode" => ("text", None),
        "integer" | "int" => ("integer", None),
        "decimal" => ("number", None),
        "range" if has("rating") => ("rating", None),
        "range" => ("number", None),
        "select_one" if lists.is_yes_no(list) => ("yes_no", None),
        "select_one" => ("choice", None),
        "select_multiple" => ("choices", None),
        "rank" => ("choices", Some("the order of the picks")),
        "select_one_from_file" | "select_multiple_from_file" => {
            ("text", Some("its options, which are in another file"))
        }
        "note" => ("note", None),
        "geopoint" => ("location", None),
        "date" => ("date", None),
        "time" => ("time", None),
        "datetime" => ("datetime", None),
        "image" | "photo" | "audio" | "video" | "file" => ("file", None),
        "calculate" => ("computed", None),
        "acknowledge" | "trigger" => ("yes_no", None),
        "hidden" => ("hidden", None),
        "loop" => ("group", Some("that it is asked for each option of its list")),
        _ if !branch.members.is_empty() => ("group", Some("its type")),
        _ => ("text", Some("its type")),
    }
}

impl Reading<'_> {
    /// Pages and fields of the whole form.
    pub(super) fn whole(&self, branches: &[Branch<'_>], paged: bool) -> (Vec<Node>, Vec<Node>) {
        if !paged {
            return (Vec::new(), branches.iter().filter_map(|branch| self.field(branch, &[])).collect());
        }
        let (mut pages, mut fields) = (Vec::new(), Vec::new());
        for branch in branches {
            let span = &branch.row.span;
            let mut page = vec![entry("id", words(branch.id.clone(), span))];
            page.extend(texts(self, branch, "label", &[]).map(|title| entry("title", title)));
            page.extend(self.condition(branch, "relevant", "show_when", &[], Holds::Other));
            pages.push(table(page, span));
            self.unread(branch, "page");
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

    fn cell<'a>(&'a self, branch: &Branch<'a>, column: &str) -> Option<&'a Cell> {
        let mut named = self.survey.named(branch.row);
        named.find(|(heading, _)| Column::of_survey(heading).name == column).map(|(_, cell)| cell)
    }

    pub(super) fn lose(&self, branch: &Branch<'_>, what: impl Into<String>) {
        let name = if branch.name.is_empty() { &branch.id } else { &branch.name };
        self.lost.borrow_mut().push(Lost { place: format!("question `{name}`"), what: what.into() });
    }

    fn place<'a>(&'a self, at: &'a [String], holds: Holds, columns: &'a [String]) -> Place<'a> {
        Place { questions: self.questions, at, holds, columns }
    }

    fn field(&self, branch: &Branch<'_>, above: &[String]) -> Option<Node> {
        let span = &branch.row.span;
        let look = self.cell(branch, "appearance").map(|cell| cell.text.as_str());
        let (mut kind, told) = kind_of(branch, look, self.lists);
        if let Some(told) = told {
            self.lose(branch, told);
        }
        let mut at = above.to_vec();
        at.push(branch.id.clone());
        let holds = Holds::of(kind);
        let mut keys: Vec<Entry> = Vec::new();
        self.texts(branch, kind, &at, &mut keys);
        if kind == "rating" || kind == "number" && branch.sort == "range" {
            kind = self.range(branch, kind, &mut keys);
        }
        match kind {
            "choice" | "choices" => self.options(branch, &mut keys),
            "file" => keys.extend(accepted(&branch.sort).map(|accept| entry("accept", words(accept, span)))),
            "computed" => {
                let value = self.cell(branch, "calculation")?;
                let Some(code) = to_cel::code(&value.text, self.place(&at, holds, &[])) else {
                    self.lose(branch, format!("all of it: `{}` has no counterpart", value.text));
                    return None;
                };
                keys.push(entry("value", words(code, &value.span)));
                if to_cel::is_number(&value.text, self.place(&at, holds, &[])) {
                    keys.push(entry("result", words("number", &value.span)));
                }
            }
            "group" | "list" => {
                let members: Vec<Node> = branch.members.iter().filter_map(|member| self.field(member, &at)).collect();
                if members.is_empty() {
                    self.lose(branch, "all of it: there is nothing in it to answer");
                    return None;
                }
                self.repeated(branch, &mut keys);
                keys.push(entry("fields", list(members, span)));
            }
            _ => {}
        }
        keys.extend(self.condition(branch, "relevant", "show_when", &at, Holds::Other));
        if !matches!(kind, "group" | "note" | "computed" | "hidden") {
            self.required(branch, &at, &mut keys);
            self.constraint(branch, kind, &at, &mut keys);
        }
        if !matches!(kind, "group" | "list" | "note" | "computed") {
            self.default(branch, kind, &at, &mut keys);
        }
        self.unread(branch, kind);
        let mut entries = vec![entry("id", words(branch.id.clone(), span)), entry("kind", words(kind, span))];
        entries.append(&mut keys);
        Some(table(entries, span))
    }

    fn texts(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        if let Some(label) = texts(self, branch, "label", at) {
            let first = label.first_text().unwrap_or_default();
            let asks = first.chars().count() > SHORT || first.contains(['?', '؟', '{']);
            let asked = !matches!(kind, "group" | "list" | "computed" | "hidden");
            if kind == "note" || asks && asked {
                keys.push(entry("ask", label));
            } else if !first.contains('{') {
                keys.push(entry("label", label));
            } else {
                self.lose(branch, "`label`, which shows answers");
            }
        }
        if !matches!(kind, "note" | "computed" | "hidden") {
            keys.extend(texts(self, branch, "hint", at).map(|hint| entry("help", hint)));
        }
    }

    /// The scale of a `range`.
    fn range(&self, branch: &Branch<'_>, kind: &'static str, keys: &mut Vec<Entry>) -> &'static str {
        let cell = self.cell(branch, "parameters");
        let said = |name: &str| {
            let all = cell?.text.split([' ', ',', ';']).filter_map(|pair| pair.split_once('='));
            all.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned()).next()
        };
        let (start, end, step) = (said("start"), said("end"), said("step"));
        let whole = |digits: &Option<String>, or: &str| {
            digits.as_deref().unwrap_or(or).parse::<u32>().is_ok_and(|number| number <= 100)
        };
        let wholly = whole(&start, "1") && whole(&end, "10") && whole(&step, "1");
        if let Some(step) = step.filter(|step| step != "1" && step != "0.1") {
            self.lose(branch, format!("steps of {step}"));
        }
        let span = cell.map_or_else(|| branch.row.span.clone(), |cell| cell.span.clone());
        let number = |digits: String| Node { span: span.clone(), data: Data::Number(digits) };
        let kind = if kind == "rating" && !wholly {
            "number"
        } else if kind == "number" && wholly {
            "integer"
        } else {
            kind
        };
        keys.push(entry("min", number(start.unwrap_or_else(|| "1".to_owned()))));
        keys.push(entry("max", number(end.unwrap_or_else(|| "10".to_owned()))));
        kind
    }

    fn options(&self, branch: &Branch<'_>, keys: &mut Vec<Entry>) {
        let mut said = branch.of.split_whitespace();
        let name = said.next().unwrap_or_default();
        let span =
            self.survey.cell(branch.row, "type").map_or_else(|| branch.row.span.clone(), |cell| cell.span.clone());
        if said.any(|word| word == "or_other") || branch.of.ends_with("or specify other") {
            keys.push(entry("other", Node { span: span.clone(), data: Data::Bool(true) }));
        }
        if let Some(filter) = self.cell(branch, "choice_filter") {
            let (columns, questions) = (self.lists.columns(), self.questions.as_params());
            let place = Place { questions: &questions, at: &[], holds: Holds::Other, columns: &columns };
            let keep = to_cel::condition(&filter.text, place);
            if let Some((keep, rows)) = keep.zip(self.lists.data(name)) {
                let tool = self.tool_name(name, branch);
                let params = self.params(&filter.text);
                let mut parts = vec![entry("id", words(tool.clone(), &span)), entry("kind", words("data", &span))];
                if !params.is_empty() {
                    parts.push(entry("params", table(params, &filter.span)));
                }
                parts.push(entry("keep", words(keep, &filter.span)));
                parts.push(entry("rows", rows));
                self.tools.borrow_mut().push(table(parts, &span));
                keys.push(entry("options_from", words(tool, &span)));
                return;
            }
            self.lose(branch, format!("`choice_filter`: `{}` has no counterpart", filter.text));
        }
        match self.lists.options(name) {
            Some(options) => keys.push(entry("options", options)),
            None => keys.push(entry("options", list(Vec::new(), &span))),
        }
    }

    /// The list's own name, where no other question has taken it.
    fn tool_name(&self, list: &str, branch: &Branch<'_>) -> String {
        let taken =
            |name: &str| self.tools.borrow().iter().any(|tool| tool.at("id").and_then(Node::text) == Some(name));
        if names::is_name(list) && !taken(list) {
            return list.to_owned();
        }
        format!("{}-options", branch.id.replace('_', "-"))
    }

    /// The questions that a filter speaks of, as arguments of the tool that keeps the rows.
    fn params(&self, filter: &str) -> Vec<Entry> {
        let mut params: Vec<Entry> = Vec::new();
        for part in filter.split("${").skip(1) {
            let Some((name, _)) = part.split_once('}') else { continue };
            let Some(question) = self.questions.named(name.trim()) else { continue };
            let (Some(path), Some(id)) = (Questions::seen_from(question, &[]), question.path.last()) else { continue };
            if !params.iter().any(|known| known.key == *id) {
                params.push(entry(id, words(path, &(0..0))));
            }
        }
        params
    }

    fn repeated(&self, branch: &Branch<'_>, keys: &mut Vec<Entry>) {
        let Some(count) = self.cell(branch, "repeat_count").filter(|_| branch.sort == "repeat") else { return };
        if count.text.parse::<u32>().is_ok() {
            let number = Node { span: count.span.clone(), data: Data::Number(count.text.clone()) };
            keys.push(entry("min", number.clone()));
            keys.push(entry("max", number));
        } else {
            self.lose(branch, format!("`repeat_count`: `{}`", count.text));
        }
    }

    fn condition(&self, branch: &Branch<'_>, column: &str, key: &str, at: &[String], holds: Holds) -> Option<Entry> {
        let cell = self.cell(branch, column)?;
        match to_cel::condition(&cell.text, self.place(at, holds, &[])) {
            Some(code) if code == "true" => None,
            Some(code) => Some(entry(key, words(code, &cell.span))),
            None => {
                self.lose(branch, format!("`{column}`: `{}` has no counterpart", cell.text));
                None
            }
        }
    }

    /// What is not said to be required may be left out there; here it must be said.
    fn required(&self, branch: &Branch<'_>, at: &[String], keys: &mut Vec<Entry>) {
        let cell = self.cell(branch, "required");
        let said = cell.map(|cell| cell.text.trim_end_matches("()").to_lowercase());
        match said.as_deref() {
            Some("yes" | "true" | "1" | "x") => {}
            None | Some("no" | "false" | "0" | "") => {
                let span = cell.map_or_else(|| branch.row.span.clone(), |cell| cell.span.clone());
                keys.push(entry("required", Node { span, data: Data::Bool(false) }));
            }
            Some(_) => {
                let before = keys.len();
                keys.extend(self.condition(branch, "required", "required_when", at, Holds::Other));
                if keys.len() == before {
                    keys.push(entry("required", Node { span: branch.row.span.clone(), data: Data::Bool(false) }));
                }
            }
        }
    }

    fn constraint(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        let Some(cell) = self.cell(branch, "constraint") else { return };
        let message = texts(self, branch, "constraint_message", at);
        if message.is_none() && super::bounds::taken(&cell.text, kind, &cell.span, keys) {
            return;
        }
        let Some(code) = to_cel::condition(&cell.text, self.place(at, Holds::of(kind), &[])) else {
            return self.lose(branch, format!("`constraint`: `{}` has no counterpart", cell.text));
        };
        let otherwise = message.unwrap_or_else(|| words("This answer is not taken.", &cell.span));
        let check = table(vec![entry("that", words(code, &cell.span)), entry("else", otherwise)], &cell.span);
        keys.push(entry("check", list(vec![check], &cell.span)));
    }

    fn default(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        if let Some(worked) = self.cell(branch, "calculation") {
            match to_cel::code(&worked.text, self.place(at, Holds::of(kind), &[])) {
                Some(code) => keys.push(entry("default_from", words(code, &worked.span))),
                None => self.lose(branch, format!("`calculation`: `{}` has no counterpart", worked.text)),
            }
            return;
        }
        let Some(cell) = self.cell(branch, "default") else { return };
        let dynamic = cell.text.contains("${") || xpath::is_call(&cell.text);
        if dynamic {
            return match to_cel::code(&cell.text, self.place(at, Holds::of(kind), &[])) {
                Some(code) => keys.push(entry("default_from", words(code, &cell.span))),
                None => self.lose(branch, format!("`default`: `{}` has no counterpart", cell.text)),
            };
        }
        let text = cell.text.trim_matches('\'').to_owned();
        let data = match kind {
            "integer" | "number" | "rating" => Data::Number(text),
            "yes_no" => Data::Bool(matches!(text.as_str(), "yes" | "OK" | "true")),
            "choices" => {
                return keys.push(entry(
                    "default",
                    list(text.split_whitespace().map(|pick| words(pick, &cell.span)).collect(), &cell.span),
                ));
            }
            "file" | "location" => return self.lose(branch, "`default`"),
            _ => Data::Text(text),
        };
        keys.push(entry("default", Node { span: cell.span.clone(), data }));
    }

    /// Columns that a form has no key for.
    fn unread(&self, branch: &Branch<'_>, kind: &str) {
        for (heading, cell) in self.survey.named(branch.row) {
            let column = Column::of_survey(heading);
            let read = match column.name.as_str() {
                "type" | "name" | "label" | "relevant" => true,
                "hint" => !matches!(kind, "page" | "note" | "computed" | "hidden"),
                "required" | "constraint" | "constraint_message" => {
                    !matches!(kind, "page" | "group" | "note" | "computed" | "hidden")
                }
                "default" => !matches!(kind, "page" | "group" | "list" | "note" | "computed"),
                "calculation" => !matches!(kind, "page" | "group" | "list" | "note"),
                "choice_filter" => matches!(kind, "choice" | "choices"),
                "repeat_count" => kind == "list",
                "parameters" => branch.sort == "range",
                "appearance" => {
                    matches!(
                        (cell.text.as_str(), kind),
                        ("multiline", "long_text") | ("rating", "rating") | ("field-list", "page")
                    )
                }
                // Notes of the author; rows that are switched off are not here.
                "comment" | "comments" | "note" | "notes" | "disabled" => true,
                _ => false,
            };
            if !read {
                self.lose(branch, format!("`{heading}`"));
            }
        }
    }
}

fn accepted(sort: &str) -> Option<&'static str> {
    Some(match sort {
        "image" | "photo" => "image/*",
        "audio" => "audio/*",
        "video" => "video/*",
        _ => return None,
    })
}
