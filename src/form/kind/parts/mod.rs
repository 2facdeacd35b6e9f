//! Kinds that hold other fields, or that nobody is asked for.

pub mod computed;
pub mod group;
pub mod hidden;
pub mod list;
pub mod note;
mod subtree;
