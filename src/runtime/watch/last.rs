//! What was found when it was last tried.

use formwright_store::Backlog;
use jiff::Timestamp;
use tokio::time::Instant;

/// What the last try gave, and when.
pub(crate) type LastTry = tokio::sync::Mutex<Option<(Timestamp, Result<(), String>)>>;

/// The turn that could not be kept last, with the reason; none once one was kept.
pub(crate) type LastLoss = std::sync::Mutex<Option<(Timestamp, String)>>;

/// Why sinks could not write files when that was last tried, and when.
pub(crate) type LastFiles = std::sync::Mutex<Option<(Timestamp, Option<String>)>>;

/// How the store stood, and when: its sessions and what waits, or that it was away.
pub(crate) type LastLook = tokio::sync::Mutex<Option<(Instant, Option<(u64, Backlog)>)>>;
