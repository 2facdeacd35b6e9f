//! A field as rows of the survey.

use super::known::{Holds, Questions};
use super::write::{Cells, Writing, YES_NO, heading, word};
use crate::keys::tables;
use crate::node::{Data, Node};

/// A row that is being written.
pub(super) struct Out<'w> {
    pub(super) cells: Cells,
    langs: &'w [String],
    questions: &'w Questions,
}

impl<'w> Out<'w> {
    pub(super) fn new(kind: &str, name: &str, langs: &'w [String], questions: &'w Questions) -> Self {
        let mut cells = Cells::new();
        cells.insert("type".to_owned(), kind.to_owned());
        if !name.is_empty() {
            cells.insert("name".to_owned(), name.to_owned());
        }
        Self { cells, langs, questions }
    }

    pub(super) fn put(&mut self, column: &str, value: &str) {
        self.cells.insert(column.to_owned(), value.to_owned());
    }

    pub(super) fn expr(&mut self, column: &str, value: Option<String>) {
        self.cells.extend(value.map(|value| (column.to_owned(), value)));
    }

    /// A text in all its languages; of several wordings the first.
    pub(super) fn text(&mut self, column: &str, node: Option<&Node>) {
        let Some(node) = node else { return };
        let first =
            |node: &Node| node.one_or_more().first().and_then(Node::text).map(|text| shown(text, self.questions));
        if node.entries().is_empty() {
            let lang = self.langs.first().map_or("en", String::as_str);
            self.cells.extend(first(node).map(|text| (heading(column, lang, self.langs), text)));
        }
        for lang in node.entries() {
            self.cells.extend(first(&lang.node).map(|text| (heading(column, &lang.key, self.langs), text)));
        }
    }
}

/// Answers that a text shows: `{{ home.town }}` here, `${town}` there. What is no question has no counterpart.
fn shown(text: &str, questions: &Questions) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((inside, tail)) = after.split_once("}}") else { break };
        out.push_str(before);
        let path: Vec<String> = inside.trim().split('.').map(str::to_owned).collect();
        let question = path.last().and_then(|name| questions.named(name));
        match question.filter(|question| question.path.ends_with(&path)) {
            Some(question) => out.push_str(&format!("${{{}}}", question.name)),
            None => out.push('…'),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

impl Writing<'_> {
    /// A field with all that lies in it.
    pub(super) fn field(&mut self, field: &Node) {
        let (id, kind) = (word(field, "id"), word(field, "kind"));
        let holds = Holds::of(&kind);
        let sort = self.sort(field, &id, &kind);
        let listed = sort.starts_with("select_");
        let mut row = Out::new(&sort, &id, &self.langs, &self.questions);
        row.text("label", field.at("ask").or_else(|| field.at("label")));
        row.text("hint", field.at("help"));
        match kind.as_str() {
            "long_text" => row.put("appearance", "multiline"),
            "rating" => {
                let bound = |key: &str, or: &str| field.at(key).and_then(digits).unwrap_or_else(|| or.to_owned());
                row.put("appearance", "rating");
                row.put("parameters", &format!("start={} end={} step=1", bound("min", "1"), bound("max", "5")));
            }
            "computed" => match self.code(field.at("value"), None, holds) {
                Some(code) => row.put("calculation", &code),
                // Others may speak of it.
                None => row.put("type", "hidden"),
            },
            "choice" | "choices" if listed => {
                let tool = source(field).and_then(|name| self.tool(name)).filter(|tool| tool.at("keep").is_some());
                row.expr("choice_filter", tool.and_then(|tool| self.filter(tool)));
            }
            "list" => {
                let same = field
                    .at("min")
                    .and_then(digits)
                    .filter(|min| field.at("max").and_then(digits).as_ref() == Some(min));
                row.expr("repeat_count", same);
            }
            _ => {}
        }
        row.expr("relevant", self.code(field.at("show_when"), None, Holds::Other));
        if !matches!(kind.as_str(), "group" | "list" | "note" | "computed" | "hidden") {
            match field.at("required_when") {
                Some(when) => row.expr("required", self.code(Some(when), None, Holds::Other)),
                None if field.at("required").and_then(Node::truth) != Some(false) => row.put("required", "yes"),
                None => {}
            }
            self.constraint(field, &id, &kind, &mut row);
            self.default(field, &mut row);
        }
        self.survey.push(row.cells);
        if matches!(kind.as_str(), "group" | "list") {
            let members = tables(field, "field");
            members.iter().for_each(|member| self.field(member));
            if let (true, Some(of)) = (members.is_empty(), field.at("of").and_then(Node::text)) {
                let sort = sort_of(of).to_owned();
                let mut item = Out::new(&sort, &format!("{id}_item"), &self.langs, &self.questions);
                item.text("label", field.at("item").or_else(|| field.at("label")));
                self.survey.push(item.cells);
            }
            let end = if kind == "list" { "end_repeat" } else { "end_group" };
            self.survey.push(Out::new(end, "", &self.langs, &self.questions).cells);
        }
    }

    /// The type of a field, with the list of its options.
    fn sort(&mut self, field: &Node, id: &str, kind: &str) -> String {
        let other = if field.at("other").and_then(Node::truth) == Some(true) { " or_other" } else { "" };
        match kind {
            "yes_no" => {
                self.choose_yes_no();
                format!("select_one {YES_NO}")
            }
            "choice" | "choices" => {
                let from = source(field).and_then(|name| Some((name.to_owned(), self.tool(name)?)));
                let rows = from.as_ref().and_then(|(_, tool)| tool.at("rows").or_else(|| tool.at("fallback")));
                let tool = rows.and(from.as_ref()).map(|(name, _)| name.as_str());
                let Some(rows) = rows.or_else(|| field.at("options")).filter(|rows| !rows.items().is_empty()) else {
                    // What only a tool knows is written in words.
                    return "text".to_owned();
                };
                let list = self.list(tool, id, rows.items());
                let type_of = if kind == "choice" { "select_one" } else { "select_multiple" };
                format!("{type_of} {list}{other}")
            }
            "file" => {
                let accept = field.at("accept").map(Node::one_or_more).unwrap_or_default();
                let only = if let [only] = accept { only.text() } else { None };
                match only {
                    Some("image/*") => "image",
                    Some("audio/*") => "audio",
                    Some("video/*") => "video",
                    _ => "file",
                }
                .to_owned()
            }
            kind => sort_of(kind).to_owned(),
        }
    }

    /// Bounds and checks as one condition, with the words of the first check that has some.
    fn constraint(&self, field: &Node, id: &str, kind: &str, row: &mut Out<'_>) {
        let holds = Holds::of(kind);
        let mut all: Vec<String> = Vec::new();
        let bound = |key: &str| field.at(key).and_then(digits);
        for (key, mark) in [("min", ">="), ("max", "<=")] {
            all.extend(match kind {
                "integer" | "number" | "money" | "percent" => bound(key).map(|digits| format!(". {mark} {digits}")),
                "choices" => bound(key).map(|digits| format!("count-selected(.) {mark} {digits}")),
                "date" => match word(field, key).as_str() {
                    "" => None,
                    "today" => Some(format!(". {mark} today()")),
                    day if day.starts_with(|c: char| c.is_ascii_digit()) => Some(format!(". {mark} date('{day}')")),
                    _ => None,
                },
                _ => None,
            });
        }
        for (key, mark) in [("min_chars", ">="), ("max_chars", "<=")] {
            all.extend(bound(key).map(|digits| format!("string-length(.) {mark} {digits}")));
        }
        if let Some(pattern) = field.at("regex").and_then(Node::text).and_then(super::expression::from_cel::quoted) {
            all.push(format!("regex(., {pattern})"));
        }
        for check in tables(field, "check").iter().chain(field.at("checks").map(Node::items).unwrap_or_default()) {
            let Some(code) = self.code(check.at("that"), Some(id), holds) else { continue };
            all.push(code);
            if !row.cells.keys().any(|column| column.starts_with("constraint_message")) {
                row.text("constraint_message", check.at("else"));
            }
        }
        match all.as_slice() {
            [] => {}
            [only] => row.put("constraint", only),
            several => {
                let several: Vec<String> = several
                    .iter()
                    .map(|one| if one.contains(" or ") { format!("({one})") } else { one.clone() })
                    .collect();
                row.put("constraint", &several.join(" and "));
            }
        }
    }

    fn default(&self, field: &Node, row: &mut Out<'_>) {
        let holds = Holds::of(&word(field, "kind"));
        row.expr("calculation", self.code(field.at("default_from"), None, holds));
        let Some(default) = field.at("default") else { return };
        let written = match &default.data {
            Data::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
            Data::List(items) => {
                let picks: Option<Vec<&str>> = items.iter().map(Node::text).collect();
                picks.map(|picks| picks.join(" "))
            }
            Data::Number(_) | Data::Text(_) | Data::Moment(_) => digits(default),
            Data::Null | Data::Map(_) => None,
        };
        row.expr("default", written);
    }
}

/// The tool that a choice has its options from.
fn source(field: &Node) -> Option<&str> {
    let from = field.at("options_from")?;
    from.text().or_else(|| from.at("tool")?.text())
}

/// A number or a text as it is written.
pub(super) fn digits(node: &Node) -> Option<String> {
    match &node.data {
        Data::Number(digits) => Some(digits.clone()),
        _ => node.text().map(str::to_owned),
    }
}

/// The type that holds what a kind holds, or at least its words.
fn sort_of(kind: &str) -> &'static str {
    match kind {
        "integer" => "integer",
        "number" | "money" | "percent" => "decimal",
        "rating" => "range",
        "date" => "date",
        "time" => "time",
        "datetime" => "dateTime",
        "location" => "geopoint",
        "note" => "note",
        "computed" => "calculate",
        "hidden" => "hidden",
        "group" => "begin_group",
        "list" => "begin_repeat",
        _ => "text",
    }
}
