//! People, chats and messages as the wire has them.

use serde_json::{Value, json};

use super::html;
use super::world::{BOT, Kind, Message, World};

impl World {
    /// A user as the wire has it.
    pub(super) fn user(&self, id: i64) -> Value {
        if id == BOT {
            let bot = &self.settings;
            return json!({"id": BOT, "is_bot": true, "first_name": bot.name, "username": bot.username});
        }
        let Some(person) = self.people.get(&id) else { return Value::Null };
        let mut user = json!({
            "id": id, "is_bot": person.is_bot, "first_name": person.name, "username": person.username,
        });
        if let Some(language) = &person.language {
            user["language_code"] = json!(language);
        }
        user
    }

    /// A chat as a message has it.
    pub(super) fn chat_json(&self, id: i64) -> Value {
        let Some(chat) = self.chats.get(&id) else { return Value::Null };
        match chat.kind {
            Kind::Private => {
                let username = self.people.get(&id).map(|person| person.username.clone());
                json!({"id": id, "type": "private", "first_name": chat.title, "username": username})
            }
            Kind::Group => {
                json!({"id": id, "type": "group", "title": chat.title, "all_members_are_administrators": false})
            }
            Kind::Supergroup { forum: false } => json!({"id": id, "type": "supergroup", "title": chat.title}),
            Kind::Supergroup { forum: true } => {
                json!({"id": id, "type": "supergroup", "title": chat.title, "is_forum": true})
            }
        }
    }

    /// A message as the wire has it.
    pub(super) fn wire(&self, chat: i64, id: i64) -> Value {
        let found = self.chats.get(&chat).and_then(|chat| chat.messages.iter().find(|message| message.id == id));
        found.map_or(Value::Null, |message| self.wire_of(message, true))
    }

    fn wire_of(&self, message: &Message, quote: bool) -> Value {
        let mut wire = json!({
            "message_id": message.id, "from": self.user(message.from), "chat": self.chat_json(message.chat),
            "date": message.date,
        });
        let kind = self.chats.get(&message.chat).map(|chat| chat.kind);
        if let Some(topic) = message.topic {
            wire["message_thread_id"] = json!(topic);
            wire["is_topic_message"] = json!(true);
        } else if let (Some(Kind::Supergroup { forum: false }), Some(root)) = (kind, message.reply_to) {
            // In a supergroup without topics, a chain of answers is a thread that no bot should take for a topic.
            wire["message_thread_id"] = json!(root);
        }
        if let Some(edited) = message.edited {
            wire["edit_date"] = json!(edited);
        }
        if let Some(album) = &message.album {
            wire["media_group_id"] = json!(album);
        }
        let answered = message.reply_to.or(message.topic.filter(|topic| *topic != message.id)).filter(|_| quote);
        let chat = answered.and_then(|_| self.chats.get(&message.chat));
        if let Some(answered) = chat.and_then(|chat| chat.messages.iter().find(|other| Some(other.id) == answered)) {
            wire["reply_to_message"] = self.wire_of(answered, false);
        }
        if let Value::Object(fields) = &mut wire {
            fields.extend(message.content.clone());
        }
        if let Some(inline) = &message.inline {
            wire["reply_markup"] = inline.clone();
        }
        wire
    }

    /// Notes whom a message of the bot would wake up.
    pub(super) fn note_pings(&mut self, text: &str, entities: &[Value]) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut silent = vec![false; units.len()];
        for entity in entities {
            let at = |key: &str| entity[key].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
            if matches!(entity["type"].as_str(), Some("code" | "pre")) {
                silent[at("offset")..at("offset") + at("length")].fill(true);
            } else if entity["type"] == "text_mention" {
                self.pings.push(format!("a link to a person in “{text}”"));
            }
        }
        for (from, word) in super::words::mentions(text) {
            let name = word.trim_start_matches('@');
            let known = name == "all" || self.people.values().any(|person| person.username.eq_ignore_ascii_case(name));
            let heard = silent.get(html::units(&text[..from])) != Some(&true);
            if known && heard {
                self.pings.push(format!("{word} in “{text}”"));
            }
        }
    }
}
