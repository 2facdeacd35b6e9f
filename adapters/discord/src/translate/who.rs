//! Who did something, and where.

use chat::{Event, EventId, Place, User};
use formwright_chat as chat;
use jiff::Timestamp;

/// The workspace of conversations among people that the bot is not part of: somebody has it with their account alone. Discord's
/// own addresses spell them so.
pub(crate) const APART: &str = "@me";

/// Who did something, and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Who {
    /// Where.
    pub(crate) place: Place,
    /// Who.
    pub(crate) user: User,
    /// The person's roles in the server.
    pub(crate) roles: Vec<String>,
    /// The channel that the place is a thread of, or the category of the channel, where it is told.
    pub(crate) parent: Option<String>,
}

impl Who {
    /// In a direct message.
    pub(crate) fn direct(&self) -> bool {
        self.place.workspace.is_empty()
    }

    /// What the product is told.
    pub(crate) fn event(&self, id: String, at: Timestamp, action: chat::Action) -> Event {
        let (place, user) = (self.place.clone(), self.user.clone());
        Event { id: EventId::new(id), place, user, at, action, terms: chat::Terms::default() }
    }
}
