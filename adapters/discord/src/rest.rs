//! Requests to Discord: serenity's routes and headers, our own client, pace and time limits.
//!
//! Not serenity's own client: it hides the headers and the body of a 429, and ignores a base address while it keeps pace.

mod buckets;

use std::time::Duration;

use formwright_chat::DeliveryError;
use formwright_chat::pace::Pace;
use reqwest012::header::HeaderMap;
use serde_json::Value;
use serenity::all::{ApplicationId, ChannelId, GuildId, InteractionId, MessageId};
use serenity::http::{LightMethod, Request, Route};

use self::buckets::{Buckets, Counted, GLOBAL};
use crate::limits;
use crate::settings::Secret;

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
    client: reqwest012::Client,
    authorization: String,
    base: String,
    pace: Pace,
    buckets: Buckets,
}

/// A request: where to, and what it counts against.
pub(crate) struct Call<'a> {
    route: Route<'a>,
    method: LightMethod,
    /// None for answers to interactions, which are not counted.
    counts: Option<Counted>,
    params: Option<Vec<(&'static str, String)>>,
}

impl Rest {
    /// A client for a token; `base` is where Discord is.
    ///
    /// # Errors
    /// A sentence for the operator when no client can be made.
    pub(crate) fn new(token: &Secret, base: &str) -> Result<Self, String> {
        let client = reqwest012::Client::builder()
            .timeout(limits::REQUEST_TIME)
            .connect_timeout(limits::REQUEST_TIME)
            .redirect(reqwest012::redirect::Policy::none())
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
        })
    }

    /// Sends a request, in its turn.
    pub(crate) async fn call(&self, call: Call<'_>, body: Option<&Value>) -> Result<Value, RestError> {
        if let Some(counted) = &call.counts {
            let lanes = self.buckets.lanes(counted);
            // Longer than a request may take is the outbox's to wait.
            let turn = self.pace.turn(&lanes, limits::REQUEST_TIME).await;
            turn.map_err(|after| RestError::Limited { after })?;
        }
        let body = body.map(|body| body.to_string().into_bytes());
        let limit = if call.counts.is_some() { limits::REQUEST_TIME } else { limits::CALLBACK_TIME };
        let request = Request::new(call.route, call.method).body(body).params(call.params);
        // serenity opens a span that shows the request, with its tokens and its words: nobody listens.
        let build = || request.build(&self.client, &self.authorization, Some(&self.base));
        let request = tracing::subscriber::with_default(tracing::subscriber::NoSubscriber::default(), build)
            .map_err(|error| RestError::Down(format!("no request: {error}")))?;
        let answer = async {
            let response = request.send().await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            Ok::<_, reqwest012::Error>((status, headers, response.bytes().await?))
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

/// Seconds as Discord gives them; nonsense becomes a second, and no wait is longer than an hour.
fn seconds(seconds: f64) -> Duration {
    let seconds = if seconds.is_finite() { seconds.clamp(0.0, 3600.0) } else { 1.0 };
    Duration::from_secs_f64(seconds)
}

/// An id of Discord's; what is none is refused before it is sent.
fn id(text: &str) -> Result<u64, RestError> {
    let none = || RestError::Refused { status: 404, code: 0 };
    text.parse().ok().filter(|id| *id != 0).ok_or_else(none)
}

impl<'a> Call<'a> {
    /// A request that counts with those of the same kind under the same `major`: a channel, a server, an interaction.
    fn new(route: Route<'a>, method: LightMethod, kind: &'static str, major: impl ToString) -> Self {
        Self { route, method, counts: Some(Counted::new(kind, major)), params: None }
    }

    /// The bot's own account.
    pub(crate) fn me() -> Self {
        Self::new(Route::UserMe, LightMethod::Get, "me", "")
    }

    /// The application that the bot belongs to.
    pub(crate) fn application() -> Self {
        Self::new(Route::Oauth2ApplicationCurrent, LightMethod::Get, "application", "")
    }

    /// Where the gateway is, and how many connections it asks for.
    pub(crate) fn gateway() -> Self {
        Self::new(Route::GatewayBot, LightMethod::Get, "gateway", "")
    }

    /// Sets the application's commands.
    pub(crate) fn commands(application: &str) -> Result<Self, RestError> {
        let application_id = ApplicationId::new(id(application)?);
        Ok(Self::new(Route::Commands { application_id }, LightMethod::Put, "commands", ""))
    }

    /// Sets the commands that one server has beside the application's.
    pub(crate) fn commands_of(application: &str, server: &str) -> Result<Self, RestError> {
        let (application_id, guild_id) = (ApplicationId::new(id(application)?), GuildId::new(id(server)?));
        Ok(Self::new(Route::GuildCommands { application_id, guild_id }, LightMethod::Put, "commands", server))
    }

    /// Sends a message.
    pub(crate) fn send(channel: &str) -> Result<Self, RestError> {
        let channel = id(channel)?;
        let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
        Ok(Self::new(route, LightMethod::Post, buckets::SEND, channel))
    }

    /// Changes a message.
    pub(crate) fn edit(channel: &str, message: &str) -> Result<Self, RestError> {
        Self::message(channel, message, LightMethod::Patch, buckets::EDIT)
    }

    /// Deletes a message.
    pub(crate) fn delete(channel: &str, message: &str) -> Result<Self, RestError> {
        Self::message(channel, message, LightMethod::Delete, "delete")
    }

    fn message(channel: &str, message: &str, method: LightMethod, kind: &'static str) -> Result<Self, RestError> {
        let channel = id(channel)?;
        let (channel_id, message_id) = (ChannelId::new(channel), MessageId::new(id(message)?));
        let route = Route::ChannelMessage { channel_id, message_id };
        Ok(Self::new(route, method, kind, channel))
    }

    /// What was written in a channel after a message, the newest first.
    pub(crate) fn history(channel: &str, after: &str) -> Result<Self, RestError> {
        let route = Route::ChannelMessages { channel_id: ChannelId::new(id(channel)?) };
        let params = vec![("limit", limits::HISTORY.to_string()), ("after", id(after)?.to_string())];
        Ok(Self { params: Some(params), ..Self::new(route, LightMethod::Get, "history", channel) })
    }

    /// A channel.
    pub(crate) fn channel(channel: &str) -> Result<Self, RestError> {
        let route = Route::Channel { channel_id: ChannelId::new(id(channel)?) };
        Ok(Self::new(route, LightMethod::Get, "channel", channel))
    }

    /// Shows that the bot is writing.
    pub(crate) fn typing(channel: &str) -> Result<Self, RestError> {
        let route = Route::ChannelTyping { channel_id: ChannelId::new(id(channel)?) };
        Ok(Self::new(route, LightMethod::Post, "typing", channel))
    }

    /// Opens the direct channel to a person.
    pub(crate) fn direct() -> Self {
        Self::new(Route::UserMeDmChannels, LightMethod::Post, "direct", "")
    }

    /// Answers an interaction.
    pub(crate) fn answer(interaction: &str, token: &'a str) -> Result<Self, RestError> {
        let interaction_id = InteractionId::new(id(interaction)?);
        let route = Route::InteractionResponse { interaction_id, token };
        Ok(Self { route, method: LightMethod::Post, counts: None, params: None })
    }

    /// Says more in answer to an interaction.
    pub(crate) fn follow_up(application: &str, token: &'a str) -> Result<Self, RestError> {
        let application_id = ApplicationId::new(id(application)?);
        let route = Route::WebhookFollowupMessages { application_id, token };
        Ok(Self::new(route, LightMethod::Post, "follow-up", token))
    }

    /// Changes what was said in answer to an interaction.
    pub(crate) fn edit_follow_up(application: &str, token: &'a str, message: &str) -> Result<Self, RestError> {
        let (application_id, message_id) = (ApplicationId::new(id(application)?), MessageId::new(id(message)?));
        let route = Route::WebhookFollowupMessage { application_id, token, message_id };
        Ok(Self::new(route, LightMethod::Patch, "edit follow-up", token))
    }

    /// Fills in, or takes away, the answer that was put off.
    pub(crate) fn original(application: &str, token: &'a str, method: LightMethod) -> Result<Self, RestError> {
        let application_id = ApplicationId::new(id(application)?);
        let route = Route::WebhookOriginalInteractionResponse { application_id, token };
        Ok(Self::new(route, method, "original", token))
    }
}
