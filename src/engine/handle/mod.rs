//! What came in, to commands.

pub(crate) mod act;
pub(crate) mod hear;
pub(crate) mod idle;
pub(crate) mod late;
pub(crate) mod leftover;
pub(crate) mod plain;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod say;
pub(crate) mod step;
pub(crate) mod together;
pub(crate) mod tongue;
pub(crate) mod waiting;
pub(crate) mod which;
