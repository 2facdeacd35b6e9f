//! Several short messages one after the other are one: each waits a moment for the next, and they are read together.
//! Anything but a message, such as a press, ends the wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwright_chat as chat;

use super::Runtime;
use super::host::InFlight;
use crate::store::SessionKey;

/// An accepted event on its way to its turn.
pub(super) struct Coming {
    pub(super) event: chat::Event,
    /// Lets go of the event when its turn has ended.
    pub(super) held: InFlight,
}

/// Most messages that are read together: nobody keeps theirs waiting for ever.
const MOST: usize = 20;

/// Messages that wait for more.
pub(super) struct Bursts<M = Coming> {
    waiting: Mutex<Waiting<M>>,
}

struct Waiting<M> {
    /// The messages, and which wait for another one is theirs.
    bursts: HashMap<SessionKey, (Vec<M>, u64)>,
    /// Waits begun so far: each has a number of its own.
    waits: u64,
}

impl<M> Default for Bursts<M> {
    fn default() -> Self {
        Self { waiting: Mutex::new(Waiting { bursts: HashMap::new(), waits: 0 }) }
    }
}

impl Bursts {
    /// Whether what waits was said by another person, or on other terms: that is no part of the same message.
    fn is_of_another(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let waiting = self.waiting();
        let last = waiting.bursts.get(key).and_then(|(burst, _)| burst.last());
        last.is_some_and(|last| last.event.user.id != event.user.id || last.event.terms != event.terms)
    }
}

impl<M> Bursts<M> {
    /// Puts a message to those that wait, and begins to wait anew: gives the number of that wait. None where no more
    /// may join them.
    fn add(&self, key: &SessionKey, message: M) -> Option<u64> {
        let mut waiting = self.waiting();
        waiting.waits += 1;
        let wait = waiting.waits;
        let (burst, current) = waiting.bursts.entry(key.clone()).or_insert_with(|| (Vec::new(), wait));
        burst.push(message);
        *current = wait;
        (burst.len() < MOST).then_some(wait)
    }

    fn take(&self, key: &SessionKey) -> Vec<M> {
        self.waiting().bursts.remove(key).map(|(burst, _)| burst).unwrap_or_default()
    }

    /// What waits, where no other message has come since this wait began.
    fn take_after(&self, key: &SessionKey, wait: u64) -> Vec<M> {
        let mut waiting = self.waiting();
        if waiting.bursts.get(key).is_none_or(|(_, current)| *current != wait) {
            return Vec::new();
        }
        waiting.bursts.remove(key).map(|(burst, _)| burst).unwrap_or_default()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<M>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runtime {
    /// Queues the turn of an event: a message once no other has come for a moment, anything else at once, behind the
    /// messages that wait.
    pub(super) fn gather(self: &Arc<Self>, key: SessionKey, coming: Coming) {
        if self.bursts.is_of_another(&key, &coming.event) {
            self.flush(&key);
        }
        let is_message = matches!(coming.event.action, chat::Action::Say { .. });
        if !is_message || self.limits.merge_window.is_zero() {
            self.flush(&key);
            return self.post_events(&key, vec![coming]);
        }
        let Some(wait) = self.bursts.add(&key, coming) else { return self.flush(&key) };
        let runtime = Arc::clone(self);
        tokio::spawn(async move {
            runtime.clock.pause(runtime.limits.merge_window).await;
            runtime.post_events(&key, runtime.bursts.take_after(&key, wait));
        });
    }

    fn flush(self: &Arc<Self>, key: &SessionKey) {
        self.post_events(key, self.bursts.take(key));
    }
}

/// The messages of a burst as one: the last one, with the words of all. None for no messages.
pub(super) fn merged(events: &[chat::Event]) -> Option<chat::Event> {
    let mut last = events.last()?.clone();
    if let chat::Action::Say { text } = &mut last.action {
        let words = events.iter().filter_map(|event| match &event.action {
            chat::Action::Say { text } => Some(text.as_str()),
            _ => None,
        });
        *text = words.collect::<Vec<_>>().join("\n");
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SessionKey {
        Runtime::key(&chat::conformance::place("slack"), &chat::UserId::new("ada"))
    }

    #[test]
    fn messages_wait_from_the_last_one() {
        let bursts = Bursts::default();
        let waits = ["two", "pizzas"].map(|text| bursts.add(&key(), text).unwrap());
        assert!(bursts.take_after(&key(), waits[0]).is_empty(), "another came");
        assert_eq!(bursts.take_after(&key(), waits[1]), ["two", "pizzas"]);
        assert!(bursts.take_after(&key(), waits[1]).is_empty(), "each once");
    }

    #[test]
    fn a_wait_that_a_press_ended_does_not_end_the_next_one() {
        let bursts = Bursts::default();
        let old = bursts.add(&key(), "hello").unwrap();
        assert_eq!(bursts.take(&key()), ["hello"]);
        let new = bursts.add(&key(), "two").unwrap();
        assert!(bursts.take_after(&key(), old).is_empty());
        assert_eq!(bursts.take_after(&key(), new), ["two"]);
    }

    #[test]
    fn nobody_keeps_their_messages_waiting_for_ever() {
        let bursts = Bursts::default();
        let waits: Vec<bool> = (0..MOST).map(|no| bursts.add(&key(), no).is_some()).collect();
        assert_eq!(waits.iter().filter(|waits| !**waits).count(), 1);
        assert_eq!(waits.last(), Some(&false));
    }
}
