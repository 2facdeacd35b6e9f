//! A workbook as plain text: one line a row, so that what is wrong in a cell can be pointed at like anything in a file.
//!
//! ```text
//! [survey]
//! 1: type | name | label
//! 2: text | town | Which town?
//! ```

use std::fmt::Write as _;
use std::ops::Range;

/// A sheet: its name, the names of its columns, and its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row with what stands in it, by column; empty cells are not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// Its number in the workbook.
    pub(super) no: u32,
    pub(super) span: Range<usize>,
    pub(super) cells: Vec<(usize, Cell)>,
}

/// A cell and where it stands in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// A sheet as a workbook has it: rows of cells, the first with the names of the columns.
pub(super) type Grid = Vec<Vec<String>>;

/// Writes a workbook as text. Rows are numbered as in the workbook; empty ones are left out.
pub(super) fn text_of(sheets: &[(String, Grid)]) -> String {
    let mut out = String::new();
    for (name, rows) in sheets {
        let _ = writeln!(out, "[{}]", escaped(name.trim()));
        for (no, row) in (1_u32..).zip(rows) {
            let cells: Vec<String> = row.iter().map(|cell| escaped(cell.trim())).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let _ = writeln!(out, "{no}: {}", cells.join(" | "));
            }
        }
    }
    out
}

fn escaped(cell: &str) -> String {
    cell.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "\\n").replace('\r', "")
}

/// Reads what [`text_of`] wrote.
pub(super) fn sheets_of(text: &str) -> Vec<Sheet> {
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches('\n');
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            sheets.push(Sheet { name: unescaped(name).to_lowercase(), ..Sheet::default() });
            continue;
        }
        let Some((sheet, colon)) = sheets.last_mut().zip(line.find(": ")) else { continue };
        let cells = cells(line, colon + 2, start);
        if sheet.columns.is_empty() {
            sheet.columns = cells.into_iter().map(|cell| cell.text).collect();
            continue;
        }
        let cells = cells.into_iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()).collect();
        let no = line.get(..colon).and_then(|no| no.parse().ok()).unwrap_or_default();
        sheet.rows.push(Row { no, span: start..start + line.len(), cells });
    }
    sheets
}

/// The cells of a line, from this byte of it on.
fn cells(line: &str, from: usize, start: usize) -> Vec<Cell> {
    let rest = line.get(from..).unwrap_or_default();
    let mut cells = Vec::new();
    let mut begin = 0;
    let mut escaped = false;
    let cell = |begin: usize, end: usize| {
        let raw = rest.get(begin..end).unwrap_or_default();
        let lead = raw.len() - raw.trim_start().len();
        let raw = raw.trim();
        let at = start + from + begin + lead;
        Cell { text: unescaped(raw), span: at..at + raw.len() }
    };
    for (at, c) in rest.char_indices() {
        match c {
            '\\' => escaped = !escaped,
            '|' if !escaped => {
                cells.push(cell(begin, at));
                begin = at + 1;
            }
            _ => escaped = false,
        }
    }
    cells.push(cell(begin, rest.len()));
    cells
}

fn unescaped(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

impl Sheet {
    /// The cell of a row in the column of this name.
    pub(super) fn cell<'s>(&self, row: &'s Row, column: &str) -> Option<&'s Cell> {
        let no = self.columns.iter().position(|name| name.trim().eq_ignore_ascii_case(column))?;
        row.cells.iter().find(|(at, _)| *at == no).map(|(_, cell)| cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_comes_back_from_its_text_with_the_places_of_its_cells() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let survey = vec![
            row(&["type", "name", "label"]),
            row(&["", "", ""]),
            row(&["text", "a", "One | two\nthree \\ four"]),
            row(&["note", "", "Done"]),
        ];
        let text = text_of(&[("Survey".to_owned(), survey), ("choices".to_owned(), Vec::new())]);
        assert!(text.starts_with("[Survey]\n1: type | name | label\n3: text | a | "), "{text}");
        let sheets = sheets_of(&text);
        assert_eq!(sheets.iter().map(|sheet| sheet.name.as_str()).collect::<Vec<_>>(), ["survey", "choices"]);
        let survey = &sheets[0];
        let label = survey.cell(&survey.rows[0], "Label").unwrap();
        assert_eq!(label.text, "One | two\nthree \\ four");
        assert_eq!(&text[label.span.clone()], "One \\| two\\nthree \\\\ four");
        assert_eq!(survey.cell(&survey.rows[1], "name"), None);
        assert_eq!(&text[survey.rows[1].span.clone()], "4: note |  | Done");
    }
}
