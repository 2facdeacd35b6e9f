//! Sessions of the gateway, which outlive their connections; what connections are told, and how the gateway fails.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// A session of the gateway; it outlives its connections.
pub(super) struct Session {
    pub(super) intents: u64,
    /// Its number, and how many there are.
    pub(super) shard: (u64, u64),
    pub(super) sequence: u64,
    /// Everything sent, for a resume.
    pub(super) sent: Vec<(u64, Value)>,
    pub(super) connection: Option<mpsc::UnboundedSender<Order>>,
}

/// What a connection of the gateway is told.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// Send a frame.
    Send(Value),
    /// Close with a code.
    Close(u16),
    /// Vanish without a word.
    Drop,
}

/// What the gateway tells.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// A message was written.
    Written(u64),
    /// A message was changed.
    Changed(u64),
    /// A message was deleted from a channel.
    Deleted(u64, u64),
    /// Something was done with the application.
    Interaction(Value),
}

/// Faults of the gateway that last.
#[derive(Default)]
pub(super) struct Gateway {
    /// Takes no connections.
    pub(super) down: bool,
    /// Heartbeats are not answered, and nothing is sent.
    pub(super) zombie: bool,
    /// Events are kept back.
    pub(super) held: Option<Vec<News>>,
    /// Everything told so far.
    pub(super) told: Vec<News>,
    /// All connections, identified or not.
    pub(super) connections: Vec<mpsc::UnboundedSender<Order>>,
    pub(super) identified: u32,
    pub(super) resumed: u32,
    pub(super) beats: u32,
    /// By what is left of the shard's number after dividing by how many may identify at once.
    pub(super) last_identify: BTreeMap<u64, Instant>,
}
