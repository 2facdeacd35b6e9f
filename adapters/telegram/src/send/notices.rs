//! What the bot says and does beside replies: notices that concern no form, that it is at work, and taking a sensitive
//! answer out of the chat.

use std::sync::Arc;

use formwright_chat::words::{Word, say};
use formwright_chat::{FormCard, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::commands;
use crate::core::{Core, Target};
use crate::render::{self, Key, Markup, Message};
use crate::translate::{self, Incoming, What};

impl Core {
    /// Answers a form's command in a group with a link to the private chat.
    pub(crate) fn lead_aside(self: &Arc<Self>, incoming: &Incoming, form: Option<&str>, lang: &str) {
        let words = say(Word::InPrivate, lang);
        let chat = || format!("https://t.me/{}", self.me.username);
        let row = form
            .map_or_else(|| Some(chat()), |form| commands::link(&self.me.username, form))
            .map(|url| vec![Key::open(url, words)]);
        let markup = row.map_or(Markup::Bare, |row| Markup::Inline(vec![row]));
        self.write(incoming, Message { html: render::html::escape(words), markup });
    }

    /// Says that a form is not there or not theirs, and which they may use here: in a group to them alone where the bot may
    /// write to them, else without the list.
    pub(crate) fn offer(self: &Arc<Self>, incoming: &Incoming, why: &str, lang: &str) {
        const LISTED: usize = 20;
        let may = |form: &FormCard| self.settings.allows(incoming.chat.id, incoming.from.id, Some(&form.id));
        let mut lines = commands::listed(&self.host.forms(), may, lang);
        let more = lines.len() > LISTED;
        lines.truncate(LISTED);
        lines.extend(more.then(|| "…".to_owned()));
        let rest = if lines.is_empty() { say(Word::NothingHere, lang) } else { say(Word::WhichForm, lang) };
        let words = format!("{why}\n\n{rest}\n{}", lines.join("\n"));
        if incoming.chat.private {
            return self.tell(incoming, words.trim());
        }
        let whole = Message { html: render::html::escape(words.trim()), markup: Markup::Bare }.json();
        let (core, incoming, short) = (Arc::clone(self), incoming.clone(), why.to_owned());
        self.spawn(async move {
            let to = Target { chat: incoming.from.id, thread: None };
            if core.send(to, whole).await.is_err() {
                core.tell(&incoming, &short);
            }
        });
    }

    /// Tells who sent an update that it cannot be kept now. Needs no notes: they are away as well. Idle talk in a group is
    /// nobody's question.
    pub(crate) fn tell_away(self: &Arc<Self>, update: &Value) {
        let Some(incoming) = translate::read(update, &self.me) else { return };
        let words = say(Word::Away, incoming.from.locale.as_deref().unwrap_or_default());
        let concerns = match &incoming.what {
            What::Pressed { .. } => true,
            What::Said(said) | What::Edited(said) => incoming.chat.private || said.to_us,
        };
        if !concerns || !self.told_away.is_due(&UserId::new(incoming.from.id.to_string()), Timestamp::now()) {
            return;
        }
        match &incoming.what {
            What::Pressed { query, .. } => self.answer(query, Some(words)),
            What::Said(_) | What::Edited(_) => self.tell(&incoming, words),
        }
    }

    /// Says something that concerns no form.
    pub(crate) fn tell(self: &Arc<Self>, incoming: &Incoming, words: &str) {
        let html = render::html::escape(&render::html::shorten(words, 1000));
        self.write(incoming, Message { html, markup: Markup::Bare });
    }

    fn write(self: &Arc<Self>, incoming: &Incoming, message: Message) {
        let target = Target { chat: incoming.chat.id, thread: incoming.chat.thread };
        let mut body = message.json();
        if let (What::Said(said), true) = (&incoming.what, target.is_group()) {
            body["reply_parameters"] = json!({"message_id": said.message, "allow_sending_without_reply": true});
        }
        let core = Arc::clone(self);
        self.spawn(async move {
            if let Err(error) = core.send(target, body).await {
                tracing::debug!(%error, "a notice could not be sent");
            }
        });
    }

    pub(crate) fn typing(self: &Arc<Self>, incoming: &Incoming) {
        let mut body = json!({"action": "typing"});
        Target { chat: incoming.chat.id, thread: incoming.chat.thread }.put(&mut body);
        let core = Arc::clone(self);
        self.spawn(async move {
            let _ = core.api.call("sendChatAction", &body).await;
        });
    }

    /// Takes a message with a sensitive answer out of the chat, where the bot may.
    pub(crate) fn delete(self: &Arc<Self>, chat: i64, message: i64) {
        let core = Arc::clone(self);
        self.spawn(async move {
            let body = json!({"chat_id": chat, "message_id": message});
            if let Err(error) = core.api.call("deleteMessage", &body).await {
                tracing::warn!(%error, "a message with a sensitive answer could not be deleted");
            }
        });
    }
}
