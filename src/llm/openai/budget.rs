//! How many calls a minute has room for: of one person, and of all.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const MINUTE: Duration = Duration::from_secs(60);

/// See the module. The counts begin anew with each minute, so it never holds more people than one minute has calls.
#[derive(Debug)]
pub(super) struct Budget {
    person: u32,
    all: u32,
    minute: Mutex<Option<Minute>>,
}

#[derive(Debug)]
struct Minute {
    since: Instant,
    all: u32,
    people: HashMap<String, u32>,
}

impl Budget {
    /// Calls in a minute: of one person, and of all.
    pub(super) fn new((person, all): (u32, u32)) -> Self {
        Self { person, all, minute: Mutex::new(None) }
    }

    /// Takes one call of a person; `false` where the minute has no room for it.
    pub(super) fn take(&self, user: &str, now: Instant) -> bool {
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = minute.take_if(|minute| now < minute.since + MINUTE);
        let mut counts = begun.unwrap_or_else(|| Minute { since: now, all: 0, people: HashMap::new() });
        let theirs = counts.people.get(user).copied().unwrap_or(0);
        let room = theirs < self.person && counts.all < self.all;
        if room {
            counts.all += 1;
            counts.people.insert(user.to_owned(), theirs + 1);
        }
        *minute = Some(counts);
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_room_for_so_many_calls_of_a_person_and_of_all() {
        let budget = Budget::new((2, 3));
        let now = Instant::now();
        assert!(budget.take("ada", now) && budget.take("ada", now));
        assert!(!budget.take("ada", now), "her two are used up");
        assert!(budget.take("ben", now));
        assert!(!budget.take("cy", now), "all three are used up");
        assert!(budget.take("cy", now + MINUTE));
    }
}
