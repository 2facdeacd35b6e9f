//! Sealing anew what an older key, or none, has sealed.

use rusqlite::types::ToSql;
use rusqlite::{Connection, params};

use super::people::took_part;
use super::row::{Bodies, checksum};
use super::statements::{change, rows};
use crate::records::whose::givers;
use crate::{Resealed, StoreError};

/// Most records of a table in one transaction.
const AT_ONCE: u32 = 200;

/// What a table's bodies are bound to, with the body; and how another body takes its place.
pub(super) const TABLES: [(&str, &str); 6] = [
    (
        "SELECT 'session', key, version || '', body FROM session",
        "UPDATE session SET body = ?1 WHERE key = ?2 AND version = CAST(?3 AS INTEGER)",
    ),
    (
        "SELECT CASE done WHEN 0 THEN 'event' ELSE 'replies of an event' END, key, id, body FROM event",
        "UPDATE event SET body = ?1 WHERE key = ?2 AND id = ?3",
    ),
    ("SELECT 'outbox entry', id, body FROM outbox", "UPDATE outbox SET body = ?1 WHERE id = ?2"),
    (
        "SELECT 'submission', id, revision || '', body FROM submission",
        "UPDATE submission SET body = ?1 WHERE id = ?2 AND revision = CAST(?3 AS INTEGER)",
    ),
    ("SELECT 'note', platform, key, body FROM note", "UPDATE note SET body = ?1 WHERE platform = ?2 AND key = ?3"),
    (
        "SELECT 'answer', key, event, call, body FROM answer",
        "UPDATE answer SET body = ?1 WHERE key = ?2 AND event = ?3 AND call = ?4",
    ),
];

/// The marks of others than the first key.
pub(super) fn begin(db: &Connection, bodies: &Bodies) -> Result<Resealed, StoreError> {
    let names = rows(db, "SELECT name FROM mark WHERE name <> ?1", params![bodies.0.name()], |row| row.get(0))?;
    Ok(Resealed { left: names.into_iter().map(|name: String| (name, 0)).collect(), ..Resealed::default() })
}

/// Seals some records of a table anew, but for those that could not be before: what came of it, and how many could not.
/// None where all have had their turn.
pub(super) fn some(
    tx: &Connection,
    bodies: &Bodies,
    (select, update): (&str, &str),
    skip: u32,
) -> Result<Option<(Resealed, u32)>, StoreError> {
    let (mut done, mut skipped) = (Resealed::default(), 0);
    let others = format!("{select} WHERE substr(body, 1, length(?1)) <> ?1 LIMIT ?2 OFFSET ?3");
    let columns =
        |row: &rusqlite::Row<'_>| (0..row.as_ref().column_count()).map(|no| row.get::<_, String>(no)).collect();
    let found: Vec<Vec<String>> = rows(tx, &others, params![bodies.own_head()?, AT_ONCE, skip], columns)?;
    if found.is_empty() {
        return Ok(None);
    }
    for mut names in found {
        let Some(before) = names.pop() else { continue };
        let bound_to: Vec<&str> = names.iter().map(String::as_str).collect();
        match bodies.unwrap(&bound_to, &before) {
            Ok(json) => {
                let after = bodies.wrap(&bound_to, json.as_str())?;
                let mut put: Vec<&dyn ToSql> = vec![&after];
                put.extend(bound_to.iter().skip(1).map(|name| name as &dyn ToSql));
                change(tx, update, &put[..])?;
                took_part_in(tx, &bound_to, &json, &after)?;
                done.sealed += 1;
            }
            Err(error) => {
                skipped += 1;
                match (error, Bodies::sealed_with(&before)) {
                    (StoreError::Sealed(_), Some(name)) => done.leave(name),
                    (error, _) => {
                        tracing::error!(error = %formwright_chat::chain(&error), "a record cannot be sealed anew");
                    }
                }
            }
        }
    }
    Ok(Some((done, skipped)))
}

/// What is no longer seen in a body is noted beside it.
fn took_part_in(tx: &Connection, bound_to: &[&str], json: &str, body: &str) -> Result<(), StoreError> {
    const OF_SESSION: &str = "SELECT platform FROM session WHERE key = ?1";
    const OF_SUBMISSION: &str = "SELECT platform FROM submission WHERE id = ?1 AND revision = CAST(?2 AS INTEGER)";
    match bound_to {
        ["session", key, _] => {
            let sum = checksum(key, body);
            change(tx, "UPDATE session SET checksum = ?2 WHERE key = ?1", params![key, &sum[..]])?;
            let platform: Vec<String> = rows(tx, OF_SESSION, params![key], |row| row.get(0))?;
            platform.iter().try_for_each(|platform| took_part(tx, key, platform, &givers(json)))
        }
        ["submission", id, revision] => {
            let platform: Vec<String> = rows(tx, OF_SUBMISSION, params![id, revision], |row| row.get(0))?;
            platform.iter().try_for_each(|platform| took_part(tx, &format!("{id}.{revision}"), platform, &givers(json)))
        }
        _ => Ok(()),
    }
}

/// Takes the marks away of what has sealed nothing any more.
pub(super) fn end(tx: &Connection, done: &Resealed) -> Result<(), StoreError> {
    let mut over = done.left.iter().filter(|(_, left)| **left == 0);
    over.try_for_each(|(name, _)| change(tx, "DELETE FROM mark WHERE name = ?1", params![name]).map(drop))
}
