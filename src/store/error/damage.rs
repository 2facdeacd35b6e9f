//! What is wrong with what is stored.

use std::sync::Arc;

/// What is wrong with what is stored. None of it repeats what a record holds.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Damage {
    /// A record is not as it was written.
    #[error("{record}: {why}")]
    Record {
        /// Which sort of record, or which.
        record: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A record is no JSON, or not of the form that is expected.
    #[error("{record}: {kind:?} error at column {column}")]
    Json {
        /// Which sort of record.
        record: String,
        /// What is wrong with it.
        kind: serde_json::error::Category,
        /// Where.
        column: usize,
    },
    /// A value cannot be written as JSON. No value that the engine makes is like that.
    #[error("{what} cannot be stored")]
    Unwritable {
        /// Which sort of value.
        what: &'static str,
    },
    /// The same, and why.
    #[error("cannot be stored: {0}")]
    Unserialisable(#[source] Arc<serde_json::Error>),
    /// A time is out of range.
    #[error("{0}")]
    Time(#[source] jiff::Error),
    /// A time is no number.
    #[error("a time cannot be read")]
    NoTime,
    /// SQLite finds the file damaged as it opens it.
    #[error("{0}")]
    File(#[source] Arc<rusqlite::Error>),
    /// SQLite looked the file through and says what is wrong.
    #[error("{0}")]
    Pages(String),
    /// The database file is empty, and its log holds something.
    #[error("it is empty and its log is not")]
    OnlyLog,
    /// A script's answer is not of the form that it gives.
    #[error("Redis gave something that was not put there")]
    Unexpected,
    /// A key of Redis holds something of another type.
    #[error("something of another kind lies in its place")]
    OtherType,
    /// For a reason of another store's.
    #[error("{0}")]
    Other(#[source] Arc<dyn std::error::Error + Send + Sync>),
}
