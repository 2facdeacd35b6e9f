//! What the person says, inside a form or outside.

use crate::command::change::Then;
use crate::command::{self, digress, park};
use crate::desk::open;
use crate::draft::filling::Filling;
use crate::flow::{onward, settle, submit};
use crate::handle::{self, act, idle, language};
use crate::sheet;
use crate::talk::Talk;
use crate::tools::side_effects;
use crate::zone::learn;
use formwright_form::{Form, FormId};

pub(crate) fn open(talk: &mut Talk<'_>, form: Option<&FormId>) {
    match (form, &talk.session.draft) {
        (Some(form), Some(draft)) if draft.form == *form => {}
        (Some(form), _) => {
            if !command::begin::start(talk, form, None) && !park::is_parked(talk, form) {
                command::begin::list_forms(talk, None);
            }
        }
        (None, Some(_)) => {}
        (None, None) if talk.world.terms.answers_only => talk.note("fields_needed", &[]),
        (None, None) => {
            command::begin::invite(talk);
            command::begin::offer_to_resume(talk);
        }
    }
}

pub(crate) fn say(talk: &mut Talk<'_>, text: &str) {
    text.clone_into(&mut talk.words);
    if text.trim().is_empty() {
        return open(talk, None);
    }
    if language::takes_up_language(talk, text) || learn::takes_up_zone(talk, text) {
        return;
    }
    in_form(talk, |talk, filling| handle::late::hear(talk, filling, text), |talk| idle::hear_idle(talk, text));
}

/// Runs something inside the form being filled, or something else where there is none.
pub(crate) fn in_form(
    talk: &mut Talk<'_>,
    inside: impl FnOnce(&mut Talk, &mut Filling<'_>) -> Then,
    idle: impl FnOnce(&mut Talk),
) {
    let Some((form, draft)) = settle::take_draft(talk) else { return idle(talk) };
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
        Then::Vain if handle::waiting::waits_for_failed_tool(&filling) => {
            let _ = digress::retry(talk, &mut filling);
        }
        Then::Vain => {
            sheet::note_vain(&mut filling);
            talk.saying.notes.extend(handle::waiting::failed(&mut filling));
        }
        // What is done before the submission comes first.
        Then::Submit if !open::needs_approval(&filling) && side_effects::owe_all(&mut filling) => {}
        Then::Submit => {
            if submit::submit(talk, &mut filling) {
                return onward::close(talk, form, filling.journal.finish());
            }
        }
        Then::Cancel => {
            let draft = filling.journal.finish();
            return command::begin::cancel_draft(talk, draft, form);
        }
        Then::Start(id) => {
            settle::put_draft(talk, filling);
            // What asks for another form may hold answers to it.
            let words = std::mem::take(&mut talk.words);
            language::speak_as_asked_for(talk, &id, &words);
            if command::begin::start(talk, &id, None) && talk.elsewhere.is_none() && !words.is_empty() {
                act::hear_on(talk, &words);
            }
            talk.words = words;
            return;
        }
        Then::Resume(id) => {
            settle::put_draft(talk, filling);
            if id.is_some() || !talk.session.parked.is_empty() {
                command::begin::resume(talk, id.as_ref());
            }
            return;
        }
        Then::Forms => {
            talk.saying.notes.push(filling.say("welcome", &[]));
            command::begin::list_forms(talk, None);
        }
    }
    settle::put_draft(talk, filling);
}
