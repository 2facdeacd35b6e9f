//! Tables of a document that have a row for each option or question.

use std::fmt::Write as _;

use super::cell::code;
use super::markdown::Writing;
use crate::keys::{FAQ, OPTION};
use crate::names;
use crate::node::{Data, Entry, Node};

/// Rows of a table of properties.
#[derive(Default)]
pub(super) struct Rows(pub(super) Vec<(String, String)>);

impl Rows {
    /// Adds a row.
    pub(super) fn put(&mut self, name: &str, cell: String) {
        self.0.push((name.to_owned(), cell));
    }
}

impl Writing<'_> {
    /// A table of options, where one has more than its label.
    pub(super) fn options(&self, options: &Node) -> Option<String> {
        if options.items().iter().all(|item| matches!(item.data, Data::Text(_) | Data::Number(_))) {
            return None;
        }
        let mut columns: Vec<String> = Vec::new();
        let mut rows: Vec<Vec<(String, String)>> = Vec::new();
        for option in options.items() {
            let mut cells = Rows::default();
            let whole = Node {
                span: option.span.clone(),
                data: Data::Map(vec![Entry { key: "label".into(), span: option.span.clone(), node: option.clone() }]),
            };
            let table = if matches!(option.data, Data::Map(_)) { option } else { &whole };
            for entry in table.entries() {
                if !self.property(&mut cells, entry, &OPTION) {
                    return None;
                }
            }
            for (name, _) in &cells.0 {
                if !columns.contains(name) {
                    columns.push(name.clone());
                }
            }
            rows.push(cells.0);
        }
        // The first column makes it a table of options.
        columns.sort_by_key(|name| {
            usize::from(name != "Key") + 2 * usize::from(!name.starts_with("Label") && name != "Key")
        });
        let first = columns.first_mut()?;
        let renamed = first.starts_with("Label (").then(|| std::mem::replace(first, "Key".to_owned()));
        if let Some(label) = renamed {
            // Without an id, and with labels by language only, the id is what it would be anyway.
            columns.insert(1, label);
            for (row, option) in rows.iter_mut().zip(options.items()) {
                let label = option.at("label").and_then(|label| label.entries().first()?.node.text());
                row.push(("Key".to_owned(), code(&names::slug(label.unwrap_or_default()))));
            }
        }
        let mut out = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        for row in rows {
            let at = |column: &String| {
                row.iter().find(|(name, _)| name == column).map_or(String::new(), |(_, cell)| format!("{cell} "))
            };
            let _ = writeln!(out, "| {}|", columns.iter().map(at).collect::<Vec<_>>().join("| "));
        }
        out.push('\n');
        Some(out)
    }

    /// Questions with their answers as a table; only looks whether it can be one where not `written`.
    pub(super) fn questions(&mut self, faq: &Node, written: bool) -> bool {
        let mut columns: Vec<String> = Vec::new();
        let mut rows = Vec::new();
        for item in faq.items() {
            let mut cells = Rows::default();
            for entry in item.entries() {
                if !self.property(&mut cells, entry, &FAQ) {
                    return false;
                }
            }
            for (name, _) in &cells.0 {
                if !columns.contains(name) {
                    columns.push(name.clone());
                }
            }
            rows.push(cells.0);
        }
        if rows.is_empty() || !written {
            return !rows.is_empty();
        }
        let _ = writeln!(
            self.out,
            "## Questions and answers\n\n| {} |\n|{}",
            columns.join(" | "),
            "---|".repeat(columns.len())
        );
        for row in rows {
            let at =
                |column: &String| row.iter().find(|(name, _)| name == column).map_or("", |(_, cell)| cell.as_str());
            let _ = writeln!(self.out, "| {} |", columns.iter().map(at).collect::<Vec<_>>().join(" | "));
        }
        self.out.push('\n');
        true
    }
}
