//! Who may use what, and on which terms.

use formwright_chat::{Asker, Place, Terms};

use crate::DiscordSettings;
use crate::translate::Who;

impl DiscordSettings {
    /// Whether somebody may use a form; without one, whether any.
    pub(crate) fn allows(&self, who: &Who, form: Option<&str>) -> bool {
        asking(who, |asker| self.access.allows(asker, form))
    }

    /// The terms on which somebody acts for a session at a place. What is done elsewhere for it, in a direct message where
    /// nobody has roles, was allowed when it was begun.
    pub(crate) fn terms(&self, who: &Who, place: &Place) -> Terms {
        if who.place != *place {
            return Terms::default();
        }
        asking(who, |asker| self.access.terms(asker))
    }

    /// Whether a rule asks for the channel that a thread belongs to.
    pub(crate) fn names_channels(&self) -> bool {
        self.access.rules.iter().any(|rule| !rule.channels.is_empty())
    }
}

/// Asks the rules something about a person where they are.
fn asking<R>(who: &Who, ask: impl FnOnce(&Asker<'_>) -> R) -> R {
    let channels: Vec<&str> = [who.place.channel.as_str()].into_iter().chain(who.parent.as_deref()).collect();
    ask(&Asker {
        workspace: Some(&who.place.workspace),
        channels: &channels,
        roles: Some(&who.roles),
        user: who.user.id.as_str(),
    })
}
