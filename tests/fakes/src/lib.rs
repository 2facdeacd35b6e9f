//! Chat platforms and a language model that speak the real wire protocol on loopback, for tests, and a scripted product
//! for adapters.
//!
//! A fake refuses what its platform refuses: requests that do not fit its published description or its limits, answers
//! that come too late or twice, a second poller, a message that is not modified. A test says what a *person* does and
//! sees, never JSON. Every request is written as one JSON line under `target/recordings/`.

pub mod crowd;
pub mod discord;
pub mod host;
pub mod latency;
pub mod llm;
pub mod record;
pub mod slack;
pub mod telegram;
pub mod websocket;
