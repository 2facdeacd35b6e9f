//! How fast a bot may send, and what it was told to wait for.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

/// How fast a bot may send. What it sends too early is answered by 429 and counts as a refusal.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Messages to one person at once; they come back one by one.
    pub burst: u32,
    /// How long until one more may be sent to a person.
    pub each: Duration,
    /// Messages to one group in a minute.
    pub group: u32,
    /// Messages in a second to everybody.
    pub all: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self { burst: 5, each: Duration::from_secs(1), group: 20, all: 30 }
    }
}

impl Rates {
    /// As fast as it likes.
    pub fn none() -> Self {
        Self { burst: u32::MAX, each: Duration::ZERO, group: u32::MAX, all: u32::MAX }
    }
}

#[derive(Default)]
pub(super) struct Meter {
    sent: BTreeMap<i64, VecDeque<Instant>>,
    all: VecDeque<Instant>,
    held: BTreeMap<i64, Instant>,
}

impl Meter {
    /// The bot was told to leave a chat alone for a while.
    pub(super) fn hold(&mut self, chat: i64, until: Instant) {
        self.held.insert(chat, until);
    }

    /// Until when the bot was told to wait, where it does not.
    pub(super) fn held(&self, chat: i64, now: Instant) -> Option<Duration> {
        self.held.get(&chat).map(|until| until.duration_since(now)).filter(|left| !left.is_zero())
    }

    /// Counts a message to a chat; gives how long to wait where it is one too many.
    pub(super) fn count(&mut self, rates: Rates, chat: i64, now: Instant) -> Option<Duration> {
        let sent = self.sent.entry(chat).or_default();
        let wait = if chat < 0 {
            full(sent, rates.group, Duration::from_secs(60), now)
        } else {
            full(sent, rates.burst, rates.each.saturating_mul(rates.burst.min(1000)), now)
        };
        let wait = wait.or_else(|| full(&mut self.all, rates.all, Duration::from_secs(1), now));
        if wait.is_none() {
            self.sent.entry(chat).or_default().push_back(now);
            self.all.push_back(now);
        }
        wait
    }
}

/// How long until there is room again for one more.
fn full(sent: &mut VecDeque<Instant>, most: u32, per: Duration, now: Instant) -> Option<Duration> {
    while sent.front().is_some_and(|first| now.duration_since(*first) >= per) {
        sent.pop_front();
    }
    let room = u32::try_from(sent.len()).unwrap_or(u32::MAX) < most;
    sent.front().filter(|_| !room).map(|first| per.saturating_sub(now.duration_since(*first)))
}
