//! A form ends with a submission.

use crate::deciding;
use crate::desk;
use chat::ButtonRole::Primary;
use formwright_chat as chat;

use super::fill::Filling;
use super::review::answers_json;
use super::session::{Draft, Pending, Slot, State};
use super::talk::Talk;
use super::{CallError, Command, Effect, Provenance, Submission};
use formwright_form::{Form, Path};

/// Submits the form if everything still holds; the answers that no longer do are asked again.
pub(crate) fn submit(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> bool {
    if filling.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty()) {
        // What was approved is submitted, and nothing else.
        complete_form(talk, filling);
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
        talk.notes.push(filling.say("cannot_work_out", &[("label", &label)]));
        talk.effects.push(Effect::Fault(format!(
            "{} cannot be submitted, a value cannot be worked out: {why}",
            filling.form.id
        )));
        return false;
    }
    filling.journal.draft.pending = Pending::Nothing;
    if !filling.form.submits && is_for_another(talk, filling.draft()) {
        filling.journal.draft.state = State::Closed;
        return true;
    }
    if desk::person::needs_approval(filling) {
        return desk::person::send_for_approval(talk, filling);
    }
    complete_form(talk, filling);
    true
}

/// The id of a submission to come. Two that begin in one step have two.
pub(crate) fn new_submission(talk: &mut Talk<'_>) -> String {
    talk.begun += 1;
    submission_id(&talk.world.nonce, talk.begun - 1)
}

/// Submits the form as it is.
pub(crate) fn complete_form(talk: &mut Talk<'_>, filling: &mut Filling<'_>) {
    let draft = &mut filling.journal.draft;
    draft.revision += 1;
    (draft.state, draft.undelivered) = (State::Complete, false);
    let submission = submission(talk, filling.form, filling.draft());
    tell_of_the_one_before(talk);
    let name = if submission.revision > 1 { "submitted_again" } else { "submitted" };
    let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
    let reference = reference(&submission.id).to_owned();
    talk.notes.push(filling.say(name, &[("title", &title), ("reference", &reference)]));
    let shown = super::review::open_answers_json(filling.form, filling.draft());
    talk.complete = Some((submission.form.clone(), shown));
    talk.effects.push(Effect::Submit(Box::new(submission)));
    filling.journal.draft.state = State::Closed;
}

/// Where a form was submitted in this step already, it has a reply of its own, with what was said by then: its answers
/// reach the client too.
fn tell_of_the_one_before(talk: &mut Talk<'_>) {
    let Some((form, answers)) = talk.complete.take() else { return };
    let mut say = std::mem::take(&mut talk.notes);
    (talk.noted, talk.needs) = (None, None);
    say.retain(|paragraph| !paragraph.trim().is_empty());
    let known = talk.engine.catalog().form(&form).cloned();
    let reply = chat::Reply {
        say,
        lang: known.as_ref().map_or(talk.world.speaks.code, |form| talk.world.speaking(form).speaks.code).to_owned(),
        shared: talk.session.shared,
        title: known.map(|form| talk.title(&form)),
        form: Some(form.to_string()),
        complete: Some(answers),
        ..chat::Reply::default()
    };
    talk.effects.push(Effect::Reply(Box::new(reply)));
}

/// Whether a draft gives its answers to a form that waits for them.
fn is_for_another(talk: &Talk<'_>, draft: &Draft) -> bool {
    let awaits = |to: &str| talk.session.parked.iter().any(|parked| parked.submission == to);
    draft.returns.as_ref().is_some_and(|returns| awaits(&returns.to))
}

fn submission(talk: &Talk<'_>, form: &Form, draft: &Draft) -> Submission {
    let sensitive = |path: &Path| form.field_at(path).is_some_and(|field| field.sensitive);
    Submission {
        id: draft.submission.clone(),
        revision: draft.revision,
        form: form.id.clone(),
        version: form.version.clone(),
        at: talk.world.now.timestamp(),
        place: talk.session.place.clone(),
        user: talk.session.owner.clone(),
        shared: talk.session.shared,
        answers: answers_json(form, draft),
        zone: super::zone::zone_of_answers(form, draft),
        review: super::desk::reviewed(form, draft),
        provenance: draft
            .answers
            .iter()
            .map(|(path, answer)| Provenance {
                field: path.clone(),
                source: answer.source,
                quote: answer.quote.clone().filter(|_| !sensitive(path)),
                at: answer.at,
                by: answer.by.clone(),
            })
            .collect(),
    }
}

/// Tells who presses again what came of the form that closed last; tells whether it was submitted.
pub(crate) fn say_already_submitted(talk: &mut Talk<'_>) -> bool {
    say_of_submitted(talk, "already_submitted")
}

/// Says something of the form that was submitted last; tells whether there is one.
pub(crate) fn say_of_submitted(talk: &mut Talk<'_>, name: &str) -> bool {
    let closed = talk.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
    let Some(draft) = closed else { return false };
    let reference = reference(&draft.submission).to_owned();
    talk.recalls = true;
    match talk.engine.form_of(draft) {
        Some(form) => {
            let title = talk.title(&form);
            talk.note_of(&form, name, &[("title", &title), ("reference", &reference)]);
        }
        None => talk.note(name, &[("title", ""), ("reference", &reference)]),
    }
    true
}

/// A submission could not be delivered: the answers are still here, and the person may try again.
pub(crate) fn delivery_failed(talk: &mut Talk<'_>, error: &CallError) {
    if let Some(draft) = &mut talk.session.closed {
        draft.undelivered = true;
    }
    talk.notes.extend(error.for_person.clone());
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
    if is_under_way && !is_offered && say_already_submitted(talk) {
        return;
    }
    let closed = talk.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
    let found = closed.and_then(|draft| Some((talk.engine.form_of(draft)?, draft)));
    let Some((form, draft)) = found else { return talk.note("nothing_to_retry", &[]) };
    let submission = submission(talk, &form, draft);
    talk.effects.push(Effect::Submit(Box::new(submission)));
    talk.note_of(&form, "retrying", &[]);
}

/// The id of a submission to come: 26 letters and digits that people can read out, made of the step's random bits. `no`
/// tells those of one step apart.
pub(super) fn submission_id(nonce: &chat::Nonce, no: u32) -> String {
    // Crockford's base 32: no I, L, O or U to be mistaken.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let apart = std::iter::repeat_n(b'+', usize::try_from(no).unwrap_or(0));
    let bits =
        nonce.as_str().bytes().chain(apart).fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
    let letter = |i: u32| char::from(ALPHABET[usize::try_from((bits >> (5 * i)) & 31).unwrap_or(0)]);
    format!("F-{}", (0..26).map(letter).collect::<String>())
}

/// How the person is told the submission's id: its beginning, by which it is found in every list.
pub(super) fn reference(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

/// The name a submission's delivery has among outside calls.
pub fn delivery_call(submission: &str) -> String {
    format!("deliver:{submission}")
}
