//! Modals that are known to be open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use chat::{Delivery, Nonce, Place, Reply};
use formwright_chat as chat;
use serde_json::Value;
use tokio::sync::oneshot;

/// Modals and expectations kept; beyond that all are forgotten.
const KEPT: usize = 10_000;

/// A modal on a person's screen.
#[derive(Clone, Debug)]
pub(crate) struct OpenView {
    pub(crate) id: String,
    /// As it was drawn; Slack refuses to change one that was changed since.
    pub(crate) hash: Option<String>,
    pub(crate) user: String,
}

/// All modals that are known to be open.
#[derive(Default)]
pub(super) struct Known {
    pub(crate) by_screen: BTreeMap<Nonce, Vec<OpenView>>,
    /// Sent or closed before Slack's answer to their opening was heard.
    pub(crate) gone: BTreeSet<String>,
}

/// All modals that are known to be open, and those who wait for what comes next.
#[derive(Default)]
pub(crate) struct Views {
    known: Mutex<Known>,
    pub(crate) expected: Mutex<BTreeMap<(Place, String), oneshot::Sender<Reply>>>,
}

impl Views {
    /// A reply to this person here is waited for.
    pub(crate) fn expects(&self, at: &Place, user: &str) -> oneshot::Receiver<Reply> {
        let (sender, receiver) = oneshot::channel();
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        expected.retain(|_, waiting| !waiting.is_closed());
        expected.insert((at.clone(), user.to_owned()), sender);
        receiver
    }

    /// A reply is on its way; whoever waits for it has it.
    pub(crate) fn came(&self, delivery: &Delivery) {
        let key = (delivery.place.clone(), delivery.user.as_str().to_owned());
        let waiting = self.expected.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
        if let Some(waiting) = waiting {
            // Who waited too long has gone.
            let _ = waiting.send(delivery.reply.clone());
        }
    }

    /// A modal was sent or closed: it is no longer open as it was.
    pub(crate) fn closed(&self, view: &str) {
        let mut known = self.lock();
        let mut was_known = false;
        for views in known.by_screen.values_mut() {
            was_known |= views.iter().any(|open| open.id == view);
            views.retain(|open| open.id != view);
        }
        known.by_screen.retain(|_, views| !views.is_empty());
        if !was_known {
            if known.gone.len() >= KEPT {
                known.gone.clear();
            }
            known.gone.insert(view.to_owned());
        }
    }

    /// Slack has opened a modal for this screen. A quick person may have sent or closed it before that was heard.
    pub(crate) fn opened(&self, nonce: &Nonce, view: &Value, user: &str) {
        if !view["id"].as_str().is_some_and(|id| self.lock().gone.remove(id)) {
            self.shows(nonce, view, user);
        }
    }

    /// A modal that is open shows this screen.
    pub(crate) fn shows(&self, nonce: &Nonce, view: &Value, user: &str) {
        let text = |key: &str| view[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let Some(id) = text("id") else { return };
        let open = &mut self.lock().by_screen;
        if open.len() >= KEPT {
            open.clear();
        }
        open.entry(nonce.clone()).or_default().push(OpenView { id, hash: text("hash"), user: user.to_owned() });
    }

    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_modal_sent_before_slack_said_that_it_is_open_is_not_open() {
        let (views, screen, next) = (Views::default(), Nonce::new(1), Nonce::new(2));
        let view = json!({"id": "V1"});
        views.closed("V1");
        views.shows(&next, &view, "U1");
        views.opened(&screen, &view, "U1");
        assert!(views.lock().by_screen.keys().eq([&next]), "it shows what comes next");

        views.closed("V1");
        assert!(views.lock().by_screen.is_empty());
        views.opened(&screen, &json!({"id": "V2"}), "U1");
        assert!(views.lock().by_screen.contains_key(&screen), "others open as ever");
    }
}
