//! Response URLs: ways to answer a command or a press that no rate counts, a few times and for half an hour.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chat::Place;
use formwright_chat as chat;
use jiff::Timestamp;

use crate::limits;

/// The newest URL for each purpose.
#[derive(Default)]
pub(crate) struct Urls {
    by_key: Mutex<BTreeMap<Key, ResponseUrl>>,
}

/// What a URL is good for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Saying something to a person at a place.
    Say(Place, String),
    /// Changing a message, by its id as screens keep it.
    Change(String),
}

#[derive(Debug)]
struct ResponseUrl {
    url: String,
    since: Timestamp,
    uses: u32,
}

impl ResponseUrl {
    fn is_good(&self, now: Timestamp) -> bool {
        now.duration_since(self.since) < limits::RESPONSE_URL_LIFE && self.uses < limits::RESPONSE_URL_USES
    }
}

impl Urls {
    /// Keeps a URL that has just come, in place of an older one.
    pub(crate) fn keep(&self, key: Key, url: &str, now: Timestamp) {
        let mut urls = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        urls.retain(|_, url| url.is_good(now));
        urls.insert(key, ResponseUrl { url: url.to_owned(), since: now, uses: 0 });
    }

    /// A URL that still works; one of its uses is gone then.
    pub(crate) fn take(&self, key: &Key, now: Timestamp) -> Option<String> {
        let mut urls = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = urls.get_mut(key).filter(|url| url.is_good(now))?;
        kept.uses += 1;
        Some(kept.url.clone())
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn a_url_is_used_five_times_within_half_an_hour() {
        let (urls, now) = (Urls::default(), Timestamp::UNIX_EPOCH);
        let (one, other) = (Key::Change("C1:1".to_owned()), Key::Change("C1:2".to_owned()));
        urls.keep(one.clone(), "https://hooks/1", now);
        assert_eq!(urls.take(&other, now), None);
        let uses = (0..10).filter(|_| urls.take(&one, now).is_some()).count();
        assert_eq!(uses, 5);
        urls.keep(one.clone(), "https://hooks/2", now);
        assert_eq!(urls.take(&one, now).as_deref(), Some("https://hooks/2"));
        assert_eq!(urls.take(&one, now + SignedDuration::from_mins(30)), None);
    }
}
