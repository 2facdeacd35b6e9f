//! Events coming in, sessions, and the commit of a turn.

use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::row::{Bodies, checksum, millis, signed, to_json, unsigned};
use super::statements::{change, one, rows};
use super::{outbox, people};
use crate::records::whose::givers;
use crate::{Accepted, Commit, Committed, SessionKey, StoreError, Stored};

/// An event ready to be stored.
pub(super) struct Intake {
    key: SessionKey,
    id: chat::EventId,
    platform: String,
    user: String,
    at: i64,
    body: String,
}

impl Intake {
    pub(super) fn new(bodies: &Bodies, key: &SessionKey, event: &chat::Event) -> Result<Self, StoreError> {
        Ok(Self {
            key: key.clone(),
            id: event.id.clone(),
            platform: event.place.platform.as_str().to_owned(),
            user: event.user.id.as_str().to_owned(),
            at: millis(event.at),
            body: bodies.write(&open(key.as_str(), event.id.as_str()), event)?,
        })
    }

    pub(super) fn store(self, tx: &Connection, bodies: &Bodies) -> Result<Accepted, StoreError> {
        const ADD: &str = "INSERT INTO event (key, id, platform, user, done, turn, at, body)
            VALUES (?1, ?2, ?3, ?4, 0, '', ?5, ?6)";
        if let Some(seen) = seen(tx, bodies, self.key.as_str(), self.id.as_str())? {
            return Ok(seen);
        }
        let (key, id) = (self.key.as_str(), self.id.as_str());
        change(tx, ADD, params![key, id, self.platform, self.user, self.at, self.body])?;
        Ok(Accepted::New)
    }
}

/// What the body of an event is bound to while its turn is open, and once it is done.
fn open<'a>(key: &'a str, id: &'a str) -> [&'a str; 3] {
    ["event", key, id]
}
fn done<'a>(key: &'a str, id: &'a str) -> [&'a str; 3] {
    ["replies of an event", key, id]
}

/// What became of an event.
pub(super) fn seen(db: &Connection, bodies: &Bodies, key: &str, id: &str) -> Result<Option<Accepted>, StoreError> {
    const FIND: &str = "SELECT done, body FROM event WHERE key = ?1 AND id = ?2";
    let found = one(db, FIND, params![key, id], |row| Ok((row.get::<_, bool>(0)?, row.get::<_, String>(1)?)))?;
    let Some((is_done, body)) = found else { return Ok(None) };
    if !is_done {
        return Ok(Some(Accepted::Open));
    }
    Ok(Some(Accepted::Done(bodies.read(&done(key, id), &body)?)))
}

/// Events without a turn. One that cannot be read is told to the log and left out, so that it holds up no other.
pub(super) fn open_events(db: &Connection, bodies: &Bodies, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
    const OPEN: &str = "SELECT key, id, body FROM event WHERE done = 0 ORDER BY seq LIMIT ?1";
    type Kept = (String, String, String);
    let kept = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Kept> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
    let found = rows(db, OPEN, params![limit], kept)?;
    let read = |(key, id, body): Kept| {
        let read = bodies.read(&open(&key, &id), &body);
        read.map_err(|error| tracing::error!(error = %chat::chain(&error), "an accepted event cannot be read")).ok()
    };
    Ok(found.into_iter().filter_map(read).collect())
}

/// What the body of a session is bound to.
fn session<'a>(key: &'a str, version: &'a str) -> [&'a str; 3] {
    ["session", key, version]
}

/// A session; its checksum is verified.
pub(super) fn load(db: &Connection, bodies: &Bodies, key: &SessionKey) -> Result<Stored, StoreError> {
    const LOAD: &str = "SELECT version, body, checksum FROM session WHERE key = ?1";
    let found = one(db, LOAD, params![key.as_str()], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, Vec<u8>>(2)?))
    })?;
    let Some((version, body, sum)) = found else { return Ok(Stored::default()) };
    if sum != checksum(key.as_str(), &body) {
        bodies.0.note_unreadable(&["session", key.as_str()]);
        return Err(StoreError::unreadable("session", "the checksum does not fit"));
    }
    let (session, bytes) = bodies.read_measured(&session(key.as_str(), &version.to_string()), &body)?;
    Ok(Stored { version: unsigned(version), session: Some(Arc::new(session)), bytes })
}

/// A turn ready to be stored: everything is serialised before the writer is asked.
pub(super) struct Prepared {
    key: SessionKey,
    version: i64,
    event: Option<chat::EventId>,
    merged: Vec<chat::EventId>,
    turn: String,
    session: Option<SessionRow>,
    replies: String,
    outbox: Vec<outbox::NewEntry>,
    submissions: Vec<people::NewSubmission>,
    now: i64,
    bodies: Bodies,
}

struct SessionRow {
    platform: String,
    user: String,
    expires: i64,
    json: String,
    /// Who gave answers.
    givers: Vec<String>,
}

impl Prepared {
    pub(super) fn new(bodies: &Bodies, commit: &Commit) -> Result<Self, StoreError> {
        let session = commit.session.as_ref().map(|packed| SessionRow {
            platform: packed.session().place.platform.as_str().to_owned(),
            user: packed.session().owner.as_str().to_owned(),
            expires: millis(commit.expires),
            givers: givers(packed.json()),
            json: packed.json().to_owned(),
        });
        Ok(Self {
            session,
            version: signed(commit.version),
            replies: to_json(&commit.replies)?,
            bodies: bodies.clone(),
            outbox: commit.outbox.iter().map(|entry| outbox::NewEntry::new(bodies, entry)).collect::<Result<_, _>>()?,
            submissions: commit
                .submissions
                .iter()
                .map(|done| people::NewSubmission::new(bodies, done))
                .collect::<Result<_, _>>()?,
            now: millis(commit.now),
            key: commit.key.clone(),
            event: commit.event.clone(),
            merged: commit.merged.clone(),
            turn: commit.turn.clone(),
        })
    }

    /// Gives how it ended, and the session's new version.
    pub(super) fn store(self, tx: &Connection) -> Result<(Committed, u64), StoreError> {
        if let Some(early) = self.verdict(tx)? {
            return Ok((early, 0));
        }
        let version = self.store_session(tx)?;
        self.store_events(tx)?;
        for entry in &self.outbox {
            entry.store(tx, self.now)?;
        }
        for submission in &self.submissions {
            submission.store(tx)?;
        }
        Ok((Committed::Done, version))
    }

    /// Whether the turn was written before, or may not be.
    fn verdict(&self, tx: &Connection) -> Result<Option<Committed>, StoreError> {
        const EVENT: &str = "SELECT turn FROM event WHERE key = ?1 AND id = ?2 AND done = 1";
        const SESSION: &str = "SELECT version, turn FROM session WHERE key = ?1";
        let key = self.key.as_str();
        if let Some(event) = &self.event {
            let done = one(tx, EVENT, params![key, event.as_str()], |row| row.get::<_, String>(0))?;
            if let Some(turn) = done {
                let mine = turn == self.turn;
                return Ok(Some(if mine { Committed::AlreadyMine } else { Committed::Conflict }));
            }
        }
        let present = one(tx, SESSION, params![key], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let (version, turn) = present.unwrap_or_default();
        if !turn.is_empty() && turn == self.turn {
            return Ok(Some(Committed::AlreadyMine));
        }
        Ok((version != self.version).then_some(Committed::Conflict))
    }

    fn store_session(&self, tx: &Connection) -> Result<u64, StoreError> {
        const NEXT: &str = "UPDATE counter SET n = n + 1 RETURNING n";
        const PUT: &str = "INSERT INTO session (key, platform, user, version, turn, expires, body, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (key) DO UPDATE SET platform = ?2, user = ?3, version = ?4, turn = ?5, expires = ?6, body = ?7,
                checksum = ?8";
        let key = self.key.as_str();
        let Some(row) = &self.session else { return people::delete(tx, key).map(|_| 0) };
        let version = one(tx, NEXT, [], |row| row.get::<_, i64>(0))?;
        let version = version.unwrap_or_default();
        // Sealed here, where the version is known.
        let body = self.bodies.wrap(&session(key, &version.to_string()), row.json.as_str())?;
        let sum = checksum(key, &body);
        change(tx, PUT, params![key, row.platform, row.user, version, self.turn, row.expires, body, &sum[..]])?;
        people::took_part(tx, key, &row.platform, &row.givers)?;
        Ok(unsigned(version))
    }

    fn store_events(&self, tx: &Connection) -> Result<(), StoreError> {
        const PUT: &str = "INSERT INTO event (key, id, platform, user, done, turn, at, body)
            VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7)
            ON CONFLICT (key, id) DO UPDATE SET done = 1, turn = ?5, at = ?6, body = ?7";
        let (platform, user) = self.key.person();
        let key = self.key.as_str();
        let with_replies = self.event.iter().map(|event| (event, self.replies.as_str()));
        for (event, replies) in with_replies.chain(self.merged.iter().map(|event| (event, "[]"))) {
            let replies = self.bodies.wrap(&done(key, event.as_str()), replies)?;
            change(tx, PUT, params![key, event.as_str(), platform, user, self.turn, self.now, replies])?;
        }
        let event = self.event.as_ref().map(chat::EventId::as_str);
        change(tx, "DELETE FROM answer WHERE key = ?1 AND event = ?2", params![key, event]).map(drop)
    }
}

/// What a model answered, ready to be stored.
pub(super) struct Answer {
    pub(super) key: SessionKey,
    pub(super) event: String,
    pub(super) call: String,
    pub(super) at: Timestamp,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn store(&self, tx: &Connection) -> Result<(), StoreError> {
        const PUT: &str = "INSERT OR REPLACE INTO answer (key, event, call, platform, user, at, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (platform, user) = self.key.person();
        let Self { key, event, call, at, body } = self;
        change(tx, PUT, params![key.as_str(), event, call, platform, user, millis(*at), body]).map(drop)
    }
}

/// What a model answered in an earlier run of a turn.
pub(super) fn answer(
    db: &Connection,
    bodies: &Bodies,
    (key, event, call): (&str, &str, &str),
) -> Result<Option<String>, StoreError> {
    const FIND: &str = "SELECT body FROM answer WHERE key = ?1 AND event = ?2 AND call = ?3";
    let body = one(db, FIND, params![key, event, call], |row| row.get::<_, String>(0))?;
    body.map(|body| bodies.read(&["answer", key, event, call], &body)).transpose()
}
