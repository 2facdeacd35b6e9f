//! How the fake is set up.

use std::time::Duration;

use super::{Rates, world};
use crate::latency::Latency;

/// How the fake behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The bot's token.
    pub token: String,
    /// The bot's name.
    pub name: String,
    /// The bot's user name.
    pub username: String,
    /// Whether the bot reads everything in groups (its privacy mode is off).
    pub reads_groups: bool,
    /// Whether the bot may be taken into groups.
    pub joins_groups: bool,
    /// How fast it may send.
    pub rates: Rates,
    /// How long a call takes, one for updates aside. Telegram documents none; 50 to 120 ms are usual.
    pub latency: Latency,
    /// How long a press can be answered.
    pub query_life: Duration,
    /// How long until the webhook is tried again.
    pub webhook_retry: Duration,
    /// How long a person waits for what they are to see.
    pub patience: Duration,
    /// Public addresses and the loopback addresses that they lead to.
    pub leads: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            token: format!("{}:AAFakeTokenOfTheFakeBot_0123456789-x", world::BOT),
            name: "Forms".to_owned(),
            username: "FormBot".to_owned(),
            reads_groups: false,
            joins_groups: true,
            rates: Rates::default(),
            latency: Latency::default(),
            query_life: Duration::from_secs(30),
            webhook_retry: Duration::from_millis(50),
            patience: Duration::from_secs(15),
            leads: Vec::new(),
        }
    }
}

impl Settings {
    /// Where an address leads.
    pub(super) fn led(&self, url: &str) -> String {
        let lead = self.leads.iter().find_map(|(public, to)| Some((url.strip_prefix(public.as_str())?, to)));
        lead.map_or_else(|| url.to_owned(), |(rest, to)| format!("{to}{rest}"))
    }
}
