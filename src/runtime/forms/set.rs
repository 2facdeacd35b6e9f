//! Forms, and how they were read. Which of them count after a reload is decided in `mod.rs` (`replace`).

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::switches::Off;
use formwright_form::problem::{Problem, has_errors};
use formwright_form::{Catalog, File, Form, FormId, Text};
use formwright_load::Loaded;

/// A form file with everything that is wrong with it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    pub source: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// The form's id; none where it does not load.
    pub form: Option<FormId>,
}

/// Forms and how they were read.
#[derive(Clone, Debug, Default)]
pub struct FormSet {
    /// The documents that forms name.
    pub documents: BTreeSet<PathBuf>,
    /// The forms that loaded.
    pub catalog: Catalog,
    /// Every file, in the order of names.
    pub files: Vec<Checked>,
    /// Ids that several files have. Which of them is meant cannot be told: the first is in the catalog.
    pub contested: BTreeSet<FormId>,
}

impl FormSet {
    pub(super) fn add(&mut self, path: PathBuf, source: String, loaded: Loaded) {
        let mut problems = loaded.problems;
        let id = loaded.form.as_ref().map(|form| form.id.clone());
        let taken = id.as_ref().and_then(|id| self.files.iter().find(|file| file.form.as_ref() == Some(id)));
        if let Some(other) = taken {
            let message = format!("the id of this form is also the id of {}", other.path.display());
            let problem = Problem::error("form::duplicate_form", message).help("give one of them another id");
            let place = loaded.id.map_or(0..0, |(_, place)| place);
            problems.push(problem.at(place, "this id is taken"));
            self.contested.extend(id.clone());
        } else if let Some(form) = loaded.form {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let file = Some(Arc::new(File { name, text: source.as_str().into() }));
            self.catalog.insert(Form { file, ..form });
        }
        let form = id.filter(|_| !has_errors(&problems));
        self.files.push(Checked { path, source, problems, form });
    }

    /// Takes off the forms that cannot be served here, for the reason given; gives the reasons, by form.
    pub fn refuse(&mut self, unfit: impl Fn(&Form) -> Option<String>) -> Vec<(FormId, String)> {
        let reasons = self.catalog.forms().filter_map(|form| Some((form.id.clone(), unfit(form)?)));
        let reasons: Vec<(FormId, String)> = reasons.collect();
        for (id, _) in &reasons {
            self.catalog.remove(id);
            self.files.iter_mut().filter(|file| file.form.as_ref() == Some(id)).for_each(|file| file.form = None);
        }
        reasons
    }

    /// Takes off what is switched off; who asks for it is told so.
    pub fn switch_off(&mut self, off: &Off) {
        for (id, words) in off {
            let Some(form) = self.catalog.form(id).cloned() else { continue };
            self.catalog.forget(id);
            let mut form = Arc::unwrap_or_clone(form);
            form.messages.extend(words.as_deref().map(|words| ("form_disabled".to_owned(), Text::one(words))));
            self.catalog.insert(Form { enabled: false, ..form });
        }
    }

    /// Whether any file has errors.
    pub fn has_errors(&self) -> bool {
        self.files.iter().any(|file| has_errors(&file.problems))
    }
}
