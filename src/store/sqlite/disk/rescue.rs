//! A file that cannot be used: put aside, never overwritten, and what can still be read of it taken over.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::pages::{Pages, Row};
use super::place::beside;
use super::schema;
use crate::sqlite::row::{unavailable, unsigned};
use crate::{Damage, Outage, StoreError};

/// Tables whose rows are taken over.
const TABLES: [&str; 8] = ["session", "event", "outbox", "submission", "note", "answer", "mark", "part"];
/// Largest file, in bytes, that is looked through at a start: that takes some seconds.
const LOOKED_THROUGH: u64 = 1 << 30;
/// What the names of a database's files end in.
const ENDINGS: [&str; 3] = ["", "-wal", "-shm"];

/// Whether the file is empty. Its log may hold everything then, and SQLite would throw the log away.
///
/// # Errors
/// [`StoreError::Damaged`] where an empty file has such a log.
pub(crate) fn is_empty(file: &Path) -> Result<bool, StoreError> {
    let length = |file: &Path| std::fs::metadata(file).ok().map(|meta| meta.len());
    if length(file) != Some(0) {
        return Ok(false);
    }
    if length(&beside(file, "-wal")).is_some_and(|length| length > 0) {
        return Err(Damage::OnlyLog.into());
    }
    Ok(true)
}

/// # Errors
/// [`StoreError::Damaged`] where the file's pages do not fit together.
pub(crate) fn look_through(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    if std::fs::metadata(file).is_ok_and(|meta| meta.len() > LOOKED_THROUGH) {
        return Ok(());
    }
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found.map_err(schema::unusable)?.as_str() {
        "ok" => Ok(()),
        wrong => Err(Damage::Pages(wrong.to_owned()).into()),
    }
}

/// Puts a new file in the place of a damaged one, with whatever can be read of that; gives where the damaged one is now,
/// and the number of rows. Where it fails the damaged one is left in its place, for the next start.
pub(crate) fn replace(file: &Path) -> Result<(PathBuf, u64), StoreError> {
    let fresh = beside(file, ".rescued");
    for ending in ENDINGS {
        let _ = std::fs::remove_file(beside(&fresh, ending));
    }
    let mut connection = schema::open_migrated(&fresh)?;
    let rows = take_over(&mut connection, file)?;
    connection.close().map_err(|(_, error)| unavailable(error))?;
    let aside = put_aside(file)?;
    rename(&fresh, file)?;
    Ok((aside, rows))
}

/// Goes on where a start ended after the damaged file was put aside: what was taken over was whole by then.
pub(crate) fn finish(file: &Path) -> Result<(), StoreError> {
    let fresh = beside(file, ".rescued");
    if file.exists() || !fresh.exists() {
        return Ok(());
    }
    // The log of the damaged file must not be read into the new one.
    put_aside(file)?;
    rename(&fresh, file)
}

/// Puts a damaged file aside with all that belongs to it; gives where it is.
fn put_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let aside = beside(file, &format!(".damaged-{stamp}"));
    for ending in ENDINGS {
        let (from, to) = (beside(file, ending), beside(&aside, ending));
        if from.exists() {
            rename(&from, &to)?;
        }
    }
    Ok(aside)
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    std::fs::rename(from, to).map_err(|error| {
        Outage::NotRenamed { from: from.to_owned(), to: to.to_owned(), source: Arc::new(error) }.into()
    })
}

/// Takes over whatever can be read of a damaged file, which stays as it is; gives the number of rows.
pub(crate) fn take_over(connection: &mut Connection, damaged: &Path) -> Result<u64, StoreError> {
    const BEYOND: &str =
        "UPDATE counter SET n = max(n, unixepoch(), (SELECT coalesce(max(version), 0) FROM session)) + 1";
    // Entries of indexes look like rows of `part`; those of its own have its columns turned round.
    const TURNED: &str = "INSERT OR IGNORE INTO part (record, platform, user) SELECT user, record, platform FROM part";
    const NO_PARTS: &str = "DELETE FROM part WHERE record NOT IN (SELECT key FROM session)
        AND record NOT IN (SELECT id || '.' || revision FROM submission)";
    let Ok(mut pages) = Pages::open(damaged) else { return Ok(0) };
    let tx = connection.transaction().map_err(unavailable)?;
    let tables = TABLES.iter().map(|name| Table::of(&tx, name)).collect::<Result<Vec<_>, _>>()?;
    for no in pages.numbers() {
        for row in pages.rows(no) {
            if let Some(table) = tables.iter().find(|table| table.fits(&row)) {
                table.insert(&tx, row)?;
            }
        }
    }
    for sql in [TURNED, NO_PARTS, BEYOND] {
        tx.execute(sql, []).map_err(unavailable)?;
    }
    schema::name_all_parts(&tx)?;
    let rows = TABLES.iter().try_fold(0, |rows, name| Ok::<u64, StoreError>(rows + count(&tx, name)?))?;
    tx.commit().map_err(unavailable)?;
    Ok(rows)
}

fn count(tx: &Connection, table: &str) -> Result<u64, StoreError> {
    tx.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).map(unsigned).map_err(unavailable)
}

/// What a table's rows look like. No two tables, and no index but those of `part`, look alike.
struct Table {
    name: &'static str,
    has_ids: bool,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    kind: String,
    /// It may be null, or stands for the row's id and is stored as null.
    may_be_null: bool,
    has_default: bool,
}

impl Table {
    fn of(tx: &Connection, name: &'static str) -> Result<Self, StoreError> {
        const HAS_IDS: &str = "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1";
        const COLUMNS: &str = "SELECT name, type, \"notnull\" = 0, dflt_value IS NOT NULL FROM pragma_table_info(?1)";
        let has_ids = tx.query_row(HAS_IDS, [name], |row| row.get(0)).map_err(unavailable)?;
        let mut columns = tx.prepare(COLUMNS).map_err(unavailable)?;
        let column = |row: &rusqlite::Row<'_>| {
            Ok(Column { name: row.get(0)?, kind: row.get(1)?, may_be_null: row.get(2)?, has_default: row.get(3)? })
        };
        let columns = columns.query_map([name], column).and_then(Iterator::collect).map_err(unavailable)?;
        Ok(Self { name, has_ids, columns })
    }

    /// Rows that were written before a column was added are without it.
    fn fits(&self, row: &Row) -> bool {
        let of_kind = |(column, value): (&Column, &Value)| match value {
            Value::Null => column.may_be_null,
            Value::Integer(_) => column.kind == "INTEGER",
            Value::Text(_) => column.kind == "TEXT",
            Value::Blob(_) => column.kind == "BLOB",
            Value::Real(_) => false,
        };
        self.has_ids == row.id.is_some()
            && self.columns.len() >= row.values.len()
            && self.columns.iter().skip(row.values.len()).all(|column| column.has_default)
            && self.columns.iter().zip(&row.values).all(of_kind)
    }

    fn insert(&self, tx: &Connection, mut row: Row) -> Result<(), StoreError> {
        if let (Some(id), Some(first @ Value::Null)) = (row.id, row.values.first_mut()) {
            *first = Value::Integer(id);
        }
        let names: Vec<_> = self.columns.iter().take(row.values.len()).map(|column| column.name.as_str()).collect();
        let (names, marks) = (names.join(", "), vec!["?"; row.values.len()].join(", "));
        let insert = format!("INSERT OR IGNORE INTO {} ({names}) VALUES ({marks})", self.name);
        let mut insert = tx.prepare_cached(&insert).map_err(unavailable)?;
        insert.execute(params_from_iter(row.values)).map(drop).map_err(unavailable)
    }
}
