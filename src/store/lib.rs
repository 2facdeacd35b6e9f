//! Where sessions, seen events, the outbox and submissions are kept: one port, several stores, one conformance suite.

mod backlog;
#[cfg(test)]
mod conformance;
pub mod error;
#[cfg(test)]
mod format;
pub mod memory;
mod pace;
mod port;
mod recent;
mod records;
pub mod redis;
pub mod replicas;
mod reseal;
mod safety;
pub mod seal;
pub mod sqlite;

pub use backlog::Backlog;
pub use error::{Damage, Outage, RedisOutage, Refusal, StoreError, WrongKey};
pub use memory::MemoryStore;
pub use port::{NOTE_LIFE, Store};
pub use records::{
    Accepted, Commit, Committed, Delivery, Erased, ErasedSubmission, Erasure, OutboxState, Outgoing, Packed, Parcel,
    SessionKey, Stored,
};
pub use redis::RedisStore;
pub use replicas::Replicas;
pub use reseal::Resealed;
pub use safety::{Safety, Written};
pub use seal::Seal;
pub use sqlite::SqliteStore;
