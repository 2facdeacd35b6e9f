//! A file that cannot be used: put aside, never overwritten, and what can still be read of it taken over.

use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::place::beside;
use super::row::unavailable;
use super::schema;
use crate::store::StoreError;

/// Tables whose rows are taken over.
const TABLES: [&str; 8] = ["session", "event", "outbox", "submission", "note", "answer", "part", "mark"];
/// Largest file, in bytes, that is looked through at a start: that takes some seconds.
const LOOKED_THROUGH: u64 = 1 << 30;

/// Refuses an empty file that has a log: SQLite would throw the log away, and it may hold everything. Gives what to tell
/// of an empty file without one.
pub(super) fn look_at_empty(file: &Path) -> Result<Option<String>, StoreError> {
    let length = |file: &Path| std::fs::metadata(file).ok().map(|meta| meta.len());
    if length(file) != Some(0) {
        return Ok(None);
    }
    let (shown, log) = (file.display(), beside(file, "-wal"));
    if length(&log).is_some_and(|length| length > 0) {
        let log = log.display();
        return Err(StoreError::Damaged(format!(
            "{shown} is empty and its log {log} is not: copy both to a safe place, then put a backup of the database back, \
             or move both away to begin afresh"
        )));
    }
    Ok(Some(format!("{shown} was empty and is begun afresh: if it held something before, stop and put a backup back")))
}

/// # Errors
/// [`StoreError::Damaged`] where the file's pages do not fit together.
pub(super) fn look_through(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    if std::fs::metadata(file).is_ok_and(|meta| meta.len() > LOOKED_THROUGH) {
        return Ok(());
    }
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found.map_err(schema::unusable)?.as_str() {
        "ok" => Ok(()),
        wrong => Err(StoreError::Damaged(wrong.to_owned())),
    }
}

/// Puts a damaged file aside with all that belongs to it; gives where it is.
pub(super) fn put_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let aside = beside(file, &format!(".damaged-{stamp}"));
    for ending in ["", "-wal", "-shm"] {
        let (from, to) = (beside(file, ending), beside(&aside, ending));
        if from.exists() {
            let failed = |error| StoreError::Unavailable(format!("{} cannot be put aside: {error}", from.display()));
            std::fs::rename(&from, &to).map_err(failed)?;
        }
    }
    Ok(aside)
}

/// Takes over whatever can be read of a file that was put aside; gives the number of rows.
pub(super) fn take_over(connection: &mut Connection, aside: &Path) -> Result<u64, StoreError> {
    const BEYOND: &str =
        "UPDATE counter SET n = max(n, unixepoch(), (SELECT coalesce(max(version), 0) FROM session)) + 1";
    let Ok(old) = Connection::open(aside) else { return Ok(0) };
    let tx = connection.transaction().map_err(unavailable)?;
    let mut taken = 0;
    for table in TABLES {
        // A damaged page ends the reading from the first row on; what lies behind it is read from the last row on.
        for order in ["", " ORDER BY 1 DESC, 2 DESC"] {
            let (rows, whole) = copy(&old, &tx, table, order)?;
            taken += rows;
            if whole {
                break;
            }
        }
    }
    // A version is never used twice, though it is not known how far they went.
    tx.execute(BEYOND, []).map_err(unavailable)?;
    schema::name_all_parts(&tx)?;
    tx.commit().map_err(unavailable)?;
    Ok(taken)
}

/// Copies rows until one cannot be read: how many, and whether that were all.
fn copy(old: &Connection, tx: &Connection, table: &str, order: &str) -> Result<(u64, bool), StoreError> {
    let Ok(mut select) = old.prepare(&format!("SELECT * FROM {table}{order}")) else { return Ok((0, false)) };
    let names = select.column_names().collect::<Vec<_>>().join(", ");
    let marks = vec!["?"; select.column_count()].join(", ");
    let insert = format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})");
    let mut insert = tx.prepare(&insert).map_err(unavailable)?;
    let columns = select.column_count();
    let Ok(mut rows) = select.query([]) else { return Ok((0, false)) };
    let mut copied = 0;
    loop {
        let Ok(row) = rows.next() else { return Ok((copied, false)) };
        let Some(row) = row else { return Ok((copied, true)) };
        let Ok(values) = (0..columns).map(|no| row.get::<_, Value>(no)).collect::<Result<Vec<_>, _>>() else {
            return Ok((copied, false));
        };
        // A row that fits nowhere is none of ours.
        copied += insert.execute(params_from_iter(values)).unwrap_or_default() as u64;
    }
}
