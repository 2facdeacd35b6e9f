//! Where sessions, seen events, the outbox and submissions are kept: one port, several stores, one conformance suite.

mod backlog;
#[cfg(test)]
mod conformance;
mod erased;
pub mod error;
#[cfg(test)]
mod format;
pub mod memory;
mod pace;
mod packed;
mod parcel;
mod recent;
pub mod redis;
pub mod replicas;
mod reseal;
mod safety;
pub mod seal;
pub mod sqlite;
mod whose;

use std::sync::Arc;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use backlog::Backlog;
pub use erased::{Erased, ErasedSubmission, Erasure};
pub use error::{Damage, Outage, RedisOutage, Refusal, StoreError, WrongKey};
use formwright_engine::{Session, Submission};
use formwright_form::FormId;
pub use memory::MemoryStore;
pub use packed::Packed;
pub use parcel::{Delivery, OutboxState, Outgoing, Parcel};
pub use redis::RedisStore;
pub use replicas::Replicas;
pub use reseal::Resealed;
pub use safety::{Safety, Written};
pub use seal::Seal;
pub use sqlite::SqliteStore;

/// Names a session: platform, workspace, channel, thread and, unless the form is filled by a channel, the user. A case at
/// a desk is named by its code in place of a user.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionKey(String);

impl SessionKey {
    /// The session of a person at a place. Parts are length-prefixed, so that no two places share a key.
    pub fn new(place: &chat::Place, user: &chat::UserId) -> Self {
        let thread = place.thread.as_deref().unwrap_or_default();
        let parts = [place.platform.as_str(), &place.workspace, &place.channel, thread, user.as_str()];
        Self(parts.iter().map(|part| format!("{}:{part}", part.len())).collect())
    }

    /// The session that everybody at a place shares.
    pub fn of_place(place: &chat::Place) -> Self {
        Self::new(place, &chat::UserId::new(""))
    }

    /// The session of a case at a desk. It has a part more than all others, and no user.
    pub fn of_case(place: &chat::Place, code: &chat::CaseCode) -> Self {
        let Self(place) = Self::of_place(place);
        let code = code.as_str();
        Self(format!("{place}{}:{code}", code.len()))
    }

    /// The session that an event belongs to.
    pub fn of(event: &chat::Event) -> Self {
        if let Some(code) = &event.terms.case {
            return Self::of_case(&event.place, code);
        }
        if event.terms.shared { Self::of_place(&event.place) } else { Self::new(&event.place, &event.user.id) }
    }

    /// The session that a key as stored names; none where it is no key.
    pub fn named(key: &str) -> Option<Self> {
        let key = Self(key.to_owned());
        let (platform, _) = key.person();
        (!platform.is_empty()).then_some(key)
    }

    /// The key as stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The platform and the user that the key names, so that a person's records can be found.
    pub fn person(&self) -> (&str, &str) {
        let (mut rest, mut parts) = (self.0.as_str(), [""; 5]);
        for part in &mut parts {
            let Some((len, tail)) = rest.split_once(':') else { break };
            let Some((text, next)) = len.parse().ok().and_then(|len| tail.split_at_checked(len)) else { break };
            (*part, rest) = (text, next);
        }
        (parts[0], parts[4])
    }
}

/// A session with the version that a commit must still find.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stored {
    /// 0 where the session is new. Grows with each commit and is never used twice, not even for a session made anew.
    pub version: u64,
    /// The session; none where it is new.
    pub session: Option<Arc<Session>>,
    /// Its length as stored, in bytes of JSON.
    pub bytes: usize,
}

/// What a turn changes, in one atomic write.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Which session.
    pub key: SessionKey,
    /// The version that was loaded.
    pub version: u64,
    /// The event that was worked on: marked as done with these replies, taken from the intake. None for turns that no event caused.
    pub event: Option<chat::EventId>,
    /// Events whose words this turn read together with those of `event`: done with it, and without replies of their own.
    pub merged: Vec<chat::EventId>,
    /// Names the turn, so that a retry after a lost acknowledgement recognises its own write.
    pub turn: String,
    /// The session as it is now; none deletes it.
    pub session: Option<Packed>,
    /// When the session expires if untouched.
    pub expires: Timestamp,
    /// What the event's sender gets; kept so that a repeated event gets the same.
    pub replies: Vec<chat::Reply>,
    /// Entries for the outbox: replies of asynchronous platforms, and submissions per sink.
    pub outbox: Vec<Outgoing>,
    /// Finished forms.
    pub submissions: Vec<Submission>,
    /// When the turn is committed.
    pub now: Timestamp,
}

/// How a commit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Written.
    Done,
    /// This very turn was written before.
    AlreadyMine,
    /// The session changed meanwhile, or another turn has worked on the event: look the event up, load the session and
    /// run the turn again.
    Conflict,
    /// The session's partition is another replica's by now: drop the turn. Its event, if it was accepted, is run there.
    Stale,
}

/// Whether an event is new.
#[derive(Clone, Debug, PartialEq)]
pub enum Accepted {
    /// Stored; its turn is to be run.
    New,
    /// Stored before, its turn not finished.
    Open,
    /// Worked on before, with these replies.
    Done(Vec<chat::Reply>),
}

/// How much longer than a seen event a note about a person is kept: longer than people leave a form lying.
pub const NOTE_LIFE: jiff::SignedDuration = jiff::SignedDuration::from_hours(30 * 24);

/// Who gave an answer to a form filled together: how it is written in a session or a submission.
fn givers(json: &str) -> Vec<String> {
    const MARK: &str = "\"by\":";
    let name = |(at, _): (usize, &str)| {
        let after = json.get(at + MARK.len()..)?;
        serde_json::Deserializer::from_str(after).into_iter::<String>().next()?.ok()
    };
    json.match_indices(MARK).filter_map(name).collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_gave_an_answer_is_found() {
        let json = serde_json::json!({
            "answers": { "size": { "value": "the \"by\":\"nobody\" shelf", "by": "ann \"é\"" } },
            "history": [{ "words": "x", "by": "ben" }, { "by": null }],
        });
        assert_eq!(givers(&json.to_string()), ["ann \"é\"", "ben"]);
    }

    #[test]
    fn a_key_gives_its_person_back_and_no_two_places_share_one() {
        let place = |channel: &str, thread: Option<&str>| chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: channel.to_owned(),
            thread: thread.map(str::to_owned),
        };
        let user = chat::UserId::new("u:1é");
        let key = SessionKey::new(&place("c", Some("1:t")), &user);
        assert_eq!(key.person(), ("web", "u:1é"));
        assert_ne!(SessionKey::new(&place("a", Some("b")), &user), SessionKey::new(&place("ab", None), &user));
        for rubbish in ["", ":", "9:web", "1:é", "x:y"] {
            assert_eq!(SessionKey(rubbish.to_owned()).person().1, "", "{rubbish}");
        }
    }
}
