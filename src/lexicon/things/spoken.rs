//! `[spoken]`: how what is written in signs is said: the marks of addresses, digits and letters.

use serde::Deserialize;

use crate::phrases::Phrases;

/// How what is written in signs is said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpokenWords {
    /// "at", "dot", "underscore", "dash", "plus".
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    pub marks: Phrases<Mark>,
    /// Words for a nought among digits: "oh".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub zero: Phrases<()>,
    /// How often the digit behind is said: "double".
    #[serde(deserialize_with = "crate::phrases::table")]
    pub repeats: Phrases<usize>,
    /// Between a letter and a word that begins with it: "as in" of "M as in mother".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub as_in: Phrases<()>,
    /// Words that stand for the letters they begin with: "tango".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub alphabet: Phrases<()>,
    /// Before the letters of a word that was just said: "spelled".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub spells: Phrases<()>,
}

/// A mark that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// `@`
    At,
    /// `.`
    Dot,
    /// `_`
    Underscore,
    /// `-`
    Dash,
    /// `+`
    Plus,
}

impl Mark {
    /// The mark as written.
    pub fn written(self) -> char {
        match self {
            Self::At => '@',
            Self::Dot => '.',
            Self::Underscore => '_',
            Self::Dash => '-',
            Self::Plus => '+',
        }
    }
}
