//! What is told on channels: that a partition has new events, and that a turn was committed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redis::{PushInfo, PushKind, Value};
use tokio::sync::Notify;

use crate::SessionKey;
use crate::redis::keys::{Digest, Names, PARTITIONS};
use crate::replicas::Partition;
use formwright_chat as chat;

/// Who waits for what, and what is not read yet.
pub(crate) struct Post {
    channel_news: String,
    channel_done: String,
    news: Mutex<BTreeSet<Partition>>,
    bell: Notify,
    waiting: Mutex<BTreeMap<String, Vec<Arc<Notify>>>>,
}

impl Post {
    pub(crate) fn new(names: &Names) -> Self {
        Self {
            channel_news: names.news(),
            channel_done: names.done(),
            news: Mutex::default(),
            bell: Notify::new(),
            waiting: Mutex::default(),
        }
    }

    /// The channels to listen to.
    pub(crate) fn channels(&self) -> [String; 2] {
        [self.channel_news.clone(), self.channel_done.clone()]
    }

    /// Takes a message in.
    pub(crate) fn heard(&self, info: &PushInfo) {
        if info.kind != PushKind::Message {
            return;
        }
        let text = |no: usize| match info.data.get(no) {
            Some(Value::BulkString(bytes)) => std::str::from_utf8(bytes).ok(),
            Some(Value::SimpleString(text)) => Some(text.as_str()),
            _ => None,
        };
        let (Some(channel), Some(message)) = (text(0), text(1)) else { return };
        if channel == self.channel_done {
            self.done(message);
        } else if channel == self.channel_news
            && let Ok(partition) = message.parse()
            && partition < PARTITIONS
        {
            self.news_of(Partition(partition));
        }
    }

    /// A partition has new events.
    pub(crate) fn news_of(&self, partition: Partition) {
        self.news().insert(partition);
        self.bell.notify_one();
    }

    /// The partitions with new events.
    pub(crate) fn news(&self) -> MutexGuard<'_, BTreeSet<Partition>> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a partition has new events.
    pub(crate) async fn rings(&self) {
        self.bell.notified().await;
    }

    /// Wakes those who wait for a turn; tells whether there were any.
    pub(crate) fn done(&self, name: &str) -> bool {
        let waiting = self.waiting();
        let Some(waiting) = waiting.get(name) else { return false };
        waiting.iter().for_each(|one| one.notify_one());
        true
    }

    /// Waits for a turn from now on, until what is given is dropped.
    pub(crate) fn wait(&self, name: String) -> Waiting<'_> {
        let bell = Arc::new(Notify::new());
        self.waiting().entry(name.clone()).or_default().push(Arc::clone(&bell));
        Waiting { post: self, name, bell }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Arc<Notify>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a turn is named on the channel.
pub(crate) fn name(key: &SessionKey, event: &chat::EventId) -> String {
    Digest::of(&["done", key.as_str(), event.as_str()]).as_str().to_owned()
}

/// Somebody who waits for a turn.
pub(crate) struct Waiting<'a> {
    post: &'a Post,
    name: String,
    pub(crate) bell: Arc<Notify>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = self.post.waiting();
        if let Some(of_turn) = waiting.get_mut(&self.name) {
            of_turn.retain(|one| !Arc::ptr_eq(one, &self.bell));
            if of_turn.is_empty() {
                waiting.remove(&self.name);
            }
        }
    }
}
