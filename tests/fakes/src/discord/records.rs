//! What the fake keeps of each person, channel, message and interaction.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::time::Instant;

use super::check::Mentions;

/// The kind of a conversation among people.
pub(super) const GROUP: u8 = 3;

/// A person, or the bot.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) nick: Option<String>,
    pub(super) locale: String,
    pub(super) roles: Vec<u64>,
    /// Takes no messages of the bot.
    pub(super) blocks: bool,
    /// When they last did something, per channel.
    pub(super) acted: BTreeMap<u64, u64>,
    /// A window that is open before them.
    pub(super) modal: Option<OpenModal>,
}

/// A window before a person.
#[derive(Clone, Debug)]
pub(super) struct OpenModal {
    pub(super) data: Value,
    pub(super) channel: u64,
    /// The message of the button that opened it.
    pub(super) message: Option<u64>,
}

/// Where messages stand.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    /// As Discord numbers kinds: 0 text, 1 direct, 3 among people, 11 thread, 12 private thread.
    pub(super) kind: u8,
    /// The channel that a thread belongs to.
    pub(super) parent: Option<u64>,
    /// The person of a direct channel.
    pub(super) with: Option<u64>,
    /// Those who see a private thread, beside the bot.
    pub(super) members: Vec<u64>,
    /// The bot is not there: people have it with their own account.
    pub(super) absent: bool,
    /// The bot does not see it.
    pub(super) hidden: bool,
    /// The bot may not write.
    pub(super) muted: bool,
    /// The bot may not delete what others wrote.
    pub(super) keeps: bool,
    /// The bot may not make threads.
    pub(super) threadless: bool,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) id: u64,
    pub(super) channel: u64,
    pub(super) author: u64,
    /// As Discord gives it, without what differs between receivers.
    pub(super) body: Value,
    /// Bodies before edits, the newest last.
    pub(super) before: Vec<Value>,
    /// The only person who sees it.
    pub(super) only_for: Option<u64>,
    /// The interaction that it answers.
    pub(super) interaction: Option<u64>,
    /// An answer that was promised.
    pub(super) thinking: bool,
    pub(super) deleted: bool,
    /// When it last changed.
    pub(super) touched: u64,
    /// Words of Discord itself.
    pub(super) notice: bool,
    /// Whom it pinged.
    pub(super) pings: Mentions,
}

/// Something a person did with the application.
#[derive(Clone, Debug)]
pub(super) struct Interaction {
    pub(super) token: String,
    /// 2 command, 3 component, 4 autocomplete, 5 modal.
    pub(super) kind: u8,
    pub(super) person: u64,
    pub(super) channel: u64,
    /// The message of the component.
    pub(super) message: Option<u64>,
    pub(super) at: Instant,
    /// The type of the first answer.
    pub(super) answered: Option<u8>,
    /// The message that the first answer made or changed.
    pub(super) original: Option<u64>,
    /// How much was said after the first answer.
    pub(super) follow_ups: u32,
    /// Choices of an autocomplete.
    pub(super) choices: Vec<Value>,
    pub(super) failed: bool,
}

impl Channel {
    pub(super) fn named(name: String) -> Self {
        Self {
            name,
            kind: 0,
            parent: None,
            with: None,
            members: Vec::new(),
            absent: false,
            hidden: false,
            muted: false,
            keeps: false,
            threadless: false,
        }
    }

    /// Whether a person sees what is written there.
    pub(super) fn shows(&self, person: u64) -> bool {
        self.kind != 12 || self.members.contains(&person)
    }
}
