//! Updates that wait for the bot, and who may have them: one poller, or one webhook.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{Refusal, Shared};

/// How long an update waits.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// What is brought only to bots that name it.
const UNASKED: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

pub(super) struct Updates {
    next: i64,
    waiting: VecDeque<(Instant, Value)>,
    taken: Vec<Value>,
    /// To be brought though they were taken.
    again: Vec<Value>,
    held: Option<Vec<Value>>,
    allowed: Vec<String>,
    /// Rises with each request for updates, which ends the one before.
    poller: u64,
    pub(super) webhook: Option<Webhook>,
}

#[derive(Clone, Debug)]
pub(super) struct Webhook {
    pub(super) url: String,
    pub(super) secret: Option<String>,
    connections: i64,
    error: Option<(u64, String)>,
}

impl Updates {
    pub(super) fn new() -> Self {
        Self {
            next: 100_001,
            waiting: VecDeque::new(),
            taken: Vec::new(),
            again: Vec::new(),
            held: None,
            allowed: Vec::new(),
            poller: 0,
            webhook: None,
        }
    }

    /// Something happened that the bot may want to know.
    pub(super) fn push(&mut self, kind: &str, what: Value, now: Instant) {
        let wanted = if self.allowed.is_empty() {
            !UNASKED.contains(&kind)
        } else {
            self.allowed.iter().any(|name| name == kind)
        };
        if !wanted {
            return;
        }
        let mut update = json!({"update_id": self.next});
        update[kind] = what;
        self.next += 1;
        match &mut self.held {
            Some(held) => held.push(update),
            None => self.waiting.push_back((now, update)),
        }
    }

    /// Brings an update as it is.
    pub(super) fn inject(&mut self, mut update: Value, now: Instant) {
        if update.get("update_id").is_none() {
            update["update_id"] = json!(self.next);
            self.next += 1;
        }
        self.waiting.push_back((now, update));
    }

    pub(super) fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    pub(super) fn release(&mut self, reversed: bool, now: Instant) {
        let mut held = self.held.take().unwrap_or_default();
        if reversed {
            held.reverse();
        }
        self.waiting.extend(held.into_iter().map(|update| (now, update)));
    }

    /// Brings everything that was taken once more.
    pub(super) fn repeat(&mut self) {
        self.again.extend(self.taken.iter().cloned());
    }

    pub(super) fn last_taken(&self) -> Option<&Value> {
        self.taken.last()
    }

    pub(super) fn unconfirmed(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn first(&self) -> Option<Value> {
        self.again.first().or_else(|| self.waiting.front().map(|(_, update)| update)).cloned()
    }

    /// The webhook took an update.
    pub(super) fn done(&mut self, update: &Value) {
        if self.again.first() == Some(update) {
            self.again.remove(0);
        } else if let Some(at) = self.waiting.iter().position(|(_, waiting)| waiting == update) {
            self.waiting.remove(at);
            self.taken.push(update.clone());
        }
    }

    /// The webhook did not take it.
    pub(super) fn failed(&mut self, when: u64, why: String) {
        if let Some(webhook) = &mut self.webhook {
            webhook.error = Some((when, why));
        }
    }

    fn allow(&mut self, params: &Map<String, Value>) {
        if let Some(kinds) = params.get("allowed_updates").and_then(Value::as_array) {
            self.allowed = kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
    }

    fn confirm(&mut self, offset: i64) {
        if offset < 0 {
            let keep = usize::try_from(-offset).unwrap_or(usize::MAX);
            self.waiting.drain(..self.waiting.len().saturating_sub(keep));
            return;
        }
        let (taken, waiting) =
            self.waiting.drain(..).partition(|(_, update)| update["update_id"].as_i64().is_some_and(|id| id < offset));
        self.waiting = waiting;
        let taken: VecDeque<(Instant, Value)> = taken;
        self.taken.extend(taken.into_iter().map(|(_, update)| update));
    }

    fn take(&mut self, limit: usize, now: Instant) -> Vec<Value> {
        self.waiting.retain(|(at, _)| now.duration_since(*at) < KEPT);
        let mut batch: Vec<Value> = self.again.drain(..).collect();
        batch.extend(self.waiting.iter().map(|(_, update)| update.clone()));
        batch.truncate(limit);
        batch
    }

    pub(super) fn set_webhook(&mut self, params: &Map<String, Value>) -> Result<Value, Refusal> {
        let text = |key: &str| params.get(key).and_then(Value::as_str);
        let url = text("url").unwrap_or_default();
        if url.is_empty() {
            self.webhook = None;
            return Ok(json!(true));
        }
        let own = ["http://127.0.0.1:", "http://localhost:"].iter().any(|start| url.starts_with(start));
        if !own && !url.starts_with("https://") {
            return Err(Refusal::bad("bad webhook: An HTTPS URL must be provided for webhook"));
        }
        let secret = text("secret_token");
        if let Some(secret) = secret {
            let spelled = secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            if !(1..=256).contains(&secret.len()) || !spelled {
                return Err(Refusal::bad("secret token contains unallowed characters"));
            }
        }
        let connections = params.get("max_connections").and_then(Value::as_i64).unwrap_or(40);
        if !(1..=100).contains(&connections) {
            return Err(Refusal::bad("max_connections must be from 1 to 100"));
        }
        self.allow(params);
        self.forget(params);
        // Whoever polls is told to stop.
        self.poller += 1;
        let webhook = Webhook { url: url.to_owned(), secret: secret.map(str::to_owned), connections, error: None };
        self.webhook = Some(webhook);
        Ok(json!(true))
    }

    pub(super) fn delete_webhook(&mut self, params: &Map<String, Value>) -> Value {
        self.forget(params);
        self.webhook = None;
        json!(true)
    }

    fn forget(&mut self, params: &Map<String, Value>) {
        if params.get("drop_pending_updates") == Some(&json!(true)) {
            self.waiting.clear();
        }
    }

    pub(super) fn webhook_info(&self) -> Value {
        let url = self.webhook.as_ref().map(|webhook| webhook.url.clone()).unwrap_or_default();
        let mut info = json!({"url": url, "has_custom_certificate": false, "pending_update_count": self.waiting.len()});
        if let Some(webhook) = &self.webhook {
            info["max_connections"] = json!(webhook.connections);
            if let Some((date, message)) = &webhook.error {
                info["last_error_date"] = json!(date);
                info["last_error_message"] = json!(message);
            }
        }
        if !self.allowed.is_empty() {
            info["allowed_updates"] = json!(self.allowed);
        }
        info
    }
}

/// Why a request for updates ends without any.
pub(super) enum Ended {
    Refused(Refusal),
    Dropped,
}

/// `getUpdates`: waits until there are some.
pub(super) async fn poll(shared: &Shared, params: &Map<String, Value>) -> Result<Value, Ended> {
    let number = |key: &str| params.get(key).and_then(Value::as_i64);
    let limit = usize::try_from(number("limit").unwrap_or(100).clamp(1, 100)).unwrap_or(100);
    let timeout = Duration::from_secs(u64::try_from(number("timeout").unwrap_or(0).clamp(0, 50)).unwrap_or(0));
    let until = Instant::now() + timeout;
    let mut news = shared.news();
    let (poller, drops) = {
        let mut world = shared.world();
        if world.updates.webhook.is_some() {
            let why =
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
            return Err(Ended::Refused(Refusal::conflict(why)));
        }
        world.updates.poller += 1;
        world.updates.allow(params);
        number("offset").into_iter().for_each(|offset| world.updates.confirm(offset));
        (world.updates.poller, world.drops)
    };
    shared.tell();
    loop {
        {
            let mut world = shared.world();
            if world.closed || world.drops != drops {
                return Err(Ended::Dropped);
            }
            if world.updates.poller != poller {
                let why = if world.updates.webhook.is_some() {
                    "terminated by setWebhook request"
                } else {
                    "terminated by other getUpdates request; make sure that only one bot instance is running"
                };
                return Err(Ended::Refused(Refusal::conflict(why)));
            }
            let now = world.now();
            let batch = world.updates.take(limit, now);
            if !batch.is_empty() || timeout.is_zero() {
                return Ok(Value::Array(batch));
            }
        }
        if tokio::time::timeout_at(until, news.changed()).await.is_err() {
            return Ok(json!([]));
        }
    }
}
