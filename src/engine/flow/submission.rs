//! The submission of a form, and what is said of it.

use formwright_chat as chat;

use crate::ask::review;
use crate::desk::open;
use crate::draft::filling::Filling;
use crate::draft::fresh;
use crate::effect::{Effect, Provenance, Submission};
use crate::session::{Draft, Session, State};
use crate::talk::Talk;
use crate::zone;
use formwright_form::{Form, Path};

/// The id of a submission to come. Two that begin in one step have two.
pub(crate) fn new_submission(talk: &mut Talk<'_>) -> String {
    talk.begun += 1;
    fresh::submission_id(&talk.world.nonce, talk.begun - 1)
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
    talk.saying.notes.push(filling.say(name, &[("title", &title), ("reference", &reference)]));
    let shown = review::open_answers_json(filling.form, filling.draft());
    talk.saying.complete = Some((submission.form.clone(), shown));
    talk.effects.push(Effect::Submit(Box::new(submission)));
    filling.journal.draft.state = State::Closed;
}

/// Where a form was submitted in this step already, it has a reply of its own, with what was said by then: its answers
/// reach the client too.
fn tell_of_the_one_before(talk: &mut Talk<'_>) {
    let Some((form, answers)) = talk.saying.complete.take() else { return };
    let mut say = std::mem::take(&mut talk.saying.notes);
    (talk.saying.noted, talk.saying.needs) = (None, None);
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
pub(crate) fn is_for_another(session: &Session, draft: &Draft) -> bool {
    let awaits = |to: &str| session.parked.iter().any(|parked| parked.submission == to);
    draft.returns.as_ref().is_some_and(|returns| awaits(&returns.to))
}

pub(crate) fn submission(talk: &Talk<'_>, form: &Form, draft: &Draft) -> Submission {
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
        answers: review::answers_json(form, draft),
        zone: zone::zone_of_answers(form, draft),
        review: open::reviewed(form, draft),
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
    talk.saying.recalls = true;
    match talk.engine.form_of(draft) {
        Some(form) => {
            let title = talk.title(&form);
            talk.note_of(&form, name, &[("title", &title), ("reference", &reference)]);
        }
        None => talk.note(name, &[("title", ""), ("reference", &reference)]),
    }
    true
}

/// How the person is told the submission's id: its beginning, by which it is found in every list.
pub(crate) fn reference(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}
