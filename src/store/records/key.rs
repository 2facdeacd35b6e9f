//! What a session is named by.

use formwright_chat as chat;
use serde::{Deserialize, Serialize};

/// Names a session: platform, workspace, channel, thread and, unless the form is filled by a channel, the user. A case at
/// a desk is named by its code in place of a user.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionKey(pub(crate) String);

impl SessionKey {
    /// The session of a person at a place. Parts are length-prefixed, so that no two places share a key.
    pub fn new(place: &chat::Place, user: &chat::UserId) -> Self {
        let thread = place.thread.as_deref().unwrap_or_default();
        let parts = [place.platform.as_str(), &place.workspace, &place.channel, thread, user.as_str()];
        Self(parts.iter().map(|part| format!("{}:{part}", part.len())).collect())
    }

    /// The session that everybody at a place shares.
    pub fn of_place(place: &chat::Place) -> Self {
        Self::new(place, &chat::UserId::new(""))
    }

    /// The session of a case at a desk. It has a part more than all others, and no user.
    pub fn of_case(place: &chat::Place, code: &chat::CaseCode) -> Self {
        let Self(place) = Self::of_place(place);
        let code = code.as_str();
        Self(format!("{place}{}:{code}", code.len()))
    }

    /// The session that an event belongs to.
    pub fn of(event: &chat::Event) -> Self {
        if let Some(code) = &event.terms.case {
            return Self::of_case(&event.place, code);
        }
        if event.terms.shared { Self::of_place(&event.place) } else { Self::new(&event.place, &event.user.id) }
    }

    /// The session that a key as stored names; none where it is no key.
    pub fn named(key: &str) -> Option<Self> {
        let key = Self(key.to_owned());
        let (platform, _) = key.person();
        (!platform.is_empty()).then_some(key)
    }

    /// The key as stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The platform and the user that the key names, so that a person's records can be found.
    pub fn person(&self) -> (&str, &str) {
        let (mut rest, mut parts) = (self.0.as_str(), [""; 5]);
        for part in &mut parts {
            let Some((len, tail)) = rest.split_once(':') else { break };
            let Some((text, next)) = len.parse().ok().and_then(|len| tail.split_at_checked(len)) else { break };
            (*part, rest) = (text, next);
        }
        (parts[0], parts[4])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gives_its_person_back_and_no_two_places_share_one() {
        let place = |channel: &str, thread: Option<&str>| chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: channel.to_owned(),
            thread: thread.map(str::to_owned),
        };
        let user = chat::UserId::new("u:1é");
        let key = SessionKey::new(&place("c", Some("1:t")), &user);
        assert_eq!(key.person(), ("web", "u:1é"));
        assert_ne!(SessionKey::new(&place("a", Some("b")), &user), SessionKey::new(&place("ab", None), &user));
        for rubbish in ["", ":", "9:web", "1:é", "x:y"] {
            assert_eq!(SessionKey(rubbish.to_owned()).person().1, "", "{rubbish}");
        }
    }
}
