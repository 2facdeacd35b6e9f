//! Submissions, what belongs to a person, and what time does to records.

pub(crate) mod clients;
pub(crate) mod erase;
pub(crate) mod notes;

use std::time::Instant;

use jiff::Timestamp;

use super::keys::{Digest, all};
use super::row::{millis, open};
use super::{RedisStore, outbox};
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts;
use crate::replicas::Partition;
use crate::{NOTE_LIFE, SessionKey, StoreError, pace};
use formwright_engine::Submission;
use formwright_form::FormId;

/// Most records that are asked for at once.
pub(super) const AT_ONCE: usize = 64;
/// Most records of each kind that one script forgets: it keeps the server from all else meanwhile.
const SWEEP: u32 = 500;

/// Submissions, oldest first. One that cannot be read is told to the log and left out, so that it hides no other.
pub(super) async fn submissions(
    store: &RedisStore,
    form: Option<&str>,
    limit: u32,
) -> Result<Vec<Submission>, StoreError> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let index = form.map_or_else(|| "us".to_owned(), |form| format!("uf:{}", Digest::of(&["form", form]).as_str()));
    let oldest = async |partition: Partition| {
        let found = store.oldest(partition, &index, i64::from(limit) - 1).await?;
        Ok(found.into_iter().map(|(name, no)| (no, partition, name)).collect::<Vec<_>>())
    };
    let mut found: Vec<_> = try_all(all().map(oldest)).await?.into_iter().flatten().collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.truncate(limit as usize);
    let found: Vec<_> = found.into_iter().map(|(_, partition, name)| (partition, name)).collect();
    Ok(read(store, &found).await?.into_iter().map(|(_, submission)| submission).collect())
}

/// Reads submissions by partition and name; one that is gone or cannot be read is left out.
pub(super) async fn read(
    store: &RedisStore,
    names: &[(Partition, String)],
) -> Result<Vec<(String, Submission)>, StoreError> {
    let body = async |(partition, name): &(Partition, String)| {
        let mut command = redis::cmd("HGET");
        command.arg(store.key(*partition, &format!("u:{name}"))).arg("b");
        Ok((name.clone(), store.link.ask::<Option<Vec<u8>>>(&command).await?))
    };
    let mut read = Vec::new();
    for chunk in names.chunks(AT_ONCE) {
        for (name, body) in try_all(chunk.iter().map(body)).await? {
            let Some(body) = body else { continue };
            match open(&store.seal, &["submission", &name], &body) {
                Ok(submission) => read.push((name, submission)),
                Err(error) => tracing::error!(error = %formwright_chat::chain(&error), "a submission cannot be read"),
            }
        }
    }
    Ok(read)
}

/// The key of a session by its digest; an error inside where there is none that can be read.
pub(super) async fn session_key(
    store: &RedisStore,
    partition: Partition,
    session: &str,
) -> Result<Result<SessionKey, StoreError>, StoreError> {
    let mut command = redis::cmd("HGET");
    command.arg(store.key(partition, &format!("s:{session}"))).arg("k");
    let kept: Option<Vec<u8>> = store.link.ask(&command).await?;
    let unreadable = || StoreError::unreadable("key", "it cannot be read");
    let opened = store.seal.open(&["key", session], &kept.unwrap_or_default());
    let named = |key: Vec<u8>| String::from_utf8(key).ok().and_then(|key| SessionKey::named(&key));
    Ok(opened.and_then(|key| named(key).ok_or_else(unreadable)))
}

/// Forgets old submissions of a form, and old dead letters about it. When a submission was made is in its body, which no
/// script can read.
pub(super) async fn forget_submissions(
    store: &RedisStore,
    form: &FormId,
    before: Timestamp,
) -> Result<u64, StoreError> {
    let forget = async |partition: Partition| {
        let old = old_submissions(store, partition, form, before).await?;
        let dead = outbox::old_dead(store, partition, form, before).await?;
        let mut removed = 0;
        for (submissions, dead) in
            old.chunks(AT_ONCE).map(|old| (old, &[][..])).chain(dead.chunks(AT_ONCE).map(|dead| (&[][..], dead)))
        {
            let mut call = store.call(&scripts::FORGET, partition);
            for names in [submissions, dead] {
                call.add(names.len().to_string());
                names.iter().for_each(|name| call.add(name));
            }
            removed += store.link.run::<u64>(&call).await?;
        }
        Ok::<u64, StoreError>(removed)
    };
    let mut removed = 0;
    // One partition after the other: there is no hurry.
    for partition in all() {
        removed += forget(partition).await?;
    }
    Ok(removed)
}

/// Names of the submissions of a form in a partition that were made before then.
async fn old_submissions(
    store: &RedisStore,
    partition: Partition,
    form: &FormId,
    before: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let index = store.key(partition, &format!("uf:{}", Digest::of(&["form", form.as_str()]).as_str()));
    let (mut old, mut from) = (Vec::new(), 0);
    loop {
        let mut command = redis::cmd("ZRANGE");
        command.arg(&index).arg(from).arg(from + AT_ONCE - 1);
        let names: Vec<String> = store.link.ask(&command).await?;
        let names: Vec<_> = names.into_iter().map(|name| (partition, name)).collect();
        let found = read(store, &names).await?;
        let all_old = found.iter().all(|(_, submission)| submission.at < before);
        old.extend(found.into_iter().filter(|(_, submission)| submission.at < before).map(|(name, _)| name));
        // They are in the order in which they were made.
        if names.len() < AT_ONCE || !all_old {
            return Ok(old);
        }
        from += AT_ONCE;
    }
}

pub(super) async fn delete(store: &RedisStore, key: &SessionKey) -> Result<bool, StoreError> {
    let session = Digest::session(key);
    store.recent.forget(key);
    delete_at(store, session.partition(), session.as_str()).await
}

async fn delete_at(store: &RedisStore, partition: Partition, session: &str) -> Result<bool, StoreError> {
    store.link.run(&store.call(&scripts::DELETE, partition).arg(session)).await
}

/// Sessions of this process's partitions whose time is up. One whose key cannot be read is deleted: nobody can be told.
pub(super) async fn expired(store: &RedisStore, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
    let up = async |partition: Partition| {
        let mut command = redis::cmd("ZRANGE");
        command.arg(store.key(partition, "x")).arg("-inf").arg(millis(now)).arg("BYSCORE");
        command.arg("LIMIT").arg(0).arg(limit).arg("WITHSCORES");
        let found: Vec<(String, f64)> = store.link.ask(&command).await?;
        Ok(found.into_iter().map(|(session, at)| (at, partition, session)).collect::<Vec<_>>())
    };
    let working = store.leases.working();
    let found = try_all(working.into_iter().map(|(partition, _)| up(partition))).await?;
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.truncate(limit as usize);
    let key = async |(_, partition, session): &(f64, Partition, String)| {
        match session_key(store, *partition, session).await? {
            Ok(key) => return Ok(Some(key)),
            Err(error @ StoreError::Sealed(_)) => {
                tracing::error!(
                    error = %formwright_chat::chain(&error),
                    "the key of a session whose time is up cannot be read"
                );
                return Ok(None);
            }
            Err(_) => {}
        }
        tracing::error!("the key of a session whose time is up cannot be read: the session is deleted");
        delete_at(store, *partition, session).await?;
        Ok(None)
    };
    let mut keys = Vec::new();
    for chunk in found.chunks(AT_ONCE) {
        keys.extend(try_all(chunk.iter().map(key)).await?.into_iter().flatten());
    }
    Ok(keys)
}

pub(super) async fn sweep(store: &RedisStore, before: Timestamp) -> Result<u64, StoreError> {
    let sweep = async |partition: Partition| {
        let mut removed = 0;
        loop {
            let began = Instant::now();
            let call = store
                .call(&scripts::SWEEP, partition)
                .arg(millis(before))
                .arg(millis(before - NOTE_LIFE))
                .number(SWEEP);
            let (now, more): (u64, bool) = store.link.run(&call).await?;
            removed += now;
            if !more {
                return Ok(removed);
            }
            pace::rest(began).await;
        }
    };
    Ok(try_all(all().map(sweep)).await?.into_iter().sum())
}

pub(super) async fn session_count(store: &RedisStore) -> Result<u64, StoreError> {
    let count = async |partition: Partition| {
        let mut command = redis::cmd("ZCARD");
        command.arg(store.key(partition, "x"));
        store.link.ask::<u64>(&command).await
    };
    Ok(try_all(all().map(count)).await?.into_iter().sum())
}
