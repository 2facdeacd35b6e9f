//! Look-ups, checks, client tools, side effects and hooks.

pub(crate) mod answer;
pub(crate) mod calls;
pub(crate) mod deciding;
pub(crate) mod fetch;
pub(crate) mod foresee;
pub(crate) mod hooks;
pub(crate) mod outcome;
pub(crate) mod purpose;
pub(crate) mod side_effects;
pub(crate) mod suspend;
