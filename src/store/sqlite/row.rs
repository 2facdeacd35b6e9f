//! How values become columns, and errors become the port's.

use jiff::Timestamp;
use rusqlite::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::store::StoreError;

/// Sorts SQLite's errors by what the caller can do.
pub(super) fn unavailable(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(error.to_string()),
        _ => StoreError::Unavailable(error.to_string()),
    }
}

/// Milliseconds since 1970.
pub(super) fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// The time of a column written by [`millis`].
pub(super) fn time(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// A count of rows or a version as a column: SQLite's integers are signed.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The number of a column written by [`signed`].
pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}

pub(super) fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged(format!("cannot be stored: {error}")))
}

/// Reads a body; the error names the record and never shows what it holds.
pub(super) fn from_json<T: DeserializeOwned>(what: &str, body: &str) -> Result<T, StoreError> {
    serde_json::from_str(body).map_err(|error| {
        StoreError::Damaged(format!("{what}: {:?} error at column {}", error.classify(), error.column()))
    })
}

/// Tells flipped bytes and a body under another key.
pub(super) fn checksum(key: &str, body: &str) -> [u8; 16] {
    let digest = Sha256::new().chain_update(key.len().to_le_bytes()).chain_update(key).chain_update(body).finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
