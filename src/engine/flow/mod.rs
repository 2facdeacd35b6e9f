//! What comes next.

pub(crate) mod decide;
pub(crate) mod end_step;
pub(crate) mod onward;
pub(crate) mod settle;
pub(crate) mod submission;
pub(crate) mod submit;
