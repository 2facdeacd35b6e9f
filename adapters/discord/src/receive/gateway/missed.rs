//! What was written while nobody listened.

use std::sync::Arc;

use chat::HostError;
use formwright_chat as chat;
use serde_json::Value;
use tokio::sync::watch;

use super::heard::message;
use crate::api::{Call, RestError};
use crate::limits;
use crate::receive::backoff::backoff;
use crate::receive::live::Live;

/// Reads what was written while nobody listened, in the channels where somebody fills in a form.
pub(super) async fn backfill(live: &Arc<Live>, mut stop: watch::Receiver<bool>) -> Result<(), HostError> {
    let mut tries = 0;
    for (channel, known) in live.intake.notes.watched().await?.0 {
        let mut after = known.after;
        while let Ok(call) = Call::history(&channel, &after) {
            let mut page = match live.rest.call(call, None).await {
                Ok(Value::Array(page)) => page,
                Ok(_) => break,
                Err(error @ RestError::Refused { .. }) => {
                    tracing::warn!(%error, "discord: a channel could not be read again");
                    break;
                }
                Err(error) => {
                    tracing::warn!(%error, "discord: a channel is read again later");
                    tries += 1;
                    tokio::select! {
                        () = tokio::time::sleep(backoff(tries)) => continue,
                        // What is not read now would never be: the session is not noted, and the next start reads again.
                        _ = stop.wait_for(|stop| *stop) => return Err(HostError::Unavailable(error.to_string())),
                    }
                }
            };
            let id = |message: &Value| message["id"].as_str().and_then(|id| id.parse::<u64>().ok()).unwrap_or_default();
            page.sort_by_key(id);
            for raw in &page {
                message(live, raw, Some(&known.guild)).await?;
            }
            let full = page.len() >= limits::HISTORY;
            match page.last().and_then(|last| last["id"].as_str()).filter(|_| full) {
                Some(newest) => after = newest.to_owned(),
                None => break,
            }
        }
    }
    Ok(())
}
