//! What shows of the running bot: counts, spans, whether it takes messages.

pub(crate) mod health;
pub(crate) mod last;
pub(crate) mod measure;
pub(crate) mod metrics;
pub mod trace;
