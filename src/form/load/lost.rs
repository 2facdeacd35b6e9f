//! What one syntax says and another has no place for.

use std::fmt;

/// What the other syntax has no place for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lost {
    /// Where it stood: "field `pizza`".
    pub place: String,
    /// What it was: "`synonyms` of options".
    pub what: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}
