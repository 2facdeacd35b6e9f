//! The shape of the house, as far as the compiler does not see to it: what is pure, how long a file is, and that no file is
//! forgotten.

#[path = "tidy/circles.rs"]
mod circles;

use std::path::{Path, PathBuf};

use circles::Crate;

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
/// Most source files straight in a folder.
const MAX_FILES: usize = 15;
/// Most files of a crate that name each other in a circle.
const MAX_CIRCLE: usize = 15;
/// Most files in which a type has methods: calls of them are not seen as one file's need of another.
const MAX_IMPLS: usize = 3;
/// Types that have them in more files still: a number here only falls.
const SPREAD: &[(&str, usize)] = &[
    ("Runtime", 25),
    ("Line", 22),
    ("Lower", 18),
    ("Core", 14),
    ("Bot", 9),
    ("Cues", 6),
    ("RedisStore", 6),
    ("Intake", 4),
    ("Writing", 4),
];
/// Reading messages is about to be built anew: a pile of rules that keeps none of these limits.
const TO_BE_REBUILT: &str = "src/nlu";

#[test]
fn only_two_files_name_a_platform() {
    for (path, text) in sources("src") {
        if path != Path::new("src/main.rs") && path != Path::new("src/platforms.rs") {
            for adapter in ["web", "terminal", "slack", "discord", "telegram"].map(|name| format!("formwright_{name}"))
            {
                assert!(!code(&text).contains(&adapter), "{} names a platform", path.display());
            }
        }
    }
}

#[test]
fn form_and_engine_are_pure() {
    let mut wrong = Vec::new();
    for folder in ["src/text", "src/lexicon", "src/values", "src/form", "src/nlu", "src/engine"] {
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
fn folders_are_small_enough_to_look_through() {
    let mut files: std::collections::BTreeMap<PathBuf, usize> = std::collections::BTreeMap::new();
    for (path, _) in ["src", "adapters"].into_iter().flat_map(all_sources) {
        *files.entry(path.parent().unwrap().to_owned()).or_default() += 1;
    }
    files.retain(|folder, files| *files > MAX_FILES && !folder.starts_with(TO_BE_REBUILT));
    assert!(files.is_empty(), "more than {MAX_FILES} files: {files:#?}");
}

#[test]
fn files_hang_on_each_other_in_small_circles_only() {
    let mut wrong = Vec::new();
    for (root, house) in crates() {
        for circle in house.circles().into_iter().filter(|circle| circle.len() > MAX_CIRCLE) {
            wrong.push(format!("{}: {} files: {circle:?}", root.display(), circle.len()));
        }
        for (name, files) in house.methods() {
            let most = SPREAD.iter().find(|(spread, _)| *spread == name).map_or(MAX_IMPLS, |(_, most)| *most);
            if files.len() > most {
                wrong.push(format!("{}: {name} has methods in {files:?}", root.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates of the program, by the folder of their sources.
fn crates() -> Vec<(PathBuf, Crate)> {
    let mut manifests = vec![];
    let mut folders = vec![PathBuf::from("src"), PathBuf::from("adapters")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("Cargo.toml") {
                manifests.push(folder.clone());
            }
        }
    }
    assert!(manifests.len() > 10, "the crates are not found");
    let roots = manifests.into_iter().filter(|root| root != Path::new(TO_BE_REBUILT));
    let roots = roots.map(|root| if root.join("lib.rs").exists() { root } else { root.join("src") });
    roots.map(|root| (root.clone(), read_crate(&root))).collect()
}

/// The files of one crate, without those of crates that lie in its folder.
fn read_crate(root: &Path) -> Crate {
    let mut house = Crate::default();
    let is_another =
        |path: &Path| path.ancestors().skip(1).take_while(|up| *up != root).any(|up| up.join("Cargo.toml").exists());
    for (path, text) in sources(root.to_str().unwrap()).into_iter().filter(|(path, _)| !is_another(path)) {
        house.add(path.strip_prefix(root).unwrap(), &text);
    }
    house
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

/// The Rust files below a folder that are no tests.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    all_sources(folder).into_iter().filter(|(path, _)| !is_test(path)).collect()
}

/// All Rust files below a folder.
fn all_sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
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
    name == "tests.rs" || name == "testing.rs" || path.iter().skip(1).any(|part| part == "tests" || part == "testing")
}
