//! Whether what was written would outlive the machine that took it.

use formwright_chat as chat;

use super::SessionKey;

/// Something that was written, and that somebody is to be told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// The turn of an event: its session, its replies and what it submitted are one write.
    Turn {
        /// Whose.
        key: SessionKey,
        /// The event that was worked on.
        event: chat::EventId,
    },
    /// A session as it was loaded.
    Session {
        /// Which.
        key: SessionKey,
        /// The version that was loaded.
        version: u64,
    },
    /// An entry of the outbox that was taken from it, by its id. It was written together with what it tells of.
    Entry(String),
}

/// How safe something is that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Safety {
    /// It would outlive the machine that took it, or no more than one machine was ever promised.
    #[default]
    Safe,
    /// It is there, and nobody knows yet whether another machine has it.
    NotYet,
    /// It is not there any more: the machine that took it was replaced by one that never had it.
    Lost,
}
