//! Kinds whose values are picked from options.

pub mod choice;
pub mod choices;
