//! The side of whoever filled a form in that others have to approve: sent, approved, rejected, to be changed, withdrawn.

use crate::begin;
use crate::deeds;
use crate::desk;
use crate::finish;
use crate::onward;
use crate::step;
use chat::ButtonRole::Plain;
use chat::{CaseCode, CaseNews, CaseRequest, Decision, Member};
use formwright_chat as chat;

use super::{Approval, Desk, Person, Reviewed, to_desk};
use crate::begin::is_begun;
use crate::fill::Filling;
use crate::finish::reference;
use crate::review;
use crate::session::{Answer, Draft, Pending, State};
use crate::talk::Talk;
use crate::{Command, Effect};
use formwright_form::language::language;
use formwright_form::{Form, Path};

/// Whether somebody has to approve the form who has not yet.
pub(crate) fn needs_approval(filling: &Filling<'_>) -> bool {
    let approved = filling.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty());
    filling.form.review.is_some() && !approved
}

/// Names of what alone may be changed; none where anything may.
fn open_labels(filling: &Filling<'_>) -> Option<String> {
    let open = &filling.draft().approval.as_ref()?.open;
    let labels: Vec<String> = open.iter().map(|path| filling.label(path)).collect();
    (!open.is_empty()).then(|| filling.voice().list(&labels))
}

/// Whether the person may give another answer, as far as it lies with those who approve.
pub(crate) fn is_open_to_change(filling: &Filling<'_>, path: &Path) -> bool {
    let command = Command::Edit { path: Some(path.clone()) };
    !changes_what_is_approved(filling, &command) && !changes_what_is_settled(filling, &command)
}

/// Whether a command would change what was approved.
fn changes_what_is_approved(filling: &Filling<'_>, command: &Command) -> bool {
    let asks_what = *command == Command::Deny && filling.draft().pending == Pending::Review;
    filling.form.review.is_some()
        && !needs_approval(filling)
        && (asks_what
            || matches!(
                command,
                Command::Fill { .. }
                    | Command::Together { .. }
                    | Command::Clear { .. }
                    | Command::AddItem { .. }
                    | Command::RemoveItem { .. }
                    | Command::EndList { .. }
                    | Command::Edit { .. }
                    | Command::FillRest { .. }
                    | Command::Undo
                    | Command::Redo
                    | Command::Restart
            ))
}

/// Whether a command would change an answer that nobody has asked to be changed.
fn changes_what_is_settled(filling: &Filling<'_>, command: &Command) -> bool {
    let Some(approval) = filling.draft().approval.as_ref().filter(|approval| !approval.open.is_empty()) else {
        return false;
    };
    let around = |path: &Path| approval.open.iter().any(|open| open.is_within(path) || path.is_within(open));
    let settled = |path: &Path| {
        let locked = approval.locked.iter().any(|locked| locked.is_within(path) || path.is_within(locked));
        locked && !around(path)
    };
    match command {
        Command::Fill { path, .. } | Command::Clear { path } | Command::Edit { path: Some(path) } => settled(path),
        // Items move up when one goes: what is open would be another one's then.
        Command::AddItem { list: path } | Command::RemoveItem { item: path } => {
            let seen = approval.locked.iter().chain(&approval.open).any(|seen| seen.is_within(path));
            seen && !approval.open.iter().any(|open| path.is_within(open))
        }
        Command::Restart => true,
        _ => false,
    }
}

/// Says that a command would change what may not be changed; tells whether it would.
pub(crate) fn keeps_to_what_is_open(talk: &mut Talk<'_>, filling: &Filling<'_>, command: &Command) -> bool {
    if changes_what_is_approved(filling, command) {
        talk.notes.push(filling.say("approved_as_it_is", &[]));
        return true;
    }
    if !changes_what_is_settled(filling, command) {
        return false;
    }
    let labels = open_labels(filling).unwrap_or_default();
    talk.notes.push(filling.say("only_these", &[("labels", &labels)]));
    true
}

/// Sends a finished form to those who have to approve it; tells whether there are any.
pub(crate) fn send_for_approval(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> bool {
    let Some(review) = &filling.form.review else { return false };
    if talk.world.tries_out {
        let facts = [("title", filling.form.title.pick(&filling.world.tags_of(filling.form))), ("what", &review.by)];
        talk.notes.push(filling.say("review_tried_out", &facts));
        talk.complete = Some((filling.form.id.clone(), review::open_answers_json(filling.form, filling.draft())));
        filling.journal.draft.state = State::Closed;
        return true;
    }
    let Some((name, desk)) = talk.engine.desks.get_key_value(&review.by) else {
        talk.effects.push(Effect::Fault(format!(
            "{} is to be approved at the desk `{}`, and there is none of that name in the settings",
            filling.form.id, review.by
        )));
        talk.notes.push(filling.say("no_desk", &[]));
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
    let (told, submission) = (reference(&draft.submission).to_owned(), draft.submission.clone());
    let sentence = if round > 1 { "sent_again_for_approval" } else { "sent_for_approval" };
    talk.notes.push(filling.say(sentence, &[("title", &title), ("reference", &told)]));
    talk.buttons.push((filling.say("button_withdraw", &[]), Plain, Command::Withdraw { submission }));
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
    talk.effects.push(to_desk(desk, code, &person, news, count, talk.world.now.timestamp()));
}

/// Hears what a desk has done; false where nothing waits for that here.
pub(crate) fn hear_of_case(talk: &mut Talk<'_>, code: &CaseCode, news: &CaseNews) -> bool {
    if desk::handoff::hear_of_talk(talk, code, news) {
        return true;
    }
    let ours = |draft: &Draft| CaseCode::of_submission(&draft.submission).as_ref() == Some(code);
    let Some(at) = talk.session.reviewing.iter().position(ours) else { return false };
    let Some(form) = talk.session.reviewing.get(at).and_then(|draft| talk.engine.form_of(draft)) else {
        talk.effects.push(Effect::Fault(format!("the form of case {code} is gone, its answers are kept")));
        if let (CaseNews::Approved { decisions }, Some(draft)) = (news, talk.session.reviewing.get_mut(at)) {
            draft.approval.get_or_insert_default().decisions.clone_from(decisions);
        }
        return false;
    };
    let draft = talk.session.reviewing.remove(at);
    let title = talk.title(&form);
    match news {
        CaseNews::Approved { decisions } => is_approved(talk, &form, draft, decisions),
        CaseNews::Rejected { decision, why } => {
            let facts = [("title", title.as_str()), ("who", decision.user.called()), ("why", why.as_str())];
            talk.note_of(&form, "rejected", &facts);
            gives_up(talk, &form, draft);
        }
        CaseNews::Lapsed => {
            talk.note_of(&form, "review_lapsed", &[("title", &title)]);
            gives_up(talk, &form, draft);
        }
        CaseNews::Changes { decision, fields, why } => is_to_change(talk, &form, draft, decision, fields, why),
        CaseNews::Unreached => {
            let facts = [("title", title.as_str()), ("reference", reference(&draft.submission))];
            talk.note_of(&form, "review_away", &facts);
            talk.session.reviewing.insert(at, draft);
        }
        CaseNews::Review { .. }
        | CaseNews::HandOff { .. }
        | CaseNews::Said { .. }
        | CaseNews::Withdrawn
        | CaseNews::Forgotten
        | CaseNews::Claimed { .. }
        | CaseNews::Answer { .. }
        | CaseNews::Back { .. } => {
            talk.session.reviewing.insert(at, draft);
            return false;
        }
    }
    true
}

/// Submits what was approved while its form was not there, where it is back.
pub(crate) fn submit_what_was_approved(talk: &mut Talk<'_>) {
    let decisions = |draft: &Draft| {
        let decided = draft.approval.as_ref().map(|approval| approval.decisions.clone());
        decided.filter(|decisions| !decisions.is_empty())
    };
    let found = talk.session.reviewing.iter().enumerate();
    let mut found = found.filter_map(|(at, draft)| Some((at, decisions(draft)?, talk.engine.form_of(draft)?)));
    if let Some((at, decisions, form)) = found.next() {
        let draft = talk.session.reviewing.remove(at);
        is_approved(talk, &form, draft, &decisions);
    }
}

fn is_approved(talk: &mut Talk<'_>, form: &Form, mut draft: Draft, decisions: &[Decision]) {
    let world = talk.world.speaking(form);
    draft.approval.get_or_insert_default().decisions = decisions.to_vec();
    draft.state = State::WaitConfirm;
    let mut filling = Filling::new(form, &world, draft);
    let names: Vec<String> = decisions.iter().map(|by| by.user.called().to_owned()).collect();
    let title = talk.title(form);
    let names = filling.voice().list(&names);
    talk.notes.push(filling.say("approved", &[("title", &title), ("who", &names)]));
    talk.lang = Some(world.speaks.code);
    if deeds::owe_all(&mut filling) {
        // What is done first may need the person: it is their form again, and what they are in comes back after it.
        if let Some(present) = talk.session.draft.take() {
            filling.journal.draft.approval.get_or_insert_default().interrupted = Some(present.form.clone());
            begin::put_aside(talk, present, form);
        }
        return step::put_draft(talk, filling);
    }
    finish::complete_form(talk, &mut filling);
    onward::close(talk, form, filling.journal.finish());
}

/// Nothing comes of it.
fn gives_up(talk: &mut Talk<'_>, form: &Form, mut draft: Draft) {
    (draft.state, draft.cancelled, draft.pending) = (State::Closed, true, Pending::Nothing);
    talk.session.closed = Some(draft);
    talk.button_of(form, "button_undo", &[], Plain, Command::Undo);
}

/// A form that is brought back is a new request to those who have to approve it.
pub(crate) fn becomes_a_new_request(talk: &mut Talk<'_>, draft: &mut Draft) {
    if draft.approval.take().is_some() {
        draft.submission = finish::new_submission(talk);
    }
}

fn is_to_change(talk: &mut Talk<'_>, form: &Form, mut draft: Draft, by: &Decision, fields: &[String], why: &str) {
    let open: Vec<Path> = fields.iter().filter_map(|field| field.parse().ok()).collect();
    let within = |path: &Path| open.iter().any(|open| path.is_within(open));
    let settled = draft.answers.keys().chain(&draft.skipped);
    let locked = settled.filter(|path| !within(path)).cloned().collect();
    draft.state = State::Incomplete;
    draft.pending = Pending::Nothing;
    draft.waiting = open.iter().map(|path| Pending::Field { path: path.clone(), editing: true }).collect();
    // What was changed before is not to be undone now.
    (draft.undo, draft.redo) = (Vec::new(), Vec::new());
    draft.touched = talk.world.now.timestamp();
    let round = draft.approval.as_ref().map_or(1, |approval| approval.round);
    let sensitive = |path: &Path| form.field_at(path).is_some_and(|field| field.sensitive);
    let masked = draft.answers.iter().filter(|(path, _)| sensitive(path));
    let masked = masked.map(|(path, answer)| (path.clone(), answer.clone())).collect();
    draft.approval = Some(Box::new(Approval { round, open, locked, masked, ..Approval::default() }));
    let world = talk.world.speaking(form);
    let filling = Filling::new(form, &world, draft);
    let labels = open_labels(&filling).unwrap_or_default();
    let facts = [("who", by.user.called()), ("labels", labels.as_str()), ("why", why)];
    talk.notes.push(filling.say("changes_wanted", &facts));
    let draft = filling.journal.draft;
    if talk.session.draft.as_ref().is_some_and(is_begun) {
        // Their next answer is for the form they are in: this one waits until they are ready for it.
        begin::keep_aside(talk, draft);
        let command = Command::Resume { form: Some(form.id.clone()) };
        talk.button_of(form, "button_resume", &[("title", &talk.title(form))], Plain, command);
        return;
    }
    talk.session.draft = Some(draft);
}

/// Takes back what waits for approval.
pub(crate) fn withdraw(talk: &mut Talk<'_>, submission: &str) {
    let at = talk.session.reviewing.iter().position(|draft| draft.submission == submission);
    let found = at.and_then(|at| Some((at, talk.engine.form_of(talk.session.reviewing.get(at)?)?)));
    let Some((at, form)) = found else {
        if !finish::say_already_submitted(talk) {
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
    if let Some((desk, code)) = desk::leave::case_of_draft(talk.engine, form, draft) {
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
        let (title, told) = (talk.title(&form), reference(&submission).to_owned());
        talk.note_of(&form, "in_review", &[("title", &title), ("reference", &told)]);
        talk.button_of(&form, "button_withdraw", &[], Plain, Command::Withdraw { submission });
    }
}

/// Who approved a draft, for its submission.
pub(crate) fn reviewed(form: &Form, draft: &Draft) -> Option<Reviewed> {
    let approval = draft.approval.as_ref().filter(|approval| !approval.decisions.is_empty())?;
    let desk = form.review.as_ref().map(|review| review.by.clone()).unwrap_or_default();
    Some(Reviewed { desk, round: approval.round, approvals: approval.decisions.clone() })
}
