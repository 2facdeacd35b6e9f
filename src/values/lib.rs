//! Values and the grammars that find them: text to numbers, money, days and times, addresses, codes and names, and back.
//!
//! Deliberately absent: forms, but for the ids of what is in them. What a field wants of a value is with the kinds of
//! fields.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod currency;
mod id;
pub mod numeral;
pub mod numeric;
pub mod options;
mod reading;
pub mod secret;
mod signs;
pub mod streets;
#[cfg(test)]
pub(crate) mod testing;
mod value;
pub mod when;
mod words;
pub mod zone;

pub use id::{FieldId, FormId, FormVersion, OptionId, Path, Seg, SinkId, ToolId};
pub use reading::{Context, Found, Offered, Reading, Refusal, Strength};
pub use signs::{cards, codes, credentials, dial, iban, letters, spelled, spoken};
pub use value::Value;
pub use words::{answer, free, names, noted};
