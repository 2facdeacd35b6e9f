//! Something wrong in a form file: a code, a place and what to do about it.

mod render;

use std::fmt;
use std::ops::Range;

pub use render::{Look, render};

/// Where something stands in its file, in bytes. All places look alike in `{:?}`, as forms do that say the same.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Place(pub Range<usize>);

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Place")
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The form does not load.
    Error,
    /// The form loads; the author should look.
    Warning,
}

/// A problem in a form file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Stable, documented: `form::unknown_key`, `logic::cycle`.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong, a sentence without full stop.
    pub message: String,
    /// What to change.
    pub help: Option<String>,
    /// Byte ranges in the file, the main one first, each with a label.
    pub spans: Vec<(Range<usize>, String)>,
}

impl Problem {
    /// A problem that keeps the form from loading.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, message: message.into(), help: None, spans: Vec::new() }
    }

    /// A problem that the author should look at.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Adds a place, with what is there.
    #[must_use]
    pub fn at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.spans.push((span, label.into()));
        self
    }

    /// Says what to change.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds "did you mean …" for a name that is near one of those known; says `or_else` where none is near.
    #[must_use]
    pub fn did_you_mean<'a>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        or_else: impl Into<String>,
    ) -> Self {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.help(or_else),
        }
    }
}

/// Problems in the order they were found.
pub type Problems = Vec<Problem>;

/// The known name that a misspelt one most likely means; `None` where none is near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.to_lowercase().replace(['-', ' '], "_");
    let wanted = plain(name);
    let allowed = (wanted.chars().count() / 3).clamp(1, 4);
    known
        .into_iter()
        .map(|candidate| {
            let candidate_plain = plain(candidate);
            let inside = wanted.len() >= 4
                && (candidate_plain.starts_with(&wanted)
                    || wanted.starts_with(&candidate_plain) && candidate_plain.len() >= 4);
            let distance = strsim::osa_distance(&wanted, &candidate_plain);
            (if inside { distance.min(1) } else { distance }, candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether any of the problems keeps the form from loading.
#[must_use]
pub fn has_errors(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}
