//! What was done, or is to be done, when a step or the form was confirmed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::phase::Submitting;
use crate::session::Draft;
use formwright_nlu::Pending;

/// Names the deed at the end of a form.
pub(crate) const RUN: &str = "run";

/// A deed of a step or of the form, as far as it has come.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// What it was done with last, or is being done with.
    pub args: Json,
    /// What its arguments were worked out at: "today" of a deed stays that day.
    pub at: Timestamp,
    /// Its id.
    pub call: String,
    /// How often it was done.
    pub done: u32,
    /// How it stands.
    pub standing: Standing,
    /// What a program has put in the place of the form's own tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Submitting>,
}

/// How a deed stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The person has confirmed: it is to be done, or under way.
    Owed,
    /// It was not done, or nobody knows.
    Failed,
    /// It was done.
    Done,
}

/// Which deed a call is.
pub(crate) fn deed_of_call(draft: &Draft, call: &str) -> Option<String> {
    let of = |(_, deed): &(&String, &Deed)| deed.call == call && deed.standing != Standing::Done;
    draft.deeds.iter().find(of).map(|(key, _)| key.clone())
}

/// Whether a deed is under way.
pub(crate) fn is_under_way(draft: &Draft) -> bool {
    matches!(&draft.pending, Pending::Tool { call, .. } if deed_of_call(draft, call).is_some())
}
