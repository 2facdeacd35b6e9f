//! Submissions, what belongs to a person, and what time does to records.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::row::{Bodies, millis, to_json, unsigned};
use super::statements::{change, one, rows};
use crate::records::whose::givers;
use crate::{SessionKey, StoreError};
use formwright_engine::Submission;
use formwright_form::FormId;

/// Most records of a kind that one write removes: others wait for it.
pub(super) const PIECE: u32 = 200;

/// A submission ready to be stored.
pub(super) struct NewSubmission {
    id: String,
    revision: u32,
    form: String,
    platform: String,
    user: String,
    at: i64,
    body: String,
    /// Who gave answers.
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
            at: millis(submission.at),
            givers: givers(&json),
            body: bodies.wrap(&["submission", &submission.id, &revision], json)?.into_owned(),
        })
    }

    pub(super) fn store(&self, tx: &Connection) -> Result<(), StoreError> {
        const ADD: &str = "INSERT INTO submission (id, revision, form, platform, user, at, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id, revision) DO NOTHING";
        let Self { id, revision, form, platform, user, at, body, givers } = self;
        change(tx, ADD, params![id, revision, form, platform, user, at, body])?;
        took_part(tx, &format!("{id}.{revision}"), platform, givers)
    }
}

/// Notes who took part in a record, so that it can be erased with them.
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
    let found = match form {
        None => rows(db, ALL, params![limit], kept)?,
        Some(form) => rows(db, OF_FORM, params![limit, form], kept)?,
    };
    Ok(found.iter().filter_map(|kept| read(bodies, kept)).collect())
}

/// A submission as it is kept: id, revision, body.
pub(super) type Kept = (String, u32, String);

pub(super) fn kept(row: &rusqlite::Row<'_>) -> rusqlite::Result<Kept> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

pub(super) fn read(bodies: &Bodies, (id, revision, body): &Kept) -> Option<Submission> {
    let read = bodies.read(&["submission", id, &revision.to_string()], body);
    read.map_err(|error| tracing::error!(error = %formwright_chat::chain(&error), "a submission cannot be read")).ok()
}

/// Forgets old submissions of a form, and old dead letters about it.
pub(super) fn forget_submissions(
    tx: &Connection,
    bodies: &Bodies,
    form: &FormId,
    before: Timestamp,
) -> Result<u64, StoreError> {
    const OLD: &str = "DELETE FROM submission WHERE form = ?1 AND at < ?2 RETURNING id || '.' || revision";
    let gone: Vec<String> = rows(tx, OLD, params![form.as_str(), millis(before)], |row| row.get(0))?;
    gone.iter().try_for_each(|record| drop_parts(tx, record))?;
    Ok(gone.len() as u64 + super::outbox::forget_dead(tx, bodies, form, before)?)
}

/// Whoever took part in what is gone is no longer named for it.
pub(super) fn drop_parts(tx: &Connection, record: &str) -> Result<(), StoreError> {
    change(tx, "DELETE FROM part WHERE record = ?1", params![record]).map(drop)
}

pub(super) fn delete(tx: &Connection, key: &str) -> Result<bool, StoreError> {
    drop_parts(tx, key)?;
    Ok(change(tx, "DELETE FROM session WHERE key = ?1", params![key])? > 0)
}

pub(super) fn expired(db: &Connection, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
    const EXPIRED: &str = "SELECT key FROM session WHERE expires <= ?1 ORDER BY expires LIMIT ?2";
    rows(db, EXPIRED, params![millis(now), limit], |row| row.get(0).map(SessionKey))
}

/// Forgets some of what is old: how many records, and whether there may be more.
pub(super) fn sweep(tx: &Connection, before: Timestamp) -> Result<(u64, bool), StoreError> {
    const EVENTS: &str = "DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE done = 1 AND at < ?1 LIMIT ?2)";
    const ENTRIES: &str =
        "DELETE FROM outbox WHERE seq IN (SELECT seq FROM outbox WHERE state = 1 AND at < ?1 LIMIT ?2)";
    const ANSWERS: &str = "DELETE FROM answer WHERE at < ?1";
    let old = params![millis(before), PIECE];
    let events = change(tx, EVENTS, old)?;
    let entries = change(tx, ENTRIES, old)?;
    if events == u64::from(PIECE) || entries == u64::from(PIECE) {
        return Ok((events + entries, true));
    }
    change(tx, ANSWERS, params![millis(before)])?;
    Ok((events + entries + super::notes::sweep(tx, before)?, false))
}

pub(super) fn session_count(db: &Connection) -> Result<u64, StoreError> {
    let count = one(db, "SELECT count(*) FROM session", [], |row| row.get::<_, i64>(0))?;
    Ok(unsigned(count.unwrap_or_default()))
}
