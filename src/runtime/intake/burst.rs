//! Several short messages one after the other are one: what looks unfinished waits a moment for the next, and so does
//! whatever somebody says who writes in pieces. A message that is whole goes on at once, and anything but a message, such as a
//! press, ends the wait.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use formwright_chat as chat;
use tokio::time::Instant;

use super::under_way::Held;
use formwright_store::SessionKey;

/// Messages by themselves after which somebody does not write in pieces any more.
const WHOLE_AGAIN: u8 = 3;
/// Writers that are remembered before those are forgotten who have been silent for [`SILENT`].
const WRITERS: usize = 4096;
const SILENT: Duration = Duration::from_secs(600);

/// An accepted event on its way to its turn.
pub(crate) struct Coming {
    pub(crate) event: chat::Event,
    /// Lets go of the event when its turn has ended.
    pub(crate) held: Held,
}

/// Messages that wait for more.
#[derive(Default)]
pub(crate) struct Bursts(Mutex<Waiting>);

#[derive(Default)]
pub(super) struct Waiting {
    pub(super) bursts: HashMap<SessionKey, Burst>,
    begun: u64,
    pub(super) writers: HashMap<(chat::Platform, chat::UserId), Writer>,
}

/// Messages of one session that wait together.
pub(super) struct Burst {
    pub(super) no: u64,
    pub(super) coming: Vec<Coming>,
}

/// How somebody writes.
pub(super) struct Writer {
    /// When their last message came.
    last: Instant,
    /// How many of their messages are still taken for pieces.
    pub(super) pieces: u8,
}

/// A message that has been put to those that wait.
pub(super) struct Added {
    pub(super) burst: u64,
    pub(super) first: bool,
}

impl Waiting {
    /// Notes how somebody writes: in pieces where a message comes within the window of the one before.
    pub(super) fn note_writer(&mut self, event: &chat::Event, window: Duration) {
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

    pub(super) fn add(&mut self, key: &SessionKey, coming: Coming) -> Added {
        let begun = self.begun + 1;
        let burst = self.bursts.entry(key.clone()).or_insert(Burst { no: begun, coming: Vec::new() });
        self.begun = self.begun.max(burst.no);
        burst.coming.push(coming);
        Added { burst: burst.no, first: burst.coming.len() == 1 }
    }

    /// Whether what waits was said by another person, or on other terms: that is no part of the same message.
    pub(super) fn is_of_another(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let last = self.bursts.get(key).and_then(|burst| burst.coming.last());
        last.is_some_and(|last| last.event.user.id != event.user.id || !last.event.terms.alike(&event.terms))
    }

    /// Whether an event is the edit of a message that waits.
    pub(super) fn is_edit(&self, key: &SessionKey, event: &chat::Event) -> bool {
        let chat::Action::Edit { message, .. } = &event.action else { return false };
        let mut burst = self.bursts.get(key).into_iter().flat_map(|burst| &burst.coming);
        burst.any(|coming| coming.event.terms.message.as_ref() == Some(message))
    }
}

impl Bursts {
    /// Drops what waits of a person, and what is known of them.
    pub(super) fn drop_of(&self, platform: &chat::Platform, user: &chat::UserId) {
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

    pub(super) fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn writer_of(event: &chat::Event) -> (chat::Platform, chat::UserId) {
    (event.place.platform.clone(), event.user.id.clone())
}

/// Puts messages into the order in which they were written, where they came over several connections: ids of a platform's
/// messages grow. Ids of other kinds among them tell nothing, and all stays as it came.
pub(super) fn in_order(burst: &mut [Coming]) {
    let length = |coming: &Coming| coming.event.id.as_str().len();
    if burst.windows(2).all(|two| length(&two[0]) == length(&two[1])) {
        burst.sort_by(|one, other| one.event.id.cmp(&other.event.id));
    }
}

/// The messages of a burst as one: the last one, with the words of all as they read now. None for no messages.
pub(crate) fn merged(events: &[chat::Event]) -> Option<chat::Event> {
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
