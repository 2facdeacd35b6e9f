//! App Homes as they were drawn last.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chat::{Place, UserId};
use formwright_chat as chat;
use serde_json::Value;

use crate::send::latest::Latest;
use crate::translate::Home;

/// Persons whose App Home is remembered as it was drawn last.
pub(super) const KEPT: usize = 10_000;

/// App Homes as they were drawn last, so that one that is the same is not sent again.
#[derive(Default)]
pub(crate) struct Homes {
    pub(crate) drawn: Mutex<BTreeMap<String, Value>>,
    /// Which form each person was asked about last, at each place.
    pub(crate) asked: Mutex<BTreeMap<(UserId, Place), Option<String>>>,
    /// App Homes that are to be drawn.
    pub(crate) due: Latest<Home>,
}

impl Homes {
    /// Whether a draft begins or ends with a delivery.
    pub(super) fn turns(&self, delivery: &chat::Delivery) -> bool {
        let form = delivery.reply.form.clone().filter(|_| delivery.reply.complete.is_none());
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= KEPT {
            asked.clear();
        }
        let before = asked.insert((delivery.user.clone(), delivery.place.clone()), form.clone());
        before != Some(form)
    }

    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Value>> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use chat::{Delivery, Reply, ReplyId, conformance};
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_beginning_and_the_end_of_a_draft_count() {
        let homes = Homes::default();
        let turns = |form: Option<&str>, complete: bool| {
            let complete = complete.then(|| json!({}));
            let reply = Reply { form: form.map(str::to_owned), complete, ..Reply::default() };
            let (id, place) = (ReplyId::new("1"), conformance::place("slack"));
            homes.turns(&Delivery::first(id, place, UserId::new("U1"), reply))
        };
        assert_eq!([turns(Some("pizza"), false), turns(Some("pizza"), false)], [true, false]);
        assert_eq!([turns(Some("lunch"), false), turns(Some("lunch"), true)], [true, true]);
        assert_eq!([turns(None, false), turns(Some("lunch"), false)], [false, true]);
    }
}
