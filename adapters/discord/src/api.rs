//! Requests to Discord: their routes, pace and time limits.
//!
//! No client library: serenity's hides the headers and the body of a 429, and ignores a base address while it keeps pace.

mod buckets;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formwright_chat::DeliveryError;
use formwright_chat::pace::Pace;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use serde_json::Value;

use self::buckets::{Buckets, Counted, GLOBAL, seconds};
use crate::limits;
use crate::settings::Secret;

/// The message that answers an interaction, where an id of a message is asked for.
pub(crate) const ORIGINAL: &str = "@original";

/// A request that was not fulfilled. Holds no words of a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RestError {
    /// Too many requests.
    #[error("rate limited for {:.1} s", after.as_secs_f32())]
    Limited {
        /// How long to wait.
        after: Duration,
    },
    /// Discord refuses it.
    #[error("refused: {status}, code {code}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Discord's own code, 0 where it gave none.
        code: u64,
    },
    /// Discord cannot be reached, or fails.
    #[error("{0}")]
    Down(String),
}

impl From<RestError> for DeliveryError {
    fn from(error: RestError) -> Self {
        let why = error.to_string();
        match error {
            RestError::Limited { after } => Self::Later { why, after: Some(after) },
            RestError::Down(_) => Self::later(why),
            // A token may be exchanged while we run: nothing is lost meanwhile.
            RestError::Refused { status: 401, .. } => Self::Later { why, after: Some(Duration::from_secs(60)) },
            RestError::Refused { .. } => Self::never(why),
        }
    }
}

/// The client.
pub(crate) struct Rest {
    client: reqwest::Client,
    authorization: String,
    base: String,
    pace: Pace,
    buckets: Buckets,
    /// Discord does not take the token any more.
    barred: AtomicBool,
}

/// A request: where to, and what it counts against.
pub(crate) struct Call {
    /// The path and the query.
    route: String,
    method: Method,
    /// None for answers to interactions, which are not counted.
    counts: Option<Counted>,
}

impl Rest {
    /// A client for a token; `base` is where Discord is.
    ///
    /// # Errors
    /// A sentence for the operator when no client can be made.
    pub(crate) fn new(token: &Secret, base: &str) -> Result<Self, String> {
        // This client and the gateway's want a process-wide TLS provider; one that is there already stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .user_agent(concat!("DiscordBot (formwright, ", env!("CARGO_PKG_VERSION"), ")"))
            .timeout(limits::REQUEST_TIME)
            .connect_timeout(limits::REQUEST_TIME)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| format!("discord: no HTTP client: {error}"))?;
        let base = base.trim_end_matches('/').to_owned();
        let token = token.expose().trim().trim_start_matches("Bot ");
        Ok(Self {
            client,
            authorization: format!("Bot {token}"),
            base,
            pace: Pace::default(),
            buckets: Buckets::default(),
            barred: AtomicBool::new(false),
        })
    }

    /// Why nothing is sent; none where the token is taken.
    pub(crate) fn trouble(&self) -> Option<String> {
        let barred = self.barred.load(Ordering::Relaxed);
        barred.then(|| "Discord refuses the token: reset it under “Bot” and set discord.token".to_owned())
    }

    /// Looks whether a token that was refused is taken again; then all goes on.
    pub(crate) async fn look_again(&self) {
        if self.barred.load(Ordering::Relaxed) && self.send(Call::me(), None).await.is_ok() {
            self.barred.store(false, Ordering::Relaxed);
            tracing::info!("discord: the token is taken again");
        }
    }

    /// Sends a request, in its turn. None that needs the token, once that was refused: each would count towards a ban.
    pub(crate) async fn call(&self, call: Call, body: Option<&Value>) -> Result<Value, RestError> {
        let signed = call.is_signed();
        if signed && self.barred.load(Ordering::Relaxed) {
            return Err(RestError::Refused { status: 401, code: 0 });
        }
        let answer = self.send(call, body).await;
        if signed
            && matches!(answer, Err(RestError::Refused { status: 401, .. }))
            && !self.barred.swap(true, Ordering::Relaxed)
        {
            tracing::error!("discord: the token is refused: nothing is sent until it is taken again");
        }
        answer
    }

    async fn send(&self, call: Call, body: Option<&Value>) -> Result<Value, RestError> {
        if let Some(counted) = &call.counts {
            let lanes = self.buckets.lanes(counted);
            // Longer than a request may take is the outbox's to wait.
            let turn = self.pace.turn(&lanes, limits::REQUEST_TIME).await;
            turn.map_err(|after| RestError::Limited { after })?;
        }
        let body = body.map(|body| body.to_string().into_bytes());
        let limit = if call.counts.is_some() { limits::REQUEST_TIME } else { limits::CALLBACK_TIME };
        let request = self.client.request(call.method, format!("{}/api/v10{}", self.base, call.route));
        let request = request.header(AUTHORIZATION, &self.authorization);
        let request = match body {
            Some(body) => request.header(CONTENT_TYPE, "application/json").body(body),
            None => request.header(CONTENT_LENGTH, 0),
        };
        let answer = async {
            let response = request.send().await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            Ok::<_, reqwest::Error>((status, headers, response.bytes().await?))
        };
        let (status, headers, bytes) = match tokio::time::timeout(limit, answer).await {
            Ok(Ok(answer)) => answer,
            // The address holds tokens: it is not shown.
            Ok(Err(error)) => return Err(RestError::Down(format!("not reached: {}", error.without_url()))),
            Err(_) => return Err(RestError::Down("no answer in time".to_owned())),
        };
        let answer = serde_json::from_slice::<Value>(&bytes).unwrap_or(Value::Null);
        let counted = call.counts.as_ref();
        counted.into_iter().for_each(|counted| self.buckets.heed(&headers, counted, &self.pace));
        match status {
            200..300 => Ok(answer),
            429 => Err(self.limited(&answer, &headers, counted)),
            // A server in trouble may say too when to come back.
            500.. if headers.contains_key("retry-after") => Err(self.limited(&answer, &headers, counted)),
            500.. => Err(RestError::Down(format!("Discord answers {status}"))),
            _ => Err(RestError::Refused { status, code: answer["code"].as_u64().unwrap_or_default() }),
        }
    }

    fn limited(&self, answer: &Value, headers: &HeaderMap, counted: Option<&Counted>) -> RestError {
        let header = headers.get("retry-after").and_then(|value| value.to_str().ok()?.parse::<f64>().ok());
        let after = seconds(answer["retry_after"].as_f64().or(header).unwrap_or(1.0));
        let scope = headers.get("x-ratelimit-scope").and_then(|scope| scope.to_str().ok());
        let global = answer["global"].as_bool() == Some(true)
            || headers.contains_key("x-ratelimit-global")
            || scope == Some("global");
        match counted {
            _ if global => self.pace.hold(GLOBAL, after),
            Some(counted) => self.buckets.hold(counted, after, &self.pace),
            None => {}
        }
        RestError::Limited { after }
    }
}

/// An id of Discord's; what is none is refused before it is sent.
fn id(text: &str) -> Result<u64, RestError> {
    let none = || RestError::Refused { status: 404, code: 0 };
    text.parse().ok().filter(|id| *id != 0).ok_or_else(none)
}

impl Call {
    /// A request that counts with those of the same kind under the same `major`: a channel, a server, an interaction.
    fn new(route: impl Into<String>, method: Method, kind: &'static str, major: impl ToString) -> Self {
        Self { route: route.into(), method, counts: Some(Counted::new(kind, major)) }
    }

    /// Whether it is made in the bot's own name. Answers to interactions are known by their tokens.
    fn is_signed(&self) -> bool {
        self.counts.as_ref().is_some_and(|counted| !counted.is_of_interaction())
    }

    /// The bot's own account.
    pub(crate) fn me() -> Self {
        Self::new("/users/@me", Method::GET, "me", "")
    }

    /// The application that the bot belongs to.
    pub(crate) fn application() -> Self {
        Self::new("/oauth2/applications/@me", Method::GET, "application", "")
    }

    /// Where the gateway is, and how many connections it asks for.
    pub(crate) fn gateway() -> Self {
        Self::new("/gateway/bot", Method::GET, "gateway", "")
    }

    /// Sets the application's commands.
    pub(crate) fn commands(application: &str) -> Result<Self, RestError> {
        let route = format!("/applications/{}/commands", id(application)?);
        Ok(Self::new(route, Method::PUT, "commands", ""))
    }

    /// Sets the commands that one server has beside the application's.
    pub(crate) fn commands_of(application: &str, server: &str) -> Result<Self, RestError> {
        let route = format!("/applications/{}/guilds/{}/commands", id(application)?, id(server)?);
        Ok(Self::new(route, Method::PUT, "commands", server))
    }

    /// Sends a message.
    pub(crate) fn send(channel: &str) -> Result<Self, RestError> {
        let channel = id(channel)?;
        let route = format!("/channels/{channel}/messages");
        Ok(Self::new(route, Method::POST, buckets::SEND, channel))
    }

    /// Changes a message.
    pub(crate) fn edit(channel: &str, message: &str) -> Result<Self, RestError> {
        Self::message(channel, message, Method::PATCH, buckets::EDIT)
    }

    /// Deletes a message.
    pub(crate) fn delete(channel: &str, message: &str) -> Result<Self, RestError> {
        Self::message(channel, message, Method::DELETE, "delete")
    }

    fn message(channel: &str, message: &str, method: Method, kind: &'static str) -> Result<Self, RestError> {
        let channel = id(channel)?;
        let route = format!("/channels/{channel}/messages/{}", id(message)?);
        Ok(Self::new(route, method, kind, channel))
    }

    /// What was written in a channel after a message, the newest first.
    pub(crate) fn history(channel: &str, after: &str) -> Result<Self, RestError> {
        let (limit, after) = (limits::HISTORY, id(after)?);
        let route = format!("/channels/{}/messages?limit={limit}&after={after}", id(channel)?);
        Ok(Self::new(route, Method::GET, "history", channel))
    }

    /// The newest messages of a channel.
    pub(crate) fn newest(channel: &str) -> Result<Self, RestError> {
        let route = format!("/channels/{}/messages?limit={}", id(channel)?, limits::HISTORY);
        Ok(Self::new(route, Method::GET, "history", channel))
    }

    /// Makes a thread in a channel.
    pub(crate) fn thread(channel: &str) -> Result<Self, RestError> {
        Ok(Self::new(format!("/channels/{}/threads", id(channel)?), Method::POST, "thread", channel))
    }

    /// Brings a person into a thread.
    pub(crate) fn invite(thread: &str, user: &str) -> Result<Self, RestError> {
        let route = format!("/channels/{}/thread-members/{}", id(thread)?, id(user)?);
        Ok(Self::new(route, Method::PUT, "member", thread))
    }

    /// A channel.
    pub(crate) fn channel(channel: &str) -> Result<Self, RestError> {
        Ok(Self::new(format!("/channels/{}", id(channel)?), Method::GET, "channel", channel))
    }

    /// Shows that the bot is writing.
    pub(crate) fn typing(channel: &str) -> Result<Self, RestError> {
        Ok(Self::new(format!("/channels/{}/typing", id(channel)?), Method::POST, "typing", channel))
    }

    /// Opens the direct channel to a person.
    pub(crate) fn direct() -> Self {
        Self::new("/users/@me/channels", Method::POST, "direct", "")
    }

    /// Answers an interaction.
    pub(crate) fn answer(interaction: &str, token: &str) -> Result<Self, RestError> {
        let route = format!("/interactions/{}/{token}/callback", id(interaction)?);
        Ok(Self { route, method: Method::POST, counts: None })
    }

    /// Says more in answer to an interaction.
    pub(crate) fn follow_up(application: &str, token: &str) -> Result<Self, RestError> {
        let route = format!("/webhooks/{}/{token}", id(application)?);
        Ok(Self::new(route, Method::POST, buckets::FOLLOW_UP, token))
    }

    /// Changes or takes away what was said in answer to an interaction; the first answer goes by the name of `@original`.
    pub(crate) fn answered(application: &str, token: &str, message: &str, method: Method) -> Result<Self, RestError> {
        let message = if message == ORIGINAL { message.to_owned() } else { id(message)?.to_string() };
        let route = format!("/webhooks/{}/{token}/messages/{message}", id(application)?);
        Ok(Self::new(route, method, buckets::ANSWERED, token))
    }
}
