//! Why a store did not do something: four kinds, by what the caller can do about it, each with what happened.
//!
//! No error repeats a record or an address: whatever another crate says that might is left out, and its kind is kept.

mod damage;
mod outage;
mod redis;
mod refusal;

pub use damage::Damage;
pub use outage::Outage;
pub use redis::{Io, RedisOutage};
pub use refusal::{Refusal, WrongKey};

/// Why a store did not do it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Try again: locked, out of space, connection lost. The write may or may not have happened.
    #[error("store unavailable: {0}")]
    Unavailable(#[source] Outage),
    /// What is stored cannot be read.
    #[error("damaged record: {0}")]
    Damaged(#[source] Damage),
    /// What is stored is sealed with a key that is not set here. It is whole, and must stay as it is: who has the key
    /// reads it.
    #[error(transparent)]
    Sealed(WrongKey),
    /// Whoever keeps it was reached and refuses: a setting is wrong, and the words name it. Nothing was written.
    #[error(transparent)]
    Refused(Refusal),
}

impl StoreError {
    /// It may be tried again, for a reason of a store of one's own.
    pub fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(Outage::Other(error.into().into()))
    }

    /// A record cannot be read, for a reason of a store of one's own, which must not repeat what the record holds.
    pub fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Damaged(Damage::Other(error.into().into()))
    }

    /// A record cannot be read, for a reason that does not depend on what it holds.
    pub(crate) fn unreadable(record: impl Into<String>, why: &'static str) -> Self {
        Self::Damaged(Damage::Record { record: record.into(), why })
    }
}

impl From<Outage> for StoreError {
    fn from(outage: Outage) -> Self {
        Self::Unavailable(outage)
    }
}

impl From<RedisOutage> for StoreError {
    fn from(outage: RedisOutage) -> Self {
        Self::Unavailable(outage.into())
    }
}

impl From<Damage> for StoreError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

impl From<WrongKey> for StoreError {
    fn from(key: WrongKey) -> Self {
        Self::Sealed(key)
    }
}

impl From<Refusal> for StoreError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn the_error_of_the_database_is_the_last_cause() {
        let error = StoreError::from(Outage::Sqlite(std::sync::Arc::new(rusqlite::Error::InvalidQuery)));
        let causes: Vec<_> = std::iter::successors(error.source(), |cause| (*cause).source()).collect();
        let last = causes.last().and_then(|cause| cause.downcast_ref::<std::sync::Arc<rusqlite::Error>>());
        assert!(last.is_some_and(|error| matches!(**error, rusqlite::Error::InvalidQuery)), "{causes:?}");
        assert_eq!(formwright_chat::chain(&error), error.to_string());
    }
}
