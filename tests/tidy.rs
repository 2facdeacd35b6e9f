//! The shape of the house: who may import whom, what is pure, how long a file is, and that no file is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Words that have no place in pure modules, with what to do instead.
const IMPURE: &[(&str, &str)] = &[
    ("async fn", "the engine is called, it never waits"),
    (".await", "the engine is called, it never waits"),
    ("SystemTime", "time comes in with the input"),
    ("Timestamp::now", "time comes in with the input"),
    ("Zoned::now", "time comes in with the input"),
    ("Instant::now", "time comes in with the input"),
    ("std::env", "settings are read by `settings`"),
    ("std::fs", "files are read by `runtime::forms`"),
    ("std::net::Tcp", "the network belongs to ports and adapters"),
    ("ToSocketAddrs", "the network belongs to ports and adapters"),
    ("tokio", "the engine is called, it never waits"),
    ("getrandom", "random bits come in with the input"),
    ("HashMap", "a BTreeMap has the same order in every run"),
    ("HashSet", "a BTreeSet has the same order in every run"),
];

/// The longest a source file may be, tests not counted. At 150 lines look twice.
const MAX_LINES: usize = 400;

#[test]
fn modules_import_only_what_the_table_allows() {
    let imports = imports();
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let Some(module) = module_of(&path) else { continue };
        let allowed = imports.get(&module).unwrap_or_else(|| panic!("{module} is not in the table of src/README.md"));
        for (no, line) in code(&text).lines().enumerate() {
            for named in line.split("crate::").skip(1) {
                let named: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if imports.contains_key(&named) && named != module && !allowed.contains(&named) {
                    wrong.push(format!("{}:{}: {module} may not import {named}", path.display(), no + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_imports_names_modules_that_are_there() {
    let modules: BTreeSet<String> = sources("src").iter().filter_map(|(path, _)| module_of(path)).collect();
    let imports = imports();
    assert_eq!(imports.keys().cloned().collect::<BTreeSet<_>>(), modules);
    for (module, allowed) in &imports {
        assert!(allowed.is_subset(&modules), "{module} may use something that is not there: {allowed:?}");
    }
}

#[test]
fn adapters_know_no_engine_and_the_engine_knows_no_adapter() {
    for (path, text) in sources("adapters") {
        assert!(!code(&text).contains("formwright::"), "{} reaches into the product", path.display());
    }
    for (path, text) in sources("src") {
        if path != Path::new("src/main.rs") && path != Path::new("src/platforms.rs") {
            for adapter in ["formwright_web", "formwright_terminal"] {
                assert!(
                    !code(&text).contains(adapter),
                    "{} names a platform: only main.rs and platforms.rs may",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn form_and_engine_are_pure() {
    let mut wrong = Vec::new();
    for folder in ["src/form", "src/engine"] {
        for (path, text) in sources(folder) {
            for (no, line) in code(&text).lines().enumerate() {
                for (word, instead) in IMPURE.iter().filter(|(word, _)| line.contains(word)) {
                    wrong.push(format!("{}:{}: {word}: {instead}", path.display(), no + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short_enough_to_have_one_job() {
    let long: Vec<String> = ["src", "adapters", "tests", "benches"]
        .into_iter()
        .flat_map(sources)
        .filter_map(|(path, text)| {
            let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").count();
            (lines > MAX_LINES).then(|| format!("{}: {lines} lines before its tests", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn no_test_file_is_forgotten() {
    let main = std::fs::read_to_string("tests/main.rs").unwrap();
    for entry in std::fs::read_dir("tests").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|ending| ending == "rs") && name != "main" {
            assert!(main.contains(&format!("mod {name};")), "tests/main.rs does not name {name}");
        }
    }
}

/// Which modules of this crate each module may name, from the table in `src/README.md`. `chat` is everybody's.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let readme = std::fs::read_to_string("src/README.md").unwrap();
    let (_, section) = readme.split_once("\n# Who may import whom\n").unwrap();
    let section = section.split("\n# ").next().unwrap();
    let row = |line: &str| {
        let mut names = line.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((names.next()?, names.collect()))
    };
    section.lines().filter(|line| line.starts_with("| `")).filter_map(row).collect()
}

/// All Rust files below a folder.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test(&path) {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// The part of a file that is shipped: neither comments nor the tests at its end.
fn code(text: &str) -> String {
    let shipped = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    shipped.map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

/// The top module a file belongs to; none for the crate's root and the binary.
fn module_of(path: &Path) -> Option<String> {
    let mut parts = path.components().skip(1);
    let first = parts.next()?.as_os_str().to_str()?.to_owned();
    let module = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
    (!matches!(
        module.as_str(),
        "lib" | "main" | "models" | "observe" | "outgoing" | "platforms" | "reading" | "reloading" | "stores"
    ))
    .then_some(module)
}

/// Files of tests inside the crates.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "tests.rs" || name == "testing.rs"
}
