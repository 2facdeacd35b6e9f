//! The real program on real Redis servers that fail: what people see, and that nothing acknowledged is lost or doubled.

mod matrix;
mod nemesis;
mod proxy;
mod replicas;
#[allow(dead_code, reason = "the store's own tests use more of it")]
#[path = "../../src/store/redis/tests/server.rs"]
pub(super) mod server;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

const PATIENCE: Duration = Duration::from_secs(60);

/// Things in the order in which they were said: what is lost, doubled or overtaken shows.
const FORM: &str = r#"
schema = 1
id = "diary"
title = "Diary"
description = "Things in their order"
confirm = true
submit = ["kitchen"]

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[field]]
id = "things"
kind = "list"
of = "text"
ask = "What happened?"

[[sink]]
id = "kitchen"
kind = "webhook"
url = "http://127.0.0.1:PORT/orders"
secret = "file:SECRET"
"#;

/// Forms, a receiver of webhooks, and folders for programs.
struct Stage {
    folder: tempfile::TempDir,
    client: reqwest::Client,
    /// Submissions by the id of their delivery, as often as they came.
    received: Arc<Mutex<BTreeMap<String, Vec<Value>>>>,
    /// Where the receiver of webhooks listens.
    kitchen: String,
}

/// A running program. It is killed at the end.
struct Bot {
    child: Child,
    address: String,
    log: std::path::PathBuf,
}

impl Bot {
    /// Sends a signal to this process.
    fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until the program has said something, to the operator or in its log.
    async fn says(&self, words: &str) {
        let said = async {
            while !self.log().contains(words) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, said).await.is_ok();
        assert!(in_time, "it never said “{words}”:\n{}", self.log());
    }
}

/// How a request ended.
#[derive(Debug)]
enum Answer {
    /// The answer's words, and all of it.
    Said(Value),
    /// Turned away for now, with the status.
    Later(u16),
    /// No answer.
    None,
}

impl Stage {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let received = Arc::<Mutex<BTreeMap<String, Vec<Value>>>>::default();
        let port = receiver(Arc::clone(&received)).await;
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "hush").unwrap();
        std::fs::create_dir(folder.path().join("forms")).unwrap();
        let form = FORM.replace("PORT", &port.to_string()).replace("SECRET", secret.to_str().unwrap());
        std::fs::write(folder.path().join("forms/diary.toml"), form).unwrap();
        let client = formwright::http::client().unwrap();
        Self { folder, client, received, kitchen: format!("127.0.0.1:{port}") }
    }

    /// An address that was free when it was first asked for, always the same under the same name.
    fn free_address(&self, name: &str) -> String {
        let file = self.folder.path().join(format!("{name}.address"));
        std::fs::read_to_string(&file).unwrap_or_else(|_| {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let address = free.local_addr().unwrap().to_string();
            std::fs::write(&file, &address).unwrap();
            address
        })
    }

    /// A program at a Redis, listening where one of this name listened before.
    fn bot(&self, name: &str, redis: &str, settings: &[(&str, &str)]) -> Bot {
        let address = self.free_address(name);
        let log = self.folder.path().join(format!("{name}.log"));
        let written = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
        command.args(["run", "--listen", &address]);
        command.arg("--forms").arg(self.folder.path().join("forms"));
        command.arg("--data").arg(self.folder.path().join(name));
        command.env("FORMWRIGHT__REDIS__URL", redis).env("FORMWRIGHT__DATA__KEY", "env:DATA_KEY");
        command.env("DATA_KEY", "0718".repeat(16)).env("NO_COLOR", "1").env("API_KEY", "k".repeat(40));
        command.env("FORMWRIGHT__WEB__CONVERSATIONS_PER_HOUR", "100000").env("FORMWRIGHT__HTTP__LOCAL", &self.kitchen);
        command.envs(settings.iter().copied()).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(written.try_clone().unwrap()).stderr(written);
        Bot { child: command.kill_on_drop(true).spawn().unwrap(), address, log }
    }

    async fn ask(&self, address: &str, cookie: &mut Option<String>, body: &Value) -> Answer {
        let mut request = self.client.post(format!("http://{address}/api/chat")).timeout(PATIENCE).json(body);
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie.as_str());
        }
        let Ok(response) = request.send().await else { return Answer::None };
        let status = response.status().as_u16();
        let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
        let given = set.and_then(|set| set.split(';').next()).map(str::to_owned);
        match (status, response.text().await) {
            (200, Ok(text)) => {
                *cookie = given.or(cookie.take());
                Answer::Said(serde_json::from_str(&text).unwrap())
            }
            (429 | 503, _) => Answer::Later(status),
            (_, Err(_)) => Answer::None,
            (_, Ok(text)) => panic!("{status}: {text}"),
        }
    }

    /// What somebody sees of their conversation when the page is loaded again.
    async fn look(&self, address: &str, person: &Person<'_>) -> String {
        let id = person.conversation.as_str().unwrap();
        self.get(&format!("http://{address}/api/conversation/{id}"), person).await.unwrap_or_default()
    }

    /// What somebody is told who waits for it.
    async fn events(&self, address: &str, person: &Person<'_>) -> String {
        let (id, since) = (person.conversation.as_str().unwrap(), Instant::now());
        loop {
            let told = self.get(&format!("http://{address}/api/conversation/{id}/events"), person).await;
            if let Some(told) = told.filter(|told| told.contains("\"say\"")) {
                return told;
            }
            assert!(since.elapsed() < PATIENCE, "nothing is told");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn get(&self, url: &str, person: &Person<'_>) -> Option<String> {
        let request = self.client.get(url).timeout(PATIENCE).header("cookie", person.cookie.as_deref()?);
        request.send().await.ok()?.text().await.ok()
    }

    /// How often the receiver was given something under each id, and the things in it, by name.
    fn effects(&self) -> BTreeMap<String, Vec<Value>> {
        let mut effects = BTreeMap::<String, Vec<Value>>::new();
        for came in self.received.lock().unwrap().values() {
            assert!(came.iter().all(|one| *one == came[0]), "one id, other content: {came:?}");
            let answers = &came[0]["answers"];
            effects.entry(answers["name"].as_str().unwrap().to_owned()).or_default().push(answers["things"].clone());
        }
        effects
    }

    /// Waits until the receiver was given so many submissions.
    async fn delivered(&self, count: usize) {
        self.delivered_within(count, PATIENCE).await;
    }

    async fn delivered_within(&self, count: usize, patience: Duration) {
        let there = async {
            while self.received.lock().unwrap().len() < count {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = tokio::time::timeout(patience, there).await.is_ok();
        assert!(in_time, "{} of {count} submissions came", self.received.lock().unwrap().len());
    }
}

/// A person at the API, who says everything until it is answered, always under the same id.
struct Person<'a> {
    stage: &'a Stage,
    name: String,
    cookie: Option<String>,
    conversation: Value,
    said: u32,
}

impl<'a> Person<'a> {
    fn new(stage: &'a Stage, name: &str) -> Self {
        Self { stage, name: name.to_owned(), cookie: None, conversation: Value::Null, said: 0 }
    }

    /// The next request.
    fn next(&mut self, words: Option<&str>) -> Value {
        self.said += 1;
        let id = format!("{}-{}", self.name, self.said);
        match words {
            None => json!({"form": "diary", "event_id": format!("{id}-{}", "0".repeat(20))}),
            Some(words) => json!({"conversation_id": self.conversation, "user_message": words, "event_id": id}),
        }
    }

    /// Tries once.
    async fn tries(&mut self, address: &str, body: &Value) -> Answer {
        let answer = self.stage.ask(address, &mut self.cookie, body).await;
        if let Answer::Said(said) = &answer {
            self.conversation = said["conversation_id"].clone();
        }
        answer
    }

    /// Says something to whichever of the programs takes it.
    async fn says(&mut self, to: &mut impl FnMut() -> String, words: Option<&str>) -> Value {
        let body = self.next(words);
        let since = Instant::now();
        loop {
            match self.tries(&to(), &body).await {
                Answer::Said(said) => return said,
                Answer::Later(_) | Answer::None => tokio::time::sleep(Duration::from_millis(30)).await,
            }
            assert!(since.elapsed() < PATIENCE * 2, "{}: nobody answers {body}", self.name);
        }
    }

    /// Fills in the whole form with so many things.
    async fn fills(&mut self, mut to: impl FnMut() -> String, things: u32) -> Value {
        self.says(&mut to, None).await;
        let name = self.name.clone();
        self.says(&mut to, Some(&name)).await;
        for no in 1..=things {
            self.says(&mut to, Some(&format!("thing{no}"))).await;
        }
        let review = self.says(&mut to, Some("that is all")).await;
        assert_eq!(review["state"], "WaitConfirm", "{name}: {review}");
        self.confirms(&mut to).await
    }

    /// Confirms, and asks again until it is safe to say "submitted".
    async fn confirms(&mut self, to: &mut impl FnMut() -> String) -> Value {
        loop {
            let done = self.says(to, Some("yes")).await;
            if done["action"]["action"] == "FORM_COMPLETE" {
                return done;
            }
            assert!(words(&done).contains("are saved and on their way"), "{}: {done}", self.name);
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.said -= 1;
        }
    }
}

/// The things that somebody said, as they are submitted.
fn things(count: u32) -> Value {
    (1..=count).map(|no| format!("thing{no}")).collect()
}

/// Takes webhooks and notes each, under its id.
async fn receiver(received: Arc<Mutex<BTreeMap<String, Vec<Value>>>>) -> u16 {
    let take = move |headers: HeaderMap, body: Bytes| async move {
        let id = headers["webhook-id"].to_str().unwrap().to_owned();
        let body: Value = serde_json::from_slice(&body).unwrap();
        received.lock().unwrap().entry(id).or_default().push(body["data"].clone());
        StatusCode::NO_CONTENT
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/orders", post(take))).await });
    port
}

/// Whether the program can be reached.
async fn is_up(address: &str) -> bool {
    tokio::net::TcpStream::connect(address).await.is_ok()
}

/// Waits until the program can be reached.
async fn up(bot: &Bot) {
    let since = Instant::now();
    while !is_up(&bot.address).await {
        assert!(since.elapsed() < PATIENCE, "it does not listen:\n{}", bot.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The words of an answer.
fn words(said: &Value) -> String {
    let action = &said["action"];
    action["message"].as_str().or(action["text"].as_str()).unwrap_or_default().to_owned()
}

/// Whether a program wrote anything into a folder of its own that somebody said.
fn holds(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    files
        .filter_map(|file| std::fs::read(file.path()).ok())
        .any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}
