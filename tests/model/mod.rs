//! The real program with a language model that goes wrong: every sample form comes out as without one.

mod modes;
mod person;
mod privacy;
pub(crate) mod program;
mod recordings;
mod scripts;
