//! What is heard on the gateway.

use serde_json::Value;

/// Something heard on the gateway.
pub(crate) struct Frame {
    /// The event's name.
    pub(crate) event: String,
    /// Its number.
    pub(crate) sequence: u64,
    /// What it holds.
    pub(crate) data: Value,
    /// The connection it came over, if it can be taken up again.
    pub(crate) session: Option<(String, Option<String>)>,
}

/// Events heard and not yet taken in hand, and as many in hand and not yet stored. Beyond that the connection is dropped,
/// and taken up again once all are stored: one that is not read would miss its heartbeats.
pub(crate) const WAITING: usize = 500;
