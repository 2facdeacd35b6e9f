//! Where finished forms go: one port, several sinks.
//!
//! A delivery may be repeated, after a crash or a lost answer, with the same id: each sink makes one effect of it.
//! Deliberately absent: when to try again, which is the outbox's business.

pub mod csv;
mod file;
pub mod jsonl;
pub mod open;
mod post;
pub mod table;
pub mod webhook;

use std::time::Duration;

use async_trait::async_trait;

use formwright_engine::Submission;
pub use open::{Opener, SinkProblem};

/// A place for finished forms.
#[async_trait]
pub trait Sink: Send + Sync + 'static {
    /// Delivers a submission; after `Ok` it is there for good. `id` is the same in every repetition.
    async fn deliver(&self, id: &str, submission: &Submission) -> Result<(), SinkError>;
}

/// Why a submission was not delivered; texts are for operators and hold no answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SinkError {
    /// To be tried again.
    #[error("{why}")]
    Retry {
        /// Not before, where the sink says so.
        after: Option<Duration>,
        /// What went wrong.
        why: String,
    },
    /// The sink does not want this or anything else any more.
    #[error("the receiver is gone for good (410)")]
    Gone,
    /// Trying again cannot help.
    #[error("{0}")]
    Refused(String),
}

impl SinkError {
    /// To be tried again as the schedule says.
    pub(crate) fn retry(why: impl std::fmt::Display) -> Self {
        Self::Retry { after: None, why: why.to_string() }
    }
}

/// Runs a sink's blocking work off the async threads.
async fn blocking(work: impl FnOnce() -> Result<(), SinkError> + Send + 'static) -> Result<(), SinkError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(SinkError::retry(error)))
}

#[cfg(test)]
pub(crate) mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;

    use super::*;
    use formwright_form::{FormId, FormVersion};

    pub(crate) fn submission(id: &str, revision: u32, answers: serde_json::Value) -> Submission {
        Submission {
            id: id.to_owned(),
            revision,
            form: FormId::new("pizza-order"),
            version: FormVersion::new("0a1b"),
            at: Timestamp::UNIX_EPOCH,
            place: chat::Place {
                platform: chat::Platform::new("web"),
                workspace: String::new(),
                channel: "c1".to_owned(),
                thread: None,
            },
            user: chat::UserId::new("ann"),
            shared: false,
            answers,
            provenance: Vec::new(),
            review: None,
            zone: None,
        }
    }
}
