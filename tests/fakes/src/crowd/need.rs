//! What a platform's own limit makes people wait.

use std::collections::VecDeque;
use std::time::Duration;

use super::Platform;

/// At most `count` messages in any `per`: the limit that a crowd meets first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// How many.
    pub count: usize,
    /// In how long.
    pub per: Duration,
}

impl Need {
    /// The limit on questions to a crowd that counts for all of it; none where the platform has none. What counts for each
    /// chat alone is never met by somebody who answers one question every few seconds.
    ///
    /// In a channel of Slack and Discord a question goes to one person, in answer to their own command or press: Slack's
    /// `response_url` and Discord's interaction tokens count for each press alone.
    pub fn of(platform: Platform, together: bool) -> Option<Self> {
        let (count, seconds) = match (platform, together) {
            (Platform::Slack | Platform::Discord, true) => return None,
            // “Several hundred a minute” over all channels.
            (Platform::Slack, false) => (300, 60),
            (Platform::Discord, false) => (50, 1),
            (Platform::Telegram, false) => (30, 1),
            (Platform::Telegram, true) => (20, 60),
        };
        Some(Self { count, per: Duration::from_secs(seconds) })
    }

    /// How long each of these deeds, in the order in which they were done, has to wait for one message, where messages are
    /// sent as early as the limit lets them.
    pub fn waits(self, deeds: &[Duration]) -> Vec<Duration> {
        let mut sent: VecDeque<Duration> = VecDeque::new();
        let wait = |deed: &Duration| {
            let last = sent.back().copied().unwrap_or_default();
            let room = if sent.len() < self.count { None } else { sent.pop_front() };
            let at = room.map_or(*deed, |first| first + self.per).max(*deed).max(last);
            sent.push_back(at);
            at.saturating_sub(*deed)
        };
        deeds.iter().map(wait).collect()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::a_burst_goes_at_once_and_the_rest_waits(&[0, 0, 0, 1, 1], &[0, 0, 10, 9, 19])]
    #[case::a_minute_that_has_passed_counts_no_more(&[0, 0, 10, 10], &[0, 0, 0, 0])]
    #[case::whoever_comes_later_is_answered_later(&[0, 5, 6, 15], &[0, 0, 4, 0])]
    fn two_in_ten_seconds(#[case] deeds: &[u64], #[case] waits: &[u64]) {
        let seconds = |all: &[u64]| all.iter().copied().map(Duration::from_secs).collect::<Vec<_>>();
        let need = Need { count: 2, per: Duration::from_secs(10) };
        assert_eq!(need.waits(&seconds(deeds)), seconds(waits));
    }
}
