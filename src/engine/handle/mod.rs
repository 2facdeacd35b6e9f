//! What came in, to commands.

pub(crate) mod act;
pub(crate) mod clarify;
pub(crate) mod hear;
pub(crate) mod idle;
pub(crate) mod language;
pub(crate) mod late;
pub(crate) mod plain;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod say;
pub(crate) mod sharing;
pub(crate) mod step;
pub(crate) mod unexplained;
pub(crate) mod waiting;
