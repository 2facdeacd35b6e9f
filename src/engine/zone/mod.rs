//! The time zone that a person's times are in: who says it, when it is asked, and what changes when it is learned.
//!
//! What the person told goes before what the platform knows, then the form's `zone`, then what follows from a phone number
//! or a place among the answers, then the `zone` of the platform's settings, then that of all forms, then UTC.

pub(crate) mod ask;
pub(crate) mod learn;
#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;

use crate::session::own_zone::OwnZone;
use crate::session::{Draft, Session};
use crate::world::World;
use formwright_form::{Form, Value, zone};
use formwright_nlu::Answer;

/// What the person says of their zone in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ZoneReply {
    /// Which it is.
    Is(String),
    /// It is left as it is.
    Left,
}

impl From<Option<String>> for ZoneReply {
    fn from(zone: Option<String>) -> Self {
        zone.map_or(Self::Left, Self::Is)
    }
}

/// Who says which zone it is; the later ones go before the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ZoneFrom {
    /// Nobody: UTC.
    Nobody,
    /// The operator, for the platform or for all forms.
    Settings,
    /// An answer of the person's.
    Answer,
    /// The form.
    Form,
    /// The platform.
    Platform,
    /// The person.
    Person,
}

/// The zone of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Zone {
    /// Its name: [`zone::get`] knows it.
    pub name: String,
    /// Who says so.
    pub from: ZoneFrom,
    /// The draft holds local times in a zone: they stay in it, unless the person tells another.
    pub pinned: bool,
}

impl Zone {
    /// The zone that a session tells.
    pub(crate) fn of(session: &Session) -> Self {
        let known = |name: &String| zone::get(name).is_some();
        let (told, found) = match &session.own_zone {
            Some(OwnZone::Told(name)) => (Some(name), None),
            Some(OwnZone::Found(name)) => (None, Some(name)),
            Some(OwnZone::Skipped) | None => (None, None),
        };
        let all = [(told, ZoneFrom::Person), (session.zone.as_ref(), ZoneFrom::Platform), (found, ZoneFrom::Answer)];
        let said = all.into_iter().find_map(|(name, from)| Some((name.filter(|name| known(name))?, from)));
        let (name, from) = said.map_or(("UTC", ZoneFrom::Nobody), |(name, from)| (name.as_str(), from));
        let pin = session.draft.as_ref().and_then(|draft| draft.zone.as_deref());
        let pin = pin.filter(|pin| from != ZoneFrom::Person && zone::get(pin).is_some());
        Self { name: pin.unwrap_or(name).to_owned(), from, pinned: pin.is_some() }
    }

    /// Its clock.
    pub(crate) fn clock(&self) -> TimeZone {
        zone::get(&self.name).unwrap_or(TimeZone::UTC)
    }
}

impl World {
    /// Takes a zone where nobody who goes before has told one.
    pub(crate) fn take_zone(&mut self, name: Option<&str>, from: ZoneFrom) {
        let Some(name) = name.filter(|name| from > self.zone.from && zone::get(name).is_some()) else { return };
        if self.zone.pinned {
            self.zone.from = from;
        } else {
            self.set_zone(name, from);
        }
    }

    /// Takes a zone, whatever was told before.
    fn set_zone(&mut self, name: &str, from: ZoneFrom) {
        self.zone = Zone { name: name.to_owned(), from, pinned: false };
        self.now = self.now.with_time_zone(self.zone.clock());
    }

    /// How far the person's clock is ahead of UTC, for widgets of a platform that does not know it.
    pub(crate) fn ahead(&self) -> Option<i32> {
        let ahead = self.now.offset().seconds();
        (self.platform_lacks_zone && ahead != 0).then_some(ahead)
    }

    /// Whether the zone is a guess of the operator's or nobody's at all.
    pub(crate) fn guesses_zone(&self) -> bool {
        self.zone.from <= ZoneFrom::Settings
    }
}

/// Whether a value is a time that means another moment in another zone.
pub(crate) fn is_local_time(value: &Value) -> bool {
    matches!(value, Value::Time(_) | Value::DateTime(_) | Value::RepeatedTime { .. })
}

/// The zone that the answers of a draft are in, as receivers are told it; none where no answer is a local time.
pub(crate) fn zone_of_answers(form: &Form, draft: &Draft) -> Option<String> {
    let local = |(path, answer): (&formwright_form::Path, &Answer)| {
        is_local_time(&answer.value) && form.field_at(path).is_some()
    };
    draft.zone.clone().filter(|_| draft.answers.iter().any(local))
}
