//! What Slack would refuse, told offline: for payloads that nobody sends.

use serde_json::Value;

use super::chat;
use super::kit::{self, Surface};

/// What Slack would say about a message (`text` and `blocks`) or a modal.
pub fn faults(payload: &Value) -> Vec<String> {
    if payload["type"] == "modal" {
        return kit::view(payload, Surface::Modal);
    }
    let Some(params) = payload.as_object() else { return vec!["no object".to_owned()] };
    let of_blocks = params.get("blocks").map(kit::message).unwrap_or_default();
    let refused = chat::content(params, chat::TEXT).err().filter(|_| of_blocks.is_empty());
    of_blocks.into_iter().chain(refused.map(|refusal| refusal.code.to_owned())).collect()
}
