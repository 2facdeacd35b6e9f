//! Any server that speaks the chat completions of `OpenAI`, over `async-openai`.
//!
//! One call ends within one deadline, whatever the server does. What the server honours is found out at the start and
//! whenever it refuses a request; replies are handed on as they are, because the engine trusts none of them.

mod breaker;
mod budget;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_trait::async_trait;
use formwright_chat as chat;
use serde_json::{Value as Json, json};
use tokio::time::{Instant, timeout_at};

use self::breaker::Breaker;
use self::budget::Budget;
use self::wire::{Refused, Wire};
use super::Model;
use crate::engine::{CallError, ModelCall};
use crate::http::{self, HttpError};

/// How a server is reached and how much it is asked.
#[derive(Clone, Debug)]
pub struct OpenAiSettings {
    /// Address that `/chat/completions` is put after, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// Sent as bearer token; empty for servers that want none.
    pub key: crate::secret::Secret,
    /// The model's name.
    pub model: String,
    /// Longest time of a call, its second attempt included.
    pub deadline: Duration,
    /// Calls in a minute: of one person, and of all.
    pub per_minute: (u32, u32),
}

/// What a server is asked to do about the shape of its reply, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A JSON Schema that the server enforces.
    Schema,
    /// Some JSON object; the schema is in the prompt.
    Object,
    /// Nothing; the schema is in the prompt.
    Plain,
}

/// What was learned of a server.
#[derive(Clone, Copy, Debug)]
struct Habits {
    shape: Shape,
    /// It wants `max_completion_tokens` in place of `max_tokens`.
    new_names: bool,
    /// It takes a temperature.
    temperature: bool,
}

/// How often a model was asked, and what that cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls made.
    pub calls: u64,
    /// Calls that gave nothing.
    pub failures: u64,
    /// Tokens of prompts, as the server counts them.
    pub prompt_tokens: u64,
    /// Tokens of replies, as the server counts them.
    pub reply_tokens: u64,
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

impl OpenAi {
    /// A model that has not been asked yet.
    ///
    /// # Errors
    /// See [`http::client`].
    pub fn new(settings: OpenAiSettings) -> Result<Self, HttpError> {
        let wire = Wire::new(http::client()?);
        let key = String::from_utf8_lossy(settings.key.expose()).into_owned();
        let config = OpenAIConfig::new().with_api_base(settings.base_url.trim_end_matches('/')).with_api_key(key);
        Ok(Self {
            client: Client::with_config(config).with_http_service(wire),
            habits: Mutex::new(Habits { shape: Shape::Schema, new_names: false, temperature: true }),
            breaker: Breaker::default(),
            budget: Budget::new(settings.per_minute),
            settings,
            calls: AtomicU64::default(),
            failures: AtomicU64::default(),
            prompt_tokens: AtomicU64::default(),
            reply_tokens: AtomicU64::default(),
        })
    }

    /// How often it was asked.
    pub fn usage(&self) -> Usage {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Usage {
            calls: read(&self.calls),
            failures: read(&self.failures),
            prompt_tokens: read(&self.prompt_tokens),
            reply_tokens: read(&self.reply_tokens),
        }
    }

    /// Finds out what the server honours, by schemas that the prompt contradicts. One line for the operator.
    pub async fn probe(&self) -> String {
        let (model, url) = (&self.settings.model, &self.settings.base_url);
        for shape in [Shape::Schema, Shape::Object, Shape::Plain] {
            self.set_habits(|habits| habits.shape = shape);
            let reply = self.exchange(&probe_call(), Instant::now() + self.settings.deadline).await;
            let honoured = match (&reply, shape) {
                (Ok(text), Shape::Schema) => {
                    serde_json::from_str::<Json>(text.trim()).is_ok_and(|reply| reply["intent"] == "other")
                }
                (Ok(text), Shape::Object) => {
                    serde_json::from_str::<Json>(text.trim()).is_ok_and(|reply| reply.is_object())
                }
                (Ok(_), Shape::Plain) => true,
                (Err(_), _) => false,
            };
            let gone = matches!(&reply, Err(Failure::Server { .. } | Failure::Slow | Failure::Unreachable(_)));
            if gone {
                self.set_habits(|habits| habits.shape = Shape::Schema);
                let why = reply.err().map(|failure| failure.to_string()).unwrap_or_default();
                return format!("model {model} at {url}: {why}; forms go on without it, and it is tried again");
            }
            if honoured {
                let what = match shape {
                    Shape::Schema => "keeps to JSON schemas",
                    Shape::Object => "writes JSON, but does not keep to schemas: they are in the prompt",
                    Shape::Plain => "does not promise JSON: it is asked for in the prompt",
                };
                return format!("model {model} at {url}: {what}");
            }
        }
        self.set_habits(|habits| habits.shape = Shape::Plain);
        format!("model {model} at {url}: refuses what it is asked; see the log. Forms go on without it")
    }

    fn habits(&self) -> Habits {
        *self.habits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_habits(&self, change: impl FnOnce(&mut Habits)) {
        change(&mut self.habits.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// One call: a second attempt where the server was busy or refused how it was asked, all within the deadline.
    async fn exchange(&self, call: &ModelCall, deadline: Instant) -> Result<String, Failure> {
        const ATTEMPTS: u32 = 4;
        let mut busy = false;
        for _ in 0..ATTEMPTS {
            let habits = self.habits();
            let request = request(&self.settings.model, call, habits);
            let sent: Result<Json, OpenAIError> =
                timeout_at(deadline, self.client.chat().create_byot(request)).await.map_err(|_| Failure::Slow)?;
            let failure = match sent {
                Ok(reply) => {
                    self.count(&reply);
                    return text_of(&reply);
                }
                Err(error) => Failure::of(error),
            };
            match &failure {
                Failure::Server { after } if !busy => {
                    busy = true;
                    let pause = Instant::now() + after.unwrap_or(Duration::from_millis(300));
                    if pause >= deadline {
                        return Err(failure);
                    }
                    tokio::time::sleep_until(pause).await;
                }
                Failure::Asked(words) if self.learn(words, habits) => {}
                _ => return Err(failure),
            }
        }
        Err(Failure::Slow)
    }

    /// Learns from a refusal how this server wants to be asked; tells whether there is something else to try.
    fn learn(&self, words: &str, tried: Habits) -> bool {
        let words = words.to_lowercase();
        let mut learned = tried;
        if words.contains("max_tokens") && !tried.new_names {
            learned.new_names = true;
        } else if words.contains("temperature") && tried.temperature {
            learned.temperature = false;
        } else {
            learned.shape = match tried.shape {
                Shape::Schema => Shape::Object,
                Shape::Object => Shape::Plain,
                Shape::Plain => return false,
            };
        }
        self.set_habits(|habits| *habits = learned);
        true
    }

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
        let refused = |words: &str| CallError { for_person: None, for_log: words.to_owned(), retry: true };
        if !self.budget.take(user.as_str(), now) {
            return Err(refused("the model's budget for this minute is used up"));
        }
        if !self.breaker.may_call(now) {
            return Err(refused("the model failed several times and is left alone for a while"));
        }
        self.calls.fetch_add(1, Ordering::Relaxed);
        let result = self.exchange(call, now + self.settings.deadline).await;
        self.breaker.note(result.is_ok(), Instant::now());
        if result.is_err() {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        result.map_err(|failure| refused(&failure.to_string()))
    }
}

/// Why a call gave nothing. Never holds what a person wrote.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("it did not answer in time")]
    Slow,
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// Busy or broken: 429 and 5xx.
    #[error("it is busy or broken")]
    Server { after: Option<Duration> },
    /// Refused, in the server's words, which are kept from the log: they may repeat the message.
    #[error("it refuses the request")]
    Asked(String),
    #[error("its key is not accepted")]
    Key,
    #[error("its reply is not what the protocol says")]
    Protocol,
    #[error("its reply was cut off")]
    Cut,
    #[error("its reply is too long")]
    TooLong,
}

impl Failure {
    fn of(error: OpenAIError) -> Self {
        match error {
            OpenAIError::Boxed(boxed) => match boxed.downcast::<Refused>() {
                Ok(refused) => match *refused {
                    Refused::Busy { after } => Self::Server { after },
                    Refused::TooLong => Self::TooLong,
                    Refused::Key => Self::Key,
                    Refused::Asked(words) => Self::Asked(words),
                },
                Err(other) => Self::Unreachable(other.to_string()),
            },
            OpenAIError::Reqwest(error) => Self::Unreachable(error.without_url().to_string()),
            OpenAIError::ApiError(error) => Self::Asked(error.api_error.message),
            _ => Self::Protocol,
        }
    }
}

fn request(model: &str, call: &ModelCall, habits: Habits) -> Json {
    let mut system = call.system.clone();
    if habits.shape != Shape::Schema {
        system += &format!("\nThe JSON Schema of your reply:\n{}\n", call.schema);
    }
    let mut request = json!({
        "model": model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": call.message}],
        "stream": false,
    });
    let limit = if habits.new_names { "max_completion_tokens" } else { "max_tokens" };
    request[limit] = call.max_tokens.into();
    if habits.temperature {
        request["temperature"] = 0.into();
    }
    match habits.shape {
        Shape::Schema => {
            let schema = json!({"name": "reading", "strict": true, "schema": call.schema});
            request["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        Shape::Object => request["response_format"] = json!({"type": "json_object"}),
        Shape::Plain => {}
    }
    request
}

/// The text of a reply: its content, or where that is empty what some servers put beside it.
fn text_of(reply: &Json) -> Result<String, Failure> {
    let choice = &reply["choices"][0];
    let message = choice.get("message").ok_or(Failure::Protocol)?;
    if choice["finish_reason"] == "length" {
        return Err(Failure::Cut);
    }
    let parts = |content: &Json| -> String {
        let parts = content.as_array().map_or(&[][..], Vec::as_slice);
        parts.iter().filter_map(|part| part["text"].as_str()).collect()
    };
    let content = message["content"].as_str().map_or_else(|| parts(&message["content"]), str::to_owned);
    if !content.trim().is_empty() {
        return Ok(content);
    }
    let beside = ["reasoning_content", "reasoning"].iter().find_map(|key| message[*key].as_str());
    let called = message["tool_calls"][0]["function"]["arguments"].as_str();
    Ok(called.or(beside).unwrap_or_default().to_owned())
}

/// A question whose right answer differs from what the schema allows.
fn probe_call() -> ModelCall {
    ModelCall {
        call: "probe".to_owned(),
        system: "Reply with the JSON object {\"intent\":\"fill\"} and nothing else.".to_owned(),
        message: "Hello".to_owned(),
        schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["intent"],
            "properties": {"intent": {"type": "string", "enum": ["other"]}},
        }),
        max_tokens: 60,
    }
}
