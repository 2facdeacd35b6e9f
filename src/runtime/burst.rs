//! Several short messages one after the other are one: each waits a moment for the next, and they are read together.
//! Anything but a message, such as a press, ends the wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwright_chat as chat;

use super::Runtime;
use super::under_way::Held;
use crate::store::SessionKey;

/// An accepted event on its way to its turn.
pub(super) struct Coming {
    pub(super) event: chat::Event,
    /// Lets go of the event when its turn has ended.
    pub(super) held: Held,
}

/// Messages that wait for more.
#[derive(Default)]
pub(super) struct Bursts {
    waiting: Mutex<HashMap<SessionKey, Vec<Coming>>>,
}

impl Bursts {
    /// Puts a message to those that wait; tells whether it is the first.
    fn add(&self, key: &SessionKey, coming: Coming) -> bool {
        let mut waiting = self.waiting();
        let burst = waiting.entry(key.clone()).or_default();
        burst.push(coming);
        burst.len() == 1
    }

    /// Whether what waits was said by another person, or on other terms: that is no part of the same message.
    fn is_of_another(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let waiting = self.waiting();
        let last = waiting.get(key).and_then(|burst| burst.last());
        last.is_some_and(|last| last.event.user.id != event.user.id || !last.event.terms.alike(&event.terms))
    }

    /// Whether an event is the edit of a message that waits.
    fn is_edit(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let chat::Action::Edit { message, .. } = &event.action else { return false };
        let waiting = self.waiting();
        let mut burst = waiting.get(key).into_iter().flatten();
        burst.any(|coming| coming.event.terms.message.as_ref() == Some(message))
    }

    fn take(&self, key: &SessionKey) -> Vec<Coming> {
        self.waiting().remove(key).unwrap_or_default()
    }

    /// Drops what waits of a person.
    fn drop_of(&self, platform: &chat::Platform, user: &chat::UserId) {
        let theirs = |coming: &Coming| coming.event.place.platform == *platform && coming.event.user.id == *user;
        let mut waiting = self.waiting();
        let mut dropped = Vec::new();
        waiting.retain(|_, burst| {
            dropped.extend(burst.extract_if(.., |coming| theirs(coming)));
            !burst.is_empty()
        });
        // Letting go of an event takes another lock.
        drop(waiting);
        drop(dropped);
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<SessionKey, Vec<Coming>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runtime {
    /// Queues the turn of an event: a message once no other has come for a moment, anything else at once, behind the
    /// messages that wait.
    pub(super) fn gather(self: &Arc<Self>, key: SessionKey, coming: Coming) {
        if self.bursts.is_edit(&key, &coming.event) {
            // Where it has been read meanwhile, the edit comes after it.
            if self.bursts.add(&key, coming) {
                self.flush(&key);
            }
            return;
        }
        if self.bursts.is_of_another(&key, &coming.event) {
            self.flush(&key);
        }
        let is_message = matches!(coming.event.action, chat::Action::Say { .. });
        // Whoever waits for an answer has said all of it.
        if !is_message
            || coming.event.terms.waits
            || coming.event.terms.case.is_some()
            || self.limits.merge_window.is_zero()
        {
            self.flush(&key);
            return self.post_events(&key, vec![coming]);
        }
        if self.bursts.add(&key, coming) {
            let runtime = Arc::clone(self);
            tokio::spawn(async move {
                runtime.clock.pause(runtime.limits.merge_window).await;
                runtime.flush(&key);
            });
        }
    }

    /// Drops the messages of a person that wait for more.
    pub(super) fn drop_bursts_of(&self, platform: &chat::Platform, user: &chat::UserId) {
        self.bursts.drop_of(platform, user);
    }

    fn flush(self: &Arc<Self>, key: &SessionKey) {
        let mut burst = self.bursts.take(key);
        in_order(&mut burst);
        if !burst.is_empty() {
            self.post_events(key, burst);
        }
    }
}

/// Puts messages into the order in which they were written, where they came over several connections: ids of a platform's
/// messages grow. Ids of other kinds among them tell nothing, and all stays as it came.
fn in_order(burst: &mut [Coming]) {
    let length = |coming: &Coming| coming.event.id.as_str().len();
    if burst.windows(2).all(|two| length(&two[0]) == length(&two[1])) {
        burst.sort_by(|one, other| one.event.id.cmp(&other.event.id));
    }
}

/// The messages of a burst as one: the last one, with the words of all as they read now. None for no messages.
pub(super) fn merged(events: &[chat::Event]) -> Option<chat::Event> {
    let mut last = events.last()?.clone();
    if events.len() == 1 {
        return Some(last);
    }
    let mut said: Vec<(Option<&chat::MessageId>, &str)> = Vec::new();
    for event in events {
        if let chat::Action::Say { text } = &event.action {
            said.push((event.terms.message.as_ref(), text));
        }
    }
    for event in events {
        let chat::Action::Edit { message, text } = &event.action else { continue };
        said.iter_mut().filter(|(of, _)| *of == Some(message)).for_each(|(_, now)| *now = text);
    }
    let joined = |(message, text): &(Option<&chat::MessageId>, &str)| {
        Some(chat::Joined { message: (*message)?.clone(), text: (*text).to_owned() })
    };
    last.terms.message = said.last().and_then(|(message, _)| message.cloned());
    last.terms.joined = if said.len() > 1 { said.iter().filter_map(joined).collect() } else { Vec::new() };
    let text = said.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n");
    last.action = chat::Action::Say { text };
    Some(last)
}
