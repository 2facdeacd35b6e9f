//! What the file has grown to, and giving back what is not used any more.

use rusqlite::Connection;

use crate::StoreError;
use crate::sqlite::row::unavailable;
use crate::sqlite::statements::rows;

/// Pages that stay free for what comes next: 1 MiB.
const RESERVE: i64 = 256;
/// Most pages given back at once.
const PIECE: i64 = 64;
/// Largest file, in bytes, that is rewritten to learn to give space back: that takes a second or two.
const LARGEST: i64 = 256 * 1024 * 1024;

/// Gives some free pages back to the disk; false where there are no more to give.
pub(crate) fn give_back(tx: &Connection) -> Result<bool, StoreError> {
    let free = pragma(tx, "freelist_count")? - RESERVE;
    if free <= 0 {
        return Ok(false);
    }
    // Each page is a row.
    let sql = format!("PRAGMA incremental_vacuum({})", free.min(PIECE));
    Ok(!rows(tx, &sql, [], |_| Ok(()))?.is_empty())
}

/// Rewrites a file of a version that could not give space back; gives its size in bytes where it is too large for that.
pub(crate) fn learn(connection: &Connection) -> Result<Option<i64>, StoreError> {
    if pragma(connection, "auto_vacuum")? != 0 {
        return Ok(None);
    }
    let bytes = pragma(connection, "page_count")? * pragma(connection, "page_size")?;
    if bytes > LARGEST {
        return Ok(Some(bytes));
    }
    connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM").map_err(unavailable)?;
    Ok(None)
}

fn pragma(db: &Connection, name: &str) -> Result<i64, StoreError> {
    db.pragma_query_value(None, name, |row| row.get(0)).map_err(unavailable)
}
