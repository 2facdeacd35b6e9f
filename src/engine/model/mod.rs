//! What a language model is asked, and how its reply is read. Pure: the runtime makes the call.
//!
//! A model is asked at most once a turn, and only where code could not explain the whole message. It proposes; what is
//! believed of that decides [`formwright_nlu`]'s `believe`.

pub(crate) mod again;
pub(crate) mod ask;
pub(crate) mod asked;
pub(crate) mod fields;
pub(crate) mod judged;
pub(crate) mod mask;
pub(crate) mod outcome;
pub(crate) mod prompt;
pub(crate) mod reply;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod texts;
pub(crate) mod wording;
pub(crate) mod words;

use formwright_chat as chat;
use serde::{Deserialize, Serialize};

use formwright_nlu::Proposal;

/// How a model is used where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelUse {
    /// About how many tokens of fields a prompt may have; a longer form is condensed to what is still missing.
    pub prompt_tokens: usize,
    /// How often a model is asked once more after a reply that is no proposal.
    pub retries: u32,
    /// E-mail addresses, telephone numbers and bank accounts are taken out of all that is told of a person.
    pub redact: bool,
}

impl Default for ModelUse {
    fn default() -> Self {
        Self { prompt_tokens: 6_000, retries: 1, redact: false }
    }
}

/// A call to make. Its outcome is the model's text as a JSON string.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// Names the call; its outcome must bring it back.
    pub call: String,
    /// What the model is told first: the same bytes for every message of a form in one language, so that it can be cached.
    pub system: String,
    /// What changes: the answers so far, the question, and the message as data.
    pub message: String,
    /// JSON Schema of the reply.
    pub schema: serde_json::Value,
    /// Most tokens of an honest reply.
    pub max_tokens: u32,
}

/// A model was asked about a message, which waits for the reply. Never stored: a turn ends after the reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The call.
    pub call: String,
    /// The message.
    pub text: String,
    /// The event it came with.
    pub event: Box<chat::Event>,
    /// What was said before in this turn.
    pub notes: Vec<String>,
    /// The message started the form.
    pub starts: bool,
    /// Replies that were no proposals.
    pub failures: u32,
}

/// Whether a model may be asked in this step.
#[derive(Debug, Default)]
pub(crate) enum Asking {
    /// There is none, or it has been asked.
    #[default]
    Never,
    /// It may be asked about this event.
    May(Box<chat::Event>),
    /// What it said.
    Answered(Box<Proposal>),
}
