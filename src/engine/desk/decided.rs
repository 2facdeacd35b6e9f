//! What a desk decided about a form.

use formwright_chat::ButtonRole::Plain;
use formwright_chat::{CaseCode, CaseNews, Decision};

use crate::command::park;
use crate::desk::{self, Approval, open, person};
use crate::draft::filling::Filling;
use crate::draft::fresh;
use crate::effect::Effect;
use crate::flow::{onward, settle, submission};
use crate::session::{Draft, State};
use crate::talk::Talk;
use crate::tools::side_effects;
use formwright_form::{Form, Path};
use formwright_nlu::{Command, Pending};

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
            person::gives_up(talk, &form, draft);
        }
        CaseNews::Lapsed => {
            talk.note_of(&form, "review_lapsed", &[("title", &title)]);
            person::gives_up(talk, &form, draft);
        }
        CaseNews::Changes { decision, fields, why } => is_to_change(talk, &form, draft, decision, fields, why),
        CaseNews::Unreached => {
            let facts = [("title", title.as_str()), ("reference", submission::reference(&draft.submission))];
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
    talk.saying.notes.push(filling.say("approved", &[("title", &title), ("who", &names)]));
    talk.lang = Some(world.speaks.code);
    if side_effects::owe_all(&mut filling) {
        // What is done first may need the person: it is their form again, and what they are in comes back after it.
        if let Some(present) = talk.session.draft.take() {
            filling.journal.draft.approval.get_or_insert_default().interrupted = Some(present.form.clone());
            park::put_aside(talk, present, form);
        }
        return settle::put_draft(talk, filling);
    }
    submission::complete_form(talk, &mut filling);
    onward::close(talk, form, filling.journal.finish());
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
    let labels = open::open_labels(&filling).unwrap_or_default();
    let facts = [("who", by.user.called()), ("labels", labels.as_str()), ("why", why)];
    talk.saying.notes.push(filling.say("changes_wanted", &facts));
    let draft = filling.journal.draft;
    if talk.session.draft.as_ref().is_some_and(fresh::is_begun) {
        // Their next answer is for the form they are in: this one waits until they are ready for it.
        park::keep_aside(&mut talk.session, draft);
        let command = Command::Resume { form: Some(form.id.clone()) };
        talk.button_of(form, "button_resume", &[("title", &talk.title(form))], Plain, command);
        return;
    }
    talk.session.draft = Some(draft);
}
