//! Socket Mode: a socket that the bot opens. The SDK connects, pings and reconnects; frames are read here, raw.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use formwright_chat as chat;
use serde_json::{Value, json};
use slack_morphism::clients_manager::{SlackSocketModeClientsManager, SlackSocketModeClientsManagerFactory};
use slack_morphism::listener::SlackClientEventsListenerEnvironment;
use slack_morphism::{
    SlackApiToken, SlackApiTokenValue, SlackClientSocketModeConfig, SlackSocketModeClientListener,
    SlackSocketModeWssClientId,
};
use tokio::sync::watch;

use crate::bot::Bot;
use crate::intake::Ack;
use crate::translate::{self, Incoming};

/// Longest pause before a dropped connection is opened again.
const LONGEST: Duration = Duration::from_secs(30);
/// A connection that held this long starts the count of drops anew.
const STABLE: Duration = Duration::from_secs(60);

/// How long there may be no connection before all is set up anew.
const SILENCE: Duration = Duration::from_secs(45);

type Manager = dyn SlackSocketModeClientsManager + Send + Sync;

/// Serves Slack over a socket until `shutdown`.
pub(crate) async fn serve(bot: Arc<Bot>, app_token: &str, mut shutdown: chat::Shutdown) -> Result<(), String> {
    let (up, state) = watch::channel(false);
    loop {
        let manager = open(bot.clone(), app_token, up.clone()).await?;
        let stopped = tokio::select! {
            () = &mut shutdown => true,
            () = silence(state.clone()) => false,
        };
        manager.shutdown().await;
        if stopped {
            return Ok(());
        }
        tracing::warn!("Slack: no connection for {} s; the socket is set up anew", SILENCE.as_secs());
        up.send_replace(false);
    }
}

/// Sets up the socket, which the SDK then keeps open.
async fn open(bot: Arc<Bot>, app_token: &str, up: watch::Sender<bool>) -> Result<Arc<Manager>, String> {
    let client = bot.api.client();
    let environment = Arc::new(SlackClientEventsListenerEnvironment::new(client.clone()));
    let manager: Arc<Manager> = client.http_api.connector.new_clients_manager(environment);
    let weak = Arc::downgrade(&manager);
    let listener = Arc::new(Listener { bot, manager: weak, drops: std::sync::Mutex::default(), up });
    let token = SlackApiToken::new(SlackApiTokenValue(app_token.to_owned()));
    // One connection keeps the order of what one person does. A connection is dead after two missed pings.
    let config = SlackClientSocketModeConfig::new()
        .with_max_connections_count(1)
        .with_ping_interval_in_seconds(5)
        .with_ping_failure_threshold_times(2)
        .with_reconnect_timeout_in_seconds(2 + u64::from(jitter() % 4));
    let registered = manager.register_new_token(&config, token, listener).await;
    registered.map_err(|_| "Slack: the socket could not be set up".to_owned())?;
    manager.start().await;
    Ok(manager)
}

/// Completes when there was no connection for [`SILENCE`]: the SDK waits for ever for a server that never answers.
async fn silence(mut up: watch::Receiver<bool>) {
    loop {
        // The sender lives as long as this is waited for.
        if up.wait_for(|up| !up).await.is_err() || tokio::time::timeout(SILENCE, up.wait_for(|up| *up)).await.is_err() {
            return;
        }
    }
}

struct Listener {
    bot: Arc<Bot>,
    manager: Weak<Manager>,
    /// Drops in a row, and when the last one was.
    drops: std::sync::Mutex<(u32, Option<Instant>)>,
    /// Whether Slack has said hello on a connection that still holds.
    up: watch::Sender<bool>,
}

#[async_trait::async_trait]
impl SlackSocketModeClientListener for Listener {
    async fn on_message(&self, id: &SlackSocketModeWssClientId, body: String) -> Option<String> {
        let frame: Value = serde_json::from_str(&body).ok()?;
        match frame["type"].as_str()? {
            "hello" => {
                tracing::debug!("slack says hello");
                self.up.send_replace(true);
            }
            // Slack recycles its connections every few hours, and says so.
            "disconnect" => {
                tracing::debug!(reason = frame["reason"].as_str(), "slack ends the connection");
                self.restart(id, Duration::ZERO);
            }
            _ => return self.envelope(&frame).await,
        }
        None
    }

    async fn on_error(&self, error: Box<dyn std::error::Error + Send + Sync>) {
        tracing::debug!(%error, "the socket to slack had an error");
    }

    async fn on_disconnect(&self, id: &SlackSocketModeWssClientId) {
        let pause = self.pause();
        tracing::debug!(seconds = pause.as_secs_f32(), "the socket to slack is gone; it is opened again");
        self.restart(id, pause);
    }
}

impl Listener {
    /// Takes what is in an envelope; the acknowledgement goes out only after it is stored.
    async fn envelope(&self, frame: &Value) -> Option<String> {
        let envelope = frame["envelope_id"].as_str()?;
        let ack = self.bot.receive(incoming(frame, &self.bot.me)).await;
        let answers = frame["accepts_response_payload"] == true;
        match ack {
            Ack::Never => None,
            Ack::With(payload) if answers => Some(json!({"envelope_id": envelope, "payload": payload}).to_string()),
            Ack::With(_) | Ack::Empty => Some(json!({"envelope_id": envelope}).to_string()),
        }
    }

    fn restart(&self, id: &SlackSocketModeWssClientId, pause: Duration) {
        self.up.send_replace(false);
        let Some(manager) = self.manager.upgrade() else { return };
        let id = id.clone();
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            manager.restart_client(&id).await;
        });
    }

    /// How long to wait before the next connection: nothing at first, then longer each time, never at the same moment as
    /// others.
    fn pause(&self) -> Duration {
        let mut drops = self.drops.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        let held = drops.1.is_none_or(|last| now.duration_since(last) > STABLE);
        *drops = (if held { 1 } else { drops.0.saturating_add(1) }, Some(now));
        backoff(drops.0, jitter())
    }
}

/// The pause after so many drops in a row.
fn backoff(drops: u32, jitter: u8) -> Duration {
    if drops <= 1 {
        return Duration::ZERO;
    }
    let longest = Duration::from_millis(250).saturating_mul(1 << (drops - 1).min(10)).min(LONGEST);
    longest.mul_f32(0.5 + f32::from(jitter) / 512.0)
}

/// A random number. Without randomness the pause is not jittered.
fn jitter() -> u8 {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_or(0, |()| byte[0])
}

/// What is in an envelope.
fn incoming(frame: &Value, me: &str) -> Incoming {
    let payload = &frame["payload"];
    match frame["type"].as_str().unwrap_or_default() {
        "events_api" => translate::event(payload, me),
        "interactive" => translate::interaction(payload),
        "slash_commands" => translate::command(payload),
        _ => Incoming::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_a_long_silence_counts() {
        let (up, state) = watch::channel(false);
        let silence = tokio::spawn(silence(state));
        tokio::time::sleep(SILENCE * 9 / 10).await;
        up.send_replace(true);
        tokio::time::sleep(SILENCE * 9).await;
        assert!(!silence.is_finished());
        let since = tokio::time::Instant::now();
        up.send_replace(false);
        silence.await.unwrap();
        assert_eq!(since.elapsed().as_secs(), SILENCE.as_secs());
    }

    #[test]
    fn pauses_grow_to_a_bound() {
        assert_eq!(backoff(1, 255), Duration::ZERO);
        for drops in 2..100 {
            let (least, most) = (backoff(drops, 0), backoff(drops, 255));
            assert!(least < most && most <= LONGEST, "{drops}: {least:?} {most:?}");
        }
        assert!(backoff(50, 0) >= LONGEST / 2);
    }
}
