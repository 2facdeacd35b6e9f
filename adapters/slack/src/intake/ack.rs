//! How Slack is answered, and how the product took an event.

use serde_json::Value;

/// How Slack is answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ack {
    /// It was received.
    Empty,
    /// It was received, and this is the answer.
    With(Value),
    /// It was not received: Slack is to send it again.
    Never,
}

/// How the product took an event.
pub(crate) enum Taken {
    Accepted,
    /// Not stored, and of no use to send again; the words are for the person.
    Refused(String),
    Unavailable,
}
