//! What was removed of a person.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use formwright_engine::Submission;
use formwright_form::{FormId, FormVersion};

/// What erasing a person removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erasure {
    /// How many records.
    pub counts: Erased,
    /// The submissions among them, as far as they could be read.
    pub submissions: Vec<ErasedSubmission>,
    /// Ids of the outbox entries among them that had not arrived.
    pub undelivered: BTreeSet<String>,
}

/// What a receipt says of a submission that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedSubmission {
    /// Its id.
    pub id: String,
    /// Its revision.
    pub revision: u32,
    /// The form.
    pub form: FormId,
    /// The form's version.
    pub version: FormVersion,
}

impl Erasure {
    /// Adds what was removed elsewhere as well.
    pub fn add(&mut self, other: Self) {
        self.counts.add(&other.counts);
        self.submissions.extend(other.submissions);
        self.undelivered.extend(other.undelivered);
    }
}

impl From<Submission> for ErasedSubmission {
    fn from(Submission { id, revision, form, version, .. }: Submission) -> Self {
        Self { id, revision, form, version }
    }
}

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
