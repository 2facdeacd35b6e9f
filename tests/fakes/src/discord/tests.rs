//! Each kind of refusal once, through a raw client, and what people see of what is not refused.

mod gateway;
mod people;
mod rest;

use super::{DiscordFake, Options, Person};
use serde_json::{Value, json};

/// A bot that sends what it is told to.
pub(super) struct Bot {
    client: reqwest::Client,
    pub(super) base: String,
    token: String,
}

impl Bot {
    pub(super) fn of(fake: &DiscordFake) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().build().unwrap();
        Self { client, base: fake.api_url(), token: format!("Bot {}", fake.token()) }
    }

    /// A request; gives the status and the body.
    pub(super) async fn ask(&self, line: &str, body: Value) -> (u16, Value) {
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("{}/api/v10{path}", self.base);
        let mut request = self.client.request(method.parse().unwrap(), url).header("authorization", &self.token);
        if !body.is_null() {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap_or(Value::Null))
    }

    /// A request whose headers count.
    pub(super) async fn ask_for_headers(&self, line: &str, body: Value) -> (u16, reqwest::header::HeaderMap, String) {
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("{}/api/v10{path}", self.base);
        let request = self.client.request(method.parse().unwrap(), url).header("authorization", &self.token);
        let response = request.json(&body).send().await.unwrap();
        (response.status().as_u16(), response.headers().clone(), response.text().await.unwrap_or_default())
    }

    /// Sends a message where a person is.
    pub(super) async fn send(&self, to: &Person, body: Value) -> (u16, Value) {
        self.ask(&format!("POST /channels/{}/messages", to.channel_id()), body).await
    }
}

/// A message with one row of buttons.
pub(super) fn buttons(labels: &[&str]) -> Value {
    let button = |label: &&str| json!({"type": 2, "style": 2, "label": label, "custom_id": format!("press {label}")});
    let buttons: Vec<Value> = labels.iter().map(button).collect();
    json!({"content": "Which pizza?", "components": [{"type": 1, "components": buttons}]})
}

/// A Discord whose windows are short.
pub(super) async fn hasty() -> DiscordFake {
    let answer_within = std::time::Duration::from_millis(300);
    DiscordFake::start_with(Options { answer_within, ..Options::default() }).await
}

/// The newest interaction, as the bot would know it from the gateway.
pub(super) fn last_interaction(fake: &DiscordFake) -> (String, String) {
    fake.world.look(|state| {
        let (id, known) = state.interactions.last_key_value().unwrap();
        (id.to_string(), known.token.clone())
    })
}

/// Waits for something that a person does to arrive.
pub(super) async fn next_interaction(fake: &DiscordFake, count: usize) -> (String, String) {
    fake.world.wait(|state| (state.interactions.len() >= count).then_some(())).await.unwrap();
    last_interaction(fake)
}
