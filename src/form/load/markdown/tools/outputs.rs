//! What a tool brings: names in a cell, or a table with a row for each.

use std::ops::Range;

use formwright_form::problem::Problem;

use crate::keys::OUTPUT;
use crate::markdown::entries::keyed;
use crate::markdown::entries::words as text;
use crate::markdown::outline::{Cell, Table};
use crate::markdown::words::Meaning;
use crate::markdown::{cells, words};
use crate::node::{Data, Node};
use crate::shape::Shape;

/// Outputs in a cell: `eta, status`, `eta = data.eta`; none where these are words.
pub(crate) fn listed(cell: &Cell) -> Option<Node> {
    let lines = if cell.codes.is_empty() { &cell.lines } else { &cell.codes };
    let parts = lines.iter().flat_map(|(line, span)| line.split(',').map(move |part| (part.trim(), span)));
    let one = |(part, span): (&str, &Range<usize>)| {
        let (name, path) = part.split_once('=').map_or((part, None), |(name, path)| (name.trim(), Some(path.trim())));
        if !is_name(name) || path.is_some_and(|path| !path.split('.').all(is_name)) {
            return None;
        }
        let at = path.map(|path| keyed("at", text(path.to_owned(), span.clone())));
        let entries = std::iter::once(keyed("id", text(name.to_owned(), span.clone()))).chain(at).collect();
        Some(Node { span: span.clone(), data: Data::Map(entries) })
    };
    let items: Option<Vec<Node>> = parts.map(one).collect();
    Some(Node { span: cell.span.clone(), data: Data::List(items.filter(|items| !items.is_empty())?) })
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a table is of outputs.
pub(crate) fn is_outputs(table: &Table) -> bool {
    table.head.first().is_some_and(|head| matches!(words::word(&head.text()).as_str(), "output" | "outputs"))
}

/// The outputs of a table: its name, and in further columns where it is and what it is.
pub(crate) fn tabled(table: &Table) -> Option<Node> {
    if !is_outputs(table) {
        return None;
    }
    let row = |row: &Vec<Cell>| {
        let first = row.first().filter(|cell| !cell.is_empty())?;
        let mut entries = vec![keyed("id", cells::text(first))];
        for (cell, head) in row.iter().zip(&table.head).skip(1).filter(|(cell, _)| !cell.is_empty()) {
            let Meaning::Key(key, _) = words::property(&head.text(), &OUTPUT) else { continue };
            let node = match key {
                "kind" => Node { data: Data::Text(words::kind(&cell.text())), ..cells::text(cell) },
                "required" => cells::node(cell, &Shape::Truth),
                _ => cells::text(cell),
            };
            entries.push(keyed(key, node));
        }
        Some(Node { span: first.span.clone(), data: Data::Map(entries) })
    };
    Some(Node { span: table.span.clone(), data: Data::List(table.rows.iter().filter_map(row).collect()) })
}

/// The problem of outputs in words.
pub(crate) fn unread(name: &str, at: &Range<usize>) -> Problem {
    Problem::warning("form::prose_key", format!("`{name}` holds words, not names of outputs"))
        .at(at.clone(), "not read")
        .help(
            "write the names, `eta, status`, each with its path in the result where that is another: `eta = data.eta`",
        )
}
