//! One step: an input comes in, commands are carried out, and what comes next is asked.

use formwright_chat as chat;

use crate::command::change::{self, Then};
use crate::command::{self, dispatch, forget, migrate};
use crate::desk::{self, decided, person};
use crate::draft::filling::Filling;
use crate::draft::options;
use crate::effect::{Effect, Step};
use crate::engine::Engine;
use crate::flow::{end_step, settle, submission, submit};
use crate::handle::waiting::Meanwhile;
use crate::handle::{self, idle, press, say, sharing};
use crate::history::{edited, remember};
use crate::input::{Happening, Input, Outcome};
use crate::lookup::Lookups;
use crate::model::{self, Asking};
use crate::session::screen::{self, Pressing, Slot};
use crate::session::{Draft, Session, State};
use crate::sheet::take;
use crate::talk::Talk;
use crate::tools::{self, suspend};
use crate::zone::learn;
use crate::{prompt, world};
use formwright_form::{FormId, Kind, Value};
use formwright_nlu::Command;

/// Takes a session one step further. Total and deterministic: any session and any input give a result, and the same
/// one twice.
pub(crate) fn step(engine: &Engine, session: Session, input: Input) -> Step {
    if !engine.catalog.may_look_outside() {
        return take(engine, session, input, &mut Lookups::default());
    }
    let (input, mut lookups) = Lookups::of(input);
    let step = take(engine, session.clone(), input.clone(), &mut lookups);
    if lookups.lacks() {
        return lookups.in_place(session, input).unwrap_or(step);
    }
    match lookups.forbidden {
        Some(name) => suspend::not_now(engine, session, input, name, step.effects),
        None => step,
    }
}

fn take(engine: &Engine, mut session: Session, input: Input, lookups: &mut Lookups) -> Step {
    let to_case = |event: &Happening| matches!(event, Happening::Event(event) if event.terms.case.is_some());
    if session.case.is_some() || to_case(&input.event) {
        return desk::begin::case_step(engine, session, &input);
    }
    if let Happening::Event(event) = &input.event {
        if let Some(reply) = sharing::refusal_to_others(engine, &session, event, &input) {
            return Step { session, effects: vec![Effect::Reply(Box::new(reply))] };
        }
        if !sharing::concerns(engine, &session, event) {
            return Step { session, effects: Vec::new() };
        }
        sharing::meet(&mut session, &event.user);
    }
    let mut waiting = session.model.take();
    let event = match &input.event {
        Happening::Event(event) => Some(event.as_ref()),
        Happening::Outcome(outcome) => {
            waiting = waiting.filter(|waiting| waiting.call == outcome.call);
            waiting.as_ref().map(|waiting| waiting.event.as_ref())
        }
        Happening::Expiry | Happening::Again(_) => None,
    };
    let world = world::world(engine, &session, &input, event);
    let aside = |event: &chat::Event| event.terms.overheard && event.user.id != session.owner;
    let before = event.filter(|event| session.shared && aside(event)).map(|_| session.clone());
    let mut talk = Talk::new(engine, world, session, lookups);
    migrate::catch_up(&mut talk);
    remember::note_what_is_asked(&mut talk);
    match &input.event {
        Happening::Event(event) => {
            // What people say to each other in a shared place is no business of a model.
            if engine.model.is_some() && before.is_none() {
                talk.model = Asking::May(event.clone());
            }
            sharing::hand_to(&mut talk, event);
            if let chat::Action::Case { code, news } = &event.action {
                if !decided::hear_of_case(&mut talk, code, news) {
                    return Step { session: talk.session, effects: talk.effects };
                }
                return end_step::finish(talk);
            }
            // What people say to each other is no wish of theirs.
            if before.is_some() || !forget::forgets(&mut talk, event) {
                if desk::handoff::passes_on(&mut talk, event) {
                    return end_step::finish(talk);
                }
                if !hear_event(&mut talk, event) {
                    remember::remember(&mut talk, event);
                    return Step { session: talk.session, effects: talk.effects };
                }
            }
            if forget::is_forgotten(&talk.effects) {
                return Step { session: talk.session, effects: talk.effects };
            }
            if let Some(before) = before.filter(|before| sharing::is_as_before(&talk.session, before)) {
                return Step { session: before, effects: Vec::new() };
            }
        }
        Happening::Outcome(outcome) => {
            let failed = outcome.result.is_err();
            let heard = waiting
                .as_deref()
                .map(|waiting| model::outcome::model_outcome(&mut talk, waiting.clone(), outcome))
                .is_some();
            if !heard && !take_outcome(&mut talk, outcome) {
                return Step { session: talk.session, effects: Vec::new() };
            }
            if heard && failed {
                take::note_failure(&mut talk.session);
            }
        }
        Happening::Expiry => expire(&mut talk),
        Happening::Again(_) => {}
    }
    if talk.session.model.is_some() {
        return Step { session: talk.session, effects: talk.effects };
    }
    if let Some(event) = event {
        remember::remember(&mut talk, event);
    }
    end_step::finish(talk)
}

/// Does what a person did; false where nothing is to be said about it.
fn hear_event(talk: &mut Talk<'_>, event: &chat::Event) -> bool {
    if let chat::Action::Edit { message, text } = &event.action {
        return edited::edited(talk, message, text);
    }
    act_on_event(talk, event);
    true
}

fn act_on_event(talk: &mut Talk<'_>, event: &chat::Event) {
    take::take_sheet(talk, event);
    let meanwhile = handle::waiting::keep_for_later(talk, &event.action);
    if meanwhile == Meanwhile::Kept {
        return;
    }
    if !matches!(event.action, chat::Action::ToolResults { .. }) {
        tools::outcome::give_up_on_client(talk, meanwhile == Meanwhile::Leaves);
        handle::waiting::hear_kept(talk);
    }
    if sharing::puts_aside_what_is_not_allowed(talk) && !event.terms.answers_only {
        match &event.action {
            chat::Action::Open { form: Some(_) } | chat::Action::Start { .. } => {}
            _ => return sharing::refuse_form(talk),
        }
    }
    match &event.action {
        chat::Action::Start { form, text } => sharing::start_with(talk, &FormId::new(form), text),
        chat::Action::Open { form } => say::open(talk, form.as_deref().map(FormId::new).as_ref()),
        chat::Action::Say { text } => say::say(talk, text),
        chat::Action::Press { presses } => take_presses(talk, presses),
        chat::Action::Attach { files, text } => {
            let json = serde_json::json!(files);
            hand_over(talk, &json, |kind| matches!(kind, Kind::File(_)), text);
        }
        chat::Action::Share { location } if learn::takes_zone_of(talk, location) => {}
        chat::Action::Share { location } => {
            let json = serde_json::json!(location);
            hand_over(talk, &json, |kind| matches!(kind, Kind::Location(_)), "");
        }
        // Heard before.
        chat::Action::Case { .. } | chat::Action::Edit { .. } => {}
        chat::Action::ToolResults { results } => {
            if tools::outcome::tool_results(talk, results) {
                handle::waiting::hear_kept(talk);
            }
        }
    }
}

fn take_presses(talk: &mut Talk<'_>, presses: &[chat::Press]) {
    let idle = |talk: &mut Talk| {
        for press in presses {
            match screen::look_up(&talk.session, &press.token) {
                Pressing::Now(Slot::Do { command, .. }) => idle::carry_out_idle(talk, command),
                Pressing::Now(Slot::Field { .. }) | Pressing::Past(_) | Pressing::Unknown => {
                    if !submission::say_already_submitted(talk) {
                        talk.note("old_button", &[]);
                        command::begin::list_forms(talk, None);
                    }
                }
            }
        }
    };
    say::in_form(talk, |talk, filling| press::press(talk, filling, presses), idle);
}

/// Gives data to the asked field, or to the first open one of a kind.
fn hand_over(talk: &mut Talk<'_>, data: &serde_json::Value, fits: fn(&Kind) -> bool, text: &str) {
    let hear = |talk: &mut Talk, filling: &mut Filling<'_>| {
        if let Some(path) = handle::waiting::wants(filling, fits) {
            let Some(field) = filling.form.field_at(&path) else { return Then::Vain };
            let accepted = field.kind.behaviour().accept(data, &filling.context(field, &[]));
            let then = match accepted {
                Ok(value) => {
                    let fill = Command::Fill { path, value, quote: None };
                    dispatch::carry_out(talk, filling, fill)
                }
                Err(refusal) => change::refuse(talk, filling, &path, refusal),
            };
            if then != Then::Go || text.trim().is_empty() {
                return then;
            }
        }
        if text.trim().is_empty() { Then::Vain } else { handle::late::hear(talk, filling, text) }
    };
    say::in_form(talk, hear, |talk| idle::hear_idle(talk, text));
}

fn expire(talk: &mut Talk<'_>) {
    let kept: Vec<Draft> = talk.session.draft.iter().chain(&talk.session.parked).cloned().collect();
    for draft in kept {
        if let Some(form) = talk.engine.form_of(&draft) {
            person::lets_go_of_case(talk, &form, &draft);
        }
    }
    let Some((form, mut draft)) = settle::take_draft(talk) else { return };
    let title = talk.title(&form);
    draft.state = State::Closed;
    draft.cancelled = true;
    talk.session.closed = Some(draft);
    let world = talk.world.speaking(&form);
    let voice = prompt::Voice { world: &world, form: Some(&form) };
    let seconds = i64::try_from(talk.engine.catalog.draft_ttl(Some(&form))).unwrap_or(i64::MAX);
    let kind = Kind::Duration(formwright_form::kind::duration::Duration::default());
    let time = options::show_plain(&world, &kind, &Value::Duration(seconds));
    talk.saying.notes.push(voice.say("expired", &[("title", &title), ("time", &time)]));
}

/// An outside call has ended; tells whether anybody waited for it.
fn take_outcome(talk: &mut Talk<'_>, outcome: &Outcome) -> bool {
    let delivered = talk.session.closed.as_ref().map(|draft| submit::delivery_call(&draft.submission));
    if delivered.as_deref() == Some(outcome.call.as_str()) {
        return match &outcome.result {
            Ok(_) => false,
            Err(error) => {
                submit::delivery_failed(talk, error);
                true
            }
        };
    }
    tools::outcome::tool_outcome(talk, outcome)
}
