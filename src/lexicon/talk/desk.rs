//! `[desk]`: what people at a desk write about a case.

use serde::Deserialize;

use crate::phrases::Phrases;

/// What people at a desk write about a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeskWords {
    /// First words of a message, by what they want.
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    pub word: Phrases<DeskWord>,
}

/// What the first words of a message at a desk want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeskWord {
    /// To approve.
    Approve,
    /// To reject.
    Reject,
    /// To have something changed.
    Changes,
    /// To look after the person.
    Claim,
    /// To send the person back to the form; said by the person, to go back to it.
    Back,
}
