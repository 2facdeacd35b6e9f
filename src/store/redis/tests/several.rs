//! Several stores on one prefix, as replicas of the bot have them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::server::at_hand;
use super::*;
use crate::conformance::crowds::join;
use crate::conformance::{at, commit, event, key, outgoing, place, reply};

/// Two replicas that do not own anything yet.
async fn two() -> (RedisStore, RedisStore) {
    let one = RedisOptions { replica: "one".to_owned(), ..options(&shared().url()) };
    let other = RedisOptions { replica: "other".to_owned(), ..one.clone() };
    let (one, other) = (RedisStore::connect(one).await.unwrap(), RedisStore::connect(other).await.unwrap());
    one.look().await.unwrap();
    other.look().await.unwrap();
    (one, other)
}

fn owned(store: &RedisStore) -> BTreeSet<Partition> {
    store.leases.working().into_iter().map(|(partition, _)| partition).collect()
}

/// Ends all leases of a replica and its life, as time would where it does not renew.
async fn outlived(store: &RedisStore) {
    for (partition, _) in store.leases.held() {
        let mut end = redis::cmd("DEL");
        store.link.ask::<i64>(end.arg(store.key(partition, "lease"))).await.unwrap();
    }
    let mut dead = redis::cmd("ZREM");
    store.link.ask::<i64>(dead.arg(store.names.replicas()).arg(&store.replica)).await.unwrap();
}

/// A person whose session lies in one of these partitions.
fn somebody(store: &RedisStore, of: &BTreeSet<Partition>) -> String {
    let names = (0..).map(|no| format!("u{no}"));
    names.into_iter().find(|name| of.contains(&store.partition(&key(name)))).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_alone_owns_all_and_hands_a_share_to_one_that_comes() {
    if !at_hand() {
        return;
    }
    let (one, other) = two().await;
    assert_eq!(one.renew().await.unwrap(), []);
    assert_eq!(owned(&one).len(), 64);
    // The one that comes waits until its share is given.
    assert_eq!(other.renew().await.unwrap(), []);
    assert_eq!(owned(&other).len(), 0);
    let leaving = one.renew().await.unwrap();
    assert!((16..=48).contains(&leaving.len()), "{}", leaving.len());
    let (mine, theirs) = (owned(&one), BTreeSet::from_iter(leaving.clone()));
    assert!(mine.is_disjoint(&theirs));
    assert_eq!(mine.len() + theirs.len(), 64);
    // What runs in a partition that is leaving still ends there.
    let name = somebody(&one, &theirs);
    assert!(!one.owns(&key(&name)));
    assert_eq!(one.commit(&commit(&name, 0, "t1")).await.unwrap(), Committed::Done);
    assert_eq!(other.renew().await.unwrap(), []);
    assert_eq!(owned(&other).len(), 0, "it is not given back yet");
    one.give_back(&leaving).await.unwrap();
    other.renew().await.unwrap();
    assert_eq!(owned(&other), theirs);
    assert_eq!(one.renew().await.unwrap(), []);
    assert_eq!(owned(&one), mine);
    let version = other.load(&key(&name)).await.unwrap().version;
    assert_eq!(one.commit(&commit(&name, version, "t2")).await.unwrap(), Committed::Stale);
    assert_eq!(other.commit(&commit(&name, version, "t2")).await.unwrap(), Committed::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_taken_over_commits_nothing_and_notices() {
    if !at_hand() {
        return;
    }
    let (one, other) = two().await;
    one.renew().await.unwrap();
    let entries = vec![outgoing("o", "lane", "ann", 0)];
    one.commit(&Commit { outbox: entries, ..commit("ann", 0, "t1") }).await.unwrap();
    outlived(&one).await;
    // Nobody took them: the one that slept goes on as if nothing had been.
    let version = one.load(&key("ann")).await.unwrap().version;
    assert_eq!(one.commit(&commit("ann", version, "t2")).await.unwrap(), Committed::Done);
    outlived(&one).await;
    other.renew().await.unwrap();
    assert_eq!(owned(&other).len(), 64);

    assert!(one.owns(&key("ann")), "it does not know yet");
    let version = one.load(&key("ann")).await.unwrap().version;
    assert_eq!(one.commit(&commit("ann", version, "t3")).await.unwrap(), Committed::Stale);
    assert_eq!(one.load(&key("ann")).await.unwrap().version, version);
    assert!(!one.owns(&key("ann")));
    assert_eq!(one.due(at(9), at(99), 10).await.unwrap(), []);
    assert_eq!(other.due(at(9), at(99), 10).await.unwrap().len(), 1);
    assert_eq!(other.commit(&commit("ann", version, "t3")).await.unwrap(), Committed::Done);
    one.renew().await.unwrap();
    assert_eq!(owned(&one).len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_ends_hands_everything_over_at_once() {
    if !at_hand() {
        return;
    }
    let (one, other) = two().await;
    one.renew().await.unwrap();
    let held = one.retire();
    assert_eq!(held.len(), 64);
    assert_eq!(owned(&one).len(), 0);
    assert_eq!(one.commit(&commit("ann", 0, "t1")).await.unwrap(), Committed::Done, "what runs ends");
    one.give_back(&held).await.unwrap();
    other.renew().await.unwrap();
    assert_eq!(owned(&other).len(), 64);
    assert_eq!(one.renew().await.unwrap(), []);
    assert_eq!(other.renew().await.unwrap(), [], "the one that ends counts no more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_never_renews_works_beside_the_owner() {
    if !at_hand() {
        return;
    }
    let (owner, command) = two().await;
    owner.renew().await.unwrap();
    owner.commit(&Commit { outbox: vec![outgoing("o", "lane", "ann", 0)], ..commit("ann", 0, "t1") }).await.unwrap();
    assert_eq!(command.due(at(9), at(99), 10).await.unwrap(), []);
    assert_eq!(command.commit(&commit("ben", 0, "t1")).await.unwrap(), Committed::Stale);
    assert_eq!(command.session_count().await.unwrap(), 1);
    assert_eq!(owner.due(at(9), at(99), 10).await.unwrap().len(), 1);
    assert_eq!(command.release().await.unwrap(), 0);
    let dead = Delivery::Dead { error: "410".to_owned() };
    command.mark("o", dead, at(9)).await.unwrap();
    assert!(command.replay("o", at(10)).await.unwrap());
    // What others put in is found by a look each second, and here at once: nothing was known to be ready.
    let until = Instant::now() + Duration::from_secs(5);
    while owner.due(at(11), at(99), 10).await.unwrap().is_empty() {
        assert!(Instant::now() < until, "it is not found");
        tokio::task::yield_now().await;
    }
    assert!(command.delete(&key("ann")).await.unwrap());
}

/// Ids of events, in order.
fn ids(events: &[chat::Event]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_arrive_at_their_owner_in_order_and_once() {
    if !at_hand() {
        return;
    }
    let (owner, other) = two().await;
    owner.renew().await.unwrap();
    let accept = async |store: &RedisStore, id: &str| {
        assert_eq!(store.accept(&key("ann"), &event(id, "ann")).await.unwrap(), Accepted::New);
    };
    accept(&other, "e1").await;
    accept(&owner, "e2").await;
    accept(&other, "e3").await;
    let mut arrived = Vec::new();
    while arrived.len() < 3 {
        arrived.extend(owner.arrivals().await.unwrap());
    }
    assert_eq!(ids(&arrived), ["e1", "e2", "e3"]);
    let turn = Commit { event: Some(chat::EventId::new("e1")), ..commit("ann", 0, "t1") };
    owner.commit(&turn).await.unwrap();

    // Nothing more comes until there is more; then it comes without a second's wait.
    let more = async {
        tokio::task::yield_now().await;
        accept(&other, "e4").await;
    };
    let (arrived, ()) = tokio::join!(owner.arrivals(), more);
    assert_eq!(ids(&arrived.unwrap()), ["e4"]);

    // Who takes the partition gets what is open from its beginning.
    owner.give_back(&owner.retire()).await.unwrap();
    other.renew().await.unwrap();
    assert_eq!(ids(&other.arrivals().await.unwrap()), ["e2", "e3", "e4"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_events_arrive_whole() {
    const EVENTS: usize = 3_000;
    if !at_hand() {
        return;
    }
    let (owner, other) = two().await;
    owner.renew().await.unwrap();
    for block in 0..EVENTS / 100 {
        let accept = async |no: usize| {
            let (id, name) = (format!("{:05}", block * 100 + no), format!("u{}", no % 7));
            other.accept(&key(&name), &event(&id, &name)).await.unwrap();
        };
        join((0..100).map(accept)).await;
    }
    let mut arrived = BTreeSet::new();
    while arrived.len() < EVENTS {
        for event in owner.arrivals().await.unwrap() {
            assert!(arrived.insert(event.id.clone()), "{} came twice", event.id.as_str());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_turn_elsewhere_gets_its_replies() {
    if !at_hand() {
        return;
    }
    let (owner, other) = two().await;
    owner.renew().await.unwrap();
    other.renew().await.unwrap();
    let long = Duration::from_secs(20);
    for (no, told) in [true, false].into_iter().enumerate() {
        let id = chat::EventId::new(format!("e{no}"));
        let version = owner.load(&key("ann")).await.unwrap().version;
        let turn = Commit {
            event: Some(id.clone()),
            replies: vec![reply("hello")],
            ..commit("ann", version, &format!("t{no}"))
        };
        let work = async {
            tokio::task::yield_now().await;
            assert_eq!(owner.commit(&turn).await.unwrap(), Committed::Done);
            if told {
                owner.tell(&key("ann"), &id).await.unwrap();
            }
        };
        let (ann, asked) = (key("ann"), Instant::now());
        let (waited, ()) = tokio::join!(other.wait_for(&ann, &id, long), work);
        assert_eq!(waited.unwrap(), Some(vec![reply("hello")]));
        assert!(asked.elapsed() < Duration::from_secs(5));
    }
    let never = other.wait_for(&key("ann"), &chat::EventId::new("never"), Duration::from_millis(50)).await;
    assert_eq!(never.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_held_by_one() {
    if !at_hand() {
        return;
    }
    let (one, other) = two().await;
    assert!(one.hold("gateway").await.unwrap());
    assert!(one.hold("gateway").await.unwrap(), "it is renewed");
    assert!(!other.hold("gateway").await.unwrap());
    assert!(other.hold("poller").await.unwrap());
    other.let_go("gateway").await.unwrap();
    assert!(!other.hold("gateway").await.unwrap(), "nobody ends another's lease");
    one.let_go("gateway").await.unwrap();
    assert!(other.hold("gateway").await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_remembers_gives_way_to_what_others_wrote() {
    if !at_hand() {
        return;
    }
    let (one, other) = two().await;
    one.renew().await.unwrap();
    let ann = key("ann");
    one.commit(&commit("ann", 0, "t1")).await.unwrap();
    let mine = one.load_recent(&ann).await.unwrap();
    assert_eq!(mine, one.load(&ann).await.unwrap());
    // An operator's command.
    other.delete(&ann).await.unwrap();
    assert_eq!(one.load_recent(&ann).await.unwrap(), mine);
    assert_eq!(one.commit(&commit("ann", mine.version, "t2")).await.unwrap(), Committed::Conflict);
    assert_eq!(one.load_recent(&ann).await.unwrap(), Stored::default());
    // Taken over, worked on there, and taken back.
    one.commit(&commit("ann", 0, "t3")).await.unwrap();
    outlived(&one).await;
    other.renew().await.unwrap();
    let version = other.load(&ann).await.unwrap().version;
    other.commit(&commit("ann", version, "t4")).await.unwrap();
    one.renew().await.unwrap();
    outlived(&other).await;
    one.renew().await.unwrap();
    assert_eq!(one.load_recent(&ann).await.unwrap(), other.load(&ann).await.unwrap());
    // Forgotten by itself.
    one.erase(&place().platform, &chat::UserId::new("ann"), None).await.unwrap();
    assert_eq!(one.load_recent(&ann).await.unwrap(), Stored::default());
}
