//! Forms begin, are put aside, come back, and end without a submission.

use crate::ask;
use crate::desk;
use crate::finish;
use crate::link;
use crate::migrate;
use crate::onward;
use crate::roam;
use crate::settle;
use crate::step;
use crate::together;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chat::ButtonRole::{Plain, Primary};
use formwright_chat as chat;

use super::fill::Filling;
use super::onward::Given;
use super::session::{Draft, Pending, Returns, Slot, State};
use super::talk::Talk;
use super::world::World;
use super::{Command, Effect};
use formwright_form::{Form, FormId, Kind, Path};

/// Greatest number of forms put aside; the oldest makes room.
const MAX_PARKED: usize = 5;

/// Starts a form, putting the present one aside; tells whether there is a draft of it to go on with now. Where one
/// was begun before, the person is asked which is meant, and `said` is heard once they have chosen.
pub(crate) fn start(talk: &mut Talk<'_>, id: &FormId, said: Option<&str>) -> bool {
    let parked = is_parked(talk, id);
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
    if !together::may_use(talk, &form) {
        talk.note("not_allowed", &[]);
        return false;
    }
    if together::belongs_elsewhere(talk, &form) {
        talk.elsewhere = Some(id.clone());
        return true;
    }
    // Where nothing was said in it there is nothing to choose between.
    if parked && !talk.session.parked.iter().any(|draft| draft.form == *id && is_begun(draft)) {
        return resume(talk, Some(id));
    }
    if parked {
        offer_unfinished(talk, id, said);
        return false;
    }
    park(talk, &form);
    let linked = link::linked(talk, &form);
    start_fresh(talk, &form, &linked);
    true
}

/// Whether a draft of a form is put aside.
pub(crate) fn is_parked(talk: &Talk<'_>, id: &FormId) -> bool {
    talk.session.parked.iter().any(|draft| draft.form == *id && usable(talk, draft).is_some())
}

/// The form of a draft, where it is there and the person may use it.
fn usable(talk: &Talk<'_>, draft: &Draft) -> Option<Arc<Form>> {
    talk.engine.form_of(draft).filter(|form| together::may_use(talk, form))
}

/// Begins a form, with values that it was given.
pub(crate) fn start_fresh(talk: &mut Talk<'_>, form: &Form, given: &[Given]) {
    let title = talk.title(form);
    let world = talk.world.speaking(form);
    let draft = fresh_draft(talk, form, given, None);
    let filling = Filling::new(form, &world, draft);
    talk.notes.push(match &form.greeting {
        Some(text) => filling.text(text, &Path::default()),
        None => filling.say("greeting", &[("title", &title)]),
    });
    talk.needs = Some(talk.notes.len());
    talk.notes.push(needs(&filling));
    link::tell_linked(talk, &filling, given);
    talk.session.draft = Some(filling.journal.draft);
}

/// A draft that begins with values that it was given, and returns to another form where it is for that.
pub(crate) fn fresh_draft(talk: &mut Talk<'_>, form: &Form, given: &[Given], returns: Option<Returns>) -> Draft {
    let world = talk.world.speaking(form);
    let mut draft = fresh(form, &world);
    draft.submission = finish::new_submission(talk);
    draft.returns = returns;
    let mut filling = Filling::new(form, &world, draft);
    begin(&mut filling);
    onward::take_given(&mut filling, given);
    settle::settle(talk, &mut filling);
    let mut draft = filling.journal.finish();
    draft.undo.clear();
    draft
}

/// Says that a form was begun before, and offers to go on with it or to begin it anew.
fn offer_unfinished(talk: &mut Talk<'_>, id: &FormId, said: Option<&str>) {
    let Some((form, draft)) = take_parked(talk, id) else { return };
    // It is the last one parked now: "resume" means it too.
    park(talk, &form);
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let progress = ask::progress(&filling);
    let (answered, total) = (progress.answered.to_string(), progress.total.to_string());
    let title = talk.title(&form);
    let text = filling.say_new("unfinished", &[("title", &title), ("answered", &answered), ("total", &total)]);
    talk.notes.push(text);
    talk.session.parked.push(filling.journal.draft);
    talk.lang = Some(world.speaks.code);
    let (of, form, said) = (Arc::clone(&form), form.id.clone(), said.map(str::to_owned));
    talk.button_of(&of, "button_go_on", &[], Primary, Command::TakeUp { form: form.clone(), said: said.clone() });
    talk.button_of(&of, "button_anew", &[], Plain, Command::Anew { form, said });
}

/// Begins a form anew that was put aside: undo brings its answers back. Where the form has changed since, it is begun
/// as it is now, and the old draft stays aside.
pub(crate) fn begin_anew(talk: &mut Talk<'_>, id: &FormId) {
    let Some(form) = talk.engine.catalog.form(id).filter(|form| form.enabled && together::may_use(talk, form)).cloned()
    else {
        start(talk, id, None);
        return;
    };
    let current = |draft: &Draft| draft.form == *id && draft.version == form.version;
    let Some(at) = talk.session.parked.iter().rposition(current) else {
        park(talk, &form);
        return start_fresh(talk, &form, &[]);
    };
    let draft = talk.session.parked.remove(at);
    park(talk, &form);
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let _ = roam::begin_again(talk, &mut filling);
    step::put_draft(talk, filling);
}

/// Takes the last draft of a form from those put aside.
fn take_parked(talk: &mut Talk<'_>, id: &FormId) -> Option<(Arc<Form>, Draft)> {
    let at = talk.session.parked.iter().rposition(|draft| draft.form == *id)?;
    let form = talk.engine.form_of(talk.session.parked.get(at)?)?;
    Some((form, talk.session.parked.remove(at)))
}

/// What a command means while it is asked whether to go on with a form or to begin it anew.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other command means what it says")]
pub(crate) fn of_the_offer(talk: &Talk<'_>, command: Command) -> Command {
    let slots = talk.session.screen.iter().flat_map(|screen| &screen.slots);
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

/// Puts the present form aside, unless nothing was said in it; says so in the language of the form that comes next.
pub(crate) fn park(talk: &mut Talk<'_>, next: &Form) {
    // Whoever turns to another form has not answered "shall I stop?".
    let Some(draft) = talk.session.draft.take().map(super::migrate::unasked) else { return };
    if is_begun(&draft) {
        put_aside(talk, draft, next);
    }
}

/// Puts a draft aside; says so in the language of the form that comes next.
pub(crate) fn put_aside(talk: &mut Talk<'_>, draft: Draft, next: &Form) {
    if let Some(form) = talk.engine.form_of(&draft) {
        let title = talk.title(&form);
        let world = talk.world.speaking(next);
        let voice = super::prompt::Voice { world: &world, form: None };
        talk.notes.push(voice.say("parked", &[("title", &title)]));
    }
    keep_aside(talk, draft);
}

/// Keeps a draft with those that are put aside; the oldest makes room.
pub(crate) fn keep_aside(talk: &mut Talk<'_>, draft: Draft) {
    talk.session.parked.push(draft);
    while talk.session.parked.len() > MAX_PARKED {
        // What waits for another form that is put aside too is not let go before that.
        let parked = &talk.session.parked;
        let returns = |draft: &Draft, to: &Draft| draft.returns.as_ref().is_some_and(|it| it.to == to.submission);
        let awaits = |draft: &Draft| parked.iter().any(|other| returns(other, draft));
        let oldest = parked.iter().position(|draft| !awaits(draft)).unwrap_or(0);
        talk.session.parked.remove(oldest);
    }
}

/// Goes on with a parked form; tells whether there was one.
pub(crate) fn resume(talk: &mut Talk<'_>, id: Option<&FormId>) -> bool {
    // A form that is gone for a while leaves its draft where it is.
    let mut parked = talk.session.parked.iter();
    let found = parked.rposition(|draft| id.is_none_or(|id| draft.form == *id) && usable(talk, draft).is_some());
    let Some(at) = found else {
        migrate::say_nothing_to_resume(talk);
        return false;
    };
    let draft = talk.session.parked.remove(at);
    if let Some(form) = talk.engine.form_of(&draft) {
        park(talk, &form);
        let title = talk.title(&form);
        talk.note_of(&form, "resumed", &[("title", &title)]);
    }
    migrate::take_up(talk, draft);
    true
}

/// Offers to go on with the form parked last.
pub(crate) fn offer_to_resume(talk: &mut Talk<'_>) {
    let Some(parked) = talk.session.parked.last() else { return };
    let Some(form) = usable(talk, parked) else { return };
    let title = talk.title(&form);
    let command = Command::Resume { form: Some(form.id.clone()) };
    talk.note_of(&form, "resume_offer", &[("title", &title)]);
    talk.button_of(&form, "button_resume", &[("title", &title)], Primary, command);
}

/// Ends the present form without a submission; undo brings it back.
pub(crate) fn cancel_draft(talk: &mut Talk<'_>, mut draft: Draft, form: &Form) {
    let title = talk.title(form);
    desk::person::lets_go_of_case(talk, form, &draft);
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
    let there = closed.is_some_and(|draft| usable(talk, draft).is_some());
    let Some(mut draft) = talk.session.closed.take_if(|_| there) else { return false };
    draft.cancelled = false;
    desk::person::becomes_a_new_request(talk, &mut draft);
    draft.state = State::Incomplete;
    if let Some(form) = talk.engine.form_of(&draft) {
        park(talk, &form);
        let title = talk.title(&form);
        talk.note_of(&form, "uncancelled", &[("title", &title)]);
    }
    talk.session.draft = Some(draft);
    true
}

/// Asks which form is wanted, where there is any to choose.
pub(crate) fn invite(talk: &mut Talk<'_>) {
    let any = talk.engine.catalog.forms().any(|form| form.enabled && together::may_use(talk, form));
    desk::person::tell_what_is_in_review(talk);
    talk.note(if any { "welcome" } else { "no_forms" }, &[]);
    list_forms(talk, None);
}

/// Shows the forms that can be started.
pub(crate) fn list_forms(talk: &mut Talk<'_>, which: Option<&[FormId]>) {
    let shown = |form: &Arc<Form>| together::may_use(talk, form) && which.is_none_or(|which| which.contains(&form.id));
    let forms: Vec<Arc<Form>> = talk.engine.startable().into_iter().filter(shown).collect();
    for form in forms {
        let label = talk.title(&form);
        talk.buttons.push((label, Plain, Command::Start { form: form.id.clone() }));
    }
}

/// Sets fixed values and defaults, and opens every question of a fresh draft.
pub(crate) fn begin(filling: &mut Filling<'_>) {
    let form = filling.form;
    for page in 0..u16::try_from(form.pages.len()).unwrap_or(u16::MAX) {
        filling.reconsider_page(page);
    }
    for field in &form.fields {
        let inside_list = form.list_of(field.no).is_some();
        let Some(path) = form.path_near(field.no, &Path::default()).filter(|_| !inside_list) else { continue };
        if let Some(expr) = &field.show_when {
            let hide = !filling.holds(expr, &path);
            filling.journal.set_hidden(&path, hide);
        }
    }
    for no in form.top() {
        if let Some(field) = form.field(*no) {
            filling.open_within(&Path::field(&field.id));
        }
    }
}

/// Whether the person has answered anything in a draft.
pub(super) fn is_begun(draft: &Draft) -> bool {
    draft.answers.values().any(|answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed))
}

/// A draft in which nothing has been said.
pub(super) fn fresh(form: &Form, world: &World) -> Draft {
    let now = world.now.timestamp();
    Draft {
        form: form.id.clone(),
        version: form.version.clone(),
        submission: super::finish::submission_id(&world.nonce, 0),
        revision: 0,
        state: State::Incomplete,
        answers: BTreeMap::new(),
        lists: BTreeMap::new(),
        skipped: BTreeSet::new(),
        hidden: BTreeSet::new(),
        kept: BTreeMap::new(),
        todo: BTreeSet::new(),
        verified: BTreeSet::new(),
        offered: BTreeMap::new(),
        pending: Pending::Nothing,
        waiting: Vec::new(),
        unheard: Vec::new(),
        asked: BTreeMap::new(),
        said: BTreeMap::new(),
        cancelled: false,
        trail: Vec::new(),
        emptied: BTreeSet::new(),
        pages_hidden: BTreeSet::new(),
        pages_done: BTreeSet::new(),
        hooked: None,
        tools: BTreeMap::new(),
        deeds: BTreeMap::new(),
        confirmed: false,
        undelivered: false,
        decided: BTreeMap::new(),
        approval: None,
        zone: None,
        history: Vec::new(),
        before: None,
        sheet: None,
        returns: None,
        by_hand: BTreeSet::new(),
        undo: Vec::new(),
        redo: Vec::new(),
        started: now,
        touched: now,
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
        .map(|path| filling.label(&super::list::around(form, &path).map_or(path, |(list, _)| list)))
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
