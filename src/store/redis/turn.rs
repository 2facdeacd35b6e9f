//! Sessions, and the commit of a turn.

use std::sync::Arc;

use super::keys::{Digest, people};
use super::row::{EVENTS_LIFE, EXPIRED_LIFE, millis, open_measured, seal};
use super::{RedisStore, outbox};
use crate::redis::people::clients;
use crate::redis::wire::options;
use crate::redis::wire::scripts::{self, Call};
use crate::{Commit, Committed, Damage, Packed, SessionKey, StoreError, Stored};
use formwright_engine::Submission;

pub(super) async fn load(store: &RedisStore, key: &SessionKey) -> Result<Stored, StoreError> {
    let digest = Digest::session(key);
    let mut command = redis::cmd("HMGET");
    command.arg(store.key(digest.partition(), &format!("s:{}", digest.as_str()))).arg("v").arg("b");
    let (version, body): (Option<String>, Option<Vec<u8>>) = store.link.ask(&command).await?;
    let (Some(version), Some(body)) = (version, body) else { return Ok(Stored::default()) };
    let (session, bytes) = open_measured(&store.seal, &["session", key.as_str(), &version], &body)?;
    let damaged = |_| StoreError::unreadable("session", "its version is no number");
    Ok(Stored { version: version.parse().map_err(damaged)?, session: Some(Arc::new(session)), bytes })
}

pub(super) async fn commit(store: &RedisStore, commit: &Commit) -> Result<Committed, StoreError> {
    let session = Digest::session(&commit.key);
    let partition = session.partition();
    let Some(fence) = store.leases.fence(partition) else { return Ok(Committed::Stale) };
    let version = next_version(commit.version)?;
    let mut call = store
        .call(&scripts::COMMIT, partition)
        .arg(&fence)
        .arg(session.as_str())
        .number(commit.version)
        .number(version)
        .arg(Digest::turn(&commit.turn).as_str())
        .arg(millis(commit.now));
    add_events(store, &mut call, commit)?;
    call.add(Digest::person(commit.key.person()).as_str());
    match &commit.session {
        Some(packed) => add_session(store, &mut call, commit, packed, version)?,
        None => call.add("0"),
    }
    if commit.event.is_some() || !commit.merged.is_empty() {
        call.add(EVENTS_LIFE.as_millis().to_string());
    }
    call.add(commit.outbox.len().to_string());
    call.add(commit.submissions.len().to_string());
    for entry in &commit.outbox {
        outbox::add(store, &mut call, entry)?;
    }
    for submission in &commit.submissions {
        add_submission(store, &mut call, submission)?;
    }
    clients::add(&mut call, everybody(commit));
    let told: Vec<Vec<u8>> = store.link.run(&call).await?;
    let (verdict, next) = (told.first().map(Vec::as_slice), told.get(1).map(Vec::as_slice));
    let ended = match verdict {
        Some(b"done") => {
            store.ready.earlier(partition, next.unwrap_or_default());
            Committed::Done
        }
        Some(b"mine") => Committed::AlreadyMine,
        Some(b"conflict") => Committed::Conflict,
        _ => {
            store.leases.lost(partition, &fence);
            Committed::Stale
        }
    };
    store.recent.note(commit, ended, version);
    Ok(ended)
}

/// Who owns what a commit writes.
fn everybody(commit: &Commit) -> impl Iterator<Item = (&str, &str)> {
    let session = commit.session.iter().map(Packed::session);
    let owner = session.map(|session| (session.place.platform.as_str(), session.owner.as_str()));
    let submissions = commit.submissions.iter().map(|of| (of.place.platform.as_str(), of.user.as_str()));
    let entries = commit.outbox.iter().map(|entry| entry.parcel.person());
    [commit.key.person()].into_iter().chain(owner).chain(submissions).chain(entries)
}

/// One more; a new session starts at random, so that one made anew never has a version that was used before.
fn next_version(version: u64) -> Result<u64, StoreError> {
    if version == 0 { Ok((options::random()? >> 16).max(1)) } else { Ok(version.saturating_add(1)) }
}

fn add_events(store: &RedisStore, call: &mut Call, commit: &Commit) -> Result<(), StoreError> {
    call.add(if commit.event.is_some() { "1" } else { "0" });
    call.add((usize::from(commit.event.is_some()) + commit.merged.len()).to_string());
    let worked_on = commit.event.iter().map(|event| (event, &commit.replies[..]));
    for (event, replies) in worked_on.chain(commit.merged.iter().map(|event| (event, &[][..]))) {
        call.add(Digest::event(event).as_str());
        call.add(seal(&store.seal, &["replies", commit.key.as_str(), event.as_str()], &replies)?);
    }
    Ok(())
}

fn add_session(
    store: &RedisStore,
    call: &mut Call,
    commit: &Commit,
    packed: &Packed,
    version: u64,
) -> Result<(), StoreError> {
    let key = commit.key.as_str();
    let (session, json) = (packed.session(), packed.json());
    call.add("1");
    call.add(store.seal.seal(&["session", key, &version.to_string()], json.as_bytes())?);
    // The key is kept with the first version: it does not change, and its name does not tell it.
    let named = commit.version == 0;
    let digest = Digest::session(&commit.key);
    call.add(if named { store.seal.seal(&["key", digest.as_str()], key.as_bytes())? } else { Vec::new() });
    call.add(millis(commit.expires));
    let life = (commit.expires.duration_since(commit.now) + EXPIRED_LIFE).max(EXPIRED_LIFE);
    call.add(life.as_millis().to_string());
    let (platform, user) = commit.key.person();
    let mut persons = people(platform, [user, session.owner.as_str()], json);
    if session.place.platform.as_str() != platform {
        persons += Digest::person((session.place.platform.as_str(), session.owner.as_str())).as_str();
    }
    call.add(persons);
    Ok(())
}

fn add_submission(store: &RedisStore, call: &mut Call, submission: &Submission) -> Result<(), StoreError> {
    let json = serde_json::to_string(submission);
    let json = json.map_err(|_| Damage::Unwritable { what: "a submission" })?;
    let digest = Digest::submission(&submission.id, submission.revision);
    call.add(digest.as_str());
    call.add(Digest::of(&["form", submission.form.as_str()]).as_str());
    call.add(people(submission.place.platform.as_str(), [submission.user.as_str()], &json));
    call.add(store.seal.seal(&["submission", digest.as_str()], json.as_bytes())?);
    Ok(())
}
