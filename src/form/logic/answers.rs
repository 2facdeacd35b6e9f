//! What an expression sees, and what it gives.

use std::collections::BTreeMap;

use formwright_values::{Path, Value};

use super::datum::Datum;

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A value, as JSON (`FieldKind::accept` makes it canonical): dates as ISO 8601, durations as seconds.
    Known(serde_json::Value),
    /// An answer it needs is missing.
    Unknown,
    /// It failed on these values (division by zero, overflow): for the log, with the expression.
    Failed(String),
}

/// Read access to the answers, by path: what an expression sees.
pub trait Answers {
    /// The value of a leaf field.
    fn value(&self, path: &Path) -> Option<&Value>;
    /// Number of items of a list; none where the list was never begun.
    fn list_len(&self, path: &Path) -> Option<u32>;
    /// Whether a field has no answer for good: it is hidden, or the person left it out. Said of it in values that are
    /// worked out; elsewhere an answer that is not there is unknown.
    fn is_left_out(&self, path: &Path) -> bool {
        let _ = path;
        false
    }
}

/// Extra variables of an evaluation: `value` in checks, `row` and the parameters in tools.
#[derive(Clone, Debug, Default)]
pub struct Extra<'a>(BTreeMap<&'a str, Datum>);

impl<'a> Extra<'a> {
    /// No variables.
    pub fn none() -> Self {
        Self::default()
    }

    /// The variable `value` of a check: the answer being checked.
    pub fn value(value: &Value) -> Self {
        Self::none().with("value", value)
    }

    /// One more variable.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: impl Into<Datum>) -> Self {
        self.0.insert(name, value.into());
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&Datum> {
        self.0.get(name)
    }
}
