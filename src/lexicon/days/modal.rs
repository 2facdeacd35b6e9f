//! `[date.modal]`: names of months that are verbs as well.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Names of months that are verbs as well, in small letters: English "2 may not come".
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modal {
    /// The names.
    #[serde(deserialize_with = "list")]
    pub month: Phrases<()>,
    /// Who does something, right before the verb: "we".
    #[serde(deserialize_with = "list")]
    pub who: Phrases<()>,
    /// What is done, right behind the verb: "not", "be", "come".
    #[serde(deserialize_with = "list")]
    pub does: Phrases<()>,
}
