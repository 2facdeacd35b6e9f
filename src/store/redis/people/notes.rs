//! What adapters note. A note lies in the partition of its own name.

use formwright_chat as chat;
use jiff::Timestamp;

use super::clients;
use crate::StoreError;
use crate::redis::RedisStore;
use crate::redis::keys::Digest;
use crate::redis::row::{NOTES_LIFE, millis, open, seal};
use crate::redis::seal::marks;
use crate::redis::wire::scripts;

pub(crate) async fn note(
    store: &RedisStore,
    platform: &chat::Platform,
    key: &str,
) -> Result<Option<serde_json::Value>, StoreError> {
    let name = Digest::note(platform, key);
    let mut command = redis::cmd("HGET");
    command.arg(store.key(name.partition(), &format!("n:{}", name.as_str()))).arg("b");
    let body: Option<Vec<u8>> = store.link.ask(&command).await?;
    body.map(|body| open(&store.seal, &["note", name.as_str()], &body)).transpose()
}

pub(crate) async fn set(store: &RedisStore, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
    marks::taken(store).await?;
    let name = Digest::note(&note.platform, &note.key);
    let owner = note.owner.as_ref().map(chat::UserId::as_str).unwrap_or_default();
    let body = match &note.value {
        Some(value) => seal(&store.seal, &["note", name.as_str()], value)?,
        None => Vec::new(),
    };
    let mut call = store
        .call(&scripts::NOTE, name.partition())
        .arg(name.as_str())
        .arg(Digest::person((note.platform.as_str(), owner)).as_str())
        .arg(millis(now))
        .arg(body)
        .number(NOTES_LIFE.as_millis());
    clients::add(&mut call, [(note.platform.as_str(), owner)]);
    store.link.run::<i64>(&call).await.map(drop)
}
