//! What is read out of a message, what a reader has to know for it, and why a value is not taken.

use std::ops::Range;

use formwright_lexicon::Language;

use crate::id::OptionId;
use crate::value::Value;

/// What a parser needs to know of the world: given, never looked up.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The person's local time now.
    pub now: &'a jiff::Zoned,
    /// The language the person writes in.
    pub lang: &'a Language,
    /// Region of the person's locale (`IT`), which settles 02/03 and phone prefixes; none where unknown.
    pub region: Option<&'a str>,
    /// For `choice` and `choices`: what is offered now.
    pub options: &'a [Offered],
    /// For `choice` and `choices`: whether words of one's own are an answer.
    pub other: bool,
    /// What the field holds, or the day that was said for it and waits for its time: "make it 4 pm" keeps the day.
    pub held: Option<&'a Value>,
}

/// An option as offered now, its texts in the person's language.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Offered {
    /// What is stored.
    pub id: OptionId,
    /// What people read.
    pub label: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// A second line.
    pub detail: Option<String>,
}

/// A value found in a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where in the message: byte range of the quote.
    pub span: Range<usize>,
    /// The canonical value.
    pub value: Value,
    /// How surely these words mean such a value.
    pub strength: Strength,
}

/// How surely words mean a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Could mean it: a bare number for a time, a near spelling, words taken as they are.
    Weak,
    /// Means it where such a value is wanted: a number for an integer, `5 pm` for a time.
    Typed,
    /// Means it and nothing else: an option's own label, an e-mail address.
    Exact,
}

/// What became of a whole message read as the answer to one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// One value.
    Value(Found),
    /// Several values fit (02/03, "Springfield" of two): the person is asked which.
    Ambiguous(Vec<Found>),
    /// A value of the right type that cannot be taken (a 30 February, a number out of bounds): the value's place and why.
    Refused(Range<usize>, Refusal),
    /// No value here.
    Nothing,
}

/// Why a value cannot be taken: the name of a message (`engine::prompt` words it) and its facts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Refusal {
    /// Name of a message in the language tables: `number_too_big`, `date_not_real`, `option_unknown`.
    pub code: String,
    /// Facts for the message: `max` → `10`.
    pub facts: std::collections::BTreeMap<String, String>,
}

impl Refusal {
    /// A refusal without facts.
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), facts: std::collections::BTreeMap::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<String>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }
}
