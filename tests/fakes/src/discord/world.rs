//! Everything the fake knows: people, channels, messages, interactions, connections, and who waits for news.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::{Answer, Options};

/// The server that all channels belong to.
pub(super) const GUILD: u64 = 1_000_000_000_000_000_007;
/// The bot, which is its application too.
pub(super) const BOT: u64 = 1_100_000_000_000_000_099;

/// The kind of a conversation among people.
pub(super) const GROUP: u8 = 3;

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
    pub(super) pings: super::check::Mentions,
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

/// A session of the gateway; it outlives its connections.
pub(super) struct Session {
    pub(super) intents: u64,
    /// Its number, and how many there are.
    pub(super) shard: (u64, u64),
    pub(super) sequence: u64,
    /// Everything sent, for a resume.
    pub(super) sent: Vec<(u64, Value)>,
    pub(super) connection: Option<mpsc::UnboundedSender<Order>>,
}

/// What a connection of the gateway is told.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// Send a frame.
    Send(Value),
    /// Close with a code.
    Close(u16),
    /// Vanish without a word.
    Drop,
}

/// What the gateway tells.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// A message was written.
    Written(u64),
    /// A message was changed.
    Changed(u64),
    /// A message was deleted from a channel.
    Deleted(u64, u64),
    /// Something was done with the application.
    Interaction(Value),
}

/// Faults of the gateway that last.
#[derive(Default)]
pub(super) struct Gateway {
    /// Takes no connections.
    pub(super) down: bool,
    /// Heartbeats are not answered, and nothing is sent.
    pub(super) zombie: bool,
    /// Events are kept back.
    pub(super) held: Option<Vec<News>>,
    /// Everything told so far.
    pub(super) told: Vec<News>,
    /// All connections, identified or not.
    pub(super) connections: Vec<mpsc::UnboundedSender<Order>>,
    pub(super) identified: u32,
    pub(super) resumed: u32,
    pub(super) beats: u32,
    /// By what is left of the shard's number after dividing by how many may identify at once.
    pub(super) last_identify: BTreeMap<u64, Instant>,
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

impl Channel {
    fn named(name: String) -> Self {
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
