//! Form files: TOML, YAML, JSON and Markdown, read through one table of keys into a [`Form`], with every problem of the file.
//!
//! Deliberately absent: files. Text comes in; a form and problems come out.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod advice;
mod builders;
mod check;
mod codes;
mod describe;
mod desugar;
mod export;
mod json_schema;
mod keys;
mod lost;
mod lower;
mod markdown;
mod moment;
mod names;
mod node;
mod numbers;
mod shape;
pub mod sheet;
mod syntax;
#[cfg(test)]
mod tests;
mod xls;

use std::collections::BTreeMap;
use std::ops::Range;

pub use crate::describe::reference::reference;
pub use crate::describe::schema::json_schema;
pub use crate::describe::submission::submission_schema;
pub use builders::Builder;
pub use codes::CODES;
pub use export::{Source, Target, Written, convert, convert_with};
pub use lost::Lost;
pub use moment::length;
pub use xls::opened as workbook;

use formwright_form::Form;
use formwright_form::problem::{Problem, Problems, has_errors};
use formwright_values::FormId;

/// How a form file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `.toml`
    Toml,
    /// `.yaml`, `.yml`
    Yaml,
    /// `.json`
    Json,
    /// `.md`, `.markdown`
    Markdown,
}

/// What a form file's name ends with.
pub const ENDINGS: &str = "`.toml`, `.yaml`, `.yml`, `.json` or `.md`";

impl Syntax {
    /// The syntax of a file, by its name's ending; `None` for what is no form file. A `README.md` is none.
    #[must_use]
    pub fn of(file_name: &str) -> Option<Self> {
        let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
        let (name, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "md" | "markdown" if !name.eq_ignore_ascii_case("readme") => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// What came of a form file.
#[derive(Debug)]
pub struct Loaded {
    /// The form; none where a problem is an error.
    pub form: Option<Form>,
    /// Everything that is wrong with the file, in the order it was found.
    pub problems: Vec<Problem>,
    /// The form's id and where it stands, broken form or not.
    pub id: Option<(FormId, Range<usize>)>,
}

/// Largest form file in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The mark that some editors put before the first letter of a file.
const BOM: char = '\u{feff}';

/// Loads a form file and reports all its problems. A byte order mark before it is passed over.
#[must_use]
pub fn load(text: &str, syntax: Syntax) -> Loaded {
    let Some(marked) = text.strip_prefix(BOM) else { return load_plain(text, syntax) };
    let mut loaded = load_plain(marked, syntax);
    let places = loaded.problems.iter_mut().flat_map(|problem| &mut problem.spans).map(|(span, _)| span);
    for span in places.chain(loaded.id.as_mut().map(|(_, span)| span)) {
        *span = span.start + BOM.len_utf8()..span.end + BOM.len_utf8();
    }
    loaded
}

/// Loads the bytes of a form file, which may be no text at all: gives the text too, with marks for what is no letter.
#[must_use]
pub fn load_bytes(bytes: Vec<u8>, syntax: Syntax) -> (String, Loaded) {
    let error = match String::from_utf8(bytes) {
        Ok(text) => {
            let loaded = load(&text, syntax);
            return (text, loaded);
        }
        Err(error) => error,
    };
    let (at, bytes) = (error.utf8_error().valid_up_to(), error.into_bytes());
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let help = if wide { "this looks like UTF-16: save the file as UTF-8" } else { "save the file as UTF-8" };
    let text = if wide { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
    let end = at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let problem = Problem::error("form::not_utf8", "a form file is text in UTF-8, and this is not");
    let problems = vec![problem.at(at.min(end)..end, "not a letter in UTF-8").help(help)];
    (text, Loaded { form: None, problems, id: None })
}

fn load_plain(text: &str, syntax: Syntax) -> Loaded {
    let mut problems = Vec::new();
    if text.len() > MAX_BYTES {
        let problem = Problem::error("form::too_large", format!("a form file has at most {MAX_BYTES} bytes"));
        problems.push(problem.at(0..0, "this one is larger").help("make several forms of it"));
        return Loaded { form: None, problems, id: None };
    }
    let mut root = read(text, syntax, &mut problems);
    if problems.iter().any(|problem| problem.code == "form::syntax") {
        return Loaded { form: None, problems, id: None };
    }
    root.drop_repeated(&mut problems);
    desugar::params(&mut root);
    check::table(&root, &keys::FORM, &mut problems);
    let (form, found) = lower::form(&root, text);
    problems.extend(found);
    let form = form.filter(|_| !has_errors(&problems));
    let id = root.at("id").and_then(|id| Some((FormId::new(id.text()?), id.span.clone())));
    Loaded { form, problems, id }
}

/// Reads a file as a tree of keys.
fn read(text: &str, syntax: Syntax, problems: &mut Problems) -> node::Node {
    let root = match syntax {
        Syntax::Toml => syntax::toml::read(text, problems),
        Syntax::Yaml => syntax::yaml::read(text, problems),
        Syntax::Json => syntax::json::read(text, problems),
        Syntax::Markdown => markdown::read(text, problems),
    };
    let broken = problems.iter().any(|problem| problem.code == "form::syntax");
    if broken { root } else { markdown::of_formpilot(root, problems) }
}

/// Finds what is wrong between files: two forms of one name. The later file, in the order given, gets the problem and
/// loses its form.
pub fn check_all<'a>(files: impl IntoIterator<Item = (&'a str, &'a mut Loaded)>) {
    let mut seen: BTreeMap<FormId, &str> = BTreeMap::new();
    for (name, loaded) in files {
        let Some((id, span)) = loaded.id.clone() else { continue };
        match seen.get(&id) {
            Some(first) => {
                let problem = Problem::error("form::duplicate_form", format!("`{first}` has a form `{id}` too"))
                    .at(span, "this id is taken")
                    .help("give one of the two forms another id");
                loaded.problems.push(problem);
                loaded.form = None;
            }
            None => drop(seen.insert(id, name)),
        }
    }
}
