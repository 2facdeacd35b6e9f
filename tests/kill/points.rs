//! The points that only an asynchronous platform and a function reach: the test runs itself as that program.
//!
//! The web answers its requests and has no functions, so no turn of the real program passes `stored` or `tool-called`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use formwright::engine::{At, CallError, Engine, Phases, Submitting};
use formwright::form::load::{Syntax, load, submission_schema};
use formwright::form::{Catalog, FormId, ToolId};
use formwright::runtime::{Clock, Limits, Parts, Runtime, Tools, fault};
use formwright::store::{OutboxState, SqliteStore, Store};
use formwright::submit::Opener;
use formwright_chat as chat;
use rstest::rstest;

use super::PATIENCE;

/// Where the program that this test runs keeps its data; not set for the test itself.
const FOLDER: &str = "FORMWRIGHT_TEST_FOLDER";
const SAID: [&str; 5] = ["", "soup", "yes", "at noon", "yes"];

const FORM: &str = r#"
schema = 1
id = "lunch"
title = "Lunch"
description = "Order lunch"

[[page]]
id = "meal"
title = "Meal"
review = true
submit = "reserve"

[[page]]
id = "day"
title = "Day"

[[field]]
id = "dish"
page = "meal"
kind = "choice"
ask = "Which dish?"
options_from = { tool = "menu", id = "id", label = "name" }

[[field]]
id = "time"
page = "day"
kind = "time"
ask = "At what time?"

[[tool]]
id = "menu"
kind = "function"

[[tool]]
id = "reserve"
kind = "function"
params = { dish = "dish" }

[[tool]]
id = "book"
kind = "function"
"#;

/// What is done at the end is the program's to say.
#[derive(Debug)]
struct Books;

impl Phases for Books {
    fn submit(&self, at: &At) -> Option<Submitting> {
        Some(Submitting::Run { tool: ToolId::new("book"), args: at.answers.clone() })
    }
}

/// A platform that does not wait for replies: what is delivered is written down.
struct Pigeon(PathBuf);

#[async_trait]
impl chat::Adapter for Pigeon {
    fn platform(&self) -> chat::Platform {
        chat::Platform::new("pigeon")
    }

    async fn run(self: Arc<Self>, _: Arc<dyn chat::Host>, shutdown: chat::Shutdown) -> Result<(), chat::AdapterError> {
        shutdown.await;
        Ok(())
    }

    async fn deliver(&self, delivery: &chat::Delivery) -> Result<(), chat::DeliveryError> {
        let reply = &delivery.reply;
        let noted = note(&self.0.join("delivered"), &reply.say.join(" / ").replace('\n', " "));
        noted.map_err(chat::DeliveryError::later)
    }
}

fn note(file: &Path, line: &str) -> Result<(), String> {
    let open = std::fs::OpenOptions::new().create(true).append(true).open(file);
    open.and_then(|mut file| writeln!(file, "{line}")).map_err(|error| error.to_string())
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[rstest]
#[case("stored:kill:1")]
#[case("stored:kill:2")]
#[case("stored:kill:3")]
#[case("stored:kill:5")]
#[case("tool-called:kill:1")]
#[case::the_steps_deed_was_done("tool-called:kill:2")]
#[case::and_the_forms("tool-called:kill:3")]
#[case("before-commit:kill:3")]
#[case("before-commit:kill:5")]
#[tokio::test]
async fn an_accepted_event_has_its_effect_once_whenever_the_process_is_killed(#[case] point: &'static str) {
    let folder = tempfile::tempdir().unwrap();
    let run = |fault: Option<&'static str>| {
        let mut command = tokio::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kill::points::a_person_on_an_asynchronous_platform"]);
        command.env(FOLDER, folder.path()).envs(fault.map(|fault| ("FORMWRIGHT_FAULT", fault)));
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).kill_on_drop(true);
        async move { tokio::time::timeout(PATIENCE, command.status()).await.unwrap().unwrap() }
    };
    assert!(!run(Some(point)).await.success(), "{point} was not reached");
    assert!(run(None).await.success(), "the second process did not come to an end");

    let store = SqliteStore::open(&folder.path().join("formwright.db")).unwrap();
    let submissions = store.submissions(None, 10).await.unwrap();
    assert_eq!(submissions.iter().map(|s| s.answers["dish"].clone()).collect::<Vec<_>>(), ["soup"]);
    assert_eq!(lines(&folder.path().join("submissions/lunch.jsonl")).len(), 1);
    assert_eq!(store.open_events(10).await.unwrap(), []);
    for deed in ["reserve", "book"] {
        let done = lines(&folder.path().join(deed));
        assert!(
            !done.is_empty() && done.iter().all(|call| *call == done[0]),
            "{deed}, each time under one id: {done:?}"
        );
    }
    let delivered = lines(&folder.path().join("delivered"));
    for part in ["Which dish?", "At what time?", "Is everything right?", "has been submitted"] {
        assert!(delivered.iter().any(|line| line.contains(part)), "each turn's reply arrives: {delivered:?}");
    }
}

/// The program that is killed: accepts a person's events as a platform sends them, each until it was acknowledged.
#[tokio::test]
async fn a_person_on_an_asynchronous_platform() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    if let Ok(fault) = std::env::var("FORMWRIGHT_FAULT") {
        fault::arm(&fault).unwrap();
    }
    let store = Arc::new(SqliteStore::open(&folder.join("formwright.db")).unwrap());
    let mut catalog = Catalog::default();
    let loaded = load(FORM, Syntax::Toml);
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    let menu = |_| async { Ok(serde_json::json!([{"id": "soup", "name": "Soup"}, {"id": "fish", "name": "Fish"}])) };
    let deed = |name: &str| {
        let file = folder.join(name);
        move |id: String, args: serde_json::Value| {
            let noted = note(&file, &format!("{id} {args}"));
            async move { noted.map(|()| serde_json::json!({})).map_err(|why| CallError::broken(why, true)) }
        }
    };
    let runtime = Runtime::new(Parts {
        store: Arc::clone(&store) as _,
        conversation: Arc::new(Engine::new(catalog).with_phases(FormId::new("lunch"), Arc::new(Books))),
        model: None,
        tools: Tools::new()
            .function("menu", menu)
            .function_with_id("reserve", deed("reserve"))
            .function_with_id("book", deed("book")),
        opener: Opener::new(folder.join("submissions")).unwrap(),
        sinks: std::collections::BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: vec![Arc::new(Pigeon(folder.clone()))],
        schema: submission_schema,
        clock: Clock::system(),
        limits: Limits { merge_window: std::time::Duration::ZERO, ..Limits::default() },
    });
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(Arc::clone(&runtime).run(async { drop(stopped.await) }));
    let host = runtime.host();
    let acknowledged = folder.join("acknowledged");
    for (no, said) in SAID.iter().enumerate() {
        if lines(&acknowledged).len() > no {
            continue;
        }
        host.accept(event(no, said)).await.unwrap();
        note(&acknowledged, said).unwrap();
    }
    let quiet = async {
        while !store.open_events(1).await.unwrap().is_empty()
            || !store.outbox(OutboxState::Waiting, 1).await.unwrap().is_empty()
        {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, quiet).await.unwrap();
    stop.send(()).unwrap();
    running.await.unwrap();
}

fn event(no: usize, said: &str) -> chat::Event {
    let action = match said {
        "" => chat::Action::Open { form: Some("lunch".to_owned()) },
        said => chat::Action::Say { text: said.to_owned() },
    };
    let (workspace, channel) = (String::new(), "c".to_owned());
    chat::Event {
        id: chat::EventId::new(format!("e{no}")),
        place: chat::Place { platform: chat::Platform::new("pigeon"), workspace, channel, thread: None },
        user: chat::User { id: chat::UserId::new("ann"), name: None, locale: None, zone: None },
        // Who answers has read the question, however long the process was away meanwhile.
        at: jiff::Timestamp::now() + jiff::SignedDuration::from_mins(i64::try_from(no).unwrap()),
        action,
        terms: chat::Terms::default(),
    }
}
