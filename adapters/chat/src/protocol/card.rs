//! The card on which answers are looked over.

use serde::{Deserialize, Serialize};

use crate::Token;

/// Answers to look over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What is being looked over.
    pub title: String,
    /// One per answer, in the form's order.
    pub rows: Vec<CardRow>,
}

/// One answer on a review card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardRow {
    /// Path of the field.
    pub field: String,
    /// Short name of the field.
    pub label: String,
    /// The answer as shown to a person; masked where the field is sensitive.
    pub value: String,
    /// Where the answer came from.
    pub source: Source,
    /// Starts an edit of this answer; none where it cannot be edited.
    pub edit: Option<Token>,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The person's own words.
    Said,
    /// A widget.
    Pressed,
    /// A tool's output.
    Tool,
    /// The form's default.
    Default,
    /// The form's fixed value.
    Fixed,
    /// Worked out from other answers.
    Computed,
}
