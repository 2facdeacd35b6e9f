//! A form ends with a submission.

use formwright_chat::ButtonRole::Primary;

use crate::desk::{open, person};
use crate::draft::filling::Filling;
use crate::effect::Effect;
use crate::flow::submission;
use crate::input::CallError;
use crate::session::State;
use crate::session::screen::Slot;
use crate::talk::Talk;
use crate::tools::deciding;
use formwright_form::Path;
use formwright_nlu::{Command, Pending};

/// Submits the form if everything still holds; the answers that no longer do are asked again.
pub(crate) fn submit(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> bool {
    if filling.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty()) {
        // What was approved is submitted, and nothing else.
        submission::complete_form(talk, filling);
        return true;
    }
    deciding::decide_by_tools(talk, filling);
    // Time has passed since the answers were given: "not in the future" may have changed, options may be gone.
    let paths: Vec<Path> = filling.draft().answers.keys().cloned().collect();
    for path in &paths {
        if let Some(field) = filling.form.field_at(path) {
            let _ = filling.reconsider(field, path);
        }
    }
    let lists: Vec<Path> = filling.draft().lists.keys().cloned().collect();
    for list in &lists {
        filling.refresh_more(list);
    }
    if filling.draft().todo.first().is_some_and(|addr| !addr.is_later()) {
        return false;
    }
    if let Some((path, why)) = filling.unworkable() {
        let label = filling.form.field_at(&path).map(|field| field.label.pick(&filling.world.tags()).to_owned());
        let label = label.unwrap_or_default();
        talk.saying.notes.push(filling.say("cannot_work_out", &[("label", &label)]));
        talk.effects.push(Effect::Fault(format!(
            "{} cannot be submitted, a value cannot be worked out: {why}",
            filling.form.id
        )));
        return false;
    }
    filling.journal.draft.pending = Pending::Nothing;
    if !filling.form.submits && submission::is_for_another(&talk.session, filling.draft()) {
        filling.journal.draft.state = State::Closed;
        return true;
    }
    if open::needs_approval(filling) {
        return person::send_for_approval(talk, filling);
    }
    submission::complete_form(talk, filling);
    true
}

/// A submission could not be delivered: the answers are still here, and the person may try again.
pub(crate) fn delivery_failed(talk: &mut Talk<'_>, error: &CallError) {
    if let Some(draft) = &mut talk.session.closed {
        draft.undelivered = true;
    }
    talk.saying.notes.extend(error.for_person.clone());
    let Some(form) = talk.session.closed.as_ref().and_then(|draft| talk.engine.form_of(draft)) else {
        if error.for_person.is_none() {
            talk.note("submit_failed", &[]);
        }
        return talk.button("button_retry", &[], Primary, Command::Retry);
    };
    if error.for_person.is_none() {
        talk.note_of(&form, "submit_failed", &[]);
    }
    talk.button_of(&form, "button_retry", &[], Primary, Command::Retry);
}

/// Sends the form that closed last again, where it was given up, under the same id: a receiver that has it already
/// takes it once.
pub(crate) fn retry_submission(talk: &mut Talk<'_>) {
    let offered = |slot: &Slot| matches!(slot, Slot::Do { command: Command::Retry, .. });
    let is_offered = talk.session.screen.iter().flat_map(|screen| &screen.slots).any(offered);
    let is_under_way = talk.session.closed.as_ref().is_some_and(|draft| !draft.undelivered);
    if is_under_way && !is_offered && submission::say_already_submitted(talk) {
        return;
    }
    let closed = talk.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
    let found = closed.and_then(|draft| Some((talk.engine.form_of(draft)?, draft)));
    let Some((form, draft)) = found else { return talk.note("nothing_to_retry", &[]) };
    let submission = submission::submission(talk, &form, draft);
    talk.effects.push(Effect::Submit(Box::new(submission)));
    talk.note_of(&form, "retrying", &[]);
}

/// The name a submission's delivery has among outside calls.
pub fn delivery_call(submission: &str) -> String {
    format!("deliver:{submission}")
}
