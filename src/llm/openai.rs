//! Any server that speaks the chat completions of `OpenAI`, over `async-openai`.
//!
//! One call ends within one deadline, whatever the server does. What the server honours is found out at the start and
//! whenever it refuses a request; replies are handed on as they are, because the engine trusts none of them.

mod breaker;
mod budget;
mod failure;
mod habits;
mod probe;
mod reply;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_trait::async_trait;
use formwright_chat as chat;
use reqwest::header::HeaderValue;
use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};

use self::breaker::Breaker;
use self::budget::Budget;
use self::failure::Failure;
use self::habits::Habits;
use self::wire::Wire;
use super::Model;
use formwright_engine::{CallError, ModelCall};

pub use self::probe::Found;

/// Requests of one call at most: the server may refuse several of our habits, one after the other, and be busy once.
const ATTEMPTS: u32 = 8;
/// How long a busy server is left alone where it does not say.
const PAUSE: Duration = Duration::from_millis(300);

/// How a server is reached and how much it is asked.
#[derive(Clone)]
pub struct OpenAiSettings {
    /// Address that `/chat/completions` is put after, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// Sent as bearer token; empty for servers that want none.
    pub key: formwright_http::secret::Secret,
    /// The model's name.
    pub model: String,
    /// Longest time of a call, its second attempt included; of all calls of one turn as well.
    pub deadline: Duration,
    /// Calls in a minute: of one person, and of all.
    pub per_minute: (u32, u32),
}

impl OpenAiSettings {
    /// The address without what may be secret in it.
    fn place(&self) -> String {
        let Ok(url) = self.base_url.parse::<reqwest::Url>() else { return String::new() };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path().trim_end_matches('/'))
    }
}

impl std::fmt::Debug for OpenAiSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAiSettings")
            .field("base_url", &self.place())
            .field("key", &self.key)
            .field("model", &self.model)
            .field("deadline", &self.deadline)
            .field("per_minute", &self.per_minute)
            .finish()
    }
}

/// A model behind an OpenAI-compatible server.
pub struct OpenAi {
    client: Client<OpenAIConfig>,
    settings: OpenAiSettings,
    habits: Mutex<Habits>,
    breaker: Breaker,
    budget: Budget,
    calls: AtomicU64,
    failures: AtomicU64,
    prompt_tokens: AtomicU64,
    reply_tokens: AtomicU64,
}

impl std::fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAi").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Why there is no client. Never says what the key is.
#[derive(Clone, Debug, thiserror::Error)]
pub enum UnfitError {
    /// The address is none.
    #[error("model.base_url is no http or https address")]
    Address,
    /// The key cannot stand in a header.
    #[error("model.key has characters that no key has, such as line ends or letters with accents")]
    Key,
    /// There is no HTTP client.
    #[error(transparent)]
    Http(#[from] formwright_http::HttpError),
}

impl OpenAi {
    /// A model that has not been asked yet.
    ///
    /// # Errors
    /// [`UnfitError`], in words for the operator.
    pub fn new(settings: OpenAiSettings) -> Result<Self, UnfitError> {
        let url = settings.base_url.parse::<reqwest::Url>().map_err(|_| UnfitError::Address)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(UnfitError::Address);
        }
        let key = String::from_utf8_lossy(settings.key.expose()).into_owned();
        if HeaderValue::from_str(&key).is_err() || !key.is_ascii() {
            return Err(UnfitError::Key);
        }
        let wire = Wire::new(formwright_http::client()?, settings.deadline);
        let mut config = OpenAIConfig::new().with_api_base(settings.base_url.trim_end_matches('/')).with_api_key(key);
        // The client takes these from the environment, and would panic where they cannot stand in a header.
        let unfit = |name: &str| std::env::var(name).is_ok_and(|text| HeaderValue::from_str(&text).is_err());
        if unfit("OPENAI_ORG_ID") {
            config = config.with_org_id("");
        }
        if unfit("OPENAI_PROJECT_ID") {
            config = config.with_project_id("");
        }
        Ok(Self {
            client: Client::with_config(config).with_http_service(wire),
            habits: Mutex::default(),
            breaker: Breaker::default(),
            budget: Budget::new(settings.per_minute),
            settings,
            calls: AtomicU64::default(),
            failures: AtomicU64::default(),
            prompt_tokens: AtomicU64::default(),
            reply_tokens: AtomicU64::default(),
        })
    }

    fn habits(&self) -> Habits {
        *self.habits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_habits(&self, habits: Habits) {
        *self.habits.lock().unwrap_or_else(PoisonError::into_inner) = habits;
    }

    /// One call: a second attempt where the server was busy, further ones where it refused how it was asked, all within
    /// the deadline. Gives the reply, and the habits that led to it; every body that came goes to `count`.
    async fn exchange(
        &self,
        call: &ModelCall,
        mut habits: Habits,
        deadline: Instant,
        count: impl Fn(&Json) + Send,
    ) -> Result<(String, Habits), Failure> {
        let mut busy = false;
        for _ in 0..ATTEMPTS {
            let request = habits.request(&self.settings.model, call);
            let sent: Result<Json, OpenAIError> =
                timeout_at(deadline, self.client.chat().create_byot(request)).await.map_err(|_| Failure::Slow)?;
            let failure = match sent.map_err(Failure::of) {
                Ok(reply) => {
                    count(&reply);
                    match reply::text_of(&reply) {
                        Ok(text) => return Ok((text, habits)),
                        Err(failure) => failure,
                    }
                }
                Err(failure) => failure,
            };
            match habits.after(&failure) {
                Some(learned) => habits = learned,
                None => {
                    let Failure::Server { after, .. } = &failure else { return Err(failure) };
                    let next = Instant::now() + after.unwrap_or(PAUSE);
                    if busy || next >= deadline {
                        return Err(failure);
                    }
                    busy = true;
                    tokio::time::sleep_until(next).await;
                }
            }
        }
        Err(Failure::Protocol)
    }

    /// Leaves a server alone that does not accept the key. The operator is told once which setting to look at.
    fn refuse(&self, why: &Failure, now: Instant) {
        if self.breaker.refuse(now) {
            tracing::error!(
                "{}: {why}; set model.key or the variable it comes from. Forms go on without it",
                self.name()
            );
        }
    }

    /// The model and its address, without what may be secret in it.
    fn name(&self) -> String {
        format!("model {} at {}", self.settings.model, self.settings.place())
    }

    /// Counts the tokens of a call on behalf of a person.
    fn count(&self, reply: &Json) {
        let tokens = |key: &str| reply["usage"][key].as_u64().unwrap_or(0);
        self.prompt_tokens.fetch_add(tokens("prompt_tokens"), Ordering::Relaxed);
        self.reply_tokens.fetch_add(tokens("completion_tokens"), Ordering::Relaxed);
    }
}

#[async_trait]
impl Model for OpenAi {
    async fn ask(&self, user: &chat::UserId, call: &ModelCall) -> Result<String, CallError> {
        let now = Instant::now();
        let refused = |words: &str| CallError::broken(words, true);
        if !self.breaker.may_call(now) {
            let why = if self.breaker.is_refused() {
                "the model's key was not accepted, and it is left alone for a while"
            } else if self.breaker.has_failed() {
                "the model failed several times and is left alone for a while"
            } else {
                "the model asked to be left alone for a while"
            };
            return Err(refused(why));
        }
        if !self.budget.take(user.as_str(), now) {
            return Err(refused("the model's budget for this minute is used up"));
        }
        self.calls.fetch_add(1, Ordering::Relaxed);
        let before = self.habits();
        match self.exchange(call, before, now + self.settings.deadline, |reply| self.count(reply)).await {
            Ok((text, habits)) => {
                self.breaker.answered();
                if habits != before {
                    self.set_habits(habits);
                }
                Ok(text)
            }
            Err(failure) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                let now = Instant::now();
                if matches!(failure, Failure::Key(_)) {
                    self.refuse(&failure, now);
                } else {
                    self.breaker.note(false, now);
                }
                if let Failure::Server { after: Some(after), .. } = &failure {
                    self.breaker.rest_until(now + *after);
                }
                Err(refused(&failure.to_string()))
            }
        }
    }

    fn deadline(&self) -> Option<Duration> {
        Some(self.settings.deadline)
    }

    fn weighed(&self, readable: bool) {
        if !readable {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        self.breaker.note(readable, Instant::now());
    }

    fn health(&self) -> chat::ModelHealth {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let state = if self.breaker.is_refused() {
            chat::ModelState::Refused
        } else if self.breaker.is_resting(Instant::now()) {
            chat::ModelState::Resting
        } else {
            chat::ModelState::Up
        };
        chat::ModelHealth {
            state,
            calls: read(&self.calls),
            failures: read(&self.failures),
            prompt_tokens: read(&self.prompt_tokens),
            reply_tokens: read(&self.reply_tokens),
        }
    }
}

#[cfg(test)]
mod tests;
