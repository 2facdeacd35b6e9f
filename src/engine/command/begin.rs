//! Forms begin, are put aside, come back, and end without a submission.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwright_chat::ButtonRole::{Plain, Primary};

use crate::ask::question;
use crate::command::{allowed, given, link, migrate, navigate, park};
use crate::desk::person;
use crate::draft::filling::Filling;
use crate::draft::{fresh, list};
use crate::effect::Effect;
use crate::flow::{onward, settle, submission};
use crate::session::returns::{Given, Returns};
use crate::session::screen::Slot;
use crate::session::{Draft, Session, State};
use crate::talk::Talk;
use formwright_form::{Form, FormId, Kind, Path};
use formwright_nlu::{Command, Pending};

/// Starts a form, putting the present one aside; tells whether there is a draft of it to go on with now. Where one
/// was begun before, the person is asked which is meant, and `said` is heard once they have chosen.
pub(crate) fn start(talk: &mut Talk<'_>, id: &FormId, said: Option<&str>) -> bool {
    let parked = park::is_parked(talk, id);
    let Some(form) = talk.engine.catalog.form(id).cloned() else {
        if parked {
            return resume(talk, Some(id));
        }
        talk.note("form_gone", &[]);
        return false;
    };
    let title = talk.title(&form);
    if !form.enabled && parked {
        return resume(talk, Some(id));
    }
    if !form.enabled {
        talk.note_of(&form, "form_disabled", &[("title", &title)]);
        return false;
    }
    if !allowed::may_use(&talk.world, &form) {
        talk.note("not_allowed", &[]);
        return false;
    }
    if allowed::belongs_elsewhere(&talk.session, &form) {
        talk.elsewhere = Some(id.clone());
        return true;
    }
    // Where nothing was said in it there is nothing to choose between.
    if parked && !talk.session.parked.iter().any(|draft| draft.form == *id && fresh::is_begun(draft)) {
        return resume(talk, Some(id));
    }
    if parked {
        offer_unfinished(talk, id, said);
        return false;
    }
    park::park(talk, &form);
    let linked = link::linked(&talk.world, &form);
    start_fresh(talk, &form, &linked);
    true
}

/// Begins a form, with values that it was given.
pub(crate) fn start_fresh(talk: &mut Talk<'_>, form: &Form, given: &[Given]) {
    let title = talk.title(form);
    let world = talk.world.speaking(form);
    let draft = fresh_draft(talk, form, given, None);
    let filling = Filling::new(form, &world, draft);
    talk.saying.notes.push(match &form.greeting {
        Some(text) => filling.text(text, &Path::default()),
        None => filling.say("greeting", &[("title", &title)]),
    });
    talk.saying.needs = Some(talk.saying.notes.len());
    talk.saying.notes.push(needs(&filling));
    link::tell_linked(&mut talk.saying, &filling, given);
    talk.session.draft = Some(filling.journal.draft);
}

/// A draft that begins with values that it was given, and returns to another form where it is for that.
pub(crate) fn fresh_draft(talk: &mut Talk<'_>, form: &Form, given: &[Given], returns: Option<Returns>) -> Draft {
    let world = talk.world.speaking(form);
    let mut draft = fresh::fresh(form, &world);
    draft.submission = submission::new_submission(talk);
    draft.returns = returns;
    let mut filling = Filling::new(form, &world, draft);
    fresh::begin(&mut filling);
    given::take_given(&mut filling, given);
    settle::settle(talk, &mut filling);
    let mut draft = filling.journal.finish();
    draft.undo.clear();
    draft
}

/// Says that a form was begun before, and offers to go on with it or to begin it anew.
fn offer_unfinished(talk: &mut Talk<'_>, id: &FormId, said: Option<&str>) {
    let Some((form, draft)) = park::take_parked(talk, id) else { return };
    // It is the last one parked now: "resume" means it too.
    park::park(talk, &form);
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let progress = question::progress(&filling);
    let (answered, total) = (progress.answered.to_string(), progress.total.to_string());
    let title = talk.title(&form);
    let text = filling.say_new("unfinished", &[("title", &title), ("answered", &answered), ("total", &total)]);
    talk.saying.notes.push(text);
    talk.session.parked.push(filling.journal.draft);
    talk.lang = Some(world.speaks.code);
    let (of, form, said) = (Arc::clone(&form), form.id.clone(), said.map(str::to_owned));
    talk.button_of(&of, "button_go_on", &[], Primary, Command::TakeUp { form: form.clone(), said: said.clone() });
    talk.button_of(&of, "button_anew", &[], Plain, Command::Anew { form, said });
}

/// Begins a form anew that was put aside: undo brings its answers back. Where the form has changed since, it is begun
/// as it is now, and the old draft stays aside.
pub(crate) fn begin_anew(talk: &mut Talk<'_>, id: &FormId) {
    let Some(form) =
        talk.engine.catalog.form(id).filter(|form| form.enabled && allowed::may_use(&talk.world, form)).cloned()
    else {
        start(talk, id, None);
        return;
    };
    let current = |draft: &Draft| draft.form == *id && draft.version == form.version;
    let Some(at) = talk.session.parked.iter().rposition(current) else {
        park::park(talk, &form);
        return start_fresh(talk, &form, &[]);
    };
    let draft = talk.session.parked.remove(at);
    park::park(talk, &form);
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let _ = navigate::begin_again(&mut talk.saying, &mut filling);
    settle::put_draft(talk, filling);
}

/// What a command means while it is asked whether to go on with a form or to begin it anew.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other command means what it says")]
pub(crate) fn of_the_offer(session: &Session, command: Command) -> Command {
    let slots = session.screen.iter().flat_map(|screen| &screen.slots);
    let offered = |wanted: fn(&Command) -> bool| {
        slots.clone().find_map(|slot| match slot {
            Slot::Do { command, .. } if wanted(command) => Some(command.clone()),
            Slot::Do { .. } | Slot::Field { .. } => None,
        })
    };
    let meant = match command {
        Command::Confirm | Command::Resume { form: None } => {
            offered(|command| matches!(command, Command::TakeUp { .. }))
        }
        Command::Restart => offered(|command| matches!(command, Command::Anew { .. })),
        _ => None,
    };
    meant.unwrap_or(command)
}

/// Goes on with a parked form; tells whether there was one.
pub(crate) fn resume(talk: &mut Talk<'_>, id: Option<&FormId>) -> bool {
    // A form that is gone for a while leaves its draft where it is.
    let mut parked = talk.session.parked.iter();
    let found = parked.rposition(|draft| id.is_none_or(|id| draft.form == *id) && park::usable(talk, draft).is_some());
    let Some(at) = found else {
        migrate::say_nothing_to_resume(talk);
        return false;
    };
    let draft = talk.session.parked.remove(at);
    if let Some(form) = talk.engine.form_of(&draft) {
        park::park(talk, &form);
        let title = talk.title(&form);
        talk.note_of(&form, "resumed", &[("title", &title)]);
    }
    migrate::take_up(talk, draft);
    true
}

/// Offers to go on with the form parked last.
pub(crate) fn offer_to_resume(talk: &mut Talk<'_>) {
    let Some(parked) = talk.session.parked.last() else { return };
    let Some(form) = park::usable(talk, parked) else { return };
    let title = talk.title(&form);
    let command = Command::Resume { form: Some(form.id.clone()) };
    talk.note_of(&form, "resume_offer", &[("title", &title)]);
    talk.button_of(&form, "button_resume", &[("title", &title)], Primary, command);
}

/// Ends the present form without a submission; undo brings it back.
pub(crate) fn cancel_draft(talk: &mut Talk<'_>, mut draft: Draft, form: &Form) {
    let title = talk.title(form);
    person::lets_go_of_case(talk, form, &draft);
    draft.state = State::Closed;
    draft.cancelled = true;
    draft.pending = Pending::Nothing;
    // Undo brings the form back, and redo does not change an answer then that was undone before.
    draft.redo.clear();
    // Who goes on in another form undoes what was done there.
    if draft.returns.as_ref().is_some_and(|returns| onward::go_back_without(talk, form, returns)) {
        return talk.effects.push(Effect::Left(Box::new(draft)));
    }
    if form.stays {
        return talk.note_of(form, "sheet_cancelled", &[]);
    }
    let done = draft.deeds.values().any(|deed| deed.done > 0).then_some("done_outside");
    talk.session.closed = Some(draft);
    let told = std::iter::once("cancelled").chain(done);
    told.for_each(|name| talk.note_of(form, name, &[("title", &title)]));
    talk.button_of(form, "button_undo", &[], Plain, Command::Undo);
    offer_to_resume(talk);
}

/// Brings a cancelled form back; tells whether there was one.
pub(crate) fn uncancel(talk: &mut Talk<'_>) -> bool {
    let closed = talk.session.closed.as_ref().filter(|draft| draft.cancelled);
    let there = closed.is_some_and(|draft| park::usable(talk, draft).is_some());
    let Some(mut draft) = talk.session.closed.take_if(|_| there) else { return false };
    draft.cancelled = false;
    person::becomes_a_new_request(talk, &mut draft);
    draft.state = State::Incomplete;
    if let Some(form) = talk.engine.form_of(&draft) {
        park::park(talk, &form);
        let title = talk.title(&form);
        talk.note_of(&form, "uncancelled", &[("title", &title)]);
    }
    talk.session.draft = Some(draft);
    true
}

/// Asks which form is wanted, where there is any to choose.
pub(crate) fn invite(talk: &mut Talk<'_>) {
    let any = talk.engine.catalog.forms().any(|form| form.enabled && allowed::may_use(&talk.world, form));
    person::tell_what_is_in_review(talk);
    talk.note(if any { "welcome" } else { "no_forms" }, &[]);
    list_forms(talk, None);
}

/// Shows the forms that can be started.
pub(crate) fn list_forms(talk: &mut Talk<'_>, which: Option<&[FormId]>) {
    let shown =
        |form: &Arc<Form>| allowed::may_use(&talk.world, form) && which.is_none_or(|which| which.contains(&form.id));
    let forms: Vec<Arc<Form>> = talk.engine.startable().into_iter().filter(shown).collect();
    for form in forms {
        let label = talk.title(&form);
        talk.saying.buttons.push((label, Plain, Command::Start { form: form.id.clone() }));
    }
}

/// What the form needs, in a sentence: the first required labels and how many more.
fn needs(filling: &Filling<'_>) -> String {
    const NAMED: usize = 4;
    let (form, unheard) = (filling.form, filling.world.is_unheard());
    let required: Vec<String> = filling
        .open_fields()
        .filter(|path| {
            form.field_at(path).is_some_and(|f| {
                let brought = matches!(f.source, formwright_form::AnswerSource::FromTool { .. });
                matches!(f.required, formwright_form::Required::Yes) && !matches!(f.kind, Kind::Note(_)) && !brought
            })
        })
        .map(|path| filling.label(&list::around(form, &path).map_or(path, |(list, _)| list)))
        .collect();
    let mut seen = BTreeSet::new();
    let required: Vec<String> = required.into_iter().filter(|label| seen.insert(label.clone())).collect();
    if required.is_empty() {
        // What is needed may be there already.
        let given = form.fields.iter().any(|field| {
            matches!(field.required, formwright_form::Required::Yes)
                && filling.draft().answers.keys().any(|path| form.field_at(path).is_some_and(|at| at.no == field.no))
        });
        return if given || unheard { String::new() } else { filling.say("greeting_needs_none", &[]) };
    }
    let more = required.len().saturating_sub(NAMED);
    let mut named: Vec<String> = required.into_iter().take(NAMED).collect();
    if more > 0 {
        named.push(filling.say("greeting_more", &[("count", &more.to_string())]));
    }
    let name = if unheard { "greeting_needs_unheard" } else { "greeting_needs" };
    filling.say(name, &[("needs", &filling.voice().list(&named))])
}
