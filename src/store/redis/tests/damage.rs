//! Records that cannot be read, and keys that are in the way.

use super::super::keys::Digest;
use super::server::at_hand;
use super::single::raw;
use super::*;
use crate::conformance::{at, commit, event, key, outgoing, submission};
use crate::{Parcel, StoreError};

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
