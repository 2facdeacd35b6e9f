//! A person at a desk whom the owner talks to.

use formwright_chat::{CaseCode, Member};
use serde::{Deserialize, Serialize};

/// A person who was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandOff {
    /// Names the case.
    pub(crate) code: CaseCode,
    /// Name of the desk.
    pub(crate) desk: String,
    /// Who is there; none while nobody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<Member>,
    /// What was said last, newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) said: Vec<Line>,
}

/// Something said in a talk.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// What who said it is called; none for the person who fills in the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
    /// The words.
    pub(crate) text: String,
}
