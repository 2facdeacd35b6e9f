//! The real program is killed anywhere in a turn, again and again, while people confirm forms. The ledger must be exact.

mod own;
mod platforms;
mod points;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use formwright::store::{OutboxState, SqliteStore, Store as _};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::support::ledger::Ledger;

const CLIENTS: usize = 6;
/// Points of a turn, and at which time of reaching one the process ends.
const FAULTS: [&str; 7] = [
    "received:kill:5",
    "loaded:kill:7",
    "before-commit:kill:8",
    "committed-unseen:kill:6",
    "committed-unseen:kill:9",
    "posted-webhook:kill:4",
    "marked-done:kill:5",
];
/// How often the process is killed from outside, at no point in particular.
const RANDOM_KILLS: usize = 4;
const PATIENCE: Duration = Duration::from_secs(60);

const FORM: &str = r#"
schema = 1
id = "order"
title = "Order"
description = "Order something"
confirm = true
submit = ["log", "sheet", "table", "kitchen"]

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[sink]]
id = "sheet"
kind = "csv"

[[sink]]
id = "table"
kind = "sqlite"

[[sink]]
id = "kitchen"
kind = "webhook"
url = "http://127.0.0.1:PORT/orders"
secret = "file:SECRET"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_whenever_the_process_is_killed() {
    let stage = Stage::new().await;
    let (stop, stopped) = watch::channel(false);
    let clients: Vec<_> =
        (0..CLIENTS).map(|no| tokio::spawn(customer(Arc::clone(&stage), no, stopped.clone()))).collect();

    for fault in FAULTS {
        let mut server = stage.start(Some(fault));
        let ended = tokio::time::timeout(PATIENCE, server.wait()).await;
        assert!(ended.is_ok_and(|status| !status.unwrap().success()), "{fault} was not reached");
    }
    for _ in 0..RANDOM_KILLS {
        let mut server = stage.start(None);
        let before = stage.acknowledged();
        stage.wait_for(|stage| stage.acknowledged() >= before + CLIENTS).await;
        server.kill().await.unwrap();
    }
    let mut server = stage.start(None);
    stop.send(true).unwrap();
    for client in clients {
        client.await.unwrap();
    }
    stage.drain().await;
    let ledger = stage.ledger();
    assert_eq!(ledger.complaints(), [""; 0]);
    assert_eq!(ledger.asked, ledger.acknowledged, "everybody was answered in the end");
    assert!(ledger.asked.len() > RANDOM_KILLS * CLIENTS);
    server.kill().await.unwrap();
    stage.check_store().await;
}

/// The program's surroundings: its data, its address, a receiver of webhooks, and the book.
struct Stage {
    directory: tempfile::TempDir,
    address: String,
    client: reqwest::Client,
    book: Mutex<Ledger>,
    received: Arc<Mutex<Received>>,
    /// Where the receiver of webhooks listens.
    kitchen: String,
}

/// What the receiver has taken: by id, as Standard Webhooks advises, so that a repetition has no effect.
#[derive(Default)]
struct Received {
    requests: usize,
    troubled: BTreeSet<String>,
    by_id: BTreeMap<String, Value>,
}

impl Stage {
    async fn new() -> Arc<Self> {
        let directory = tempfile::tempdir().unwrap();
        let received = Arc::<Mutex<Received>>::default();
        let port = receiver(Arc::clone(&received)).await;
        let secret = directory.path().join("secret");
        std::fs::write(&secret, "hush").unwrap();
        let forms = directory.path().join("forms");
        std::fs::create_dir(&forms).unwrap();
        let form = FORM.replace("PORT", &port.to_string()).replace("SECRET", secret.to_str().unwrap());
        std::fs::write(forms.join("order.toml"), form).unwrap();
        // A port that is free now; the program takes it again after each kill.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        let client = formwright::http::client().unwrap();
        Arc::new(Self {
            directory,
            address,
            client,
            book: Mutex::default(),
            received,
            kitchen: format!("127.0.0.1:{port}"),
        })
    }

    fn start(&self, fault: Option<&str>) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
        command.args(["run", "--listen", &self.address]);
        command.arg("--forms").arg(self.directory.path().join("forms"));
        command.arg("--data").arg(self.data()).env("FORMWRIGHT__HTTP__LOCAL", &self.kitchen);
        command.current_dir(self.directory.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(fault) = fault {
            command.env("FORMWRIGHT_FAULT", fault);
        }
        command.kill_on_drop(true).spawn().unwrap()
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn acknowledged(&self) -> usize {
        self.book.lock().unwrap().acknowledged.len()
    }

    async fn wait_for(&self, happened: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !happened(self) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        // What did not happen in time shows in what is asserted next.
        let _ = tokio::time::timeout(PATIENCE, waiting).await;
    }

    /// The book, with what the sinks hold now.
    fn ledger(&self) -> Ledger {
        let submissions = self.data().join("submissions");
        let webhooks = &self.received.lock().unwrap().by_id;
        let book = self.book.lock().unwrap();
        Ledger {
            asked: book.asked.clone(),
            acknowledged: book.acknowledged.clone(),
            effects: BTreeMap::from([
                ("log", lines(&submissions.join("order.jsonl"))),
                ("sheet", rows(&submissions.join("order.csv"))),
                ("table", records(&submissions.join("submissions.db"))),
                ("kitchen", webhooks.values().map(effect).collect()),
            ]),
        }
    }

    fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.data().join("formwright.db")).unwrap()
    }

    /// Waits until everything has been delivered.
    async fn drain(&self) {
        let store = self.store();
        let waiting = async {
            while !store.outbox(OutboxState::Waiting, 1).await.unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the outbox is empty in the end");
    }

    async fn check_store(&self) {
        let store = self.store();
        assert_eq!(store.outbox(OutboxState::Dead, 10).await.unwrap(), []);
        let acknowledged = self.acknowledged();
        assert_eq!(store.submissions(None, u32::MAX).await.unwrap().len(), acknowledged);
    }

    /// Sends a message until it is answered, always under the same id.
    async fn send(&self, cookie: &mut Option<String>, body: &Value) -> Value {
        loop {
            let mut request = self.client.post(format!("http://{}/api/chat", self.address)).json(body);
            if let Some(cookie) = cookie {
                request = request.header("cookie", cookie.as_str());
            }
            if let Ok(response) = request.send().await {
                let status = response.status().as_u16();
                let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
                let given = set.and_then(|set| set.split(';').next()).map(str::to_owned);
                match (status, response.text().await) {
                    (200, Ok(text)) => {
                        *cookie = given.or(cookie.take());
                        return serde_json::from_str(&text).unwrap();
                    }
                    (429 | 503, _) | (_, Err(_)) => {}
                    (_, Ok(text)) => panic!("{status}: {text}"),
                }
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Orders, one order after the other, each confirmed and waited for.
async fn customer(stage: Arc<Stage>, no: usize, stopped: watch::Receiver<bool>) {
    let mut orders = 0;
    while !*stopped.borrow() {
        orders += 1;
        let name = format!("c{no}x{orders}");
        let mut cookie = None;
        let begin = json!({"form": "order", "event_id": format!("{name}-1")});
        let begun = stage.send(&mut cookie, &begin).await;
        let conversation = &begun["conversation_id"];
        let say = |id: u32, text: &str| json!({"conversation_id": conversation, "user_message": text, "event_id": format!("{name}-{id}")});
        let asked = stage.send(&mut cookie, &say(2, &name)).await;
        assert_eq!(asked["state"], "WaitConfirm", "{asked}");
        stage.book.lock().unwrap().asked.insert(name.clone());
        let done = stage.send(&mut cookie, &say(3, "yes")).await;
        assert_eq!(done["action"]["action"], "FORM_COMPLETE", "{done}");
        stage.book.lock().unwrap().acknowledged.insert(name);
    }
}

/// Takes webhooks, each id once; every ninth request is answered with an error, before or after it was taken.
async fn receiver(received: Arc<Mutex<Received>>) -> u16 {
    let take = move |headers: HeaderMap, body: Bytes| async move {
        let id = headers["webhook-id"].to_str().unwrap().to_owned();
        assert!(headers["webhook-signature"].to_str().unwrap().starts_with("v1,"));
        let body: Value = serde_json::from_slice(&body).unwrap();
        let mut received = received.lock().unwrap();
        received.requests += 1;
        // Once for each id: a second failure would wait a minute.
        let trouble = received.requests.is_multiple_of(9) && received.troubled.insert(id.clone());
        if !trouble || received.requests.is_multiple_of(2) {
            let before = received.by_id.insert(id.clone(), body["data"].clone());
            assert!(before.is_none_or(|before| before == body["data"]), "{id} came with other content");
        }
        if trouble { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::NO_CONTENT }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/orders", post(take))).await });
    port
}

/// Submission id and order name.
fn effect(submission: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&submission["id"]), text(&submission["answers"]["name"]))
}

fn lines(file: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).map(|line| effect(&line)).collect()
}

fn rows(file: &Path) -> Vec<(String, String)> {
    let Ok(mut reader) = csv::Reader::from_path(file) else { return Vec::new() };
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (id, name) = (column("_id"), column("name"));
    let cells = |row: csv::StringRecord| Some((row.get(id)?.to_owned(), row.get(name)?.to_owned()));
    reader.records().filter_map(Result::ok).filter_map(cells).collect()
}

fn records(file: &Path) -> Vec<(String, String)> {
    let Ok(connection) = rusqlite::Connection::open(file) else { return Vec::new() };
    let Ok(mut select) = connection.prepare("SELECT _id, name FROM \"order\"") else { return Vec::new() };
    let records = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    records.collect::<Result<_, _>>().unwrap()
}
