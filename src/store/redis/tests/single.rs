//! One store at one server: ends without warning, what a dump shows, a full memory, and what the operator is told.

use std::time::{Duration, Instant};

use super::server::{Server, WRITES_FIRST, at_hand, named};
use super::*;
use crate::conformance::{commit, event, key, outgoing, place, submission, user};
use crate::{Erased, StoreError};

pub(super) fn raw(words: &[&str]) -> redis::Cmd {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]);
    command
}

/// Everything that a server holds, keys and values.
async fn dump(store: &RedisStore) -> Vec<(String, Vec<u8>)> {
    let pattern = format!("{}*", store.names.news().trim_end_matches("news"));
    let keys: Vec<String> = store.link.ask(&raw(&["KEYS", &pattern])).await.unwrap();
    let mut all = Vec::new();
    for key in keys {
        let kind: String = store.link.ask(&raw(&["TYPE", &key])).await.unwrap();
        let read = match kind.as_str() {
            "string" => raw(&["GET", &key]),
            "hash" => raw(&["HGETALL", &key]),
            "zset" => raw(&["ZRANGE", &key, "0", "-1"]),
            "set" => raw(&["SMEMBERS", &key]),
            _ => raw(&["XRANGE", &key, "-", "+"]),
        };
        let value: redis::Value = store.link.ask(&read).await.unwrap();
        let mut bytes = Vec::new();
        flatten(value, &mut bytes);
        all.push((key, bytes));
    }
    all
}

fn flatten(value: redis::Value, into: &mut Vec<u8>) {
    match value {
        redis::Value::BulkString(bytes) => into.extend(bytes),
        redis::Value::Array(items) => items.into_iter().for_each(|item| flatten(item, into)),
        _ => {}
    }
}

fn found_in(dump: &[(String, Vec<u8>)], text: &str) -> Vec<String> {
    let holds = |(key, value): &&(String, Vec<u8>)| {
        key.contains(text) || value.windows(text.len()).any(|part| part == text.as_bytes())
    };
    dump.iter().filter(holds).map(|(key, _)| key.clone()).collect()
}

/// A turn with something of everything, and what else there is of a person.
pub(super) async fn fill(store: &RedisStore, name: &str) {
    let turn = Commit {
        event: Some(chat::EventId::new("e")),
        replies: vec![crate::conformance::reply(name)],
        outbox: ["o1", "o2", "o3"].map(|id| outgoing(&format!("{id}.{name}"), name, name, 0)).to_vec(),
        submissions: vec![submission(&format!("s.{name}"), 1, "pizza", name)],
        ..commit(name, 0, name)
    };
    let note = chat::Note {
        platform: place().platform,
        key: name.to_owned(),
        owner: Some(user(name)),
        value: Some(serde_json::json!(name)),
    };
    store.keep_answer((&key(name), &chat::EventId::new("e")), "read", name, Timestamp::now()).await.unwrap();
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
    store.keep_answer((&key(name), &chat::EventId::new("f")), "read", name, Timestamp::now()).await.unwrap();
    store.accept(&key(name), &event("open", name)).await.unwrap();
    store.set_note(&note, Timestamp::now()).await.unwrap();
    store.mark(&format!("o1.{name}"), Delivery::Done, Timestamp::now()).await.unwrap();
    let dead = Delivery::Dead { error: format!("{name} is gone") };
    store.mark(&format!("o2.{name}"), dead, Timestamp::now()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dump_shows_neither_words_nor_names_and_erasing_leaves_nothing() {
    const CANARY: &str = "canary-8c21";
    if !at_hand() {
        return;
    }
    let store = open(&RedisOptions { seal: sealing(), ..options(&shared().url()) }).await;
    let before: Vec<String> = dump(&store).await.into_iter().map(|(key, _)| key).collect();
    fill(&store, CANARY).await;
    let kept = dump(&store).await;
    assert!(kept.len() > before.len() + 10, "it was written: {}", kept.len());
    assert_eq!(found_in(&kept, CANARY), Vec::<String>::new());
    assert_eq!(found_in(&kept, "diavola"), Vec::<String>::new());
    let one = Erased { sessions: 1, events: 2, outbox: 2, dead_letters: 1, submissions: 1, notes: 1, answers: 1 };
    assert_eq!(store.erase(&place().platform, &user(CANARY), None).await.unwrap().counts, one);
    let counters = |key: &String| key.ends_with(":seq") || key.ends_with(":in");
    let left: Vec<String> = dump(&store).await.into_iter().map(|(key, _)| key).collect();
    let left: Vec<String> = left.into_iter().filter(|key| !before.contains(key) && !counters(key)).collect();
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_there_is_told_in_time_and_found_once_it_is() {
    if !at_hand() {
        return;
    }
    let mut server = Server::prepare(&[]);
    let store = RedisStore::connect(options(&server.url())).await.unwrap();
    for _ in 0..3 {
        let asked = Instant::now();
        let error = store.load(&key("ann")).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        assert!(asked.elapsed() < Duration::from_millis(2_500));
    }
    server.run();
    let until = Instant::now() + Duration::from_secs(10);
    while store.renew().await.is_err() {
        assert!(Instant::now() < until, "it is not found");
    }
    assert_eq!(store.commit(&commit("ann", 0, "t1")).await.unwrap(), Committed::Done);

    // Frozen: told in time; and it goes on after that.
    server.freeze();
    let asked = Instant::now();
    assert!(store.load(&key("ann")).await.is_err());
    assert!(asked.elapsed() < Duration::from_millis(2_500));
    server.thaw();
    while store.load(&key("ann")).await.is_err() {
        assert!(Instant::now() < until + Duration::from_secs(10), "it does not go on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_survives_the_server_being_killed() {
    if !at_hand() {
        return;
    }
    let mut server = Server::start(&WRITES_FIRST);
    let options = RedisOptions { seal: sealing(), ..options(&server.url()) };
    let store = open(&options).await;
    fill(&store, "ann").await;
    server.kill();
    assert!(store.load(&key("ann")).await.is_err());
    server.run();
    let until = Instant::now() + Duration::from_secs(10);
    while store.renew().await.is_err() {
        assert!(Instant::now() < until, "it is not found");
    }
    // The lease and the epoch survived with the rest: the same store goes on.
    let version = store.load(&key("ann")).await.unwrap().version;
    assert_eq!(store.open_events(10).await.unwrap(), [event("open", "ann")]);
    assert_eq!(store.submissions(None, 10).await.unwrap().len(), 1);
    assert_eq!(store.commit(&commit("ann", version, "t9")).await.unwrap(), Committed::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_is_told_what_is_survived() {
    if !at_hand() {
        return;
    }
    let lines = [
        (
            &["--appendfsync", "everysec"][..],
            "process kill: yes, but for up to two seconds where its disk lags; power cut: all but the last second or two; \
             failover: there is",
        ),
        (&["--appendfsync", "always"], "process kill: yes; power cut: yes; failover: there is no replica"),
        (&["--appendonly", "no"], "process kill: no, nothing is written to disk"),
    ];
    for (settings, expected) in lines {
        let server = Server::start(settings);
        let store = RedisStore::connect(options(&server.url())).await.unwrap();
        let survival = store.survival().await.unwrap();
        assert!(survival.line.contains(expected), "{}", survival.line);
        assert!(survival.line.starts_with(&format!("{} survives: ", named())), "{}", survival.line);
        assert_eq!(survival.refused, None);
    }
    let server = Server::start(&["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"]);
    let mut options = options(&server.url());
    let store = RedisStore::connect(options.clone()).await.unwrap();
    let refused = store.survival().await.unwrap().refused.unwrap();
    assert!(refused.contains("maxmemory-policy is allkeys-lru"), "{refused}");
    options.evicting_ok = true;
    let store = RedisStore::connect(options).await.unwrap();
    assert_eq!(store.survival().await.unwrap().refused, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_server_refuses_a_turn_whole() {
    if !at_hand() {
        return;
    }
    let server = Server::start(&["--maxmemory", "1gb", "--maxmemory-policy", "noeviction"]);
    let store = open(&options(&server.url())).await;
    store.commit(&commit("ann", 0, "t1")).await.unwrap();
    let before = store.load(&key("ann")).await.unwrap();
    server.ask::<String>(raw(&["CONFIG", "SET", "maxmemory", "1"])).unwrap();
    let turn = Commit { outbox: vec![outgoing("o", "l", "ann", 0)], ..commit("ann", before.version, "t2") };
    let error = store.commit(&turn).await.unwrap_err().to_string();
    assert_eq!(error, "store unavailable: Redis has no memory left");
    assert_eq!(store.load(&key("ann")).await.unwrap(), before);
    server.ask::<String>(raw(&["CONFIG", "SET", "maxmemory", "0"])).unwrap();
    assert_eq!(store.outbox(OutboxState::Waiting, 10).await.unwrap(), []);
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_several_filled_together_goes_with_each_of_them() {
    if !at_hand() {
        return;
    }
    let store = open(&RedisOptions { seal: sealing(), ..options(&shared().url()) }).await;
    let shared_key = SessionKey::of_place(&place());
    let given = |id: &str, by: &str| {
        let mut together = submission(id, 1, "pizza", "ann");
        together.provenance = vec![
            serde_json::from_value(serde_json::json!({
                "field": "size", "source": "said", "quote": null, "at": "2024-01-01T00:00:00Z", "by": by,
            }))
            .unwrap(),
        ];
        together
    };
    let submissions = vec![given("s1", "ben"), given("s2", "cem")];
    let turn = Commit { key: shared_key.clone(), submissions, ..commit("ann", 0, "t1") };
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
    store.accept(&shared_key, &event("open", "ben")).await.unwrap();
    store.accept(&shared_key, &event("other", "cem")).await.unwrap();
    assert_eq!(store.erase(&place().platform, &user("ben"), None).await.unwrap().counts.total(), 2);
    assert_eq!(store.submissions(None, 9).await.unwrap().len(), 1);
    assert_eq!(store.open_events(9).await.unwrap(), [event("other", "cem")]);
    // The session is its owner's, and goes with the owner.
    assert_eq!(store.erase(&place().platform, &user("ann"), None).await.unwrap().counts.total(), 2);
    assert_eq!(store.session_count().await.unwrap(), 0);
}
