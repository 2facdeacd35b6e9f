//! `[desk.NAME]`: people on a chat platform who approve what others submit, and whom others may talk to.

use formwright_chat as chat;
use serde::{Deserialize, Serialize};

/// People at a place of a chat platform.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Desk {
    /// The platform: `slack`, `discord` or `telegram`.
    pub platform: String,
    /// The workspace on Slack (`T…`), the server's id on Discord; nothing on Telegram.
    #[serde(default)]
    pub workspace: String,
    /// The channel's or chat's id.
    pub channel: String,
    /// Ids of the people who decide; everybody in the channel where there are none.
    #[serde(default)]
    pub people: Vec<String>,
    /// Language spoken there, such as `de`; the form's first one where it is not set.
    #[serde(default)]
    pub lang: Option<String>,
}

impl Desk {
    /// The desk as the engine knows it.
    pub fn lower(&self) -> crate::runtime::Desk {
        crate::runtime::Desk {
            place: chat::Place {
                platform: chat::Platform::new(self.platform.as_str()),
                workspace: self.workspace.clone(),
                channel: self.channel.clone(),
                thread: None,
            },
            people: self.people.iter().map(|id| chat::UserId::new(id.as_str())).collect(),
            lang: self.lang.clone(),
        }
    }
}
