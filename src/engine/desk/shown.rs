//! What somebody is shown who comes back to a page: the replies given last, and what these do not tell of requests at desks.

use formwright_chat as chat;
use formwright_chat::CaseMark;

use crate::engine::Engine;
use crate::flow::submission;
use crate::prompt::Voice;
use crate::session::handoff::HandOff;
use crate::session::{self, Session};
use crate::world::World;

/// What to draw again after a reload: what waits at a desk, what was said last, and a talk with somebody there.
pub(crate) fn shown_again(engine: &Engine, session: &Session, world: &World) -> Vec<chat::Reply> {
    let told = |words: &str| session.last.iter().flat_map(|reply| &reply.say).any(|said| said.contains(words));
    let reply = |say, world: &World| chat::Reply { say, lang: world.speaks.code.to_owned(), ..chat::Reply::default() };
    let mut shown = Vec::new();
    for draft in session.reviewing.iter().filter(|draft| !told(submission::reference(&draft.submission))) {
        let Some(form) = engine.form_of(draft) else { continue };
        let world = world.speaking(&form);
        let facts = [
            ("title", form.title.pick(&world.tags_of(&form))),
            ("reference", submission::reference(&draft.submission)),
        ];
        shown.push(reply(vec![Voice { world: &world, form: Some(&form) }.say("in_review", &facts)], &world));
    }
    let Some(handoff) = &session.handoff else {
        shown.extend(session.last.iter().cloned());
        return shown;
    };
    let voice = Voice { world, form: None };
    let talk = handoff.recent(&voice);
    let waits = voice.say("handed_off", &[]);
    if talk.is_none() && !told(&waits) {
        shown.push(reply(vec![waits], world));
    }
    shown.extend(session.last.iter().cloned());
    let case = || Some(CaseMark { code: handoff.code.clone(), over: false });
    shown.extend(talk.map(|say| chat::Reply { case: case(), ..reply(say, world) }));
    shown
}

impl HandOff {
    /// What was said last in a talk, a paragraph each, and at its end that there is somebody; none where there is nobody.
    fn recent(&self, voice: &Voice<'_>) -> Option<Vec<String>> {
        let who = self.who.as_ref()?;
        let line = |line: &session::handoff::Line| match &line.who {
            Some(who) => format!("{who}: {}", line.text),
            None => voice.say("you_said", &[("text", &line.text)]),
        };
        let here = voice.say("desk_joined", &[("who", who.called())]);
        Some(self.said.iter().map(line).chain([here]).collect())
    }
}
