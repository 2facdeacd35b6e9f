//! Free words: what is put around an answer, and the names of people.

pub mod answer;
pub mod free;
pub mod names;
pub mod noted;
