//! A person on the web page, as the page speaks for them: through its API, with its cookie, pressing widgets by their
//! tokens. The page itself is tried in a real browser elsewhere.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use formwright_chat::conformance::people::Told;
use formwright_chat::{self as chat, Input, Token, fallback};
use serde_json::{Value, json};

use super::Person;

/// A browser, and what its page has shown.
pub(crate) struct Page {
    address: String,
    client: reqwest::Client,
    state: Mutex<State>,
    /// Whose page they have seen, without their cookie.
    peeks: Option<Arc<Page>>,
}

#[derive(Default)]
struct State {
    cookie: Option<String>,
    conversation: Option<String>,
    shown: Vec<chat::Reply>,
    /// How many replies were there before the person did something last.
    before: usize,
    /// Why a request was refused that they tried.
    refused: Option<String>,
    events: u32,
}

impl State {
    fn event(&mut self) -> u32 {
        self.events += 1;
        self.events
    }
}

impl Page {
    /// A page of the program at this address, not opened yet.
    pub(crate) fn new(address: &str) -> Self {
        let client = formwright::http::client().unwrap();
        Self { address: address.to_owned(), client, state: Mutex::default(), peeks: None }
    }

    /// Somebody else, who has seen this page and knows its conversation.
    pub(crate) fn stranger(self: &Arc<Self>) -> Self {
        Self { peeks: Some(Arc::clone(self)), ..Self::new(&self.address) }
    }

    /// Presses what another's page shows, in the other's conversation.
    async fn presses_of(&self, other: &Self, label: &str) {
        let press = other.press(label, false).unwrap_or_else(|| panic!("no [{label}]: {:#?}", other.read().last()));
        let conversation = other.state().conversation.clone();
        self.state().conversation = conversation;
        let (status, answer) = self.posts(json!({"press": press})).await;
        assert_eq!(status, 404, "{answer}");
        self.state().refused = answer["error"]["message"].as_str().map(str::to_owned);
    }

    /// Sends a request in the conversation, again where the server asks for a pause; gives its status and its body.
    async fn posts(&self, mut body: Value) -> (u16, Value) {
        if let Some(conversation) = &self.state().conversation {
            body["conversation_id"] = json!(conversation);
        }
        body["event_id"] = json!(format!("event-{}", self.state().event()));
        loop {
            let request = self.client.post(format!("http://{}/api/chat", self.address)).json(&body);
            let cookie = self.state().cookie.clone();
            let request = cookie.into_iter().fold(request, |request, cookie| request.header("cookie", cookie));
            let response = request.send().await.unwrap();
            let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
            if let (429, Some(pause)) = (response.status().as_u16(), header("retry-after")) {
                tokio::time::sleep(std::time::Duration::from_secs(pause.parse().unwrap())).await;
                continue;
            }
            if let Some(set) = header("set-cookie").and_then(|set| set.split(';').next()) {
                self.state().cookie = Some(set.to_owned());
            }
            return (response.status().as_u16(), response.json().await.unwrap());
        }
    }

    /// Does something. A tool that the server asks the page for is one that it does not have.
    async fn does(&self, body: Value) {
        let before = self.state().shown.len();
        let mut next = Some(body);
        while let Some(body) = next.take() {
            let (status, answer) = self.posts(body).await;
            assert_eq!(status, 200, "{answer}");
            let replies: Vec<chat::Reply> = serde_json::from_value(answer["replies"].clone()).unwrap();
            if let Some(call) = replies.iter().find_map(|reply| reply.tool_call.as_ref()) {
                let none = json!({"call_id": call.call, "tool_name": call.tool, "result": null});
                next = Some(json!({"tool_results": [none]}));
            }
            let mut state = self.state();
            state.conversation = answer["conversation_id"].as_str().map(str::to_owned);
            state.shown.extend(replies);
        }
        self.state().before = before;
    }

    /// Uses the widget of what is asked.
    async fn uses(&self, value: Value) {
        let mut press = value;
        press["token"] = json!(self.widget().expect("something is asked"));
        self.does(json!({"press": press})).await;
    }

    fn widget(&self) -> Option<Token> {
        let state = self.state();
        Some(state.shown.last()?.questions.first()?.token.clone())
    }

    /// What a press of this label sends: of the newest reply, or of the oldest that has it.
    fn press(&self, label: &str, old: bool) -> Option<Value> {
        let state = self.state();
        let newest = state.shown.iter().rev().take(if old { usize::MAX } else { 1 });
        let mut found = newest.filter_map(|reply| {
            let button = reply.buttons.iter().find(|button| button.label == label);
            let option = || {
                reply.questions.iter().find_map(|question| {
                    let Input::Options { options, .. } = &question.input else { return None };
                    let option = options.iter().find(|option| option.label == label)?;
                    Some(json!({"token": question.token, "options": [option.token]}))
                })
            };
            button.map(|button| json!({"token": button.token})).or_else(option)
        });
        if old { found.next_back() } else { found.next() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

#[async_trait]
impl Person for Page {
    async fn opens(&self, form: &str) {
        self.state().conversation = None;
        self.does(json!({"form": form, "locale": "en"})).await;
    }

    async fn writes(&self, words: &str) {
        self.does(json!({"user_message": words})).await;
    }

    async fn sees(&self, words: &str) {
        let news = self.read().split_off(self.state().before);
        assert!(news.iter().any(|reply| reply.contains(words)), "no “{words}” in {news:#?}");
    }

    async fn presses(&self, label: &str) {
        if let Some(other) = &self.peeks {
            return self.presses_of(other, label).await;
        }
        let press = self.press(label, false).unwrap_or_else(|| panic!("no [{label}]: {:#?}", self.read().last()));
        self.does(json!({"press": press})).await;
    }

    async fn gives_day(&self, day: jiff::civil::Date) {
        self.uses(json!({"text": day})).await;
    }

    async fn gives_time(&self, time: &str) {
        self.uses(json!({"text": time})).await;
    }

    async fn gives_phone(&self, phone: &str) {
        self.uses(json!({"text": phone})).await;
    }

    async fn gives_place(&self, lat: f64, lng: f64) {
        self.uses(json!({"location": {"lat": lat, "lng": lng}})).await;
    }

    async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        self.uses(json!({"files": [{"name": name, "type": media_type, "size": bytes.len()}]})).await;
    }

    async fn presses_old(&self, label: &str) {
        let press = self.press(label, true).unwrap_or_else(|| panic!("there never was a [{label}]"));
        self.does(json!({"press": press})).await;
    }

    async fn is_told(&self, what: Told) {
        match what {
            Told::NotYours => {
                let refused = self.state().refused.take();
                assert!(refused.as_ref().is_some_and(|why| why.contains("belongs to the cookie")), "{refused:?}");
            }
            Told::Over => self.sees("already").await,
        }
    }

    fn read(&self) -> Vec<String> {
        let drawn = |reply: &chat::Reply| {
            let buttons: Vec<String> = reply.buttons.iter().map(|button| format!("[{}]", button.label)).collect();
            format!("{}\n{}", fallback::text(reply), buttons.join(" "))
        };
        self.state().shown.iter().map(drawn).collect()
    }
}
