//! What a person told of their time zone is kept beside their sessions, so that they are asked once and not at each place.

use formwright_chat as chat;

use crate::Runtime;
use crate::turn::{Turn, TurnError};
use formwright_engine::Session;

impl Runtime {
    /// Tells a session whether its platform knows people's zones, and a new one what the person told elsewhere.
    pub(crate) async fn tell_zone(&self, turn: &Turn, new: bool, session: &mut Session) -> Result<(), TurnError> {
        let adapter = self.adapters.get(turn.place.platform.as_str());
        session.platform_lacks_zone = adapter.is_some_and(|adapter| !adapter.knows_zones());
        if new && session.platform_lacks_zone && !session.shared && session.case.is_none() {
            let kept = self.store.note(&turn.place.platform, &key(&turn.user)).await?;
            session.own_zone = kept.and_then(|kept| serde_json::from_value(kept).ok());
        }
        Ok(())
    }

    /// The note of what a turn learned of its sender's zone. It is kept for a month after it was last written: each new
    /// session writes it again.
    pub(crate) fn zone_learned(&self, turn: &Turn, before: Option<&Session>, after: &Session) -> Option<chat::Note> {
        let known = before.and_then(|session| session.own_zone.as_ref());
        let theirs = after.platform_lacks_zone && !after.shared && after.case.is_none();
        let zone = after.own_zone.as_ref().filter(|zone| theirs && known != Some(*zone))?;
        let (platform, owner) = (turn.place.platform.clone(), turn.user.clone());
        let hushed = self.is_hushed(&platform, &owner);
        let value = serde_json::to_value(zone).ok().filter(|_| !hushed)?;
        Some(chat::Note { platform, key: key(&owner), owner: Some(owner), value: Some(value) })
    }

    /// Keeps such a note.
    pub(crate) async fn keep_zone(&self, note: &chat::Note) {
        if let Err(error) = self.store.set_note(note, self.clock.now()).await {
            tracing::warn!(error = %chat::chain(&error), "a person's time zone is kept in this conversation alone");
        }
    }
}

fn key(user: &chat::UserId) -> String {
    format!("zone:{user}")
}
