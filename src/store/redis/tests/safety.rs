//! When something is told to be safe, and what is seen of the server while it is used.

use std::time::{Duration, Instant};

use jiff::SignedDuration;

use super::server::{Cluster, Server, at_hand};
use super::*;
use crate::conformance::{commit, event, key, submission};

const TIME: Duration = Duration::from_secs(20);

fn raw(words: &[&str]) -> redis::Cmd {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]);
    command
}

fn ask(server: &Server, words: &[&str]) {
    server.ask::<redis::Value>(raw(words)).unwrap_or_else(|| panic!("{words:?}"));
}

/// A server and one that follows it.
fn pair() -> (Server, Server) {
    let server = Server::start(&["--repl-diskless-sync-delay", "0"]);
    let replica = Server::start(&["--replicaof", "127.0.0.1", &server.port.to_string()]);
    let until = Instant::now() + TIME;
    while replica.info("master_link_status") != "up" || server.info("connected_slaves") != "1" {
        assert!(Instant::now() < until, "the replica does not follow");
    }
    (server, replica)
}

/// Submits something in the turn of an event.
async fn submits(store: &RedisStore, name: &str) -> Written {
    let event = event("yes", name).id;
    let submissions = vec![submission(name, 1, "pizza", name)];
    let turn = Commit { event: Some(event.clone()), submissions, ..commit(name, 0, name) };
    assert_eq!(store.commit(&turn).await.unwrap(), Committed::Done);
    Written::Turn { key: key(name), event }
}

async fn settles(store: &RedisStore, written: &Written) {
    let until = Instant::now() + TIME;
    while store.settle(written).await.unwrap() != Safety::Safe {
        assert!(Instant::now() < until, "it does not settle");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_settled_once_a_replica_has_it() {
    if !at_hand() {
        return;
    }
    let server = Server::start(&["--repl-diskless-sync-delay", "0"]);
    let store = open(&options(&server.url())).await;
    let alone = submits(&store, "ann").await;
    assert_eq!(store.settle(&alone).await.unwrap(), Safety::Safe, "without a replica nothing more is promised");
    let mut replica = Server::start(&["--replicaof", "127.0.0.1", &server.port.to_string()]);
    let until = Instant::now() + TIME;
    while replica.info("master_link_status") != "up" {
        assert!(Instant::now() < until, "the replica does not follow");
    }
    store.renew().await.unwrap();
    settles(&store, &submits(&store, "ben").await).await;
    let survival = store.survival().await.unwrap();
    assert!(survival.line.contains("failover: 1 connected"), "{}", survival.line);
    replica.freeze();
    let frozen = submits(&store, "cid").await;
    assert_eq!(store.settle(&frozen).await.unwrap(), Safety::NotYet, "the replica does not have it");
    replica.thaw();
    replica.kill();
    assert_eq!(store.settle(&frozen).await.unwrap(), Safety::NotYet, "there was a replica, and now there is none");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_new_primary_never_had_is_lost_and_what_it_had_is_safe_once_it_is_followed() {
    if !at_hand() {
        return;
    }
    let (server, replica) = pair();
    let store = open(&options(&server.url())).await;
    let (kept, version) = (submits(&store, "ann").await, store.load(&key("ann")).await.unwrap().version);
    settles(&store, &kept).await;
    ask(&replica, &["REPLICAOF", "NO", "ONE"]);
    let lost = submits(&store, "ben").await;
    assert_eq!(store.settle(&lost).await.unwrap(), Safety::NotYet);
    let promoted =
        RedisStore::connect(RedisOptions { urls: vec![replica.url()], ..store_options(&store) }).await.unwrap();
    promoted.renew().await.unwrap();
    assert_eq!(promoted.settle(&lost).await.unwrap(), Safety::Lost);
    assert_eq!(promoted.settle(&kept).await.unwrap(), Safety::NotYet, "nobody follows the new primary");
    let _next = Server::start(&["--replicaof", "127.0.0.1", &replica.port.to_string()]);
    settles(&promoted, &kept).await;
    settles(&promoted, &Written::Session { key: key("ann"), version }).await;
    let gone = Written::Session { key: key("ben"), version: 7 };
    assert_eq!(promoted.settle(&gone).await.unwrap(), Safety::Lost);
}

/// Options of another store on the names of this one.
fn store_options(store: &RedisStore) -> RedisOptions {
    let prefix = store.names.news().trim_end_matches(":news").to_owned();
    RedisOptions { prefix, ..options("redis://nowhere") }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_starts_knows_that_there_were_replicas() {
    if !at_hand() {
        return;
    }
    let (server, mut replica) = pair();
    let store = open(&options(&server.url())).await;
    replica.kill();
    let first = submits(&store, "ann").await;
    assert_eq!(store.settle(&first).await.unwrap(), Safety::NotYet, "the first is asked about like all others");
    let again = RedisStore::connect(RedisOptions { urls: vec![server.url()], ..store_options(&store) }).await.unwrap();
    assert_eq!(again.settle(&first).await.unwrap(), Safety::NotYet, "one that starts later knows it as well");
    again.renew().await.unwrap();
    assert_eq!(again.settle(&first).await.unwrap(), Safety::NotYet);
    // The operator's way to say that there will be none.
    ask(&server, &["DEL", &store.names.replicated()]);
    again.renew().await.unwrap();
    assert_eq!(again.settle(&first).await.unwrap(), Safety::Safe);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_gets_an_answer_though_those_who_asked_for_all_gave_up() {
    if !at_hand() {
        return;
    }
    let (server, replica) = pair();
    let store = open(&options(&server.url())).await;
    let written = submits(&store, "ann").await;
    replica.freeze();
    let hasty = |patience| tokio::time::timeout(Duration::from_millis(patience), store.settle(&written));
    let (first, second, third) = tokio::join!(hasty(100), hasty(300), store.settle(&written));
    assert!(first.is_err() && second.is_err(), "the replica is frozen for longer than that");
    assert_eq!(third.unwrap(), Safety::NotYet);
    replica.thaw();
    settles(&store, &written).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_ask_at_once_wait_no_longer_than_two_do() {
    if !at_hand() {
        return;
    }
    let (server, replica) = pair();
    let store = open(&options(&server.url())).await;
    let written = submits(&store, "ann").await;
    replica.freeze();
    let since = Instant::now();
    let asking = (0..40).map(|_| store.settle(&written));
    let told = crate::conformance::crowds::join(asking).await;
    assert!(told.into_iter().all(|told| told.unwrap() == Safety::NotYet));
    assert!(since.elapsed() < Duration::from_millis(1900), "{:?}", since.elapsed());
    replica.thaw();
}

/// A user who may do all but what is dangerous, as many are set up.
fn restricted(server: &Server) -> String {
    ask(server, &["ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-@dangerous"]);
    format!("redis://app:pw@127.0.0.1:{}", server.port)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_right_to_ask_what_can_be_known_is_known_and_the_rest_is_said() {
    if !at_hand() {
        return;
    }
    let alone = Server::start(&[]);
    let store = open(&options(&restricted(&alone))).await;
    let line = store.survival().await.unwrap().line;
    assert!(line.contains("this user may not ask INFO and CONFIG GET"), "{line}");
    assert!(line.contains("full memory: its settings cannot be read"), "{line}");
    assert_eq!(store.settle(&submits(&store, "ann").await).await.unwrap(), Safety::Safe);

    let (server, replica) = pair();
    let store = open(&options(&restricted(&server))).await;
    settles(&store, &submits(&store, "ann").await).await;
    // A busy replica may have answered the first question too late.
    for _ in 0..4 {
        store.renew().await.unwrap();
    }
    replica.freeze();
    assert_eq!(store.settle(&submits(&store, "ben").await).await.unwrap(), Safety::NotYet);
    replica.thaw();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_begins_to_evict_makes_its_users_unready_and_one_that_does_is_never_begun_with() {
    if !at_hand() {
        return;
    }
    let server = Server::start(&[]);
    let store = RedisStore::connect(options(&server.url())).await.unwrap();
    let early = store.accept(&key("ann"), &event("e", "ann")).await.unwrap_err();
    assert!(early.to_string().contains("not known yet"), "{early}");
    store.renew().await.unwrap();
    store.accept(&key("ann"), &event("e", "ann")).await.unwrap();
    assert_eq!(store.unfit(), [""; 0]);
    ask(&server, &["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    store.renew().await.unwrap();
    assert_eq!(store.unfit(), ["the store throws conversations away when its memory is full"]);

    let late = RedisStore::connect(store_options_at(&store, &server)).await.unwrap();
    assert!(late.renew().await.unwrap_err().to_string().contains("allkeys-lru"));
    assert!(late.accept(&key("ann"), &event("e2", "ann")).await.is_err());
    assert_eq!(late.held(), 0);
    let allowed = RedisOptions { evicting_ok: true, ..store_options_at(&store, &server) };
    let allowed = open(&allowed).await;
    assert_eq!(allowed.unfit(), [""; 0]);
    let line = allowed.survival().await.unwrap().line;
    assert!(line.contains("full memory: no, it throws conversations away then (allkeys-lru)"), "{line}");

    ask(&server, &["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
    store.renew().await.unwrap();
    assert_eq!(store.unfit(), [""; 0]);
}

fn store_options_at(store: &RedisStore, server: &Server) -> RedisOptions {
    RedisOptions { urls: vec![server.url()], ..store_options(store) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_whose_clock_is_wrong_works_on_nothing() {
    if !at_hand() {
        return;
    }
    let mut store = open(&options(&shared().url())).await;
    assert_eq!(store.held(), 64);
    store.clock = || Timestamp::now() + SignedDuration::from_secs(30);
    assert_eq!(store.renew().await.unwrap(), []);
    assert_eq!((store.unfit().len(), store.held()), (0, 64), "that is only told");
    store.clock = || Timestamp::now() - SignedDuration::from_hours(24 * 38);
    let leaving = store.renew().await.unwrap();
    assert_eq!(leaving.len(), 64);
    assert!(!store.owns(&key("ann")));
    assert_eq!(store.unfit(), ["the clock of this machine is wrong"]);
    store.give_back(&leaving).await.unwrap();
    store.clock = Timestamp::now;
    store.renew().await.unwrap();
    assert_eq!((store.unfit().len(), store.held()), (0, 64));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_cluster_a_server_without_a_replica_holds_up_only_what_it_has() {
    if !at_hand() {
        return;
    }
    let cluster = Cluster::start();
    let first = &cluster.servers[0];
    let replica = Cluster::server();
    let name = first.ask::<String>(raw(&["CLUSTER", "MYID"])).unwrap();
    let (port, bus) = (replica.port.to_string(), replica.bus.to_string());
    ask(first, &["CLUSTER", "MEET", "127.0.0.1", &port, &bus]);
    let until = Instant::now() + TIME;
    while replica.ask::<String>(raw(&["CLUSTER", "REPLICATE", &name])).is_none() {
        assert!(Instant::now() < until, "they do not know each other");
    }
    while replica.info("master_link_status") != "up" {
        assert!(Instant::now() < until, "the replica does not follow");
    }
    let urls = cluster.servers.iter().map(Server::url).collect();
    let store = open(&RedisOptions { urls, cluster: true, ..options("") }).await;
    let (mut safe, mut not_yet) = (0, 0);
    let written: Vec<Written> =
        crate::conformance::crowds::join((0..12).map(async |no| submits(&store, &format!("u{no}")).await)).await;
    for written in &written {
        match store.settle(written).await.unwrap() {
            Safety::Safe => safe += 1,
            Safety::NotYet => not_yet += 1,
            Safety::Lost => panic!("nothing is lost"),
        }
    }
    assert!(safe > 0 && not_yet > 0, "{safe} are safe, {not_yet} are not yet");
}
