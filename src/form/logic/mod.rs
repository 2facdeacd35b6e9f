//! Logic in forms: CEL expressions, which fields they read, and what follows from a change.
//!
//! The `cel` crate reads the language; what runs is a compiled form of our own, because a form needs three things that
//! the crate's interpreter does not have: a missing answer is *unknown* (not an error), money adds up exactly (decimals,
//! not doubles), and an evaluation is bounded whatever the author wrote.
//!
//! # Values
//!
//! | field kind | in expressions |
//! |---|---|
//! | text `long_text` email phone url pattern address hidden channel | text |
//! | integer rating | whole number |
//! | number percent | decimal number, mixes with whole numbers; exact |
//! | money | its amount; `currency(field)` gives the code |
//! | `yes_no` | `true` or `false` |
//! | choice | the option's id |
//! | choices | list of ids: `'nuts' in allergies` |
//! | date | date: `date < today`, `informed - injury >= duration('7d')`, `days(informed, injury) >= 7` |
//! | datetime | date and time: `start < now` |
//! | time | text `HH:MM`: `start < '18:00'` |
//! | duration | duration: `stay > duration('2h')` |
//! | `date_range` | `stay.start`, `stay.end` |
//! | person channel | `approver.id`, `approver.name` |
//! | file | list of `{id, name, media_type, bytes}` |
//! | location | `place.lat`, `place.lng`, `place.address`, `place.city`, `place.country` |
//! | list | list of values, or of groups: `sum(items.map(i, i.amount))` |
//! | group | `address.street` |
//!
//! A missing answer is unknown, and so is what is made of it. In values that are worked out, a yes or no that the person
//! left out, or whose field is hidden, is `false` where a condition is needed: `half_day ? 0.5 : 1`.
//!
//! `today` and `now` are the person's. Whole numbers divide without decimals (`7 / 2` is `3`, `7 / 2.0` is `3.5`).
//! [`REFERENCE`] lists the functions.

mod datum;
mod edges;
mod eval;
mod fault;
mod functions;
mod graph;
mod lower;
mod node;
mod ops;
mod parse;
mod sample;
mod scope;
mod verdict;

use std::collections::BTreeMap;

pub use datum::Datum;
pub use fault::{Fault, FaultKind, nearest};
pub use functions::REFERENCE;
pub use graph::{Cycle, Graph};
pub use parse::MAX_SOURCE;
pub use sample::{Samples, Want};
pub use scope::{Names, Scope, Shape};

use formwright_values::{Path, Value};

use super::field::FieldNo;

/// Greatest number of parts of a result.
const MAX_RESULT: u32 = 10_000;

/// An expression as it is written, to be written otherwise; none where it cannot be read.
pub fn syntax(source: &str) -> Option<cel::common::ast::IdedExpr> {
    parse::parse(source).ok().map(|parsed| parsed.root)
}

/// A text as it is written in an expression.
pub fn quoted(words: &str) -> String {
    format!("'{}'", words.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// A compiled CEL expression with the fields it reads.
#[derive(Clone)]
pub struct Expr {
    /// As written.
    pub source: String,
    /// Fields it reads. A list is read by its number of items too; its members only where they are named.
    pub reads: Vec<FieldNo>,
    root: node::Node,
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Expr").field(&self.source).finish()
    }
}

impl Expr {
    /// Compiles an expression for the place that `scope` describes.
    ///
    /// # Errors
    /// Everything that is wrong with it. Never panics, whatever the source.
    pub fn compile(source: &str, scope: &Scope<'_>) -> Result<Self, Vec<Fault>> {
        let parsed = parse::parse(source).map_err(|fault| vec![fault])?;
        let mut lowering = lower::Lowering::new(*scope, parsed.places);
        let root = lowering.whole(&parsed.root);
        if !lowering.faults.is_empty() {
            return Err(lowering.faults);
        }
        Ok(Self { source: source.to_owned(), reads: lowering.reads.into_iter().collect(), root })
    }

    /// Runs the expression. `at` is the path of the field it belongs to, from which list items take their siblings; empty
    /// for expressions of the form itself. `now` is the person's time.
    pub fn eval(&self, at: &Path, answers: &dyn Answers, extra: &Extra<'_>, now: &jiff::Zoned) -> Outcome {
        match eval::Machine::new(at, answers, extra, now).eval(&self.root) {
            Ok(value) => match value.json(&mut MAX_RESULT.clone()) {
                Some(json) => Outcome::Known(json),
                None => Outcome::Failed(format!("{}: the result is too large", self.source)),
            },
            Err(eval::Stop::Unknown) => Outcome::Unknown,
            Err(eval::Stop::Failed(failure)) => Outcome::Failed(format!("{}: {}", self.source, failure.message)),
        }
    }

    /// Runs a condition: none where it is unknown, or fails, or is no condition.
    pub fn holds(&self, at: &Path, answers: &dyn Answers, extra: &Extra<'_>, now: &jiff::Zoned) -> Option<bool> {
        match eval::Machine::new(at, answers, extra, now).eval(&self.root) {
            Ok(Datum::Bool(truth)) => Some(truth),
            Ok(_) | Err(_) => None,
        }
    }
}

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

    fn get(&self, name: &str) -> Option<&Datum> {
        self.0.get(name)
    }
}

#[cfg(test)]
mod tests;
