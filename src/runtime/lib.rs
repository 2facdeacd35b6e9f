//! The thin shell around the engine: takes events in, runs turns, delivers what comes of them.
//!
//! A turn computes without side effects, commits once, then acts. Events are durable before a platform is told that
//! they were received; replies and submissions leave from the outbox with stable ids; a turn that did not commit runs
//! again after a restart. Deliberately absent: what to say, which platform, and where things are stored.

mod around;
pub mod clock;
mod conversation;
mod desks;
pub mod fault;
pub mod forms;
mod host;
mod intake;
pub mod listening;
mod outbox;
mod records;
mod replicas;
mod runtime;
mod turn;
mod watch;
mod words;

pub use around::{Around, Kept};
pub use clock::Clock;
pub use conversation::Conversation;
pub use forms::{documents, switches};
pub use formwright_engine::{Desk, Desks, Submission};
pub use formwright_llm::Model;
pub use formwright_store::{Erased, OutboxState, Outgoing, Parcel, SessionKey, Store, StoreError};
pub use formwright_tool::Tools;
pub use intake::limits;
pub use limits::Limits;
pub use listening::Listener;
pub use records::forget;
pub use replicas::lock;
pub use runtime::{Parts, Runtime};
pub use watch::trace;

#[cfg(test)]
mod tests;
