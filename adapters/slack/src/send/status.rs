//! “… is typing”: Slack shows it in threads alone, by `assistant.threads.setStatus`.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::json;

use crate::api::ApiError;
use crate::bot::Bot;

impl Bot {
    /// Shows in a thread that the bot is at work; the next message takes it away. Without a thread there is no way to,
    /// and where Slack does not let the app, it is not asked again.
    pub(crate) fn show_at_work(self: &Arc<Self>, place: &chat::Place, lang: &str) {
        let Some(thread) = place.thread.clone().filter(|_| self.has_status.load(Ordering::Relaxed)) else { return };
        let status = say(Word::AtWork, lang);
        let body = json!({"channel_id": place.channel, "thread_ts": thread, "status": status});
        let bot = Arc::clone(self);
        tokio::spawn(async move {
            match bot.api.post_within(Duration::ZERO, "assistant.threads.setStatus", &body).await {
                Err(ApiError::Refused(code)) if is_for_good(&code) => {
                    tracing::info!(code, "slack: no status while the bot is at work");
                    bot.has_status.store(false, Ordering::Relaxed);
                }
                Err(error) => tracing::debug!(%error, "a status was not shown"),
                Ok(_) => {}
            }
        });
    }
}

/// Whether a refusal is about the app rather than about this thread.
fn is_for_good(code: &str) -> bool {
    ["missing_scope", "not_allowed", "access_denied", "unknown_method", "method_", "feature_"]
        .iter()
        .any(|start| code.starts_with(start))
}
