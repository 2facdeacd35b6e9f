//! `[spoken]`: how the marks of addresses are said.

use serde::Deserialize;

use super::Phrases;

/// How the marks of addresses are said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpokenWords {
    /// "at", "dot", "underscore", "dash", "plus".
    #[serde(deserialize_with = "super::phrases::by_meaning")]
    pub marks: Phrases<Mark>,
    /// Words for a nought among digits: "oh".
    #[serde(deserialize_with = "super::phrases::list")]
    pub zero: Phrases<()>,
    /// How often the digit behind is said: "double".
    #[serde(deserialize_with = "super::phrases::table")]
    pub repeats: Phrases<usize>,
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
