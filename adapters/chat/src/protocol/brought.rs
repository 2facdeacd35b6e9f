//! A form that comes along with an event, for programs that keep their own forms.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Redacted, Sheet};

/// A form that came along: enough to make it again, in another process too.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Brought {
    /// A form written out, in any syntax of form files.
    Text {
        /// The whole text.
        text: String,
    },
    /// The fields of a form as a client keeps it.
    Sheet {
        /// The fields; in what a session keeps, without values.
        sheet: Box<Sheet>,
    },
}

impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { text } => f.debug_struct("Text").field("text", &Redacted::text(text)).finish(),
            Self::Sheet { sheet } => f.debug_struct("Sheet").field("sheet", sheet).finish(),
        }
    }
}
