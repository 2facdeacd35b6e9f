//! Who and where: the ids of platforms, and what they name.

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the platform's own spelling of the id.
            pub fn new(id: impl Into<String>) -> Self {
                Self(id.into())
            }

            /// The id as the platform spells it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
pub(crate) use text_id;

text_id! {
    /// The platform's id of an event; the same again when the platform delivers the event again.
    EventId
}
text_id! {
    /// The platform's id of a message: one of a kind at its place, and the same in the message and in its edit.
    MessageId
}
text_id! {
    /// The platform's id of a person.
    UserId
}
text_id! {
    /// The name of a platform: `web`, `terminal`, `slack`, `discord`, `telegram`.
    Platform
}

/// Where a conversation takes place. Place and user together name a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Which platform.
    pub platform: Platform,
    /// Workspace, guild or tenant; empty where the platform has none.
    pub workspace: String,
    /// Channel, chat or conversation.
    pub channel: String,
    /// Thread inside the channel, if any.
    pub thread: Option<String>,
}

/// The person behind an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The platform's id.
    pub id: UserId,
    /// The name to address the person by, if known.
    pub name: Option<String>,
    /// BCP 47 language tag from the platform, such as `it-IT`.
    pub locale: Option<String>,
    /// IANA time zone, such as `Europe/Rome`.
    pub zone: Option<String>,
}
