//! Look-ups, checks, client tools, side effects and hooks.

pub(crate) mod answer;
pub(crate) mod calls;
pub(crate) mod deciding;
pub(crate) mod deeds;
pub(crate) mod does;
pub(crate) mod fetch;
pub(crate) mod foresee;
pub(crate) mod hooks;
pub(crate) mod not_now;
pub(crate) mod outcome;
