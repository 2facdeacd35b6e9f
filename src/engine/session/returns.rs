//! The field of another form that a form is filled in for, and what it begins with.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use formwright_form::{FieldId, Path};

/// The field of another form that a form is filled in for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returns {
    /// The submission to come of that form.
    pub to: String,
    /// Which field.
    pub at: Path,
}

/// A value that a form begins with.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) at: Path,
    pub(crate) value: Json,
    /// It is kept from others' eyes, so it goes only where that stays so.
    pub(crate) sensitive: bool,
    /// Whether a link brings it: the words of a stranger.
    pub(crate) linked: bool,
}

impl Given {
    pub(crate) fn of(field: &FieldId, value: Json, sensitive: bool) -> Self {
        Self { at: Path::field(field), value, sensitive, linked: false }
    }
}
