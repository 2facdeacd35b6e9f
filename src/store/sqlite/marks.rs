//! Which keys seal what is kept here.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::statements::{change, rows};
use crate::{Seal, StoreError};

/// Whether the keys that are set open what is kept.
pub(super) fn check(db: &Connection, seal: &Seal) -> Result<(), StoreError> {
    let marks = rows(db, "SELECT name, mark FROM mark", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    seal.fits(&marks.into_iter().collect::<BTreeMap<String, Vec<u8>>>())
}

/// The same, and notes which of them seals.
pub(super) fn take(tx: &Connection, seal: &Seal) -> Result<(), StoreError> {
    check(tx, seal)?;
    change(tx, "INSERT OR IGNORE INTO mark (name, mark) VALUES (?1, ?2)", params![seal.name(), seal.mark()?]).map(drop)
}
