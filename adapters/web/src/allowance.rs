//! How many conversations a cookie may start in an hour: counted in memory, bounded.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits;

const WINDOW: Duration = Duration::from_secs(3600);

/// Counts the conversations of each cookie.
pub(crate) struct Allowance {
    per_hour: usize,
    cookies: Mutex<BTreeMap<String, Started>>,
}

#[derive(Default)]
struct Started {
    at: VecDeque<Instant>,
    known: BTreeSet<String>,
    order: VecDeque<String>,
}

impl Allowance {
    /// Allows so many in an hour.
    pub(crate) fn new(per_hour: u32) -> Self {
        Self { per_hour: usize::try_from(per_hour).unwrap_or(usize::MAX), cookies: Mutex::default() }
    }

    /// Whether the conversation may go on: known ones always, others while the hour's number is not used up.
    ///
    /// Otherwise gives the seconds to wait.
    pub(crate) fn take(&self, user: &str, conversation: &str, now: Instant) -> Result<(), u32> {
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        if cookies.len() >= limits::COUNTED_COOKIES && !cookies.contains_key(user) {
            let oldest = cookies.iter().min_by_key(|(_, started)| started.at.back().copied());
            if let Some(oldest) = oldest.map(|(user, _)| user.clone()) {
                cookies.remove(&oldest);
            }
        }
        let started = cookies.entry(user.to_owned()).or_default();
        if started.known.contains(conversation) {
            return Ok(());
        }
        while started.at.front().is_some_and(|at| now.duration_since(*at) >= WINDOW) {
            started.at.pop_front();
        }
        if started.at.len() >= self.per_hour {
            let oldest = started.at.front().map_or(Duration::ZERO, |at| now.duration_since(*at));
            return Err(u32::try_from(WINDOW.saturating_sub(oldest).as_secs()).unwrap_or(3600).max(1));
        }
        started.at.push_back(now);
        started.known.insert(conversation.to_owned());
        started.order.push_back(conversation.to_owned());
        if started.order.len() > limits::REMEMBERED_CONVERSATIONS
            && let Some(forgotten) = started.order.pop_front()
        {
            started.known.remove(&forgotten);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_on_is_free_and_starting_is_not() {
        let allowance = Allowance::new(2);
        let now = Instant::now();
        let take = |conversation, after| allowance.take("me", conversation, now + Duration::from_secs(after));
        assert_eq!(take("a", 0), Ok(()));
        assert_eq!(take("b", 60), Ok(()));
        assert_eq!(take("c", 60), Err(3540));
        assert_eq!(take("a", 60), Ok(()));
        assert_eq!(allowance.take("you", "c", now), Ok(()));
        assert_eq!(take("c", 3600), Ok(()));
    }
}
