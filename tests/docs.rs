//! What the READMEs say is so: links lead somewhere, examples load, and the dialogues are those of the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use formwright::engine::Engine;
use formwright::form::Catalog;
use formwright::form::load::{Syntax, load};
use formwright::form::problem::{Look, render};

use crate::support::chat::Chat;

const READMES: &[&str] = &[
    "README.md",
    "src/README.md",
    "src/guide/embedding.md",
    "src/guide/field-kind.md",
    "src/guide/find.md",
    "src/guide/language.md",
    "src/guide/phrase.md",
    "src/nlu/README.md",
    "adapters/README.md",
    "forms/README.md",
    "deploy/README.md",
    "tests/README.md",
];

#[test]
fn links_lead_to_files_that_are_there() {
    let mut broken = Vec::new();
    for readme in READMES {
        let text = read(readme);
        let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            let target = Path::new(readme).parent().unwrap().join(link.split('#').next().unwrap());
            if !target.exists() {
                broken.push(format!("{readme}: {link}"));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

#[test]
fn the_files_where_behaviours_are_found_are_there() {
    let pages =
        ["src/README.md", "src/nlu/README.md", "src/guide/find.md", "src/guide/phrase.md", "src/guide/language.md"];
    let text: String = pages.into_iter().map(read).collect();
    let named = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "rs") && !name.contains("KIND"));
    let there = |name: &str| {
        let folders = ["src", ".", "src/nlu", "src/lexicon", "src/engine"];
        folders.iter().any(|folder| Path::new(folder).join(name).is_file())
    };
    let missing: Vec<&str> = named.filter(|name| !there(name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_tests_that_show_refusals_are_there() {
    let text = read("tests/README.md");
    let (_, section) = text.split_once("## What is refused").unwrap();
    let rows = section.split("\n## ").next().unwrap().lines().filter_map(|line| line.strip_suffix(" |"));
    let cells = rows.filter_map(|row| Some(row.rsplit_once(" | ")?.1));
    let named: BTreeSet<&str> =
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).filter(|name| !name.contains('.')).collect();
    assert!(named.len() > 30, "{named:?}");
    let mut folders = ["src", "adapters", "tests"].map(PathBuf::from).to_vec();
    let mut there = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let source = std::fs::read_to_string(path).unwrap();
                there.extend(named.iter().copied().filter(|name| source.contains(&format!("fn {name}("))));
            }
        }
    }
    assert_eq!(named.difference(&there).collect::<Vec<_>>(), [""; 0].iter().collect::<Vec<_>>());
}

#[test]
fn the_first_form_has_the_mistake_that_is_shown_and_works_without_it() {
    let readme = read("README.md");
    let form = block(&readme, "toml", 0);
    let drawn = render("forms/lunch.toml", &form, &load(&form, Syntax::Toml).problems, Look::Drawn);
    assert!(readme.contains(drawn.trim()), "README.md shows another problem than\n{drawn}");

    let loaded = load(&form.replace("\"integr\"", "\"integer\""), Syntax::Toml);
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap());
    let now = "2026-11-20T10:00[Europe/Rome]".parse().unwrap();
    let mut chat = Chat::new(
        Engine::new(catalog).with_library(std::sync::Arc::new(formwright::library::Shelf::default())),
        now,
        "en",
        "terminal",
    );
    let said = ["(open lunch)", "yes", "vegan please, and I bring two guests", "actually make it 1 guest", "yes"];
    let seen: String = said.iter().map(|line| chat.line(line)).collect();
    assert!(seen.contains("coming = true\n   meal = \"veg\"\n   guests = 1\n"), "{seen}");
    for said in seen.lines().filter_map(|line| line.strip_prefix("< ")).filter(|line| !line.contains("reference")) {
        assert!(readme.contains(said), "README.md does not show: {said}");
    }
}

#[test]
fn the_forms_of_the_reference_load() {
    let text = read("forms/README.md");
    for no in 0..2 {
        let loaded = load(&block(&text, "toml", no), Syntax::Toml);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The n-th block of a language.
fn block(text: &str, language: &str, no: usize) -> String {
    let fence = format!("```{language}\n");
    let rest = text.split(&fence).nth(no + 1).unwrap();
    rest.split("```").next().unwrap().to_owned()
}
