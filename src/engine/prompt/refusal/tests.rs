//! Every refusal that the kinds of fields can give has words, and the words name only facts that come with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::prompt::testing;

/// Code of a refusal → facts that come with it everywhere.
type Codes = BTreeMap<String, BTreeSet<String>>;

/// Facts that may be missing; general words are said then.
const PERHAPS: [(&str, &str); 1] = [("pattern_mismatch", "shape")];

/// Refusals of the engine itself.
const ENGINES: [&str; 4] = ["not_about", "not_understood", "option_not_offered", "other"];

#[test]
fn every_refusal_has_words_that_name_the_facts_it_gives() {
    let codes = given();
    assert!(codes.len() > 40, "too few are found: {codes:?}");
    let english = testing::messages("en");
    let mut wrong = Vec::new();
    for (code, given) in &codes {
        let Some(wordings) = english.get(&format!("refusal_{code}")) else {
            wrong.push(format!("no words for {code}"));
            continue;
        };
        for fact in wordings.iter().flat_map(|wording| testing::facts(wording)) {
            let comes = fact == "label" || given.contains(&fact) || PERHAPS.contains(&(code, &fact));
            if !comes {
                wrong.push(format!("refusal_{code} names {{{fact}}}, and it gives {given:?}"));
            }
        }
    }
    let told = english.keys().filter_map(|name| name.strip_prefix("refusal_"));
    wrong.extend(
        told.filter(|code| !codes.contains_key(*code) && !ENGINES.contains(code))
            .map(|code| format!("nothing gives {code}")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The refusals in the sources of the kinds. A code in the call itself is exact; one that comes through a variable is
/// any literal of a file that looks like a code, with the facts that are literals of that file.
fn given() -> Codes {
    let mut files = Vec::new();
    for folder in ["../form/kind", "../values"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let mut codes = Codes::new();
    for text in &files {
        for call in text.split("Refusal::new(").skip(1) {
            let (argument, rest) = argument(call);
            let here: BTreeSet<String> = literals_after(chain(rest), ".fact(").collect();
            for code in literals(argument) {
                codes.entry(code).or_insert_with(|| here.clone()).retain(|fact| here.contains(fact));
            }
        }
    }
    for text in &files {
        if !text.contains("Refusal") {
            continue;
        }
        let literals: BTreeSet<String> = literals(text).collect();
        for code in literals.iter().filter(|literal| looks_like_code(literal)) {
            codes.entry(code.clone()).or_insert_with(|| {
                // The words of what does not exist are added where the reading ends.
                literals.iter().cloned().chain(["said".to_owned()]).collect()
            });
        }
    }
    codes
}

/// What is within the parentheses of a call that has just been opened, and what follows.
fn argument(call: &str) -> (&str, &str) {
    let mut depth = 1_i32;
    for (at, c) in call.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return (&call[..at], &call[at + 1..]);
        }
    }
    (call, "")
}

/// The calls upon the refusal itself.
fn chain(mut rest: &str) -> &str {
    let whole = rest;
    while let Some(call) = rest.trim_start().strip_prefix(".fact(") {
        rest = argument(call).1;
    }
    &whole[..whole.len() - rest.len()]
}

fn literals(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('"').skip(1).step_by(2).map(str::to_owned)
}

fn literals_after<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = String> + 'a {
    text.split(before).skip(1).filter_map(|part| Some(part.strip_prefix('"')?.split_once('"')?.0.to_owned()))
}

fn looks_like_code(literal: &str) -> bool {
    const SUBJECTS: [&str; 5] = ["date_", "duration_", "text_too_", "time_", "too_"];
    const ENDS: [&str; 8] = ["_decimals", "_early", "_future", "_late", "_long", "_past", "_real", "_short"];
    let code = SUBJECTS.iter().any(|start| literal.starts_with(start)) && ENDS.iter().any(|end| literal.ends_with(end));
    (code || literal.starts_with("not_")) && literal.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// The sources below a folder without their tests.
fn sources(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("test"))
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            into.push(lines.collect::<Vec<_>>().join("\n"));
        }
    }
}
