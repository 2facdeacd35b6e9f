//! Keys that seal: who lacks one, and how one is taken out of use. What replicas tell and count.

use super::super::keys::Digest;
use super::server::at_hand;
use super::single::{fill, raw};
use super::*;
use crate::store::StoreError;
use crate::store::conformance::{commit, event, key, outgoing, place, submission, user};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_lacks_the_key_touches_nothing_and_is_refused() {
    if !at_hand() {
        return;
    }
    let options = RedisOptions { replica: "same".to_owned(), seal: sealing(), ..options(&shared().url()) };
    let store = open(&options).await;
    let turn = Commit { outbox: vec![outgoing("o", "lane", "ann", 0)], ..commit("ann", 0, "t1") };
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
    for seal in [Seal::none(), Seal::new(&[[8; 32]], false)] {
        let other = RedisStore::connect(RedisOptions { seal, ..options.clone() }).await.unwrap();
        for refused in [
            other.check_keys().await,
            other.use_keys().await,
            other.renew().await.map(drop),
            other.accept(&key("ben"), &event("e", "ben")).await.map(drop),
            other.load(&key("ann")).await.map(drop),
        ] {
            assert!(matches!(&refused, Err(StoreError::Sealed(_))), "{refused:?}");
        }
        let waiting = other.outbox(OutboxState::Waiting, 10).await.unwrap();
        assert!(waiting[0].id.starts_with("unreadable.") && waiting[0].last_error.is_some(), "{waiting:?}");
        assert!(other.backlog().await.unwrap().unreadable > 0);
    }
    assert!(store.load(&key("ann")).await.unwrap().session.is_some());
    let backlog = store.backlog().await.unwrap();
    assert_eq!((backlog.events, backlog.waiting, backlog.dead, backlog.unreadable), (0, 1, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_learn_where_their_forms_differ_and_whom_a_client_spoke_for() {
    if !at_hand() {
        return;
    }
    let options = options(&shared().url());
    let one = open(&options).await;
    let other = open(&RedisOptions { replica: "other".to_owned(), ..options }).await;
    assert_eq!(one.compare("pizza@1").await.unwrap(), Vec::<String>::new());
    assert_eq!(other.compare("pizza@2").await.unwrap(), ["pizza@1"]);
    assert_eq!(one.compare("pizza@2").await.unwrap(), Vec::<String>::new());

    let here = async |name: &str| {
        let holder = if one.owns(&key(name)) { &one } else { &other };
        holder.commit(&commit(name, 0, name)).await.unwrap()
    };
    other.renew().await.unwrap();
    one.give_back(&one.renew().await.unwrap()).await.unwrap();
    other.renew().await.unwrap();
    for name in ["key:shop:1", "key:shop:2", "key:shopping:1"] {
        assert_eq!(here(name).await, Committed::Done);
    }
    let found = one.users(&place().platform, "key:shop:").await.unwrap();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [user("key:shop:1"), user("key:shop:2")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_asks_for_tls_where_there_is_none_is_a_wrong_setting() {
    if !at_hand() {
        return;
    }
    let options = options(&shared().url().replace("redis://", "rediss://"));
    let store = RedisStore::connect(options).await.unwrap();
    for refused in [store.use_keys().await, store.check_keys().await] {
        assert!(matches!(&refused, Err(StoreError::Refused(words)) if words.contains("TLS")), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_that_is_not_renewed_in_time_shows() {
    if !at_hand() {
        return;
    }
    let options = options(&shared().url());
    let one = open(&options).await;
    let other = RedisStore::connect(RedisOptions { replica: "other".to_owned(), ..options }).await.unwrap();
    assert!(other.is_tended(&key("ann")).await.unwrap());
    let lease = one.key(one.partition(&key("ann")), "lease");
    let mut command = redis::cmd("PEXPIRE");
    assert_eq!(one.link.ask::<u32>(command.arg(lease).arg(4_900)).await.unwrap(), 1);
    assert!(!other.is_tended(&key("ann")).await.unwrap());
    one.renew().await.unwrap();
    assert!(other.is_tended(&key("ann")).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_is_counted_though_nobody_can_read_it() {
    if !at_hand() {
        return;
    }
    let store = open(&options(&shared().url())).await;
    store.accept(&key("ann"), &event("e", "ann")).await.unwrap();
    let entries = ["o1", "o2", "o3"].map(|id| outgoing(id, id, "ann", 0)).to_vec();
    store.commit(&Commit { outbox: entries, ..commit("ann", 0, "t1") }).await.unwrap();
    store.mark("o2", Delivery::Dead { error: "gone".to_owned() }, Timestamp::now()).await.unwrap();
    let partition = Digest::session(&key("ann")).partition();
    for id in ["o1", "o2"] {
        let entry = store.key(partition, &format!("o:{}", Digest::entry(id).as_str()));
        store.link.ask::<i64>(&raw(&["HSET", &entry, "m", "x", "e", "x"])).await.unwrap();
    }
    let backlog = store.backlog().await.unwrap();
    assert_eq!((backlog.events, backlog.waiting, backlog.dead), (1, 2, 1));
    for since in [backlog.oldest_event, backlog.oldest_waiting] {
        let age = Timestamp::now().duration_since(since.unwrap());
        assert!(age.abs() < jiff::SignedDuration::from_secs(60), "{age}");
    }
    // The one that nobody knows the name of can be sent again all the same.
    let dead = store.outbox(OutboxState::Dead, 10).await.unwrap();
    assert!(dead[0].last_error.as_ref().unwrap().contains("cannot be read"), "{dead:?}");
    assert!(store.replay(&dead[0].id, Timestamp::now()).await.unwrap());
    assert_eq!(store.backlog().await.unwrap().dead, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_older_key_sealed_is_sealed_anew_until_that_key_is_not_needed() {
    if !at_hand() {
        return;
    }
    let with = |keys: &[[u8; 32]], takes_open| Seal::new(keys, takes_open);
    let options = RedisOptions { replica: "same".to_owned(), ..options(&shared().url()) };
    let opened = async |seal: Seal| {
        let store = RedisStore::connect(RedisOptions { seal, ..options.clone() }).await.unwrap();
        store.renew().await.map(|_| store)
    };
    fill(&opened(Seal::none()).await.unwrap(), "ann").await;
    assert!(opened(with(&[[1; 32]], false)).await.is_err(), "what is not sealed would be lost");
    opened(with(&[[1; 32]], true)).await.unwrap();
    let store = opened(with(&[[2; 32], [1; 32]], true)).await.unwrap();
    let first = store.reseal().await.unwrap();
    assert!(first.sealed >= 5, "{first:?}");
    assert!(first.left["unsealed"] > 0, "replies and open events are left: {first:?}");
    assert!(opened(with(&[[2; 32]], false)).await.is_err(), "{first:?}");

    let done = Commit { event: Some(chat::EventId::new("open")), ..commit("ann", 0, "t2") };
    let version = store.load(&key("ann")).await.unwrap().version;
    store.commit(&Commit { version, ..done }).await.unwrap();
    let forgotten = chat::EventId::new("f");
    let done = Commit { event: Some(forgotten), version: version + 1, ..commit("ann", 0, "t3") };
    store.commit(&done).await.unwrap();
    store.sweep(Timestamp::now() + jiff::SignedDuration::from_hours(1)).await.unwrap();
    let last = store.reseal().await.unwrap();
    assert!(last.left.values().all(|left| *left == 0), "{last:?}");
    assert_eq!(store.reseal().await.unwrap(), Resealed::default());
    let store = opened(with(&[[2; 32]], false)).await.unwrap();
    assert_eq!(store.submissions(None, 10).await.unwrap(), [submission("s.ann", 1, "pizza", "ann")]);
    assert!(store.load(&key("ann")).await.unwrap().session.is_some());
    assert!(store.note(&place().platform, "ann").await.unwrap().is_some());
    assert_eq!(store.outbox(OutboxState::Dead, 10).await.unwrap()[0].last_error.as_deref(), Some("ann is gone"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_show_no_address() {
    for url in ["redis://ann:secret@127.0.0.1:1", "rubbish://ann:secret@host", "redis://ann:secret@"] {
        let options = RedisOptions { prefix: "fw".to_owned(), ..options(url) };
        assert!(!format!("{options:?}").contains("secret"));
        let error = match RedisStore::connect(options).await {
            Ok(store) => store.load(&key("ann")).await.unwrap_err(),
            Err(error) => error,
        };
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
