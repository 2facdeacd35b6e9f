//! `formwright extract`: labelled messages, what is understood of them without a model, and how much of that is right.

mod case;
mod score;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use self::case::Case;
use super::{Failure, print};

/// What is to be measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Extract {
    /// Prints what is understood of each case of a file (JSON Lines): `{"id": …, "values": {field: value}}`, a line each.
    #[arg(long, value_name = "FILE", required_unless_present = "score", conflicts_with = "score")]
    cases: Option<PathBuf>,
    /// Prints how much of it is right: whole messages, precision, recall and F1, by stratum. Of several files each is
    /// measured by itself.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    score: Vec<PathBuf>,
    /// Also prints so many of the messages that are not right.
    #[arg(long, value_name = "COUNT", requires = "score", default_value_t = 0)]
    wrong: usize,
}

/// Reads the cases, and prints.
///
/// # Errors
/// [`Failure::Asked`] where a file cannot be read or a case in it is none.
pub fn run(what: &Extract) -> Result<(), Failure> {
    if let Some(file) = &what.cases {
        let mut out = String::new();
        for (case, values) in understood(file)? {
            let _ = writeln!(out, "{}", json!({ "id": case.id, "values": values }));
        }
        return print(&out);
    }
    for file in &what.score {
        let pairs = understood(file)?;
        let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        print(&score::table(&name, &pairs))?;
        let missed = pairs.iter().filter(|(case, values)| !score::is_exact(case, values)).take(what.wrong);
        for (case, values) in missed {
            let (wanted, got) = (json!(case.expect), json!(values));
            let asked = case.pending_field.as_deref().unwrap_or("nothing");
            print(&format!("{} {:?}, asked: {asked}\n  wanted {wanted}\n  got    {got}\n", case.id, case.message))?;
        }
    }
    Ok(())
}

type Understood = (Case, BTreeMap<String, Json>);

fn understood(file: &Path) -> Result<Vec<Understood>, Failure> {
    let place = |no: usize| format!("{}, line {}", file.display(), no + 1);
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Asked(format!("{} cannot be read: {error}", file.display())))?;
    let mut read = case::Reader::default();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(no, line)| {
            let case: Case =
                serde_json::from_str(line).map_err(|error| Failure::Asked(format!("{}: {error}", place(no))))?;
            let values = read.values(&case).map_err(|why| Failure::Asked(format!("{}: {why}", place(no))))?;
            Ok((case, values))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages in `tests/extraction/messages.jsonl` that are not understood yet.
    const NOT_YET: &[&str] = &[
        "Lisbon to Porto on 4 December, back on the 9th, three business tickets",
        "bergen to oslo",
        "wir sind zu fünft am Freitag um halb acht abends",
        "طاولة لأربعة أشخاص غدا الساعة الثامنة مساء",
        "نحن خمسة يوم الجمعة الساعة التاسعة مساء",
    ];

    #[test]
    fn messages_of_our_own_are_understood() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction/messages.jsonl");
        let pairs = understood(&file).unwrap_or_else(|failure| panic!("{failure:?}"));
        let missed = pairs.iter().filter(|(case, values)| !score::is_exact(case, values));
        let missed: Vec<&str> = missed.map(|(case, _)| case.message.as_str()).collect();
        assert_eq!(missed, NOT_YET);
    }
}
