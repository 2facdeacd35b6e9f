//! The outbox: what is due, how it went, what is dead.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::row::{Bodies, millis, time};
use super::statements::{change, one, rows};
use crate::{Backlog, Delivery, OutboxState, Outgoing, Parcel, StoreError};
use formwright_form::FormId;

const WAITING: i64 = 0;
pub(super) const DELIVERED: i64 = 1;
pub(super) const DEAD: i64 = 2;

/// An entry ready to be stored.
pub(super) struct NewEntry {
    id: String,
    lane: String,
    platform: String,
    user: String,
    due: i64,
    attempts: u32,
    created: i64,
    last_error: Option<String>,
    body: String,
}

impl NewEntry {
    pub(super) fn new(bodies: &Bodies, entry: &Outgoing) -> Result<Self, StoreError> {
        let (platform, user) = entry.parcel.person();
        Ok(Self {
            id: entry.id.clone(),
            lane: entry.lane.clone(),
            platform: platform.to_owned(),
            user: user.to_owned(),
            due: millis(entry.due),
            attempts: entry.attempts,
            created: millis(entry.created),
            last_error: entry.last_error.clone(),
            body: bodies.write(&["outbox entry", &entry.id], &entry.parcel)?,
        })
    }

    pub(super) fn store(&self, tx: &Connection, now: i64) -> Result<(), StoreError> {
        const ADD: &str = "INSERT INTO outbox
            (id, lane, platform, user, state, due, lease, attempts, created, at, last_error, body)
            VALUES (?1, ?2, ?3, ?4, 0, ?5, 0, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET state = 0, due = ?5, lease = 0, attempts = 0, at = ?8 WHERE state = 2";
        let Self { id, lane, platform, user, due, attempts, created, last_error, body } = self;
        change(tx, ADD, params![id, lane, platform, user, due, attempts, created, now, last_error, body]).map(drop)
    }
}

/// A row as it is, its body still to be read.
struct Row {
    entry: Outgoing,
    body: Option<String>,
}

const COLUMNS: &str = "SELECT id, lane, due, attempts, created, last_error, body FROM outbox o";

fn select(db: &Connection, filter: &str, params: impl rusqlite::Params) -> Result<Vec<Row>, StoreError> {
    let found = rows(db, &format!("{COLUMNS} {filter}"), params, |row| {
        let entry = (row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?, row.get(3)?, row.get::<_, i64>(4)?, row.get(5)?);
        Ok((entry, row.get(6)?))
    })?;
    let make = |((id, lane, due, attempts, created, last_error), body)| {
        let (due, created) = (time(due)?, time(created)?);
        let entry = Outgoing { id, lane, parcel: Parcel::Erased, due, attempts, created, last_error };
        Ok(Row { entry, body })
    };
    found.into_iter().map(make).collect()
}

impl Row {
    fn read(self, bodies: &Bodies) -> Result<Outgoing, StoreError> {
        let Some(body) = self.body else { return Ok(self.entry) };
        let parcel = bodies.read(&["outbox entry", &self.entry.id], &body)?;
        Ok(Outgoing { parcel, ..self.entry })
    }
}

/// Takes the heads of lanes that are due. One that cannot be read becomes a dead letter, so that its lane goes on.
pub(super) fn due(
    tx: &Connection,
    bodies: &Bodies,
    now: Timestamp,
    lease_until: Timestamp,
    limit: u32,
) -> Result<Vec<Outgoing>, StoreError> {
    const HEADS: &str = "WHERE state = 0 AND due <= ?1 AND lease <= ?1
        AND NOT EXISTS (SELECT 1 FROM outbox p WHERE p.state = 0 AND p.lane = o.lane AND p.seq < o.seq)
        ORDER BY due, seq LIMIT ?2";
    const LEASE: &str = "UPDATE outbox SET lease = ?2 WHERE id = ?1";
    let mut taken = Vec::new();
    for row in select(tx, HEADS, params![millis(now), limit])? {
        let id = row.entry.id.clone();
        match row.read(bodies) {
            Ok(entry) => {
                change(tx, LEASE, params![id, millis(lease_until)])?;
                taken.push(entry);
            }
            // It waits, and its lane with it, for who has its key.
            Err(error @ StoreError::Sealed(_)) => {
                tracing::error!(error = %formwright_chat::chain(&error), "an entry of the outbox cannot be read");
                change(tx, LEASE, params![id, millis(lease_until)])?;
            }
            Err(error) => mark(tx, &id, &Delivery::Dead { error: error.to_string() }, now)?,
        }
    }
    Ok(taken)
}

pub(super) fn release(tx: &Connection) -> Result<u64, StoreError> {
    change(tx, "UPDATE outbox SET lease = 0 WHERE state = 0 AND lease > 0", [])
}

pub(super) fn mark(tx: &Connection, id: &str, delivery: &Delivery, now: Timestamp) -> Result<(), StoreError> {
    const DONE: &str = "UPDATE outbox SET state = 1, at = ?2, body = NULL, last_error = NULL WHERE id = ?1";
    const RETRY: &str = "UPDATE outbox SET due = ?3, at = ?2, attempts = attempts + 1, last_error = ?4, lease = 0
        WHERE id = ?1 AND state = 0";
    const HOLD: &str = "UPDATE outbox SET due = ?3, at = ?2, last_error = ?4, lease = 0 WHERE id = ?1 AND state = 0";
    const GIVE_UP: &str = "UPDATE outbox SET state = 2, at = ?2, attempts = attempts + 1, last_error = ?3
        WHERE id = ?1 AND state = 0";
    let now = millis(now);
    let changed = match delivery {
        Delivery::Done => change(tx, DONE, params![id, now]),
        Delivery::Retry { at, error } => change(tx, RETRY, params![id, now, millis(*at), error]),
        Delivery::Hold { at, why } => change(tx, HOLD, params![id, now, millis(*at), why]),
        Delivery::Dead { error } => change(tx, GIVE_UP, params![id, now, error]),
    };
    changed.map(drop)
}

/// Forgets dead letters about a form that were put in before then. One that cannot be read is about none.
pub(super) fn forget_dead(
    tx: &Connection,
    bodies: &Bodies,
    form: &FormId,
    before: Timestamp,
) -> Result<u64, StoreError> {
    let old = select(tx, "WHERE state = ?1 AND created < ?2", params![DEAD, millis(before)])?;
    let about = old.into_iter().filter_map(|row| row.read(bodies).ok());
    let about = about.filter(|entry| entry.parcel.form() == Some(form.as_str()));
    about.map(|entry| change(tx, "DELETE FROM outbox WHERE id = ?1", params![entry.id])).sum()
}

pub(super) fn replay(tx: &Connection, id: &str, now: Timestamp) -> Result<bool, StoreError> {
    const REPLAY: &str = "UPDATE outbox SET state = 0, due = ?2, at = ?2, lease = 0, attempts = 0
        WHERE id = ?1 AND state = 2";
    Ok(change(tx, REPLAY, params![id, millis(now)])? > 0)
}

/// What waits, of all kinds.
pub(super) fn backlog(db: &Connection) -> Result<Backlog, StoreError> {
    const EVENTS: &str = "SELECT count(*), min(at) FROM event WHERE done = 0";
    const ENTRIES: &str = "SELECT count(*), min(created) FROM outbox WHERE state = ?1";
    let count = |sql, params: &[&dyn rusqlite::ToSql]| -> Result<(u64, Option<Timestamp>), StoreError> {
        let found = one(db, sql, params, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?)))?;
        let (count, oldest) = found.unwrap_or_default();
        Ok((count.unsigned_abs(), oldest.map(time).transpose()?))
    };
    let (events, oldest_event) = count(EVENTS, &[])?;
    let (waiting, oldest_waiting) = count(ENTRIES, &[&WAITING])?;
    let (dead, _) = count(ENTRIES, &[&DEAD])?;
    Ok(Backlog { events, oldest_event, waiting, oldest_waiting, dead, unreadable: 0 })
}

/// Entries that wait in a lane behind one; what cannot be read is left out.
pub(super) fn behind(db: &Connection, bodies: &Bodies, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
    const BEHIND: &str = "WHERE state = 0 AND lane = ?1 AND seq > (SELECT seq FROM outbox WHERE id = ?2) ORDER BY seq";
    Ok(select(db, BEHIND, params![lane, id])?.into_iter().filter_map(|row| row.read(bodies).ok()).collect())
}

pub(super) fn list(
    db: &Connection,
    bodies: &Bodies,
    state: OutboxState,
    limit: u32,
) -> Result<Vec<Outgoing>, StoreError> {
    let state = match state {
        OutboxState::Waiting => WAITING,
        OutboxState::Delivered => DELIVERED,
        OutboxState::Dead => DEAD,
    };
    // One whose body cannot be read is listed without it: its error tells why.
    let readable = |row: Row| {
        let bare = row.entry.clone();
        row.read(bodies).unwrap_or_else(|error| {
            let last_error = bare.last_error.clone().or_else(|| Some(format!("it cannot be read: {error}")));
            Outgoing { last_error, ..bare }
        })
    };
    let found = select(db, "WHERE state = ?1 ORDER BY seq LIMIT ?2", params![state, limit])?;
    Ok(found.into_iter().map(readable).collect())
}
