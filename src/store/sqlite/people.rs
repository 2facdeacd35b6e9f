//! Submissions, what belongs to a person, and what time does to records.

use std::collections::BTreeSet;

use formwright_chat::UserId;
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::readers::{change, one, rows};
use super::row::{Bodies, millis, to_json, unsigned};
use crate::engine::Submission;
use crate::form::FormId;
use crate::store::{Erased, SessionKey, StoreError, gave, givers};

/// A submission ready to be stored.
pub(super) struct NewSubmission {
    id: String,
    revision: u32,
    form: String,
    platform: String,
    user: String,
    at: i64,
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
            at: millis(submission.at),
            givers: if bodies.0.has_key() { givers(&json) } else { Vec::new() },
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
    let found = match form {
        None => rows(db, ALL, params![limit], kept)?,
        Some(form) => rows(db, OF_FORM, params![limit, form], kept)?,
    };
    Ok(found.iter().filter_map(|kept| read(bodies, kept)).collect())
}

/// A submission as it is kept: id, revision, body.
type Kept = (String, u32, String);

fn kept(row: &rusqlite::Row<'_>) -> rusqlite::Result<Kept> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn read(bodies: &Bodies, (id, revision, body): &Kept) -> Option<Submission> {
    let read = bodies.read(&["submission", id, &revision.to_string()], body);
    read.map_err(|error| tracing::error!(%error, "a submission cannot be read")).ok()
}

/// What a person submitted, alone or with others, oldest first.
pub(super) fn submissions_of(
    db: &Connection,
    bodies: &Bodies,
    platform: &str,
    user: &str,
) -> Result<Vec<Submission>, StoreError> {
    const THEIRS: &str = "SELECT id, revision, body FROM submission
        WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3)
            OR id || '.' || revision IN (SELECT record FROM part WHERE platform = ?1 AND user = ?2)) ORDER BY seq";
    let found = rows(db, THEIRS, params![platform, user, gave(user)], kept)?;
    Ok(found.iter().filter_map(|kept| read(bodies, kept)).collect())
}

/// Users of whom there is something, and whose ids begin like this.
pub(super) fn users(db: &Connection, platform: &str, beginning: &str) -> Result<BTreeSet<UserId>, StoreError> {
    const TABLES: [&str; 4] = ["session", "submission", "event", "outbox"];
    let mut found = BTreeSet::new();
    for table in TABLES {
        let sql = format!("SELECT DISTINCT user FROM {table} WHERE platform = ?1 AND substr(user, 1, length(?2)) = ?2");
        let users = rows(db, &sql, params![platform, beginning], |row| row.get::<_, String>(0))?;
        found.extend(users.into_iter().map(UserId::new));
    }
    Ok(found)
}

pub(super) fn erase(tx: &Connection, platform: &str, user: &str) -> Result<Erased, StoreError> {
    // Of a session that several share, the events of this person.
    const ANSWERS: &str = "DELETE FROM answer WHERE platform = ?1 AND (user = ?2
        OR EXISTS (SELECT 1 FROM event e WHERE e.key = answer.key AND e.id = answer.event AND e.user = ?2))";
    // A form filled together goes whole with the first of those who filled it.
    const SESSIONS: &str = "DELETE FROM session WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3)
        OR key IN (SELECT record FROM part WHERE platform = ?1 AND user = ?2))";
    const SUBMISSIONS: &str = "DELETE FROM submission WHERE platform = ?1 AND (user = ?2 OR instr(body, ?3)
        OR id || '.' || revision IN (SELECT record FROM part WHERE platform = ?1 AND user = ?2))";
    let gave = gave(user);
    let (theirs, with_others) = (params![platform, user], params![platform, user, gave]);
    let erased = Erased {
        answers: change(tx, ANSWERS, theirs)?,
        sessions: change(tx, SESSIONS, with_others)?,
        events: change(tx, "DELETE FROM event WHERE platform = ?1 AND user = ?2", theirs)?,
        outbox: change(tx, "DELETE FROM outbox WHERE platform = ?1 AND user = ?2 AND state <> 2", theirs)?,
        dead_letters: change(tx, "DELETE FROM outbox WHERE platform = ?1 AND user = ?2", theirs)?,
        submissions: change(tx, SUBMISSIONS, with_others)?,
        notes: change(tx, "DELETE FROM note WHERE platform = ?1 AND user = ?2", theirs)?,
    };
    drop_parts(tx)?;
    Ok(erased)
}

/// Whoever took part in what is gone is no longer named for it.
fn drop_parts(tx: &Connection) -> Result<(), StoreError> {
    const LEFT: &str = "DELETE FROM part WHERE record NOT IN (SELECT key FROM session)
        AND record NOT IN (SELECT id || '.' || revision FROM submission)";
    change(tx, LEFT, []).map(drop)
}

/// Forgets old submissions of a form, and old dead letters about it.
pub(super) fn forget_submissions(
    tx: &Connection,
    bodies: &Bodies,
    form: &FormId,
    before: Timestamp,
) -> Result<u64, StoreError> {
    const OLD: &str = "DELETE FROM submission WHERE form = ?1 AND at < ?2";
    let submissions = change(tx, OLD, params![form.as_str(), millis(before)])?;
    if submissions > 0 {
        drop_parts(tx)?;
    }
    Ok(submissions + super::outbox::forget_dead(tx, bodies, form, before)?)
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
