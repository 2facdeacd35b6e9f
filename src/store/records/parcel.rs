//! What leaves: replies and submissions on their way, and how their deliveries end.

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use formwright_engine::Submission;
use formwright_engine::lifecycle::Told;

/// Something to deliver, at least once, with a stable id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outgoing {
    /// Stable over retries; the receiver's key against doubles.
    pub id: String,
    /// Entries of one lane leave in order; lanes are independent.
    pub lane: String,
    /// What and where to.
    pub parcel: Parcel,
    /// Next try.
    pub due: Timestamp,
    /// Tries so far.
    pub attempts: u32,
    /// When it was first put in.
    pub created: Timestamp,
    /// Why the last try failed, for operators.
    pub last_error: Option<String>,
}

/// What an outbox entry carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Parcel {
    /// A reply to a person.
    Reply {
        /// Where.
        place: chat::Place,
        /// To whom.
        user: chat::UserId,
        /// What.
        reply: Box<chat::Reply>,
    },
    /// A submission to a sink.
    Submission {
        /// The sink's definition at the time of submission.
        sink: formwright_form::Sink,
        /// The sink's name.
        name: String,
        /// What.
        submission: Box<Submission>,
    },
    /// What happened to a form, for a listener.
    Told {
        /// The listener's webhook as it was then.
        sink: formwright_form::Sink,
        /// What.
        told: Box<Told>,
    },
    /// What was delivered: only its id and times are kept.
    Erased,
}

impl Parcel {
    /// The platform and the user it belongs to.
    pub fn person(&self) -> (&str, &str) {
        match self {
            Self::Reply { place, user, .. } => (place.platform.as_str(), user.as_str()),
            Self::Submission { submission, .. } => (submission.place.platform.as_str(), submission.user.as_str()),
            Self::Told { told, .. } => (told.place.platform.as_str(), told.user.as_str()),
            Self::Erased => ("", ""),
        }
    }

    /// The form it is about; none where it is about none.
    pub fn form(&self) -> Option<&str> {
        match self {
            Self::Reply { reply, .. } => reply.form.as_deref(),
            Self::Submission { submission, .. } => Some(submission.form.as_str()),
            Self::Told { told, .. } => Some(told.form.as_str()),
            Self::Erased => None,
        }
    }
}

/// How a delivery ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// Arrived: the body is erased, id and time stay.
    Done,
    /// To be tried again then.
    Retry {
        /// When.
        at: Timestamp,
        /// Why, for operators.
        error: String,
    },
    /// Not tried, and to be looked at again then: it counts as no attempt.
    Hold {
        /// When.
        at: Timestamp,
        /// Why, for operators.
        why: String,
    },
    /// Given up: a dead letter, kept until it is replayed or erased.
    Dead {
        /// Why, for operators.
        error: String,
    },
}

/// State of an outbox entry, for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Waits for its next try.
    Waiting,
    /// Arrived.
    Delivered,
    /// Given up.
    Dead,
}
