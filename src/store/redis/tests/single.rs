//! One store at one server: damage, ends without warning, what a dump shows, and what the operator is told.

use std::time::{Duration, Instant};

use super::super::keys::Digest;
use super::server::{Server, WRITES_FIRST, at_hand, named};
use super::*;
use crate::form::FormId;
use crate::store::conformance::{at, commit, event, key, outgoing, place, submission, user};
use crate::store::{Erased, Parcel, StoreError};

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
        replies: vec![crate::store::conformance::reply(name)],
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
async fn a_damaged_record_is_told_and_holds_up_no_other() {
    if !at_hand() {
        return;
    }
    for seal in [Seal::none(), sealing()] {
        let store = open(&RedisOptions { seal, ..options(&shared().url()) }).await;
        for id in ["bad", "good"] {
            store.accept(&key("ann"), &event(id, "ann")).await.unwrap();
        }
        let entries = ["bad", "good"].map(|id| outgoing(id, "lane", "ann", 0)).to_vec();
        let submissions = ["bad", "good"].map(|id| submission(id, 1, "pizza", "ann")).to_vec();
        let turn = Commit { outbox: entries, submissions, ..commit("ann", 0, "t1") };
        assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
        store.commit(&commit("ben", 0, "t2")).await.unwrap();
        let session = Digest::session(&key("ann"));
        let name = |what: &str, of: &Digest| store.key(session.partition(), &format!("{what}:{}", of.as_str()));
        let hash = name("s", &session);
        let other = Digest::session(&key("ben"));
        let other = store.key(other.partition(), &format!("s:{}", other.as_str()));

        // Another's session, an older one under a newer version, a cut one.
        let theirs: Vec<u8> = store.link.ask(&raw(&["HGET", &other, "b"])).await.unwrap();
        let mine: Vec<u8> = store.link.ask(&raw(&["HGET", &hash, "b"])).await.unwrap();
        for body in [&theirs[..], &mine[..mine.len() - 1], b"{}", b""] {
            let mut put = redis::cmd("HSET");
            store.link.ask::<i64>(put.arg(&hash).arg("b").arg(body)).await.unwrap();
            assert!(matches!(store.load(&key("ann")).await, Err(StoreError::Damaged(_))));
        }
        let mut put = redis::cmd("HSET");
        store.link.ask::<i64>(put.arg(&hash).arg("b").arg(mine).arg("v").arg("99")).await.unwrap();
        assert!(matches!(store.load(&key("ann")).await, Err(StoreError::Damaged(_))));

        // Something of another kind is damage as well, and goes as such.
        store.link.ask::<i64>(&raw(&["DEL", &hash])).await.unwrap();
        store.link.ask::<i64>(&raw(&["LPUSH", &hash, "x"])).await.unwrap();
        assert!(matches!(store.load(&key("ann")).await, Err(StoreError::Damaged(_))));
        assert!(store.delete(&key("ann")).await.unwrap());
        assert!(store.load(&key("ann")).await.unwrap().session.is_none());

        let bad = name("o", &Digest::entry("bad"));
        store.link.ask::<i64>(&raw(&["HSET", &bad, "b", "{"])).await.unwrap();
        let bad = name("u", &Digest::submission("bad", 1));
        store.link.ask::<i64>(&raw(&["HSET", &bad, "b", "{"])).await.unwrap();
        let stream = store.key(session.partition(), "in");
        let rows: Vec<(String, redis::Value)> = store.link.ask(&raw(&["XRANGE", &stream, "-", "+"])).await.unwrap();
        store.link.ask::<i64>(&raw(&["XDEL", &stream, &rows[0].0])).await.unwrap();
        store.link.ask::<String>(&raw(&["XADD", &stream, "*", "h", "x", "e", "y", "b", "z"])).await.unwrap();

        assert_eq!(store.submissions(None, 10).await.unwrap(), [submission("good", 1, "pizza", "ann")]);
        assert_eq!(store.open_events(10).await.unwrap(), [event("good", "ann")]);
        let now = Timestamp::now();
        assert_eq!(store.due(now, now, 10).await.unwrap(), []);
        assert_eq!(store.due(now, now, 10).await.unwrap()[0].id, "good");
        let dead = store.outbox(OutboxState::Dead, 10).await.unwrap();
        assert_eq!((dead[0].id.as_str(), &dead[0].parcel), ("bad", &Parcel::Erased));
        assert!(dead[0].last_error.as_ref().is_some_and(|error| error.starts_with("damaged record")));
    }
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
async fn a_script_touches_one_slot() {
    if !at_hand() {
        return;
    }
    let server = Server::start(&[]);
    let watched = server.watch();
    let store = open(&options(&server.url())).await;
    fill(&store, "ann").await;
    for name in ["ben", "key:shop:1"] {
        store.commit(&commit(name, 0, "t1")).await.unwrap();
    }
    let now = Timestamp::now();
    store.due(now, now, 10).await.unwrap();
    store.behind("ann", "o1.ann").await.unwrap();
    store.outbox(OutboxState::Waiting, 10).await.unwrap();
    store.replay("o2.ann", now).await.unwrap();
    store.release().await.unwrap();
    store.delete(&key("ann")).await.unwrap();
    store.hold("gateway").await.unwrap();
    store.let_go("gateway").await.unwrap();
    store.compare("pizza@1").await.unwrap();
    store.sweep(now).await.unwrap();
    store.forget_submissions(&FormId::new("pizza"), now).await.unwrap();
    for name in ["ann", "key:shop"] {
        store.erase(&place().platform, &user(name), None).await.unwrap();
    }
    store.give_back(&store.retire()).await.unwrap();
    store.backlog().await.unwrap();
    let seal = Seal::new(&[[7; 32]], true);
    let prefix = store.names.all().trim_end_matches(':').to_owned();
    let sealed = RedisStore::connect(RedisOptions { prefix, seal, ..options(&server.url()) }).await.unwrap();
    sealed.use_keys().await.unwrap();
    assert_eq!(sealed.reseal().await.unwrap().sealed, 1);
    let prefix = store.names.news().trim_end_matches("news").to_owned();
    let mut checked = 0;
    let mut script = None;
    let mut ran = std::collections::BTreeSet::new();
    for line in watched.until_now(&server) {
        let line = line.replace("\\\"", "'");
        let words: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        if line.contains(" lua] ") {
            // These know no slots.
            if matches!(words[0], "PUBLISH" | "SCAN") {
                continue;
            }
            for key in words[1..].iter().filter(|word| word.starts_with(&prefix)) {
                assert_eq!(Some(slot(key)), script, "{line}");
                checked += 1;
            }
        } else if words[0].starts_with("EVAL") {
            let known = scripts::ALL.iter().find(|script| script.is(words[1]));
            ran.extend(known.map(|script| script.name()));
            script = Some(slot(words[3]));
        }
    }
    assert!(checked > 200, "{checked}");
    let missing: Vec<_> = scripts::ALL.iter().map(|script| script.name()).filter(|name| !ran.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "each script was watched");
}

/// The slot of a key, by its hash tag, as the cluster specification says.
fn slot(key: &str) -> u16 {
    let tag = key.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or(key, |(tag, _)| tag);
    let crc = tag.bytes().fold(0_u16, |crc, byte| {
        (0..8).fold(
            crc ^ (u16::from(byte) << 8),
            |crc, _| {
                if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
            },
        )
    });
    crc % 16_384
}

#[test]
fn slots_are_those_of_the_specification() {
    assert_eq!(slot("123456789"), 0x31C3);
    assert_eq!(slot("fw:{07}:x"), slot("07"));
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_another_type_in_the_way_loses_nothing() {
    if !at_hand() {
        return;
    }
    let store = open(&options(&shared().url())).await;
    let partition = store.partition(&key("ann"));
    let turn = Commit {
        event: Some(chat::EventId::new("e1")),
        outbox: vec![outgoing("o", "lane", "ann", 0)],
        submissions: vec![submission("s", 1, "pizza", "ann")],
        ..commit("ann", 0, "t1")
    };
    for name in ["seq", "x", "d", "q", "us", "in"] {
        let key_in_the_way = store.key(partition, name);
        let mut stray = redis::cmd("HSET");
        store.link.ask::<i64>(stray.arg(&key_in_the_way).arg("a").arg("b")).await.unwrap();
        store.commit(&turn).await.unwrap_err();
        store.commit(&turn).await.unwrap_err();
        store.link.ask::<i64>(redis::cmd("DEL").arg(&key_in_the_way)).await.unwrap();
        assert_eq!(store.load(&key("ann")).await.unwrap(), Stored::default(), "{name}");
        assert_eq!(store.due(at(1), at(2), 10).await.unwrap(), [], "{name}");
        assert_eq!(store.submissions(None, 10).await.unwrap(), [], "{name}");
    }
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
    assert_eq!(store.due(at(1), at(2), 10).await.unwrap().len(), 1);
    assert_eq!(store.submissions(None, 10).await.unwrap().len(), 1);
}
