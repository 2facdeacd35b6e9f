//! Telegram: the Bot API over HTTP, with long polling and a webhook, and the people who write to the bot.
//!
//! ```no_run
//! # async fn story() {
//! use formwright_fakes::telegram::TelegramFake;
//!
//! let fake = TelegramFake::start().await;
//! let ada = fake.person("Ada").in_private();
//! ada.writes("two spicy pizzas").await;
//! ada.sees("Which number").await;
//! ada.presses("Diavola").await;
//! assert_eq!(fake.refusals(), Vec::<String>::new());
//! # }
//! ```
//!
//! It knows one bot. It refuses what Telegram refuses, in Telegram's words, and a little more: parameters that do not
//! exist, and a bare `&` in HTML. Time is tokio's, and [`TelegramFake::time_passes`] moves the fake's own clock ahead.
//! Deliberately absent: inline mode, payments, stickers, business accounts, Markdown.

mod chats;
mod edit;
mod eyes;
mod files;
mod hook;
mod html;
mod judge;
mod markup;
mod menus;
mod methods;
mod person;
mod rates;
mod schema;
mod send;
mod server;
mod settings;
mod updates;
mod wire;
mod words;
mod world;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

pub use self::chats::Group;
pub use self::hook::send as post;
pub use self::judge::faults;
pub use self::person::{Person, Seat};
pub use self::rates::Rates;
pub use self::settings::Settings;
use self::world::World;

/// What goes wrong with a call.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 429: nothing happens, and the chat is to be left alone for so many seconds. Whoever does not wait is refused.
    TooMany(u32),
    /// A server's trouble, such as 500 or 502, without JSON.
    Status(u16),
    /// A refusal with these words.
    Refuse(u16, String),
    /// The connection is lost before anything happens.
    Drop,
    /// It happens, but the connection is lost before the answer.
    DropAfter,
    /// It happens, late.
    Slow(Duration),
}

/// Why a call is refused.
#[derive(Debug)]
struct Refusal {
    code: u16,
    words: String,
    parameters: Option<Value>,
}

impl Refusal {
    fn new(code: u16, words: impl Into<String>) -> Self {
        Self { code, words: words.into(), parameters: None }
    }

    fn bad(words: impl std::fmt::Display) -> Self {
        Self::new(400, format!("Bad Request: {words}"))
    }

    fn conflict(words: &str) -> Self {
        Self::new(409, format!("Conflict: {words}"))
    }

    fn too_many(seconds: u32) -> Self {
        let parameters = Some(json!({"retry_after": seconds}));
        Self { parameters, ..Self::new(429, format!("Too Many Requests: retry after {seconds}")) }
    }
}

/// What the server, the people and the test share.
struct Shared {
    world: Mutex<World>,
    news: watch::Sender<u64>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    fn tell(&self) {
        self.news.send_modify(|count| *count += 1);
    }
}

impl World {
    fn fault(&mut self, method: &str) -> Option<Fault> {
        let fits = |(name, _): &(Option<String>, Fault)| match name {
            Some(name) => name.eq_ignore_ascii_case(method),
            None => method != "getUpdates",
        };
        let at = self.faults.iter().position(fits)?;
        Some(self.faults.remove(at).1)
    }
}

/// Telegram on a loopback port. It ends when it is dropped.
pub struct TelegramFake {
    shared: Arc<Shared>,
    address: SocketAddr,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl TelegramFake {
    /// Starts with the usual settings.
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    /// Starts with these settings.
    ///
    /// # Panics
    /// Where no loopback port can be had.
    pub async fn start_with(settings: Settings) -> Self {
        let shared = Arc::new(Shared { world: Mutex::new(World::new(settings)), news: watch::Sender::new(0) });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = match bound {
            Ok(bound) => bound,
            Err(error) => panic!("no loopback port: {error}"),
        };
        let router = axum::Router::new()
            .fallback(server::answer)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let serve = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the fake has stopped");
            }
        });
        let bring = tokio::spawn(hook::bring(Arc::clone(&shared)));
        Self { shared, address, tasks: vec![serve, bring] }
    }

    /// Where the Bot API is, without the token.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The bot's token.
    pub fn token(&self) -> String {
        self.shared.world().settings.token.clone()
    }

    /// A person by name, who has never met the bot; the same person for the same name.
    pub fn person(&self, name: &str) -> Person {
        let id = self.shared.world().person(name, false);
        Person::new(Arc::clone(&self.shared), id)
    }

    /// Another bot.
    pub fn other_bot(&self, name: &str) -> Person {
        let id = self.shared.world().person(name, true);
        Person::new(Arc::clone(&self.shared), id)
    }

    /// A small group with the bot in it.
    pub fn group(&self, title: &str) -> Group {
        self.group_of(title, world::Kind::Group)
    }

    /// A supergroup with the bot in it.
    pub fn supergroup(&self, title: &str) -> Group {
        self.group_of(title, world::Kind::Supergroup { forum: false })
    }

    /// A supergroup with topics and the bot in it.
    pub fn forum(&self, title: &str) -> Group {
        self.group_of(title, world::Kind::Supergroup { forum: true })
    }

    fn group_of(&self, title: &str, kind: world::Kind) -> Group {
        let id = self.shared.world().group(title, kind);
        Group::new(Arc::clone(&self.shared), id)
    }

    /// The next calls, other than those for updates, go wrong like this, one each.
    pub fn next_answers(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.world().faults.extend(faults.into_iter().map(|fault| (None, fault)));
    }

    /// The next calls of a method go wrong like this, one each.
    pub fn next_answers_to(&self, method: &str, faults: impl IntoIterator<Item = Fault>) {
        let named = faults.into_iter().map(|fault| (Some(method.to_owned()), fault));
        self.shared.world().faults.extend(named);
    }

    /// Whether faults that were set have not happened yet.
    pub fn has_faults_left(&self) -> bool {
        !self.shared.world().faults.is_empty()
    }

    /// Ends requests that wait for updates, without an answer.
    pub fn drop_sockets(&self) {
        self.shared.world().drops += 1;
        self.shared.tell();
    }

    /// Every call is answered by 502, or no longer.
    pub fn is_down(&self, down: bool) {
        let mut world = self.shared.world();
        world.down = down;
        world.drops += u64::from(down);
        drop(world);
        self.shared.tell();
    }

    /// The update that the bot took last, as it was brought.
    pub fn last_taken(&self) -> Option<Value> {
        self.shared.world().updates.last_taken().cloned()
    }

    /// Brings all updates that were taken once more, as a server does that has lost what was confirmed.
    pub fn redelivers(&self) {
        self.shared.world().updates.repeat();
        self.shared.tell();
    }

    /// Brings everything once more to a bot that ended before it could confirm or answer anything.
    pub fn redelivers_unanswered(&self) {
        let mut world = self.shared.world();
        world.queries.values_mut().for_each(|query| query.answered = false);
        world.updates.repeat();
        drop(world);
        self.shared.tell();
    }

    /// Keeps new updates back.
    pub fn holds_updates(&self) {
        self.shared.world().updates.hold();
    }

    /// Brings what was kept back, in its order or the last one first.
    pub fn releases_updates(&self, reversed: bool) {
        let mut world = self.shared.world();
        let now = world.now();
        world.updates.release(reversed, now);
        drop(world);
        self.shared.tell();
    }

    /// Brings an update of any kind, word for word; a number is added where it has none.
    pub fn brings(&self, update: Value) {
        let mut world = self.shared.world();
        let now = world.now();
        world.updates.inject(update, now);
        drop(world);
        self.shared.tell();
    }

    /// Public addresses that begin like this lead to a loopback address.
    pub fn leads(&self, public: &str, to: &str) {
        self.shared.world().settings.leads.push((public.to_owned(), to.to_owned()));
    }

    /// The fake's clock moves ahead: presses grow old, pauses end.
    pub fn time_passes(&self, time: Duration) {
        self.shared.world().pass(time);
        self.shared.tell();
    }

    /// Every call that was refused, with why and what was sent. Faults that the test set are not among them.
    pub fn refusals(&self) -> Vec<String> {
        self.shared.world().refusals.clone()
    }

    /// What was refused, without what a test expects: refusals that contain one of these words.
    pub fn refusals_but(&self, expected: &[&str]) -> Vec<String> {
        let mut refusals = self.refusals();
        refusals.retain(|refusal| !expected.iter().any(|words| refusal.contains(words)));
        refusals
    }

    /// Calls of a method so far, with their parameters.
    pub fn calls(&self, method: &str) -> Vec<Value> {
        let world = self.shared.world();
        let calls = world.calls.iter().filter(|(name, _)| name.eq_ignore_ascii_case(method));
        calls.map(|(_, params)| params.clone()).collect()
    }

    /// Whom messages of the bot would have woken up by a mention: nobody, where all is well.
    pub fn pings(&self) -> Vec<String> {
        self.shared.world().pings.clone()
    }

    /// Updates that the bot has not confirmed.
    pub fn unconfirmed(&self) -> usize {
        self.shared.world().updates.unconfirmed()
    }

    /// Waits until the bot has confirmed all updates.
    pub async fn takes_everything(&self) {
        let what = "the bot to confirm all updates".to_owned();
        eyes::until(&self.shared, &what, |world| (world.updates.unconfirmed() == 0).then_some(())).await;
    }

    /// Waits until every press was answered, so that no button shows a clock.
    pub async fn answers_all_presses(&self) {
        let what = "an answer to every press".to_owned();
        eyes::until(&self.shared, &what, |world| world.queries.values().all(|query| query.answered).then_some(()))
            .await;
    }

    /// Waits until the bot has called a method so many times in all.
    pub async fn is_called(&self, method: &str, times: usize) {
        let what = format!("{times} calls of {method}");
        let count =
            |world: &mut World| world.calls.iter().filter(|(name, _)| name.eq_ignore_ascii_case(method)).count();
        eyes::until(&self.shared, &what, |world| (count(world) >= times).then_some(())).await;
    }

    /// The webhook's secret and address as the bot has set them; none where it has set no webhook.
    pub fn webhook(&self) -> Option<(String, Option<String>)> {
        self.shared.world().updates.webhook.clone().map(|webhook| (webhook.url, webhook.secret))
    }
}

impl Drop for TelegramFake {
    fn drop(&mut self) {
        self.shared.world().closed = true;
        self.shared.tell();
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

#[cfg(test)]
mod tests;
