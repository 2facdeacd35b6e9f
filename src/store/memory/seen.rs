//! What became of an event.

use formwright_chat as chat;
use jiff::Timestamp;

use crate::Accepted;

#[derive(Debug)]
pub(super) enum Seen {
    Open { no: u64, event: Box<chat::Event> },
    Done { turn: String, at: Timestamp, replies: Vec<chat::Reply>, person: Option<(chat::Platform, chat::UserId)> },
}

impl Seen {
    pub(super) fn accepted(&self) -> Accepted {
        match self {
            Self::Open { .. } => Accepted::Open,
            Self::Done { replies, .. } => Accepted::Done(replies.clone()),
        }
    }

    pub(super) fn open(&self) -> Option<(u64, &chat::Event)> {
        match self {
            Self::Open { no, event } => Some((*no, event)),
            Self::Done { .. } => None,
        }
    }

    /// Whose it is, where the session's key does not tell.
    pub(super) fn owner(&self) -> Option<(chat::Platform, chat::UserId)> {
        match self {
            Self::Open { event, .. } => Some((event.place.platform.clone(), event.user.id.clone())),
            Self::Done { person, .. } => person.clone(),
        }
    }
}
