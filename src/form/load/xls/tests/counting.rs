//! Every cell of a workbook is in the form that comes of it, or in the list of what was lost.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::text_of;
use crate::{Source, Syntax, Target, convert};

/// Types of rows, known, old and unknown.
const TYPES: &[&str] = &[
    "text",
    "integer",
    "decimal",
    "date",
    "select_one l1",
    "select all that apply from l2",
    "select_one l2 or_other",
    "select one from l1 or specify other",
    "select_one nowhere",
    "select_one_from_file towns.csv",
    "select_one answers",
    "rank l1",
    "note",
    "calculate",
    "range",
    "image",
    "geopoint",
    "geotrace",
    "acknowledge",
    "hidden",
    "start",
    "wondrous",
    "",
    "begin group",
    "begin repeat",
];

const COLUMNS: &[&str] = &[
    "type",
    "name",
    "label",
    "label::Italiano (it)",
    "label::Klingon",
    "hint",
    "guidance_hint",
    "required",
    "required_message",
    "relevant",
    "constraint",
    "constraint_message",
    "default",
    "calculation",
    "appearance",
    "parameters",
    "choice_filter",
    "repeat_count",
    "media::image",
    "disabled",
    "notes",
    "bind::odd",
    "",
];

/// Workbooks with a word of its own, `t12x`, in each cell that is no type.
struct Book {
    sheets: Vec<(String, Vec<Vec<String>>)>,
    words: u32,
}

impl Book {
    fn word(&mut self) -> String {
        self.words += 1;
        format!("t{}x", self.words)
    }

    /// A cell below a heading, in the row of this number; `of` decides what it is like.
    fn cell(&mut self, column: &str, no: usize, of: u32, rows: usize) -> String {
        let word = self.word();
        let other = format!("${{q{}}}", of as usize % (rows + 1));
        match (column, of % 3) {
            ("name", 0) => format!("{word} {no}"),
            ("name", _) => format!("q{no}"),
            ("label" | "label::Italiano (it)" | "hint" | "constraint_message", 0) => format!("{word} of {other}?"),
            ("required", 0) => "yes".to_owned(),
            ("relevant" | "required", 1) => format!("{other} = '{word}'"),
            ("constraint", 0) => format!("regex(., '{word}')"),
            ("constraint", 1) => format!(". != '{word}' and {other} > 3"),
            ("calculation", 0) => format!("concat({other}, '{word}')"),
            ("choice_filter", 0) => format!("own = {other} or own = '{word}'"),
            ("repeat_count", 0) => other,
            ("repeat_count", 1) => "3".to_owned(),
            ("relevant" | "required" | "constraint" | "calculation" | "choice_filter", _) => format!("odd('{word}')"),
            _ => word,
        }
    }

    fn of(rows: &[(usize, u32, u32)]) -> Self {
        let mut book = Self { sheets: Vec::new(), words: 0 };
        let mut survey = vec![COLUMNS.iter().map(|&column| column.to_owned()).collect::<Vec<_>>()];
        let mut open = Vec::new();
        survey.push(["text", "q0", "First of all?"].map(str::to_owned).to_vec());
        for (no, (kind, filled, of)) in (1_usize..).zip(rows) {
            let kind = TYPES[*kind % TYPES.len()];
            let cells = (0_u32..).zip(COLUMNS).map(|(at, column)| match *column {
                "type" => kind.to_owned(),
                _ if filled >> at & 1 == 1 => book.cell(column, no, of.rotate_left(at), rows.len()),
                _ => String::new(),
            });
            survey.push(cells.collect());
            if let Some(begun) = kind.strip_prefix("begin ") {
                open.push(format!("end_{begun}"));
            } else if of % 5 == 0 {
                survey.extend(open.pop().map(|end| vec![end]));
            }
        }
        survey.extend(open.into_iter().rev().map(|end| vec![end]));
        let mut choices =
            vec![["list_name", "name", "label", "label::Klingon", "own", "image"].map(str::to_owned).to_vec()];
        for list in ["l1", "l1", "l2", "l2", "unused"] {
            let cells = std::iter::once(list.to_owned()).chain((0..5).map(|_| book.word()));
            choices.push(cells.collect());
        }
        for answer in ["yes", "no"] {
            let label = book.word();
            choices.push(vec!["answers".to_owned(), answer.to_owned(), label]);
        }
        let heads = ["form_title", "form_id", "version", "odd"].map(str::to_owned).to_vec();
        let settings = heads.iter().map(|_| book.word()).collect();
        book.sheets = vec![
            ("survey".to_owned(), survey),
            ("choices".to_owned(), choices),
            ("settings".to_owned(), vec![heads, settings]),
        ];
        book
    }
}

/// The cells of a workbook that neither the form nor what is told as lost accounts for.
fn unaccounted(sheets: &[(String, Vec<Vec<String>>)]) -> Result<Vec<String>, String> {
    let text = text_of(sheets);
    let written = convert(&text, Source::XlsForm, Target::Form(Syntax::Toml), "form").map_err(|problems| {
        format!(
            "{text}\n{}",
            formwright_form::problem::render("", &text, &problems, formwright_form::problem::Look::Line)
        )
    })?;
    let form = super::uncommented(&String::from_utf8(written.bytes).unwrap());
    let told: BTreeSet<&str> = written.lost.iter().flat_map(|lost| &lost.at).map(String::as_str).collect();
    let mut out = Vec::new();
    for (sheet, rows) in sheets {
        for (row, cells) in (1..).zip(rows).skip(1) {
            for (column, cell) in ('A'..='Z').zip(cells) {
                let word = cell.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| {
                    word.starts_with('t') && word.ends_with('x') && word.chars().any(|c| c.is_ascii_digit())
                });
                let at = format!("{sheet}!{column}{row}");
                if word.is_some_and(|word| !form.contains(word)) && !told.contains(at.as_str()) {
                    out.push(format!("{at}: {cell}"));
                }
            }
        }
    }
    Ok(out)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_cell_is_in_the_form_or_told(rows in prop::collection::vec((0_usize..100, any::<u32>(), any::<u32>()), 1..14)) {
        let book = Book::of(&rows);
        prop_assert_eq!(unaccounted(&book.sheets), Ok(Vec::<String>::new()), "{}", text_of(&book.sheets));
    }
}
