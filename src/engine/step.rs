//! One step: an input comes in, commands are carried out, and what comes next is asked.

use crate::aside;
use crate::begin;
use crate::carry;
use crate::deeds;
use crate::desk;
use crate::edited;
use crate::ending;
use crate::finish;
use crate::forget;
use crate::hear;
use crate::history;
use crate::idle;
use crate::late;
use crate::lookup;
use crate::migrate;
use crate::model;
use crate::onward;
use crate::press;
use crate::receipt;
use crate::settle;
use crate::sheet;
use crate::together;
use crate::tongue;
use crate::tools;
use crate::waiting;
use crate::zone;
use std::sync::Arc;

use formwright_chat as chat;

use super::carry::Then;
use super::fill::Filling;
use super::finish::delivery_call;
use super::lookup::Lookups;
use super::model::Asking;
use super::press::{Pressing, look_up};
use super::session::{Draft, Session, Slot, State};
use super::talk::Talk;
use super::together::meet;
use super::waiting::Meanwhile;
use super::{Effect, Engine, Happening, Input, Outcome, Step};
use formwright_form::{Form, FormId, Kind, Value};

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
        Some(name) => lookup::not_now(engine, session, input, name, step.effects),
        None => step,
    }
}

fn take(engine: &Engine, mut session: Session, input: Input, lookups: &mut Lookups) -> Step {
    let to_case = |event: &Happening| matches!(event, Happening::Event(event) if event.terms.case.is_some());
    if session.case.is_some() || to_case(&input.event) {
        return desk::begin::case_step(engine, session, &input);
    }
    if let Happening::Event(event) = &input.event {
        if let Some(reply) = together::refusal_to_others(engine, &session, event, &input) {
            return Step { session, effects: vec![Effect::Reply(Box::new(reply))] };
        }
        if !together::concerns(engine, &session, event) {
            return Step { session, effects: Vec::new() };
        }
        meet(&mut session, &event.user);
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
    let world = zone::world(engine, &session, &input, event);
    let aside = |event: &chat::Event| event.terms.overheard && event.user.id != session.owner;
    let before = event.filter(|event| session.shared && aside(event)).map(|_| session.clone());
    let mut talk = Talk::new(engine, world, session, lookups);
    migrate::catch_up(&mut talk);
    history::note_what_is_asked(&mut talk);
    match &input.event {
        Happening::Event(event) => {
            // What people say to each other in a shared place is no business of a model.
            if engine.model.is_some() && before.is_none() {
                talk.model = Asking::May(event.clone());
            }
            together::hand_to(&mut talk, event);
            if let chat::Action::Case { code, news } = &event.action {
                if !desk::person::hear_of_case(&mut talk, code, news) {
                    return Step { session: talk.session, effects: talk.effects };
                }
                return ending::finish(talk);
            }
            // What people say to each other is no wish of theirs.
            if before.is_some() || !forget::forgets(&mut talk, event) {
                if desk::handoff::passes_on(&mut talk, event) {
                    return ending::finish(talk);
                }
                if !hear_event(&mut talk, event) {
                    history::remember(&mut talk, event);
                    return Step { session: talk.session, effects: talk.effects };
                }
            }
            if forget::is_forgotten(&talk) {
                return Step { session: talk.session, effects: talk.effects };
            }
            if let Some(before) = before.filter(|before| together::is_as_before(&talk, before)) {
                return Step { session: before, effects: Vec::new() };
            }
        }
        Happening::Outcome(outcome) => {
            let failed = outcome.result.is_err();
            let heard = waiting
                .as_deref()
                .map(|waiting| model::ask::model_outcome(&mut talk, waiting.clone(), outcome))
                .is_some();
            if !heard && !take_outcome(&mut talk, outcome) {
                return Step { session: talk.session, effects: Vec::new() };
            }
            if heard && failed {
                sheet::note_failure(&mut talk);
            }
        }
        Happening::Expiry => expire(&mut talk),
        Happening::Again(_) => {}
    }
    if talk.session.model.is_some() {
        return Step { session: talk.session, effects: talk.effects };
    }
    if let Some(event) = event {
        history::remember(&mut talk, event);
    }
    ending::finish(talk)
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
    sheet::take_sheet(talk, event);
    let meanwhile = waiting::keep_for_later(talk, &event.action);
    if meanwhile == Meanwhile::Kept {
        return;
    }
    if !matches!(event.action, chat::Action::ToolResults { .. }) {
        tools::give_up_on_client(talk, meanwhile == Meanwhile::Leaves);
        waiting::hear_kept(talk);
    }
    if together::puts_aside_what_is_not_allowed(talk) && !event.terms.answers_only {
        match &event.action {
            chat::Action::Open { form: Some(_) } | chat::Action::Start { .. } => {}
            _ => return together::refuse_form(talk),
        }
    }
    match &event.action {
        chat::Action::Start { form, text } => together::start_with(talk, &FormId::new(form), text),
        chat::Action::Open { form } => open(talk, form.as_deref().map(FormId::new).as_ref()),
        chat::Action::Say { text } => say(talk, text),
        chat::Action::Press { presses } => take_presses(talk, presses),
        chat::Action::Attach { files, text } => {
            let json = serde_json::json!(files);
            hand_over(talk, &json, |kind| matches!(kind, Kind::File(_)), text);
        }
        chat::Action::Share { location } if zone::learn::takes_zone_of(talk, location) => {}
        chat::Action::Share { location } => {
            let json = serde_json::json!(location);
            hand_over(talk, &json, |kind| matches!(kind, Kind::Location(_)), "");
        }
        // Heard before.
        chat::Action::Case { .. } | chat::Action::Edit { .. } => {}
        chat::Action::ToolResults { results } => {
            if tools::tool_results(talk, results) {
                waiting::hear_kept(talk);
            }
        }
    }
}

fn open(talk: &mut Talk<'_>, form: Option<&FormId>) {
    match (form, &talk.session.draft) {
        (Some(form), Some(draft)) if draft.form == *form => {}
        (Some(form), _) => {
            if !begin::start(talk, form, None) && !begin::is_parked(talk, form) {
                begin::list_forms(talk, None);
            }
        }
        (None, Some(_)) => {}
        (None, None) if talk.world.terms.answers_only => talk.note("fields_needed", &[]),
        (None, None) => {
            begin::invite(talk);
            begin::offer_to_resume(talk);
        }
    }
}

pub(crate) fn say(talk: &mut Talk<'_>, text: &str) {
    text.clone_into(&mut talk.words);
    if text.trim().is_empty() {
        return open(talk, None);
    }
    if tongue::takes_up_language(talk, text) || zone::learn::takes_up_zone(talk, text) {
        return;
    }
    in_form(talk, |talk, filling| late::hear(talk, filling, text), |talk| idle::hear_idle(talk, text));
}

fn take_presses(talk: &mut Talk<'_>, presses: &[chat::Press]) {
    let idle = |talk: &mut Talk| {
        for press in presses {
            match look_up(&talk.session, &press.token) {
                Pressing::Now(Slot::Do { command, .. }) => idle::carry_out_idle(talk, command),
                Pressing::Now(Slot::Field { .. }) | Pressing::Past(_) | Pressing::Unknown => {
                    if !finish::say_already_submitted(talk) {
                        talk.note("old_button", &[]);
                        begin::list_forms(talk, None);
                    }
                }
            }
        }
    };
    in_form(talk, |talk, filling| press::press(talk, filling, presses), idle);
}

/// Gives data to the asked field, or to the first open one of a kind.
fn hand_over(talk: &mut Talk<'_>, data: &serde_json::Value, fits: fn(&Kind) -> bool, text: &str) {
    let hear = |talk: &mut Talk, filling: &mut Filling<'_>| {
        if let Some(path) = waiting::wants(filling, fits) {
            let Some(field) = filling.form.field_at(&path) else { return Then::Vain };
            let accepted = field.kind.behaviour().accept(data, &filling.context(field, &[]));
            let then = match accepted {
                Ok(value) => {
                    let fill = super::Command::Fill { path, value, quote: None };
                    carry::carry_out(talk, filling, fill)
                }
                Err(refusal) => carry::refuse(talk, filling, &path, refusal),
            };
            if then != Then::Go || text.trim().is_empty() {
                return then;
            }
        }
        if text.trim().is_empty() { Then::Vain } else { late::hear(talk, filling, text) }
    };
    in_form(talk, hear, |talk| idle::hear_idle(talk, text));
}

/// Runs something inside the form being filled, or something else where there is none.
pub(crate) fn in_form(
    talk: &mut Talk<'_>,
    inside: impl FnOnce(&mut Talk, &mut Filling<'_>) -> Then,
    idle: impl FnOnce(&mut Talk),
) {
    let Some((form, draft)) = take_draft(talk) else { return idle(talk) };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let then = inside(talk, &mut filling);
    go_on(talk, &form, filling, then);
}

fn go_on(talk: &mut Talk<'_>, form: &Form, mut filling: Filling<'_>, then: Then) {
    match then {
        Then::Go => {}
        Then::Model => {
            talk.session.draft = Some(filling.journal.draft);
            return;
        }
        Then::Vain if waiting::waits_for_failed_tool(&filling) => {
            let _ = aside::retry(talk, &mut filling);
        }
        Then::Vain => {
            sheet::note_vain(&mut filling);
            talk.notes.extend(waiting::failed(&mut filling));
        }
        // What is done before the submission comes first.
        Then::Submit if !desk::person::needs_approval(&filling) && deeds::owe_all(&mut filling) => {}
        Then::Submit => {
            if finish::submit(talk, &mut filling) {
                return onward::close(talk, form, filling.journal.finish());
            }
        }
        Then::Cancel => {
            let draft = filling.journal.finish();
            return begin::cancel_draft(talk, draft, form);
        }
        Then::Start(id) => {
            put_draft(talk, filling);
            // What asks for another form may hold answers to it.
            let words = std::mem::take(&mut talk.words);
            tongue::speak_as_asked_for(talk, &id, &words);
            if begin::start(talk, &id, None) && talk.elsewhere.is_none() && !words.is_empty() {
                hear::hear_on(talk, &words);
            }
            talk.words = words;
            return;
        }
        Then::Resume(id) => {
            put_draft(talk, filling);
            if id.is_some() || !talk.session.parked.is_empty() {
                begin::resume(talk, id.as_ref());
            }
            return;
        }
        Then::Forms => {
            talk.notes.push(filling.say("welcome", &[]));
            begin::list_forms(talk, None);
        }
    }
    put_draft(talk, filling);
}

pub(crate) fn take_draft(talk: &mut Talk<'_>) -> Option<(Arc<Form>, Draft)> {
    let draft = talk.session.draft.take()?;
    // `catch_up` has seen to it that the form is there.
    let form = talk.engine.form_of(&draft)?;
    Some((form, draft))
}

pub(crate) fn put_draft(talk: &mut Talk<'_>, mut filling: Filling<'_>) {
    settle::settle(talk, &mut filling);
    receipt::say_what_followed(talk, &mut filling);
    let mut draft = filling.journal.finish();
    draft.touched = talk.world.now.timestamp();
    talk.session.draft = Some(draft);
}

fn expire(talk: &mut Talk<'_>) {
    let kept: Vec<Draft> = talk.session.draft.iter().chain(&talk.session.parked).cloned().collect();
    for draft in kept {
        if let Some(form) = talk.engine.form_of(&draft) {
            desk::person::lets_go_of_case(talk, &form, &draft);
        }
    }
    let Some((form, mut draft)) = take_draft(talk) else { return };
    let title = talk.title(&form);
    draft.state = State::Closed;
    draft.cancelled = true;
    talk.session.closed = Some(draft);
    let world = talk.world.speaking(&form);
    let voice = super::prompt::Voice { world: &world, form: Some(&form) };
    let seconds = i64::try_from(talk.engine.catalog.draft_ttl(Some(&form))).unwrap_or(i64::MAX);
    let kind = Kind::Duration(formwright_form::kind::duration::Duration::default());
    let time = super::options::show_plain(&world, &kind, &Value::Duration(seconds));
    talk.notes.push(voice.say("expired", &[("title", &title), ("time", &time)]));
}

/// An outside call has ended; tells whether anybody waited for it.
fn take_outcome(talk: &mut Talk<'_>, outcome: &Outcome) -> bool {
    let delivered = talk.session.closed.as_ref().map(|draft| delivery_call(&draft.submission));
    if delivered.as_deref() == Some(outcome.call.as_str()) {
        return match &outcome.result {
            Ok(_) => false,
            Err(error) => {
                finish::delivery_failed(talk, error);
                true
            }
        };
    }
    tools::tool_outcome(talk, outcome)
}
