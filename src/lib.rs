//! Fills in forms by conversation.

pub mod engine;
pub mod form;
pub mod http;
pub mod runtime;
pub mod secret;
pub mod store;
pub mod submit;
pub mod tool;
