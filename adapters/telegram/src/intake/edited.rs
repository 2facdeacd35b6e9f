//! Messages that were changed: the product is told what they say now.

use std::sync::Arc;

use formwright_chat::{Action, HostError, MessageId, UserId};

use super::refused::{Unstored, refusal_words, unstored};
use crate::core::Core;
use crate::send::note_key;
use crate::translate::{Incoming, Said};

impl Core {
    /// A message was changed. Of those that were not heard there is nothing to follow; talk in groups is left alone.
    pub(super) async fn edited(self: &Arc<Self>, incoming: &Incoming, said: &Said) -> Result<(), Unstored> {
        let user = UserId::new(incoming.from.id.to_string());
        let for_desk = self.for_desk(incoming, said);
        let place = match &for_desk {
            Some(_) => self.place(&incoming.chat),
            None => self.asked(incoming, &user).await.map_err(unstored)?.place,
        };
        let in_group = !incoming.chat.private && for_desk.is_none();
        if in_group {
            let key = note_key("heard", &place, &user);
            if self.recall::<i64>(&key).await.map_err(unstored)?.is_none() {
                return Ok(());
            }
        }
        let text = for_desk.unwrap_or_else(|| said.text.clone());
        if text.trim().is_empty() || !self.settings.allows(incoming.chat.id, incoming.from.id, None) {
            return Ok(());
        }
        let message = message_id(incoming, said);
        let mut event = self.event(incoming, place, Action::Edit { message, text });
        event.terms.overheard = in_group && !said.to_us;
        let lang = event.user.locale.clone().unwrap_or_default();
        match self.host.accept(event).await {
            Ok(()) => Ok(()),
            Err(HostError::Unavailable(why)) => Err(Unstored(why)),
            Err(refusal) => {
                self.tell(incoming, &refusal_words(&refusal, &lang));
                Ok(())
            }
        }
    }
}

/// The name that a message of words has, and its edits have too.
pub(super) fn name(incoming: &Incoming, said: &Said, action: &Action) -> Option<MessageId> {
    matches!(action, Action::Say { .. } | Action::Attach { .. }).then(|| message_id(incoming, said))
}

fn message_id(incoming: &Incoming, said: &Said) -> MessageId {
    MessageId::new(format!("{}/{}", incoming.chat.id, said.message))
}
