//! Replies that answer no request, kept until the page fetches them: bounded, in memory, the oldest go first.
//!
//! Nothing is lost with them for good: the session keeps what was said last, and a reload draws it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use formwright_chat::Reply;
use serde::Serialize;
use tokio::sync::{Notify, Semaphore};

use crate::limits;

/// A reply with its number: greater than that of every notice before, also across restarts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Notice {
    /// Send it as `after` to get the next ones.
    pub(crate) no: u64,
    /// The reply.
    pub(crate) reply: Reply,
}

/// The notices of all conversations.
pub(crate) struct Notices {
    boxes: Mutex<BTreeMap<String, Mailbox>>,
    /// Has no permits and never will: waiting for one waits until it is closed.
    closing: Semaphore,
}

impl Default for Notices {
    fn default() -> Self {
        Self { boxes: Mutex::default(), closing: Semaphore::new(0) }
    }
}

struct Mailbox {
    notices: VecDeque<Notice>,
    next: u64,
    touched: Instant,
    arrived: Arc<Notify>,
}

impl Mailbox {
    fn newer(&self, after: u64) -> Vec<Notice> {
        self.notices.iter().filter(|notice| notice.no > after).cloned().collect()
    }
}

impl Notices {
    /// Keeps a reply for a conversation and wakes whoever waits for it.
    pub(crate) fn post(&self, conversation: &str, reply: Reply) {
        let mut boxes = self.lock();
        let mailbox = open(&mut boxes, conversation);
        mailbox.notices.push_back(Notice { no: mailbox.next, reply });
        mailbox.next += 1;
        if mailbox.notices.len() > limits::NOTICES {
            mailbox.notices.pop_front();
        }
        mailbox.arrived.notify_waiters();
    }

    /// The number of the newest notice of a conversation; 0 where there is none.
    pub(crate) fn newest(&self, conversation: &str) -> u64 {
        self.lock().get(conversation).and_then(|mailbox| mailbox.notices.back()).map_or(0, |notice| notice.no)
    }

    /// The notices of a conversation after a number that are there already.
    pub(crate) fn there(&self, conversation: &str, after: u64) -> Vec<Notice> {
        open(&mut self.lock(), conversation).newer(after)
    }

    /// The notices of a conversation after a number; waits for one where there is none yet.
    pub(crate) async fn after(&self, conversation: &str, after: u64) -> Vec<Notice> {
        let deadline = tokio::time::Instant::now() + limits::POLL_TIME;
        loop {
            let arrived = {
                let mut boxes = self.lock();
                let mailbox = open(&mut boxes, conversation);
                let new = mailbox.newer(after);
                if !new.is_empty() {
                    return new;
                }
                // Owned, and made under the lock: a notice posted from here on wakes it.
                Arc::clone(&mailbox.arrived).notified_owned()
            };
            tokio::select! {
                () = arrived => {}
                () = tokio::time::sleep_until(deadline) => return Vec::new(),
                _ = self.closing.acquire() => return Vec::new(),
            }
        }
    }

    /// Sends everybody home who waits, now and later: the server is stopping.
    pub(crate) fn close(&self) {
        self.closing.close();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Mailbox>> {
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open<'a>(boxes: &'a mut BTreeMap<String, Mailbox>, conversation: &str) -> &'a mut Mailbox {
    if boxes.len() >= limits::MAILBOXES && !boxes.contains_key(conversation) {
        let idle = boxes.iter().filter(|(_, mailbox)| Arc::strong_count(&mailbox.arrived) == 1);
        let oldest = idle.min_by_key(|(_, mailbox)| mailbox.touched).map(|(id, _)| id.clone());
        if let Some(oldest) = oldest.or_else(|| boxes.keys().next().cloned()) {
            boxes.remove(&oldest);
        }
    }
    let mailbox = boxes.entry(conversation.to_owned()).or_insert_with(|| Mailbox {
        notices: VecDeque::new(),
        next: milliseconds(),
        touched: Instant::now(),
        arrived: Arc::new(Notify::new()),
    });
    mailbox.touched = Instant::now();
    mailbox
}

/// Where the numbers of a new mailbox start, so that they go on after a restart.
fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX / 2)
}
