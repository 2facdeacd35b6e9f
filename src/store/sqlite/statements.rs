//! Cached statements, and what is made of their rows.

use rusqlite::Connection;

use super::row::unavailable;
use crate::StoreError;

/// Runs a cached statement and makes something of each row.
pub(super) fn rows<T>(
    db: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    mut make: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    let rows = statement.query_map(params, |row| make(row)).map_err(unavailable)?;
    rows.collect::<Result<_, _>>().map_err(unavailable)
}

/// Runs a cached statement that gives at most one row.
pub(super) fn one<T>(
    db: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    make: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    use rusqlite::OptionalExtension as _;
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    statement.query_row(params, make).optional().map_err(unavailable)
}

/// Runs a cached statement that changes rows; gives how many.
pub(super) fn change(db: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<u64, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(unavailable)?;
    statement.execute(params).map(|n| n as u64).map_err(unavailable)
}
