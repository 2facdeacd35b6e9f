//! `formwright convert`: a form in another syntax, and a list of what that one has no place for.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Failure, print};
use crate::form::load::{Builder, ENDINGS, Lost, MAX_BYTES, Source, Syntax, Target, convert_with, workbook};
use crate::form::problem::{Look, Problem, Severity, render};

/// What to convert, and into what.
#[derive(Clone, Debug, Args)]
pub struct Convert {
    /// The file.
    file: PathBuf,
    /// What it becomes; by the ending of the file that is written where it is not said.
    #[arg(long, value_enum, required_unless_present = "out")]
    to: Option<Format>,
    /// How it is written now; by its ending where it is not said. A `.json` file is a JSON Schema or the document of a form
    /// builder where its keywords say so.
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// The UI schema beside a JSON Schema, as react-jsonschema-form or JSON Forms take it: titles, help, order, what is shown
    /// when.
    #[arg(long, value_name = "FILE")]
    ui: Option<PathBuf>,
    /// Where it is written to; standard output where it is not said.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fails where anything is lost, and then writes nothing.
    #[arg(long)]
    strict: bool,
    /// Writes what is lost, with its places in the source, and every error and warning as JSON into this file; `-` is
    /// standard output.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// What `--report` writes.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: &'a str,
    /// Whether the form was written.
    written: bool,
    lost: &'a [Lost],
    errors: Vec<Wrong<'a>>,
    warnings: Vec<Wrong<'a>>,
}

/// An error or warning of the source.
#[derive(Debug, Serialize)]
struct Wrong<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl<'a> Report<'a> {
    fn of(file: &'a str, written: bool, lost: &'a [Lost], problems: &'a [Problem]) -> Self {
        let of = |severity: Severity| {
            let found = problems.iter().filter(|problem| problem.severity == severity);
            let wrong = |problem: &'a Problem| Wrong {
                code: problem.code,
                message: &problem.message,
                help: problem.help.as_deref(),
            };
            found.map(wrong).collect()
        };
        Self { file, written, lost, errors: of(Severity::Error), warnings: of(Severity::Warning) }
    }

    /// Writes it where it was asked for.
    fn write(&self, to: Option<&Path>) -> Result<(), Failure> {
        let Some(to) = to else { return Ok(()) };
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Failure::Undone(format!("the report cannot be written: {error}")))?;
        if to == Path::new("-") {
            return print(&format!("{text}\n"));
        }
        std::fs::write(to, format!("{text}\n"))
            .map_err(|error| Failure::Undone(format!("{} cannot be written: {error}", to.display())))
    }
}

/// How a form is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A form file in TOML.
    Toml,
    /// A form file in YAML.
    Yaml,
    /// A form file in JSON.
    Json,
    /// A form file in Markdown.
    Markdown,
    /// A JSON Schema of what is filled in.
    JsonSchema,
    /// An XLSForm: a workbook (`.xlsx`), as ODK and KoboToolbox take it.
    Xlsform,
    /// The JSON of a `SurveyJS` survey; it is read only.
    Surveyjs,
    /// The JSON of a form of Typeform; it is read only.
    Typeform,
    /// The JSON of a form of the Google Forms API; it is read only.
    GoogleForms,
}

/// Converts a file. What is lost is told on standard error, a line each.
///
/// # Errors
/// [`Failure::Asked`] where the file cannot be read or has errors, or where something is lost and that is not allowed.
pub fn run(what: &Convert) -> Result<(), Failure> {
    let bytes = source(&what.file)?;
    let book = is_workbook(&what.file) && what.from.is_none() || what.from == Some(Format::Xlsform);
    let text = if book {
        workbook(&bytes).map_err(|why| Failure::Asked(format!("{} cannot be read: {why}", what.file.display())))?
    } else {
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::Asked(format!("{} cannot be read: it is no text in UTF-8", what.file.display())))?;
        text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned)
    };
    let from = match what.from {
        _ if book => Source::XlsForm,
        Some(format) => from(format),
        None => guess(&what.file, &text)?,
    };
    let ui = match &what.ui {
        None => None,
        Some(_) if from != Source::JsonSchema => {
            return Err(Failure::Asked("only a JSON Schema has a UI schema (--ui) beside it".to_owned()));
        }
        Some(file) => Some(
            String::from_utf8(source(file)?)
                .map_err(|_| Failure::Asked(format!("{} cannot be read: it is no text in UTF-8", file.display())))?,
        ),
    };
    let to = match (what.to, &what.out) {
        (Some(format), _) => to(format)?,
        (None, Some(out)) if is_workbook(out) => Target::XlsForm,
        (None, Some(out)) => Syntax::of(&out.to_string_lossy()).map(Target::Form).ok_or_else(|| {
            Failure::Asked(format!("say with --to what {} becomes, or end its name with {ENDINGS}", out.display()))
        })?,
        (None, None) => return Err(Failure::Asked("say with --to what it becomes".to_owned())),
    };
    let name = what.file.file_stem().and_then(|name| name.to_str()).unwrap_or("form");
    let look = if std::io::stderr().is_terminal() { Look::Coloured } else { Look::Drawn };
    let shown = what.file.display().to_string();
    let report = what.report.as_deref();
    let written = match convert_with(&text, ui.as_deref(), from, to, name) {
        Ok(written) => written,
        Err(mut problems) => {
            Report::of(&shown, false, &[], &problems).write(report)?;
            problems.retain(|problem| problem.severity == Severity::Error);
            tell(&render(&shown, &text, &problems, look));
            let errors = counted(problems.len(), "error", "errors");
            return Err(Failure::Asked(format!("{shown} has {errors}: mend them first")));
        }
    };
    for lost in &written.lost {
        let places = lost.at.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        let more = if lost.at.len() > SHOWN { ", …" } else { "" };
        let at = if places.is_empty() { String::new() } else { format!(" ({places}{more})") };
        tell(&format!("lost: {lost}{at}\n"));
    }
    let refused = what.strict && !written.lost.is_empty();
    Report::of(&shown, !refused, &written.lost, &written.warnings).write(report)?;
    if refused {
        let things = counted(written.lost.len(), "thing", "things");
        return Err(Failure::Asked(format!("{things} would be lost; nothing was written")));
    }
    match &what.out {
        Some(out) => std::fs::write(out, &written.bytes)
            .map_err(|error| Failure::Undone(format!("{} cannot be written: {error}", out.display())))?,
        None if to == Target::XlsForm => {
            return Err(Failure::Asked("a workbook goes into a file: say with -o which".to_owned()));
        }
        None => print(&String::from_utf8_lossy(&written.bytes))?,
    }
    if !written.warnings.is_empty() {
        let warnings = counted(written.warnings.len(), "warning", "warnings");
        tell(&format!("{warnings}: `formwright check` shows them for the file that was written\n"));
    }
    Ok(())
}

/// How many places of something lost are shown.
const SHOWN: usize = 3;

fn is_workbook(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"))
}

fn source(file: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |why: String| Failure::Asked(format!("{} cannot be read: {why}", file.display()));
    let meta = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?;
    if !meta.is_file() {
        return Err(unreadable("it is no plain file".to_owned()));
    }
    if meta.len() > MAX_BYTES as u64 {
        return Err(unreadable(format!("it has more than {MAX_BYTES} bytes")));
    }
    std::fs::read(file).map_err(|error| unreadable(error.to_string()))
}

/// By the file's ending; JSON by what is in it.
fn guess(file: &Path, text: &str) -> Result<Source, Failure> {
    let Some(syntax) = Syntax::of(&file.to_string_lossy()) else {
        let why = format!("say with --from how {} is written, or end its name with {ENDINGS}", file.display());
        return Err(Failure::Asked(why));
    };
    let value: serde_json::Value = match syntax {
        Syntax::Json => serde_json::from_str(text).unwrap_or_default(),
        Syntax::Toml | Syntax::Yaml | Syntax::Markdown => serde_json::Value::Null,
    };
    let is_form = ["fields", "field", "form_id"].iter().any(|key| value.get(key).is_some());
    let is_schema = ["properties", "$defs", "$ref", "allOf"].iter().any(|key| value.get(key).is_some());
    Ok(match Builder::of(&value) {
        Some(builder) => Source::Built(builder),
        None if is_schema && !is_form => Source::JsonSchema,
        None => Source::Form(syntax),
    })
}

fn from(format: Format) -> Source {
    match format {
        Format::Toml => Source::Form(Syntax::Toml),
        Format::Yaml => Source::Form(Syntax::Yaml),
        Format::Json => Source::Form(Syntax::Json),
        Format::Markdown => Source::Form(Syntax::Markdown),
        Format::JsonSchema => Source::JsonSchema,
        Format::Xlsform => Source::XlsForm,
        Format::Surveyjs => Source::Built(Builder::SurveyJs),
        Format::Typeform => Source::Built(Builder::Typeform),
        Format::GoogleForms => Source::Built(Builder::GoogleForms),
    }
}

fn to(format: Format) -> Result<Target, Failure> {
    Ok(match from(format) {
        Source::Form(syntax) => Target::Form(syntax),
        Source::JsonSchema => Target::JsonSchema,
        Source::XlsForm => Target::XlsForm,
        Source::Built(_) => {
            return Err(Failure::Asked("documents of form builders are read, and not written".to_owned()));
        }
    })
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Writes to standard error, where what is lost is told. Who has closed it does not want to know.
fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str =
        "id = \"a\"\ntitle = \"A\"\n[[field]]\nid = \"x\"\nkind = \"phone\"\nask = [\"Which?\", \"What?\"]\n";

    fn convert_to(to: Format, strict: bool, out: Option<PathBuf>, file: PathBuf) -> Result<(), Failure> {
        run(&Convert { file, to: Some(to), from: None, ui: None, out, strict, report: None })
    }

    #[test]
    fn a_file_is_written_and_what_is_lost_can_forbid_it() {
        let dir = tempfile::tempdir().unwrap();
        let (form, out) = (dir.path().join("a.toml"), dir.path().join("a.md"));
        std::fs::write(&form, FORM).unwrap();
        convert_to(Format::Markdown, true, Some(out.clone()), form.clone()).unwrap();
        assert!(std::fs::read_to_string(&out).unwrap().starts_with("# A\n"));
        let schema = dir.path().join("a.schema.json");
        let refused = convert_to(Format::JsonSchema, true, Some(schema.clone()), form.clone()).unwrap_err();
        assert_eq!(refused.to_string(), "1 thing would be lost; nothing was written");
        assert!(!schema.exists());
        convert_to(Format::JsonSchema, false, Some(schema.clone()), form).unwrap();
        // A schema is known by what is in it.
        convert_to(Format::Toml, false, Some(dir.path().join("b.toml")), schema).unwrap();
        assert!(std::fs::read_to_string(dir.path().join("b.toml")).unwrap().contains("kind = \"phone\""));
    }

    #[test]
    fn the_document_of_a_form_builder_is_known_by_what_is_in_it_and_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let (survey, out) = (dir.path().join("a.json"), dir.path().join("a.toml"));
        std::fs::write(&survey, r#"{ "elements": [{ "type": "comment", "name": "why" }] }"#).unwrap();
        convert_to(Format::Toml, true, Some(out.clone()), survey.clone()).unwrap();
        assert!(std::fs::read_to_string(&out).unwrap().contains("kind = \"long_text\""));
        let refused = convert_to(Format::Surveyjs, false, None, survey).unwrap_err().to_string();
        assert_eq!(refused, "documents of form builders are read, and not written");
    }

    #[test]
    fn a_workbook_is_written_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let (form, book, back) = (dir.path().join("a.toml"), dir.path().join("a.xlsx"), dir.path().join("b.toml"));
        std::fs::write(&form, FORM).unwrap();
        let what = |file: &PathBuf, out: Option<&PathBuf>, to| Convert {
            file: file.clone(),
            to,
            from: None,
            ui: None,
            out: out.cloned(),
            strict: false,
            report: None,
        };
        run(&what(&form, Some(&book), None)).unwrap();
        run(&what(&book, Some(&back), None)).unwrap();
        assert!(std::fs::read_to_string(&back).unwrap().contains("ask = \"Which?\""));
        let refused = run(&what(&form, None, Some(Format::Xlsform))).unwrap_err().to_string();
        assert_eq!(refused, "a workbook goes into a file: say with -o which");
        std::fs::write(&book, "no workbook").unwrap();
        let refused = run(&what(&book, Some(&back), None)).unwrap_err().to_string();
        assert!(refused.contains("a.xlsx cannot be read: it is no workbook"), "{refused}");
    }

    #[test]
    fn a_report_tells_what_is_lost_and_whether_the_form_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let (schema, report) = (dir.path().join("a.json"), dir.path().join("report.json"));
        std::fs::write(&schema, "{\"properties\": {\"a\": {\"type\": \"string\",\n\"odd\": 1}}}").unwrap();
        let convert = |strict: bool, file: &PathBuf| {
            run(&Convert {
                file: file.clone(),
                to: Some(Format::Toml),
                from: None,
                ui: None,
                out: Some(dir.path().join("a.toml")),
                strict,
                report: Some(report.clone()),
            })
        };
        let read = || -> serde_json::Value { serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap() };
        convert(true, &schema).unwrap_err();
        assert_eq!(read()["written"], false);
        convert(false, &schema).unwrap();
        assert_eq!(
            read()["lost"],
            serde_json::json!([{ "place": "property `a`", "what": "`odd`: 1", "at": ["line 2"] }])
        );
        let broken = dir.path().join("b.toml");
        std::fs::write(&broken, "id = \"a\"\n").unwrap();
        convert(false, &broken).unwrap_err();
        assert_eq!(read()["written"], false);
        assert_eq!(read()["errors"][0]["code"], "form::missing_key");
    }

    #[rstest::rstest]
    #[case("a.txt", FORM, "say with --from how")]
    #[case("a.toml", "id = \"a\"\n", ": mend them first")]
    #[case("README.md", "# A\n", "say with --from how")]
    fn what_cannot_be_converted_is_told(#[case] name: &str, #[case] text: &str, #[case] why: &str) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        let refused = convert_to(Format::Json, false, None, file).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}
