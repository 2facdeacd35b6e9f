//! Presses at a desk that wait for what the case says to the presser alone: it pops up there, and the group reads nothing
//! of it.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::{CaseCode, Delivery, UserId};
use serde_json::json;

use super::waiting::Popup;
use crate::core::{Core, held};
use crate::limits;

/// How long a pressed button may look busy.
const WAIT: Duration = Duration::from_secs(4);

impl Core {
    /// Leaves a press open for a moment, so that its case can answer it.
    pub(crate) fn waits_for_case(self: &Arc<Self>, code: &CaseCode, user: &UserId, query: &str) {
        let popup = Popup { code: code.clone(), user: user.clone(), query: query.to_owned() };
        held(&self.popups).push(popup);
        let (core, query) = (Arc::clone(self), query.to_owned());
        self.spawn(async move {
            tokio::time::sleep(WAIT).await;
            if core.waits_in_vain(&query) {
                core.answer(&query, None);
            }
        });
    }

    /// Nothing comes for a press; tells whether it was waited for.
    pub(crate) fn waits_in_vain(&self, query: &str) -> bool {
        self.next_popup(|popup| popup.query == query).is_some()
    }

    /// Answers a press with what its case says to the presser alone; false where it has to be sent as a message. What is
    /// said to all is sent, and ends the wait of whoever pressed first.
    pub(crate) async fn pops_up(self: &Arc<Self>, delivery: &Delivery) -> bool {
        let Some(code) = delivery.reply.case.as_ref().map(|case| &case.code) else { return false };
        if !delivery.reply.private {
            if let Some(query) = self.next_popup(|popup| popup.code == *code) {
                self.answer(&query, None);
            }
            return false;
        }
        let words = delivery.reply.say.join("\n\n");
        if delivery.reply.nonce().is_some() || words.chars().count() > limits::ALERT {
            return false;
        }
        let Some(query) = self.next_popup(|popup| popup.code == *code && popup.user == delivery.user) else {
            return false;
        };
        let body = json!({"callback_query_id": query, "text": words, "show_alert": true});
        self.api.call("answerCallbackQuery", &body).await.is_ok()
    }

    /// Takes the oldest press of these.
    fn next_popup(&self, is: impl Fn(&Popup) -> bool) -> Option<String> {
        let mut popups = held(&self.popups);
        let at = popups.iter().position(is)?;
        Some(popups.remove(at).query)
    }
}
