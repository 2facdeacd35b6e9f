//! Removing what belongs to a person, or to all people of an API client: each partition knows its own.

use std::collections::BTreeSet;
use std::time::Instant;

use formwright_chat as chat;

use super::clients;
use crate::records::whose;
use crate::redis::keys::{Digest, all};
use crate::redis::row::open;
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts;
use crate::redis::{RedisStore, outbox};
use crate::replicas::Partition;
use crate::{Erased, ErasedSubmission, Erasure, SessionKey, StoreError, pace};
use formwright_engine::Submission;

/// About how many members of a set one script removes: it keeps the server from all else meanwhile.
const PIECE: u32 = 8;
/// Submissions go first, so that none that is still on its way counts as delivered.
const ORDER: [&str; 2] = ["u*", "*"];

/// What a script removed: the next cursor, whether it did anything, members left, counts, submissions, entries.
type Removed = (String, bool, u64, [u64; 7], Vec<(String, Vec<u8>)>, Vec<(String, Vec<u8>)>);

pub(crate) async fn erase(
    store: &RedisStore,
    platform: &chat::Platform,
    user: &chat::UserId,
    spare: Option<&SessionKey>,
) -> Result<Erasure, StoreError> {
    if whose::is_client(user.as_str()) {
        clients::complete(store).await?;
    }
    let person = Digest::person((platform.as_str(), user.as_str()));
    let members = async |partition: Partition| {
        let mut command = redis::cmd("SCARD");
        command.arg(store.key(partition, &format!("p:{}", person.as_str())));
        Ok((partition, store.link.ask::<u64>(&command).await?))
    };
    let mut gone = Erasure::default();
    let theirs = try_all(all().map(members)).await?.into_iter().filter(|(_, members)| *members > 0);
    let ended = async {
        for (partition, _) in theirs {
            erase_in(store, partition, (&person, spare), &mut gone).await?;
        }
        Ok(())
    };
    let ended: Result<(), StoreError> = ended.await;
    store.recent.forget_all();
    ended.map(|()| gone)
}

async fn erase_in(
    store: &RedisStore,
    partition: Partition,
    (person, spare): (&Digest, Option<&SessionKey>),
    gone: &mut Erasure,
) -> Result<(), StoreError> {
    let spare = spare.map(Digest::session);
    for pattern in ORDER {
        loop {
            let (mut cursor, mut worked) = ("0".to_owned(), false);
            loop {
                let began = Instant::now();
                let call = store
                    .call(&scripts::ERASE, partition)
                    .arg(person.as_str())
                    .arg(&cursor)
                    .arg(pattern)
                    .number(PIECE)
                    .arg(spare.as_ref().map(Digest::as_str).unwrap_or_default());
                let removed: Removed = store.link.run(&call).await?;
                let (next, did, left, ..) = &removed;
                worked |= *did;
                let (left, next) = (*left, next.clone());
                note(store, removed, gone);
                if left == 0 {
                    return Ok(());
                }
                pace::rest(began).await;
                if next == "0" {
                    break;
                }
                cursor = next;
            }
            if !worked {
                break;
            }
        }
    }
    Ok(())
}

fn note(store: &RedisStore, (_, _, _, counts, submissions, entries): Removed, gone: &mut Erasure) {
    let [sessions, events, outbox, dead_letters, submitted, notes, answers] = counts;
    gone.counts.add(&Erased { sessions, events, outbox, dead_letters, submissions: submitted, notes, answers });
    for (name, body) in submissions {
        match open::<Submission>(&store.seal, &["submission", &name], &body) {
            Ok(submission) => gone.submissions.push(ErasedSubmission::from(submission)),
            Err(error) => {
                tracing::error!(error = %chat::chain(&error), "a submission that was removed cannot be read");
            }
        }
    }
    let ids = entries.into_iter().filter_map(|(name, head)| outbox::id_of(store, &name, &head));
    gone.undelivered.extend(ids.collect::<BTreeSet<_>>());
}
