//! Whether a channel can be reached: it is there, and the bot is in it.

use chat::{DeliveryError, Place};
use formwright_chat as chat;

use crate::api::ApiError;
use crate::bot::Bot;
use crate::send::told_apart;

impl Bot {
    /// See [`chat::Adapter::reach`].
    pub(crate) async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        let told = self.api.get("conversations.info", &[("channel", &place.channel)]).await;
        let channel = match told {
            Ok(mut told) => told["channel"].take(),
            // Which channels there are is told with scopes that not every installation grants.
            Err(ApiError::Refused(code)) if code.starts_with("missing_scope") => return Ok(()),
            Err(error) => return Err(told_apart(error)),
        };
        let name = channel["name"].as_str().map_or_else(|| place.channel.clone(), |name| format!("#{name}"));
        if channel["is_archived"] == true {
            return Err(DeliveryError::never(format!("{name} is archived")));
        }
        if channel["is_member"] == false && channel["is_im"] != true {
            return Err(DeliveryError::never(format!("the bot is not in {name}; invite it there")));
        }
        Ok(())
    }
}
