//! `[date.past]`: what tells that a day lies back.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// What tells that a day lies back, where neither its year nor its week is said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Past {
    /// Right before a day: "since".
    #[serde(deserialize_with = "list")]
    pub since: Phrases<()>,
    /// In the same part of a sentence as a day: "happened", "broke".
    #[serde(deserialize_with = "list")]
    pub happened: Phrases<()>,
    /// Before a day, where what has happened is told behind it: German "hat … verloren".
    #[serde(deserialize_with = "list")]
    pub has: Phrases<()>,
    /// Nearer to the day, say that it is to come after all: "can", "want", "for".
    #[serde(deserialize_with = "list")]
    pub ahead: Phrases<()>,
    /// In the names of fields for such days: "date of birth".
    #[serde(deserialize_with = "list")]
    pub name: Phrases<()>,
}
