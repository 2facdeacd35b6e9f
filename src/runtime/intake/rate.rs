//! How fast a person may send: a burst, then so many a second.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use formwright_chat as chat;
use jiff::Timestamp;

use crate::Limits;

/// Most people remembered; those who could send a whole burst again are forgotten first.
const PEOPLE: usize = 10_000;

/// Counts what people send.
#[derive(Debug)]
pub(crate) struct Rate {
    burst: f64,
    per_second: f64,
    people: Mutex<BTreeMap<(chat::Platform, chat::UserId), Allowance>>,
}

/// What a person may still send, as of a moment.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    left: f64,
    at: Timestamp,
}

impl Rate {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { burst: f64::from(limits.burst), per_second: limits.per_second, people: Mutex::default() }
    }

    /// Counts a message; the error is the number of seconds to wait.
    pub(crate) fn take(&self, platform: &chat::Platform, user: &chat::UserId, now: Timestamp) -> Result<(), u32> {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (platform.clone(), user.clone());
        if people.len() >= PEOPLE && !people.contains_key(&key) {
            self.forget(&mut people, now);
        }
        let allowance = people.entry(key).or_insert(Allowance { left: self.burst, at: now });
        let left = self.left(*allowance, now);
        if left < 1.0 {
            let wait = ((1.0 - left) / self.per_second).ceil().clamp(1.0, 60.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 60")]
            return Err(wait as u32);
        }
        *allowance = Allowance { left: left - 1.0, at: now };
        Ok(())
    }

    /// Forgets whoever could send a whole burst again.
    pub(crate) fn forget_idle(&self, now: Timestamp) {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        people.retain(|_, allowance| self.left(*allowance, now) < self.burst);
    }

    fn left(&self, allowance: Allowance, now: Timestamp) -> f64 {
        let passed = now.duration_since(allowance.at).as_secs_f64().max(0.0);
        (allowance.left + passed * self.per_second).min(self.burst)
    }

    fn forget(&self, people: &mut BTreeMap<(chat::Platform, chat::UserId), Allowance>, now: Timestamp) {
        people.retain(|_, allowance| self.left(*allowance, now) < self.burst);
        if people.len() >= PEOPLE {
            // A flood of senders: the half that has sent least lately starts with a new burst.
            let mut left: Vec<f64> = people.values().map(|allowance| self.left(*allowance, now)).collect();
            left.sort_by(f64::total_cmp);
            let middle = left.get(left.len() / 2).copied().unwrap_or_default();
            people.retain(|_, allowance| self.left(*allowance, now) < middle);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_millis(millis)
    }

    #[test]
    fn a_burst_then_one_a_second_and_others_are_not_held_up() {
        let rate = Rate::new(&Limits::default());
        let (web, ann, ben) = (chat::Platform::new("web"), chat::UserId::new("ann"), chat::UserId::new("ben"));
        for _ in 0..20 {
            assert_eq!(rate.take(&web, &ann, at(0)), Ok(()));
        }
        assert_eq!(rate.take(&web, &ann, at(0)), Err(1));
        assert_eq!(rate.take(&web, &ann, at(900)), Err(1));
        assert_eq!(rate.take(&web, &ann, at(1_000)), Ok(()));
        assert_eq!(rate.take(&web, &ann, at(1_000)), Err(1));
        assert_eq!(rate.take(&web, &ben, at(1_000)), Ok(()));
        assert_eq!(rate.take(&web, &ann, at(0)), Err(1), "a clock that goes back gives nothing");
    }

    #[test]
    fn nobody_is_remembered_longer_than_it_matters() {
        let rate = Rate::new(&Limits::default());
        let (web, ann) = (chat::Platform::new("web"), chat::UserId::new("ann"));
        for _ in 0..20 {
            assert_eq!(rate.take(&web, &ann, at(0)), Ok(()));
        }
        rate.forget_idle(at(10_000));
        assert!(rate.people.lock().unwrap().contains_key(&(web, ann)), "forgetting is no way round the limit");
        rate.forget_idle(at(20_000));
        assert!(rate.people.lock().unwrap().is_empty());
    }

    #[test]
    fn a_million_senders_take_no_more_room_than_ten_thousand() {
        let rate = Rate::new(&Limits::default());
        let web = chat::Platform::new("web");
        for no in 0..100_000 {
            let _ = rate.take(&web, &chat::UserId::new(no.to_string()), at(0));
        }
        assert!(rate.people.lock().unwrap().len() <= PEOPLE);
    }
}
