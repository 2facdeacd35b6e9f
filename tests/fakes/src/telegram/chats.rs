//! Groups.

use std::sync::Arc;

use serde_json::json;

use super::person::one;
use super::world::{BOT, Chat, Kind, Membership};
use super::{Person, Shared};

/// A group with the bot in it.
#[derive(Clone)]
pub struct Group {
    shared: Arc<Shared>,
    id: i64,
}

impl Group {
    pub(super) fn new(shared: Arc<Shared>, id: i64) -> Self {
        Self { shared, id }
    }

    /// The group's id now, as Telegram spells it.
    pub fn id(&self) -> i64 {
        self.shared.world().moved(self.id)
    }

    /// The id of a topic, which is made where it is new. Only in a forum.
    ///
    /// # Panics
    /// In a group without topics.
    pub fn topic(&self, name: &str) -> i64 {
        let id = self.id();
        let mut world = self.shared.world();
        assert!(world.chat(id).kind == Kind::Supergroup { forum: true }, "a group without topics");
        if let Some((topic, _)) = world.chat(id).topics.iter().find(|(_, known)| *known == name) {
            return *topic;
        }
        let maker = world.chat(id).members.first().copied().unwrap_or(BOT);
        let created = one("forum_topic_created", json!({"name": name, "icon_color": 7_322_096}));
        let topic = world.add(id, maker, None, created, None);
        if let Some(message) = world.message(id, topic) {
            message.topic = Some(topic);
        }
        world.chat(id).topics.insert(topic, name.to_owned());
        topic
    }

    /// The bot becomes an administrator, who reads everything and may delete; or no longer.
    pub fn has_bot_as_admin(&self, admin: bool) {
        let id = self.id();
        self.shared.world().chat(id).bot = if admin { Membership::Admin } else { Membership::Member };
    }

    /// The bot is thrown out.
    pub fn throws_bot_out(&self) {
        let id = self.id();
        let mut world = self.shared.world();
        world.chat(id).bot = Membership::Kicked;
        let now = world.now();
        let from = world.chat(id).members.first().copied().unwrap_or(BOT);
        let change = json!({
            "chat": world.chat_json(id), "from": world.user(from), "date": world.date(),
            "old_chat_member": {"user": world.user(BOT), "status": "member"},
            "new_chat_member": {"user": world.user(BOT), "status": "kicked", "until_date": 0},
        });
        world.updates.push("my_chat_member", change, now);
        drop(world);
        self.shared.tell();
    }

    /// A person comes in; the group shows it, and the bot is told.
    pub fn welcomes(&self, person: &Person) {
        let id = self.id();
        let mut world = self.shared.world();
        world.chat(id).members.insert(person.id);
        let user = world.user(person.id);
        let message = world.add(id, person.id, None, one("new_chat_members", json!([user])), None);
        let (now, wire) = (world.now(), world.wire(id, message));
        world.updates.push("message", wire, now);
        drop(world);
        self.shared.tell();
    }

    /// The small group becomes a supergroup, which has another id. Who sits in it stays.
    ///
    /// # Panics
    /// Where it is one already.
    pub fn becomes_supergroup(&self) {
        let mut world = self.shared.world();
        assert!(world.chat(self.id).kind == Kind::Group && world.chat(self.id).moved.is_none(), "a supergroup already");
        let new = -1_001_000_000_000 + self.id;
        let (title, members) = (world.chat(self.id).title.clone(), world.chat(self.id).members.clone());
        let mut chat = Chat::new(new, Kind::Supergroup { forum: false }, title);
        chat.members = members;
        world.chats.insert(new, chat);
        world.chat(self.id).moved = Some(new);
        let from = world.chat(new).members.first().copied().unwrap_or(BOT);
        let moves = [(self.id, "migrate_to_chat_id", new), (new, "migrate_from_chat_id", self.id)];
        for (chat, key, other) in moves {
            let message = world.add(chat, from, None, one(key, json!(other)), None);
            let (now, wire) = (world.now(), world.wire(chat, message));
            world.updates.push("message", wire, now);
        }
        drop(world);
        self.shared.tell();
    }
}
