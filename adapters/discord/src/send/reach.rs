//! Whether a channel can be reached: it is in the server, and the bot may read it.

use formwright_chat::{DeliveryError, Place};

use crate::api::{Call, Rest};

impl Rest {
    /// See [`formwright_chat::Adapter::reach`].
    pub(crate) async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        let channel = self.call(Call::channel(&place.channel)?, None).await?;
        match channel["guild_id"].as_str() {
            // What is answered there would be taken for another place's.
            Some(server) if server != place.workspace => Err(DeliveryError::never(format!(
                "the channel {} is in the server {server}, not in {}",
                place.channel, place.workspace
            ))),
            _ => Ok(()),
        }
    }
}
