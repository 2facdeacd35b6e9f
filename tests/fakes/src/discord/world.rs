//! Everything the fake knows, by its ids, and who waits for news. What is known of each thing is in `records`, the
//! gateway in `sessions`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::records::{Account, Channel, GROUP, Interaction, Message};
use super::sessions::{Gateway, Session};
use super::{Answer, Options};

/// The server that all channels belong to.
pub(super) const GUILD: u64 = 1_000_000_000_000_000_007;
/// The bot, which is its application too.
pub(super) const BOT: u64 = 1_100_000_000_000_000_099;

/// The world, shared by all connections.
pub(super) struct World {
    pub(super) options: Options,
    /// `127.0.0.1:PORT`.
    pub(super) address: std::net::SocketAddr,
    state: Mutex<State>,
    news: watch::Sender<u64>,
}

/// What changes.
#[derive(Default)]
pub(super) struct State {
    pub(super) people: BTreeMap<u64, Account>,
    pub(super) channels: BTreeMap<u64, Channel>,
    pub(super) messages: Vec<Message>,
    pub(super) interactions: BTreeMap<u64, Interaction>,
    pub(super) commands: Vec<Value>,
    pub(super) guild_commands: BTreeMap<String, Vec<Value>>,
    pub(super) sessions: BTreeMap<String, Session>,
    pub(super) gateway: Gateway,
    pub(super) answers: VecDeque<(Option<String>, Answer)>,
    pub(super) refusals: Vec<String>,
    pub(super) failed: Vec<String>,
    pub(super) nonces: BTreeMap<(u64, String), (Instant, u64)>,
    pub(super) buckets: BTreeMap<String, (Instant, u32)>,
    pub(super) endpoint: Option<String>,
    pub(super) typed: BTreeMap<u64, u32>,
    pub(super) invalid: u32,
    pub(super) requests: Vec<String>,
    pub(super) roles: BTreeMap<String, u64>,
    last_id: u64,
    /// Counts what happened, for the order of things on a screen.
    pub(super) clock: u64,
}

impl World {
    pub(super) fn new(options: Options, address: std::net::SocketAddr) -> Self {
        let mut state = State::default();
        let bot = Account {
            name: options.bot_name.clone(),
            nick: None,
            locale: "en-US".to_owned(),
            roles: Vec::new(),
            blocks: false,
            acted: BTreeMap::new(),
            modal: None,
        };
        state.people.insert(BOT, bot);
        Self { options, address, state: Mutex::new(state), news: watch::Sender::new(0) }
    }

    /// Looks and changes; whoever waits looks again.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let done = change(&mut self.lock());
        self.news.send_modify(|count| *count += 1);
        done
    }

    /// Looks.
    pub(super) fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// Waits until something can be seen; none after the patience of the options.
    pub(super) async fn wait<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        self.wait_at_most(self.options.patience, &mut look).await
    }

    /// Waits until something can be seen; none after so long.
    pub(super) async fn wait_at_most<T>(
        &self,
        most: Duration,
        mut look: impl FnMut(&mut State) -> Option<T>,
    ) -> Option<T> {
        let mut news = self.news.subscribe();
        let seen = async {
            loop {
                news.borrow_and_update();
                let seen = look(&mut self.lock());
                if let Some(seen) = seen {
                    return Some(seen);
                }
                if news.changed().await.is_err() {
                    return None;
                }
            }
        };
        tokio::time::timeout(most, seen).await.ok().flatten()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request that was refused, or what in it nobody reads.
    pub(super) fn refuse(&self, line: String) {
        tracing::debug!(line, "fake discord refuses");
        self.change(|state| state.refusals.push(line));
    }
}

impl State {
    /// A new snowflake, greater than all before.
    pub(super) fn id(&mut self) -> u64 {
        const EPOCH: u64 = 1_420_070_400_000;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(since.as_millis()).unwrap_or_default().saturating_sub(EPOCH);
        self.last_id = (millis << 22).max(self.last_id + 1);
        self.last_id
    }

    /// One step further in the order of things.
    pub(super) fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// A person by name, made if there is none.
    pub(super) fn person(&mut self, name: &str) -> u64 {
        let known = self.people.iter().find(|(id, account)| **id != BOT && account.name == name);
        if let Some((id, _)) = known {
            return *id;
        }
        let id = self.id();
        let account = Account {
            name: name.to_owned(),
            nick: None,
            locale: "en-US".to_owned(),
            roles: Vec::new(),
            blocks: false,
            acted: BTreeMap::new(),
            modal: None,
        };
        self.people.insert(id, account);
        id
    }

    /// A channel of the server by name, made if there is none.
    pub(super) fn channel(&mut self, name: &str) -> u64 {
        self.place(name, 0, None, None)
    }

    /// A thread of a channel.
    pub(super) fn thread(&mut self, channel: &str, name: &str) -> u64 {
        let parent = self.channel(channel);
        self.place(name, 11, Some(parent), None)
    }

    /// A private thread of a channel, made anew.
    pub(super) fn private_thread(&mut self, parent: u64, name: &str) -> u64 {
        let id = self.id();
        let name = name.to_owned();
        let channel = Channel { kind: 12, parent: Some(parent), ..Channel::named(name) };
        self.channels.insert(id, channel);
        id
    }

    /// A conversation among people, without the bot.
    pub(super) fn group(&mut self, name: &str) -> u64 {
        let id = self.place(name, GROUP, None, None);
        if let Some(channel) = self.channels.get_mut(&id) {
            (channel.absent, channel.hidden) = (true, true);
        }
        id
    }

    /// The direct channel with a person.
    pub(super) fn direct(&mut self, person: u64) -> u64 {
        self.place("", 1, None, Some(person))
    }

    fn place(&mut self, name: &str, kind: u8, parent: Option<u64>, with: Option<u64>) -> u64 {
        let same = |channel: &Channel| {
            channel.name == name && channel.kind == kind && channel.parent == parent && channel.with == with
        };
        if let Some((id, _)) = self.channels.iter().find(|(_, channel)| same(channel)) {
            return *id;
        }
        let id = self.id();
        let channel = Channel { kind, parent, with, ..Channel::named(name.to_owned()) };
        self.channels.insert(id, channel);
        id
    }

    /// A role of the server by name, made if there is none.
    pub(super) fn role(&mut self, name: &str) -> u64 {
        if let Some(id) = self.roles.get(name) {
            return *id;
        }
        let id = self.id();
        self.roles.insert(name.to_owned(), id);
        id
    }

    /// A message that was not deleted.
    pub(super) fn message(&self, id: u64) -> Option<&Message> {
        self.messages.iter().rev().find(|message| message.id == id && !message.deleted)
    }

    /// The same, to change it.
    pub(super) fn message_mut(&mut self, id: u64) -> Option<&mut Message> {
        self.messages.iter_mut().rev().find(|message| message.id == id && !message.deleted)
    }

    /// Adds a message; gives its id.
    pub(super) fn add(&mut self, author: u64, channel: u64, body: Value) -> u64 {
        let id = self.id();
        let touched = self.tick();
        let message = Message {
            id,
            channel,
            author,
            body,
            before: Vec::new(),
            only_for: None,
            interaction: None,
            thinking: false,
            deleted: false,
            touched,
            notice: false,
            pings: super::check::Mentions::default(),
        };
        self.messages.push(message);
        id
    }

    /// Words of Discord itself, for one person.
    pub(super) fn notice(&mut self, person: u64, channel: u64, words: &str) {
        let id = self.add(BOT, channel, json!({"content": words}));
        if let Some(message) = self.message_mut(id) {
            message.only_for = Some(person);
            message.notice = true;
        }
    }

    /// An interaction by its id and token.
    pub(super) fn interaction_mut(&mut self, id: u64, token: &str) -> Option<&mut Interaction> {
        self.interactions.get_mut(&id).filter(|interaction| interaction.token == token)
    }

    /// Has the guild's members.
    pub(super) fn is_direct(&self, channel: u64) -> bool {
        self.channels.get(&channel).is_some_and(|channel| channel.kind == 1)
    }
}
