//! Whether a chat can be reached: it is there, and the bot is in it.

use formwright_chat::{DeliveryError, Place};
use serde_json::json;

use crate::core::Core;
use crate::send::failed;

impl Core {
    /// See [`formwright_chat::Adapter::reach`].
    pub(crate) async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        let chat = self.target(place).map(|target| target.chat);
        let chat = chat.ok_or_else(|| DeliveryError::never("the place is no chat of Telegram"))?;
        if chat > 0 {
            return self.api.call("getChat", &json!({"chat_id": chat})).await.map(drop).map_err(failed);
        }
        let member = self.api.call("getChatMember", &json!({"chat_id": chat, "user_id": self.me.id})).await;
        match member.map_err(failed)?["status"].as_str() {
            Some("left" | "kicked") => {
                Err(DeliveryError::never(format!("the bot is not in the group {chat}; add it there")))
            }
            _ => Ok(()),
        }
    }
}
