//! Submissions, what belongs to a person, and what time does to records.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::readers::{change, one, rows};
use super::row::{from_json, millis, to_json, unsigned};
use crate::engine::Submission;
use crate::store::{SessionKey, StoreError, gave};

/// A submission ready to be stored.
pub(super) struct NewSubmission {
    id: String,
    revision: u32,
    form: String,
    platform: String,
    user: String,
    body: String,
}

impl NewSubmission {
    pub(super) fn new(submission: &Submission) -> Result<Self, StoreError> {
        Ok(Self {
            id: submission.id.clone(),
            revision: submission.revision,
            form: submission.form.as_str().to_owned(),
            platform: submission.place.platform.as_str().to_owned(),
            user: submission.user.as_str().to_owned(),
            body: to_json(submission)?,
        })
    }

    pub(super) fn store(&self, tx: &Connection) -> Result<(), StoreError> {
        const ADD: &str = "INSERT INTO submission (id, revision, form, platform, user, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id, revision) DO NOTHING";
        let Self { id, revision, form, platform, user, body } = self;
        change(tx, ADD, params![id, revision, form, platform, user, body]).map(drop)
    }
}

/// Submissions, oldest first. One that cannot be read is told to the log and left out, so that it hides no other.
pub(super) fn submissions(db: &Connection, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
    const ALL: &str = "SELECT body FROM submission ORDER BY seq LIMIT ?1";
    const OF_FORM: &str = "SELECT body FROM submission WHERE form = ?2 ORDER BY seq LIMIT ?1";
    let body = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let bodies = match form {
        None => rows(db, ALL, params![limit], body)?,
        Some(form) => rows(db, OF_FORM, params![limit, form], body)?,
    };
    let read = |body: &String| {
        from_json("submission", body).map_err(|error| tracing::error!(%error, "a submission cannot be read")).ok()
    };
    Ok(bodies.iter().filter_map(read).collect())
}

pub(super) fn erase(tx: &Connection, platform: &str, user: &str) -> Result<u64, StoreError> {
    const ERASE: [&str; 5] = [
        // A form filled together goes whole with the first of those who filled it.
        "DELETE FROM session WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3))",
        "DELETE FROM event WHERE platform = ?1 AND user = ?2",
        "DELETE FROM outbox WHERE platform = ?1 AND user = ?2",
        "DELETE FROM submission WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3))",
        "DELETE FROM note WHERE platform = ?1 AND user = ?2",
    ];
    let gave = gave(user);
    // No record of its own: it belongs to an event.
    change(tx, "DELETE FROM answer WHERE platform = ?1 AND user = ?2", params![platform, user])?;
    let removed = ERASE.iter().map(|sql| {
        if sql.contains("?3") {
            change(tx, sql, params![platform, user, gave])
        } else {
            change(tx, sql, params![platform, user])
        }
    });
    removed.sum()
}

pub(super) fn delete(tx: &Connection, key: &str) -> Result<bool, StoreError> {
    Ok(change(tx, "DELETE FROM session WHERE key = ?1", params![key])? > 0)
}

pub(super) fn expired(db: &Connection, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
    const EXPIRED: &str = "SELECT key FROM session WHERE expires <= ?1 ORDER BY expires LIMIT ?2";
    rows(db, EXPIRED, params![millis(now), limit], |row| row.get(0).map(SessionKey))
}

pub(super) fn sweep(tx: &Connection, before: Timestamp) -> Result<u64, StoreError> {
    let events = change(tx, "DELETE FROM event WHERE done = 1 AND at < ?1", params![millis(before)])?;
    change(tx, "DELETE FROM answer WHERE at < ?1", params![millis(before)])?;
    let outbox = change(tx, "DELETE FROM outbox WHERE state = 1 AND at < ?1", params![millis(before)])?;
    Ok(events + outbox + super::notes::sweep(tx, before)?)
}

pub(super) fn session_count(db: &Connection) -> Result<u64, StoreError> {
    let count = one(db, "SELECT count(*) FROM session", [], |row| row.get::<_, i64>(0))?;
    Ok(unsigned(count.unwrap_or_default()))
}
