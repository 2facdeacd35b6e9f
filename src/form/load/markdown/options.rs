//! The options of a choice: a list in a cell, or a table with a row for each.

use super::cells;
use super::entries::{Entries, keyed, words as text};
use super::gather::{Told, Value};
use super::outline::{Cell, Table};
use super::words::{self, Meaning};
use crate::keys::{FIELD, OPTION};
use crate::names;
use crate::node::{Data, Node};
use crate::shape::Shape;
use formwright_form::problem::{Problem, Problems};

/// The options that one place tells of: its table, or the property.
pub(super) fn of(told: &Told) -> Option<Node> {
    if let Some(table) = told.tables.iter().find(|table| is_options(table)) {
        return Some(rows(table, "en"));
    }
    let said = told.said.iter().find(|said| words::property(&said.name, &FIELD) == Meaning::Key("options", None))?;
    Some(match &said.value {
        Value::Cell(cell) => written(cell),
        Value::Node(node) => node.clone(),
    })
}

/// Tables of options after the first are not read.
pub(super) fn further(told: &Told, problems: &mut Problems) {
    for table in told.tables.iter().filter(|table| is_options(table)).skip(1) {
        let problem =
            Problem::warning("form::prose_logic", "this is not code: only the first table of options is read")
                .at(table.head.first().map_or_else(|| table.span.clone(), |head| head.span.clone()), "not read");
        problems.push(problem.help("make two fields of it, each with `Visible when`, or take the options from a tool"));
    }
    for head in told.tables.iter().find(|table| is_options(table)).into_iter().flat_map(|table| &table.head) {
        if words::language(&head.text()).is_none() && matches!(words::property(&head.text(), &OPTION), Meaning::Unknown)
        {
            let problem = Problem::warning("form::prose_key", format!("`{}` is no key of an option", head.text()))
                .at(head.span.clone(), "this column is not read");
            problems.push(problem.help("an option has `Key`, `Label`, `Synonyms` and `Detail`"));
        }
    }
}

/// A list in a cell: as code, or parted by commas or lines.
pub(super) fn written(cell: &Cell) -> Node {
    let list = cell.codes.iter().find(|(code, _)| code.trim_start().starts_with('['));
    match list {
        Some((code, span)) => {
            let piece =
                Cell { codes: vec![(code.clone(), span.clone())], wordy: false, ..Cell::of(code, span.clone()) };
            cells::node(&piece, &Shape::LinesOrTables(&OPTION))
        }
        None => cells::node(cell, &Shape::LinesOrTables(&OPTION)),
    }
}

/// Names and labels of options.
pub(super) fn names(node: &Node) -> Vec<(String, String)> {
    let one = |item: &Node| -> Option<(String, String)> {
        let label = match &item.data {
            Data::Map(_) => item.at("label")?,
            Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) | Data::List(_) => item,
        };
        let label = match &label.data {
            Data::Number(digits) => digits.clone(),
            Data::Map(entries) => entries.first()?.node.text()?.to_owned(),
            _ => label.text()?.to_owned(),
        };
        let id = item.at("id").and_then(Node::text).map_or_else(|| names::slug(&label), str::to_owned);
        Some((id, label))
    };
    node.items().iter().filter_map(one).collect()
}

/// Whether a table is of options.
fn is_options(table: &Table) -> bool {
    let first = table.head.first().map(|head| head.text().to_lowercase()).unwrap_or_default();
    matches!(first.as_str(), "option" | "key" | "code" | "value" | "id" | "label")
}

/// The options of a table. A label that stands for a language alone is in that one; `first` is the language of others.
fn rows(table: &Table, first: &str) -> Node {
    let mut items = Vec::new();
    for row in &table.rows {
        let mut out = Entries::default();
        for (cell, head) in row.iter().zip(&table.head).filter(|(cell, _)| !cell.is_empty()) {
            let name = head.text();
            if let Some(tag) = words::language(&name) {
                out.put("label", Some(tag), head.span.clone(), cells::text(cell), &mut Problems::new());
                continue;
            }
            let Meaning::Key(key, language) = words::property(&name, &OPTION) else { continue };
            let shape = OPTION.all_keys().find(|spec| spec.name == key).map_or(&Shape::Text, |spec| &spec.shape);
            out.put(key, language, head.span.clone(), cells::node(cell, shape), &mut Problems::new());
        }
        let span = row.first().map_or_else(|| table.span.clone(), |cell| cell.span.clone());
        let mut option = out.node(span.clone(), first);
        if let Data::Map(entries) = &mut option.data {
            if let [only] = entries.as_slice()
                && only.key == "label"
                && only.node.text().is_some()
            {
                option = only.node.clone();
            } else if let [only] = entries.as_slice()
                && only.key == "id"
            {
                // A key alone is its own label.
                let label = only.node.text().unwrap_or_default().to_owned();
                entries.push(keyed("label", text(label, span)));
            }
        }
        items.push(option);
    }
    Node {
        span: table.head.first().map_or_else(|| table.span.clone(), |head| head.span.clone()),
        data: Data::List(items),
    }
}
