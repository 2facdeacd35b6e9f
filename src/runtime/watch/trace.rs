//! How a turn shows in the log and in traces: where, which session by a short hash, which event, how long. Nothing that
//! people said, and no names of theirs.

use std::fmt;
use std::time::Duration;

use formwright_chat as chat;
use sha2::Digest as _;

use crate::turn::{Turn, TurnError};
use formwright_store::{Parcel, SessionKey};

/// What spans, and the line that each turn has in the log, are filtered by.
pub const TARGET: &str = "formwright::turn";

/// A session or an event by a hash that is short enough to read, and tells nothing of whose it is: ids of events hold
/// those of people and channels.
struct Short<'a>(&'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chat::hex(&sha2::Sha256::digest(self.0.as_bytes())[..4]))
    }
}

/// How a turn ended, in a word.
pub(crate) fn result<T>(ended: &Result<T, TurnError>) -> &'static str {
    match ended {
        Ok(_) => "done",
        Err(TurnError::Refused(_) | TurnError::Reused) => "refused",
        Err(TurnError::Elsewhere) => "elsewhere",
        Err(TurnError::Store(_) | TurnError::NoRandomness(_) | TurnError::Contended) => "unavailable",
    }
}

/// The span of a turn.
pub(crate) fn span(turn: &Turn) -> tracing::Span {
    tracing::debug_span!(
        target: TARGET,
        "turn",
        platform = turn.place.platform.as_str(),
        session = %Short(turn.key.as_str()),
        event = turn.event().map(|event| tracing::field::display(Short(event.as_str()))),
    )
}

/// The span of an event's intake.
pub(crate) fn intake(event: &chat::Event) -> tracing::Span {
    tracing::debug_span!(
        target: TARGET,
        "intake",
        platform = event.place.platform.as_str(),
        session = %Short(SessionKey::of(event).as_str()),
        event = %Short(event.id.as_str()),
    )
}

/// What a delivery is, and to whom: a platform, or a sink by its name.
pub(crate) fn target(parcel: &Parcel) -> (&'static str, &str) {
    match parcel {
        Parcel::Reply { place, .. } => ("reply", place.platform.as_str()),
        Parcel::Submission { name, .. } => ("submission", name),
        Parcel::Told { told, .. } => ("event", told.what.kind().name()),
        Parcel::Erased => ("erased", ""),
    }
}

/// The line of a turn.
pub(crate) fn line(turn: &Turn, result: &'static str, took: Duration) {
    tracing::debug!(
        target: TARGET,
        platform = turn.place.platform.as_str(),
        session = %Short(turn.key.as_str()),
        event = turn.event().map(|event| tracing::field::display(Short(event.as_str()))),
        millis = took.as_secs_f64() * 1000.0,
        result,
        "a turn has ended"
    );
}
