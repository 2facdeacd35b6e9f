//! What comes into a step: something that happened, with the time and the randomness that the step may use.

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lookup::Again;

/// One thing that happened, with the time and randomness that the step may use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// When it happened.
    pub now: Timestamp,
    /// 128 fresh random bits: names the screen, and whatever else this step creates.
    pub nonce: chat::Nonce,
    /// What happened.
    pub event: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    /// The person did something; boxed because events are large.
    Event(Box<chat::Event>),
    /// An outside call that the session asked for has ended.
    Outcome(Outcome),
    /// The draft's time is up, or will be soon.
    Expiry,
    /// A step is taken again, with something known that it lacked: see [`LookUp::answered`](crate::LookUp::answered).
    Again(Box<Again>),
}

/// How an outside call ended.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The call; late outcomes of calls no longer pending are dropped.
    pub call: String,
    /// What came of it.
    pub result: Result<serde_json::Value, CallError>,
}

/// Why an outside call failed, in words for each reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallError {
    /// For the person; none says that it did not work and offers to try again.
    pub for_person: Option<String>,
    /// For the log.
    pub for_log: String,
    /// Whether trying again may help.
    pub retry: bool,
    /// Whose matter it is.
    #[serde(default)]
    pub failing: Failing,
}

/// Whose matter a failed call is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Failing {
    /// The person's: what was asked for cannot be done with these answers.
    Refused {
        /// What is wrong with which field or param, in words for the person.
        #[serde(default)]
        fields: std::collections::BTreeMap<String, String>,
    },
    /// The operator's: the tool may not be used so.
    Denied,
    /// The tool's.
    #[default]
    Broken,
}

impl CallError {
    /// Something does not work.
    pub fn broken(for_log: impl Into<String>, retry: bool) -> Self {
        Self { for_person: None, for_log: for_log.into(), retry, failing: Failing::Broken }
    }
}
