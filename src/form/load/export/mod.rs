//! Writes forms in other syntaxes, with a list of what the other one has no place for.
//!
//! Every reader gives the same tree of keys and every writer takes it: whatever can be read can be written.

mod cell;
mod json;
mod json_schema;
pub(super) mod lost;
mod markdown;
mod notes;
mod repair;
mod rows;
mod toml;
mod yaml;

use formwright_form::Form;
use formwright_form::problem::{Problem, Problems, has_errors};

use self::notes::Notes;
pub(super) use self::repair::marked as unshown;
use super::builders::Builder;
use super::keys::FORM;
use super::lost::Lost;
use super::node::Node;
use super::{MAX_BYTES, Syntax, check, desugar, json_schema as from_schema, lower, read, xls};

/// How a file is written that is to be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// As a form file.
    Form(Syntax),
    /// As a JSON Schema of what is to be filled in.
    JsonSchema,
    /// As an XLSForm, made text by [`super::workbook`].
    XlsForm,
    /// As the document of a form builder.
    Built(Builder),
}

/// What a form is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A form file.
    Form(Syntax),
    /// A JSON Schema of what is to be filled in.
    JsonSchema,
    /// An XLSForm: a workbook.
    XlsForm,
}

/// A form in another syntax.
#[derive(Debug)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it has no place for, in the order of the form.
    pub lost: Vec<Lost>,
    /// What was warned of in the file that was read.
    pub warnings: Vec<Problem>,
}

/// Writes a form in another syntax. `name` is what a form is called that has no name of its own, as a JSON Schema may lack
/// one.
///
/// # Errors
/// The problems of a form that does not load: what is broken is mended before it is converted.
pub fn convert(text: &str, from: Source, to: Target, name: &str) -> Result<Written, Vec<Problem>> {
    convert_with(text, None, from, to, name)
}

/// As [`convert`], with the UI schema that stands beside a JSON Schema: titles, help, order and what is shown when. Other
/// sources have none, and it is not read.
///
/// # Errors
/// As [`convert`], and where the UI schema is no JSON.
pub fn convert_with(
    text: &str,
    ui: Option<&str>,
    from: Source,
    to: Target,
    name: &str,
) -> Result<Written, Vec<Problem>> {
    let mut problems = Problems::new();
    let mut lost = Vec::new();
    let mut ledger = None;
    let mut root = match from {
        Source::Form(syntax) => read(text, syntax, &mut problems),
        Source::JsonSchema => from_schema::read(text, ui, name, &mut lost, &mut problems),
        Source::Built(builder) => builder.read(text, name, &mut lost, &mut problems),
        Source::XlsForm => {
            let (root, account) = xls::read(text, name, &mut lost, &mut problems);
            ledger = Some(account);
            root
        }
    };
    if has_errors(&problems) {
        return Err(problems);
    }
    root.drop_repeated(&mut problems);
    let (mut form, mut found) = made(&root, text);
    let imported = !matches!(from, Source::Form(_));
    // What does not load of a translation was not meant so by its author.
    for times in (0..).take_while(|_| imported) {
        let out = repair::take_out(&mut root, &found, times);
        if out.is_empty() {
            break;
        }
        lost.extend(out);
        (form, found) = made(&root, text);
    }
    problems.extend(found);
    let Some(form) = form.filter(|_| !has_errors(&problems)) else { return Err(problems) };
    match ledger {
        Some(ledger) => ledger.close(text, &root, &mut lost),
        None => notes::number_lines(text, &mut lost),
    }
    lost.extend(comments(text, from));
    let bytes = match to {
        Target::Form(syntax) => {
            let document = if syntax == Syntax::Markdown { markdown::write(&root, &mut lost) } else { String::new() };
            let noted = |notes: Notes| match syntax {
                Syntax::Toml => toml::write(&root, notes),
                Syntax::Yaml => notes.in_yaml(&root, &yaml::write(&root)),
                Syntax::Json => json::write(&root),
                Syntax::Markdown => notes.in_markdown(&document),
            };
            let mut written = noted(Notes::of(if imported { &lost } else { &[] }));
            // A form that is too large with its notes is better than none.
            if imported && written.len() > MAX_BYTES {
                written = noted(Notes::counted(lost.len()));
            }
            if imported && written.len() > MAX_BYTES {
                let problem = Problem::error("form::too_large", format!("its form has more than {MAX_BYTES} bytes"));
                return Err(vec![problem.help("make several files of it")]);
            }
            written.into_bytes()
        }
        Target::JsonSchema => json_schema::write(&whole(&root), &form, &mut lost).into_bytes(),
        Target::XlsForm => match xls::closed(&xls::write(&whole(&root), &mut lost)) {
            Ok(bytes) => bytes,
            Err(why) => {
                return Err(vec![Problem::error("form::too_large", format!("a workbook cannot hold it: {why}"))]);
            }
        },
    };
    Ok(Written { bytes, lost, warnings: problems })
}

/// The form of a tree, with everything that is wrong with it.
fn made(root: &Node, text: &str) -> (Option<Form>, Problems) {
    // Params that the person is asked for are written as they were, and read as fields.
    let read = whole(root);
    let mut problems = Problems::new();
    check::table(&read, &FORM, &mut problems);
    let (form, found) = lower::form(&read, text);
    problems.extend(found);
    (form, problems)
}

/// A form with the params of its tools as fields.
fn whole(root: &Node) -> Node {
    let mut whole = root.clone();
    desugar::params(&mut whole);
    whole
}

/// Comments are for people who read the file that was written before.
fn comments(text: &str, from: Source) -> Option<Lost> {
    let commented = match from {
        Source::Form(Syntax::Toml | Syntax::Yaml) => text
            .lines()
            .any(|line| line.trim_start().strip_prefix('#').is_some_and(|rest| !rest.starts_with(":schema"))),
        Source::Form(Syntax::Markdown) => text.lines().any(|line| line.starts_with("> ") || line.starts_with("<!--")),
        Source::Form(Syntax::Json) | Source::JsonSchema | Source::XlsForm | Source::Built(_) => false,
    };
    commented.then(|| Lost::new("the file", "comments"))
}
