//! What a user of Redis may do, and what is needed.

use super::server::{Server, at_hand};
use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rights_that_lack_are_named_before_anything_is_begun() {
    if !at_hand() {
        return;
    }
    let server = Server::start(&[]);
    let lets = |rights: &str| {
        let words = format!("SETUSER bot reset on >secret {rights}");
        let mut command = redis::cmd("ACL");
        command.arg(words.split(' ').collect::<Vec<_>>());
        server.ask::<redis::Value>(command).unwrap();
    };
    lets("~* &* +@all -xadd -zadd -publish");
    let url = server.url().replace("redis://", "redis://bot:secret@");
    let store = RedisStore::connect(options(&url)).await.unwrap();
    let told = store.look().await.unwrap_err().to_string();
    assert!(told.contains("may not run PUBLISH, XADD, ZADD:"), "{told}");
    lets("~other:* &* +@all");
    let store = RedisStore::connect(options(&url)).await.unwrap();
    let told = store.look().await.unwrap_err().to_string();
    assert!(told.contains("redis.url"), "{told}");
    lets("~* &* +@all");
    RedisStore::connect(options(&url)).await.unwrap().look().await.unwrap();
}

#[test]
fn whatever_scripts_use_is_among_the_rights_that_are_looked_at() {
    let all = crate::redis::wire::scripts::ALL;
    let rights = all.iter().find(|script| script.name() == "rights").unwrap().code();
    for script in all {
        for part in script.code().split("call('").skip(1) {
            let command = part.split('\'').next().unwrap();
            assert!(rights.contains(&format!("{{ '{command}'")), "{} uses {command}", script.name());
        }
    }
}
