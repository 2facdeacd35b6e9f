//! Why a store does nothing for now.

use std::path::PathBuf;
use std::sync::Arc;

use super::RedisOutage;

/// Why a store does nothing for now.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Outage {
    /// SQLite could not do it.
    #[error("{0}")]
    Sqlite(#[source] Arc<rusqlite::Error>),
    /// The pages of the database file do not fit together. It is no damage of the record that was asked for: that is not
    /// thrown away for it.
    #[error(
        "the database file is damaged: stop the program and start it again, so that it puts the file aside and takes over \
         what can be read of it ({0})"
    )]
    DamagedFile(#[source] Arc<rusqlite::Error>),
    /// The database file is not where it was opened.
    #[error(
        "{file} was moved away, deleted or replaced while the program runs, and nothing is written to what it was: put it \
         back, or stop the program and start it again"
    )]
    Moved {
        /// Its name, without its folder.
        file: String,
    },
    /// A damaged file could not be put aside, or a new one put in its place.
    #[error("{} cannot be renamed to {}: {source}", .from.display(), .to.display())]
    NotRenamed {
        /// The file.
        from: PathBuf,
        /// The name that it was to have.
        to: PathBuf,
        /// What the system says.
        source: Arc<std::io::Error>,
    },
    /// The thread that writes could not be started.
    #[error("{0}")]
    NoThread(#[source] Arc<std::io::Error>),
    /// The thread that writes has ended.
    #[error("the writer has stopped")]
    WriterStopped,
    /// Every connection that reads was lost.
    #[error("no reader is free")]
    NoReader,
    /// Somebody reads the write-ahead log.
    #[error("the log is being read, it was not emptied")]
    LogInUse,
    /// The system gives no randomness.
    #[error("the system gives no randomness: {0}")]
    NoRandomness(#[source] getrandom::Error),
    /// A record is longer than can be sealed.
    #[error("the record is too long to be sealed")]
    TooLong,
    /// Redis could not do it.
    #[error(transparent)]
    Redis(#[from] RedisOutage),
    /// For a reason of another store's.
    #[error("{0}")]
    Other(#[source] Arc<dyn std::error::Error + Send + Sync>),
}
