//! Logic in forms: CEL expressions, which fields they read, and what follows from a change.
//!
//! Values in expressions: words, choices, phones, dates' text forms as documented at [`Expr::eval`].

use std::collections::BTreeMap;

use super::field::FieldNo;
use super::{Path, Value};

/// A compiled CEL expression with the fields it reads.
pub struct Expr {
    /// As written.
    pub source: String,
    /// Fields it reads.
    pub reads: Vec<FieldNo>,
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Expr").field(&self.source).finish()
    }
}

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A value, as JSON (`FieldKind::accept` makes it canonical).
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
}

/// Which expression must run again when a field changes.
#[derive(Debug, Default)]
pub struct Graph {
    /// For each field, by number: the fields that have an expression reading it, directly or through computed fields, in an
    /// order in which each comes after what it reads.
    pub dependents: Vec<Vec<FieldNo>>,
    /// For each field, by number: pages whose `show_when` reads it.
    pub pages: Vec<Vec<u16>>,
}

/// Extra variables of an evaluation: `value` in checks, `row` in tools.
pub type Extra<'a> = BTreeMap<&'a str, serde_json::Value>;
