//! A small Bot API on loopback: takes calls down, confirms offsets, and fails where it is told to.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use formwright_fakes::host::FakeHost;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;

#[derive(Clone)]
pub(super) struct Telegram {
    shared: Arc<Shared>,
    at: SocketAddr,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State_>,
    news: Notify,
}

#[derive(Default)]
struct State_ {
    calls: Vec<(String, Value)>,
    shown: Vec<Value>,
    updates: Vec<Value>,
    next_update: i64,
    confirmed: i64,
    /// Answers for a call of a method, after so many that go well.
    failures: BTreeMap<String, (usize, Value)>,
    shut: BTreeSet<i64>,
}

impl Telegram {
    pub(super) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router =
            Router::new().route("/{token}/{method}", axum::routing::post(answer)).with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { shared, at }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/", self.at)
    }

    fn state(&self) -> MutexGuard<'_, State_> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something happens in a chat.
    pub(super) fn bring(&self, mut update: Value) {
        let mut state = self.state();
        state.next_update += 1;
        update["update_id"] = json!(state.next_update);
        state.updates.push(update);
        drop(state);
        self.shared.news.notify_waiters();
    }

    /// A call of this method fails, after so many that go well.
    pub(super) fn fail(&self, method: &str, after: usize, answer: Value) {
        self.state().failures.insert(method.to_owned(), (after, answer));
    }

    /// The person has not started the bot, or has blocked it.
    pub(super) fn shut(&self, chat: i64) {
        self.state().shut.insert(chat);
    }

    pub(super) fn open(&self, chat: i64) {
        self.state().shut.remove(&chat);
    }

    pub(super) fn calls(&self, method: &str) -> Vec<Value> {
        self.state().calls.iter().filter(|(called, _)| called == method).map(|(_, body)| body.clone()).collect()
    }

    /// The messages that were sent.
    pub(super) fn shown(&self) -> Vec<Value> {
        self.state().shown.clone()
    }

    pub(super) async fn wait_for(&self, method: &str, count: usize) -> Vec<Value> {
        self.until(&format!("{count} {method}"), || Some(self.calls(method)).filter(|calls| calls.len() >= count)).await
    }

    pub(super) async fn wait_shown(&self, count: usize) -> Vec<Value> {
        self.until(&format!("{count} messages"), || Some(self.shown()).filter(|shown| shown.len() >= count)).await
    }

    /// Waits until the bot has asked for updates and confirmed this one.
    pub(super) async fn confirmed(&self, update: i64) {
        let asked = || self.calls("getUpdates").iter().any(|body| body["offset"].as_i64().unwrap_or(1) > update);
        self.until("updates are asked for", || asked().then_some(())).await;
    }

    pub(super) async fn wait_note(&self, host: &FakeHost, key: &str) {
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        while host.note("telegram", key).is_none() {
            assert!(tokio::time::Instant::now() < deadline, "no note {key}");
            tokio::task::yield_now().await;
        }
    }

    async fn until<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let found = async {
            loop {
                let news = self.shared.news.notified();
                if let Some(found) = look() {
                    return found;
                }
                news.await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(10), found).await;
        let methods: Vec<String> = self.state().calls.iter().map(|(method, _)| method.clone()).collect();
        found.unwrap_or_else(|_| panic!("waited for {what}; the calls were {methods:?}"))
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    Path((token, method)): Path<(String, String)>,
    body: String,
) -> (axum::http::StatusCode, String) {
    assert_eq!(token, "bot42:TOKEN");
    let body: Value = serde_json::from_str(&body).unwrap();
    let answer = loop {
        let news = shared.news.notified();
        if let Some(answer) = respond(&shared, &method, &body) {
            break answer;
        }
        news.await;
    };
    shared.state.lock().unwrap().calls.push((method, body));
    shared.news.notify_waiters();
    let code = answer["error_code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(200);
    (axum::http::StatusCode::from_u16(code).unwrap(), answer.to_string())
}

/// None where there is nothing yet to answer with.
fn respond(shared: &Shared, method: &str, body: &Value) -> Option<Value> {
    let mut state = shared.state.lock().unwrap();
    if let Some((after, answer)) = state.failures.get(method).cloned() {
        if after == 0 {
            state.failures.remove(method);
            return Some(answer);
        }
        state.failures.insert(method.to_owned(), (after - 1, answer));
    }
    let result = match method {
        "getMe" => {
            json!({"id": 42, "is_bot": true, "first_name": "Forms", "username": "FormBot", "can_join_groups": true})
        }
        "getWebhookInfo" => json!({"url": "", "pending_update_count": 0}),
        "getUpdates" => {
            state.confirmed = state.confirmed.max(body["offset"].as_i64().unwrap_or(0));
            let confirmed = state.confirmed;
            state.updates.retain(|update| update["update_id"].as_i64().unwrap() >= confirmed);
            if state.updates.is_empty() && body["seen"].is_null() {
                // A long poll: the call is written down at once, its answer comes later.
                if !state.calls.iter().any(|(called, known)| called == method && known == body) {
                    state.calls.push((method.to_owned(), body.clone()));
                    drop(state);
                    shared.news.notify_waiters();
                }
                return None;
            }
            json!(state.updates)
        }
        "sendMessage" if state.shut.contains(&body["chat_id"].as_i64().unwrap()) => {
            return Some(
                json!({"ok": false, "error_code": 403, "description": "Forbidden: bot can't initiate conversation with a user"}),
            );
        }
        "sendMessage" => {
            state.shown.push(body.clone());
            json!({"message_id": state.shown.len(), "chat": {"id": body["chat_id"]}})
        }
        _ => json!(true),
    };
    Some(json!({"ok": true, "result": result}))
}

/// Posts a body with a secret; gives the status.
pub(super) async fn post(url: &str, secret: Option<&str>, body: &str) -> u16 {
    post_part(url, secret, body, body.len()).await
}

/// Sends a request with as much of its body as is given, of so many bytes.
pub(super) async fn post_part(url: &str, secret: Option<&str>, body: &str, bytes: usize) -> u16 {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let secret = secret.map(|secret| format!("X-Telegram-Bot-Api-Secret-Token: {secret}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{secret}Content-Length: {bytes}\r\n\r\n",
    );
    let mut stream = loop {
        match tokio::net::TcpStream::connect(host).await {
            Ok(stream) => break stream,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that has refused the request already may not read the rest.
    let _ = stream.write_all(body.as_bytes()).await;
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
