//! How something is asked and told: the question, its widget, the ways out, the review.

pub(crate) mod answered;
pub(crate) mod climb;
pub(crate) mod doubts;
pub(crate) mod drawing;
pub(crate) mod help;
pub(crate) mod page;
pub(crate) mod question;
pub(crate) mod receipt;
pub(crate) mod review;
pub(crate) mod sure;
