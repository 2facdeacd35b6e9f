//! Who belongs to which client of the API. It is noted with what is written; what was written before that was noted is gone
//! through once.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use crate::StoreError;
use crate::records::whose;
use crate::redis::keys::{Digest, all};
use crate::redis::people::{AT_ONCE, read, session_key};
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts::{self, Call};
use crate::redis::{RedisStore, turn};
use crate::replicas::Partition;

/// How long replicas of an earlier version, which note nothing, may write after the first time that all was gone through.
const MIXED: SignedDuration = SignedDuration::from_hours(1);
/// What is kept once all that is there is noted.
const COMPLETE: &str = "complete";

/// Adds the clients that these people belong to: what `belong()` takes.
pub(crate) fn add<'p>(call: &mut Call, people: impl IntoIterator<Item = (&'p str, &'p str)>) {
    let client = |(platform, user): (&str, &'p str)| {
        let client = whose::client_of(user)?;
        Some((Digest::person((platform, client)), Digest::person((platform, user))))
    };
    let pairs: BTreeSet<(Digest, Digest)> = people.into_iter().filter_map(client).collect();
    call.add(pairs.len().to_string());
    for (client, person) in pairs {
        call.add(client.as_str());
        call.add(person.as_str());
    }
}

/// Sees to it that everybody who belongs to a client is noted, before that is relied on.
pub(crate) async fn complete(store: &RedisStore) -> Result<(), StoreError> {
    if state(store).await?.as_deref() == Some(COMPLETE) {
        return Ok(());
    }
    try_all(all().map(|partition| note_all(store, partition))).await.map(drop)
}

/// The same, now and then while the program runs, until no replica of an earlier version can have written since.
pub(crate) async fn go_through(store: &RedisStore) -> Result<(), StoreError> {
    let now = Timestamp::now();
    let next = match state(store).await? {
        Some(state) if state == COMPLETE => return Ok(()),
        Some(first) => {
            let first = first.parse().ok().and_then(|first| Timestamp::from_millisecond(first).ok());
            if first.is_some_and(|first| now.duration_since(first) < MIXED) {
                return Ok(());
            }
            COMPLETE.to_owned()
        }
        None => now.as_millisecond().to_string(),
    };
    for partition in all() {
        note_all(store, partition).await?;
    }
    let mut command = redis::cmd("SET");
    command.arg(store.names.clients()).arg(next);
    store.link.ask::<redis::Value>(&command).await.map(drop)
}

async fn state(store: &RedisStore) -> Result<Option<String>, StoreError> {
    let mut command = redis::cmd("GET");
    command.arg(store.names.clients());
    store.link.ask(&command).await
}

/// Notes who belongs to a client in a partition, by its sessions and submissions.
async fn note_all(store: &RedisStore, partition: Partition) -> Result<(), StoreError> {
    let sessions = store.oldest(partition, "x", -1).await?;
    for chunk in sessions.chunks(AT_ONCE) {
        let people = try_all(chunk.iter().map(|(session, _)| of_session(store, partition, session))).await?;
        note(store, partition, people.into_iter().flatten()).await?;
    }
    let submissions: Vec<_> =
        store.oldest(partition, "us", -1).await?.into_iter().map(|(name, _)| (partition, name)).collect();
    for chunk in submissions.chunks(AT_ONCE) {
        let found = read(store, chunk).await?.into_iter();
        let people = found.map(|(_, of)| (of.place.platform.as_str().to_owned(), of.user.as_str().to_owned()));
        note(store, partition, people).await?;
    }
    Ok(())
}

/// Whose a session is; a case at a desk has that in its body alone.
async fn of_session(
    store: &RedisStore,
    partition: Partition,
    session: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let Ok(key) = session_key(store, partition, session).await? else { return Ok(None) };
    let (platform, user) = key.person();
    if !user.is_empty() {
        return Ok(Some((platform.to_owned(), user.to_owned())));
    }
    match turn::load(store, &key).await {
        Ok(stored) => Ok(stored.session.map(|session| (platform.to_owned(), session.owner.as_str().to_owned()))),
        Err(error @ StoreError::Unavailable(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

async fn note(
    store: &RedisStore,
    partition: Partition,
    people: impl Iterator<Item = (String, String)>,
) -> Result<(), StoreError> {
    let people: BTreeSet<(String, String)> = people.filter(|(_, user)| whose::client_of(user).is_some()).collect();
    if people.is_empty() {
        return Ok(());
    }
    let mut call = store.call(&scripts::BELONG, partition);
    add(&mut call, people.iter().map(|(platform, user)| (platform.as_str(), user.as_str())));
    store.link.run::<i64>(&call).await.map(drop)
}
