//! Workbooks as attacks: whatever one holds that is no longer than a file may be, reading it takes no more than 100 MB. A
//! binary of its own, whose allocator counts.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use std::alloc::System;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use cap::Cap;
use formwright::form::load::{Source, Syntax, Target, convert, workbook};
use formwright::form::problem::Problem;
use zip::write::SimpleFileOptions;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// As long as a file may be, and as much as reading it may take.
const PACKED: usize = 1 << 20;
const TAKEN: usize = 100_000_000;

/// A workbook of parts.
struct Book(Vec<(String, String)>);

impl Book {
    /// With these sheets, each with what stands between its `sheetData` tags.
    fn of(sheets: &[(&str, String)]) -> Self {
        let mut parts = vec![(
            "_rels/.rels".to_owned(),
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#.to_owned(),
        )];
        let (mut named, mut related) = (String::new(), String::new());
        for (no, (name, rows)) in (1..).zip(sheets) {
            let _ = write!(named, r#"<sheet name="{name}" sheetId="{no}" r:id="s{no}"/>"#);
            let _ = write!(
                related,
                r#"<Relationship Id="s{no}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{no}.xml"/>"#
            );
            parts.push((
                format!("xl/worksheets/sheet{no}.xml"),
                format!(r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData>{rows}</sheetData></worksheet>"#),
            ));
        }
        parts.push((
            "xl/workbook.xml".to_owned(),
            format!(r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{named}</sheets></workbook>"#),
        ));
        parts.push((
            "xl/_rels/workbook.xml.rels".to_owned(),
            format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>"#),
        ));
        Self(parts)
    }

    fn with(mut self, part: &str, text: String) -> Self {
        self.0.push((part.to_owned(), text));
        self
    }

    fn packed(&self) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in &self.0 {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }
}

/// The letters of a column, counted from 0.
fn column(mut no: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(no % 26).unwrap()));
        if no < 26 {
            return letters.into_iter().rev().collect();
        }
        no = no / 26 - 1;
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Rows of texts, the first with the names of the columns.
fn rows<T: AsRef<str>>(rows: impl IntoIterator<Item = Vec<T>>) -> String {
    let mut out = String::new();
    for (no, row) in (1..).zip(rows) {
        out.push_str("<row>");
        for (at, cell) in row.iter().map(AsRef::as_ref).enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let _ = write!(out, r#"<c r="{}{no}" t="str"><v>{}</v></c>"#, column(at), escaped(cell));
        }
        out.push_str("</row>");
    }
    out
}

/// A survey with these rows below its headings.
fn survey(questions: impl IntoIterator<Item = [String; 5]>) -> String {
    let heads = ["type", "name", "label", "constraint", "relevant"].map(str::to_owned);
    rows(std::iter::once(heads).chain(questions).map(Vec::from))
}

fn question(no: usize, constraint: &str, relevant: &str) -> [String; 5] {
    ["integer".to_owned(), format!("q{no}"), format!("Question {no}"), constraint.to_owned(), relevant.to_owned()]
}

fn choices(many: usize, columns: usize) -> String {
    let heads = (0..columns).map(|no| match no {
        0 => "list_name".to_owned(),
        1 => "name".to_owned(),
        2 => "label".to_owned(),
        no => format!("x{no}"),
    });
    let row = |no: usize| {
        (0..columns).map(|column| if column == 0 { "all".to_owned() } else { format!("c{no}") }).collect::<Vec<_>>()
    };
    rows(std::iter::once(heads.collect()).chain((0..many).map(row)))
}

fn select_one() -> String {
    survey([["select_one all", "which", "Which?", "", ""].map(str::to_owned)])
}

fn one_of_all(no: usize) -> [String; 5] {
    ["select_one all".to_owned(), format!("q{no}"), "Which?".to_owned(), String::new(), String::new()]
}

/// What each attack is called, its workbook, and words of the refusal; none where it is a form like any other.
#[expect(clippy::too_many_lines, reason = "a list, an entry an attack")]
fn attacks() -> Vec<(&'static str, Book, &'static str)> {
    let plain = || Book::of(&[("survey", survey([question(1, "", "")]))]);
    let each = |constraint: fn(usize) -> String| {
        let asked = |no: usize| ["text".to_owned(), format!("q{no}"), "Q".to_owned(), constraint(no), String::new()];
        Book::of(&[("survey", survey((1..1_900).map(asked)))])
    };
    let nested = |many: usize| {
        let begin = (0..many)
            .map(|no| ["begin group".to_owned(), format!("g{no}"), "G".to_owned(), String::new(), String::new()]);
        let end = (0..many).map(|_| ["end group", "", "", "", ""].map(str::to_owned));
        Book::of(&[("survey", survey(begin.chain([question(1, "", "")]).chain(end)))])
    };
    let strings = |texts: &str| {
        format!(r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{texts}</sst>"#)
    };
    let named = |many: usize| {
        (0..many).map(|no| format!(r#"<row><c r="A{}" t="s"><v>0</v></c></row>"#, no + 1)).collect::<String>()
    };
    vec![
        ("a form of one question", plain(), ""),
        (
            "a cell at the far corner",
            Book::of(&[("survey", r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#.to_owned())]),
            "row 1048576",
        ),
        (
            "texts announced and not there",
            plain()
                .with("xl/sharedStrings.xml", r#"<sst uniqueCount = "4000000000"><si><t>a</t></si></sst>"#.to_owned()),
            "is not written as",
        ),
        (
            "millions of empty texts",
            plain().with("xl/sharedStrings.xml", strings(&"<si><t/></si>".repeat(800_000))),
            "more than",
        ),
        (
            "as many empty texts as there may be",
            plain().with("xl/sharedStrings.xml", strings(&"<si><t>a</t></si>".repeat(370_000))),
            "",
        ),
        (
            "one text of many megabytes",
            plain().with("xl/sharedStrings.xml", strings(&format!("<si><t>{}</t></si>", "a".repeat(11 << 20)))),
            "",
        ),
        ("one cell of many megabytes", Book::of(&[("survey", rows([vec!["a".repeat(11 << 20)]]))]), "bytes of text"),
        (
            "one text in many cells",
            Book::of(&[("survey", named(12_000))])
                .with("xl/sharedStrings.xml", strings(&format!("<si><t>{}</t></si>", "a".repeat(32_000)))),
            "bytes of text",
        ),
        (
            "more than it may unpack to",
            plain().with("xl/media/image1.png", "\0".repeat(60 << 20)),
            "unpacks to more than",
        ),
        (
            "rows that are long and empty",
            Book::of(&[(
                "survey",
                (1..=12_000).map(|no| format!(r#"<row><c r="GR{no}"><v>1</v></c></row>"#)).collect(),
            )]),
            "cells, empty ones",
        ),
        (
            "styles without number",
            plain().with(
                "xl/styles.xml",
                format!("<styleSheet><fonts>{}</fonts></styleSheet>", "<font/>".repeat(900_000)),
            ),
            "more than",
        ),
        (
            "as many styles as there may be",
            plain().with(
                "xl/styles.xml",
                format!(
                    "<styleSheet><fonts><font/></fonts><cellXfs>{}</cellXfs></styleSheet>",
                    r#"<xf fontId="0"/>"#.repeat(29_000)
                ),
            ),
            "",
        ),
        ("two bytes a letter", plain().with("xl/sharedStrings.xml", "<\0s\0s\0t\0>\0".to_owned()), "is not written as"),
        (
            "a sheet that is not read",
            Book::of(&[("survey", survey([question(1, "", "")])), ("figures", named(150_000))]),
            "",
        ),
        (
            "as many choices as a sheet may have",
            Book::of(&[("survey", select_one()), ("choices", choices(19_999, 12))]),
            "",
        ),
        (
            "many questions with the options of one list",
            Book::of(&[("survey", survey((0..400).map(one_of_all))), ("choices", choices(2_000, 3))]),
            "",
        ),
        (
            "as many options together as there may be",
            Book::of(&[("survey", survey((0..10).map(one_of_all))), ("choices", choices(2_000, 3))]),
            "",
        ),
        (
            "more choices than there may be",
            Book::of(&[("survey", select_one()), ("choices", choices(20_001, 3))]),
            "row 20001",
        ),
        (
            "as many questions as there may be",
            Book::of(&[("survey", survey((0..2_000).map(|no| question(no, "", ""))))]),
            "",
        ),
        (
            "more questions than there may be",
            Book::of(&[("survey", survey((0..11_999).map(|no| question(no, "", ""))))]),
            "at most",
        ),
        (
            "questions whose checks do not load",
            Book::of(&[("survey", survey((0..1_500).map(|no| question(no, ". + 'a' > 3", "${q0} + 'a' = 3"))))]),
            "",
        ),
        (
            "questions that each hang on the one before",
            Book::of(&[(
                "survey",
                survey((0..1_500_usize).map(|no| question(no, "", &format!("${{q{}}} > 3", no.saturating_sub(1))))),
            )]),
            "",
        ),
        ("groups in groups", nested(2_900), "more than 16 deep"),
        ("as many groups in groups as there may be", nested(16), ""),
        (
            "an expression in brackets in brackets",
            Book::of(&[(
                "survey",
                survey([question(1, &format!("{}. > 3{}", "(".repeat(15_000), ")".repeat(15_000)), "")]),
            )]),
            "",
        ),
        (
            "a pattern that grows",
            Book::of(&[(
                "survey",
                survey([["text", "a", "A", "regex(., '((a{1,999}){1,999}){1,999}')", ""].map(str::to_owned)]),
            )]),
            "",
        ),
        ("one pattern at every question", each(|_| r"regex(., '\w{1,5}')".to_owned()), ""),
        ("another pattern at every question", each(|no| format!("regex(., '[a-z]{{1,{no}}}[0-9]{{1,200}}')")), ""),
    ]
}

#[test]
fn no_workbook_takes_more_than_100_mb() {
    let attacks: Vec<_> = attacks().into_iter().map(|(name, book, why)| (name, book.packed(), why)).collect();
    // What the program makes once, whatever it reads, is not the workbook's.
    let _ = read(&attacks[0].1);
    let mut wrong = Vec::new();
    for (name, bytes, why) in &attacks {
        assert!(bytes.len() <= PACKED, "{name}: {} bytes", bytes.len());
        let began = std::time::Instant::now();
        // Beyond the limit nothing is allocated, which ends the test.
        ALLOCATOR.set_limit(ALLOCATOR.allocated() + TAKEN).unwrap();
        let came = read(bytes);
        ALLOCATOR.set_limit(usize::MAX).unwrap();
        let told: String = came.err().unwrap_or_default().chars().take(300).collect();
        println!("{name}: {} bytes, {:?}: {told}", bytes.len(), began.elapsed());
        let as_expected = if why.is_empty() { told.is_empty() } else { told.contains(why) };
        if !as_expected {
            wrong.push(format!("{name}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Reads a workbook as the program does, and gives what is wrong with it.
fn read(bytes: &[u8]) -> Result<(), String> {
    let text = workbook(bytes)?;
    let told = |problems: Vec<Problem>| problems.into_iter().map(|problem| problem.message + "; ").collect::<String>();
    convert(&text, Source::XlsForm, Target::Form(Syntax::Toml), "form").map(drop).map_err(told)
}
