//! What Telegram's servers know: people, chats, messages, updates that wait. Everything here is behind one lock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::rates::Meter;
use super::updates::Updates;
use super::{Fault, Settings};

/// The bot's id; its token begins with it.
pub(super) const BOT: i64 = 4242;

pub(super) struct World {
    pub(super) settings: Settings,
    pub(super) people: BTreeMap<i64, PersonCard>,
    pub(super) chats: BTreeMap<i64, Chat>,
    pub(super) updates: Updates,
    pub(super) queries: BTreeMap<String, Query>,
    pub(super) told: Vec<Told>,
    pub(super) actions: Vec<(i64, u64)>,
    pub(super) files: BTreeMap<String, StoredFile>,
    pub(super) menus: BTreeMap<(String, String), Vec<Value>>,
    pub(super) meter: Meter,
    pub(super) faults: Vec<(Option<String>, Fault)>,
    pub(super) refusals: Vec<String>,
    pub(super) calls: Vec<(String, Value)>,
    pub(super) pings: Vec<String>,
    pub(super) down: bool,
    pub(super) closed: bool,
    /// Rises when all sockets are dropped.
    pub(super) drops: u64,
    /// How far each person has looked: the last change when they last did something in a chat.
    pub(super) marks: BTreeMap<(i64, i64), u64>,
    pub(super) change: u64,
    next_message: i64,
    next_query: i64,
    began: Instant,
    wall: u64,
    skew: Duration,
}

pub(super) struct PersonCard {
    pub(super) name: String,
    pub(super) username: String,
    pub(super) language: Option<String>,
    pub(super) phone: String,
    pub(super) place: (f64, f64),
    pub(super) is_bot: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Private,
    Group,
    Supergroup { forum: bool },
}

pub(super) struct Chat {
    pub(super) id: i64,
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) members: BTreeSet<i64>,
    pub(super) topics: BTreeMap<i64, String>,
    pub(super) messages: Vec<Message>,
    pub(super) bot: Membership,
    /// The person has written to the bot: it may write back.
    pub(super) started: bool,
    pub(super) blocked: bool,
    pub(super) moved: Option<i64>,
    next_message: Option<i64>,
}

/// What the bot is in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Membership {
    Member,
    Admin,
    Kicked,
}

pub(super) struct Message {
    pub(super) id: i64,
    pub(super) chat: i64,
    pub(super) topic: Option<i64>,
    pub(super) from: i64,
    pub(super) date: u64,
    pub(super) edited: Option<u64>,
    /// The fields of its content as they are on the wire.
    pub(super) content: Map<String, Value>,
    /// Buttons under it.
    pub(super) inline: Option<Value>,
    /// A keyboard in place of the person's own, a forced reply, or the end of these.
    pub(super) other: Option<Value>,
    pub(super) reply_to: Option<i64>,
    pub(super) album: Option<String>,
    pub(super) gone: bool,
    pub(super) change: u64,
    /// Buttons that it wore before.
    pub(super) past: Vec<Value>,
}

impl Message {
    /// Its words, or a picture of what it is.
    pub(super) fn words(&self) -> String {
        let text = |key: &str| self.content.get(key).and_then(Value::as_str).unwrap_or_default();
        let what = |key: &str| self.content.get(key);
        let mut words = String::new();
        if let Some(document) = what("document") {
            words = format!("📎 {} ", document["file_name"].as_str().unwrap_or("file"));
        } else if what("photo").is_some() {
            words.push_str("🖼 photo ");
        } else if let Some(contact) = what("contact") {
            words = format!("☎ {} {}", contact["first_name"].as_str().unwrap_or_default(), contact["phone_number"]);
        } else if let Some(venue) = what("venue") {
            words = format!("📍 {}", venue["title"].as_str().unwrap_or_default());
        } else if let Some(location) = what("location") {
            words = format!("📍 {}, {}", location["latitude"], location["longitude"]);
        } else if what("users_shared").is_some() {
            words.push_str("👤 a person");
        }
        words + text("text") + text("caption")
    }

    /// Its words and those on its buttons.
    pub(super) fn seen(&self) -> String {
        let labels: Vec<String> = self.buttons().map(|button| label(button).to_owned()).collect();
        format!("{}\n{}", self.words(), labels.join("\n"))
    }

    pub(super) fn buttons(&self) -> impl Iterator<Item = &Value> {
        self.inline.iter().flat_map(buttons)
    }
}

/// The buttons of a keyboard of either kind.
pub(super) fn buttons(markup: &Value) -> impl Iterator<Item = &Value> {
    let rows = markup["inline_keyboard"].as_array().or_else(|| markup["keyboard"].as_array());
    rows.into_iter().flatten().filter_map(Value::as_array).flatten()
}

pub(super) fn label(button: &Value) -> &str {
    button["text"].as_str().unwrap_or_default()
}

/// A press that the bot may answer once, for a while.
pub(super) struct Query {
    pub(super) user: i64,
    pub(super) chat: i64,
    pub(super) at: Instant,
    pub(super) answered: bool,
}

/// Words in a window that only the presser sees.
pub(super) struct Told {
    pub(super) user: i64,
    pub(super) chat: i64,
    pub(super) words: String,
    pub(super) alert: bool,
    pub(super) change: u64,
}

pub(super) struct StoredFile {
    pub(super) bytes: Vec<u8>,
    pub(super) path: String,
}

impl World {
    pub(super) fn new(settings: Settings) -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self {
            settings,
            people: BTreeMap::new(),
            chats: BTreeMap::new(),
            updates: Updates::new(),
            queries: BTreeMap::new(),
            told: Vec::new(),
            actions: Vec::new(),
            files: BTreeMap::new(),
            menus: BTreeMap::new(),
            meter: Meter::default(),
            faults: Vec::new(),
            refusals: Vec::new(),
            calls: Vec::new(),
            pings: Vec::new(),
            down: false,
            closed: false,
            drops: 0,
            marks: BTreeMap::new(),
            change: 0,
            next_message: 10,
            next_query: 0,
            began: Instant::now(),
            wall,
            skew: Duration::ZERO,
        }
    }

    pub(super) fn now(&self) -> Instant {
        Instant::now() + self.skew
    }

    /// Seconds since 1970.
    pub(super) fn date(&self) -> u64 {
        self.wall + self.now().duration_since(self.began).as_secs()
    }

    pub(super) fn pass(&mut self, time: Duration) {
        self.skew += time;
    }

    pub(super) fn changed(&mut self) -> u64 {
        self.change += 1;
        self.change
    }

    /// A person or bot by name; made when new.
    pub(super) fn person(&mut self, name: &str, is_bot: bool) -> i64 {
        if let Some((id, _)) = self.people.iter().find(|(_, person)| person.name == name) {
            return *id;
        }
        let no = i64::try_from(self.people.len()).unwrap_or(0);
        let id = 7001 + no;
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let username = format!("{}_{}", plain.to_ascii_lowercase(), if is_bot { "bot" } else { "person" });
        let card = PersonCard {
            name: name.to_owned(),
            username,
            language: Some("en".to_owned()),
            phone: format!("39333{:07}", 1_000_001 + no),
            place: (45.4642, 9.19),
            is_bot,
        };
        self.people.insert(id, card);
        id
    }

    /// The private chat with a person; it has the person's id.
    pub(super) fn private(&mut self, user: i64) -> i64 {
        let title = self.people[&user].name.clone();
        self.chats.entry(user).or_insert_with(|| Chat::new(user, Kind::Private, title)).members.insert(user);
        user
    }

    /// A group by its title; made when new.
    pub(super) fn group(&mut self, title: &str, kind: Kind) -> i64 {
        if let Some(chat) = self.chats.values().find(|chat| chat.kind != Kind::Private && chat.title == title) {
            return self.moved(chat.id);
        }
        let no = i64::try_from(self.chats.len()).unwrap_or(0);
        let id = if kind == Kind::Group { -500 - no } else { -1_001_000_000_000 - no };
        self.chats.insert(id, Chat::new(id, kind, title.to_owned()));
        id
    }

    /// Where a chat is now.
    pub(super) fn moved(&self, chat: i64) -> i64 {
        self.chats.get(&chat).and_then(|chat| chat.moved).unwrap_or(chat)
    }

    pub(super) fn chat(&mut self, id: i64) -> &mut Chat {
        match self.chats.get_mut(&id) {
            Some(chat) => chat,
            None => panic!("there is no chat {id}"),
        }
    }

    /// Adds a message and gives its id.
    pub(super) fn add(
        &mut self,
        chat: i64,
        from: i64,
        topic: Option<i64>,
        content: Map<String, Value>,
        reply_to: Option<i64>,
    ) -> i64 {
        let (date, change) = (self.date(), self.changed());
        let shared = self.next_message;
        let chat = self.chat(chat);
        let own = chat.next_message;
        let id = own.unwrap_or(shared);
        if own.is_some() {
            chat.next_message = Some(id + 1);
        }
        chat.messages.push(Message {
            id,
            chat: chat.id,
            topic,
            from,
            date,
            edited: None,
            content,
            inline: None,
            other: None,
            reply_to,
            album: None,
            gone: false,
            change,
            past: Vec::new(),
        });
        if own.is_none() {
            self.next_message += 1;
        }
        id
    }

    pub(super) fn message(&mut self, chat: i64, id: i64) -> Option<&mut Message> {
        self.chats.get_mut(&chat)?.messages.iter_mut().find(|message| message.id == id)
    }

    pub(super) fn next_query(&mut self) -> String {
        self.next_query += 1;
        format!("{}{:06}", 4_382_000_000_000_i64 + BOT, self.next_query)
    }
}

impl Chat {
    pub(super) fn new(id: i64, kind: Kind, title: String) -> Self {
        // Each supergroup counts its own messages; all other chats of a bot share one count.
        let next_message = matches!(kind, Kind::Supergroup { .. }).then_some(1);
        Self {
            id,
            kind,
            title,
            members: BTreeSet::new(),
            topics: BTreeMap::new(),
            messages: Vec::new(),
            bot: Membership::Member,
            started: false,
            blocked: false,
            moved: None,
            next_message,
        }
    }
}
