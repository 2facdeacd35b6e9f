//! How messages look once they have served. No question waits for that: a change is made beside the replies, the newest of
//! one message in place of those before it, and is dropped where it comes too late to matter.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Method;
use serde_json::Value;
use tokio::time::Instant;

use crate::api::{Call, ORIGINAL, Rest, RestError};
use crate::limits;

/// In the place of a token: the message hides a question.
pub(crate) const VEIL: &str = "~";

/// Messages that are about to look different, as screens spell them: `channel/message`, `token/channel/message` for an
/// answer to an interaction, `~/channel/message` for one that hides a question.
#[derive(Default)]
pub(crate) struct Looks {
    changes: Mutex<BTreeMap<String, Change>>,
    presses: Mutex<BTreeMap<String, Drawing>>,
}

/// What becomes of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// It shows this.
    To(Value),
    /// It goes.
    Away,
}

/// How a screen ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ending {
    /// What becomes of its message.
    pub(super) change: Change,
    /// The answer to a press shows something that turned out to be untrue.
    pub(super) corrects: bool,
}

/// A message that the answer to a press draws.
#[derive(Default)]
struct Drawing {
    drawn: bool,
    ended: Option<Ending>,
}

/// Messages remembered as drawn by presses, until their screens end.
const PRESSES: usize = 10_000;

impl Looks {
    /// The answer to a press is going to draw a message: nothing else does.
    pub(crate) fn press(&self, message: &str) {
        let mut presses = lock(&self.presses);
        if presses.len() >= PRESSES {
            presses.clear();
        }
        presses.insert(message.to_owned(), Drawing::default());
    }

    /// The answer to a press has arrived, or has not. Gives what is to be changed now.
    pub(crate) fn pressed(&self, message: &str, arrived: bool) -> Option<Change> {
        let mut presses = lock(&self.presses);
        let drawing = presses.get_mut(message)?;
        drawing.drawn = arrived;
        if arrived && drawing.ended.is_none() {
            return None;
        }
        let ended = presses.remove(message)?.ended?;
        (!arrived || ended.corrects).then_some(ended.change)
    }

    /// A screen has ended. Gives what is to be changed now.
    pub(super) fn end(&self, message: &str, ending: Ending) -> Option<Change> {
        let mut presses = lock(&self.presses);
        match presses.get_mut(message) {
            None => Some(ending.change),
            Some(drawing) if !drawing.drawn => {
                drawing.ended = Some(ending);
                None
            }
            Some(_) => {
                presses.remove(message);
                ending.corrects.then_some(ending.change)
            }
        }
    }

    /// Changes a message as soon as it can be.
    pub(crate) fn change(self: &Arc<Self>, rest: &Arc<Rest>, application: &str, message: &str, change: Change) {
        if lock(&self.changes).insert(message.to_owned(), change).is_some() {
            // Whoever is at it takes the newer one.
            return;
        }
        let (looks, rest) = (Arc::clone(self), Arc::clone(rest));
        let (application, message) = (application.to_owned(), message.to_owned());
        tokio::spawn(async move { looks.work(&rest, &application, &message).await });
    }

    async fn work(&self, rest: &Rest, application: &str, message: &str) {
        let latest = Instant::now() + limits::LOOKS;
        loop {
            let Some(change) = lock(&self.changes).get(message).cloned() else { return };
            let wait = match make(rest, application, message, &change).await {
                Err(RestError::Limited { after }) => after,
                Err(RestError::Down(_)) => limits::LOOK,
                Ok(_) | Err(_) => {
                    let mut changes = lock(&self.changes);
                    if changes.get(message) == Some(&change) {
                        changes.remove(message);
                        return;
                    }
                    continue;
                }
            };
            if Instant::now() + wait > latest {
                tracing::debug!("discord: a message stays as it was: the change came too late to matter");
                lock(&self.changes).remove(message);
                return;
            }
            tokio::time::sleep(wait).await;
        }
    }
}

/// Changes a message, as an answer to its interaction while that is possible.
async fn make(rest: &Rest, application: &str, message: &str, change: &Change) -> Result<Value, RestError> {
    let mut parts = message.rsplitn(3, '/');
    let (id, channel, token) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next());
    let (method, body) = match change {
        Change::To(body) => (Method::PATCH, Some(body)),
        Change::Away => (Method::DELETE, None),
    };
    if let Some(token) = token.filter(|token| *token != VEIL) {
        match rest.call(Call::answered(application, token, id, method)?, body).await {
            Err(RestError::Refused { .. }) if id != ORIGINAL => {}
            answer => return answer,
        }
    }
    let call = match change {
        Change::To(_) => Call::edit(channel, id)?,
        Change::Away => Call::delete(channel, id)?,
    };
    rest.call(call, body).await
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
