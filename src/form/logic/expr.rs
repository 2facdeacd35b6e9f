//! A compiled expression.

use formwright_values::Path;

use super::answers::{Answers, Extra, Outcome};
use super::datum::Datum;
use super::fault::Fault;
use super::scope::Scope;
use super::{eval, lower, node, parse};
use crate::field_no::FieldNo;

/// Greatest number of parts of a result.
pub(super) const MAX_RESULT: u32 = 10_000;

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
    pub(super) root: node::Node,
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
