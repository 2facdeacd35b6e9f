//! The side of whoever filled a form in that others have to approve: sent, approved, rejected, to be changed, withdrawn.

use formwright_chat as chat;
use formwright_chat::ButtonRole::Plain;
use formwright_chat::{CaseCode, CaseNews, CaseRequest, Member};

use crate::ask::review;
use crate::desk::{Desk, Person, leave, open, send};
use crate::draft::filling::Filling;
use crate::effect::Effect;
use crate::flow::submission;
use crate::saying::Saying;
use crate::session::{Draft, State};
use crate::talk::Talk;
use formwright_form::{Form, Path};
use formwright_lexicon::language;
use formwright_nlu::{Answer, Command, Pending};

/// Says that a command would change what may not be changed; tells whether it would.
pub(crate) fn keeps_to_what_is_open(saying: &mut Saying, filling: &Filling<'_>, command: &Command) -> bool {
    if open::changes_what_is_approved(filling, command) {
        saying.notes.push(filling.say("approved_as_it_is", &[]));
        return true;
    }
    if !open::changes_what_is_settled(filling, command) {
        return false;
    }
    let labels = open::open_labels(filling).unwrap_or_default();
    saying.notes.push(filling.say("only_these", &[("labels", &labels)]));
    true
}

/// Sends a finished form to those who have to approve it; tells whether there are any.
pub(crate) fn send_for_approval(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> bool {
    let Some(review) = &filling.form.review else { return false };
    if talk.world.tries_out {
        let facts = [("title", filling.form.title.pick(&filling.world.tags_of(filling.form))), ("what", &review.by)];
        talk.saying.notes.push(filling.say("review_tried_out", &facts));
        talk.saying.complete =
            Some((filling.form.id.clone(), review::open_answers_json(filling.form, filling.draft())));
        filling.journal.draft.state = State::Closed;
        return true;
    }
    let Some((name, desk)) = talk.engine.desks.get_key_value(&review.by) else {
        talk.effects.push(Effect::Fault(format!(
            "{} is to be approved at the desk `{}`, and there is none of that name in the settings",
            filling.form.id, review.by
        )));
        talk.saying.notes.push(filling.say("no_desk", &[]));
        return false;
    };
    let approval = filling.journal.draft.approval.get_or_insert_default();
    approval.round = approval.round.saturating_add(1);
    (approval.open, approval.locked) = (Vec::new(), Vec::new());
    let (round, masked) = (approval.round, std::mem::take(&mut approval.masked));
    let other = |path: &Path, before: &Answer| {
        let now = filling.draft().answers.get(path);
        now.is_some_and(|now| now.value != before.value).then(|| path.to_string())
    };
    let request = CaseRequest {
        needs: review.needs,
        remind: review.remind,
        round,
        veiled: masked.iter().filter_map(|(path, before)| other(path, before)).collect(),
        ..request(talk, filling.form, filling.draft(), name, desk)
    };
    let Some(code) = CaseCode::of_submission(&request.submission) else { return false };
    let news = CaseNews::Review { request: Box::new(request) };
    tell_desk(talk, desk, &code, news, &round.to_string());
    let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
    let draft = &mut filling.journal.draft;
    (draft.state, draft.pending, draft.confirmed) = (State::InReview, Pending::Nothing, false);
    let (told, submission) = (submission::reference(&draft.submission).to_owned(), draft.submission.clone());
    let sentence = if round > 1 { "sent_again_for_approval" } else { "sent_for_approval" };
    talk.saying.notes.push(filling.say(sentence, &[("title", &title), ("reference", &told)]));
    talk.saying.buttons.push((filling.say("button_withdraw", &[]), Plain, Command::Withdraw { submission }));
    true
}

/// What a desk is told of a draft, in the desk's language.
pub(crate) fn request(talk: &Talk<'_>, form: &Form, draft: &Draft, name: &str, desk: &Desk) -> CaseRequest {
    let lang = desk.lang.clone().or_else(|| form.languages.first().cloned()).unwrap_or_else(|| "en".to_owned());
    let mut world = talk.world.clone();
    world.speak(language(&lang));
    let world = world.speaking(form);
    let filling = Filling::new(form, &world, draft.clone());
    let card = review::card(&filling, |_| chat::Token::new(&talk.world.nonce, 0), None);
    let rows = card.rows.into_iter().map(|row| chat::CardRow { edit: None, ..row }).collect();
    CaseRequest {
        submission: draft.submission.clone(),
        desk: name.to_owned(),
        title: card.title,
        lang,
        place: talk.session.place.clone(),
        person: Member { id: talk.session.owner.clone(), name: talk.world.name.clone() },
        shared: talk.session.shared,
        forms: talk.world.terms.forms.clone(),
        rows,
        empty: review::empty(&filling),
        round: 1,
        needs: 1,
        remind: None,
        said: None,
        veiled: Vec::new(),
    }
}

pub(crate) fn tell_desk(talk: &mut Talk<'_>, desk: &Desk, code: &CaseCode, news: CaseNews, count: &str) {
    let person = Person { place: &talk.session.place, user: &talk.session.owner, name: talk.world.name.as_deref() };
    talk.effects.push(send::to_desk(desk, code, &person, news, count, talk.world.now.timestamp()));
}

/// Nothing comes of it.
pub(crate) fn gives_up(talk: &mut Talk<'_>, form: &Form, mut draft: Draft) {
    (draft.state, draft.cancelled, draft.pending) = (State::Closed, true, Pending::Nothing);
    talk.session.closed = Some(draft);
    talk.button_of(form, "button_undo", &[], Plain, Command::Undo);
}

/// A form that is brought back is a new request to those who have to approve it.
pub(crate) fn becomes_a_new_request(talk: &mut Talk<'_>, draft: &mut Draft) {
    if draft.approval.take().is_some() {
        draft.submission = submission::new_submission(talk);
    }
}

/// Takes back what waits for approval.
pub(crate) fn withdraw(talk: &mut Talk<'_>, submission: &str) {
    let at = talk.session.reviewing.iter().position(|draft| draft.submission == submission);
    let found = at.and_then(|at| Some((at, talk.engine.form_of(talk.session.reviewing.get(at)?)?)));
    let Some((at, form)) = found else {
        if !submission::say_already_submitted(talk) {
            talk.note("old_button", &[]);
        }
        return;
    };
    let draft = talk.session.reviewing.remove(at);
    let title = talk.title(&form);
    tell_withdrawn(talk, &form, &draft);
    talk.note_of(&form, "withdrawn", &[("title", &title)]);
    gives_up(talk, &form, draft);
}

/// Tells the desk that nothing comes of a draft it knows of.
pub(crate) fn lets_go_of_case(talk: &mut Talk<'_>, form: &Form, draft: &Draft) {
    if draft.approval.is_some() {
        tell_withdrawn(talk, form, draft);
    }
}

fn tell_withdrawn(talk: &mut Talk<'_>, form: &Form, draft: &Draft) {
    if let Some((desk, code)) = leave::case_of_draft(talk.engine, form, draft) {
        tell_desk(talk, desk, &code, CaseNews::Withdrawn, "1");
    }
}

/// Says what waits for approval, with a way to take it back.
pub(crate) fn tell_what_is_in_review(talk: &mut Talk<'_>) {
    let waiting: Vec<(String, _)> = talk
        .session
        .reviewing
        .iter()
        .filter_map(|draft| Some((draft.submission.clone(), talk.engine.form_of(draft)?)))
        .collect();
    for (submission, form) in waiting {
        let (title, told) = (talk.title(&form), submission::reference(&submission).to_owned());
        talk.note_of(&form, "in_review", &[("title", &title), ("reference", &told)]);
        talk.button_of(&form, "button_withdraw", &[], Plain, Command::Withdraw { submission });
    }
}
