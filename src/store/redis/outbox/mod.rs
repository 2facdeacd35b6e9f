//! The outbox: what is due, how it went, what is dead.

pub(crate) mod backlog;
pub(crate) mod ready;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::RedisStore;
use super::keys::{Digest, all};
use super::row::{DELIVERED_LIFE, millis, number, open, seal, time};
use crate::redis::wire::failure::unexpected;
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts::{self, Call};
use crate::replicas::Partition;
use crate::{Delivery, OutboxState, Outgoing, Parcel, StoreError};
use formwright_form::FormId;

/// Most records that are asked for at once.
const AT_ONCE: usize = 64;

/// How the id of an entry begins whose own cannot be read.
const NAMELESS: &str = "unreadable.";

/// The digest of an id that was listed.
fn digest_of(id: &str) -> Digest {
    id.strip_prefix(NAMELESS).and_then(Digest::named).unwrap_or_else(|| Digest::entry(id))
}

/// What stays of an entry once its body is erased.
#[derive(Serialize, Deserialize)]
struct Head {
    id: String,
    lane: String,
    created: i64,
}

/// Adds an entry to a commit.
pub(super) fn add(store: &RedisStore, call: &mut Call, entry: &Outgoing) -> Result<(), StoreError> {
    let digest = Digest::entry(&entry.id);
    let created = entry.created.as_millisecond();
    let head = Head { id: entry.id.clone(), lane: entry.lane.clone(), created };
    call.add(digest.as_str());
    call.add(Digest::lane(&entry.lane).as_str());
    call.add(millis(entry.due));
    call.add(entry.attempts.to_string());
    call.add(Digest::person(entry.parcel.person()).as_str());
    call.add(seal(&store.seal, &["outbox entry", digest.as_str()], &head)?);
    call.add(seal(&store.seal, &["outbox body", digest.as_str()], &entry.parcel)?);
    call.add(match &entry.last_error {
        Some(error) => seal(&store.seal, &["outbox error", digest.as_str()], error)?,
        None => Vec::new(),
    });
    Ok(())
}

/// The id of an entry by its name and head; none where that cannot be read.
pub(super) fn id_of(store: &RedisStore, name: &str, head: &[u8]) -> Option<String> {
    open::<Head>(&store.seal, &["outbox entry", name], head).ok().map(|head| head.id)
}

/// An entry as it is kept: its digest, due, attempts, head, body, error.
struct Row(Vec<Vec<u8>>);

impl Row {
    fn digest(&self) -> String {
        String::from_utf8_lossy(self.field(0)).into_owned()
    }

    fn field(&self, no: usize) -> &[u8] {
        self.0.get(no).map(Vec::as_slice).unwrap_or_default()
    }

    /// The entry without its body.
    fn bare(&self, store: &RedisStore) -> Result<Outgoing, StoreError> {
        let digest = self.digest();
        let head: Head = open(&store.seal, &["outbox entry", &digest], self.field(3))?;
        let attempts = number(self.field(2)).unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of tries is small")]
        let attempts = attempts as u32;
        Ok(Outgoing {
            id: head.id,
            lane: head.lane,
            parcel: Parcel::Erased,
            due: time(self.field(1))?,
            attempts,
            created: time(head.created.to_string().as_bytes())?,
            last_error: self.last_error(store),
        })
    }

    /// Why the last try failed. A reason that cannot be read is none to lose the entry for.
    fn last_error(&self, store: &RedisStore) -> Option<String> {
        let why = self.field(5);
        if why.is_empty() {
            return None;
        }
        let opened: Result<String, StoreError> = open(&store.seal, &["outbox error", &self.digest()], why);
        Some(opened.unwrap_or_else(|error| format!("the reason cannot be read: {error}")))
    }

    fn read(&self, store: &RedisStore) -> Result<Outgoing, StoreError> {
        let bare = self.bare(store)?;
        let body = self.field(4);
        if body.is_empty() {
            return Err(StoreError::unreadable(format!("outbox entry {}", bare.id), "its body is gone"));
        }
        let parcel = open(&store.seal, &["outbox body", &self.digest()], body)?;
        Ok(Outgoing { parcel, ..bare })
    }

    /// As much of the entry as can be read; where that is nothing, at least an id to replay it by.
    fn listed(&self, store: &RedisStore) -> Outgoing {
        let error = match self.read(store) {
            Ok(entry) => return entry,
            Err(error) => error,
        };
        let nothing = || {
            let due = time(self.field(1)).unwrap_or_default();
            let (id, lane) = (format!("{NAMELESS}{}", self.digest()), String::new());
            Outgoing { id, lane, parcel: Parcel::Erased, due, attempts: 0, created: due, last_error: None }
        };
        let bare = self.bare(store).unwrap_or_else(|_| nothing());
        // What has arrived has no body any more.
        if self.field(4).is_empty() {
            return bare;
        }
        let last_error = bare.last_error.or_else(|| Some(format!("it cannot be read: {error}")));
        Outgoing { last_error, ..bare }
    }
}

/// Takes the heads of lanes that are due. One that cannot be read becomes a dead letter, so that its lane goes on.
pub(super) async fn due(
    store: &RedisStore,
    now: Timestamp,
    lease_until: Timestamp,
    limit: u32,
) -> Result<Vec<Outgoing>, StoreError> {
    let working = store.leases.working();
    look(store, store.ready.unknown(working.iter().map(|(partition, _)| *partition))).await?;
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit")]
    let moment = now.as_millisecond() as f64;
    let next = |(partition, fence): (Partition, String)| Some((store.ready.next(partition)?, partition, fence));
    let mut ready: Vec<_> = working.into_iter().filter_map(next).filter(|(next, ..)| *next <= moment).collect();
    ready.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut taken = Vec::new();
    for (_, partition, fence) in ready {
        let room = (limit as usize).saturating_sub(taken.len());
        if room == 0 {
            break;
        }
        let heard = store.ready.heard(partition);
        let call =
            store.call(&scripts::DUE, partition).arg(&fence).arg(millis(now)).arg(millis(lease_until)).number(room);
        let (told, rows) = split(store.link.run(&call).await?)?;
        if told.first().map(Vec::as_slice) != Some(b"ok") {
            store.leases.lost(partition, &fence);
            continue;
        }
        store.ready.found(partition, heard, told.get(1).map(Vec::as_slice).unwrap_or_default());
        for row in rows {
            let digest = row.digest();
            match row.read(store) {
                Ok(entry) => {
                    store.ready.place(Digest::entry(&entry.id), partition);
                    taken.push(entry);
                }
                // It waits, and its lane with it, for who has its key.
                Err(error @ StoreError::Sealed(_)) => {
                    tracing::error!(error = %formwright_chat::chain(&error), "an entry of the outbox cannot be read");
                }
                Err(error) => {
                    tracing::error!(
                        error = %formwright_chat::chain(&error),
                        "an entry of the outbox cannot be read, it is a dead letter now"
                    );
                    let dead = Delivery::Dead { error: error.to_string() };
                    mark_at(store, partition, &digest, &dead, now).await?;
                }
            }
        }
    }
    taken.sort_by_key(|entry| entry.due);
    Ok(taken)
}

/// Splits what a script gave into its words and the rows after them.
fn split(value: redis::Value) -> Result<(Vec<Vec<u8>>, Vec<Row>), StoreError> {
    let redis::Value::Array(items) = value else { return Err(unexpected()) };
    let (mut words, mut rows) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            redis::Value::BulkString(word) => words.push(word),
            row @ redis::Value::Array(_) => rows.push(Row(redis::from_redis_value(row).map_err(|_| unexpected())?)),
            _ => return Err(unexpected()),
        }
    }
    Ok((words, rows))
}

/// Asks when something is ready in these partitions.
async fn look(store: &RedisStore, partitions: Vec<Partition>) -> Result<(), StoreError> {
    let look = async |partition: Partition| {
        let heard = store.ready.heard(partition);
        let mut command = redis::cmd("ZRANGE");
        command.arg(store.key(partition, "q")).arg(0).arg(0).arg("WITHSCORES");
        let head: Vec<Vec<u8>> = store.link.ask(&command).await?;
        store.ready.found(partition, heard, head.get(1).map(Vec::as_slice).unwrap_or_default());
        Ok(())
    };
    try_all(partitions.into_iter().map(look)).await.map(drop)
}

pub(super) async fn release(store: &RedisStore) -> Result<u64, StoreError> {
    let release = async |(partition, fence): (Partition, String)| {
        let call = store.call(&scripts::RELEASE, partition).arg(fence);
        let ended = store.link.run::<u64>(&call).await;
        store.ready.forget(partition);
        ended
    };
    Ok(try_all(store.leases.held().into_iter().map(release)).await?.into_iter().sum())
}

pub(super) async fn mark(store: &RedisStore, id: &str, delivery: &Delivery, now: Timestamp) -> Result<(), StoreError> {
    let digest = Digest::entry(id);
    let Some(partition) = locate(store, &digest).await? else { return Ok(()) };
    mark_at(store, partition, digest.as_str(), delivery, now).await?;
    store.ready.left(&digest);
    Ok(())
}

async fn mark_at(
    store: &RedisStore,
    partition: Partition,
    entry: &str,
    delivery: &Delivery,
    now: Timestamp,
) -> Result<(), StoreError> {
    let why = |error: &String| seal(&store.seal, &["outbox error", entry], error);
    let (verdict, at, error) = match delivery {
        Delivery::Done => ("done", now, Vec::new()),
        Delivery::Retry { at, error } => ("retry", *at, why(error)?),
        Delivery::Hold { at, why: held } => ("hold", *at, why(held)?),
        Delivery::Dead { error } => ("dead", now, why(error)?),
    };
    let call = store
        .call(&scripts::MARK, partition)
        .arg(entry)
        .arg(verdict)
        .arg(millis(now))
        .arg(millis(at))
        .arg(error)
        .number(DELIVERED_LIFE.as_millis());
    let told: Vec<Vec<u8>> = store.link.run(&call).await?;
    store.ready.earlier(partition, told.get(1).map(Vec::as_slice).unwrap_or_default());
    Ok(())
}

/// The partition that an entry lies in.
async fn locate(store: &RedisStore, entry: &Digest) -> Result<Option<Partition>, StoreError> {
    if let Some(partition) = store.ready.place_of(entry) {
        return Ok(Some(partition));
    }
    let here = async |partition: Partition| {
        let mut command = redis::cmd("EXISTS");
        command.arg(store.key(partition, &format!("o:{}", entry.as_str())));
        Ok(store.link.ask::<bool>(&command).await?.then_some(partition))
    };
    Ok(try_all(all().map(here)).await?.into_iter().flatten().next())
}

pub(super) async fn replay(store: &RedisStore, id: &str, now: Timestamp) -> Result<bool, StoreError> {
    let digest = digest_of(id);
    let Some(partition) = locate(store, &digest).await? else { return Ok(false) };
    let call = store.call(&scripts::REPLAY, partition).arg(digest.as_str()).arg(millis(now));
    let told: Vec<Vec<u8>> = store.link.run(&call).await?;
    store.ready.earlier(partition, told.get(1).map(Vec::as_slice).unwrap_or_default());
    Ok(told.first().map(Vec::as_slice) == Some(b"1"))
}

/// Entries that wait in a lane behind one; what cannot be read is left out.
pub(super) async fn behind(store: &RedisStore, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
    let digest = Digest::entry(id);
    let Some(partition) = locate(store, &digest).await? else { return Ok(Vec::new()) };
    let call = store.call(&scripts::BEHIND, partition).arg(digest.as_str()).arg(Digest::lane(lane).as_str());
    let (_, rows) = split(store.link.run(&call).await?)?;
    Ok(rows.iter().filter_map(|row| row.read(store).ok()).collect())
}

/// Entries in a state, oldest first. What of one cannot be read is left out of it: its error tells why.
pub(super) async fn list(store: &RedisStore, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
    let numbers = async |partition: Partition| {
        let last = i64::from(limit) - 1;
        let found: Vec<(String, f64)> = match state {
            _ if limit == 0 => Vec::new(),
            OutboxState::Waiting => store.link.run(&store.call(&scripts::WAITING, partition).number(limit)).await?,
            OutboxState::Delivered => store.oldest(partition, "od", last).await?,
            OutboxState::Dead => store.oldest(partition, "ox", last).await?,
        };
        Ok(found.into_iter().map(|(entry, no)| (no, partition, entry)).collect::<Vec<_>>())
    };
    let mut found: Vec<_> = try_all(all().map(numbers)).await?.into_iter().flatten().collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.truncate(limit as usize);
    let mut listed = Vec::new();
    for chunk in found.chunks(AT_ONCE) {
        for entry in try_all(chunk.iter().map(|(_, partition, entry)| row(store, *partition, entry))).await? {
            // What was removed meanwhile has no fields.
            if !entry.field(1).is_empty() {
                listed.push(entry.listed(store));
            }
        }
    }
    Ok(listed)
}

/// Names of the dead letters about a form in a partition that were put in before then.
pub(super) async fn old_dead(
    store: &RedisStore,
    partition: Partition,
    form: &FormId,
    before: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let names = store.oldest(partition, "ox", -1).await?.into_iter().map(|(name, _)| (partition, name));
    let mut old = Vec::new();
    for chunk in names.collect::<Vec<_>>().chunks(AT_ONCE) {
        for row in try_all(chunk.iter().map(|(partition, name)| row(store, *partition, name))).await? {
            let name = row.digest();
            // One that cannot be read is about no form.
            let entry = row.read(store).ok();
            let about = entry.filter(|entry| entry.created < before && entry.parcel.form() == Some(form.as_str()));
            old.extend(about.map(|_| name));
        }
    }
    Ok(old)
}

/// An entry by its name.
async fn row(store: &RedisStore, partition: Partition, entry: &str) -> Result<Row, StoreError> {
    let mut command = redis::cmd("HMGET");
    command.arg(store.key(partition, &format!("o:{entry}"))).arg(&["due", "n", "m", "b", "e"]);
    let fields: Vec<Option<Vec<u8>>> = store.link.ask(&command).await?;
    let digest = entry.to_owned().into_bytes();
    Ok(Row(std::iter::once(digest).chain(fields.into_iter().map(Option::unwrap_or_default)).collect()))
}

impl RedisStore {
    /// The first names of a sorted set with their scores.
    pub(super) async fn oldest(
        &self,
        partition: Partition,
        index: &str,
        last: i64,
    ) -> Result<Vec<(String, f64)>, StoreError> {
        let mut command = redis::cmd("ZRANGE");
        command.arg(self.key(partition, index)).arg(0).arg(last).arg("WITHSCORES");
        self.link.ask(&command).await
    }
}
