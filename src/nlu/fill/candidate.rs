//! What a field may be filled with: a place in the message and the value that it says. No candidate knows of another.

use std::ops::Range;

use formwright_form::Value;
use formwright_form::cues::Role;
use formwright_form::kind::Strength;

/// A value that a slot may get.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Which slot.
    pub(crate) slot: usize,
    /// Where.
    pub(crate) tokens: Range<usize>,
    /// The value; none where the words themselves are it.
    pub(crate) value: Option<Value>,
    pub(crate) source: Source,
    pub(crate) strength: Strength,
    /// Which end of two the words before make of it.
    pub(crate) end: Option<Role>,
    pub(crate) rule: Rule,
    /// How its words are like what they are taken for; none where they are it.
    pub(crate) likeness: Option<Likeness>,
    /// Another slot was filled with its words by the steps before; whether that one was named.
    pub(crate) taken: Option<bool>,
    /// It is said of something else than the slot, or only in passing.
    pub(crate) aside: Option<Aside>,
}

/// Of what else a value is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// Of what is told in passing.
    InPassing,
    /// Of another thing or person.
    OfAnother,
    /// Of how old somebody is.
    Age,
}

impl Candidate {
    /// A candidate of which nothing more is known.
    pub(crate) fn new(slot: usize, tokens: Range<usize>, value: Option<Value>, source: Source) -> Self {
        Self {
            slot,
            tokens,
            value,
            source,
            strength: Strength::Weak,
            end: None,
            rule: Rule::Silent,
            likeness: None,
            taken: None,
            aside: None,
        }
    }
}

/// How words are like what they are taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    /// How much of what is meant is said, 0 to 1.
    pub(crate) cover: f32,
    /// How much more of it than of any other, 0 to 1.
    pub(crate) margin: f32,
    pub(crate) how: How,
}

/// In what way words are like others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    /// About the same thing.
    Sense,
    /// Part of a longer word: "Rad" of "Radtour".
    Part,
    /// Misspelt.
    Misspelt,
    /// A form of the same word.
    Root,
}

/// Who proposed a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The grammar of its kind.
    Typed,
    /// Any words, for a text.
    Span,
    /// A bare number as an hour.
    Hour,
    /// The field's name, for yes or no.
    Named,
    /// A word that one option alone has.
    Telling,
    /// What the steps before have filled.
    Rule,
    /// A clause, for a longer text.
    Clause,
    /// What an option alone is about.
    Sense,
}

impl Source {
    /// Whether no other value can be made of the same words. To speak of a thing leaves them to others.
    pub(crate) fn uses_words(self) -> bool {
        !matches!(self, Self::Named | Self::Telling | Self::Sense)
    }
}

/// What the steps before say of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    /// They filled the slot with nothing.
    #[default]
    Silent,
    /// It has the best score, unsurely.
    Unsure,
    /// It has the best score.
    Sure,
    /// It has the best score, the slot's name being said.
    Named,
    /// They filled it with this for a reason of their own.
    Step,
    /// They filled it with something else.
    Differs,
}
