//! A script touches keys of one slot only, as a cluster wants it.

use super::server::{Server, at_hand};
use super::single::fill;
use super::*;
use crate::conformance::{commit, key, place, user};
use crate::redis::wire::scripts;
use formwright_form::FormId;

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
