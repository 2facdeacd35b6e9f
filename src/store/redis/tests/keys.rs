//! Keys that seal: who lacks one, and how one is taken out of use. What replicas tell and count.

use super::super::keys::Digest;
use super::server::at_hand;
use super::single::{fill, raw};
use super::*;
use crate::StoreError;
use crate::conformance::{at, commit, event, key, outgoing, place, submission, user};

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
    let erased = one.erase(&place().platform, &user("key:shop"), None).await.unwrap();
    assert_eq!(erased.counts.sessions, 2);
}

/// Something else wrote to the keys of a lease: that costs no conversation, and no other partition its lease.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_lease_is_made_anew_and_told() {
    if !at_hand() {
        return;
    }
    let store = open(&options(&shared().url())).await;
    store.commit(&commit("ann", 0, "t1")).await.unwrap();
    let partition = store.partition(&key("ann"));
    let damages: [&[&str]; 5] = [
        &["SET", "lease", "garbage"],
        &["SET", "epoch", "garbage"],
        &["DEL", "lease"],
        &["HSET", "lease", "a", "b"],
        &["HSET", "epoch", "a", "b"],
    ];
    for (no, words) in damages.into_iter().enumerate() {
        let mut command = redis::cmd(words[0]);
        let name = store.key(partition, words[1]);
        store.link.ask::<redis::Value>(redis::cmd("DEL").arg(&name)).await.unwrap();
        command.arg(name).arg(&words[2..]);
        store.link.ask::<redis::Value>(&command).await.unwrap();
        store.renew().await.unwrap();
        let (held, version) = (store.held(), store.load(&key("ann")).await.unwrap().version);
        assert_eq!(held, 64, "{words:?}");
        let next = commit("ann", version, &format!("t{}", no + 2));
        assert_eq!(store.commit(&next).await.unwrap(), Committed::Done, "{words:?}");
    }
    let notices = store.notices();
    assert!(notices.len() == 1 && notices[0].contains("lease"), "{notices:?}");
    for name in [store.names.replicas(), store.names.forms(), store.names.hold("gateway")] {
        store.link.ask::<redis::Value>(redis::cmd("DEL").arg(&name)).await.unwrap();
        store.link.ask::<redis::Value>(redis::cmd("LPUSH").arg(&name).arg("x")).await.unwrap();
    }
    store.renew().await.unwrap();
    store.compare("pizza@1").await.unwrap();
    assert!(store.hold("gateway").await.unwrap());
    assert_eq!(store.held(), 64);
}

/// Data of an earlier version, which did not note which client a person belongs to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_a_client_spoke_for_before_that_was_noted_is_found() {
    if !at_hand() {
        return;
    }
    let store = open(&options(&shared().url())).await;
    let unnote = async |name: &str| {
        let partition = store.partition(&key(name));
        let [client, person] = ["key:shop", name].map(|user| Digest::person(("web", user)));
        let set = store.key(partition, &format!("p:{}", client.as_str()));
        assert_eq!(store.link.ask::<u32>(redis::cmd("DEL").arg(&set)).await.unwrap(), 1);
        let mut command = redis::cmd("SREM");
        command.arg(store.key(partition, &format!("p:{}", person.as_str()))).arg(format!("c{}", client.as_str()));
        assert_eq!(store.link.ask::<u32>(&command).await.unwrap(), 1);
    };
    let commits = async |name: &str| {
        let submissions = vec![submission(name, 1, "pizza", name)];
        store.commit(&Commit { submissions, ..commit(name, 0, name) }).await.unwrap();
    };
    let erased = async || store.erase(&place().platform, &user("key:shop"), None).await.unwrap().counts.total();
    commits("key:shop:1").await;
    unnote("key:shop:1").await;
    assert_eq!(erased().await, 2, "by a look at all that is there");
    commits("key:shop:2").await;
    unnote("key:shop:2").await;
    store.delete(&key("key:shop:2")).await.unwrap();
    store.sweep(at(0)).await.unwrap();
    let mut command = redis::cmd("GET");
    command.arg(store.names.clients());
    let first: String = store.link.ask(&command).await.unwrap();
    assert!(first.parse::<u64>().is_ok(), "replicas of before may write for a while: {first}");
    let mut long_ago = redis::cmd("SET");
    store.link.ask::<redis::Value>(long_ago.arg(store.names.clients()).arg(1)).await.unwrap();
    store.sweep(at(0)).await.unwrap();
    assert_eq!(store.link.ask::<String>(&command).await.unwrap(), "complete");
    assert_eq!(erased().await, 1, "by the sweep");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_asks_for_tls_where_there_is_none_is_a_wrong_setting() {
    if !at_hand() {
        return;
    }
    let options = options(&shared().url().replace("redis://", "rediss://"));
    let store = RedisStore::connect(options).await.unwrap();
    for refused in [store.use_keys().await, store.check_keys().await] {
        assert!(matches!(&refused, Err(StoreError::Refused(why)) if why.to_string().contains("TLS")), "{refused:?}");
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
