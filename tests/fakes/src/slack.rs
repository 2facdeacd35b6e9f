//! Slack: the Web API, Socket Mode and the Events API over HTTP, on loopback.
//!
//! What it enforces: tokens and scopes; every parameter; Block Kit's places, lengths and counts; triggers that open one
//! view within three seconds; response URLs with five uses in half an hour; acknowledgements within three seconds; who
//! is a member of which channel and who sees what. What a test sees of it is a [`Person`] and a drawn screen.
//!
//! Deliberately absent: attachments, Markdown blocks in views, files' contents, and workspaces beyond one.
//!
//! ```no_run
//! # async fn example() {
//! let fake = formwright_fakes::slack::SlackFake::start().await;
//! let ada = fake.person("Ada").in_private();
//! // the adapter runs against fake.api_url(), fake.bot_token(), fake.app_token()
//! ada.writes("two spicy pizzas").await;
//! ada.sees("Which number").await;
//! ada.presses("Diavola").await;
//! assert_eq!(fake.refusals(), Vec::<String>::new());
//! # }
//! ```

mod chat;
mod deliver;
mod draw;
mod http;
mod kit;
mod lookup;
mod methods;
mod modal;
mod payload;
mod person;
mod press;
mod respond;
mod socket;
mod state;
mod views;
mod web;
mod world;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use person::Person;
pub use world::Windows;
use world::{BOT, Channel, Kind, User, World};

/// The bot's token.
pub const BOT_TOKEN: &str = "xoxb-fake-bot";
/// The app-level token of Socket Mode.
pub const APP_TOKEN: &str = "xapp-fake-app";
/// What requests to the app are signed with.
pub const SIGNING_SECRET: &str = "fake-signing-secret";

/// What the next requests are answered in place of what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 429; `Retry-After` in seconds, or without that header.
    TooMany {
        /// Seconds.
        retry_after: Option<u32>,
    },
    /// This status and no JSON.
    Status(u16),
    /// `ok: false` with this code, such as `internal_error`.
    Error(String),
    /// The connection breaks off; nothing is done.
    Drop,
    /// What was asked is done, and the connection breaks off before the answer.
    Lose,
}

/// A workspace with one app in it. It stops when it is dropped.
pub struct SlackFake {
    inner: Arc<Inner>,
    server: JoinHandle<()>,
    tokens: (&'static str, &'static str, &'static str),
}

/// What all parts share.
pub(crate) struct Inner {
    url: String,
    world: Mutex<World>,
    sockets: Mutex<socket::Sockets>,
    request_url: Mutex<Option<String>>,
    changes: watch::Sender<u64>,
}

impl Drop for SlackFake {
    fn drop(&mut self) {
        self.inner.drop_sockets();
        self.server.abort();
    }
}

impl SlackFake {
    /// Starts on a free port, with Socket Mode.
    ///
    /// # Panics
    /// Where loopback has no free port.
    pub async fn start() -> Self {
        let listener = match tokio::net::TcpListener::bind(("127.0.0.1", 0)).await {
            Ok(listener) => listener,
            Err(error) => panic!("no port on loopback: {error}"),
        };
        let url = match listener.local_addr() {
            Ok(at) => format!("http://{at}"),
            Err(error) => panic!("no address on loopback: {error}"),
        };
        let mut world = World::new();
        world.base.clone_from(&url);
        let inner = Arc::new(Inner {
            url,
            world: Mutex::new(world),
            sockets: Mutex::default(),
            request_url: Mutex::default(),
            changes: watch::Sender::new(0),
        });
        let router = web::router(inner.clone());
        let server = tokio::spawn(async move {
            // It ends when the fake is dropped.
            let _ = axum::serve(listener, router).await;
        });
        Self { inner, server, tokens: (BOT_TOKEN, APP_TOKEN, SIGNING_SECRET) }
    }

    /// Where the Web API is.
    pub fn api_url(&self) -> String {
        format!("{}/api", self.inner.url)
    }

    /// The bot's token.
    pub fn bot_token(&self) -> &str {
        self.tokens.0
    }

    /// The app-level token.
    pub fn app_token(&self) -> &str {
        self.tokens.1
    }

    /// What requests to the app are signed with.
    pub fn signing_secret(&self) -> &str {
        self.tokens.2
    }

    /// From now on events and interactions come to this address, which must answer Slack's challenge.
    ///
    /// # Panics
    /// Where it does not.
    pub async fn sets_request_url(&self, url: &str) {
        if let Err(why) = self.inner.verify(url).await {
            panic!("your URL didn't respond with the value of the challenge parameter: {why}");
        }
        *self.inner.request_url.lock().unwrap_or_else(PoisonError::into_inner) = Some(url.to_owned());
    }

    /// A person of the workspace, who reads English in UTC. The same name is the same person.
    pub fn person(&self, name: &str) -> Person {
        self.person_from(name, "en-US", "UTC")
    }

    /// A person with a language and a time zone.
    pub fn person_from(&self, name: &str, locale: &str, zone: &str) -> Person {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let id = format!("U{}", letters.to_ascii_uppercase());
        let mut world = self.inner.lock();
        world.users.entry(id.clone()).or_insert_with(|| User {
            id: id.clone(),
            name: name.to_owned(),
            locale: locale.to_owned(),
            zone: zone.to_owned(),
        });
        let direct = world.direct(&id);
        drop(world);
        Person::new(self.inner.clone(), id, direct)
    }

    /// A public channel with the bot in it. Persons join when they look at it.
    pub fn channel(&self, name: &str) -> String {
        self.add_channel(name, Kind::Public, true)
    }

    /// A private channel with the bot in it.
    pub fn private_channel(&self, name: &str) -> String {
        self.add_channel(name, Kind::Private, true)
    }

    /// A public channel without the bot.
    pub fn channel_without_bot(&self, name: &str) -> String {
        self.add_channel(name, Kind::Public, false)
    }

    fn add_channel(&self, name: &str, kind: Kind, bot: bool) -> String {
        let id = channel_id(name);
        let members = if bot { BTreeSet::from([BOT.to_owned()]) } else { BTreeSet::new() };
        let channel =
            Channel { id: id.clone(), name: name.to_owned(), kind, members, archived: false, messages: Vec::new() };
        self.inner.lock().channels.entry(id.clone()).or_insert(channel);
        id
    }

    /// Archives a channel.
    pub fn archives(&self, name: &str) {
        if let Some(channel) = self.inner.lock().channels.get_mut(&channel_id(name)) {
            channel.archived = true;
        }
    }

    /// The scopes that the bot's token has from now on.
    pub fn grants(&self, scopes: &[&str]) {
        self.inner.lock().scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
    }

    /// Takes one scope away.
    pub fn withdraws(&self, scope: &str) {
        self.inner.lock().scopes.remove(scope);
    }

    /// No token works from now on.
    pub fn revokes_tokens(&self) {
        self.inner.lock().revoked = true;
    }

    /// The time limits from now on.
    pub fn set_windows(&self, change: impl FnOnce(&mut Windows)) {
        change(&mut self.inner.lock().windows);
    }

    /// The next calls of any method are answered so, one each.
    pub fn next_answers(&self, answers: impl IntoIterator<Item = Answer>) {
        self.inner.lock().faults.extend(answers.into_iter().map(|answer| (None, answer)));
    }

    /// The next calls of one method are answered so, one each; `response_url` is one too.
    pub fn next_answers_to(&self, method: &str, answers: impl IntoIterator<Item = Answer>) {
        let answers = answers.into_iter().map(|answer| (Some(method.to_owned()), answer));
        self.inner.lock().faults.extend(answers);
    }

    /// Ends all sockets without a word.
    pub fn drop_sockets(&self) {
        self.inner.drop_sockets();
    }

    /// Sends a `disconnect` frame on one connection, and closes that a while later (not after a `warning`).
    pub fn sends_disconnect(&self, reason: &str) {
        self.inner.disconnect(reason, false);
    }

    /// How many sockets are open.
    pub fn connections(&self) -> usize {
        self.inner.connections()
    }

    /// Waits until so many sockets are open.
    pub async fn wait_for_connections(&self, count: usize) {
        let inner = self.inner.clone();
        self.inner.until(&format!("{count} sockets"), |_| (inner.connections() >= count).then_some(())).await;
    }

    /// Every event comes twice from now on, with the same id.
    pub fn doubles_events(&self, doubles: bool) {
        self.inner.lock().doubles = doubles;
    }

    /// Sends again what the app has taken last: an event, a press, a command.
    ///
    /// # Panics
    /// Where it has taken nothing yet.
    pub fn redelivers(&self) {
        let last = self.inner.lock().taken.last().cloned();
        let Some((kind, payload)) = last else { panic!("the app has taken nothing yet") };
        if kind == "events_api" {
            self.inner.send_event(payload, None);
        } else {
            let inner = self.inner.clone();
            let form = if kind == "slash_commands" { deliver::Form::Command } else { deliver::Form::Interaction };
            tokio::spawn(async move { inner.tell(form, payload).await });
        }
    }

    /// Keeps events back until [`Self::releases_events`].
    pub fn withholds_events(&self) {
        self.inner.lock().withheld.get_or_insert_default();
    }

    /// Sends the events that were kept back, the last one first where `reversed`.
    pub fn releases_events(&self, reversed: bool) {
        let mut events = self.inner.lock().withheld.take().unwrap_or_default();
        if reversed {
            events.reverse();
        }
        for event in events {
            self.inner.send_event(event, None);
        }
    }

    /// Whether the app hears of its own messages, as in Slack. It does unless a test says otherwise.
    pub fn echoes(&self, echoes: bool) {
        self.inner.lock().echoes = echoes;
    }

    /// Every request that was refused, with why. Faults that a test made are not among them.
    pub fn refusals(&self) -> Vec<String> {
        self.inner.lock().refusals.clone()
    }

    /// Whom the app has pinged: `!channel`, `@U…`, each with its channel.
    pub fn pings(&self) -> Vec<String> {
        self.inner.lock().pings.clone()
    }

    /// The names of the methods called so far, in order; `response_url` among them.
    pub fn calls(&self) -> Vec<String> {
        self.inner.lock().calls.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The bodies of the calls of one method so far.
    pub fn calls_of(&self, method: &str) -> Vec<Value> {
        self.inner.lock().calls.iter().filter(|(name, _)| name == method).map(|(_, body)| body.clone()).collect()
    }

    /// Waits until a method was called so often.
    pub async fn wait_for_calls(&self, method: &str, count: usize) {
        let called = |world: &mut World| world.calls.iter().filter(|(name, _)| name == method).count() >= count;
        self.inner.until(&format!("{count} calls of {method}"), |world| called(world).then_some(())).await;
    }

    /// Whether the app has taken everything that it was told of.
    pub async fn wait_until_quiet(&self) {
        let inner = self.inner.clone();
        self.inner.until("no envelope under way", |_| inner.is_quiet().then_some(())).await;
    }
}

/// The id of the channel of this name.
pub(crate) fn channel_id(name: &str) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("C{}", letters.to_ascii_uppercase())
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sockets(&self) -> MutexGuard<'_, socket::Sockets> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn url(&self) -> String {
        self.url.clone()
    }

    fn request_url(&self) -> Option<String> {
        self.request_url.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Something changed: whoever looks at the screen looks again.
    fn changed(&self) -> u64 {
        let mut world = self.lock();
        world.changes += 1;
        let now = world.changes;
        drop(world);
        self.changes.send_replace(now);
        now
    }

    /// The fault that the next call of a method meets.
    fn next_fault(&self, method: &str) -> Option<Answer> {
        let mut world = self.lock();
        let meant = |(only, _): &(Option<String>, Answer)| only.as_deref().is_none_or(|only| only == method);
        let no = world.faults.iter().position(meant)?;
        world.faults.remove(no).map(|(_, answer)| answer)
    }

    /// Waits until something is found.
    async fn until<T>(&self, what: &str, mut find: impl FnMut(&mut World) -> Option<T>) -> T {
        let mut changes = self.changes.subscribe();
        let patience = self.lock().windows.patience;
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            changes.borrow_and_update();
            if let Some(found) = find(&mut self.lock()) {
                return found;
            }
            if !matches!(tokio::time::timeout_at(deadline, changes.changed()).await, Ok(Ok(()))) {
                panic!("{what}: not within {} s\n{}", patience.as_secs(), self.lock().all_screens());
            }
        }
    }
}
