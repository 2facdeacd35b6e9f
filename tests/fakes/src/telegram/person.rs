//! People, and what they do.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::eyes::{Found, until};
use super::world::{BOT, Kind, Membership, World, buttons, label};
use super::{Group, Shared, words};

/// A person with an account.
#[derive(Clone)]
pub struct Person {
    pub(super) shared: Arc<Shared>,
    pub(super) id: i64,
}

/// A person in a chat.
#[derive(Clone)]
pub struct Seat {
    pub(super) shared: Arc<Shared>,
    pub(super) user: i64,
    chat: i64,
    pub(super) topic: Option<i64>,
}

impl Person {
    pub(super) fn new(shared: Arc<Shared>, id: i64) -> Self {
        Self { shared, id }
    }

    /// The person's id, as Telegram spells it.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// The person's program is in this language; the empty one hides it.
    pub fn speaking(self, language: &str) -> Self {
        if let Some(card) = self.shared.world().people.get_mut(&self.id) {
            card.language = (!language.is_empty()).then(|| language.to_owned());
        }
        self
    }

    /// The person's number, as Telegram sends it: without a plus.
    pub fn with_phone(self, phone: &str) -> Self {
        if let Some(card) = self.shared.world().people.get_mut(&self.id) {
            phone.clone_into(&mut card.phone);
        }
        self
    }

    /// The person's private chat with the bot. The bot may not write there before the person has.
    pub fn in_private(&self) -> Seat {
        let chat = self.shared.world().private(self.id);
        Seat { shared: Arc::clone(&self.shared), user: self.id, chat, topic: None }
    }

    /// The person in a group; in a forum, in its general topic.
    pub fn in_group(&self, group: &Group) -> Seat {
        let chat = group.id();
        self.shared.world().chat(chat).members.insert(self.id);
        Seat { shared: Arc::clone(&self.shared), user: self.id, chat, topic: None }
    }

    /// The person in a topic of a forum, which is made where it is new.
    pub fn in_topic(&self, group: &Group, topic: &str) -> Seat {
        Seat { topic: Some(group.topic(topic)), ..self.in_group(group) }
    }
}

impl Seat {
    pub(super) fn chat_in(&self, world: &World) -> i64 {
        world.moved(self.chat)
    }

    /// The chat's id, as Telegram spells it.
    pub fn chat_id(&self) -> i64 {
        self.chat_in(&self.shared.world())
    }

    /// Who sits here.
    pub fn person(&self) -> Person {
        Person::new(Arc::clone(&self.shared), self.user)
    }

    /// Writes a message. Where the bot has opened the input line as an answer, it is one.
    pub async fn writes(&self, text: &str) {
        let reply = self.forced(&self.shared.world());
        self.sends(text_content(text), reply, None).await;
    }

    /// Writes a message that answers nothing, even where the bot has opened the input line.
    pub async fn writes_aside(&self, text: &str) {
        self.sends(text_content(text), None, None).await;
    }

    /// Answers the newest message here that has these words.
    pub async fn replies(&self, to: &str, text: &str) {
        let what = format!("“{to}” to reply to");
        let answered = until(&self.shared, &what, |world| {
            let newest = self.messages(world).rev().find(|message| !message.gone && message.words().contains(to));
            newest.map(|message| message.id)
        });
        let answered = answered.await;
        self.sends(text_content(text), Some(answered), None).await;
    }

    /// Uses a command of the bot's menu. In a group, the program adds the bot's name.
    ///
    /// # Panics
    /// Where the menu has no such command.
    pub async fn uses(&self, command: &str) {
        let what = format!("/{command} in the menu");
        let name = until(&self.shared, &what, |world| {
            let menu = super::menus::shown(world, self.user, self.chat_in(world));
            menu.iter().any(|known| known["command"] == command).then(|| world.settings.username.clone())
        })
        .await;
        let text = if self.chat > 0 { format!("/{command}") } else { format!("/{command}@{name}") };
        self.writes_aside(&text).await;
    }

    /// Opens the chat by its start button, or by a link that brings something along.
    pub async fn starts(&self, with: &str) {
        let text = if with.is_empty() { "/start".to_owned() } else { format!("/start {with}") };
        self.writes_aside(&text).await;
    }

    /// Changes the words of the person's newest message.
    ///
    /// # Panics
    /// Where there is none.
    pub async fn edits(&self, text: &str) {
        {
            let mut world = self.shared.world();
            let chat = self.chat_in(&world);
            let id = self.messages(&world).rev().find(|message| message.from == self.user).map(|message| message.id);
            let (date, change, now) = (world.date(), world.changed(), world.now());
            let Some(message) = id.and_then(|id| world.message(chat, id)) else {
                panic!("there is no message to edit")
            };
            message.content = text_content(text);
            message.edited = Some(date);
            message.change = change;
            let id = message.id;
            let wire = world.wire(chat, id);
            world.updates.push("edited_message", wire, now);
            world.marks.insert((self.user, chat), change);
        }
        self.tell().await;
    }

    /// Presses the button with this label, as soon as there is one: under the newest message that has it, or in place of
    /// the person's own keyboard. A mark before the label, such as `☑`, may be left out.
    ///
    /// # Panics
    /// When no such button comes, or when it opens an address (see [`Seat::follows`]).
    pub async fn presses(&self, wanted: &str) {
        let found = self.waits_for_button(wanted).await;
        if !found.inline {
            self.types(&found).await;
            return;
        }
        let Some(data) = found.button["callback_data"].as_str() else {
            panic!("[{wanted}] is no button that comes back to the bot: {}", found.button);
        };
        self.sends_press(found.message, data).await;
    }

    /// Presses a button twice before the bot can do anything about it.
    pub async fn presses_twice(&self, wanted: &str) {
        let found = self.waits_for_button(wanted).await;
        let data = found.button["callback_data"].as_str().unwrap_or_default();
        self.sends_press(found.message, data).await;
        self.sends_press(found.message, data).await;
    }

    /// Presses several buttons of a list, each once it has been answered, then goes on.
    pub async fn picks(&self, wanted: &[&str]) {
        for label in wanted {
            self.presses(label).await;
            self.press_is_answered().await;
        }
    }

    /// Waits until the bot has answered this person's presses.
    pub async fn press_is_answered(&self) {
        let user = self.user;
        let mine =
            |world: &mut World| world.queries.values().filter(|query| query.user == user).all(|query| query.answered);
        until(&self.shared, "an answer to a press", |world| mine(world).then_some(())).await;
    }

    /// Presses a button that was there once but is gone, or whose message is gone, on a screen that was not refreshed.
    ///
    /// # Panics
    /// Where there never was one.
    pub async fn presses_old(&self, wanted: &str) {
        let found = {
            let world = self.shared.world();
            let past = self.messages(&world).rev().filter(|message| message.from == BOT);
            let fits = |button: &&Value| label(button) == wanted || super::eyes::bare(label(button)) == wanted;
            past.into_iter().find_map(|message| {
                let button = message.past.iter().rev().flat_map(buttons).find(fits)?;
                Some((message.id, button["callback_data"].as_str().unwrap_or_default().to_owned()))
            })
        };
        match found {
            Some((message, data)) => self.sends_press(message, &data).await,
            None => panic!("there never was a button [{wanted}]\n{}", self.screen()),
        }
    }

    /// Presses a button on a screen that is another person's.
    pub async fn presses_of(&self, other: &Seat, wanted: &str) {
        let found = other.waits_for_button(wanted).await;
        let data = found.button["callback_data"].as_str().unwrap_or_default();
        self.sends_press(found.message, data).await;
    }

    /// Sends a press with any data, as a program that is not Telegram's may.
    pub async fn forges_press(&self, data: &str) {
        let newest = {
            let world = self.shared.world();
            self.messages(&world).rev().find(|message| message.from == BOT).map(|message| message.id)
        };
        self.sends_press(newest.unwrap_or(1), data).await;
    }

    /// Follows a link on a button to the bot's private chat, and presses start there.
    ///
    /// # Panics
    /// Where the link leads elsewhere, or brings along what a link cannot.
    pub async fn follows(&self, wanted: &str) -> Seat {
        let found = self.waits_for_button(wanted).await;
        let url = found.button["url"].as_str().unwrap_or_default().to_owned();
        let bot = self.shared.world().settings.username.clone();
        let with = url.strip_prefix(&format!("https://t.me/{bot}?start="));
        let Some(with) = with else { panic!("[{wanted}] leads to {url}, not to the bot") };
        let spelled = with.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        assert!((1..=64).contains(&with.len()) && spelled, "a link cannot bring along “{with}”");
        let seat = self.person().in_private();
        seat.starts(with).await;
        seat
    }

    /// Blocks the bot, or lets it write again. Only in a private chat.
    pub async fn blocks_bot(&self, blocks: bool) {
        {
            let mut world = self.shared.world();
            let (chat, now) = (self.chat_in(&world), world.now());
            world.chat(chat).blocked = blocks;
            let status = if blocks { "kicked" } else { "member" };
            let member = json!({"user": world.user(BOT), "status": status, "until_date": 0});
            let change = json!({
                "chat": world.chat_json(chat), "from": world.user(self.user), "date": world.date(),
                "old_chat_member": {"user": world.user(BOT), "status": "member"}, "new_chat_member": member,
            });
            world.updates.push("my_chat_member", change, now);
        }
        self.tell().await;
    }

    async fn waits_for_button(&self, wanted: &str) -> Found {
        let what = format!("a button [{wanted}] to press");
        until(&self.shared, &what, |world| self.button(world, wanted)).await
    }

    /// A key of the keyboard that took the place of the person's own.
    async fn types(&self, found: &Found) {
        let asks = |key: &str| found.button[key] == true;
        let keyboard = Some(found.message);
        if asks("request_contact") {
            let contact = {
                let world = self.shared.world();
                let card = &world.people[&self.user];
                json!({"phone_number": card.phone, "first_name": card.name, "user_id": self.user})
            };
            self.sends(one("contact", contact), keyboard, None).await;
        } else if asks("request_location") {
            let (lat, lng) = self.shared.world().people[&self.user].place;
            self.sends(one("location", json!({"latitude": lat, "longitude": lng})), keyboard, None).await;
        } else if !found.button["request_users"].is_null() {
            panic!("this button asks for a person: use shares_person");
        } else {
            let reply = keyboard.filter(|_| self.chat < 0);
            self.sends(text_content(label(&found.button)), reply, None).await;
        }
    }

    pub(super) async fn sends(&self, content: Map<String, Value>, reply_to: Option<i64>, album: Option<String>) {
        {
            let mut world = self.shared.world();
            let chat = self.chat_in(&world);
            let id = world.add(chat, self.user, self.topic, content, reply_to);
            if let Some(message) = world.message(chat, id) {
                message.album = album;
            }
            if chat > 0 {
                let chat = world.chat(chat);
                chat.started = true;
                chat.blocked = false;
            }
            let (change, now) = (world.change, world.now());
            world.marks.insert((self.user, chat), change);
            if hears(&world, chat, id) {
                let wire = world.wire(chat, id);
                world.updates.push("message", wire, now);
            }
        }
        self.tell().await;
    }

    pub(super) async fn sends_press(&self, message: i64, data: &str) {
        {
            let mut world = self.shared.world();
            let (chat, now, change) = (self.chat_in(&world), world.now(), world.changed());
            let id = world.next_query();
            let gone = world.message(chat, message).is_none_or(|message| message.gone);
            let wire = if gone {
                json!({"chat": world.chat_json(chat), "message_id": message, "date": 0})
            } else {
                world.wire(chat, message)
            };
            let query = json!({
                "id": id, "from": world.user(self.user), "message": wire, "chat_instance": format!("-{}", chat.abs()),
                "data": data,
            });
            let kept = super::world::Query { user: self.user, chat, at: now, answered: false };
            world.queries.insert(id, kept);
            world.marks.insert((self.user, chat), change);
            world.updates.push("callback_query", query, now);
        }
        self.tell().await;
    }

    /// Tells the others, and lets them go on.
    pub(super) async fn tell(&self) {
        self.shared.tell();
        tokio::task::yield_now().await;
    }
}

/// Whether the bot gets a message: in a group, unless it reads everything there, only commands, mentions of it and
/// answers to it.
fn hears(world: &World, chat: i64, id: i64) -> bool {
    let Some(chat) = world.chats.get(&chat) else { return false };
    let Some(message) = chat.messages.iter().find(|message| message.id == id) else { return false };
    if chat.kind == Kind::Private {
        return true;
    }
    let from_bot = world.people.get(&message.from).is_some_and(|person| person.is_bot);
    if chat.bot == Membership::Kicked {
        return false;
    }
    let reads = world.settings.reads_groups || chat.bot == Membership::Admin;
    if reads || from_bot {
        return reads;
    }
    let text = message.words();
    let named = format!("@{}", world.settings.username);
    let named = words::mentions(&text).iter().any(|(_, word)| word.eq_ignore_ascii_case(&named));
    let command = text.strip_prefix('/').map(|rest| rest.split_whitespace().next().unwrap_or_default());
    let ours = command.is_some_and(|command| {
        command.split_once('@').is_none_or(|(_, bot)| bot.eq_ignore_ascii_case(&world.settings.username))
    });
    let answered = message.reply_to.and_then(|id| chat.messages.iter().find(|other| other.id == id));
    named || ours || answered.is_some_and(|answered| answered.from == BOT)
}

pub(super) fn text_content(text: &str) -> Map<String, Value> {
    let mut content = one("text", json!(text));
    let entities = words::entities(text);
    if !entities.is_empty() {
        content.insert("entities".to_owned(), Value::Array(entities));
    }
    content
}

pub(super) fn one(key: &str, value: Value) -> Map<String, Value> {
    let mut content = Map::new();
    content.insert(key.to_owned(), value);
    content
}
