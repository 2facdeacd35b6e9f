//! What comes next.

pub(crate) mod decide;
pub(crate) mod ending;
pub(crate) mod finish;
pub(crate) mod onward;
pub(crate) mod settle;
pub(crate) mod submission;
