//! People: they write, press, pick, fill in windows, send commands, and read their own screen.

mod act;
mod modal;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::check;
use super::gateway;
use super::records::Message;
use super::screen;
use super::sessions::News;
use super::world::{BOT, State, World};

/// A person at a place: a private channel, a channel of the server, or a thread.
#[derive(Clone)]
pub struct Person {
    world: Arc<World>,
    user: u64,
    channel: u64,
}

/// A message as a test may look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its id.
    pub id: String,
    /// As it is drawn.
    pub drawn: String,
    /// Only this person sees it.
    pub only_for_me: bool,
}

impl Person {
    pub(super) fn new(world: Arc<World>, user: u64, channel: u64) -> Self {
        Self { world, user, channel }
    }

    fn at(&self, channel: u64) -> Self {
        Self { channel, ..self.clone() }
    }

    /// In the private channel with the bot.
    #[must_use]
    pub fn in_private(&self) -> Self {
        self.at(self.world.change(|state| state.direct(self.user)))
    }

    /// In a channel of the server.
    #[must_use]
    pub fn in_channel(&self, name: &str) -> Self {
        self.at(self.world.change(|state| state.channel(name)))
    }

    /// In a thread of a channel.
    #[must_use]
    pub fn in_thread(&self, channel: &str, thread: &str) -> Self {
        self.at(self.world.change(|state| state.thread(channel, thread)))
    }

    /// In the private thread that was made last for this person.
    ///
    /// # Panics
    /// If there is none.
    pub async fn in_own_thread(&self) -> Self {
        let thread = self.wait("a thread of their own", |state| {
            let own = |(_, channel): &(&u64, &super::records::Channel)| {
                channel.kind == 12 && channel.members.contains(&self.user)
            };
            state.channels.iter().rev().find(own).map(|(id, _)| *id)
        });
        self.at(thread.await)
    }

    /// In a conversation among people that the bot is not part of.
    #[must_use]
    pub fn in_group(&self, name: &str) -> Self {
        self.at(self.world.change(|state| state.group(name)))
    }

    /// With Discord in another language, `it`, `es-ES`.
    #[must_use]
    pub fn speaking(self, locale: &str) -> Self {
        self.change(|account| locale.clone_into(&mut account.locale));
        self
    }

    /// With another name in the server.
    #[must_use]
    pub fn called(self, nick: &str) -> Self {
        self.change(|account| account.nick = Some(nick.to_owned()));
        self
    }

    /// With a role in the server.
    #[must_use]
    pub fn with_role(self, role: &str) -> Self {
        let role = self.world.change(|state| state.role(role));
        self.change(|account| account.roles.push(role));
        self
    }

    /// Takes no more messages of the bot (50007).
    pub fn blocks_the_bot(&self) {
        self.change(|account| account.blocks = true);
    }

    /// The person's id.
    pub fn id(&self) -> String {
        self.user.to_string()
    }

    /// The channel's id.
    pub fn channel_id(&self) -> String {
        self.channel.to_string()
    }

    /// The server's id; empty in private.
    pub fn guild_id(&self) -> String {
        let direct = self.world.look(|state| state.is_direct(self.channel));
        if direct { String::new() } else { super::world::GUILD.to_string() }
    }

    /// The id of a role that the person may have.
    pub fn role_id(&self, role: &str) -> String {
        self.world.change(|state| state.role(role)).to_string()
    }

    /// Writes. `@Formwright` is a mention of the bot, `@Ben` of Ben.
    pub async fn writes(&self, words: &str) {
        self.write(words, Value::Null, json!([]));
        tokio::task::yield_now().await;
    }

    /// Writes in reply to the last message that shows these words.
    ///
    /// # Panics
    /// If there is none.
    pub async fn replies_to(&self, shown: &str, words: &str) {
        let to = self.wait("a message to reply to", |state| {
            let mine = |message: &&Message| message.author != self.user;
            let found = self.visible(state).into_iter().rev().filter(mine);
            found.into_iter().find(|message| screen::message(state, message).contains(shown)).map(|message| message.id)
        });
        let to = to.await;
        let reference = json!({"message_id": to.to_string(), "channel_id": self.channel.to_string(), "type": 0});
        self.write(words, reference, json!([]));
    }

    /// Sends a file.
    pub async fn sends_file(&self, name: &str, kind: &str, bytes: &[u8]) {
        self.sends_files("", &[(name, kind, bytes.len())]).await;
    }

    /// Sends files, by name, type and size, with words.
    pub async fn sends_files(&self, words: &str, files: &[(&str, &str, usize)]) {
        let attached: Vec<Value> = self.world.change(|state| {
            let file = |(name, kind, size): &(&str, &str, usize)| {
                let id = state.id().to_string();
                let url = format!("https://cdn.discordapp.com/attachments/{}/{id}/{name}", self.channel);
                json!({"id": id, "filename": name, "size": size, "content_type": kind, "url": url, "proxy_url": url})
            };
            files.iter().map(file).collect()
        });
        self.write(words, Value::Null, attached.into());
        tokio::task::yield_now().await;
    }

    /// Changes the last message of their own that says these words.
    ///
    /// # Panics
    /// If there is none.
    pub async fn edits(&self, old: &str, new: &str) {
        let done = self.world.change(|state| {
            let touched = self.act(state);
            let own = |message: &&mut Message| {
                message.author == self.user && !message.deleted && message.body["content"].as_str() == Some(old)
            };
            let message = state.messages.iter_mut().rev().find(own)?;
            let before = message.body.clone();
            message.body["content"] = new.into();
            message.before.push(before);
            message.touched = touched;
            let id = message.id;
            gateway::publish(state, News::Changed(id));
            Some(())
        });
        assert!(done.is_some(), "no message says {old:?}");
        tokio::task::yield_now().await;
    }

    fn write(&self, words: &str, reference: Value, attachments: Value) {
        self.world.change(|state| {
            let words = mentioned(state, words);
            let body = json!({"content": words, "attachments": attachments, "message_reference": reference});
            let pings = check::mentions(&json!({"content": words}));
            let id = state.add(self.user, self.channel, body);
            let touched = self.act(state);
            if let Some(message) = state.message_mut(id) {
                message.pings = pings;
                message.touched = touched;
            }
            gateway::publish(state, News::Written(id));
        });
    }

    /// Waits until these words are seen in what has changed since the person last did something here.
    ///
    /// # Panics
    /// If they are not, with the screen.
    pub async fn sees(&self, words: &str) {
        self.wait(&format!("{words:?} to be seen"), |state| self.fresh(state).contains(words).then_some(())).await;
    }

    /// Waits until these words are seen in a message for this person's eyes only.
    ///
    /// # Panics
    /// If they are not, with the screen.
    pub async fn sees_alone(&self, words: &str) {
        let what = format!("{words:?} to be seen alone");
        let alone = |state: &mut State| {
            let mut visible = self.visible(state).into_iter();
            let own = |message: &&Message| message.only_for == Some(self.user);
            visible.find(|message| own(message) && screen::message(state, message).contains(words)).map(|_| ())
        };
        self.wait(&what, alone).await;
    }

    /// Waits until these words are gone from the screen.
    ///
    /// # Panics
    /// If they stay, with the screen.
    pub async fn sees_no_more(&self, words: &str) {
        let what = format!("{words:?} to go");
        self.wait(&what, |state| {
            let of_others = self.visible(state).into_iter().filter(|message| message.author != self.user);
            let drawn: String = of_others.map(|message| screen::message(state, message)).collect();
            (!drawn.contains(words)).then_some(())
        })
        .await;
    }

    /// Whether these words were ever shown to this person here, by others, before an edit too.
    pub fn ever_saw(&self, words: &str) -> bool {
        self.world.look(|state| {
            let here = state.messages.iter().filter(|message| message.channel == self.channel);
            let mut seen = here.filter(|message| message.only_for.is_none_or(|only| only == self.user));
            seen.any(|message| {
                let mut versions = message.before.iter().chain([&message.body]);
                message.author != self.user && versions.any(|body| screen::body(state, body).contains(words))
            })
        })
    }

    /// The screen: the last messages with their widgets, and the open window.
    pub fn screen(&self) -> String {
        self.world.look(|state| self.drawn(state))
    }

    /// What the person sees, message by message.
    pub fn messages(&self) -> Vec<Shown> {
        self.world.look(|state| {
            let shown = |message: &Message| Shown {
                id: message.id.to_string(),
                drawn: screen::message(state, message),
                only_for_me: message.only_for.is_some(),
            };
            self.visible(state).into_iter().map(shown).collect()
        })
    }

    /// Every message of the bot that the person sees here, as it is drawn.
    pub fn read(&self) -> Vec<String> {
        self.world.look(|state| {
            let of_the_bot = self.visible(state).into_iter().filter(|message| message.author == BOT);
            of_the_bot.map(|message| screen::message(state, message)).collect()
        })
    }

    /// The messages of the bot here that say this now, by their ids.
    pub fn showing(&self, words: &str) -> BTreeSet<String> {
        self.world.look(|state| {
            let of_the_bot = self.visible(state).into_iter().filter(|message| message.author == BOT);
            let saying = of_the_bot.filter(|message| screen::message(state, message).contains(words));
            saying.map(|message| message.id.to_string()).collect()
        })
    }

    /// Waits until a message of the bot other than these says this in what has changed since the person last did something
    /// here.
    ///
    /// # Panics
    /// If none does, with the screen.
    pub async fn sees_another(&self, words: &str, known: &BTreeSet<String>) {
        let shows = |state: &mut State| {
            let mut new = self.changed(state).filter(|message| message.author == BOT);
            let says = |message: &Message| screen::message(state, message).contains(words);
            new.any(|message| !known.contains(&message.id.to_string()) && says(message)).then_some(())
        };
        self.wait(&format!("another {words:?} to be seen"), shows).await;
    }

    fn drawn(&self, state: &State) -> String {
        let visible = self.visible(state);
        let last = visible.len().saturating_sub(12);
        let mut drawn: String = visible[last..].iter().map(|message| screen::message(state, message)).collect();
        if let Some(modal) = state.people.get(&self.user).and_then(|account| account.modal.as_ref()) {
            drawn.push_str(&screen::modal(&modal.data));
        }
        drawn
    }

    /// What changed since the person's last act, others' messages alone.
    fn fresh(&self, state: &State) -> String {
        self.changed(state).map(|message| screen::message(state, message)).collect()
    }

    fn changed<'a>(&self, state: &'a State) -> impl Iterator<Item = &'a Message> {
        let account = state.people.get(&self.user);
        let acted = account.and_then(|account| account.acted.get(&self.channel)).copied().unwrap_or(0);
        let of_others = move |message: &&Message| message.author != self.user && message.touched > acted;
        self.visible(state).into_iter().filter(of_others)
    }

    fn visible<'a>(&self, state: &'a State) -> Vec<&'a Message> {
        let shown = state.channels.get(&self.channel).is_some_and(|channel| channel.shows(self.user));
        let seen = |message: &&Message| {
            shown
                && message.channel == self.channel
                && !message.deleted
                && message.only_for.is_none_or(|only| only == self.user)
        };
        state.messages.iter().filter(seen).collect()
    }

    /// Notes that the person did something here.
    fn act(&self, state: &mut State) -> u64 {
        let now = state.tick();
        if let Some(account) = state.people.get_mut(&self.user) {
            account.acted.insert(self.channel, now);
        }
        now
    }

    fn change(&self, change: impl FnOnce(&mut super::records::Account)) {
        self.world.change(|state| state.people.get_mut(&self.user).map(change));
    }

    /// Waits, or ends the test with the screen.
    async fn wait<T>(&self, what: &str, look: impl FnMut(&mut State) -> Option<T>) -> T {
        match self.world.wait(look).await {
            Some(seen) => seen,
            None => self.fail(&format!("waited in vain for {what}")),
        }
    }

    fn fail(&self, why: &str) -> ! {
        let (name, refusals) = self.world.look(|state| {
            let name = state.people.get(&self.user).map(|account| account.name.clone()).unwrap_or_default();
            (name, state.refusals.clone())
        });
        panic!("{name}: {why}\n--- screen\n{}--- refused\n{refusals:#?}", self.screen());
    }
}

/// `@Formwright` and `@Ben` as mentions.
fn mentioned(state: &State, words: &str) -> String {
    let mut words = words.to_owned();
    let mut names: Vec<(&String, &u64)> = state.people.iter().map(|(id, account)| (&account.name, id)).collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, id) in names {
        words = words.replace(&format!("@{name}"), &format!("<@{id}>"));
    }
    words.replace("@bot", &format!("<@{BOT}>"))
}
