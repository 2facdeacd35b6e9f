//! The workspace: persons, channels, messages, views, and what of them is still good.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::Answer;

/// The workspace's id.
pub(super) const TEAM: &str = "T0FAKE";
/// The app's id.
pub(super) const APP: &str = "A0FAKE";
/// The bot's user id.
pub(super) const BOT: &str = "U0BOT";
/// The bot's bot id.
pub(super) const BOT_ID: &str = "B0BOT";
/// Scopes that a token has unless a test says otherwise.
pub(super) const SCOPES: [&str; 15] = [
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "team:read",
    "users:read",
    "reactions:write",
];

/// A person of the workspace, or the bot.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) locale: String,
    pub(super) zone: String,
}

/// What kind of conversation a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Public,
    Private,
    Direct,
}

/// A conversation.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) members: BTreeSet<String>,
    pub(super) archived: bool,
    pub(super) messages: Vec<Message>,
}

/// A message.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    pub(super) ts: String,
    /// The first message of the thread that it stands in.
    pub(super) thread: Option<String>,
    pub(super) from: String,
    pub(super) text: String,
    pub(super) blocks: Vec<Value>,
    /// The only person who sees it.
    pub(super) only: Option<String>,
    pub(super) metadata: Option<Value>,
    pub(super) files: Vec<Value>,
    pub(super) edited: bool,
    /// What its blocks were before, for those who still see them so.
    pub(super) before: Vec<Vec<Value>>,
    /// When it was last changed, counted in changes of the workspace.
    pub(super) changed: u64,
}

/// A view that is, or was, on someone's screen.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) id: String,
    pub(super) user: String,
    pub(super) hash: String,
    pub(super) root: String,
    pub(super) previous: Option<String>,
    /// As the app gave it, with ids for all blocks.
    pub(super) body: Value,
    /// Problems shown at its blocks.
    pub(super) problems: BTreeMap<String, String>,
    /// Slack's own sentence on it, such as that the app did not answer.
    pub(super) notice: Option<String>,
}

/// What a person did, good for opening one view.
#[derive(Clone, Debug)]
pub(super) struct Trigger {
    pub(super) user: String,
    pub(super) at: Instant,
    pub(super) used: bool,
    /// The view it came from.
    pub(super) view: Option<String>,
}

/// A way to answer what a person did.
#[derive(Clone, Debug)]
pub(super) struct ResponseUrl {
    pub(super) channel: String,
    pub(super) user: String,
    pub(super) at: Instant,
    pub(super) uses: u32,
    /// The message that was pressed; none for a command.
    pub(super) message: Option<String>,
    pub(super) thread: Option<String>,
}

/// Everything.
pub(super) struct World {
    pub(super) users: BTreeMap<String, User>,
    pub(super) channels: BTreeMap<String, Channel>,
    pub(super) files: BTreeMap<String, Value>,
    pub(super) views: BTreeMap<String, View>,
    /// The modals on each person's screen, the one in front last.
    pub(super) stacks: BTreeMap<String, Vec<String>>,
    /// Each person's App Home.
    pub(super) homes: BTreeMap<String, String>,
    pub(super) triggers: BTreeMap<String, Trigger>,
    pub(super) urls: BTreeMap<String, ResponseUrl>,
    /// What widgets hold: by person, message or view, block, action.
    pub(super) held: BTreeMap<(String, String), BTreeMap<(String, String), Value>>,
    pub(super) scopes: BTreeSet<String>,
    pub(super) revoked: bool,
    pub(super) refusals: Vec<String>,
    /// What apps said they were doing, as `channel/thread: status`.
    pub(super) statuses: Vec<String>,
    pub(super) pings: Vec<String>,
    pub(super) calls: Vec<(String, Value)>,
    /// What the app has taken, by kind.
    pub(super) taken: Vec<(&'static str, Value)>,
    pub(super) faults: VecDeque<(Option<String>, Answer)>,
    pub(super) windows: Windows,
    /// How fast the app may call; as fast as it likes where none are set.
    pub(super) limits: Option<super::Limits>,
    pub(super) meter: super::limits::Meter,
    /// Calls that were above the limits.
    pub(super) limited: usize,
    pub(super) echoes: bool,
    /// Where the fake is: `http://127.0.0.1:port`.
    pub(super) base: String,
    /// Every event comes twice.
    pub(super) doubles: bool,
    /// Events that are kept back.
    pub(super) withheld: Option<Vec<Value>>,
    pub(super) changes: u64,
    /// An event that what was just done makes.
    pub(super) echo: Option<Value>,
    next: u64,
}

/// The platform's time limits. Tests may shorten them, so that nothing waits.
#[derive(Clone, Debug)]
pub struct Windows {
    /// How long a `trigger_id` opens a view.
    pub trigger: Duration,
    /// How long an envelope, request or suggestion may go unanswered.
    pub answer: Duration,
    /// How long a `response_url` lives.
    pub response_url: Duration,
    /// How often an event that is not acknowledged is sent over sockets.
    pub tries: u32,
    /// Pauses before an event that was not taken over HTTP comes again.
    pub retries: Vec<Duration>,
    /// How long after a `disconnect` frame the socket is closed.
    pub close: Duration,
    /// How often the sockets are pinged; a socket that does not answer by the next ping is closed.
    pub ping: Duration,
    /// How long a person looks for something before a test fails.
    pub patience: Duration,
}

impl Default for Windows {
    fn default() -> Self {
        Self {
            trigger: Duration::from_secs(3),
            answer: Duration::from_secs(3),
            response_url: Duration::from_secs(30 * 60),
            tries: 4,
            retries: vec![Duration::ZERO, Duration::from_secs(60), Duration::from_secs(5 * 60)],
            close: Duration::from_secs(10),
            ping: Duration::from_secs(10),
            patience: Duration::from_secs(10),
        }
    }
}

impl World {
    pub(super) fn new() -> Self {
        let bot = User {
            id: BOT.to_owned(),
            name: "formwright".to_owned(),
            locale: "en-US".to_owned(),
            zone: "UTC".to_owned(),
        };
        Self {
            users: BTreeMap::from([(BOT.to_owned(), bot)]),
            channels: BTreeMap::new(),
            files: BTreeMap::new(),
            views: BTreeMap::new(),
            stacks: BTreeMap::new(),
            homes: BTreeMap::new(),
            triggers: BTreeMap::new(),
            urls: BTreeMap::new(),
            held: BTreeMap::new(),
            scopes: SCOPES.iter().map(|scope| (*scope).to_owned()).collect(),
            revoked: false,
            refusals: Vec::new(),
            statuses: Vec::new(),
            pings: Vec::new(),
            calls: Vec::new(),
            taken: Vec::new(),
            faults: VecDeque::new(),
            windows: Windows::default(),
            limits: None,
            meter: super::limits::Meter::default(),
            limited: 0,
            echoes: true,
            base: String::new(),
            doubles: false,
            withheld: None,
            changes: 0,
            echo: None,
            next: 0,
        }
    }

    /// A number that was not given before.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// An id that was not given before.
    pub(super) fn id(&mut self, kind: &str) -> String {
        format!("{kind}{:08X}", self.number())
    }

    /// The time of a new message: unique, and rising.
    pub(super) fn ts(&mut self) -> String {
        format!("{}.{:06}", seconds(), self.number() % 1_000_000)
    }

    /// The direct message between a person and the bot.
    pub(super) fn direct(&mut self, user: &str) -> String {
        let id = format!("D{}", user.trim_start_matches('U'));
        self.channels.entry(id.clone()).or_insert_with(|| Channel {
            id: id.clone(),
            name: String::new(),
            kind: Kind::Direct,
            members: BTreeSet::from([user.to_owned(), BOT.to_owned()]),
            archived: false,
            messages: Vec::new(),
        });
        id
    }

    pub(super) fn message(&mut self, channel: &str, ts: &str) -> Option<&mut Message> {
        self.channels.get_mut(channel)?.messages.iter_mut().find(|message| message.ts == ts)
    }

    /// Puts a message into its channel; counts whom it pings.
    pub(super) fn post(&mut self, channel: &str, mut message: Message) -> String {
        let ts = message.ts.clone();
        message.changed = self.changes;
        let words = super::draw::spoken(&message.text, &message.blocks);
        if message.from == BOT {
            self.pings.extend(super::draw::pings(&words).into_iter().map(|whom| format!("{whom} in {channel}")));
        }
        if let Some(channel) = self.channels.get_mut(channel) {
            channel.messages.push(message);
        }
        ts
    }

    /// Names blocks that came without ids.
    pub(super) fn named(&mut self, mut blocks: Vec<Value>) -> Vec<Value> {
        super::kit::name_all(&mut blocks, &mut self.next);
        blocks
    }

    pub(super) fn trigger(&mut self, user: &str, view: Option<&str>) -> String {
        let id = format!("{}.{}.{:x}", seconds(), self.number(), 0xfa_4e00 + self.next);
        let trigger = Trigger { user: user.to_owned(), at: Instant::now(), used: false, view: view.map(str::to_owned) };
        self.triggers.insert(id.clone(), trigger);
        id
    }

    /// The person that a trigger stands for, if it still opens a view; the platform's error if not.
    pub(super) fn spend(&mut self, trigger: &str) -> Result<Trigger, &'static str> {
        let life = self.windows.trigger;
        let trigger = self.triggers.get_mut(trigger).ok_or("invalid_trigger_id")?;
        if trigger.used {
            return Err("exchanged_trigger_id");
        }
        if trigger.at.elapsed() > life {
            return Err("expired_trigger_id");
        }
        trigger.used = true;
        Ok(trigger.clone())
    }

    /// A view as answers and payloads show it.
    pub(super) fn shown(&self, id: &str) -> Value {
        let Some(view) = self.views.get(id) else { return Value::Null };
        let body = &view.body;
        let or = |key: &str, other: Value| body.get(key).cloned().unwrap_or(other);
        json!({
            "id": view.id, "team_id": TEAM, "type": body["type"], "blocks": body["blocks"],
            "private_metadata": or("private_metadata", json!("")), "callback_id": or("callback_id", json!("")),
            "state": {"values": self.values(&view.user, id, body["blocks"].as_array().map_or(&[], Vec::as_slice))},
            "hash": view.hash, "title": or("title", json!({"type": "plain_text", "text": "View Title", "emoji": true})),
            "clear_on_close": or("clear_on_close", json!(false)), "notify_on_close": or("notify_on_close", json!(false)),
            "close": or("close", Value::Null), "submit": or("submit", Value::Null),
            "previous_view_id": view.previous, "root_view_id": view.root, "app_id": APP,
            "external_id": or("external_id", json!("")), "app_installed_team_id": TEAM, "bot_id": BOT_ID,
        })
    }

    /// What the widgets among these blocks hold for a person, as payloads show it.
    pub(super) fn values(&self, user: &str, at: &str, blocks: &[Value]) -> Value {
        let held = self.held.get(&(user.to_owned(), at.to_owned()));
        let mut values = serde_json::Map::new();
        for (block, element) in super::kit::elements(blocks) {
            let id = |object: &Value, key: &str| object[key].as_str().unwrap_or_default().to_owned();
            let (block, action) = (id(block, "block_id"), id(element, "action_id"));
            let now = held.and_then(|held| held.get(&(block.clone(), action.clone()))).cloned();
            let Some(now) = now.or_else(|| super::state::at_first(element)) else { continue };
            let of_block = values.entry(block).or_insert_with(|| json!({}));
            of_block[action.as_str()] = now;
        }
        Value::Object(values)
    }
}

/// Seconds since 1970, by the real clock, which signatures are checked against.
pub(super) fn seconds() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
