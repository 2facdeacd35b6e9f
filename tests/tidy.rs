//! The shape of the house, as far as the compiler does not see to it: what is pure, how long a file is, and that no file is
//! forgotten.

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
fn only_two_files_name_a_platform() {
    for (path, text) in sources("src") {
        if path != Path::new("src/main.rs") && path != Path::new("src/platforms.rs") {
            for adapter in ["formwright_web", "formwright_terminal"] {
                assert!(!code(&text).contains(adapter), "{} names a platform", path.display());
            }
        }
    }
}

#[test]
fn form_and_engine_are_pure() {
    let mut wrong = Vec::new();
    for folder in ["src/text", "src/lexicon", "src/values", "src/form", "src/engine"] {
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

/// Files of tests inside the crates.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "tests.rs" || name == "testing.rs"
}
