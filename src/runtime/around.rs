//! What is around the conversations, and may be replaced while the bot runs: tools, sinks, listeners, how long things are kept.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use formwright_submit::Opener;
use formwright_tool::Tools;

/// What may be replaced while the bot runs. What is under way ends with what it began with.
pub struct Around {
    /// Tools that run here.
    pub tools: Tools,
    /// What opens sinks.
    pub opener: Opener,
    /// Sinks of the settings, by name.
    pub sinks: BTreeMap<String, formwright_form::Sink>,
    /// Listeners of the settings.
    pub listen: Vec<formwright_form::Listen>,
    /// How long things are kept that are over.
    pub kept: Kept,
}

/// How long things are kept that are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Replies, and the ids of messages and deliveries: what comes again after that is new.
    pub replies: SignedDuration,
    /// Sessions in which no form is open, after their last message.
    pub sessions: SignedDuration,
}

impl Default for Kept {
    fn default() -> Self {
        Self { replies: SignedDuration::from_hours(48), sessions: SignedDuration::from_hours(24) }
    }
}
