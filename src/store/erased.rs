//! What was removed of a person.

use serde::{Deserialize, Serialize};

/// How many records of a person were removed, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erased {
    /// Conversations.
    pub sessions: u64,
    /// What they sent: events worked on, and those still to be.
    pub events: u64,
    /// What was on its way to them, or to a sink, or had arrived there.
    pub outbox: u64,
    /// Deliveries that were given up.
    pub dead_letters: u64,
    /// Finished forms.
    pub submissions: u64,
    /// What adapters noted about them.
    pub notes: u64,
    /// What a language model answered in turns of theirs that did not end.
    pub answers: u64,
}

impl Erased {
    /// Counts what was removed elsewhere as well.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self { sessions, events, outbox, dead_letters, submissions, notes, answers } = self;
        *sessions += other.sessions;
        *events += other.events;
        *outbox += other.outbox;
        *dead_letters += other.dead_letters;
        *submissions += other.submissions;
        *notes += other.notes;
        *answers += other.answers;
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        let Self { sessions, events, outbox, dead_letters, submissions, notes, answers } = *self;
        sessions + events + outbox + dead_letters + submissions + notes + answers
    }
}
