//! Tables of a document, as properties, fields and tools; lists of fields.

pub(super) mod bullets;

use std::ops::Range;

use super::gather::{Said, Told, Value};
use super::outline::{Cell, Table};
use super::words::{self, Meaning};
use crate::keys::FIELD;

/// Whether a table is of properties: a name and a value in each row.
pub(super) fn is_properties(table: &Table) -> bool {
    table.head.len() > 1 && table.head.first().is_some_and(|head| head.text().eq_ignore_ascii_case("property"))
}

/// The properties of a table; further columns are languages.
pub(super) fn properties(table: &Table) -> Vec<Said> {
    let mut all = Vec::new();
    for row in &table.rows {
        let mut cells = row.iter().zip(&table.head);
        let Some((name, _)) = cells.next() else { continue };
        for (no, (cell, head)) in cells.enumerate().filter(|(_, (cell, _))| !cell.is_empty()) {
            let language = words::language(&head.text()).filter(|_| no > 0);
            let name_of = match language {
                Some(tag) => format!("{} ({tag})", name.text()),
                None if no > 0 => continue,
                None => name.text(),
            };
            let value = Value::Cell(unquoted(&name_of, cell));
            all.push(Said { name: name_of, at: name.span.clone(), value });
        }
    }
    all
}

/// A question without the quotes around it.
fn unquoted(name: &str, cell: &Cell) -> Cell {
    let text = cell.text();
    let inner = text.strip_prefix(['"', '“']).and_then(|rest| rest.strip_suffix(['"', '”']));
    let whole = inner.filter(|inner| cell.codes.is_empty() && !inner.contains(['"', '“', '”']));
    match whole {
        Some(inner) if matches!(words::property(name, &FIELD), Meaning::Key("ask", _)) => {
            Cell::of(inner, cell.span.clone())
        }
        _ => cell.clone(),
    }
}

/// Whether a table is a summary of fields: a row for each, with its name and whether it is required.
pub(super) fn is_summary(table: &Table) -> bool {
    let has = |names: &[&str]| table.head.iter().any(|head| names.contains(&head.text().to_lowercase().as_str()));
    has(&["field id", "id"]) && has(&["required"])
}

pub(super) fn summary(table: &Table, page: Option<usize>) -> Vec<Told> {
    let quoted = |column: usize| {
        let begins = |cell: &Cell| cell.text().starts_with(['"', '“']);
        table.rows.iter().any(|row| row.get(column).is_some_and(begins))
    };
    let mut all = Vec::new();
    for row in &table.rows {
        let mut told = Told { page, ..Told::default() };
        for (column, (cell, head)) in row.iter().zip(&table.head).enumerate().filter(|(_, (cell, _))| !cell.is_empty())
        {
            let name = head.text();
            if words::property(&name, &FIELD) == Meaning::Key("id", None) {
                told.id = Some((cell.text(), cell.code().map_or_else(|| cell.span.clone(), |(_, span)| span.clone())));
                told.span = cell.span.clone();
                continue;
            }
            let said = |name: &str, cell: Cell| Said {
                name: name.to_owned(),
                at: head.span.clone(),
                value: Value::Cell(cell),
            };
            if name.eq_ignore_ascii_case("ask user") && quoted(column) {
                told.said.extend(asked(cell).into_iter().map(|(name, cell)| said(name, cell)));
            } else {
                // A summary has one row for each field: what is called so is what it is called.
                let name = if name.eq_ignore_ascii_case("field") { "Label" } else { &name };
                told.said.push(said(name, unquoted(name, cell)));
            }
        }
        if told.id.is_some() {
            all.push(told);
        }
    }
    all
}

/// A question in quotes, and options behind it: `"Has it begun?" options: ["Yes", "No"]`. Words that are not in quotes tell
/// the reader what to do.
fn asked(cell: &Cell) -> Vec<(&'static str, Cell)> {
    let text = cell.text();
    let Some(rest) = text.strip_prefix(['"', '“']) else { return Vec::new() };
    let Some((question, rest)) = rest.split_once(['"', '”']) else { return Vec::new() };
    let mut all = vec![("Ask", Cell::of(question, cell.span.clone()))];
    let list = rest.split_once("options:").map(|(_, list)| list.trim()).filter(|list| list.starts_with('['));
    if let Some(list) = list.and_then(|list| list.get(..=list.find(']')?)) {
        let span = cell.span.clone();
        let options = Cell { codes: vec![(list.to_owned(), span.clone())], wordy: false, ..Cell::of(list, span) };
        all.push(("Options", options));
    }
    all
}

/// The tools of a table: a row for each.
pub(super) fn tools(table: &Table) -> Vec<Told> {
    let named = table.head.first().is_some_and(|head| {
        matches!(head.text().to_lowercase().as_str(), "tool" | "tool call" | "name" | "tool id" | "id")
    });
    let mut all = Vec::new();
    for row in table.rows.iter().filter(|_| named) {
        let mut cells = row.iter().zip(&table.head);
        let Some((cell, _)) = cells.next() else { continue };
        let span = cell.code().map_or_else(|| cell.span.clone(), |(_, span)| span.clone());
        let mut told = Told { id: Some((cell.text(), span.clone())), span, ..Told::default() };
        told.said = cells
            .filter(|(cell, _)| !cell.is_empty())
            .map(|(cell, head)| Said { name: head.text(), at: head.span.clone(), value: Value::Cell(cell.clone()) })
            .collect();
        all.push(told);
    }
    all
}

/// The names in a cell: one, or several pieces of code.
pub(super) fn names(cell: &Cell) -> Vec<(String, Range<usize>)> {
    match cell.codes.as_slice() {
        [] => vec![(cell.text(), cell.span.clone())],
        codes => codes.to_vec(),
    }
}

/// So many parts of a cell, parted by `+` or commas: `Date + Time`.
pub(super) fn split(cell: &Cell, parts: usize) -> Vec<Cell> {
    let text = cell.text();
    let found: Vec<Cell> = text.split(['+', ',']).map(|part| Cell::of(part.trim(), cell.span.clone())).collect();
    if found.len() == parts { found } else { vec![cell.clone(); parts] }
}
