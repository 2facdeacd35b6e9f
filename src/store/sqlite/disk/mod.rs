//! The database as a file: its tables, its place, its space, and what is done where it is damaged.

pub(crate) mod file;
pub(crate) mod pages;
pub(crate) mod place;
pub(crate) mod rescue;
pub(crate) mod schema;
pub(crate) mod space;
