//! Events for the other side of a case.

use formwright_chat as chat;
use formwright_chat::{CaseCode, CaseNews, CaseRequest};
use jiff::Timestamp;

use crate::desk::{self, Case, Desk, Person};
use crate::effect::Effect;

/// News for a case at a desk. `count` tells apart what is told of the same kind.
pub(crate) fn to_desk(
    desk: &Desk,
    code: &CaseCode,
    person: &Person<'_>,
    news: CaseNews,
    count: &str,
    at: Timestamp,
) -> Effect {
    let id = desk::alias(&desk.place.platform, &person.place.platform, person.user);
    Effect::Send(Box::new(told_desk(desk, code, (id, person.name), news, count, at)))
}

/// News for a case at a desk, as an event of somebody.
pub(crate) fn told_desk(
    desk: &Desk,
    code: &CaseCode,
    (id, name): (chat::UserId, Option<&str>),
    news: CaseNews,
    count: &str,
    at: Timestamp,
) -> chat::Event {
    chat::Event {
        id: event_id(code, &news, count),
        place: desk.place.clone(),
        user: chat::User { id, name: name.map(str::to_owned), locale: None, zone: None },
        at,
        action: chat::Action::Case { code: code.clone(), news },
        terms: chat::Terms { case: Some(code.clone()), ..chat::Terms::default() },
    }
}

/// News for the person of a case.
pub(crate) fn to_person(case: &Case, news: CaseNews, count: &str, at: Timestamp) -> chat::Event {
    let CaseRequest { place, person, shared, forms, .. } = &case.request;
    chat::Event {
        id: event_id(&case.code, &news, count),
        place: place.clone(),
        user: chat::User { id: person.id.clone(), name: person.name.clone(), locale: None, zone: None },
        at,
        action: chat::Action::Case { code: case.code.clone(), news },
        terms: chat::Terms { shared: *shared, forms: forms.clone(), ..chat::Terms::default() },
    }
}

/// The same for the same news, so that they count once however often a turn runs.
fn event_id(code: &CaseCode, news: &CaseNews, count: &str) -> chat::EventId {
    chat::EventId::new(format!("case/{code}/{}/{count}", news.kind()))
}
