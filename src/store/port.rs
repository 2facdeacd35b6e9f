//! The port: what every store can do.

use async_trait::async_trait;
use formwright_chat as chat;
use formwright_engine::Submission;
use formwright_form::FormId;
use jiff::Timestamp;

use crate::{
    Accepted, Backlog, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Replicas, Resealed, Safety,
    SessionKey, StoreError, Stored, Written, backlog,
};

/// How much longer than a seen event a note about a person is kept: longer than people leave a form lying.
pub const NOTE_LIFE: jiff::SignedDuration = jiff::SignedDuration::from_hours(30 * 24);

/// Where everything durable is kept.
///
/// Every method but [`Self::erase`] and [`Self::sweep`] is atomic: it happened whole or not at all. Times are kept to the millisecond.
///
/// An event belongs to its session: the same id under another key is another event.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Stores an event before the platform is told that it was received.
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError>;

    /// Events accepted whose turn was not committed, oldest first: run again after a restart.
    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError>;

    /// What became of an event, without storing it.
    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError>;

    /// Loads a session.
    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError>;

    /// Loads a session for a turn: maybe as this process committed it last. Where others have written since, the turn's
    /// commit is a [`Committed::Conflict`], after which it is loaded as it is.
    async fn load_recent(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        self.load(key).await
    }

    /// Writes a turn. Outbox entries and submissions whose id this session has used already are left as they are, but
    /// for dead letters: put in again, they are due again.
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError>;

    /// Takes entries that are due, at most the head of each lane, and keeps others from taking them until `lease_until`.
    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError>;

    /// Ends all leases: for a process that knows itself to be the only one, at its start. Gives the number ended.
    async fn release(&self) -> Result<u64, StoreError>;

    /// Notes how a delivery ended. An entry that has arrived stays so, whatever a slower worker says later.
    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError>;

    /// Entries that wait in a lane behind this one, in order.
    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError>;

    /// Outbox entries in a state, oldest first.
    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError>;

    /// Makes a dead letter due again; false where there is no such dead letter.
    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError>;

    /// Submissions, oldest first, of one form or all.
    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError>;

    /// An adapter's note; none where there is none under this key.
    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError>;

    /// Keeps an adapter's note in place of the one under the same key, or takes it away where it has no value.
    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError>;

    /// Removes every trace of a person on a platform: sessions, events, outbox, dead letters, submissions, notes, kept
    /// answers. What several filled together goes whole. A client of the API, `key:CLIENT`, is everybody it has spoken for.
    ///
    /// It is done in pieces with pauses, so that others' writes come in between. What fails or is killed in the middle is
    /// finished by doing it again. The session `spare` and its events are left as they are.
    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError>;

    /// Forgets what was submitted with a form before then, and dead letters about the form that were put in before then.
    /// What is still on its way stays. Gives the number removed.
    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError>;

    /// Deletes a session; tells whether there was one.
    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError>;

    /// Sessions whose time is up, at most `limit`: the runtime tells the person and deletes them.
    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError>;

    /// Forgets seen events and delivered outbox entries older than `before`, and notes about a person that were last
    /// written [`NOTE_LIFE`] before that. Gives the number removed.
    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError>;

    /// Number of sessions.
    async fn session_count(&self) -> Result<u64, StoreError>;

    /// Whether the keys that are set here open what is kept.
    ///
    /// # Errors
    /// [`StoreError::Sealed`] where they do not, with the setting to look at.
    async fn check_keys(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The same, and notes in the store that it is sealed with the first of them from now on: for a server, before it
    /// serves.
    ///
    /// # Errors
    /// As [`Self::check_keys`].
    async fn use_keys(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Seals anew what is sealed with older keys, or with none, and forgets that the store was sealed with those that have
    /// sealed nothing any more. Nothing is done where there are none.
    ///
    /// # Errors
    /// Where the store cannot be read or written. What was sealed anew before stays so.
    async fn reseal(&self) -> Result<Resealed, StoreError> {
        Ok(Resealed::default())
    }

    /// Number of records that this process could not read since it has started, at most ten thousand.
    fn unreadable(&self) -> u64 {
        0
    }

    /// What operators are to know and do about the store, though it works: shown where health is asked for.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Tidies up what is better done while little happens. Called every half minute.
    ///
    /// # Errors
    /// Where that failed; it is tried again next time.
    async fn rest(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Does what was asked before, and leaves everything as it is to be found: for a process that is about to end.
    ///
    /// # Errors
    /// Where something could not be tidied up. Nothing that was written is lost by it.
    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// What waits, for operators. Where a store does not count, up to a thousand of each kind are.
    async fn backlog(&self) -> Result<Backlog, StoreError> {
        backlog::listed(self).await
    }

    /// Keeps what a language model answered in the turn of an event, until that turn is committed, and an hour at least
    /// where it is not: a turn that is run again does not ask twice. `call` tells the calls of a turn apart.
    async fn keep_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// What was kept by [`Self::keep_answer`].
    async fn kept_answer(&self, event: (&SessionKey, &chat::EventId), call: &str)
    -> Result<Option<String>, StoreError>;

    /// Whether what was written is there, and would outlive the machine that took it. A store on one machine says yes: it
    /// has promised no more.
    async fn settle(&self, _written: &Written) -> Result<Safety, StoreError> {
        Ok(Safety::Safe)
    }

    /// The part of a store that several processes work on at once; none where one process has it to itself.
    fn replicas(&self) -> Option<&dyn Replicas> {
        None
    }
}
