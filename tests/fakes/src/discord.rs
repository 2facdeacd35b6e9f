//! Discord on loopback: REST v10, the gateway, interactions over HTTP, and people who read, write, press and fill in.
//!
//! It refuses what Discord refuses, with Discord's codes, and keeps Discord's time: a first answer within 3 s and only
//! one, tokens for 15 minutes, rate limits, heartbeats. Deliberately absent: voice, several servers, moderation.
//!
//! ```no_run
//! # async fn test() {
//! use formwright_fakes::discord::DiscordFake;
//! let fake = DiscordFake::start().await;
//! let ada = fake.person("Ada").in_channel("lunch");
//! ada.writes("@Formwright two spicy pizzas").await;
//! ada.sees("Which pizza").await;
//! ada.presses("Diavola").await;
//! assert_eq!(fake.refusals(), Vec::<String>::new());
//! # }
//! ```

mod check;
mod endpoint;
mod faults;
mod gateway;
mod json;
mod judge;
mod person;
mod records;
mod refusal;
mod rest;
mod screen;
mod sessions;
#[cfg(test)]
mod tests;
mod world;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use endpoint::Forgery;
pub use faults::Answer;
pub use judge::{faults, window_faults};
pub use person::{Person, Shown};
use sessions::Order;
use world::World;

use crate::latency::Latency;

/// How this Discord is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The bot's token.
    pub token: String,
    /// The bot's name.
    pub bot_name: String,
    /// The intent to read messages is granted.
    pub reads: bool,
    /// The time for a first answer to an interaction.
    pub answer_within: Duration,
    /// How long an interaction's token is good for.
    pub token_life: Duration,
    /// The time between heartbeats.
    pub heartbeat: Duration,
    /// The least time between two identifies; Discord's is 5 s, and no test waits for it unless it says so.
    pub identify_every: Duration,
    /// How many connections the gateway asks for.
    pub shards: u32,
    /// How many of them may identify within [`Options::identify_every`].
    pub max_concurrency: u64,
    /// People may install the application with their own account too.
    pub for_accounts: bool,
    /// Messages in one channel, edits and deletions each for themselves; no limit where 0. Not documented, but told in the
    /// `X-RateLimit` headers (docs.discord.com/developers/topics/rate-limits).
    pub channel_rate: (u32, Duration),
    /// Requests with one interaction's token; no limit where 0.
    pub hook_rate: (u32, Duration),
    /// Requests a second in all, answers to interactions and what is said with their tokens not counted; no limit where 0
    /// (same page, “Global Rate Limit”, and “Receiving and Responding”, “Endpoints”).
    pub global_rate: u32,
    /// How long a request takes. Discord documents none; 80 to 150 ms are usual.
    pub latency: Latency,
    /// How long a person waits for something to be seen.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            token: "MTEwMDAwMDAwMDAwMDAwMDA5OQ.fake.token-of-the-bot".to_owned(),
            bot_name: "Formwright".to_owned(),
            reads: true,
            answer_within: Duration::from_secs(3),
            token_life: Duration::from_secs(15 * 60),
            heartbeat: Duration::from_millis(41_250),
            identify_every: Duration::ZERO,
            shards: 1,
            max_concurrency: 1,
            for_accounts: false,
            channel_rate: (5, Duration::from_secs(5)),
            hook_rate: (5, Duration::from_secs(2)),
            global_rate: 50,
            latency: Latency::default(),
            patience: Duration::from_secs(15),
        }
    }
}

/// Discord. It stops when it is dropped.
pub struct DiscordFake {
    world: Arc<World>,
    stop: Option<oneshot::Sender<()>>,
}

impl DiscordFake {
    /// Starts on a free port.
    ///
    /// # Panics
    /// If there is none.
    pub async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    /// Starts with other settings.
    ///
    /// # Panics
    /// If there is no free port.
    #[expect(clippy::expect_used, reason = "a test without a loopback port cannot go on")]
    pub async fn start_with(options: Options) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound port has an address");
        let world = Arc::new(World::new(options, address));
        let app = Router::new()
            .route("/", get(connect))
            .route("/resume", get(connect))
            .route("/resume/", get(connect))
            .fallback(async |State(world): State<Arc<World>>, request: Request| rest::handle(world, request).await)
            .with_state(Arc::clone(&world));
        let (stop, stopped) = oneshot::channel();
        let serving = axum::serve(listener, app).with_graceful_shutdown(async move { drop(stopped.await) });
        tokio::spawn(async move { serving.await });
        Self { world, stop: Some(stop) }
    }

    /// Where it is, for the setting `api_url`.
    pub fn api_url(&self) -> String {
        format!("http://{}", self.world.address)
    }

    /// The bot's token.
    pub fn token(&self) -> String {
        self.world.options.token.clone()
    }

    /// The application's public key, as the developer portal shows it.
    pub fn public_key(&self) -> String {
        let application = self.world.look(|state| json::application(&self.world, state));
        application["verify_key"].as_str().unwrap_or_default().to_owned()
    }

    /// A person, by default in their private channel with the bot. The same name is the same person.
    pub fn person(&self, name: &str) -> Person {
        let (user, channel) = self.world.change(|state| {
            let user = state.person(name);
            (user, state.direct(user))
        });
        Person::new(Arc::clone(&self.world), user, channel)
    }

    /// Everything that was refused so far, with why; and what was sent that nobody reads.
    pub fn refusals(&self) -> Vec<String> {
        self.world.look(|state| state.refusals.clone())
    }

    /// Forgets the refusals so far, and gives them.
    pub fn take_refusals(&self) -> Vec<String> {
        self.world.change(|state| std::mem::take(&mut state.refusals))
    }

    /// Interactions that nobody answered in time.
    pub fn unanswered(&self) -> Vec<String> {
        self.world.look(|state| state.failed.clone())
    }

    /// Every request so far, as `POST /channels/…`, without tokens.
    pub fn requests(&self) -> Vec<String> {
        self.world.look(|state| state.requests.clone())
    }

    /// Whom the bot's messages pinged: names, `@everyone`, ids of roles.
    pub fn pings(&self) -> Vec<String> {
        self.world.look(|state| {
            let own = state.messages.iter().filter(|message| message.author == world::BOT);
            own.flat_map(|message| {
                let users = message.pings.users.iter().map(|id| {
                    let known = id.parse().ok().and_then(|id: u64| state.people.get(&id));
                    known.map_or_else(|| id.clone(), |person| person.name.clone())
                });
                let everyone = message.pings.everyone.then(|| "@everyone".to_owned());
                users.chain(message.pings.roles.iter().cloned()).chain(everyone).collect::<Vec<_>>()
            })
            .collect()
        })
    }

    /// The names of the commands that people see.
    pub fn commands(&self) -> Vec<String> {
        let name = |command: &serde_json::Value| command["name"].as_str().unwrap_or_default().to_owned();
        self.world.look(|state| state.commands.iter().map(name).collect())
    }

    /// How many commands have a name or a description in another language.
    pub fn translated_commands(&self) -> usize {
        let translated = |command: &&serde_json::Value| command.to_string().contains("_localizations");
        self.world.look(|state| state.commands.iter().filter(translated).count())
    }

    /// How often the bot has shown that it is writing.
    pub fn typed(&self) -> u32 {
        self.world.look(|state| state.typed.values().sum())
    }

    /// Requests that count towards the ban of an address: 401, 403 and 429.
    pub fn invalid_requests(&self) -> u32 {
        self.world.look(|state| state.invalid)
    }

    /// Waits until the bot is connected to the gateway.
    ///
    /// # Panics
    /// If it does not connect.
    pub async fn connected(&self) {
        let connected = |state: &mut world::State| {
            state.sessions.values().any(|session| session.connection.is_some()).then_some(())
        };
        let connected = self.world.wait(connected).await;
        assert!(connected.is_some(), "the bot did not connect to the gateway; refused: {:#?}", self.refusals());
    }

    /// Sends interactions to an address from now on, after the probe that the developer portal makes.
    ///
    /// # Errors
    /// Why the address is not taken.
    pub async fn connects_endpoint(&self, url: &str) -> Result<(), String> {
        endpoint::probe(url).await?;
        self.names_endpoint(url);
        Ok(())
    }

    /// Sends interactions to an address from now on, without a probe.
    pub fn names_endpoint(&self, url: &str) {
        self.world.change(|state| state.endpoint = Some(url.to_owned()));
    }
}

impl Drop for DiscordFake {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It has stopped already if nobody listens.
            let _ = stop.send(());
        }
        self.world.change(|state| {
            for connection in &state.gateway.connections {
                let _ = connection.send(Order::Drop);
            }
        });
    }
}

async fn connect(
    State(world): State<Arc<World>>,
    RawQuery(query): RawQuery,
    upgrade: crate::websocket::Upgrade,
) -> Response {
    if world.look(|state| state.gateway.down) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    upgrade.on_upgrade(move |socket| gateway::serve(world, socket, query.unwrap_or_default()))
}
