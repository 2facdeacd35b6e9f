//! Several short messages one after the other are one: what looks unfinished waits a moment for the next, and so does
//! whatever somebody says who writes in pieces. A message that is whole goes on at once, and anything but a message, such as a
//! press, ends the wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use formwright_chat as chat;
use tokio::time::Instant;

use super::Runtime;
use super::under_way::Held;
use formwright_engine::Session;
use formwright_store::{SessionKey, Stored};

/// Messages by themselves after which somebody does not write in pieces any more.
const WHOLE_AGAIN: u8 = 3;
/// Writers that are remembered before those are forgotten who have been silent for [`SILENT`].
const WRITERS: usize = 4096;
const SILENT: Duration = Duration::from_secs(600);

/// An accepted event on its way to its turn.
pub(super) struct Coming {
    pub(super) event: chat::Event,
    /// Lets go of the event when its turn has ended.
    pub(super) held: Held,
}

/// Messages that wait for more.
#[derive(Default)]
pub(super) struct Bursts(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    bursts: HashMap<SessionKey, Burst>,
    begun: u64,
    writers: HashMap<(chat::Platform, chat::UserId), Writer>,
}

/// Messages of one session that wait together.
struct Burst {
    no: u64,
    coming: Vec<Coming>,
}

/// How somebody writes.
struct Writer {
    /// When their last message came.
    last: Instant,
    /// How many of their messages are still taken for pieces.
    pieces: u8,
}

/// A message that has been put to those that wait.
struct Added {
    burst: u64,
    first: bool,
}

impl Waiting {
    /// Notes how somebody writes: in pieces where a message comes within the window of the one before.
    fn note_writer(&mut self, event: &chat::Event, window: Duration) {
        let now = Instant::now();
        if self.writers.len() >= WRITERS {
            self.writers.retain(|_, writer| now.duration_since(writer.last) < SILENT);
        }
        let known = self.writers.get(&writer_of(event));
        let pieces = match known {
            Some(writer) if now.duration_since(writer.last) < window => WHOLE_AGAIN,
            known => known.map_or(0, |writer| writer.pieces.saturating_sub(1)),
        };
        self.writers.insert(writer_of(event), Writer { last: now, pieces });
    }

    fn add(&mut self, key: &SessionKey, coming: Coming) -> Added {
        let begun = self.begun + 1;
        let burst = self.bursts.entry(key.clone()).or_insert(Burst { no: begun, coming: Vec::new() });
        self.begun = self.begun.max(burst.no);
        burst.coming.push(coming);
        Added { burst: burst.no, first: burst.coming.len() == 1 }
    }

    /// Whether what waits was said by another person, or on other terms: that is no part of the same message.
    fn is_of_another(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let last = self.bursts.get(key).and_then(|burst| burst.coming.last());
        last.is_some_and(|last| last.event.user.id != event.user.id || !last.event.terms.alike(&event.terms))
    }

    /// Whether an event is the edit of a message that waits.
    fn is_edit(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let chat::Action::Edit { message, .. } = &event.action else { return false };
        let mut burst = self.bursts.get(key).into_iter().flat_map(|burst| &burst.coming);
        burst.any(|coming| coming.event.terms.message.as_ref() == Some(message))
    }
}

impl Bursts {
    /// Drops what waits of a person, and what is known of them.
    fn drop_of(&self, platform: &chat::Platform, user: &chat::UserId) {
        let theirs = |coming: &Coming| coming.event.place.platform == *platform && coming.event.user.id == *user;
        let mut waiting = self.waiting();
        waiting.writers.remove(&(platform.clone(), user.clone()));
        let mut dropped = Vec::new();
        waiting.bursts.retain(|_, burst| {
            dropped.extend(burst.coming.extract_if(.., |coming| theirs(coming)));
            !burst.coming.is_empty()
        });
        // Letting go of an event takes another lock.
        drop(waiting);
        drop(dropped);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runtime {
    /// Queues the turn of an event: a message that may go on once no other has come for a moment, anything else at once,
    /// behind the messages that wait.
    pub(super) fn gather(self: &Arc<Self>, key: SessionKey, coming: Coming) {
        let window = self.limits.merge_window;
        let chat::Event { action, terms, .. } = &coming.event;
        let may_go_on = matches!(action, chat::Action::Say { .. }) && !window.is_zero();
        let mut waiting = self.bursts.waiting();
        let edit = waiting.is_edit(&key, &coming.event);
        // Whoever waits for an answer has said all of it.
        if !edit && (!may_go_on || terms.waits || terms.case.is_some()) {
            self.post_waiting(&mut waiting, &key);
            return self.post_events(&key, vec![coming]);
        }
        if edit {
            waiting.add(&key, coming);
            return;
        }
        if waiting.is_of_another(&key, &coming.event) {
            self.post_waiting(&mut waiting, &key);
        }
        waiting.note_writer(&coming.event, window);
        let added = waiting.add(&key, coming);
        drop(waiting);
        let runtime = Arc::clone(self);
        tokio::spawn(async move {
            if runtime.goes_on(&key, added.burst).await {
                if !added.first {
                    return;
                }
                runtime.clock.pause(window).await;
            }
            runtime.flush(&key, added.burst);
        });
    }

    /// Whether more is to be expected of who wrote the messages of a burst.
    async fn goes_on(&self, key: &SessionKey, burst: u64) -> bool {
        let said = {
            let waiting = self.bursts.waiting();
            let Some(burst) = waiting.bursts.get(key).filter(|waiting| waiting.no == burst) else { return false };
            let Some(last) = burst.coming.last() else { return false };
            if waiting.writers.get(&writer_of(&last.event)).is_some_and(|writer| writer.pieces > 0) {
                return true;
            }
            let events: Vec<_> = burst.coming.iter().map(|coming| coming.event.clone()).collect();
            merged(&events)
        };
        let Some(event) = said else { return false };
        let chat::Action::Say { text } = &event.action else { return false };
        // What cannot be read now is read by the turn.
        let Stored { session, .. } = self.store.load_recent(key).await.unwrap_or_default();
        let session = session.map(Arc::unwrap_or_clone);
        let session = session.unwrap_or_else(|| Session::new(event.place.clone(), event.user.id.clone()));
        self.conversation().is_unfinished(&session, text)
    }

    /// Drops the messages of a person that wait for more.
    pub(super) fn drop_bursts_of(&self, platform: &chat::Platform, user: &chat::UserId) {
        self.bursts.drop_of(platform, user);
    }

    /// Queues the turn of a burst, unless that is done.
    fn flush(self: &Arc<Self>, key: &SessionKey, burst: u64) {
        let mut waiting = self.bursts.waiting();
        if waiting.bursts.get(key).is_some_and(|waiting| waiting.no == burst) {
            self.post_waiting(&mut waiting, key);
        }
    }

    /// Queues the turn of the messages of a session that wait, before anything else of it can be queued.
    fn post_waiting(self: &Arc<Self>, waiting: &mut Waiting, key: &SessionKey) {
        let Some(mut burst) = waiting.bursts.remove(key) else { return };
        in_order(&mut burst.coming);
        self.post_events(key, burst.coming);
    }
}

fn writer_of(event: &chat::Event) -> (chat::Platform, chat::UserId) {
    (event.place.platform.clone(), event.user.id.clone())
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
