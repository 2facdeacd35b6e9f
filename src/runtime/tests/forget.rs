//! A person is forgotten where they ask for it, and old submissions of a form are.

use super::*;

fn ordering(sinks: &str) -> Stage {
    Stage::with(Arc::new(Engine::new(catalog(sinks))))
}

fn opens(id: &str) -> chat::Event {
    chat::Event { action: chat::Action::Open { form: Some("pizza".to_owned()) }, ..event("slack", id, "") }
}

/// What is kept, of everybody: sessions, events, outbox entries, submissions.
async fn kept(stage: &Stage, events: &[&str]) -> [usize; 4] {
    let key = Runtime::key(&place("slack"), &chat::UserId::new("ann"));
    let mut seen = 0;
    for id in events {
        seen += usize::from(stage.store.seen(&key, &chat::EventId::new(*id)).await.unwrap().is_some());
    }
    let mut outbox = 0;
    for state in [OutboxState::Waiting, OutboxState::Delivered, OutboxState::Dead] {
        outbox += stage.store.outbox(state, 100).await.unwrap().len();
    }
    let submissions = stage.store.submissions(None, 100).await.unwrap().len();
    [usize::try_from(stage.store.session_count().await.unwrap()).unwrap(), seen, outbox, submissions]
}

#[tokio::test]
async fn who_wants_to_be_forgotten_is_asked_and_then_nothing_is_kept() {
    let stage = ordering(r#"["log"]"#);
    stage.host.accept(opens("e1")).await.unwrap();
    for (id, text) in [("e2", "30"), ("e3", "yes"), ("e4", "forget me")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    let said = stage.settle().await;
    assert!(said.last().unwrap().contains("Shall I delete everything I keep about you here?"), "{said:?}");
    assert_eq!(stage.submitted(), 1);
    let ids = ["e1", "e2", "e3", "e4", "e5"];
    let note = chat::Note {
        platform: chat::Platform::new("slack"),
        key: "screen".to_owned(),
        owner: Some(chat::UserId::new("ann")),
        value: Some(serde_json::json!(1)),
    };
    stage.host.remember(note.clone()).await.unwrap();
    let [sessions, seen, _, submissions] = kept(&stage, &ids).await;
    assert_eq!([sessions, seen, submissions], [1, 4, 1]);
    let submission = stage.store.submissions(None, 1).await.unwrap().remove(0);
    stage.host.accept(event("slack", "e5", "yes")).await.unwrap();
    let said = stage.settle().await;
    let receipt = said.last().unwrap();
    assert!(receipt.contains("was deleted on 2019-12-20 00:00 UTC"), "{receipt}");
    assert!(receipt.contains("Conversations: 1. Messages: 5. Forms sent: 1."), "{receipt}");
    assert!(receipt.contains(&format!("not mine to delete: {}.1", submission.id)), "{receipt}");
    assert_eq!(kept(&stage, &ids).await, [0, 0, 0, 0]);
    assert_eq!(stage.host.recall(&note.platform, "screen").await.unwrap(), None);
    assert_eq!(stage.submitted(), 1, "the operator's file is as it was");
}

#[tokio::test]
async fn a_client_of_the_api_stands_for_everybody_it_has_spoken_for() {
    let stage = ordering(r#"["log"]"#);
    for (no, who) in ["key:shop:1", "key:shop:2", "key:shopping:1"].into_iter().enumerate() {
        let opens =
            chat::Event { action: chat::Action::Open { form: Some("pizza".to_owned()) }, ..event("web", "", "") };
        let opens = chat::Event { id: chat::EventId::new(format!("e{no}")), ..by(who, opens) };
        stage.host.converse(opens).await.unwrap();
    }
    let (catalog, opener) = (stage.runtime.catalog(), Opener::new(stage.directory.path().to_owned()).unwrap());
    let (sinks, desks) = (BTreeMap::new(), std::collections::BTreeSet::new());
    let records = crate::records::forget::Records {
        store: &*stage.store,
        catalog: &catalog,
        sinks: &sinks,
        opener: &opener,
        desks: &desks,
    };
    let web = [chat::Platform::new("web")];
    let receipt = records.forget(&web, &chat::UserId::new("key:shop"), None, Timestamp::UNIX_EPOCH).await.unwrap();
    assert_eq!(receipt.removed["web"].sessions, 2);
    assert_eq!(stage.store.session_count().await.unwrap(), 1);
}

#[tokio::test]
async fn how_long_replies_and_closed_sessions_are_kept_can_change_while_the_bot_runs() {
    let stage = ordering(r#"["log"]"#);
    let key = Runtime::key(&place("web"), &chat::UserId::new("ann"));
    let seen = async |id: &str| stage.store.seen(&key, &chat::EventId::new(id)).await.unwrap();
    stage.says("e1", "hello").await.unwrap();
    stage.pass(2 * 3600);
    stage.runtime.forget().await.unwrap();
    assert!(seen("e1").await.is_some());
    let hour = SignedDuration::from_hours(1);
    stage.runtime.change_around(crate::Around {
        tools: Tools::new(),
        opener: Opener::new(stage.directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        kept: crate::Kept { replies: hour, sessions: hour },
    });
    stage.runtime.forget().await.unwrap();
    assert_eq!(seen("e1").await, None);
    stage.says("e2", "hello").await.unwrap();
    let up = async || stage.store.expired(stage.runtime.clock.now(), 10).await.unwrap();
    stage.pass(3599);
    assert_eq!(up().await, []);
    stage.pass(1);
    assert_eq!(up().await, std::slice::from_ref(&key));
}

/// A command was killed in the middle: the server goes on, and leaves one alone that has just begun.
#[tokio::test]
async fn what_a_killed_command_left_is_forgotten_by_the_server() {
    let stage = ordering(r#"["log"]"#);
    let opens = chat::Event { action: chat::Action::Open { form: Some("pizza".to_owned()) }, ..event("web", "e1", "") };
    stage.host.converse(by("key:shop:1", opens)).await.unwrap();
    let web = [chat::Platform::new("web")];
    let (shop, store) = (chat::UserId::new("key:shop"), &*stage.store);
    crate::records::forgetting::begin(store, &web, &shop, stage.runtime.clock.now()).await.unwrap();
    stage.runtime.go_on_forgetting().await.unwrap();
    assert_eq!(stage.store.session_count().await.unwrap(), 1, "whoever began may still be at it");
    stage.pass(61);
    stage.runtime.go_on_forgetting().await.unwrap();
    assert_eq!(stage.store.session_count().await.unwrap(), 0);
    let note = stage.store.note(&chat::Platform::new("formwright"), "forgetting").await.unwrap();
    assert_eq!(note, None, "nobody is named any more");
}

/// The process died between the pieces: the confirmation is there still, and is run again.
#[tokio::test]
async fn whoever_asked_to_be_forgotten_is_when_it_was_cut_off_in_the_middle() {
    let stage = ordering(r#"["log"]"#);
    stage.host.accept(opens("e1")).await.unwrap();
    stage.host.accept(event("slack", "e2", "forget me")).await.unwrap();
    stage.settle().await;
    let key = Runtime::key(&place("slack"), &chat::UserId::new("ann"));
    stage.store.accept(&key, &event("slack", "e3", "yes")).await.unwrap();
    stage.store.erase(&chat::Platform::new("slack"), &chat::UserId::new("ann"), Some(&key)).await.unwrap();
    stage.runtime.take_up_open_events().await.unwrap();
    let said = stage.settle().await;
    assert!(said.last().unwrap().contains("was deleted on"), "{said:?}");
    assert_eq!(kept(&stage, &["e1", "e2", "e3"]).await, [0, 0, 0, 0]);
}

#[tokio::test]
async fn what_is_not_delivered_yet_is_not_sent() {
    let stage = ordering(r#"["kitchen"]"#);
    stage.host.accept(opens("e1")).await.unwrap();
    for (id, text) in [("e2", "30"), ("e3", "yes")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    stage.settle().await;
    assert_eq!(stage.store.outbox(OutboxState::Waiting, 10).await.unwrap().len(), 1, "the kitchen is away");
    for (id, text) in [("e4", "delete my data"), ("e5", "yes, delete my data")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    let said = stage.settle().await;
    let receipt = said.last().unwrap();
    assert!(receipt.contains("Forms sent: 1") && !receipt.contains("not mine to delete"), "{receipt}");
    assert_eq!(kept(&stage, &["e1", "e2", "e3", "e4", "e5"]).await, [0, 0, 0, 0]);
}

#[tokio::test]
async fn over_http_the_receipt_is_the_answer() {
    let stage = ordering(r#"["log"]"#);
    let asked = stage.says("e1", "forget me").await.unwrap();
    assert!(asked[0].contains("Shall I delete everything"), "{asked:?}");
    let receipt = stage.says("e2", "yes").await.unwrap();
    assert!(receipt[0].contains("was deleted on"), "{receipt:?}");
    assert_eq!(stage.store.session_count().await.unwrap(), 0);
    let key = Runtime::key(&place("web"), &chat::UserId::new("ann"));
    for id in ["e1", "e2"] {
        assert_eq!(stage.store.seen(&key, &chat::EventId::new(id)).await.unwrap(), None);
    }
    let again = stage.says("e3", "hello").await.unwrap();
    assert!(!again[0].contains("delete"), "{again:?}");
}

#[tokio::test]
async fn the_receipt_is_in_the_language_of_the_question() {
    for (words, yes, told) in [("dimenticami", "sì", "cancellato"), ("vergiss mich", "ja", "gelöscht")] {
        let stage = ordering(r#"["log"]"#);
        stage.says("e1", words).await.unwrap();
        let receipt = stage.says("e2", yes).await.unwrap();
        assert!(receipt[0].contains(told), "{receipt:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn where_another_replica_waits_for_the_receipt_it_finds_it_for_half_a_minute() {
    let stage = ordering(r#"["log"]"#);
    let waits = |id: &str, text: &str| {
        let terms = chat::Terms { waits: true, ..chat::Terms::default() };
        chat::Event { terms, ..event("web", id, text) }
    };
    for (id, text) in [("e1", "forget me"), ("e2", "yes")] {
        let key = Runtime::key(&place("web"), &chat::UserId::new("ann"));
        stage.store.accept(&key, &waits(id, text)).await.unwrap();
        stage.runtime.take_up_event(waits(id, text));
        stage.settle().await;
        let Some(Accepted::Done(replies)) = stage.store.seen(&key, &chat::EventId::new(id)).await.unwrap() else {
            panic!("{id} is not done")
        };
        assert_eq!(replies.len(), 1);
    }
    assert_eq!(stage.store.session_count().await.unwrap(), 0);
    let (key, confirmed) = (Runtime::key(&place("web"), &chat::UserId::new("ann")), chat::EventId::new("e2"));
    stage.pass(1);
    tokio::time::sleep(Duration::from_secs(29)).await;
    assert!(stage.store.seen(&key, &confirmed).await.unwrap().is_some());
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(stage.store.seen(&key, &confirmed).await.unwrap(), None);
}

#[tokio::test]
async fn a_form_of_all_goes_whole_with_one_of_them() {
    let stage = channel();
    let lunch = chat::Event {
        action: chat::Action::Open { form: Some("lunch".to_owned()) },
        ..by("ann", event("slack", "e1", ""))
    };
    stage.host.accept(lunch).await.unwrap();
    stage.settle().await;
    stage.host.accept(by("ann", event("slack", "e2", "4"))).await.unwrap();
    stage.settle().await;
    stage.host.accept(by("ben", event("slack", "e3", "forget me"))).await.unwrap();
    stage.settle().await;
    stage.host.accept(by("ann", event("slack", "e4", "yes"))).await.unwrap();
    stage.settle().await;
    assert_eq!(stage.store.session_count().await.unwrap(), 1, "it was not ann who was asked");
    for (id, text) in [("e5", "forget me"), ("e6", "yes")] {
        stage.host.accept(by("ben", event("slack", id, text))).await.unwrap();
        stage.settle().await;
    }
    assert_eq!(stage.store.session_count().await.unwrap(), 0);
    assert!(stage.slack.said.lock().unwrap().last().unwrap().starts_with("ben: Done."));
}

#[tokio::test]
async fn nothing_is_noted_about_who_is_told_that_all_is_gone() {
    let stage = ordering(r#"["log"]"#);
    let note = |owner: &str| chat::Note {
        platform: chat::Platform::new("slack"),
        key: owner.to_owned(),
        owner: Some(chat::UserId::new(owner)),
        value: Some(serde_json::json!(1)),
    };
    stage.runtime.hushed().insert((chat::Platform::new("slack"), chat::UserId::new("ann")));
    for owner in ["ann", "ben"] {
        stage.host.remember(note(owner)).await.unwrap();
    }
    assert_eq!(stage.host.recall(&chat::Platform::new("slack"), "ann").await.unwrap(), None);
    assert!(stage.host.recall(&chat::Platform::new("slack"), "ben").await.unwrap().is_some());
}

#[tokio::test]
async fn submissions_are_forgotten_when_their_form_says() {
    for (keep, left) in [("", 1), (r#"keep = { submissions = "2d" }"#, 0), (r#"keep = { submissions = "90d" }"#, 1)] {
        let text = PIZZA.replace("submit = SINKS", &format!("submit = [\"log\"]\n{keep}"));
        let mut forms = Catalog::default();
        forms.insert(load(&text, Syntax::Toml).form.unwrap());
        let stage = Stage::with(Arc::new(Parrot(forms)));
        stage.says("e1", "order").await.unwrap();
        stage.runtime.forget().await.unwrap();
        assert_eq!(stage.store.submissions(None, 10).await.unwrap().len(), 1, "{keep}");
        stage.pass(3 * 86_400);
        stage.runtime.forget().await.unwrap();
        assert_eq!(stage.store.submissions(None, 10).await.unwrap().len(), left, "{keep}");
    }
}
