//! What adapters note.

use formwright_chat as chat;
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::row::{Bodies, millis};
use super::statements::{change, one};
use crate::{NOTE_LIFE, StoreError};

pub(super) fn note(
    db: &Connection,
    bodies: &Bodies,
    platform: &str,
    key: &str,
) -> Result<Option<serde_json::Value>, StoreError> {
    const FIND: &str = "SELECT body FROM note WHERE platform = ?1 AND key = ?2";
    let body = one(db, FIND, params![platform, key], |row| row.get::<_, String>(0))?;
    body.map(|body| bodies.read(&["note", platform, key], &body)).transpose()
}

/// A note ready to be stored.
pub(super) struct NewNote {
    note: chat::Note,
    body: Option<String>,
    at: i64,
}

impl NewNote {
    pub(super) fn new(bodies: &Bodies, note: &chat::Note, now: Timestamp) -> Result<Self, StoreError> {
        let body = note
            .value
            .as_ref()
            .map(|value| bodies.write(&["note", note.platform.as_str(), &note.key], value))
            .transpose()?;
        Ok(Self { note: chat::Note { value: None, ..note.clone() }, body, at: millis(now) })
    }

    pub(super) fn store(&self, tx: &Connection) -> Result<(), StoreError> {
        const PUT: &str = "INSERT OR REPLACE INTO note (platform, key, user, at, body) VALUES (?1, ?2, ?3, ?4, ?5)";
        const DROP: &str = "DELETE FROM note WHERE platform = ?1 AND key = ?2";
        let (platform, key) = (self.note.platform.as_str(), &self.note.key);
        let user = self.note.owner.as_ref().map(chat::UserId::as_str);
        match &self.body {
            Some(body) => change(tx, PUT, params![platform, key, user, self.at, body]).map(drop),
            None => change(tx, DROP, params![platform, key]).map(drop),
        }
    }
}

pub(super) fn sweep(tx: &Connection, before: Timestamp) -> Result<u64, StoreError> {
    const OLD: &str = "DELETE FROM note WHERE user IS NOT NULL AND at < ?1";
    change(tx, OLD, params![millis(before - NOTE_LIFE)])
}
