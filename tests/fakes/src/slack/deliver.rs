//! From the platform to the app, over whichever transport is set: events, and what persons do and wait for.

use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::sync::oneshot;

use super::http::{self, Answer};
use super::world::{APP, BOT, TEAM, World};
use super::{Inner, SIGNING_SECRET};

/// Why a person got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble(pub(super) String);

/// How something that a person did comes to the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `payload=` and JSON.
    Interaction,
    /// The fields themselves.
    Command,
}

impl Inner {
    /// Sends an event; what comes is told when the app was first told of it, whether or not it took it.
    pub(super) fn event(self: &Arc<Self>, event: Value) -> oneshot::Receiver<()> {
        let (told, telling) = oneshot::channel();
        let mut world = self.lock();
        if !wanted(&world, &event) {
            return telling;
        }
        let payload = callback(&mut world, event);
        if let Some(held) = &mut world.withheld {
            held.push(payload);
            return telling;
        }
        let times = if world.doubles { 2 } else { 1 };
        drop(world);
        let mut told = Some(told);
        for _ in 0..times {
            self.send_event(payload.clone(), told.take());
        }
        telling
    }

    /// Sends a payload of the Events API.
    pub(super) fn send_event(self: &Arc<Self>, payload: Value, told: Option<oneshot::Sender<()>>) {
        let Some(url) = self.request_url() else {
            drop(self.by_socket("events_api", payload));
            drop(told);
            return;
        };
        let inner = self.clone();
        tokio::spawn(async move { inner.by_http(&url, payload, told).await });
    }

    /// Posts an event, again and again until it is taken or there is no more retry.
    async fn by_http(&self, url: &str, payload: Value, told: Option<oneshot::Sender<()>>) {
        let windows = self.lock().windows.clone();
        let mut told = told;
        let body = payload.to_string();
        let mut pauses = windows.retries.into_iter();
        let (mut no, mut reason) = (0_u32, String::new());
        loop {
            let mut more = Vec::new();
            if no > 0 {
                more = vec![("x-slack-retry-num".to_owned(), no.to_string())];
                more.push(("x-slack-retry-reason".to_owned(), reason.clone()));
            }
            let answer = self.post(url, "application/json", body.as_bytes(), &more, windows.answer).await;
            drop(told.take());
            let stop = match &answer {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    self.lock().taken.push(("events_api", payload));
                    self.changed();
                    return;
                }
                Ok(answer) => {
                    "http_error".clone_into(&mut reason);
                    answer.header("x-slack-no-retry") == Some("1")
                }
                Err(why) => {
                    (*why).clone_into(&mut reason);
                    false
                }
            };
            let Some(pause) = pauses.next().filter(|_| !stop) else { return };
            tokio::time::sleep(pause).await;
            no += 1;
        }
    }

    /// Tells the app what a person did, and waits for its answer as long as the platform does. No answer is null.
    pub(super) async fn tell(self: &Arc<Self>, form: Form, payload: Value) -> Result<Value, Trouble> {
        let window = self.lock().windows.answer;
        let Some(url) = self.request_url() else {
            let kind = if form == Form::Command { "slash_commands" } else { "interactive" };
            let coming = self.by_socket(kind, payload);
            return match tokio::time::timeout(window, coming).await {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(_)) | Err(_) => Err(Trouble("operation_timeout".to_owned())),
            };
        };
        let text = payload.to_string();
        let body = match form {
            Form::Interaction => http::encode(&[("payload", text.as_str())]),
            Form::Command => {
                let pairs: Vec<(&str, &str)> = payload
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
                    .collect();
                http::encode(&pairs)
            }
        };
        let kind = "application/x-www-form-urlencoded";
        let answer = self.post(&url, kind, body.as_bytes(), &[], window).await;
        let answer = answer.map_err(|why| Trouble(why.to_owned()))?;
        if !(200..300).contains(&answer.status) {
            return Err(Trouble(format!("status {}", answer.status)));
        }
        let kind = if form == Form::Command { "slash_commands" } else { "interactive" };
        self.lock().taken.push((kind, payload));
        Ok(body_of(&answer))
    }

    /// Posts a signed request to the app.
    pub(super) async fn post(
        &self,
        url: &str,
        kind: &str,
        body: &[u8],
        more: &[(String, String)],
        within: Duration,
    ) -> Result<Answer, &'static str> {
        let timestamp = super::world::seconds().to_string();
        let signature = sign(SIGNING_SECRET, &timestamp, body);
        let mut headers = vec![
            ("content-type", kind),
            ("user-agent", "Slackbot 1.0 (+https://api.slack.com/robots)"),
            ("x-slack-request-timestamp", timestamp.as_str()),
            ("x-slack-signature", signature.as_str()),
        ];
        headers.extend(more.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        http::send("POST", url, &headers, body, within).await
    }

    /// Asks the app whether the address is its own, as Slack does when it is entered.
    pub(super) async fn verify(&self, url: &str) -> Result<(), String> {
        let patience = self.lock().windows.patience;
        let challenge = self.lock().id("challenge");
        let body = json!({"token": "verification", "type": "url_verification", "challenge": challenge}).to_string();
        let until = tokio::time::Instant::now() + patience;
        let answer = loop {
            match self.post(url, "application/json", body.as_bytes(), &[], patience).await {
                // The app may be on its way.
                Err("connection_failed") if tokio::time::Instant::now() < until => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                answer => break answer,
            }
        };
        let answer = answer.map_err(str::to_owned)?;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let json = serde_json::from_str::<Value>(&text).map(|body| body["challenge"] == challenge.as_str());
        if answer.status == 200 && (json.unwrap_or(false) || text == challenge) {
            return Ok(());
        }
        Err(format!("the challenge was not sent back: status {}, {text}", answer.status))
    }
}

/// `X-Slack-Signature` of a body.
pub(super) fn sign(secret: &str, timestamp: &str, body: &[u8]) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(b"v0:");
    mac.update(timestamp.as_bytes());
    mac.update(b":");
    mac.update(body);
    let hex: Vec<String> = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("v0={}", hex.concat())
}

fn body_of(answer: &Answer) -> Value {
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    if text.trim().is_empty() {
        return Value::Null;
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// Whether the app is told of an event: its scopes say so.
fn wanted(world: &World, event: &Value) -> bool {
    let scope = match (event["type"].as_str(), event["channel_type"].as_str()) {
        (Some("app_mention"), _) => "app_mentions:read",
        (Some("message"), Some("im")) => "im:history",
        (Some("message"), Some("group")) => "groups:history",
        (Some("message"), _) => "channels:history",
        _ => return true,
    };
    world.scopes.contains(scope)
}

/// An event as the Events API wraps it.
fn callback(world: &mut World, event: Value) -> Value {
    let id = world.id("Ev");
    json!({
        "token": "verification", "team_id": TEAM, "context_team_id": TEAM, "api_app_id": APP, "event": event,
        "type": "event_callback", "event_id": id, "event_time": super::world::seconds(),
        "authorizations": [{"enterprise_id": null, "team_id": TEAM, "user_id": BOT, "is_bot": true,
            "is_enterprise_install": false}],
        "is_ext_shared_channel": false, "event_context": format!("4-{id}"),
    })
}
