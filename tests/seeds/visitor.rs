//! A client of the real program's HTTP API. One program serves all lines that are under way at the same time.

use std::path::Path;
use std::sync::{Arc, Mutex, Weak};

use serde_json::{Value, json};

use crate::program::Server;

static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());

/// Forms beside the samples that the shared program serves.
const FORMS: [(&str, &str); 2] = [("nine.toml", super::formpilot::NINE), ("deed.toml", super::cheshire::DEED)];

/// A client, with the cookie that it was given.
pub(super) struct Visitor {
    pub(super) address: String,
    /// Ends with the last who needs it.
    _server: Option<Arc<Server>>,
    client: reqwest::Client,
    cookie: Option<String>,
    /// The conversation it is in.
    pub(super) conversation: Option<Value>,
}

/// The sample forms, and these, as a program's folder.
pub(super) fn folder(forms: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("forms");
    std::fs::create_dir(&own).unwrap();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("forms")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending != "md") && !path.ends_with("schema.json") {
            std::fs::copy(&path, own.join(path.file_name().unwrap())).unwrap();
        }
    }
    for (name, text) in forms {
        std::fs::write(own.join(name), text).unwrap();
    }
    folder
}

/// A program with these forms beside the samples.
pub(super) fn serving(forms: &[(&str, &str)], settings: &[(&str, &str)]) -> Arc<Server> {
    Arc::new(Server::start_in(folder(forms), settings))
}

impl Visitor {
    /// Of the shared program.
    pub(super) fn new() -> Self {
        let mut shared = SHARED.lock().unwrap();
        let server = shared.upgrade().unwrap_or_else(|| {
            let settings =
                [("FORMWRIGHT__WEB__INLINE_FORMS", "true"), ("FORMWRIGHT__WEB__CONVERSATIONS_PER_ADDRESS", "9999")];
            let server = serving(&FORMS, &settings);
            *shared = Arc::downgrade(&server);
            server
        });
        Self::of(server)
    }

    pub(super) fn of(server: Arc<Server>) -> Self {
        Self { _server: Some(Arc::clone(&server)), ..Self::at(&server.address) }
    }

    pub(super) fn at(address: &str) -> Self {
        let address = address.to_owned();
        Self { address, _server: None, client: formwright::http::client().unwrap(), cookie: None, conversation: None }
    }

    pub(super) async fn gets(&self, path: &str) -> (u16, String) {
        let mut request = self.client.get(format!("{}{path}", self.address));
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie.as_str());
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    pub(super) async fn json(&self, path: &str) -> Value {
        let (status, text) = self.gets(path).await;
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub(super) async fn posts(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let mut request = self.client.post(format!("{}{path}", self.address)).json(body);
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie.as_str());
        }
        let response = request.send().await.unwrap();
        let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
        let set = set.and_then(|set| set.split(';').next()).map(str::to_owned);
        self.cookie = set.or(self.cookie.take());
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// Goes on with the conversation, or begins one.
    pub(super) async fn chats(&mut self, mut body: Value) -> Value {
        if let Some(conversation) = &self.conversation {
            body["conversation_id"] = conversation.clone();
        }
        let (status, answer) = self.posts("api/chat", &body).await;
        assert_eq!(status, 200, "{body}: {answer}");
        self.conversation = Some(answer["conversation_id"].clone());
        answer
    }

    pub(super) async fn opens(&mut self, form: &str) -> Value {
        self.chats(json!({"form": form})).await
    }

    pub(super) async fn says(&mut self, text: &str) -> Value {
        self.chats(json!({"user_message": text})).await
    }

    /// Brings what a tool gave that this client runs.
    pub(super) async fn brings(&mut self, call: &Value, result: Value) -> Value {
        let result = json!({"call_id": call["call_id"], "tool_name": call["tool_name"], "result": result});
        self.chats(json!({"tool_results": [result]})).await
    }

    /// Asks in one conversation until the answer is so: of new ones an address may begin only so many.
    pub(super) async fn until(&mut self, body: Value, is_so: impl Fn(&Value) -> bool) -> Value {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        loop {
            let answer = self.chats(body.clone()).await;
            if is_so(&answer) {
                return answer;
            }
            assert!(std::time::Instant::now() < end, "{answer}");
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
    }
}

/// The name of the action that a client is to draw.
pub(super) fn action(answer: &Value) -> &str {
    answer["action"]["action"].as_str().unwrap_or_default()
}

/// What the person reads.
pub(super) fn words(answer: &Value) -> &str {
    let action = &answer["action"];
    action["message"].as_str().or(action["text"].as_str()).unwrap_or_default()
}
