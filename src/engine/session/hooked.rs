//! What hooks decided about the answers as they are.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::phase::Submitting;
use formwright_form::Path;

/// What hooks decided about the answers as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hooked {
    /// Changes with the answers: as long as it stays, so does all this.
    pub seen: u64,
    /// The field to ask first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Path>,
    /// Fields that are not asked at all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<Path>,
    /// Whether the person looks over the answers; none leaves it to the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// What is wrong with the answers as a whole, in words for the person: they are not sent so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// What a program has done once everything is confirmed; none leaves it to the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit: Option<Submitting>,
}
