//! Phases of the conversation that a program takes into its own hands.
//!
//! A form file does the same with `[[hook]]` and a tool; where both do, the program is asked first.
//!
//! ```
//! use std::sync::Arc;
//!
//! use formwright_engine::{At, Engine, Phases, Submitting, Values};
//! use formwright_form::{Catalog, FormId, ToolId};
//!
//! /// Small orders are sent without a review, reversed times are turned round, and great orders are reserved first.
//! #[derive(Debug)]
//! struct Orders;
//!
//! impl Phases for Orders {
//!     fn needs_confirmation(&self, at: &At) -> Option<bool> {
//!         Some(at.answers["amount"].as_u64().is_none_or(|amount| amount >= 50))
//!     }
//!
//!     fn sanitize(&self, _: &At, mut given: Values) -> Values {
//!         let times = (given.get("from").cloned(), given.get("until").cloned());
//!         if let (Some(from), Some(until)) = times
//!             && from.as_str() > until.as_str()
//!         {
//!             given.insert("from".to_owned(), until);
//!             given.insert("until".to_owned(), from);
//!         }
//!         given
//!     }
//!
//!     fn submit(&self, at: &At) -> Option<Submitting> {
//!         let amount = at.answers["amount"].as_u64().filter(|amount| *amount >= 1000)?;
//!         let args = serde_json::json!({ "amount": amount });
//!         Some(Submitting::Run { tool: ToolId::new("reserve"), args })
//!     }
//! }
//!
//! let engine = Engine::new(Catalog::default()).with_phases(FormId::new("order"), Arc::new(Orders));
//! # let _ = engine;
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use formwright_form::{Part, Phase, ToolId};

/// Values by the paths of their fields, in the form in which a submission has them; null empties a field.
pub type Values = BTreeMap<String, Json>;

/// Where the conversation stands: what a phase is told, in Rust as the arguments of a tool.
#[derive(Clone, PartialEq, Serialize)]
pub struct At {
    /// The phase that is asked.
    pub phase: &'static str,
    /// Of a message: `start`, `incomplete`, `confirm` or `closed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
    /// Id of the form.
    pub form: String,
    /// `Incomplete`, `WaitConfirm`, `Complete` or `Closed`.
    pub state: String,
    /// What the person wrote in this turn; empty where they pressed something.
    pub message: String,
    /// BCP 47 tag of the language spoken with them.
    pub lang: String,
    /// Answers as a submission has them. A tool is told sensitive ones only where the form says so.
    pub answers: Json,
    /// Of `sanitize`: the values understood, not checked yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Values>,
    /// Of `message`: the paragraphs to be said, what is asked last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub say: Option<Vec<String>>,
    /// Fields that need an answer and lack it, in the order of asking.
    pub missing: Vec<Missing>,
    /// Answers that were refused, with the reasons.
    pub invalid: Vec<Wrong>,
    /// The form that the person finished last in this place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
}

/// A field that lacks an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Its path: `phone`, `items[2].amount`.
    pub field: String,
    /// Its name for people.
    pub label: String,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// The path of its field; empty where it is about no field, but the answers as a whole.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// What the person is told.
    pub text: String,
}

/// A finished form.
#[derive(Clone, PartialEq, Serialize)]
pub struct Before {
    /// Its id.
    pub form: String,
    /// Its answers as they were submitted, without sensitive ones.
    pub answers: Json,
}

/// What to ask, in place of the engine's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asking {
    /// The path of the field to ask now; none leaves it to the order of the form.
    pub ask: Option<String>,
    /// Paths of the fields that are not asked and not submitted. What was answered comes back when they are let in again.
    pub leave_out: Vec<String>,
}

/// What is done once everything is confirmed, before the form is sent.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Submitting {
    /// Nothing: the form is sent at once.
    Nothing,
    /// A tool of the form is run. No field may read it, no page and no hook name it.
    Run {
        /// Which.
        tool: ToolId,
        /// What it is told, by name.
        args: Json,
    },
}

impl Submitting {
    /// The tool that is run.
    pub(crate) fn tool(&self) -> Option<&ToolId> {
        match self {
            Self::Nothing => None,
            Self::Run { tool, .. } => Some(tool),
        }
    }
}

/// Phases of the conversation that a program takes into its own hands. Each default is the engine's own way.
///
/// They are pure: the same arguments give the same answer, for a step may be taken twice.
pub trait Phases: std::fmt::Debug + Send + Sync + 'static {
    /// Whether the message leaves the form (yes), or cannot (no).
    fn stop(&self, at: &At) -> Option<bool> {
        let _ = at;
        None
    }

    /// The values in the message, in place of what the engine, or a model, reads in it.
    fn extract(&self, at: &At) -> Option<Values> {
        let _ = at;
        None
    }

    /// Values put right before they are checked and stored.
    fn sanitize(&self, at: &At, given: Values) -> Values {
        let _ = at;
        given
    }

    /// What is wrong with the answers together. Each answer that is named is taken out and asked again; where none is named,
    /// the person is asked what to change once everything is answered.
    fn validate(&self, at: &At) -> Vec<Wrong> {
        let _ = at;
        Vec::new()
    }

    /// What is asked next.
    fn next(&self, at: &At) -> Option<Asking> {
        let _ = at;
        None
    }

    /// Whether the person looks over the answers before they are sent.
    fn needs_confirmation(&self, at: &At) -> Option<bool> {
        let _ = at;
        None
    }

    /// Whether the message at the review confirms the answers.
    fn confirmed(&self, at: &At) -> Option<bool> {
        let _ = at;
        None
    }

    /// What is done once everything is confirmed, in place of the form's `run`; it is worked out anew whenever the answers
    /// change.
    ///
    /// The deed itself is the tool's, as `run` is: it is called under an id that is the same however often the turn is
    /// computed, and another one for other arguments. A tool that takes each id once does it exactly once. What it refuses
    /// is asked again, its `answer` is said, and the form is sent only when it is done.
    fn submit(&self, at: &At) -> Option<Submitting> {
        let _ = at;
        None
    }

    /// The paragraphs to say; what is asked stands last. An empty list says nothing but what is asked.
    fn message(&self, at: &At, part: Part, say: Vec<String>) -> Vec<String> {
        let _ = (at, part);
        say
    }
}

/// What a hook gives back: of all keys those of its phase count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Answer {
    pub(crate) stop: Option<bool>,
    pub(crate) values: Option<Values>,
    pub(crate) errors: Vec<Wrong>,
    pub(crate) ask: Option<String>,
    pub(crate) leave_out: Vec<String>,
    pub(crate) needed: Option<bool>,
    pub(crate) confirmed: Option<bool>,
    pub(crate) say: Option<Says>,
    #[serde(skip)]
    pub(crate) submit: Option<Submitting>,
}

impl Answer {
    /// Reads what a tool gives: an object with a key that hooks have, or an empty one.
    pub(crate) fn read(json: &Json) -> Result<Self, String> {
        const KEYS: &[&str] = &["stop", "values", "errors", "ask", "leave_out", "needed", "confirmed", "say"];
        let entries = json.as_object().ok_or("it is no object")?;
        if !entries.is_empty() && !entries.keys().any(|key| KEYS.contains(&key.as_str())) {
            return Err(format!("it has none of the keys {}", KEYS.join(", ")));
        }
        serde_json::from_value(json.clone()).map_err(|error| error.to_string())
    }

    /// The fields that it names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let values = self.values.iter().flat_map(BTreeMap::keys);
        let errors = self.errors.iter().map(|wrong| &wrong.field).filter(|field| !field.is_empty());
        values.chain(errors).chain(&self.ask).chain(&self.leave_out).map(String::as_str)
    }
}

/// One paragraph or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Says {
    One(String),
    Several(Vec<String>),
}

impl Says {
    pub(crate) fn paragraphs(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Several(texts) => texts,
        }
    }
}

/// What a program does in a phase; none where it leaves it to others.
pub(crate) fn by_program(phases: &dyn Phases, phase: Phase, at: &At) -> Option<Answer> {
    let mut answer = Answer::default();
    match phase {
        Phase::Stop => answer.stop = Some(phases.stop(at)?),
        Phase::Extract => answer.values = Some(phases.extract(at)?),
        Phase::Sanitize => {
            let given = at.given.clone().unwrap_or_default();
            let mut put_right = phases.sanitize(at, given.clone());
            // A program gives them all: what is gone was taken out.
            for name in given.keys() {
                put_right.entry(name.clone()).or_default();
            }
            answer.values = Some(Some(put_right).filter(|values| *values != given)?);
        }
        Phase::Validate => answer.errors = Some(phases.validate(at)).filter(|errors| !errors.is_empty())?,
        Phase::Next => {
            let asking = phases.next(at)?;
            (answer.ask, answer.leave_out) = (asking.ask, asking.leave_out);
        }
        Phase::Confirm => {
            (answer.needed, answer.confirmed) = (phases.needs_confirmation(at), phases.confirmed(at));
            if answer.needed.is_none() && answer.confirmed.is_none() {
                return None;
            }
        }
        Phase::Submit => answer.submit = Some(phases.submit(at)?),
        Phase::Message(part) => {
            let said = at.say.clone().unwrap_or_default();
            let say = phases.message(at, part?, said.clone());
            answer.say = Some(Says::Several(Some(say).filter(|say| *say != said)?));
        }
    }
    Some(answer)
}
