//! How something is asked and told: the question, its widget, the ways out, the review.

pub(crate) mod answered;
pub(crate) mod confirm;
pub(crate) mod drawing;
pub(crate) mod help;
pub(crate) mod page;
pub(crate) mod question;
pub(crate) mod receipt;
pub(crate) mod reprompt;
pub(crate) mod review;
pub(crate) mod verify;
