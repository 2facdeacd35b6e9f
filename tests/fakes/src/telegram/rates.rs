//! How fast a bot may send, and what it was told to wait for.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

/// How fast a bot may send (core.telegram.org/bots/faq, “My bot is hitting limits”). What it sends too early is answered by
/// 429 and counts as a refusal.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Messages to one person at once; they come back one by one. “Short bursts that go over this limit” are allowed.
    pub burst: u32,
    /// How long until one more may be sent to a person: “in a single chat, avoid sending more than one message per second”.
    pub each: Duration,
    /// Messages to one group in a minute: “bots are not able to send more than 20 messages per minute”.
    pub group: u32,
    /// Messages in a second to everybody, and at once: “about 30 messages per second”.
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
    /// When each person's room for a burst is whole again.
    people: BTreeMap<i64, Instant>,
    /// What was sent to each group in the last minute.
    groups: BTreeMap<i64, VecDeque<Instant>>,
    /// When the room for messages to everybody is whole again.
    all: Option<Instant>,
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
        let of_chat = if chat < 0 {
            window(self.groups.entry(chat).or_default(), rates.group, now)
        } else {
            bucket(self.people.entry(chat).or_insert(now), rates.burst, rates.each, now)
        };
        let each = Duration::from_secs(1) / rates.all.max(1);
        of_chat.or_else(|| bucket(self.all.get_or_insert(now), rates.all, each, now))
    }
}

/// Room for a burst, which comes back one by one.
fn bucket(whole: &mut Instant, burst: u32, each: Duration, now: Instant) -> Option<Duration> {
    let later = (*whole).max(now) + each;
    let wait = later.duration_since(now).saturating_sub(each.saturating_mul(burst));
    if wait.is_zero() {
        *whole = later;
    }
    Some(wait).filter(|wait| !wait.is_zero())
}

/// So many in any minute.
fn window(sent: &mut VecDeque<Instant>, most: u32, now: Instant) -> Option<Duration> {
    const MINUTE: Duration = Duration::from_secs(60);
    while sent.front().is_some_and(|first| now.duration_since(*first) >= MINUTE) {
        sent.pop_front();
    }
    let room = u32::try_from(sent.len()).unwrap_or(u32::MAX) < most;
    if room {
        sent.push_back(now);
    }
    sent.front().filter(|_| !room).map(|first| MINUTE.saturating_sub(now.duration_since(*first)))
}
