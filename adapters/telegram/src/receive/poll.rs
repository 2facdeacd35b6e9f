//! Long polling: the bot asks for updates. The next request confirms what came before, so it is made only once all of
//! that is stored.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::backoff::backoff;
use crate::api::ApiError;
use crate::core::Core;
use crate::{limits, translate};

/// Kinds of updates that the bot asks for.
pub(crate) const UPDATES: [&str; 3] = ["message", "edited_message", "callback_query"];

/// The note of how far updates are confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Offset {
    /// Another bot counts from elsewhere.
    bot: i64,
    /// The first update that is not confirmed.
    next: i64,
    /// When the last one came.
    at: Timestamp,
}

impl Offset {
    /// The number to ask from; none where Telegram may count from elsewhere by now.
    fn from(self, bot: i64, now: Timestamp) -> Option<i64> {
        (self.bot == bot && now.duration_since(self.at) < limits::OFFSET_AGE).then_some(self.next)
    }
}

impl Core {
    /// Goes on asking once this replica may no longer, for as long as nothing can be kept: then no other replica may either,
    /// and whoever writes is told. What comes cannot be stored, so that it comes again. Ends where another program asks.
    pub(crate) async fn poll_while_away(self: &Arc<Self>) {
        tokio::select! {
            () = self.poll_until_conflict() => {}
            () = self.back() => {}
            () = tokio::time::sleep(limits::POLL_WHILE_AWAY) => {}
        }
    }

    async fn poll_until_conflict(self: &Arc<Self>) {
        let mut offset = None;
        let mut failures = 0;
        loop {
            let pause = match self.updates(None).await {
                Ok(updates) if updates.is_empty() => None,
                Ok(updates) => self.take_all(&updates, &mut offset).await,
                Err(error) if error.is_conflict() => return,
                Err(ApiError::Wait(after)) => Some(Some(after)),
                Err(_) => Some(None),
            };
            failures += 1;
            tokio::time::sleep(pause.flatten().unwrap_or_else(|| backoff(failures.min(3)))).await;
        }
    }

    /// Completes when something can be kept again.
    async fn back(&self) {
        while self.host.health().await.is_err() {
            tokio::time::sleep(limits::LOOK).await;
        }
    }

    /// Asks for updates and takes them, until it is dropped.
    pub(crate) async fn poll(self: &Arc<Self>) -> ! {
        let mut offset: Option<Offset> = None;
        let mut failures = 0;
        loop {
            if offset.is_none() {
                offset = self.recall("offset").await.ok().flatten();
            }
            let from = offset.and_then(|offset| offset.from(self.me.id, Timestamp::now()));
            let asked = Instant::now();
            let pause = match self.updates(from).await {
                Ok(updates) if updates.is_empty() => {
                    tokio::time::sleep(rest(asked.elapsed())).await;
                    None
                }
                Ok(updates) => self.take_all(&updates, &mut offset).await,
                Err(error) => Some(self.explain(&error, failures).await),
            };
            let Some(pause) = pause else {
                failures = 0;
                continue;
            };
            failures += 1;
            tokio::time::sleep(pause.unwrap_or_else(|| backoff(failures))).await;
        }
    }

    async fn updates(&self, from: Option<i64>) -> Result<Vec<Value>, ApiError> {
        let mut body = json!({"timeout": limits::POLL.as_secs(), "limit": limits::UPDATES, "allowed_updates": UPDATES});
        if let Some(from) = from {
            body["offset"] = json!(from);
        }
        match self.api.call_within("getUpdates", &body, limits::POLL + limits::CALL).await? {
            Value::Array(updates) => Ok(updates),
            _ => Err(ApiError::Unreachable("an answer without updates".to_owned())),
        }
    }

    /// Takes updates, those of one person in their order, and notes how far. Where one cannot be stored, the pause before it
    /// is asked for again.
    async fn take_all(self: &Arc<Self>, updates: &[Value], offset: &mut Option<Offset>) -> Option<Option<Duration>> {
        let mut people = JoinSet::new();
        for theirs in by_person(updates) {
            people.spawn(Arc::clone(self).take_in_order(theirs));
        }
        let mut left: Option<i64> = None;
        while let Some(taken) = people.join_next().await {
            // What panicked is not known to be stored.
            let missed = taken.unwrap_or_else(|_| updates.first().and_then(translate::number));
            left = missed.into_iter().chain(left).min();
        }
        let newest = updates.iter().filter_map(translate::number).max().map(|number| number + 1);
        let next = left.or(newest);
        let pause = left.map(|_| None);
        if let Some(next) = next {
            let new = Offset { bot: self.me.id, next, at: Timestamp::now() };
            *offset = Some(new);
            // Not noted, it is only that updates come again after a restart; the product knows them by their ids.
            if let Err(error) = self.remember("offset", None, Some(&new)).await {
                tracing::warn!(%error, "how far updates are taken could not be noted");
            }
        }
        pause
    }

    /// Takes the updates of one person, oldest first; gives the first one that could not be stored.
    async fn take_in_order(self: Arc<Self>, updates: Vec<Value>) -> Option<i64> {
        for (no, update) in updates.iter().enumerate() {
            if let Err(error) = self.take(update).await {
                tracing::warn!(error = %error.0, "an update could not be stored; it is asked for again");
                updates.iter().skip(no).for_each(|update| self.tell_away(update));
                return translate::number(update);
            }
        }
        None
    }

    /// Tells the operator what is wrong, and gives the pause that Telegram asked for, if any.
    async fn explain(&self, error: &ApiError, failures: u32) -> Option<Duration> {
        let told = failures == 0 || failures.is_multiple_of(10);
        if error.is_conflict() && told {
            let hook = self.api.call("getWebhookInfo", &json!({})).await.ok();
            let hook = hook.and_then(|hook| hook["url"].as_str().map(str::to_owned)).filter(|url| !url.is_empty());
            match hook {
                Some(_) => tracing::error!(
                    "telegram: a webhook was set for this bot while it is polling; another program uses the same \
                     token. Stop it, or let this one take calls from Telegram: telegram.webhook_url"
                ),
                None => tracing::error!(
                    "telegram: another program is asking for the updates of this bot with the same token; only one \
                     may. Stop the other one; trying again"
                ),
            }
        } else if told {
            tracing::warn!(%error, "telegram: no updates; trying again");
        }
        match error {
            ApiError::Wait(after) => Some(*after),
            _ => None,
        }
    }
}

/// The pause after an answer without updates that took so long: none where the request was held open.
fn rest(held: Duration) -> Duration {
    limits::POLL_AT_LEAST.saturating_sub(held)
}

/// Updates by whose they are, in the order in which they came: people do not wait for each other. What is nobody's, such as
/// a group that moved, comes before all that follows, and so all is one person's then.
fn by_person(updates: &[Value]) -> Vec<Vec<Value>> {
    let mut people: Vec<(Option<i64>, Vec<Value>)> = Vec::new();
    let alone = updates.iter().any(|update| translate::moved(update).is_some());
    for update in updates {
        let sender = translate::sender(update).filter(|_| !alone);
        match people.iter_mut().find(|(person, _)| *person == sender) {
            Some((_, theirs)) => theirs.push(update.clone()),
            None => people.push((sender, vec![update.clone()])),
        }
    }
    people.into_iter().map(|(_, theirs)| theirs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_offset_or_one_of_another_bot_is_not_used() {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        let offset = Offset { bot: 42, next: 7, at };
        assert_eq!(offset.from(42, at), Some(7));
        assert_eq!(offset.from(43, at), None);
        assert_eq!(offset.from(42, at + limits::OFFSET_AGE), None);
    }

    #[test]
    fn an_empty_answer_that_came_at_once_is_waited_for() {
        let millis = Duration::from_millis;
        for (held, pause) in [(0, 1000), (300, 700), (999, 1), (1000, 0), (25_000, 0)] {
            assert_eq!(rest(millis(held)), millis(pause));
        }
    }

    #[test]
    fn people_are_side_by_side_and_each_in_order() {
        let said = |no: i64, who: i64| json!({"update_id": no, "message": {"message_id": no, "from": {"id": who}}});
        let pressed = |no: i64, who: i64| json!({"update_id": no, "callback_query": {"id": "q", "from": {"id": who}}});
        let numbers = |updates: &[Value]| -> Vec<Vec<i64>> {
            let theirs = |updates: &Vec<Value>| updates.iter().filter_map(translate::number).collect();
            by_person(updates).iter().map(theirs).collect()
        };
        let edited = json!({"update_id": 6, "edited_message": {"message_id": 1, "from": {"id": 1}}});
        let all = [said(1, 1), said(2, 2), pressed(3, 1), said(4, 3), pressed(5, 2), edited];
        assert_eq!(numbers(&all), [vec![1, 3, 6], vec![2, 5], vec![4]]);
        let moves = json!({"update_id": 3, "message": {"chat": {"id": -1}, "migrate_to_chat_id": -100}});
        assert_eq!(numbers(&[said(1, 1), said(2, 2), moves, said(4, 1)]), [[1, 2, 3, 4]]);
    }
}
