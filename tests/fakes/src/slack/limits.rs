//! Slack's rate limits (docs.slack.dev/apis/web-api/rate-limits), counted for each method in the one workspace, and the
//! time that a call takes. A fake counts and waits only when a test says so.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::world::World;
use super::{Answer, Inner, SlackFake};
use crate::latency::Latency;

const MINUTE: Duration = Duration::from_secs(60);

/// How fast an app may call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `chat.postMessage` in one channel: “1 per second. Short bursts >1 allowed”. How many the burst is.
    pub burst: u32,
    /// `chat.postMessage` in a minute over all channels. Its reference says “several hundred messages per minute”.
    pub posts: u32,
    /// A method of tier 2, 3 and 4 in a minute: “20+”, “50+” and “100+ per minute”.
    pub tiers: [u32; 3],
    /// How long a call takes. Slack documents none; 100 to 200 ms are usual.
    pub latency: Latency,
}

impl Default for Limits {
    fn default() -> Self {
        Self { burst: 3, posts: 300, tiers: [20, 50, 100], latency: Latency::millis(100, 200) }
    }
}

impl SlackFake {
    /// From now on calls above these limits get 429 with `Retry-After`, and each takes its time. A `response_url` has
    /// no limit but its five uses.
    pub fn limits(&self, limits: Limits) {
        self.inner.lock().limits = Some(limits);
    }

    /// How many calls were answered by 429 because of the limits.
    pub fn limited(&self) -> usize {
        self.inner.lock().limited
    }
}

impl Inner {
    /// Waits as long as Slack takes for a call.
    pub(super) async fn takes_time(&self) {
        let (limits, no) = {
            let world = self.lock();
            (world.limits, world.calls.len())
        };
        if let Some(limits) = limits {
            limits.latency.pass(no).await;
        }
    }
}

/// Calls so far.
#[derive(Default)]
pub(super) struct Meter {
    /// The calls of each method in the last minute.
    minutes: BTreeMap<String, VecDeque<Instant>>,
    /// When each channel's room for a burst is whole again.
    channels: BTreeMap<String, Instant>,
}

impl World {
    /// Counts a call; gives the refusal where it is one too many.
    pub(super) fn over_limit(&mut self, method: &str, channel: &str) -> Option<Answer> {
        let limits = self.limits?;
        let now = Instant::now();
        let most = match method {
            "chat.postMessage" => limits.posts,
            "users.list" => limits.tiers[0],
            "chat.update"
            | "chat.delete"
            | "bots.info"
            | "team.info"
            | "conversations.open"
            | "conversations.join"
            | "conversations.info"
            | "conversations.history"
            | "conversations.replies"
            | "reactions.add" => limits.tiers[1],
            "chat.postEphemeral"
            | "views.open"
            | "views.push"
            | "views.update"
            | "views.publish"
            | "users.info"
            | "files.info"
            | "conversations.members" => limits.tiers[2],
            _ => return None,
        };
        let channel = (method == "chat.postMessage").then_some((channel, limits.burst));
        let wait = self.meter.count(method, most, channel, now)?;
        self.limited += 1;
        // Whole seconds, rounded up.
        Some(Answer::TooMany { retry_after: u32::try_from(wait.as_millis().div_ceil(1000)).ok() })
    }
}

impl Meter {
    fn count(&mut self, method: &str, most: u32, channel: Option<(&str, u32)>, now: Instant) -> Option<Duration> {
        let sent = self.minutes.entry(method.to_owned()).or_default();
        while sent.front().is_some_and(|first| now.duration_since(*first) >= MINUTE) {
            sent.pop_front();
        }
        if sent.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            return sent.front().map(|first| MINUTE.saturating_sub(now.duration_since(*first)));
        }
        if let Some((channel, burst)) = channel {
            let second = Duration::from_secs(1);
            let whole = self.channels.entry(channel.to_owned()).or_insert(now);
            let later = (*whole).max(now) + second;
            let wait = later.duration_since(now).saturating_sub(second * burst);
            if !wait.is_zero() {
                return Some(wait);
            }
            *whole = later;
        }
        sent.push_back(now);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long each call has to wait, in seconds; the calls come at these milliseconds.
    fn waits(meter: &mut Meter, channel: &str, most: u32, at: &[u64]) -> Vec<u64> {
        let start = Instant::now();
        let count = |at: &u64| {
            let now = start + Duration::from_millis(*at);
            let wait = meter.count("chat.postMessage", most, Some((channel, 2)), now);
            u64::try_from(wait.unwrap_or_default().as_millis().div_ceil(1000)).unwrap()
        };
        at.iter().map(count).collect()
    }

    #[test]
    fn a_channel_takes_a_burst_and_then_one_a_second() {
        assert_eq!(waits(&mut Meter::default(), "C1", 100, &[0, 0, 0, 900, 1000, 1500, 3000]), [0, 0, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn all_channels_together_take_so_many_a_minute() {
        let mut meter = Meter::default();
        assert_eq!(waits(&mut meter, "C1", 3, &[0, 0]), [0, 0]);
        assert_eq!(waits(&mut meter, "C2", 3, &[10_000, 20_000, 59_000, 60_100]), [0, 40, 1, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_takes_its_time() {
        for no in 0..100 {
            let start = Instant::now();
            Limits::default().latency.pass(no).await;
            assert!((100..=201).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
        }
    }
}
