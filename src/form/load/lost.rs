//! What one syntax says and another has no place for.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// What the other syntax has no place for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Where it stood: "field `pizza`".
    pub place: String,
    /// What it was: "`synonyms` of options".
    pub what: String,
    /// The cells of the workbook (`survey!D5`), or the lines of the file (`line 12`), that held it. Empty where the source
    /// says it nowhere in particular.
    pub at: Vec<String>,
    /// Where these stand in the source.
    #[serde(skip)]
    pub(crate) spans: Vec<Range<usize>>,
    /// The place of the table that it belonged to, which may itself be lost.
    #[serde(skip)]
    pub(crate) owner: Option<usize>,
}

impl Lost {
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into(), ..Self::default() }
    }

    /// That this is where it stood.
    pub(crate) fn from(mut self, span: &Range<usize>) -> Self {
        if !span.is_empty() {
            self.spans.push(span.clone());
        }
        self
    }

    /// That it belonged to the table that stands there.
    pub(crate) fn of(self, owner: &Range<usize>) -> Self {
        Self { owner: Some(owner.start).filter(|_| !owner.is_empty()), ..self }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// A text of the source as a message cites it: on one line, and not too long.
pub(crate) fn cited(text: &str) -> String {
    const LONGEST: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
