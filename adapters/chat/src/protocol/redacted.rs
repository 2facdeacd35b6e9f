//! What people say does not get into a log, not even where a `{:?}` slips into one: the types that hold it show how long
//! it is and nothing else.

use std::fmt;

/// Stands for something that is not shown; the number is its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Redacted(pub usize);

impl Redacted {
    /// Stands for words.
    pub fn text(text: &str) -> Self {
        Self(text.len())
    }

    /// Stands for data, by its length as JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self(value.to_string().len())
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "‹redacted:{}›", self.0)
    }
}
