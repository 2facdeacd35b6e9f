//! Accounts for every cell of a workbook: it is in the form, or something that was told as lost had it, or it is told here.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tables::{Cell, Row, Sheet, sheets_of};
use crate::lost::{Lost, cited};
use crate::node::{Data, Node};

/// What the form says without a value that comes of the cell.
#[derive(Debug, Default)]
pub(in super::super) struct Ledger {
    used: RefCell<BTreeSet<usize>>,
    /// Where the first question stands that has its options from a list.
    askers: RefCell<BTreeMap<String, Range<usize>>>,
}

impl Ledger {
    /// Notes that the form says what the cell says.
    pub(super) fn takes(&self, cell: &Cell) {
        self.used.borrow_mut().insert(cell.span.start);
    }

    /// Whether the form is known to say what the cell says.
    pub(super) fn has(&self, cell: &Cell) -> bool {
        self.used.borrow().contains(&cell.span.start)
    }

    /// Notes that a question has its options from a list.
    pub(super) fn asks_from(&self, list: &str, row: &Row) {
        self.askers.borrow_mut().entry(list.to_owned()).or_insert_with(|| row.span.clone());
    }

    /// Tells of all cells that are left, and says of everything lost in which cells it stood.
    pub(in super::super) fn close(&self, source: &str, root: &Node, lost: &mut Vec<Lost>) {
        let sheets = sheets_of(source);
        let mut taken = self.used.borrow().clone();
        collect(root, &mut taken);
        let mut told: Vec<Range<usize>> = lost.iter().flat_map(|lost| lost.spans.iter().cloned()).collect();
        told.sort_by_key(|span| (span.start, span.end));
        let told = merged(told);
        let left = |cell: &Cell| {
            let before = told.partition_point(|span| span.start <= cell.span.start);
            let covered =
                before.checked_sub(1).and_then(|no| told.get(no)).is_some_and(|span| cell.span.start < span.end);
            !covered && taken.range(cell.span.clone()).next().is_none()
        };
        for sheet in &sheets {
            match sheet.name.as_str() {
                "survey" => survey(sheet, &left, lost),
                "choices" => self.choices(sheet, &left, &taken, lost),
                _ => others(sheet, &left, lost),
            }
        }
        lost.sort_by_key(|lost| lost.spans.first().map_or(0, |span| span.start));
        let places = Places::of(&sheets);
        for lost in lost {
            lost.at = lost.spans.iter().flat_map(|span| places.within(span)).collect();
        }
    }

    /// What is left of the choices, a line a column of each list.
    fn choices(&self, sheet: &Sheet, left: &dyn Fn(&Cell) -> bool, taken: &BTreeSet<usize>, lost: &mut Vec<Lost>) {
        let list_of = |row: &Row| {
            let cell = sheet.cell(row, "list_name").or_else(|| sheet.cell(row, "list name"));
            cell.map(|cell| cell.text.clone()).unwrap_or_default()
        };
        let askers = self.askers.borrow();
        let mut groups: BTreeMap<(String, String), Vec<&Cell>> = BTreeMap::new();
        for row in &sheet.rows {
            let list = list_of(row);
            let used = row.cells.iter().any(|(_, cell)| taken.range(cell.span.clone()).next().is_some());
            for (no, cell) in row.cells.iter().filter(|(_, cell)| left(cell)) {
                let heading = if used { heading(sheet, *no) } else { String::new() };
                // The name of a list stands with each of its options.
                if !(used && heading.trim().replace('_', " ").eq_ignore_ascii_case("`list name`")) {
                    groups.entry((list.clone(), heading)).or_default().push(cell);
                }
            }
        }
        for ((list, heading), cells) in groups {
            let asked = askers.get(&list);
            let what = match (heading.as_str(), asked) {
                ("", None) => "all of it: no question has its options from it".to_owned(),
                ("", Some(_)) => format!("options that have no place here: {}", texts(&cells, &list)),
                (heading, _) => format!("{heading} of its options: {}", texts(&cells, &list)),
            };
            let told = Lost::new(format!("list `{list}`"), what).of(asked.unwrap_or(&(0..0)));
            lost.push(cells.iter().fold(told, |told, cell| told.from(&cell.span)));
        }
    }
}

fn survey(sheet: &Sheet, left: &dyn Fn(&Cell) -> bool, lost: &mut Vec<Lost>) {
    for row in &sheet.rows {
        let place = || match sheet.cell(row, "name") {
            Some(name) => format!("question `{}`", name.text),
            None => format!("row {}", row.no),
        };
        for (no, cell) in row.cells.iter().filter(|(_, cell)| left(cell)) {
            let what = format!("{}: {}", heading(sheet, *no), cited(&cell.text));
            lost.push(Lost::new(place(), what).from(&cell.span).of(&row.span));
        }
    }
}

fn others(sheet: &Sheet, left: &dyn Fn(&Cell) -> bool, lost: &mut Vec<Lost>) {
    for row in &sheet.rows {
        for (no, cell) in row.cells.iter().filter(|(_, cell)| left(cell)) {
            let what = format!("{}: {}", heading(sheet, *no), cited(&cell.text));
            lost.push(Lost::new(format!("sheet `{}`", sheet.name), what).from(&cell.span));
        }
    }
}

/// A column by its heading, or by its letters where it has none.
fn heading(sheet: &Sheet, no: usize) -> String {
    match sheet.columns.get(no).map(|heading| heading.trim()).filter(|heading| !heading.is_empty()) {
        Some(heading) => format!("`{heading}`"),
        None => format!("column {}, which has no heading", letters(no)),
    }
}

/// What stands in cells, without the name of their list.
fn texts(cells: &[&Cell], list: &str) -> String {
    const MOST: usize = 5;
    let said: Vec<&&Cell> = cells.iter().filter(|cell| cell.text != list).collect();
    let shown: Vec<String> = said.iter().take(MOST).map(|cell| cited(&cell.text)).collect();
    let more = said.len().saturating_sub(MOST);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Where the values of a form stand.
fn collect(node: &Node, starts: &mut BTreeSet<usize>) {
    match &node.data {
        Data::List(items) => items.iter().for_each(|item| collect(item, starts)),
        Data::Map(entries) => entries.iter().for_each(|entry| collect(&entry.node, starts)),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => {
            if !node.span.is_empty() {
                starts.insert(node.span.start);
            }
        }
    }
}

/// Spans in their order, those that overlap as one.
fn merged(spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut().filter(|last| span.start < last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => out.push(span),
        }
    }
    out
}

/// The names of cells, by where they stand in the text.
struct Places(Vec<(Range<usize>, String)>);

impl Places {
    fn of(sheets: &[Sheet]) -> Self {
        let cells = sheets.iter().flat_map(|sheet| {
            let named = |row: &Row| {
                let no = row.no;
                let name =
                    |(at, cell): &(usize, Cell)| (cell.span.clone(), format!("{}!{}{no}", sheet.name, letters(*at)));
                row.cells.iter().map(name).collect::<Vec<_>>()
            };
            sheet.rows.iter().flat_map(named)
        });
        Self(cells.collect())
    }

    /// The cells that a span holds, or that hold it.
    fn within(&self, span: &Range<usize>) -> impl Iterator<Item = String> {
        let first = self.0.partition_point(|(cell, _)| cell.end <= span.start);
        let found = self.0.get(first..).unwrap_or_default().iter();
        found.take_while(|(cell, _)| cell.start < span.end).map(|(_, name)| name.clone())
    }
}

/// The letters of a column, counted from 0.
fn letters(mut no: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.insert(0, char::from(b'A' + u8::try_from(no % 26).unwrap_or(0)));
        if no < 26 {
            return out.into_iter().collect();
        }
        no = no / 26 - 1;
    }
}
