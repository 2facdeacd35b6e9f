//! A person at a place: a direct message, a channel, a thread. Writes, and starts things; what they see is in `eyes`, what
//! is pressed in `press`, modals in `modal`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::deliver::Form;
use super::world::{BOT, Kind, Message, World};
use super::{Inner, channel_id, chat, payload, respond};

/// A person, where they are now. A copy may stand elsewhere.
#[derive(Clone)]
pub struct Person {
    pub(super) inner: Arc<Inner>,
    pub(super) user: String,
    pub(super) channel: String,
    pub(super) thread: Option<String>,
    /// When the person last did something, counted in changes of the workspace.
    pub(super) mark: Arc<AtomicU64>,
}

impl Person {
    pub(super) fn new(inner: Arc<Inner>, user: String, channel: String) -> Self {
        Self { inner, user, channel, thread: None, mark: Arc::default() }
    }

    /// The person's id, `U…`.
    pub fn id(&self) -> &str {
        &self.user
    }

    /// The id of the channel that they are in.
    pub fn channel_id(&self) -> &str {
        &self.channel
    }

    /// The thread that they are in.
    pub fn thread_ts(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    /// The same person in the direct message with the bot.
    #[must_use]
    pub fn in_private(&self) -> Self {
        let channel = self.inner.lock().direct(&self.user);
        Self { channel, thread: None, ..self.clone() }
    }

    /// The same person in a channel, which they join.
    ///
    /// # Panics
    /// Where there is no such channel.
    #[must_use]
    pub fn in_channel(&self, name: &str) -> Self {
        let id = channel_id(name);
        let mut world = self.inner.lock();
        let Some(channel) = world.channels.get_mut(&id) else { panic!("there is no channel {name:?}") };
        channel.members.insert(self.user.clone());
        drop(world);
        Self { channel: id, thread: None, ..self.clone() }
    }

    /// The same person in the thread of the newest message here that says this.
    pub async fn in_thread_of(&self, words: &str) -> Self {
        let found = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, None);
            let root = seen.into_iter().rev().find(|message| {
                message.only.is_none() && world.drawn(&self.user, &self.channel, message).contains(words)
            })?;
            Some(root.ts.clone())
        };
        let thread = self.inner.until(&format!("a message that says {words:?}"), found).await;
        Self { thread: Some(thread), ..self.clone() }
    }

    /// Writes a message. `@Name` is a mention of a person or of `@formwright`.
    pub async fn writes(&self, text: &str) {
        self.posts(text, Vec::new()).await;
    }

    /// Sends a file, without words.
    pub async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        let file = self.has_file(name, media_type, bytes.len());
        self.posts("", vec![file]).await;
    }

    /// The person has a file that they can put into a modal; gives it as Slack describes it.
    pub fn has_file(&self, name: &str, media_type: &str, bytes: usize) -> Value {
        let mut world = self.inner.lock();
        let id = world.id("F");
        let url = format!("{}/files/{id}/{name}", world.base);
        let ending = name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
        let file = json!({"id": id, "name": name, "title": name, "mimetype": media_type, "filetype": ending,
            "user": self.user, "mode": "hosted", "size": bytes, "is_external": false, "url_private": url,
            "file_access": "visible", "created": super::world::seconds()});
        world.files.insert(id, file.clone());
        file
    }

    /// Changes a message of theirs.
    pub async fn edits(&self, old: &str, new: &str) {
        let event = {
            let mut world = self.inner.lock();
            let ts = self.own(&world, old);
            let text = escaped(&world, new);
            let shown = chat::change(&mut world, &self.channel, &ts, Some(text), None, None);
            json!({"type": "message", "subtype": "message_changed", "hidden": true, "channel": self.channel,
                "channel_type": chat::channel_type(&world.channels[&self.channel]), "message": shown, "ts": world.ts()})
        };
        self.acts();
        let _ = self.inner.event(event).await;
    }

    fn own(&self, world: &World, words: &str) -> String {
        let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
        let mine = |message: &&Message| message.from == self.user && message.text.contains(words);
        match seen.into_iter().rev().find(mine) {
            Some(message) => message.ts.clone(),
            None => panic!("no message of theirs says {words:?}\n{}", self.screen_in(world)),
        }
    }

    async fn posts(&self, text: &str, files: Vec<Value>) {
        let (event, mention) = self.put_up(text, files);
        self.acts();
        for event in event.into_iter().chain(mention) {
            let _ = self.inner.event(event).await;
        }
    }

    /// Puts a message up; gives the events that the app is told of: of the message, and of the mention in it.
    fn put_up(&self, text: &str, files: Vec<Value>) -> (Option<Value>, Option<Value>) {
        let mut world = self.inner.lock();
        let text = escaped(&world, text);
        let ts = world.ts();
        let channel = &world.channels[&self.channel];
        let (kind, joined) = (channel.kind, channel.members.contains(BOT));
        let root = channel.messages.iter().find(|message| Some(&message.ts) == self.thread.as_ref());
        let parent = root.map(|message| message.from.clone());
        let no = world.number();
        let message = Message {
            ts: ts.clone(),
            thread: self.thread.clone(),
            from: self.user.clone(),
            text: text.clone(),
            files: files.clone(),
            ..Message::default()
        };
        let mut event = chat::shown(&message);
        world.post(&self.channel, message);
        event["client_msg_id"] = json!(format!("00000000-0000-4000-8000-{no:012x}"));
        event["channel"] = json!(self.channel);
        event["event_ts"] = json!(ts);
        if let (Some(_), Some(parent)) = (&self.thread, parent) {
            event["parent_user_id"] = json!(parent);
        }
        let mut mention = event.clone();
        mention["type"] = json!("app_mention");
        event["channel_type"] = json!(chat::channel_type(&world.channels[&self.channel]));
        if !files.is_empty() {
            event["subtype"] = json!("file_share");
        }
        let named = kind != Kind::Direct && text.contains(&format!("<@{BOT}>"));
        (joined.then_some(event), (joined && named).then_some(mention))
    }

    /// Sends a slash command: `/formwright pizza`.
    ///
    /// # Panics
    /// In a thread, where Slack takes none.
    pub async fn commands(&self, line: &str) {
        assert!(self.thread.is_none(), "Slack takes no slash commands in threads");
        let (command, text) = line.split_once(' ').unwrap_or((line, ""));
        let payload = payload::command(&mut self.inner.lock(), &self.user, &self.channel, command, text);
        self.acts();
        let url = payload["response_url"].as_str().and_then(|url| url.rsplit('/').next()).unwrap_or_default();
        let url = self.inner.lock().urls.get(url).cloned();
        let answer = match self.inner.tell(Form::Command, payload).await {
            Ok(answer) => answer,
            Err(trouble) => return self.slackbot(&format!("{command} failed with the error \"{}\"", trouble.0)),
        };
        let answer = match answer {
            Value::String(text) => json!({"text": text}),
            answer => answer,
        };
        if answer.as_object().is_none_or(serde_json::Map::is_empty) {
            return;
        }
        let outcome = url.map(|url| respond::said(&mut self.inner.lock(), &url, &answer));
        if let Some(Err(refusal)) = outcome {
            self.inner.refused("answer to a command", &refusal);
        }
        self.inner.changed();
    }

    /// Uses a global shortcut.
    pub async fn uses_shortcut(&self, callback: &str) {
        let payload = payload::shortcut(&mut self.inner.lock(), &self.user, callback, None);
        self.interacts(payload).await;
    }

    /// Uses a shortcut on the newest message here that says this.
    pub async fn uses_shortcut_on(&self, words: &str, callback: &str) {
        let found = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
            seen.into_iter().rev().find(|message| message.text.contains(words)).cloned()
        };
        let message = self.inner.until(&format!("a message that says {words:?}"), found).await;
        let on = Some((self.channel.as_str(), &message));
        let payload = payload::shortcut(&mut self.inner.lock(), &self.user, callback, on);
        self.interacts(payload).await;
    }

    /// Looks at App Home.
    pub async fn opens_home(&self) {
        let event = {
            let mut world = self.inner.lock();
            let mut event = json!({"type": "app_home_opened", "user": self.user, "tab": "home"});
            event["channel"] = json!(world.direct(&self.user));
            event["event_ts"] = json!(world.ts());
            if let Some(home) = world.homes.get(&self.user) {
                event["view"] = world.shown(home);
            }
            event
        };
        self.acts();
        let _ = self.inner.event(event).await;
    }

    /// Whether this is the direct message with the app.
    pub fn is_private(&self) -> bool {
        self.inner.lock().channels.get(&self.channel).is_some_and(|channel| channel.kind == Kind::Direct)
    }

    /// Slack itself says something to the person alone.
    pub(super) fn slackbot(&self, text: &str) {
        let mut world = self.inner.lock();
        let message = Message {
            ts: world.ts(),
            thread: self.thread.clone(),
            from: "USLACKBOT".to_owned(),
            text: text.to_owned(),
            only: Some(self.user.clone()),
            ..Message::default()
        };
        world.post(&self.channel, message);
        drop(world);
        self.inner.changed();
    }

    /// The person does something now.
    pub(super) fn acts(&self) {
        self.mark.store(self.inner.changed(), Ordering::SeqCst);
    }

    /// Tells the app of a press or a shortcut; Slack says so where the app does not answer.
    pub(super) async fn interacts(&self, payload: Value) {
        self.acts();
        if let Err(trouble) = self.inner.tell(Form::Interaction, payload).await {
            self.slackbot(&format!("The app did not answer ({})", trouble.0));
        }
    }
}

/// What a person types, as Slack hands it on: entities for markup, ids for mentions and channels, links for addresses.
fn escaped(world: &World, text: &str) -> String {
    let mut text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    for user in world.users.values() {
        text = text.replace(&format!("@{}", user.name), &format!("<@{}>", user.id));
    }
    for channel in world.channels.values().filter(|channel| channel.kind != Kind::Direct) {
        text = text.replace(&format!("#{}", channel.name), &format!("<#{}|>", channel.id));
    }
    let text = text.replace("@Formwright", &format!("<@{BOT}>"));
    text.split_inclusive(char::is_whitespace).map(linked).collect()
}

/// A word as Slack links it: web addresses and e-mail addresses.
fn linked(word: &str) -> String {
    let bare = word.trim_end();
    let end = bare.trim_end_matches([',', '.', ';', '!', '?', ')']).len();
    let (address, rest) = word.split_at(end);
    let mail = address.split_once('@').is_some_and(|(name, host)| {
        let plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+'));
        !name.is_empty() && host.contains('.') && plain(name) && plain(host)
    });
    if address.starts_with("https://") || address.starts_with("http://") {
        return format!("<{address}>{rest}");
    }
    if mail { format!("<mailto:{address}|{address}>{rest}") } else { word.to_owned() }
}
