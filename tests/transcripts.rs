//! Conversations as documents: each file in `tests/transcripts`, and the project's README, tells in prose what is shown,
//! and its `chat` blocks are played. Lines that begin with `>` are the person's; the others are what is seen, and must be
//! seen again.
//!
//! `UPDATE=1 cargo test transcripts` writes what is seen into the files. Read the difference before you keep it.

use std::fmt::Write as _;
use std::sync::Arc;

use formwright::engine::Engine;
use formwright::form::load::{Syntax, load};
use formwright::library::Shelf;
use jiff::Zoned;

use crate::support::chat::{Chat, sample_forms};
use crate::support::desk::desks;

#[test]
fn conversations_go_as_they_are_written() {
    let mut differing = Vec::new();
    let folders = ["tests/transcripts", "tests/transcripts/seeds"];
    let in_folder = |folder| std::fs::read_dir(folder).unwrap().map(|entry: std::io::Result<_>| entry.unwrap().path());
    let mut files: Vec<_> = folders.into_iter().flat_map(in_folder).collect();
    files.sort();
    files.push("README.md".into());
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let written = std::fs::read_to_string(&path).unwrap();
        let played = play(&written, None);
        assert!(
            !played.contains("\n!! ") || std::env::var_os("UPDATE").is_some(),
            "{}: a line cannot be played",
            path.display()
        );
        if played == written {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &played).unwrap();
        } else {
            differing.push(format!("{}:\n{}", path.display(), difference(&written, &played)));
        }
    }
    assert!(differing.is_empty(), "{}\nrun with UPDATE=1 to keep what is seen now", differing.join("\n"));
}

/// Plays every block of a document and puts what is seen in place of what was written. `own_form` is a form beside the
/// samples, or in the place of the one of its id; so are forms that stand in a row in the document.
pub(crate) fn play(document: &str, own_form: Option<(String, Syntax)>) -> String {
    let mut own_forms = Vec::from_iter(own_form);
    let mut played = true;
    let mut out = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let block = |lines: &mut std::str::Lines<'_>| -> Vec<String> {
            lines.by_ref().take_while(|line| *line != "```").map(str::to_owned).collect()
        };
        if let Some(syntax) = line.strip_prefix("```").and_then(|name| Syntax::of(&format!("form.{name}"))) {
            let text = block(&mut lines).join("\n");
            let _ = writeln!(out, "{text}\n```");
            if std::mem::take(&mut played) {
                own_forms.clear();
            }
            own_forms.push((text, syntax));
        } else if let Some(head) = line.strip_prefix("```chat") {
            let script = block(&mut lines);
            played = true;
            let _ = writeln!(out, "{}```", run(head, &script, &own_forms));
        }
    }
    out
}

/// The parts of a document below its headings, each with its heading. A form in a block may have headings of its own.
pub(crate) fn parts(document: &str) -> impl Iterator<Item = String> {
    let (mut parts, mut in_block) = (Vec::<String>::new(), false);
    for line in document.lines() {
        in_block ^= line.starts_with("```");
        match (line.strip_prefix("# "), parts.last_mut()) {
            (Some(heading), _) if !in_block => parts.push(format!("{heading}\n")),
            (_, Some(part)) => *part += &format!("{line}\n"),
            _ => {}
        }
    }
    parts.into_iter()
}

/// Plays the part of a document below one heading, which must come out as it is written.
pub(crate) fn play_section(path: &str, heading: &str) {
    let document = std::fs::read_to_string(path).unwrap();
    let written = parts(&document).find(|part| part.lines().next() == Some(heading));
    let written = &written.unwrap_or_else(|| panic!("{path} has no part `# {heading}`"));
    assert!(written.contains("\n> "), "{path}: nobody says anything below `# {heading}`");
    let (written, played) = (written.trim_end(), play(written, None));
    assert_eq!(difference(written, played.trim_end()), "", "{path}: {heading}");
}

fn run(head: &str, script: &[String], own_forms: &[(String, Syntax)]) -> String {
    let setting = |name: &str| head.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let own_forms = own_forms.to_vec();
    let read = move || {
        let mut catalog = sample_forms();
        for (text, syntax) in &own_forms {
            let loaded = load(text, *syntax);
            catalog.insert(loaded.form.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.problems)));
        }
        catalog
    };
    let now: Zoned = setting("now").unwrap_or("2026-11-20T10:00[Europe/Rome]").parse().unwrap();
    let locale = setting("locale").unwrap_or("en");
    let mut chat = Chat::new(
        Engine::new(read()).with_library(Arc::new(Shelf::default())).with_desks(desks()),
        now,
        locale,
        setting("platform").unwrap_or("terminal"),
    );
    chat.reread = Some(Box::new(read));
    let mut out = String::new();
    if let Some(form) = setting("form") {
        let seen = chat.line(&format!("(open {form})"));
        if script.iter().any(|line| line == "…") {
            out.push_str("…\n");
        } else {
            out.push_str(&seen);
        }
    }
    for line in script {
        if let Some(said) = line.strip_prefix("> ") {
            let _ = writeln!(out, "{line}");
            out.push_str(&chat.line(said));
        }
    }
    out
}

/// The first lines that differ.
fn difference(written: &str, played: &str) -> String {
    let (mut a, mut b) = (written.lines(), played.lines());
    let mut at = 0;
    loop {
        at += 1;
        match (a.next(), b.next()) {
            (None, None) => return String::new(),
            (a, b) if a == b => {}
            (a, b) => {
                return format!("line {at}\n  written: {}\n  seen:    {}", a.unwrap_or("(end)"), b.unwrap_or("(end)"));
            }
        }
    }
}
