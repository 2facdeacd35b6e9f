//! What is known of a client that keeps the form itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use formwright_form::FieldId;
use formwright_nlu::Answer;

/// What a draft of a client's form knows of the client.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetState {
    /// What each field held when the client was last heard, by its name there; nothing for what was empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) held: BTreeMap<String, Json>,
    /// What the client sent beside its fields when it was last heard.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) told: BTreeMap<String, Json>,
    /// Answers of fields that are not on this page.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) kept: BTreeMap<FieldId, Answer>,
    /// Labels of fields that are not on this page.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) elsewhere: BTreeMap<FieldId, String>,
    /// Fields whose value was refused, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) wrong: BTreeMap<String, String>,
    /// Fields that need an answer and have none, which only the client's page takes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) on_page: BTreeSet<String>,
    /// Fields of other pages that need an answer and have none: their labels, by their names there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) owed: BTreeMap<String, String>,
    /// The last message was not understood.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) vain: bool,
}
