//! Something wrong in a form file: a code, a place and what to do about it.

use std::ops::Range;

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
