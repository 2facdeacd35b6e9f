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
mod control;
mod deliver;
mod draw;
mod eyes;
mod http;
mod judge;
mod kit;
mod limits;
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

use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use judge::faults;
pub use limits::Limits;
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
            let changed = matches!(tokio::time::timeout_at(deadline, changes.changed()).await, Ok(Ok(())));
            assert!(changed, "{what}: not within {} s\n{}", patience.as_secs(), self.lock().all_screens());
        }
    }
}
