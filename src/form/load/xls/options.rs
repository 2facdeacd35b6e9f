//! The sheet `choices`: lists of options, and what may be asked of their rows.

use std::collections::BTreeMap;

use super::columns::{Column, entry, list, table, text, words};
use super::tables::{Row, Sheet};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Node};

/// All lists by their names.
#[derive(Default)]
pub(super) struct Lists<'s> {
    sheet: Option<&'s Sheet>,
    rows: BTreeMap<String, Vec<&'s Row>>,
    lang: String,
}

impl<'s> Lists<'s> {
    pub(super) fn of(sheet: Option<&'s Sheet>, lang: &str, lost: &mut Vec<Lost>) -> Self {
        let mut lists = Self { sheet, rows: BTreeMap::new(), lang: lang.to_owned() };
        let Some(sheet) = sheet else { return lists };
        for row in &sheet.rows {
            let name = sheet.cell(row, "list_name").or_else(|| sheet.cell(row, "list name"));
            if let Some(name) = name {
                lists.rows.entry(name.text.clone()).or_default().push(row);
            }
        }
        for heading in &sheet.columns {
            if Column::of(heading).name.starts_with("media::") {
                lost.push(Lost { place: "sheet `choices`".to_owned(), what: format!("`{heading}`") });
            }
        }
        lists
    }

    /// How many options a list has.
    pub(super) fn len(&self, name: &str) -> usize {
        self.rows.get(name).map_or(0, Vec::len)
    }

    /// Whether a list is yes and no.
    pub(super) fn is_yes_no(&self, name: &str) -> bool {
        let names: Option<Vec<&str>> = self.sheet.zip(self.rows.get(name)).and_then(|(sheet, rows)| {
            rows.iter().map(|row| sheet.cell(row, "name").map(|cell| cell.text.as_str())).collect()
        });
        names.is_some_and(|mut names| {
            names.sort_unstable();
            names == ["no", "yes"]
        })
    }

    /// A list as options; none where there is none of this name.
    pub(super) fn options(&self, name: &str) -> Option<Node> {
        let sheet = self.sheet?;
        let options: Vec<Node> = self.rows.get(name)?.iter().filter_map(|row| self.option(sheet, row)).collect();
        (!options.is_empty()).then(|| list(options, &(0..0)))
    }

    fn option(&self, sheet: &Sheet, row: &Row) -> Option<Node> {
        let id = sheet.cell(row, "name")?;
        let label =
            text(sheet, row, "label", &self.lang, &str::to_owned).unwrap_or_else(|| words(id.text.clone(), &id.span));
        if label.text().is_some_and(|label| names::slug(label) == id.text) {
            return Some(label);
        }
        let span = row.span.clone();
        Some(table(vec![entry("id", words(id.text.clone(), &id.span)), entry("label", label)], &span))
    }

    /// A list as the rows of a tool, with every column: for options that depend on other answers.
    pub(super) fn data(&self, name: &str) -> Option<Node> {
        let sheet = self.sheet?;
        let row = |row: &&Row| {
            let mut entries = vec![entry("id", words(sheet.cell(row, "name")?.text.clone(), &row.span))];
            entries.extend(text(sheet, row, "label", &self.lang, &str::to_owned).map(|label| entry("label", label)));
            for (heading, cell) in sheet.named(row) {
                let column = Column::of(heading).name;
                if self.columns().contains(&column) && !entries.iter().any(|known| known.key == column) {
                    entries.push(entry(&column, words(cell.text.clone(), &cell.span)));
                }
            }
            Some(Node { span: row.span.clone(), data: Data::Map(entries) })
        };
        let rows: Vec<Node> = self.rows.get(name)?.iter().filter_map(row).collect();
        Some(list(rows, &(0..0)))
    }

    /// Columns beside names and labels, which filters speak of.
    pub(super) fn columns(&self) -> Vec<String> {
        let columns = self.sheet.map(|sheet| sheet.columns.as_slice()).unwrap_or_default();
        let names = columns.iter().map(|heading| Column::of(heading).name);
        names.filter(|name| !matches!(name.as_str(), "list_name" | "name" | "label") && names::is_free(name)).collect()
    }
}
