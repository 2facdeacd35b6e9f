//! What goes on after a form: the one that it names in `then`, filled with what this one gave; or, where it was filled in
//! for a field of another form, that one.

use formwright_chat as chat;
use formwright_chat::ButtonRole::Plain;

use crate::ask::review;
use crate::command::{self, allowed, change, given, park};
use crate::draft::filling::Filling;
use crate::effect::Effect;
use crate::flow::settle;
use crate::session::returns::{Given, Returns};
use crate::session::{Draft, Session, State};
use crate::talk::Talk;
use crate::tools::purpose;
use formwright_form::field::SubForm;
use formwright_form::{FieldId, Form, FormId, Kind, Path};
use formwright_nlu::{Command, Pending, is_sensitive};

/// Closes a form that the person is done with, and begins what comes next. Where they are in another form meanwhile,
/// because this one was approved late, they stay in that.
pub(crate) fn close(talk: &mut Talk<'_>, form: &Form, draft: Draft) {
    if draft.state == State::InReview {
        // What comes of it is told when it has been decided; until then no form waits for its answers.
        talk.session.reviewing.push(Draft { returns: None, ..draft });
        return command::begin::offer_to_resume(talk);
    }
    let interrupted = draft.approval.as_ref().and_then(|approval| approval.interrupted.clone());
    if let Some(id) = interrupted.filter(|id| park::is_parked(talk, id)) {
        command::begin::resume(talk, Some(&id));
    }
    if let Some(returns) = draft.returns.clone() {
        let given_in = draft.revision > 0;
        let back = go_back(talk, form, &draft, &returns);
        if given_in || !back {
            keep_closed(talk, draft);
        } else {
            talk.effects.push(Effect::Left(Box::new(draft)));
        }
        if !back {
            // What it was filled in for is there no more.
            talk.note("form_gone", &[]);
            command::begin::offer_to_resume(talk);
        }
        return;
    }
    let next = next(form, &draft);
    keep_closed(talk, draft);
    let goes_on = next.is_some_and(|(id, given)| goes_on(talk, &id, &given));
    if !goes_on && talk.session.draft.is_none() {
        command::begin::offer_to_resume(talk);
    }
}

/// Keeps the form that closed last. Of the one before, what this turn did to it is still to be told.
fn keep_closed(talk: &mut Talk<'_>, draft: Draft) {
    let before = talk.session.closed.replace(draft);
    let after = talk.session.closed.as_ref().map(|draft| &draft.submission);
    if let Some(before) = before.filter(|before| Some(&before.submission) != after) {
        talk.effects.push(Effect::Left(Box::new(before)));
    }
}

/// Begins the form that comes next; tells whether there is one to be filled in now.
fn goes_on(talk: &mut Talk<'_>, id: &FormId, given: &[Given]) -> bool {
    let Some(form) = talk.engine.catalog().form(id).cloned() else {
        talk.effects.push(Effect::Fault(format!("form `{id}`, which is to come next, is not there")));
        return false;
    };
    if !form.enabled || !allowed::may_use(&talk.world, &form) {
        return false;
    }
    let sent = |effect: &Effect| matches!(effect, Effect::Submit(submission) if submission.form == *id);
    if talk.effects.iter().any(sent) {
        // Forms that lead to each other, and ask nothing, would go round for ever.
        talk.effects
            .push(Effect::Fault(format!("form `{id}` was submitted in this turn already: it does not begin again")));
        return false;
    }
    if allowed::belongs_elsewhere(&talk.session, &form) {
        // What was just submitted is told here.
        let title = talk.title(&form);
        talk.saying.buttons.push((title, Plain, Command::Start { form: id.clone() }));
        return true;
    }
    match &talk.session.draft {
        Some(present) if present.form == *id => {}
        Some(_) => waits_for_them(talk, &form, given),
        None if park::is_parked(talk, id) => drop(command::begin::start(talk, id, None)),
        None => command::begin::start_fresh(talk, &form, given),
    }
    true
}

/// Keeps the form that comes next, with what it was given, until the person is ready for it.
fn waits_for_them(talk: &mut Talk<'_>, form: &Form, given: &[Given]) {
    if !park::is_parked(talk, &form.id) {
        let draft = command::begin::fresh_draft(talk, form, given, None);
        park::keep_aside(&mut talk.session, draft);
    }
    let title = talk.title(form);
    talk.note_of(form, "comes_next", &[("title", &title)]);
    let command = Command::Resume { form: Some(form.id.clone()) };
    talk.button_of(form, "button_resume", &[("title", &title)], Plain, command);
}

/// Opens the form that is filled in for a field of the present one, which is put aside meanwhile. Where that cannot be,
/// the field is asked here.
pub(crate) fn open_for(talk: &mut Talk<'_>, form: &Form, mut draft: Draft, at: Path) {
    let found = form.field_at(&at).and_then(|field| field.form.as_ref());
    let sub = found.and_then(|sub| Some((sub, talk.engine.catalog().form(&sub.form)?.clone())));
    let fits = |sub: &Form| {
        sub.enabled
            && sub.review.is_none()
            && allowed::may_use(&talk.world, sub)
            && !allowed::belongs_elsewhere(&talk.session, sub)
    };
    let Some((link, sub)) = sub.filter(|(_, sub)| fits(sub) && depth(&talk.session, &draft) < SubForm::DEEPEST) else {
        talk.effects.push(Effect::Fault(format!("{}: no form can be opened for `{at}`: it is asked here", form.id)));
        draft.by_hand.insert(at);
        talk.session.draft = Some(draft);
        return;
    };
    let given = pairs(link, form, &at).into_iter().filter_map(|(member, field)| {
        let value = draft.answers.get(&member)?;
        let own = form.field_at(&member)?;
        Some(Given::of(&field, own.kind.behaviour().json(&value.value), is_sensitive(form, own)))
    });
    let given: Vec<Given> = given.collect();
    let returns = Returns { to: draft.submission.clone(), at };
    draft.pending = Pending::Nothing;
    let title = talk.title(form);
    let sub_title = talk.title(&sub);
    let begun = talk.session.parked.iter().rposition(|parked| parked.returns.as_ref() == Some(&returns));
    let begun =
        begun.filter(|no| talk.session.parked.get(*no).is_some_and(|draft| talk.engine.form_of(draft).is_some()));
    let begun = begun.map(|no| talk.session.parked.remove(no));
    talk.session.parked.push(draft);
    talk.note_of(&sub, "sub_form", &[("title", &sub_title), ("what", &title)]);
    talk.session.draft = Some(begun.unwrap_or_else(|| command::begin::fresh_draft(talk, &sub, &given, Some(returns))));
}

/// How many forms wait for the present one.
fn depth(session: &Session, draft: &Draft) -> usize {
    let mut depth = 1;
    let mut returns = draft.returns.as_ref();
    while let Some(above) = returns.filter(|_| depth < SubForm::DEEPEST) {
        depth += 1;
        let parent = session.parked.iter().find(|parked| parked.submission == above.to);
        returns = parent.and_then(|parent| parent.returns.as_ref());
    }
    depth
}

/// Goes back to the form that another one was filled in for, with what that gave; tells whether it is there.
fn go_back(talk: &mut Talk<'_>, sub: &Form, done: &Draft, returns: &Returns) -> bool {
    let Some((form, draft)) = take_waiting(talk, returns) else { return false };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let link = form.field_at(&returns.at).and_then(|field| field.form.as_ref());
    let all = review::answers_json(sub, done);
    let mut refused = Vec::new();
    for (member, field) in link.map(|link| pairs(link, &form, &returns.at)).unwrap_or_default() {
        let from = Path::field(&field);
        let kept = sub.field_at(&from).is_some_and(|own| is_sensitive(sub, own));
        let open = form.field_at(&member).is_none_or(|own| !is_sensitive(&form, own));
        if kept && open {
            continue;
        }
        if let Some(value) = all.get(field.as_str()) {
            let said = done.answers.get(&from);
            let source = said.map_or(chat::Source::Pressed, |answer| answer.source);
            let quote = said.and_then(|answer| answer.quote.clone());
            refused.extend(given::take_data(&mut filling, &member, value, source, quote));
        } else if done.skipped.contains(&from) {
            filling.skip(&member);
        }
    }
    filling.journal.draft.by_hand.insert(returns.at.clone());
    let (title, own) = (talk.title(sub), talk.title(&form));
    talk.note_of(&form, "sub_form_done", &[("title", &title), ("what", &own)]);
    for (path, refusal) in refused {
        let _ = change::refuse(talk, &mut filling, &path, refusal);
    }
    settle::put_draft(talk, filling);
    true
}

/// Goes back to the form that one was to be filled in for that is not there any more: its field is asked there. Tells
/// whether there is one.
pub(crate) fn go_back_from_gone(talk: &mut Talk<'_>, returns: &Returns) -> bool {
    let Some((form, mut draft)) = take_waiting(talk, returns) else { return false };
    draft.by_hand.insert(returns.at.clone());
    talk.note_of(&form, "resumed", &[("title", &talk.title(&form))]);
    talk.session.draft = Some(draft);
    true
}

/// Goes back to the form that a cancelled one was to be filled in for: its field is asked there.
pub(crate) fn go_back_without(talk: &mut Talk<'_>, sub: &Form, returns: &Returns) -> bool {
    let Some((form, mut draft)) = take_waiting(talk, returns) else { return false };
    draft.by_hand.insert(returns.at.clone());
    let (title, own) = (talk.title(sub), talk.title(&form));
    talk.note_of(&form, "sub_form_left", &[("title", &title), ("what", &own)]);
    talk.session.draft = Some(draft);
    true
}

fn take_waiting(talk: &mut Talk<'_>, returns: &Returns) -> Option<(std::sync::Arc<Form>, Draft)> {
    let at = talk.session.parked.iter().position(|parked| parked.submission == returns.to)?;
    let form = talk.engine.form_of(talk.session.parked.get(at)?)?;
    Some((form, talk.session.parked.remove(at)))
}

/// The field whose form is to be opened before `path` is asked, which is it or lies in it.
pub(crate) fn form_for(filling: &Filling<'_>, path: &Path) -> Option<Path> {
    let segs = path.segs();
    let all = (1..=segs.len()).filter_map(|len| Some(Path::from_segs(segs.get(..len)?.to_vec())));
    let mut open = all.filter(|at| filling.form.field_at(at).is_some_and(|field| field.form.is_some()));
    open.find(|at| !filling.draft().by_hand.contains(at))
}

/// Which fields here take which answers there.
fn pairs(link: &SubForm, form: &Form, at: &Path) -> Vec<(Path, FieldId)> {
    let Some(field) = form.field_at(at) else { return Vec::new() };
    let group = matches!(field.kind, Kind::Group(_));
    let place = |id: &FieldId| if group { at.child(id) } else { at.clone() };
    if !link.gives.is_empty() {
        return link.gives.iter().map(|(own, other)| (place(own), other.clone())).collect();
    }
    if !group {
        return vec![(at.clone(), field.id.clone())];
    }
    let members = form.fields.iter().filter(|member| member.parent == Some(field.no));
    members.map(|member| (at.child(&member.id), member.id.clone())).collect()
}

/// The form that comes next, and what it begins with: answers of this one, or outputs and params of the tool at its end.
fn next(form: &Form, draft: &Draft) -> Option<(FormId, Vec<Given>)> {
    if let Some(next) = &form.then {
        let all = review::answers_json(form, draft);
        let with = next.with.iter().filter_map(|(field, from)| {
            let own = form.field_at(&Path::field(&FieldId::new(from.as_str())))?;
            let value = all.get(from)?.clone();
            Some(Given::of(field, value, is_sensitive(form, own)))
        });
        return Some((next.form.clone(), with.collect()));
    }
    let tool = purpose::last_tool(form, draft)?;
    let next = tool.then.as_ref()?;
    let state = draft.tools.get(&tool.id)?;
    let with = next.with.iter().filter_map(|(field, from)| {
        let output = tool.outputs.iter().find(|output| output.name == *from);
        let given = output.and_then(|output| Some(output.kind.behaviour().json(state.outputs.get(from)?)));
        let value = given.or_else(|| state.args.get(from).cloned())?;
        let mut reads = tool.params.iter().filter(|(name, _)| name == from).flat_map(|(_, expr)| &expr.reads);
        let sensitive = reads.any(|no| form.field(*no).is_some_and(|own| is_sensitive(form, own)));
        Some(Given::of(field, value, sensitive))
    });
    Some((next.form.clone(), with.collect()))
}
