//! A crowd of people who fill in forms at once, on one platform, and how long each of them waits for an answer.
//!
//! A [`Scene`] is the three platforms with a program that serves them. [`play`] lets a [`Crowd`] in and gives an
//! [`Outcome`]: every wait from what a person did to the question that answers it, what was never answered, and what was
//! asked twice. [`Need`] is what the platform's own limit makes an ideal program wait for the same answers.
//!
//! Deliberately absent: which figures are good enough. That is for whoever asks.

mod need;
mod people;
mod play;
mod scene;
mod script;

use std::time::Duration;

pub use need::Need;
pub use play::{Answer, Outcome, play};
pub use scene::{Pressure, Scene};

/// Where a crowd is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// A workspace of Slack.
    Slack,
    /// A server of Discord.
    Discord,
    /// Telegram.
    Telegram,
}

impl Platform {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Slack, Self::Discord, Self::Telegram];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slack => "Slack",
            Self::Discord => "Discord",
            Self::Telegram => "Telegram",
        }
    }
}

/// Who comes, and what they do.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// How many.
    pub people: usize,
    /// All in one channel, where they start forms with a command and answer with buttons alone; otherwise each in their
    /// private chat with the bot, where they write too.
    pub together: bool,
    /// How long a person thinks before each answer, on average: between half and one and a half times this.
    pub thought: Duration,
    /// People who come one after the other, within one `thought`, and fill in form after form for so long; where none, all
    /// come at the same moment and fill in one form.
    pub lasting: Option<Duration>,
    /// After how many deeds each of them leaves.
    pub deeds: usize,
    /// How long a person waits for an answer before they leave.
    pub patience: Duration,
}
