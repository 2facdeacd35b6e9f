//! Events coming in, what became of them, and what a model answered meanwhile.

use formwright_chat as chat;

use super::RedisStore;
use super::keys::Digest;
use super::replicas::reader::StreamId;
use super::row::{ANSWERS_LIFE, open, seal};
use crate::redis::people::clients;
use crate::redis::seal::marks;
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts;
use crate::replicas::Partition;
use crate::{Accepted, SessionKey, StoreError};

/// Length of a digest in a record.
const DIGEST: usize = 32;

pub(super) async fn accept(store: &RedisStore, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
    marks::taken(store).await?;
    store.was_looked_at()?;
    let (session, id) = (Digest::session(key), Digest::event(&event.id));
    let partition = session.partition();
    let body = seal(&store.seal, &["event", session.as_str(), id.as_str()], event)?;
    let person = Digest::person((event.place.platform.as_str(), event.user.id.as_str()));
    // Who owns the partition is told; where that is this process, it knows by itself.
    let here = store.leases.works_on(partition);
    let mut call = store
        .call(&scripts::ACCEPT, partition)
        .arg(session.as_str())
        .arg(id.as_str())
        .arg(body)
        .arg(person.as_str())
        .arg(Digest::person(key.person()).as_str())
        .arg(if here { String::new() } else { store.names.news() })
        .number(partition.0);
    clients::add(&mut call, [key.person(), (event.place.platform.as_str(), event.user.id.as_str())]);
    let told: Vec<Vec<u8>> = store.link.run(&call).await?;
    if let Some(seen) = told.get(1) {
        return became(store, key, &event.id, seen);
    }
    if here {
        store.post.news_of(partition);
    }
    Ok(Accepted::New)
}

pub(super) async fn seen(
    store: &RedisStore,
    key: &SessionKey,
    event: &chat::EventId,
) -> Result<Option<Accepted>, StoreError> {
    let session = Digest::session(key);
    let mut command = redis::cmd("HGET");
    command.arg(store.key(session.partition(), &format!("e:{}", session.as_str()))).arg(Digest::event(event).as_str());
    let seen: Option<Vec<u8>> = store.link.ask(&command).await?;
    seen.map(|seen| became(store, key, event, &seen)).transpose()
}

/// Reads what is kept of an event: `o…` while it is open, `d`, the turn and the replies once it is done.
fn became(store: &RedisStore, key: &SessionKey, event: &chat::EventId, seen: &[u8]) -> Result<Accepted, StoreError> {
    if seen.first() == Some(&b'o') {
        return Ok(Accepted::Open);
    }
    let replies = seen.get(1 + DIGEST..).unwrap_or_default();
    Ok(Accepted::Done(open(&store.seal, &["replies", key.as_str(), event.as_str()], replies)?))
}

/// An open event as it is kept.
pub(super) struct Kept {
    pub(super) id: StreamId,
    fields: Vec<Vec<u8>>,
}

impl Kept {
    /// The event, sealed.
    pub(super) fn body(&self) -> &[u8] {
        let (fields, _) = self.fields.as_chunks::<2>();
        fields.iter().find(|[field, _]| field == b"b").map(|[_, value]| &value[..]).unwrap_or_default()
    }

    /// The event. One that cannot be read is told to the log and left out, so that it holds up no other.
    pub(super) fn open(self, store: &RedisStore) -> Option<chat::Event> {
        let field = |name: &[u8]| {
            let (fields, _) = self.fields.as_chunks::<2>();
            fields.iter().find(|[field, _]| field == name).map(|[_, value]| &value[..]).unwrap_or_default()
        };
        let text = |name: &[u8]| String::from_utf8_lossy(field(name)).into_owned();
        let opened = open(&store.seal, &["event", &text(b"h"), &text(b"e")], field(b"b"));
        opened.map_err(|error| tracing::error!(error = %chat::chain(&error), "an accepted event cannot be read")).ok()
    }
}

/// Open events of a partition after an id, oldest first.
pub(super) async fn after(
    store: &RedisStore,
    partition: Partition,
    id: Option<StreamId>,
    count: usize,
) -> Result<Vec<Kept>, StoreError> {
    let from = id.map_or_else(|| "-".to_owned(), |id| format!("({id}"));
    let mut command = redis::cmd("XRANGE");
    command.arg(store.key(partition, "in")).arg(from).arg("+").arg("COUNT").arg(count);
    let rows: Vec<(String, Vec<Vec<u8>>)> = store.link.ask(&command).await?;
    Ok(rows.into_iter().filter_map(|(id, fields)| Some(Kept { id: StreamId::read(&id)?, fields })).collect())
}

pub(super) async fn open_events(store: &RedisStore, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
    let limit = limit as usize;
    let working = store.leases.working();
    let found = try_all(working.iter().map(|(partition, _)| after(store, *partition, None, limit))).await?;
    let mut found: Vec<Kept> = found.into_iter().flatten().collect();
    found.sort_by_key(|kept| kept.id);
    Ok(found.into_iter().take(limit).filter_map(|kept| kept.open(store)).collect())
}

/// The name of a model's answer among those of a session key.
fn answer(event: &chat::EventId, call: &str) -> String {
    format!("{}:{}", Digest::event(event).as_str(), Digest::of(&["call", call]).as_str())
}

pub(super) async fn keep_answer(
    store: &RedisStore,
    (key, event): (&SessionKey, &chat::EventId),
    call: &str,
    text: &str,
) -> Result<(), StoreError> {
    let (session, name) = (Digest::session(key), answer(event, call));
    let mut script = store
        .call(&scripts::ANSWER, session.partition())
        .arg(session.as_str())
        .arg(&name)
        .arg(Digest::person(key.person()).as_str())
        .arg(store.seal.seal(&["answer", session.as_str(), &name], text.as_bytes())?)
        .number(ANSWERS_LIFE.as_millis());
    clients::add(&mut script, [key.person()]);
    store.link.run::<i64>(&script).await.map(drop)
}

pub(super) async fn kept_answer(
    store: &RedisStore,
    (key, event): (&SessionKey, &chat::EventId),
    call: &str,
) -> Result<Option<String>, StoreError> {
    let (session, name) = (Digest::session(key), answer(event, call));
    let mut command = redis::cmd("HGET");
    command.arg(store.key(session.partition(), &format!("a:{}", session.as_str()))).arg(&name);
    let kept: Option<Vec<u8>> = store.link.ask(&command).await?;
    let Some(kept) = kept else { return Ok(None) };
    let text = store.seal.open(&["answer", session.as_str(), &name], &kept)?;
    String::from_utf8(text).map(Some).map_err(|_| StoreError::unreadable("answer", "it is no text"))
}
