//! Fills in forms by conversation.

pub mod engine;
pub mod form;
pub mod store;
