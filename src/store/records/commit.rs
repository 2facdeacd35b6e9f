//! What a turn writes, and how that ended.

use std::sync::Arc;

use formwright_chat as chat;
use formwright_engine::{Session, Submission};
use jiff::Timestamp;

use super::{Outgoing, Packed, SessionKey};

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
