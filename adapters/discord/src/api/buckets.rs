//! What Discord tells about its limits: which requests count together, how many in how long, and how many are left.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use formwright_chat::pace::{Lane, Pace, Rate};
use reqwest::header::HeaderMap;

use crate::limits;

/// The lane of everything that is counted.
pub(super) const GLOBAL: &str = "all";
/// Messages that are sent, and those that are edited: each counts by itself.
pub(super) const SEND: &str = "send";
pub(super) const EDIT: &str = "edit";
/// What is said with the token of an interaction. Doc, “Receiving and Responding”: not counted with everything else.
pub(super) const FOLLOW_UP: &str = "follow-up";
pub(super) const ANSWERED: &str = "answered";
/// Routes that are remembered; interactions have one each.
const ROUTES: usize = 5000;

/// What a request counts against: a method of a route, under the channel, server or interaction in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Counted {
    kind: &'static str,
    major: String,
}

impl Counted {
    pub(super) fn new(kind: &'static str, major: impl ToString) -> Self {
        Self { kind, major: major.to_string() }
    }

    pub(super) fn is_of_interaction(&self) -> bool {
        [FOLLOW_UP, ANSWERED].contains(&self.kind)
    }

    fn lane(&self) -> String {
        format!("{}/{}", self.kind, self.major)
    }
}

/// What the headers of answers have told.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    known: Mutex<BTreeMap<Counted, Bucket>>,
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    /// Routes with the same name share it, where they have the same channel.
    name: String,
    rate: Option<Rate>,
}

impl Buckets {
    /// The lanes that a request waits in.
    pub(super) fn lanes(&self, route: &Counted) -> Vec<Lane> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let told = known.get(route).and_then(|bucket| bucket.rate);
        let rate = told.or([SEND, EDIT].contains(&route.kind).then_some(limits::CHANNEL_RATE));
        let own = match rate {
            Some(rate) => Lane::limited(route.lane(), rate),
            // Nothing is known: the first refusal tells.
            None => Lane::at_least(route.lane(), limits::CHANNEL_RATE),
        };
        let all = (!route.is_of_interaction()).then(|| Lane::limited(GLOBAL, limits::GLOBAL_RATE));
        [own].into_iter().chain(all).collect()
    }

    /// Learns from the headers of an answer, and keeps silent where they say that nothing is left.
    pub(super) fn heed(&self, headers: &HeaderMap, route: &Counted, pace: &Pace) {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        let number = |name: &str| text(name)?.parse::<f64>().ok();
        let (Some(left), Some(after)) = (number("x-ratelimit-remaining"), number("x-ratelimit-reset-after")) else {
            return;
        };
        let limit = text("x-ratelimit-limit").and_then(|limit| limit.parse::<u32>().ok());
        if let Some(name) = text("x-ratelimit-bucket") {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= ROUTES {
                known.clear();
            }
            let bucket = known.entry(route.clone()).or_default();
            name.clone_into(&mut bucket.name);
            // After the first request of a window all of it is still to come.
            if let Some(limit) = limit.filter(|limit| left + 1.0 >= f64::from(*limit)) {
                bucket.rate = Some(Rate::new(limit, seconds(after) + limits::JITTER));
            }
        }
        if left < 1.0 {
            self.hold(route, seconds(after), pace);
        }
    }

    /// Keeps silent on a route, and on those that share its bucket.
    pub(super) fn hold(&self, route: &Counted, after: Duration, pace: &Pace) {
        pace.hold(&route.lane(), after);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(bucket) = known.get(route) else { return };
        let shares = |(other, its): &(&Counted, &Bucket)| other.major == route.major && its.name == bucket.name;
        known.iter().filter(shares).for_each(|(other, _)| pace.hold(&other.lane(), after));
    }
}

/// Seconds as Discord gives them; nonsense becomes a second, and no wait is longer than an hour.
pub(super) fn seconds(seconds: f64) -> Duration {
    let seconds = if seconds.is_finite() { seconds.clamp(0.0, 3600.0) } else { 1.0 };
    Duration::from_secs_f64(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(bucket: &str, limit: u32, left: u32, after: &str) -> HeaderMap {
        let told = [
            ("x-ratelimit-bucket", bucket.to_owned()),
            ("x-ratelimit-limit", limit.to_string()),
            ("x-ratelimit-remaining", left.to_string()),
            ("x-ratelimit-reset-after", after.to_owned()),
        ];
        told.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    async fn is_free(buckets: &Buckets, pace: &Pace, route: &Counted) -> bool {
        pace.turn(&buckets.lanes(route), Duration::ZERO).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn sending_editing_and_deleting_have_buckets_of_their_own() {
        let (buckets, pace) = (Buckets::default(), Pace::default());
        let of = |kind| Counted::new(kind, 1);
        buckets.heed(&headers("posts", 5, 0, "4.0"), &of(SEND), &pace);
        buckets.heed(&headers("edits", 5, 4, "5.0"), &of(EDIT), &pace);
        assert!(!is_free(&buckets, &pace, &of(SEND)).await);
        assert!(is_free(&buckets, &pace, &of(EDIT)).await && is_free(&buckets, &pace, &of("delete")).await);
        assert!(is_free(&buckets, &pace, &Counted::new(SEND, 2)).await);
        tokio::time::advance(Duration::from_secs(4)).await;
        assert!(is_free(&buckets, &pace, &of(SEND)).await);
    }

    #[tokio::test(start_paused = true)]
    async fn routes_with_one_bucket_wait_for_each_other() {
        let (buckets, pace) = (Buckets::default(), Pace::default());
        let (send, edit) = (Counted::new(SEND, 1), Counted::new(EDIT, 1));
        buckets.heed(&headers("both", 5, 3, "5.0"), &edit, &pace);
        buckets.heed(&headers("both", 5, 0, "5.0"), &send, &pace);
        assert!(!is_free(&buckets, &pace, &edit).await);
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_that_discord_tells_counts() {
        let (buckets, pace) = (Buckets::default(), Pace::default());
        let route = Counted::new(SEND, 1);
        let mut sent = 0;
        while is_free(&buckets, &pace, &route).await {
            sent += 1;
        }
        assert_eq!(sent, limits::CHANNEL_RATE.count);
        buckets.heed(&headers("posts", 12, 11, "3.0"), &route, &pace);
        while is_free(&buckets, &pace, &route).await {
            sent += 1;
        }
        assert_eq!(sent, 12);
    }
}
