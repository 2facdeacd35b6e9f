//! Sealing anew what an older key has sealed. What is gone within two days is left: events, replies, a model's answers.

use std::collections::BTreeMap;

use crate::redis::keys::{PARTITIONS, all};
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts;
use crate::redis::{Call, RedisStore, intake};
use crate::replicas::Partition;
use crate::{Resealed, Seal, StoreError};

/// Most keys that are looked at at once.
const AT_ONCE: usize = 64;
/// Most open events of a partition that are looked at.
const EVENTS: usize = 10_000;

pub(crate) async fn reseal(store: &RedisStore) -> Result<Resealed, StoreError> {
    let mut command = redis::cmd("HKEYS");
    command.arg(store.names.marks());
    let marks: Vec<String> = store.link.ask(&command).await?;
    let own = store.seal.name();
    let others = marks.into_iter().filter(|name| *name != own).map(|name| (name, 0));
    let mut done = Resealed { left: others.collect(), ..Resealed::default() };
    if done.left.is_empty() || !store.seal.has_key() {
        return Ok(Resealed::default());
    }
    // A cluster's node knows its own keys alone; one server is gone through once.
    let beginnings = if store.link.is_cluster() {
        all().map(|p| store.names.partition(p)).collect()
    } else {
        vec![store.names.all()]
    };
    for beginning in beginnings {
        let mut cursor = "0".to_owned();
        loop {
            let call = Call::new(&scripts::SCAN, beginning.clone()).arg(&cursor);
            let (next, keys): (String, Vec<String>) = store.link.run(&call).await?;
            for chunk in keys.chunks(AT_ONCE) {
                for found in try_all(chunk.iter().map(|key| one(store, key))).await? {
                    done.add(found);
                }
            }
            if next == "0" {
                break;
            }
            cursor = next;
        }
    }
    for (name, _) in done.left.iter().filter(|(_, left)| **left == 0) {
        let mut command = redis::cmd("HDEL");
        command.arg(store.names.marks()).arg(name);
        store.link.ask::<u64>(&command).await?;
    }
    Ok(done)
}

/// Seals anew what lies under a key.
async fn one(store: &RedisStore, key: &str) -> Result<Resealed, StoreError> {
    let mut done = Resealed::default();
    let Some((partition, what)) = store.names.within(key) else { return Ok(done) };
    let (kind, name) = what.split_once(':').unwrap_or((what, ""));
    if kind == "in" {
        for kept in intake::after(store, partition, None, EVENTS).await? {
            other_key(store, kept.body()).into_iter().for_each(|name| done.leave(name));
        }
        return Ok(done);
    }
    if !matches!(kind, "s" | "o" | "u" | "n" | "e" | "a") {
        return Ok(done);
    }
    let mut command = redis::cmd("HGETALL");
    command.arg(key);
    let row: BTreeMap<String, Vec<u8>> = store.link.ask(&command).await?;
    let field = |field: &str| row.get(field).map(Vec::as_slice).unwrap_or_default();
    let names = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let fresh = match kind {
        "s" => {
            let named = store.seal.open(&["key", name], field("k")).unwrap_or_default();
            let (named, version) = (String::from_utf8_lossy(&named), String::from_utf8_lossy(field("v")));
            vec![("k", names(&["key", name])), ("b", names(&["session", &named, &version]))]
        }
        "o" => [("m", "outbox entry"), ("b", "outbox body"), ("e", "outbox error")]
            .map(|(field, word)| (field, names(&[word, name])))
            .to_vec(),
        "u" => vec![("b", names(&["submission", name]))],
        "n" => vec![("b", names(&["note", name]))],
        "e" => {
            let replies = row.values().filter(|value| value.first() == Some(&b'd'));
            let replies = replies.map(|value| value.get(33..).unwrap_or_default());
            replies.filter_map(|reply| other_key(store, reply)).for_each(|name| done.leave(name));
            return Ok(done);
        }
        _ => {
            row.values().filter_map(|answer| other_key(store, answer)).for_each(|name| done.leave(name));
            return Ok(done);
        }
    };
    let mut puts = Vec::new();
    for (field, bound_to) in &fresh {
        let Some(before) = row.get(*field) else { continue };
        let Some(name) = other_key(store, before) else { continue };
        let bound_to: Vec<&str> = bound_to.iter().map(String::as_str).collect();
        match store.seal.open(&bound_to, before) {
            Ok(record) => puts.push((field, before, store.seal.seal(&bound_to, &record)?)),
            Err(StoreError::Sealed(_)) => done.leave(name),
            Err(error) => tracing::error!(error = %formwright_chat::chain(&error), "a record cannot be sealed anew"),
        }
    }
    if puts.is_empty() {
        return Ok(done);
    }
    let mut call = store.call(&scripts::RESEAL, partition).arg(what).number(puts.len());
    for (field, before, after) in puts {
        call.add(field);
        call.add(before);
        call.add(after);
    }
    done.sealed += u64::from(store.link.run::<u64>(&call).await? > 0);
    Ok(done)
}

/// The name of what has sealed a record, where that is not the first key.
fn other_key(store: &RedisStore, kept: &[u8]) -> Option<String> {
    Seal::sealed_with(kept).filter(|name| *name != store.seal.name())
}

impl crate::redis::Names {
    /// The partition of a key, and the rest of its name.
    fn within<'k>(&self, key: &'k str) -> Option<(Partition, &'k str)> {
        let (number, what) = key.strip_prefix(&self.all())?.strip_prefix('{')?.split_once("}:")?;
        let number = number.parse().ok().filter(|number| *number < PARTITIONS)?;
        Some((Partition(number), what))
    }
}
