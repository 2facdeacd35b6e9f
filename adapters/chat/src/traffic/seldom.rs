//! Words that a person is told once in a while, however often there is cause. Pure: the time is given.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::UserId;

/// Most people of whom it is remembered that they were told.
const REMEMBERED: usize = 10_000;

/// People who were told something lately.
#[derive(Debug)]
pub struct Seldom {
    every: SignedDuration,
    told: Mutex<BTreeMap<UserId, Timestamp>>,
}

impl Seldom {
    /// Nobody was told yet; each may be once in `every`.
    pub const fn new(every: SignedDuration) -> Self {
        Self { every, told: Mutex::new(BTreeMap::new()) }
    }

    /// For what is told while nothing can be kept: once in five minutes.
    pub const fn away() -> Self {
        Self::new(SignedDuration::from_mins(5))
    }

    /// Whether a person is to be told now; counts them as told. Where too many were told lately, nobody else is.
    pub fn is_due(&self, user: &UserId, now: Timestamp) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let lately = |at: &Timestamp| *at <= now && now.duration_since(*at) < self.every;
        if told.get(user).is_some_and(lately) {
            return false;
        }
        if told.len() >= REMEMBERED {
            told.retain(|_, at| lately(at));
        }
        let room = told.len() < REMEMBERED;
        if room {
            told.insert(user.clone(), now);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_person_is_told_once_in_a_while() {
        let seldom = Seldom::new(SignedDuration::from_secs(60));
        let (ann, ben) = (UserId::new("ann"), UserId::new("ben"));
        let at = |second| Timestamp::from_second(second).unwrap();
        let due = [(&ann, 0), (&ann, 59), (&ben, 59), (&ann, 60), (&ann, 61)];
        assert_eq!(due.map(|(user, second)| seldom.is_due(user, at(second))), [true, false, true, true, false]);
    }

    #[test]
    fn how_many_are_remembered_is_bounded() {
        let seldom = Seldom::new(SignedDuration::from_secs(60));
        let now = Timestamp::UNIX_EPOCH;
        let told = (0..=REMEMBERED).filter(|no| seldom.is_due(&UserId::new(no.to_string()), now)).count();
        assert_eq!(told, REMEMBERED);
        assert!(seldom.is_due(&UserId::new("later"), now + SignedDuration::from_secs(61)));
    }
}
