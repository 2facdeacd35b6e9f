//! Form files: TOML, YAML and JSON, read through one table of keys into a [`Form`], with every problem of the file.
//!
//! Deliberately absent: files. Text comes in; a form and problems come out.

mod check;
mod codes;
mod json;
mod keys;
mod lower;
mod moment;
mod names;
mod node;
mod reference;
mod schema;
mod shape;
mod submission;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use std::collections::BTreeMap;
use std::ops::Range;

pub use codes::CODES;
pub use reference::reference;
pub use schema::json_schema;
pub use submission::submission_schema;

use super::problem::{Problem, has_errors};
use super::{Form, FormId};

/// How a form file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `.toml`
    Toml,
    /// `.yaml`, `.yml`
    Yaml,
    /// `.json`
    Json,
}

impl Syntax {
    /// The syntax of a file, by its name's ending; `None` for what is no form file.
    #[must_use]
    pub fn of(file_name: &str) -> Option<Self> {
        let (_, ending) = file_name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
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

/// Loads a form file and reports all its problems.
#[must_use]
pub fn load(text: &str, syntax: Syntax) -> Loaded {
    let mut problems = Vec::new();
    if text.len() > MAX_BYTES {
        let problem = Problem::error("form::too_large", format!("a form file has at most {MAX_BYTES} bytes"));
        problems.push(problem.at(0..0, "this one is larger").help("make several forms of it"));
        return Loaded { form: None, problems, id: None };
    }
    let mut root = match syntax {
        Syntax::Toml => toml::read(text, &mut problems),
        Syntax::Yaml => yaml::read(text, &mut problems),
        Syntax::Json => json::read(text, &mut problems),
    };
    if problems.iter().any(|problem| problem.code == "form::syntax") {
        return Loaded { form: None, problems, id: None };
    }
    root.drop_repeated(&mut problems);
    check::table(&root, &keys::FORM, &mut problems);
    let (form, found) = lower::form(&root, text);
    problems.extend(found);
    let form = form.filter(|_| !has_errors(&problems));
    let id = root.at("id").and_then(|id| Some((FormId::new(id.text()?), id.span.clone())));
    Loaded { form, problems, id }
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
