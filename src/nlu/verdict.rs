//! What became of a value that a model proposed, and why.

use serde::{Deserialize, Serialize};

/// What became of an update. Kept with the message: its JSON is a stored format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Its field's parser reads it out of the quote.
    Taken,
    /// Only the model says so: the person is asked.
    Doubtful,
    /// Right, but the field cannot take it.
    Refused,
    /// Dropped.
    Dropped(Drop),
}

/// Why an update was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drop {
    /// The form has no such field, or words never fill it.
    Field,
    /// The field is hidden, or has no more room: what else the model said may well be right.
    NotNow,
    /// The quote does not stand in the message.
    NotSaid,
    /// The quote's words were understood without the model.
    Explained,
    /// The person says that the words are not meant.
    #[serde(alias = "question")]
    Denied,
    /// Neither the quote nor the value is such a value.
    NoValue,
    /// The value has digits that the quote has not.
    Digits,
    /// Another update filled the field.
    Twice,
    /// Most of the reply was wrong.
    WithTheRest,
}

impl Verdict {
    /// Whether it may be another one once other answers are there.
    pub fn may_change(self) -> bool {
        matches!(self, Self::Dropped(Drop::NotNow))
    }

    /// What was done, for people who write forms.
    pub fn words(self) -> &'static str {
        match self {
            Self::Taken => "taken: the field reads it out of these words",
            Self::Doubtful => "asked: only the model says that the words mean it",
            Self::Refused => "refused: the field cannot take it",
            Self::Dropped(Drop::Field) => "dropped: the form has no such field, or words do not fill it",
            Self::Dropped(Drop::NotNow) => "dropped: the field is hidden now, or has no more room",
            Self::Dropped(Drop::NotSaid) => "dropped: the person did not say these words",
            Self::Dropped(Drop::Explained) => "dropped: code understood these words",
            Self::Dropped(Drop::Denied) => "dropped: the person says that the words are not meant",
            Self::Dropped(Drop::NoValue) => "dropped: the field has no such value",
            Self::Dropped(Drop::Digits) => "dropped: it has digits that the words have not",
            Self::Dropped(Drop::Twice) => "dropped: the field is filled by other words",
            Self::Dropped(Drop::WithTheRest) => "dropped: most of the reply was made up",
        }
    }
}

impl Drop {
    /// Whether such an update shows that the model made something up.
    pub(super) fn is_false(self) -> bool {
        matches!(self, Self::Field | Self::NotSaid | Self::NoValue | Self::Digits)
    }
}
