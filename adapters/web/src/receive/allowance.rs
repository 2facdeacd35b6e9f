//! How many conversations a cookie, and an address, may start in an hour: counted in memory, bounded.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits;

const WINDOW: Duration = Duration::from_secs(3600);

/// Counts the conversations of each cookie and of each address. Whoever drops the cookie keeps the address.
pub(crate) struct Allowance {
    per_cookie: usize,
    per_address: usize,
    counted: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    cookies: BTreeMap<String, Started>,
    addresses: BTreeMap<IpAddr, Starts>,
}

/// The conversations of a cookie.
#[derive(Default)]
struct Started {
    starts: Starts,
    known: BTreeSet<String>,
    order: VecDeque<String>,
}

/// When conversations were started, oldest first; no more than are allowed in an hour.
#[derive(Default)]
struct Starts(VecDeque<Instant>);

impl Allowance {
    /// Allows so many in an hour.
    pub(crate) fn new(per_cookie: u32, per_address: u32) -> Self {
        let count = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        Self { per_cookie: count(per_cookie), per_address: count(per_address), counted: Mutex::default() }
    }

    /// Whether the conversation may go on: known ones always, others while the hour's numbers are not used up.
    ///
    /// Otherwise gives the seconds to wait.
    pub(crate) fn take(
        &self,
        user: &str,
        address: Option<IpAddr>,
        conversation: &str,
        now: Instant,
    ) -> Result<(), u32> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let Counted { cookies, addresses } = &mut *counted;
        if cookies.get(user).is_some_and(|started| started.known.contains(conversation)) {
            return Ok(());
        }
        // The address first: whoever has used it up leaves no trace among the cookies.
        if let Some(address) = address {
            make_room(addresses, &address, Starts::last);
            addresses.entry(address).or_default().room(self.per_address, now)?;
        }
        make_room(cookies, user, |started: &Started| started.starts.last());
        let started = cookies.entry(user.to_owned()).or_default();
        started.starts.room(self.per_cookie, now)?;
        started.starts.0.push_back(now);
        started.remember(conversation);
        if let Some(starts) = address.and_then(|address| addresses.get_mut(&address)) {
            starts.0.push_back(now);
        }
        Ok(())
    }
}

impl Started {
    fn remember(&mut self, conversation: &str) {
        self.known.insert(conversation.to_owned());
        self.order.push_back(conversation.to_owned());
        if self.order.len() > limits::REMEMBERED_CONVERSATIONS
            && let Some(forgotten) = self.order.pop_front()
        {
            self.known.remove(&forgotten);
        }
    }
}

impl Starts {
    fn last(&self) -> Option<Instant> {
        self.0.back().copied()
    }

    /// Whether there is room for one more; otherwise the seconds until there is.
    fn room(&mut self, per_hour: usize, now: Instant) -> Result<(), u32> {
        while self.0.front().is_some_and(|at| now.duration_since(*at) >= WINDOW) {
            self.0.pop_front();
        }
        if self.0.len() < per_hour {
            return Ok(());
        }
        let oldest = self.0.front().map_or(Duration::ZERO, |at| now.duration_since(*at));
        Err(u32::try_from(WINDOW.saturating_sub(oldest).as_secs()).unwrap_or(3600).max(1))
    }
}

/// Takes out whoever was touched longest ago, where one more would be too many.
fn make_room<K, Q, V>(counted: &mut BTreeMap<K, V>, next: &Q, last: impl Fn(&V) -> Option<Instant>)
where
    K: Ord + Clone + std::borrow::Borrow<Q>,
    Q: Ord + ?Sized,
{
    if counted.len() < limits::COUNTED_VISITORS || counted.contains_key(next) {
        return;
    }
    let oldest = counted.iter().min_by_key(|(_, started)| last(started)).map(|(key, _)| key.clone());
    if let Some(oldest) = oldest {
        counted.remove(oldest.borrow());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_on_is_free_and_starting_is_not() {
        let allowance = Allowance::new(2, 100);
        let now = Instant::now();
        let take = |conversation, after| allowance.take("me", None, conversation, now + Duration::from_secs(after));
        assert_eq!(take("a", 0), Ok(()));
        assert_eq!(take("b", 60), Ok(()));
        assert_eq!(take("c", 60), Err(3540));
        assert_eq!(take("a", 60), Ok(()));
        assert_eq!(allowance.take("you", None, "c", now), Ok(()));
        assert_eq!(take("c", 3600), Ok(()));
    }

    #[test]
    fn a_new_cookie_does_not_help_who_has_used_up_the_address() {
        let allowance = Allowance::new(2, 3);
        let (now, here, there) = (Instant::now(), IpAddr::from([192, 0, 2, 7]), IpAddr::from([192, 0, 2, 8]));
        let take = |user, address, after| allowance.take(user, Some(address), user, now + Duration::from_secs(after));
        assert_eq!([take("a", here, 0), take("b", here, 1), take("c", here, 2)], [Ok(()); 3]);
        assert_eq!(take("d", here, 2), Err(3598));
        assert_eq!(take("a", here, 2), Ok(()), "going on is free");
        assert_eq!(take("d", there, 2), Ok(()));
        assert_eq!(take("e", here, 3600), Ok(()));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let allowance = Allowance::new(2, 2);
        let now = Instant::now();
        for no in 0..u32::try_from(limits::COUNTED_VISITORS).unwrap() + 10 {
            let address = IpAddr::from(no.to_be_bytes());
            allowance.take(&no.to_string(), Some(address), "a", now + Duration::from_millis(no.into())).unwrap();
        }
        let counted = allowance.counted.lock().unwrap();
        assert_eq!(
            (counted.cookies.len(), counted.addresses.len()),
            (limits::COUNTED_VISITORS, limits::COUNTED_VISITORS)
        );
    }
}
