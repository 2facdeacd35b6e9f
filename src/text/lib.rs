//! A message as tokens: its words in a normal form that remembers where each byte came from, and how words are compared.
//!
//! Deliberately absent: forms, and what words mean. Of languages it knows the endings of words alone.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod casing;
mod kept;
mod root;
mod said;
mod stem;
mod tokens;
pub mod typo;
mod unit;

pub use casing::capitalised;
pub use kept::Kept;
pub use root::root;
pub use said::{Class, Said, Word, is_void, name, name_of, overlap};
pub use stem::stem;
pub use tokens::{ByName, Tokens, is_made_of};
pub use unit::{is_same, phrase_at};
