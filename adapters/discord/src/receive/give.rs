//! Interactions are answered.

use std::sync::Arc;

use serde_json::Value;

use crate::api::Call;
use crate::intake::Answer;
use crate::receive::live::Live;
use crate::translate;

/// Gives the answer to an interaction.
pub(crate) fn give(live: &Arc<Live>, raw: &Value, answer: Answer) {
    let (Some(id), Some(token)) = (translate::text(&raw["id"]), translate::text(&raw["token"])) else { return };
    let live = Arc::clone(live);
    // The next event need not wait for Discord.
    tokio::spawn(async move {
        let answered = match Call::answer(&id, &token) {
            Ok(call) => live.rest.call(call, Some(&answer.body)).await,
            Err(error) => Err(error),
        };
        live.intake.memory.has_answered(&token);
        if let Err(error) = &answered {
            // Stored all the same.
            tracing::debug!(%error, "discord: an interaction was not answered");
        }
        if let Some(message) = &answer.draws {
            crate::send::pressed(&live.intake, &live.rest, message, answered.is_ok());
        }
    });
}
