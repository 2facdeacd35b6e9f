//! What is written to a store and read from it, the same in every one.

mod commit;
mod erased;
mod key;
mod packed;
mod parcel;
pub(crate) mod whose;

pub use commit::{Accepted, Commit, Committed, Stored};
pub use erased::{Erased, ErasedSubmission, Erasure};
pub use key::SessionKey;
pub use packed::Packed;
pub use parcel::{Delivery, OutboxState, Outgoing, Parcel};
