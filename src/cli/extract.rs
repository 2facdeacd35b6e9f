//! `formwright extract`: labelled messages, what is understood of them without a model, and how much of that is right.

mod case;
mod confusion;
mod fit;
mod floors;
mod forms;
#[cfg(test)]
mod properties;
mod score;
#[cfg(test)]
mod services;
mod weighed;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use self::case::{Case, Given};
use super::{Failure, print};

/// What is to be measured.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Extract {
    /// Prints what is understood of each case of a file (JSON Lines): `{"id": …, "values": {field: value}}`, a line each. A
    /// case that cannot be read has no values and an `error`; the others are read all the same, and the run fails.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["score", "fit", "weighed"], conflicts_with = "score")]
    cases: Option<PathBuf>,
    /// Prints how much of it is right: whole messages, precision, recall and F1, by stratum. Of several files each is
    /// measured by itself, and their mean is told.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    score: Vec<PathBuf>,
    /// Prints the weights that fit the messages of these files: `src/nlu/fill/weights.toml` is made by it.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["cases", "score"])]
    fit: Vec<PathBuf>,
    /// Files that weights are fitted on besides, without what the steps before the weights made of their messages: they were
    /// written for these.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "fit")]
    unaided: Vec<PathBuf>,
    /// Prints what each field of each case could be filled with, and what weighs for and against that.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "score", "fit"])]
    weighed: Option<PathBuf>,
    /// Also prints what became of the values, by stratum and kind: right, another value, given to another field, nothing.
    #[arg(long, requires = "score", conflicts_with = "cases")]
    confusion: bool,
    /// Fails where a file is understood worse than this file says (TOML: the file's name without ending, `exact` at least
    /// and `wrong` at most, in percent).
    #[arg(long, value_name = "FILE", requires = "score", conflicts_with = "cases")]
    floors: Option<PathBuf>,
    /// Also prints so many of the messages that are not right.
    #[arg(long, value_name = "COUNT", requires = "score", conflicts_with = "cases", default_value_t = 0)]
    wrong: usize,
}

/// Reads the cases, and prints.
///
/// # Errors
/// [`Failure::Asked`] where a file cannot be read or a case in it is none, and where one is below its floor. Predictions of the
/// other cases are printed before.
pub fn run(what: &Extract) -> Result<(), Failure> {
    let floors = what.floors.as_deref().map(floors::read).transpose()?.unwrap_or_default();
    let mut below = Vec::new();
    if let Some(file) = &what.cases {
        return predict(file);
    }
    if let Some(file) = &what.weighed {
        return weighed::print_all(file);
    }
    if !what.fit.is_empty() {
        return print(&fit::table(&what.fit, &what.unaided)?);
    }
    let mut unmeasured: Vec<&String> = floors.keys().collect();
    let mut exact = 0.0;
    for file in &what.score {
        let pairs = all_understood(file)?;
        exact += score::shares(&pairs).0;
        let name = floors::name_of(file, &floors);
        unmeasured.retain(|floor| **floor != name);
        print(&score::table(&name, &pairs))?;
        if what.confusion {
            print(&confusion::table(&pairs))?;
        }
        match floors.get(&name) {
            Some(floor) => below.extend(floor.missed(&name, score::shares(&pairs))),
            None if what.floors.is_some() => below.push(format!("{name}: the file of floors has none for it")),
            None => {}
        }
        let missed = pairs.iter().filter(|(case, given)| !score::is_exact(case, given)).take(what.wrong);
        for (case, given) in missed {
            let (wanted, got) = (json!(case.expect), json!(given.values));
            let asked = case.pending_field.as_deref().unwrap_or("nothing");
            print(&format!("{} {:?}, asked: {asked}\n  wanted {wanted}\n  got    {got}\n", case.id, case.message))?;
        }
    }
    if let (files @ 2.., Ok(count)) = (what.score.len(), u32::try_from(what.score.len())) {
        print(&format!("mean of {files} files: {:.1} % of the messages exact\n", exact / f64::from(count)))?;
    }
    print(&not_measured(&unmeasured))?;
    if below.is_empty() { Ok(()) } else { Err(Failure::Asked(below.join("\n"))) }
}

/// Prints a prediction a case.
fn predict(file: &Path) -> Result<(), Failure> {
    let (mut out, mut bad) = (String::new(), Vec::new());
    for line in understood(file)? {
        let prediction = match line {
            Ok((case, given)) => json!({ "id": case.id, "values": given.values }),
            Err(Unread { id, why }) => {
                let prediction = json!({ "id": id, "values": {}, "error": why });
                bad.push(why);
                prediction
            }
        };
        let _ = writeln!(out, "{prediction}");
    }
    print(&out)?;
    if bad.is_empty() { Ok(()) } else { Err(Failure::Asked(bad.join("\n"))) }
}

/// Tells which files have a floor and were not given.
fn not_measured(names: &[&String]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("not measured, though they have a floor: {}\n", names.join(", "))
    }
}

/// What a file of labelled messages is, for who gives another.
const SHAPE: &str =
    "Each line is a JSON object with `id`, `form`, `message`, `now` and what else tests/extraction/README.md tells.";

/// What a file of services is.
const SERVICE: &str = "That line is a service for the property tests; labelled messages are in files like tests/extraction/messages.jsonl.";

/// Whether a line is a service (`services.jsonl`) and no labelled message.
fn is_service(line: &str) -> bool {
    serde_json::from_str::<Json>(line).is_ok_and(|line| line.get("clauses").is_some())
}

impl From<Unread> for Failure {
    fn from(unread: Unread) -> Self {
        Self::Asked(unread.why)
    }
}

type Understood = (Case, Given);

/// A line of a file that is no case.
#[derive(Debug)]
struct Unread {
    /// Its `id`, where it has one.
    id: Json,
    why: String,
}

/// The number of a line, counted from 1, and the case in it.
type Line = (usize, Result<Case, Unread>);

/// The cases of a file, each with the number of its line.
fn lines(file: &Path) -> Result<Vec<Line>, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Asked(format!("{} cannot be read: {error}", file.display())))?;
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let forms = forms::Forms::beside(file).map_err(Failure::Asked)?;
    let case = |line: &str| {
        let mut case: Json = serde_json::from_str(line).map_err(|error| error.to_string())?;
        forms.put_into(&mut case)?;
        serde_json::from_value::<Case>(case).map_err(|error| error.to_string())
    };
    let read = |(no, line): (usize, &str)| {
        let case = case(line).map_err(|error| {
            let shape = if is_service(line) { SERVICE } else { SHAPE };
            let id = serde_json::from_str::<Json>(line).ok().and_then(|line| line.get("id").cloned());
            Unread { id: id.unwrap_or_default(), why: format!("{}, line {}: {error}. {shape}", file.display(), no + 1) }
        });
        (no + 1, case)
    };
    let all: Vec<_> = lines.map(read).collect();
    if all.is_empty() {
        return Err(Failure::Asked(format!("{} holds no labelled messages. {SHAPE}", file.display())));
    }
    Ok(all)
}

/// What is understood of each case of a file.
fn understood(file: &Path) -> Result<Vec<Result<Understood, Unread>>, Failure> {
    let mut reader = case::Reader::default();
    let given = |(no, case): Line| {
        let case = case?;
        let unread =
            |why| Unread { id: Json::from(case.id.clone()), why: format!("{}, line {no}: {why}", file.display()) };
        let given = reader.given(&case).map_err(unread)?;
        Ok((case, given))
    };
    Ok(lines(file)?.into_iter().map(given).collect())
}

/// The same, where every case is to be measured.
fn all_understood(file: &Path) -> Result<Vec<Understood>, Failure> {
    let (mut all, mut bad) = (Vec::new(), Vec::new());
    for line in understood(file)? {
        match line {
            Ok(pair) => all.push(pair),
            Err(unread) => bad.push(unread.why),
        }
    }
    if bad.is_empty() { Ok(all) } else { Err(Failure::Asked(bad.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Messages in `tests/extraction/messages.jsonl` that are not understood yet.
    const NOT_YET: &[&str] = &[
        "book a tapas bar in Brixham for two at 7pm",
        "I want a table at a bistro that serves lebanese food",
        "aino, and we are 5 now",
        "aino korhonen 44172",
    ];

    /// A folder of labelled messages that may not be here, such as published collections.
    const FOLDER: &str = "FORMWRIGHT_LABELLED_MESSAGES";

    #[test]
    fn labelled_messages_are_understood_no_worse_than_before() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction");
        let floors = floors::read(&own.join("floors.toml")).unwrap_or_else(|failure| panic!("{failure:?}"));
        let folder = std::env::var_os(FOLDER).map(PathBuf::from);
        let (mut below, mut unmeasured) = (Vec::new(), Vec::new());
        for (name, floor) in &floors {
            let here = std::iter::once(&own).chain(&folder).map(|folder| folder.join(format!("{name}.jsonl")));
            // Published collections are not ours to keep: they are measured where the folder is told.
            let Some(file) = here.into_iter().find(|file| file.exists()) else {
                unmeasured.push(name);
                continue;
            };
            let pairs = all_understood(&file).unwrap_or_else(|failure| panic!("{failure:?}"));
            below.extend(floor.missed(name, score::shares(&pairs)));
        }
        // Whoever names the folder wants all of it measured.
        assert!(folder.is_none() || unmeasured.is_empty(), "{FOLDER}: {}", not_measured(&unmeasured));
        print(&not_measured(&unmeasured)).unwrap();
        assert!(below.is_empty(), "{}", below.join("\n"));
    }

    #[test]
    fn the_weights_are_those_that_fit_the_corpus() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = own.join("tests/extraction");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder.join("public")).unwrap().map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
        files.push(folder.join("corpus/fit.jsonl"));
        files.sort_unstable();
        let fitted =
            fit::table(&files, &[folder.join("messages.jsonl")]).unwrap_or_else(|failure| panic!("{failure:?}"));
        let kept = std::fs::read_to_string(own.join("src/nlu/fill/weights.toml")).unwrap();
        // What the last digits of sums do may turn a row over, and no more.
        let (fitted, kept): (Vec<&str>, Vec<&str>) = (fitted.lines().collect(), kept.lines().collect());
        let changed = fitted.iter().filter(|row| !kept.contains(row)).count();
        assert!(
            changed * 100 <= kept.len(),
            "{changed} rows differ: run `formwright extract --fit` as README.md tells"
        );
    }

    #[test]
    fn floors_of_files_that_were_not_given_are_told() {
        let (one, two) = ("sgd".to_owned(), "names".to_owned());
        assert_eq!(not_measured(&[&one, &two]), "not measured, though they have a floor: sgd, names\n");
        assert_eq!(not_measured(&[]), "");
    }

    #[rstest]
    #[case::nothing("", "holds no labelled messages. Each line is a JSON object with `id`")]
    #[case::empty_lines("\n\n", "holds no labelled messages")]
    #[case::no_object("hello", "line 1: expected value")]
    #[case::no_id(r#"{"message": "hello"}"#, "missing field `id`")]
    #[case::a_service(include_str!("../../tests/extraction/services.jsonl"), "is a service for the property tests")]
    fn a_file_of_anything_else_is_told_what_is_wanted(#[case] text: &str, #[case] told: &str) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let score = Extract { score: vec![file.path().to_owned()], ..Extract::default() };
        let Err(Failure::Asked(why)) = run(&score) else { panic!("it is measured") };
        assert!(why.contains(told), "{why}");
    }

    #[test]
    fn a_line_is_told_by_its_number_in_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let form =
            r#""form": {"fields": [{"id": "n", "type": "integer", "label": "n"}]}, "now": "2026-11-21T10:00:00Z""#;
        let case = format!(r#"{{"id": "1", "message": "4", "pending_field": "m", {form}}}"#);
        std::fs::write(file.path(), format!("\n\n{case}\n")).unwrap();
        let read = understood(file.path()).unwrap_or_else(|failure| panic!("{failure:?}"));
        let why: Vec<&str> = read.iter().filter_map(|line| line.as_ref().err()).map(|unread| &*unread.why).collect();
        assert!(matches!(why.as_slice(), [why] if why.ends_with(", line 3: there is no field `m`")), "{why:?}");
    }

    #[test]
    fn a_case_that_is_none_keeps_no_other_from_being_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let form =
            r#""form": {"fields": [{"id": "n", "type": "integer", "label": "n"}]}, "now": "2026-11-21T10:00:00Z""#;
        let case =
            |id: &str, asked: &str| format!(r#"{{"id": "{id}", "message": "4", "pending_field": "{asked}", {form}}}"#);
        std::fs::write(file.path(), [case("1", "n"), case("2", "m"), "[]".to_owned(), case("3", "n")].join("\n"))
            .unwrap();
        let read = understood(file.path()).unwrap_or_else(|failure| panic!("{failure:?}"));
        let told: Vec<String> = read
            .iter()
            .map(|line| match line {
                Ok((case, given)) => format!("{}: {}", case.id, json!(given.values)),
                Err(Unread { id, why }) => format!("{id}: {}", why.split_once(", line ").unwrap().1),
            })
            .collect();
        assert_eq!(told[0], r#"1: {"n":4}"#);
        assert_eq!(told[1], r#""2": 2: there is no field `m`"#);
        assert!(told[2].starts_with("null: 3: invalid length"), "{}", told[2]);
        assert_eq!(told[3], r#"3: {"n":4}"#);
        let predict = Extract { cases: Some(file.path().to_owned()), ..Extract::default() };
        let Err(Failure::Asked(why)) = run(&predict) else { panic!("it is said to be fine") };
        assert_eq!(why.lines().count(), 2, "{why}");
    }

    #[rstest]
    #[case(&["--cases", "a.jsonl"], true)]
    #[case(&["--score", "a.jsonl", "--floors", "floors.toml"], true)]
    #[case(&["--cases", "a.jsonl", "--floors", "floors.toml"], false)]
    #[case(&["--cases", "a.jsonl", "--confusion"], false)]
    #[case(&["--cases", "a.jsonl", "--wrong", "3"], false)]
    #[case(&[], false)]
    fn what_only_scores_have_is_not_asked_of_predictions(#[case] told: &[&str], #[case] fine: bool) {
        #[derive(Debug, clap::Parser)]
        struct Command {
            #[command(flatten)]
            _extract: Extract,
        }
        let told = std::iter::once("extract").chain(told.iter().copied());
        assert_eq!(<Command as clap::Parser>::try_parse_from(told).is_ok(), fine);
    }

    #[test]
    fn messages_of_our_own_are_understood() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction/messages.jsonl");
        let pairs = all_understood(&file).unwrap_or_else(|failure| panic!("{failure:?}"));
        let missed = pairs.iter().filter(|(case, given)| !score::is_exact(case, given));
        let missed: Vec<&str> = missed.map(|(case, _)| case.message.as_str()).collect();
        assert_eq!(missed, NOT_YET);
    }
}
