//! Form files: TOML, YAML and JSON, read through one table of keys into a [`Form`], with every problem of the file.
//!
//! Deliberately absent: files. Text comes in; a form and problems come out.

mod check;
mod json;
mod keys;
mod lower;
mod moment;
mod names;
mod node;
mod shape;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use super::Form;
use super::problem::{Problem, has_errors};

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
}

/// Largest form file in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Loads a form file and reports all its problems.
pub fn load(text: &str, syntax: Syntax) -> Loaded {
    let mut problems = Vec::new();
    if text.len() > MAX_BYTES {
        let problem = Problem::error("form::too_large", format!("a form file has at most {MAX_BYTES} bytes"));
        problems.push(problem.at(0..0, "this one is larger").help("make several forms of it"));
        return Loaded { form: None, problems };
    }
    let mut root = match syntax {
        Syntax::Toml => toml::read(text, &mut problems),
        Syntax::Yaml => yaml::read(text, &mut problems),
        Syntax::Json => json::read(text, &mut problems),
    };
    if problems.iter().any(|problem| problem.code == "form::syntax") {
        return Loaded { form: None, problems };
    }
    root.drop_repeated(&mut problems);
    check::table(&root, &keys::FORM, &mut problems);
    let (form, found) = lower::form(&root, text);
    problems.extend(found);
    let form = form.filter(|_| !has_errors(&problems));
    Loaded { form, problems }
}
