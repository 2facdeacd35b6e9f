//! Who listens is told once a turn is written, and not before.

use std::sync::mpsc::{Sender, channel};

use super::super::listening::{Ending, Listener, Told, What};
use super::*;

/// Hands on what it hears.
struct Ear(Mutex<Sender<Told>>);

impl Listener for Ear {
    fn told(&self, told: &Told) {
        self.0.lock().unwrap().send(told.clone()).unwrap();
        assert!(!matches!(told.what, What::Started), "it panics at the first it hears");
    }
}

const FORM: &str = r#"
id = "lunch"
title = "Lunch"

[[field]]
id = "dish"
kind = "text"
ask = "Which dish?"

[[listen]]
to = "https://office.example/hook"
"#;

#[tokio::test]
async fn a_program_and_the_outbox_are_told_in_the_same_order() {
    let (sender, heard) = channel();
    let directory = tempfile::tempdir().unwrap();
    let mut catalog = Catalog::default();
    catalog.insert(load(FORM, Syntax::Toml).form.unwrap());
    let store = Arc::new(Flaky::default());
    let runtime = Runtime::new(Parts {
        store: Arc::clone(&store) as _,
        conversation: Arc::new(Engine::new(catalog)),
        model: None,
        tools: Tools::new(),
        opener: Opener::new(directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        listeners: vec![Arc::new(Ear(Mutex::new(sender)))],
        adapters: Vec::new(),
        schema: |_| serde_json::Value::Null,
        clock: Clock::system(),
        limits: Limits::default(),
    });
    let host = runtime.host();
    let does = async |id: &str, action: chat::Action| {
        let event = chat::Event { action, at: Timestamp::now(), ..event("web", id, "") };
        host.converse(event).await
    };
    let say = |text: &str| chat::Action::Say { text: text.to_owned() };
    does("1", chat::Action::Open { form: Some("lunch".to_owned()) }).await.unwrap();
    *store.troubles.lock().unwrap() = vec![Trouble::Lost; 5];
    does("2", say("soup")).await.unwrap_err();
    assert!(matches!(heard.try_recv().unwrap().what, What::Started));
    assert!(heard.try_recv().is_err(), "what was not written has not happened");
    does("2", say("soup")).await.unwrap();
    does("3", say("yes")).await.unwrap();

    let heard: Vec<Told> = heard.try_iter().collect();
    let kinds: Vec<&str> = heard.iter().map(|told| told.what.kind().name()).collect();
    assert_eq!(kinds, ["changed", "validated", "submitted", "closed"]);
    assert_eq!(heard[3].what, What::Closed { how: Ending::Submitted });

    let waiting = store.outbox(OutboxState::Waiting, 100).await.unwrap();
    let told: Vec<&Outgoing> = waiting.iter().filter(|entry| matches!(entry.parcel, Parcel::Told { .. })).collect();
    assert_eq!(told.len(), 5);
    assert!(told.iter().all(|entry| entry.lane == told[0].lane), "one after the other");
    for (entry, heard) in told[1..].iter().zip(&heard) {
        let Parcel::Told { told, .. } = &entry.parcel else { panic!("{entry:?}") };
        assert_eq!((&**told, &entry.id), (heard, &format!("{}.0", heard.id)));
    }
    store.erase(&chat::Platform::new("web"), &chat::UserId::new("ann"), None).await.unwrap();
    assert_eq!(store.outbox(OutboxState::Waiting, 100).await.unwrap(), []);
}

#[tokio::test]
async fn a_form_that_is_thrown_away_is_told_to_be_over() {
    let mut catalog = Catalog::default();
    catalog.insert(load(FORM, Syntax::Toml).form.unwrap());
    let stage = Stage::with(Arc::new(Engine::new(catalog)));
    let place = event("web", "1", "").place;
    let open = chat::Event { action: chat::Action::Open { form: Some("lunch".to_owned()) }, ..event("web", "1", "") };
    stage.runtime.host().converse(open).await.unwrap();
    let reset = || async { stage.runtime.host().reset(&place, &chat::UserId::new("ann")).await.unwrap() };
    assert!(reset().await && !reset().await);
    let waiting = stage.store.outbox(OutboxState::Waiting, 100).await.unwrap();
    let told = waiting.iter().filter_map(|entry| match &entry.parcel {
        Parcel::Told { told, .. } => Some(told.what.clone()),
        _ => None,
    });
    assert!(told.eq([What::Started, What::Closed { how: Ending::Dropped }]));
}

#[tokio::test]
async fn where_nobody_listens_nothing_is_told() {
    let stage = Stage::new();
    stage.says("e1", "hello").await.unwrap();
    assert_eq!(stage.store.outbox(OutboxState::Waiting, 100).await.unwrap(), []);
}
