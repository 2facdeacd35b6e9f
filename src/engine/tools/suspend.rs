//! Steps that have to know something from outside: they are computed to their end with what is known, and where something
//! was not known, that is looked up and the same step is taken again.

use crate::effect::{Effect, Step};
use crate::engine::Engine;
use crate::flow::end_step;
use crate::input::{Happening, Input};
use crate::lookup::Lookups;
use crate::session::Session;
use crate::talk::Talk;
use crate::world;

/// What a step comes to whose tool failed and may not be passed over: nothing is changed, and the same is asked again.
pub(crate) fn not_now(engine: &Engine, session: Session, input: Input, name: &str, effects: Vec<Effect>) -> Step {
    let event = match &input.event {
        Happening::Event(event) => Some(event.as_ref()),
        Happening::Outcome(_) | Happening::Expiry | Happening::Again(_) => None,
    };
    let world = world::world(engine, &session, &input, event);
    let mut lookups = Lookups::default();
    let mut talk = Talk::new(engine, world, session, &mut lookups);
    let form = talk.session.draft.as_ref().and_then(|draft| engine.form_of(draft));
    match form {
        Some(form) => talk.note_of(&form, name, &[]),
        None => talk.note(name, &[]),
    }
    // Why is for the log.
    talk.effects.extend(effects.into_iter().filter(|effect| matches!(effect, Effect::Fault(_))));
    end_step::finish(talk)
}
