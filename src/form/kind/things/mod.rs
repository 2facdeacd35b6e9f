//! Kinds that point at something: people and channels, files, places on the map.

pub mod channel;
mod entity;
pub mod file;
pub mod location;
pub mod person;
