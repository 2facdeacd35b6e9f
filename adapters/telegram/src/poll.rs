//! Long polling: the bot asks for updates. The next request confirms what came before, so it is made only once all of
//! that is stored.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
            let pause = match self.updates(from).await {
                Ok(updates) if updates.is_empty() => None,
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

    /// Takes updates in their order; notes how far. Where one cannot be stored, the pause before it is asked for again.
    async fn take_all(self: &Arc<Self>, updates: &[Value], offset: &mut Option<Offset>) -> Option<Option<Duration>> {
        let mut next = None;
        let mut pause = None;
        for (no, update) in updates.iter().enumerate() {
            if let Err(error) = self.take(update).await {
                tracing::warn!(error = %error.0, "an update could not be stored; it is asked for again");
                updates.iter().skip(no).for_each(|update| self.tell_away(update));
                pause = Some(None);
                break;
            }
            next = translate::number(update).map(|number| number + 1).or(next);
        }
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

/// A pause that grows, with a little chance in it so that many bots do not come back at once.
pub(crate) fn backoff(failures: u32) -> Duration {
    let mut chance = [0_u8];
    // Without chance the pause is only less spread.
    let _ = getrandom::fill(&mut chance);
    let whole = Duration::from_millis(500) * 2_u32.pow(failures.clamp(1, 7) - 1);
    whole / 2 + whole / 2 * u32::from(chance[0]) / 255
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
    fn pauses_grow_and_end() {
        for (failures, most) in [(1, 500), (2, 1000), (5, 8000), (50, 32_000)] {
            let pause = backoff(failures);
            assert!(pause <= Duration::from_millis(most) && pause >= Duration::from_millis(most / 2), "{pause:?}");
        }
    }
}
