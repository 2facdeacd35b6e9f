//! What the adapter itself keeps in the product's store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chat::{Host, HostError, Nonce, Note, Place, Platform, Press, ReplyId, UserId};
use formwright_chat as chat;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::PLATFORM;

/// Notes in the store.
#[derive(Clone)]
pub(crate) struct Notes {
    host: Arc<dyn Host>,
    /// Rights to answer are changed by presses and by deliveries at the same time: those of one person one after the other.
    changing: Arc<[tokio::sync::Mutex<()>; LOCKS]>,
}

/// Locks that people share.
const LOCKS: usize = 64;

/// A connection to the gateway that can be taken up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// Its id.
    pub(crate) id: String,
    /// The last event that was stored.
    pub(crate) sequence: u64,
    /// Where it is taken up.
    pub(crate) url: Option<String>,
}

/// The right to say something in answer to an interaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hook {
    /// The interaction's token.
    pub(crate) token: String,
    /// Until when.
    pub(crate) until: Timestamp,
    /// The person was told to wait: the first words go there.
    pub(crate) thinking: bool,
    /// Only the person sees that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
    /// Where it was got: what is said by it is shown there.
    #[serde(default)]
    pub(crate) channel: String,
    /// The words that went there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filled: Option<Filled>,
}

/// Words that took the place of those that told a person to wait: noted with that, so that another try knows of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Filled {
    /// The delivery.
    pub(crate) delivery: chat::ReplyId,
    /// Which of its messages.
    pub(crate) no: usize,
    /// The message's channel.
    pub(crate) channel: String,
    /// The message.
    pub(crate) message: String,
}

/// A window that was sent and found wrong. Secret answers are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    /// Of a whole page, else of the question that the presses are of.
    pub(crate) page: bool,
    /// The question, where it is of one.
    pub(crate) token: chat::Token,
    /// What was sent.
    pub(crate) presses: Vec<Press>,
}

/// A private question asked in a direct message about a session elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Aside {
    /// The direct channel.
    pub(crate) channel: String,
    /// Its screen.
    pub(crate) nonce: Nonce,
}

/// A thread in which one person fills in forms begun elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Room {
    /// Its id, as of a channel.
    pub(crate) thread: String,
    /// Where the forms were begun.
    pub(crate) place: Place,
    /// Whose it is.
    pub(crate) user: UserId,
}

/// Channels where somebody fills in a form, to be read again after an interruption.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Watched(pub(crate) BTreeMap<String, Watch>);

/// How far a channel was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Watch {
    /// The server; empty for direct messages.
    pub(crate) guild: String,
    /// The last message known.
    pub(crate) after: String,
}

impl Watched {
    /// Channels remembered; the ones read longest ago go first.
    const MOST: usize = 200;

    /// Notes a message; tells whether that changed anything.
    pub(crate) fn note(&mut self, channel: &str, guild: &str, message: &str) -> bool {
        let number = |id: &str| id.parse::<u64>().unwrap_or_default();
        let newer = self.0.get(channel).is_none_or(|watch| number(&watch.after) < number(message));
        if newer {
            let watch = Watch { guild: guild.to_owned(), after: message.to_owned() };
            self.0.insert(channel.to_owned(), watch);
            while self.0.len() > Self::MOST {
                let oldest = self.0.iter().min_by_key(|(_, watch)| number(&watch.after));
                let Some(oldest) = oldest.map(|(channel, _)| channel.clone()) else { break };
                self.0.remove(&oldest);
            }
        }
        newer
    }
}

impl Notes {
    /// Notes in this host's store.
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, changing: Arc::new(std::array::from_fn(|_| tokio::sync::Mutex::default())) }
    }

    /// The connection of a shard.
    pub(crate) async fn session(&self, shard: u32) -> Result<Option<Session>, HostError> {
        self.read(&format!("gateway/{shard}")).await
    }

    /// Keeps the connection of a shard, or forgets it.
    pub(crate) async fn keep_session(&self, shard: u32, session: Option<&Session>) -> Result<(), HostError> {
        self.write(format!("gateway/{shard}"), None, session).await
    }

    /// The rights to answer a person at a place that still hold, the newest last.
    pub(crate) async fn hooks(&self, place: &Place, user: &UserId, now: Timestamp) -> Result<Vec<Hook>, HostError> {
        let hooks: Option<Vec<Hook>> = self.read(&key("hooks", place, user)).await?;
        Ok(hooks.unwrap_or_default().into_iter().filter(|hook| hook.until > now).collect())
    }

    /// Adds a right to answer. The last few are kept. One that is known stays as it is: Discord tells of an interaction
    /// once more after an interruption, and who was answered waits no longer.
    pub(crate) async fn add_hook(
        &self,
        place: &Place,
        user: &UserId,
        hook: Hook,
        now: Timestamp,
    ) -> Result<(), HostError> {
        let add = |hooks: &mut Vec<Hook>| {
            if hooks.iter().any(|known| known.token == hook.token) {
                return;
            }
            hooks.push(hook);
            let surplus = hooks.len().saturating_sub(4);
            hooks.drain(..surplus);
        };
        self.change_hooks(place, user, now, add).await
    }

    /// Changes the rights to answer a person at a place.
    pub(crate) async fn change_hooks(
        &self,
        place: &Place,
        user: &UserId,
        now: Timestamp,
        change: impl FnOnce(&mut Vec<Hook>),
    ) -> Result<(), HostError> {
        let key = key("hooks", place, user);
        let sum: usize = key.bytes().map(usize::from).sum();
        let _one_at_a_time = self.changing[sum % LOCKS].lock().await;
        let mut hooks = self.hooks(place, user, now).await?;
        change(&mut hooks);
        self.write(key, Some(user), (!hooks.is_empty()).then_some(&hooks)).await
    }

    /// What was sent and found wrong on a screen.
    pub(crate) async fn draft(&self, nonce: &Nonce) -> Result<Option<Draft>, HostError> {
        self.read(&format!("draft/{}", nonce.as_str())).await
    }

    /// Keeps what was sent and found wrong, or forgets it.
    pub(crate) async fn keep_draft(
        &self,
        nonce: &Nonce,
        user: &UserId,
        draft: Option<&Draft>,
    ) -> Result<(), HostError> {
        self.write(format!("draft/{}", nonce.as_str()), Some(user), draft).await
    }

    /// The private question that a person's direct messages answer.
    pub(crate) async fn aside(&self, user: &UserId) -> Result<Option<Aside>, HostError> {
        self.read(&format!("aside/{user}")).await
    }

    /// How many messages of a delivery have arrived, where more are to follow.
    pub(crate) async fn arrived(&self, delivery: &ReplyId) -> Result<usize, HostError> {
        Ok(self.read(&format!("arrived/{delivery}")).await?.unwrap_or_default())
    }

    /// Keeps how many messages of a delivery have arrived, or forgets it.
    pub(crate) async fn keep_arrived(
        &self,
        delivery: &ReplyId,
        user: &UserId,
        count: Option<usize>,
    ) -> Result<(), HostError> {
        self.write(format!("arrived/{delivery}"), Some(user), count.as_ref()).await
    }

    /// Keeps the private question that a person's direct messages answer, or forgets it.
    pub(crate) async fn keep_aside(&self, user: &UserId, aside: Option<&Aside>) -> Result<(), HostError> {
        self.write(format!("aside/{user}"), Some(user), aside).await
    }

    /// The thread of a person at a place.
    pub(crate) async fn room_of(&self, place: &Place, user: &UserId) -> Result<Option<String>, HostError> {
        self.read(&key("room-of", place, user)).await
    }

    /// The person and the place that a channel is the thread of.
    pub(crate) async fn room(&self, channel: &str) -> Result<Option<Room>, HostError> {
        self.read(&format!("room/{channel}")).await
    }

    /// Keeps the thread of a person at a place, or forgets it.
    pub(crate) async fn keep_room(&self, place: &Place, user: &UserId, room: Option<&Room>) -> Result<(), HostError> {
        if let Some(room) = room {
            self.write(format!("room/{}", room.thread), Some(user), Some(room)).await?;
        }
        self.write(key("room-of", place, user), Some(user), room.map(|room| &room.thread)).await
    }

    /// The language of a person, as their last interaction told it: messages do not tell it.
    pub(crate) async fn language(&self, user: &UserId) -> Result<Option<String>, HostError> {
        self.read(&format!("lang/{user}")).await
    }

    /// Keeps the language of a person.
    pub(crate) async fn keep_language(&self, user: &UserId, lang: &str) -> Result<(), HostError> {
        self.write(format!("lang/{user}"), Some(user), Some(&lang)).await
    }

    /// Servers that have commands of their own.
    pub(crate) async fn servers(&self) -> Result<BTreeSet<String>, HostError> {
        Ok(self.read("servers").await?.unwrap_or_default())
    }

    /// Keeps which servers have commands of their own.
    pub(crate) async fn keep_servers(&self, servers: &BTreeSet<String>) -> Result<(), HostError> {
        self.write("servers".to_owned(), None, Some(servers)).await
    }

    /// Channels to be read after an interruption.
    pub(crate) async fn watched(&self) -> Result<Watched, HostError> {
        Ok(self.read("channels").await?.unwrap_or_default())
    }

    /// Keeps the channels to be read after an interruption.
    pub(crate) async fn keep_watched(&self, watched: &Watched) -> Result<(), HostError> {
        self.write("channels".to_owned(), None, Some(watched)).await
    }

    async fn read<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, HostError> {
        let note = self.host.recall(&Platform::new(PLATFORM), key).await?;
        // What an older version wrote and this one cannot read is as good as gone.
        Ok(note.and_then(|note| serde_json::from_value(note).ok()))
    }

    async fn write<T: Serialize>(
        &self,
        key: String,
        owner: Option<&UserId>,
        value: Option<&T>,
    ) -> Result<(), HostError> {
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        self.host.remember(Note { platform: Platform::new(PLATFORM), key, owner: owner.cloned(), value }).await
    }
}

fn key(kind: &str, place: &Place, user: &UserId) -> String {
    format!("{kind}/{}:{}:{user}", place.workspace, place.channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_message_of_a_channel_is_noted_and_old_channels_are_forgotten() {
        let mut watched = Watched::default();
        assert!(watched.note("1", "g", "100"));
        assert!(!watched.note("1", "g", "99"));
        assert!(watched.note("1", "g", "1000"));
        for no in 0..300 {
            watched.note(&format!("c{no}"), "", &(2000 + no).to_string());
        }
        assert_eq!(watched.0.len(), Watched::MOST);
        assert!(!watched.0.contains_key("1"));
    }
}
