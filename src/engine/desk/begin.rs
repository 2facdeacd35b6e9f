//! A case is opened by the first request for it, and taken further by whatever comes after.

use std::collections::BTreeMap;

use formwright_chat as chat;
use formwright_chat::{CaseNews, CaseRequest};

use crate::desk::Case;
use crate::desk::case::Hall;
use crate::desk::state::{About, Affair};
use crate::effect::{Effect, Step};
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::prompt::Voice;
use crate::session::Session;
use crate::world;
use formwright_lexicon::language;

/// A step of a case, or the one that opens it.
pub(crate) fn case_step(engine: &Engine, mut session: Session, input: &Input) -> Step {
    let event = match &input.event {
        Happening::Event(event) => Some(event.as_ref()),
        Happening::Outcome(_) | Happening::Expiry | Happening::Again(_) => None,
    };
    let begins = event.and_then(opened);
    let Some(case) = session.case.take().map(|case| *case).or_else(|| {
        let (code, about, request) = begins?;
        Some(Case {
            code: code.clone(),
            request: request.clone(),
            person: session.owner.clone(),
            affair: Affair::new(about, request.needs),
            asking: None,
            asked: None,
            aside: BTreeMap::new(),
            screen: None,
            opened: input.now,
            wake: input.now,
        })
    }) else {
        return Step { effects: no_such_case(engine, &session, input, event), session };
    };
    session.lang = Some(case.request.lang.clone());
    let world = world::world(engine, &session, input, event);
    let desk = engine.desks.get(&case.request.desk);
    let is_new = case.wake == input.now && case.screen.is_none() && begins.is_some();
    let mut hall = Hall { case, desk, world, replies: Vec::new(), news: Vec::new() };
    let keep = match event {
        Some(_) if is_new => {
            hall.opens();
            true
        }
        Some(event) => {
            hall.event(event);
            true
        }
        None if input.event == Happening::Expiry => hall.time_is_up(),
        None => true,
    };
    let mut effects = hall.news;
    effects.extend(hall.replies.into_iter().map(|reply| Effect::Reply(Box::new(reply))));
    session.case = keep.then(|| Box::new(hall.case));
    Step { session, effects }
}

/// What is told about a case that is not there any more: to whoever writes or presses, and to all at the desk where
/// it went with everything that was kept of its person.
fn no_such_case(engine: &Engine, session: &Session, input: &Input, event: Option<&chat::Event>) -> Vec<Effect> {
    let Some((event, code)) = event.and_then(|event| Some((event, event.terms.case.clone()?))) else {
        return Vec::new();
    };
    let forgotten = matches!(event.action, chat::Action::Case { news: CaseNews::Forgotten, .. });
    if !forgotten && matches!(event.action, chat::Action::Case { .. }) {
        return Vec::new();
    }
    let mut world = world::world(engine, session, input, Some(event));
    if let Some(lang) = engine.desks.values().find(|desk| desk.place == event.place).and_then(|desk| desk.lang.as_ref())
    {
        world.speak(language(lang));
    }
    let name = if forgotten { "case_forgotten" } else { "case_gone" };
    let told = Voice { world: &world, form: None }.say(name, &[("code", code.as_str())]);
    let lang = world.speaks.code.to_owned();
    let case = Some(chat::CaseMark { code, over: forgotten });
    let reply =
        chat::Reply { say: vec![told], lang, private: !forgotten, shared: forgotten, case, ..chat::Reply::default() };
    vec![Effect::Reply(Box::new(reply))]
}

/// The request that an event opens a case with.
fn opened(event: &chat::Event) -> Option<(&chat::CaseCode, About, &CaseRequest)> {
    match &event.action {
        chat::Action::Case { code, news: CaseNews::Review { request } } => Some((code, About::Review, request)),
        chat::Action::Case { code, news: CaseNews::HandOff { request } } => Some((code, About::HandOff, request)),
        _ => None,
    }
}
