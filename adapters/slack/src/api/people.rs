//! What Slack knows of the persons: name, language, time zone. Asked once an hour and kept in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chat::OneByOne;
use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::api::Api;

/// How long an answer counts.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// How long not to ask again after no answer.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// How long is waited to know who somebody is.
const IN: Duration = Duration::from_millis(1200);
/// Persons kept; beyond that those known longest are asked again.
const KEPT: usize = 10_000;

/// A person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) name: Option<String>,
    /// BCP 47.
    pub(crate) locale: Option<String>,
    /// IANA.
    pub(crate) zone: Option<String>,
}

/// All persons asked for lately.
#[derive(Default)]
pub(crate) struct People {
    known: Mutex<BTreeMap<String, (Timestamp, Person)>>,
    /// One person is asked for once at a time.
    asked: OneByOne,
}

impl People {
    /// The person; nothing is known of one whom Slack does not tell of in time.
    pub(crate) async fn get(&self, api: &Api, user: &str) -> Person {
        let (known, true) = self.known(user) else { return self.ask(api, user).await };
        known
    }

    /// What is known of a person, and whether that is all there is to know for now.
    pub(crate) fn known(&self, user: &str) -> (Person, bool) {
        match self.lock().get(user) {
            Some((until, person)) => (person.clone(), *until > Timestamp::now()),
            None => (Person::default(), false),
        }
    }

    async fn ask(&self, api: &Api, user: &str) -> Person {
        let _alone = self.asked.turn(user).await;
        // Another may have asked meanwhile. What was known before still helps.
        let (person, fresh) = self.known(user);
        if fresh {
            return person;
        }
        let now = Timestamp::now();
        let params = [("user", user), ("include_locale", "true")];
        let (person, until) = match tokio::time::timeout(IN, api.get("users.info", &params)).await {
            Ok(Ok(answer)) => (read(&answer), now + FRESH),
            Ok(Err(_)) | Err(_) => (person, now + PAUSE),
        };
        let mut known = self.lock();
        if known.len() >= KEPT {
            known.retain(|_, (until, _)| *until > now + FRESH / 2);
        }
        known.insert(user.to_owned(), (until, person.clone()));
        person
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, (Timestamp, Person)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Person {
    /// The person as events name them.
    pub(crate) fn user(self, id: &str) -> chat::User {
        chat::User { id: chat::UserId::new(id), name: self.name, locale: self.locale, zone: self.zone }
    }
}

fn read(answer: &Value) -> Person {
    let some = |pointer: &str| {
        let text = answer.pointer(pointer).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let name = ["/user/profile/display_name", "/user/profile/real_name", "/user/real_name", "/user/name"];
    Person { name: name.iter().find_map(|pointer| some(pointer)), locale: some("/user/locale"), zone: some("/user/tz") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_person_is_read_from_users_info() {
        let answer = json!({"ok": true, "user": {"id": "U1", "name": "ada", "real_name": "Ada Lovelace",
            "tz": "Europe/London", "locale": "en-GB", "profile": {"display_name": "", "real_name": "Ada Lovelace"}}});
        let person = read(&answer);
        assert_eq!(person.name.as_deref(), Some("Ada Lovelace"));
        assert_eq!((person.locale.as_deref(), person.zone.as_deref()), (Some("en-GB"), Some("Europe/London")));
        assert_eq!(read(&json!({})), Person::default());
    }
}
