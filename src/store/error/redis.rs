//! Why Redis does nothing for now.

use std::sync::Arc;

/// Why Redis does nothing for now. Redis' own words are left out where they may repeat what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedisOutage {
    /// The deadline passed.
    #[error("Redis gave no answer in time")]
    Late,
    /// Nothing listens at its address.
    #[error("Redis refuses connections")]
    RefusesConnections,
    /// The connection ended before the answer.
    #[error("the connection to Redis broke")]
    ConnectionBroke,
    /// Its memory is full.
    #[error("Redis has no memory left")]
    NoMemory,
    /// It cannot save.
    #[error("Redis takes no writes: it cannot write to its disk")]
    NoDisk,
    /// Fewer replicas follow it than it is told to have.
    #[error("Redis takes no writes: it has too few replicas")]
    TooFewReplicas,
    /// It follows another.
    #[error("Redis is a replica and takes no writes")]
    IsReplica,
    /// It has just been started.
    #[error("Redis is reading its data")]
    Loading,
    /// Nobody serves some of the keys.
    #[error("a part of the Redis cluster is down")]
    ClusterDown,
    /// A script of this program's went wrong, and where.
    #[error("a script failed: {0}")]
    Script(String),
    /// Any other refusal, by its code.
    #[error("Redis refused: {0}")]
    Code(String),
    /// It cannot be reached.
    #[error("Redis cannot be reached: {category}")]
    Unreachable {
        /// What kind of failure it is.
        category: String,
        /// What the system says, by its kind only.
        source: Option<Io>,
    },
    /// Nobody has looked yet whether it keeps what it is given.
    #[error("what this Redis does with its data is not known yet")]
    Unknown,
    /// It throws records away when its memory is full.
    #[error("{0}")]
    Evicts(Arc<str>),
}

/// The kind of a failure of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Io(pub std::io::ErrorKind);
