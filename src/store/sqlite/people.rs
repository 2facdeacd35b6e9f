//! Submissions, what belongs to a person, and what time does to records.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::readers::{change, one, rows};
use super::row::{Bodies, millis, to_json, unsigned};
use crate::engine::Submission;
use crate::store::{SessionKey, StoreError, gave, givers};

/// A submission ready to be stored.
pub(super) struct NewSubmission {
    id: String,
    revision: u32,
    form: String,
    platform: String,
    user: String,
    body: String,
    /// Who gave answers, where the body does not show it.
    givers: Vec<String>,
}

impl NewSubmission {
    pub(super) fn new(bodies: &Bodies, submission: &Submission) -> Result<Self, StoreError> {
        let json = to_json(submission)?;
        let revision = submission.revision.to_string();
        Ok(Self {
            id: submission.id.clone(),
            revision: submission.revision,
            form: submission.form.as_str().to_owned(),
            platform: submission.place.platform.as_str().to_owned(),
            user: submission.user.as_str().to_owned(),
            givers: if bodies.0.has_key() { givers(&json) } else { Vec::new() },
            body: bodies.wrap(&["submission", &submission.id, &revision], json)?,
        })
    }

    pub(super) fn store(&self, tx: &Connection) -> Result<(), StoreError> {
        const ADD: &str = "INSERT INTO submission (id, revision, form, platform, user, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id, revision) DO NOTHING";
        let Self { id, revision, form, platform, user, body, givers } = self;
        change(tx, ADD, params![id, revision, form, platform, user, body])?;
        took_part(tx, &format!("{id}.{revision}"), platform, givers)
    }
}

/// Notes who took part in what is sealed, so that it can be erased with them.
pub(super) fn took_part(tx: &Connection, record: &str, platform: &str, users: &[String]) -> Result<(), StoreError> {
    const ADD: &str = "INSERT OR IGNORE INTO part (record, platform, user) VALUES (?1, ?2, ?3)";
    users.iter().try_for_each(|user| change(tx, ADD, params![record, platform, user]).map(drop))
}

/// Submissions, oldest first. One that cannot be read is told to the log and left out, so that it hides no other.
pub(super) fn submissions(
    db: &Connection,
    bodies: &Bodies,
    form: Option<&str>,
    limit: u32,
) -> Result<Vec<Submission>, StoreError> {
    const ALL: &str = "SELECT id, revision, body FROM submission ORDER BY seq LIMIT ?1";
    const OF_FORM: &str = "SELECT id, revision, body FROM submission WHERE form = ?2 ORDER BY seq LIMIT ?1";
    type Kept = (String, u32, String);
    let kept = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Kept> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
    let found = match form {
        None => rows(db, ALL, params![limit], kept)?,
        Some(form) => rows(db, OF_FORM, params![limit, form], kept)?,
    };
    let read = |(id, revision, body): &Kept| {
        let read = bodies.read(&["submission", id, &revision.to_string()], body);
        read.map_err(|error| tracing::error!(%error, "a submission cannot be read")).ok()
    };
    Ok(found.iter().filter_map(read).collect())
}

pub(super) fn erase(tx: &Connection, platform: &str, user: &str) -> Result<u64, StoreError> {
    const ERASE: [&str; 5] = [
        // A form filled together goes whole with the first of those who filled it.
        "DELETE FROM session WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3)
            OR key IN (SELECT record FROM part WHERE platform = ?1 AND user = ?2))",
        "DELETE FROM event WHERE platform = ?1 AND user = ?2",
        "DELETE FROM outbox WHERE platform = ?1 AND user = ?2",
        "DELETE FROM submission WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3)
            OR id || '.' || revision IN (SELECT record FROM part WHERE platform = ?1 AND user = ?2))",
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
    let removed = removed.sum::<Result<u64, StoreError>>()?;
    // Whoever else took part in what is gone is no longer named for it.
    const LEFT: &str = "DELETE FROM part WHERE record NOT IN (SELECT key FROM session)
        AND record NOT IN (SELECT id || '.' || revision FROM submission)";
    change(tx, LEFT, [])?;
    Ok(removed)
}

pub(super) fn delete(tx: &Connection, key: &str) -> Result<bool, StoreError> {
    change(tx, "DELETE FROM part WHERE record = ?1", params![key])?;
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
