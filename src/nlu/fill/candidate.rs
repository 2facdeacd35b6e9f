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
}

impl Candidate {
    /// A candidate of which nothing more is known.
    pub(crate) fn new(slot: usize, tokens: Range<usize>, value: Option<Value>, source: Source) -> Self {
        Self { slot, tokens, value, source, strength: Strength::Weak, end: None, rule: Rule::Silent }
    }
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

/// What the steps before say of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    /// They filled the slot with nothing.
    #[default]
    Silent,
    /// They filled it with this, unsurely.
    Unsure,
    /// They filled it with this.
    Sure,
    /// They filled it with this, its name being said.
    Named,
    /// They filled it with something else.
    Differs,
}
