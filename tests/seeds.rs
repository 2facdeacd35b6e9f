//! The four systems that Formwright grows from: each thing that people had there, by its name, as they have it here. A line
//! is a conversation in `transcripts/seeds`, or what a client of the real program sees. The table of the lines is in
//! tests/README.md.

mod arklex;
mod cheshire;
mod filler;
mod formpilot;
mod visitor;

use std::collections::BTreeSet;

/// Lines that are conversations: the name of the test, and the heading in the document.
macro_rules! played {
    ($document:literal, $($test:ident = $heading:literal;)+) => {
        $(
            #[test]
            fn $test() {
                crate::transcripts::play_section(concat!("tests/transcripts/seeds/", $document), $heading);
            }
        )+
    };
}
use played;

const SYSTEMS: [&str; 4] = ["cheshire", "formpilot", "filler", "arklex"];

/// The tests of a module: their names, and the headings of those that are conversations.
fn tests_of(system: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let source = std::fs::read_to_string(format!("tests/seeds/{system}.rs")).unwrap();
    let (mut tests, mut headings) = (BTreeSet::new(), BTreeSet::new());
    let mut is_test = false;
    for line in source.lines().map(str::trim) {
        if let Some((name, heading)) = line.strip_suffix("\";").and_then(|line| line.split_once(" = \"")) {
            if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                continue;
            }
            tests.insert(name.to_owned());
            headings.insert(heading.to_owned());
        } else if let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test) {
            tests.insert(rest.split('(').next().unwrap().to_owned());
        }
        is_test = line.starts_with("#[test]") || line.starts_with("#[tokio::test");
    }
    (tests, headings)
}

/// The rows of a table of tests/README.md: the cells of each.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let readme = std::fs::read_to_string("tests/README.md").unwrap();
    let (_, section) = readme.split_once(&format!("\n## {heading}\n")).expect("tests/README.md has the table");
    let section = section.split("\n## ").next().unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    section.lines().filter(|line| line.starts_with("| ")).skip(1).map(cells).collect()
}

#[test]
fn every_line_has_its_test_and_every_test_its_line() {
    let told: Vec<String> = rows("The four systems").iter().map(|row| row[2].trim_matches('`').to_owned()).collect();
    let there: BTreeSet<String> = SYSTEMS
        .iter()
        .flat_map(|system| tests_of(system).0.into_iter().map(move |test| format!("seeds::{system}::{test}")))
        .collect();
    let unique: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(unique.len(), told.len(), "a test shows one line");
    assert_eq!(unique, there);
}

/// The lines that must be there: what stands before the colon, and what after it.
fn expected() -> Vec<(String, String)> {
    let list = std::fs::read_to_string("tests/seeds/expected.txt").unwrap();
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parted = lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no colon in {line}")));
    parted.map(|(of, line)| (of.to_owned(), line.to_owned())).collect()
}

/// A line that is missing in the table as well as in the tests is missed here.
#[test]
fn no_line_of_the_four_systems_and_no_case_of_the_bank_is_missing() {
    let lines = rows("The four systems").into_iter().map(|row| (row[0].clone(), row[1].clone()));
    let cases = rows("The scenario bank").into_iter().map(|row| (format!("bank {}", row[0]), row[1].clone()));
    let told: Vec<(String, String)> = lines.chain(cases).collect();
    assert_eq!(told, expected());
    let count = |of: &str| told.iter().filter(|(system, _)| system.starts_with(of)).count();
    assert_eq!(["Cheshire", "FormPilot", "Form filler", "Arklex", "bank"].map(count), [28, 29, 20, 19, 50]);
}

#[test]
fn every_conversation_of_the_four_systems_is_a_line() {
    for system in SYSTEMS {
        let path = format!("tests/transcripts/seeds/{system}.md");
        let Ok(document) = std::fs::read_to_string(&path) else { continue };
        let heading = |part: String| part.lines().next().unwrap_or_default().to_owned();
        let written: BTreeSet<String> = crate::transcripts::parts(&document).map(heading).collect();
        assert_eq!(written, tests_of(system).1, "{path}");
    }
}

/// Each of the fifty cases names transcripts and tests that there are.
#[test]
fn every_case_of_the_bank_is_shown() {
    let rows = rows("The scenario bank");
    let numbers: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
    assert_eq!(numbers, (1..=50).map(|no| no.to_string()).collect::<Vec<_>>());
    for row in rows {
        for shown in row[2].split('`').skip(1).step_by(2) {
            let there = match (shown.split_once(" § "), shown.split_once(" in ")) {
                (Some((file, heading)), _) => {
                    let text = std::fs::read_to_string(format!("tests/transcripts/{file}")).unwrap_or_default();
                    text.lines().any(|line| line.trim_start_matches('#').trim() == heading && line.starts_with('#'))
                }
                (None, Some((test, file))) => {
                    std::fs::read_to_string(file).unwrap_or_default().contains(&format!("fn {test}"))
                }
                (None, None) => false,
            };
            assert!(there, "case {}: {shown}", row[0]);
        }
    }
}
