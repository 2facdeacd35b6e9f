//! How well labelled messages are to be understood at least.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::cli::Failure;

/// The least that is right of a file, in percent.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Floor {
    /// Exact messages, at least.
    exact: f64,
    /// Wrong and spurious values of those given, at most.
    wrong: f64,
}

impl Floor {
    /// What is said of a file that was understood worse: `(exact, wrong)` are its figures.
    pub(super) fn missed(&self, name: &str, (exact, wrong): (f64, f64)) -> Option<String> {
        let fine = exact >= self.exact && wrong <= self.wrong;
        (!fine).then(|| {
            format!(
                "{name}: {exact:.1} % of messages exact and {wrong:.1} % of values wrong or spurious; the floor is {:.1} % and {:.1} %",
                self.exact, self.wrong
            )
        })
    }
}

/// The floors of a file, by the names of what they are for.
pub(super) fn read(file: &Path) -> Result<BTreeMap<String, Floor>, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Asked(format!("{} cannot be read: {error}", file.display())))?;
    toml::from_str(&text).map_err(|error| Failure::Asked(format!("{}: {error}", file.display())))
}

/// What a file is called: as the floors call it ("corpus/dev"), or by its name without ending.
pub(super) fn name_of(file: &Path, floors: &BTreeMap<String, Floor>) -> String {
    let whole = file.with_extension("");
    let known = floors.keys().filter(|name| whole.ends_with(name)).max_by_key(|name| name.len());
    let stem = || file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    known.cloned().unwrap_or_else(stem)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::as_good((80.0, 5.0), true)]
    #[case::fewer_right((79.9, 5.0), false)]
    #[case::more_wrong((90.0, 5.1), false)]
    fn a_file_is_held_to_both_figures(#[case] figures: (f64, f64), #[case] fine: bool) {
        let floor = Floor { exact: 80.0, wrong: 5.0 };
        assert_eq!(floor.missed("it", figures).is_none(), fine);
    }

    #[rstest]
    #[case("tests/extraction/corpus/dev.jsonl", "corpus/dev")]
    #[case("elsewhere/dev.jsonl", "dev")]
    fn a_file_is_called_as_the_floors_call_it(#[case] file: &str, #[case] name: &str) {
        let floors = BTreeMap::from([("corpus/dev".to_owned(), Floor { exact: 1.0, wrong: 1.0 })]);
        assert_eq!(name_of(Path::new(file), &floors), name);
    }
}
