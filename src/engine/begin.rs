//! Forms begin, are put aside, come back, and end without a submission.

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

impl Talk<'_> {
    /// Starts a form, putting the present one aside; tells whether there is a draft of it to go on with now. Where one
    /// was begun before, the person is asked which is meant, and `said` is heard once they have chosen.
    pub(super) fn start(&mut self, id: &FormId, said: Option<&str>) -> bool {
        let parked = self.is_parked(id);
        let Some(form) = self.engine.catalog.form(id).cloned() else {
            if parked {
                return self.resume(Some(id));
            }
            self.note("form_gone", &[]);
            return false;
        };
        let title = self.title(&form);
        if !form.enabled && parked {
            return self.resume(Some(id));
        }
        if !form.enabled {
            self.note_of(&form, "form_disabled", &[("title", &title)]);
            return false;
        }
        if !self.may_use(&form) {
            self.note("not_allowed", &[]);
            return false;
        }
        if self.belongs_elsewhere(&form) {
            self.elsewhere = Some(id.clone());
            return true;
        }
        // Where nothing was said in it there is nothing to choose between.
        if parked && !self.session.parked.iter().any(|draft| draft.form == *id && is_begun(draft)) {
            return self.resume(Some(id));
        }
        if parked {
            self.offer_unfinished(id, said);
            return false;
        }
        self.park(&form);
        let linked = self.linked(&form);
        self.start_fresh(&form, &linked);
        true
    }

    /// Whether a draft of a form is put aside.
    pub(super) fn is_parked(&self, id: &FormId) -> bool {
        self.session.parked.iter().any(|draft| draft.form == *id && self.usable(draft).is_some())
    }

    /// The form of a draft, where it is there and the person may use it.
    fn usable(&self, draft: &Draft) -> Option<Arc<Form>> {
        self.engine.form_of(draft).filter(|form| self.may_use(form))
    }

    /// Begins a form, with values that it was given.
    pub(super) fn start_fresh(&mut self, form: &Form, given: &[Given]) {
        let title = self.title(form);
        let world = self.world.speaking(form);
        let draft = self.fresh_draft(form, given, None);
        let filling = Filling::new(form, &world, draft);
        self.notes.push(match &form.greeting {
            Some(text) => filling.text(text, &Path::default()),
            None => filling.say("greeting", &[("title", &title)]),
        });
        self.needs = Some(self.notes.len());
        self.notes.push(needs(&filling));
        self.tell_linked(&filling, given);
        self.session.draft = Some(filling.journal.draft);
    }

    /// A draft that begins with values that it was given, and returns to another form where it is for that.
    pub(super) fn fresh_draft(&mut self, form: &Form, given: &[Given], returns: Option<Returns>) -> Draft {
        let world = self.world.speaking(form);
        let mut draft = fresh(form, &world);
        draft.submission = self.new_submission();
        draft.returns = returns;
        let mut filling = Filling::new(form, &world, draft);
        filling.begin();
        filling.take_given(given);
        self.settle(&mut filling);
        let mut draft = filling.journal.finish();
        draft.undo.clear();
        draft
    }

    /// Says that a form was begun before, and offers to go on with it or to begin it anew.
    fn offer_unfinished(&mut self, id: &FormId, said: Option<&str>) {
        let Some((form, draft)) = self.take_parked(id) else { return };
        // It is the last one parked now: "resume" means it too.
        self.park(&form);
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let progress = filling.progress();
        let (answered, total) = (progress.answered.to_string(), progress.total.to_string());
        let title = self.title(&form);
        let text = filling.say_new("unfinished", &[("title", &title), ("answered", &answered), ("total", &total)]);
        self.notes.push(text);
        self.session.parked.push(filling.journal.draft);
        self.lang = Some(world.speaks.code);
        let (of, form, said) = (Arc::clone(&form), form.id.clone(), said.map(str::to_owned));
        self.button_of(&of, "button_go_on", &[], Primary, Command::TakeUp { form: form.clone(), said: said.clone() });
        self.button_of(&of, "button_anew", &[], Plain, Command::Anew { form, said });
    }

    /// Begins a form anew that was put aside: undo brings its answers back. Where the form has changed since, it is begun
    /// as it is now, and the old draft stays aside.
    pub(super) fn begin_anew(&mut self, id: &FormId) {
        let Some(form) = self.engine.catalog.form(id).filter(|form| form.enabled && self.may_use(form)).cloned() else {
            self.start(id, None);
            return;
        };
        let current = |draft: &Draft| draft.form == *id && draft.version == form.version;
        let Some(at) = self.session.parked.iter().rposition(current) else {
            self.park(&form);
            return self.start_fresh(&form, &[]);
        };
        let draft = self.session.parked.remove(at);
        self.park(&form);
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let _ = self.begin_again(&mut filling);
        self.put_draft(filling);
    }

    /// Takes the last draft of a form from those put aside.
    fn take_parked(&mut self, id: &FormId) -> Option<(Arc<Form>, Draft)> {
        let at = self.session.parked.iter().rposition(|draft| draft.form == *id)?;
        let form = self.engine.form_of(self.session.parked.get(at)?)?;
        Some((form, self.session.parked.remove(at)))
    }

    /// What a command means while it is asked whether to go on with a form or to begin it anew.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other command means what it says")]
    pub(super) fn of_the_offer(&self, command: Command) -> Command {
        let slots = self.session.screen.iter().flat_map(|screen| &screen.slots);
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
    pub(super) fn park(&mut self, next: &Form) {
        // Whoever turns to another form has not answered "shall I stop?".
        let Some(draft) = self.session.draft.take().map(super::migrate::unasked) else { return };
        if is_begun(&draft) {
            self.put_aside(draft, next);
        }
    }

    /// Puts a draft aside; says so in the language of the form that comes next.
    pub(super) fn put_aside(&mut self, draft: Draft, next: &Form) {
        if let Some(form) = self.engine.form_of(&draft) {
            let title = self.title(&form);
            let world = self.world.speaking(next);
            let voice = super::prompt::Voice { world: &world, form: None };
            self.notes.push(voice.say("parked", &[("title", &title)]));
        }
        self.keep_aside(draft);
    }

    /// Keeps a draft with those that are put aside; the oldest makes room.
    pub(super) fn keep_aside(&mut self, draft: Draft) {
        self.session.parked.push(draft);
        while self.session.parked.len() > MAX_PARKED {
            // What waits for another form that is put aside too is not let go before that.
            let parked = &self.session.parked;
            let returns = |draft: &Draft, to: &Draft| draft.returns.as_ref().is_some_and(|it| it.to == to.submission);
            let awaits = |draft: &Draft| parked.iter().any(|other| returns(other, draft));
            let oldest = parked.iter().position(|draft| !awaits(draft)).unwrap_or(0);
            self.session.parked.remove(oldest);
        }
    }

    /// Goes on with a parked form; tells whether there was one.
    pub(super) fn resume(&mut self, id: Option<&FormId>) -> bool {
        // A form that is gone for a while leaves its draft where it is.
        let mut parked = self.session.parked.iter();
        let found = parked.rposition(|draft| id.is_none_or(|id| draft.form == *id) && self.usable(draft).is_some());
        let Some(at) = found else {
            self.say_nothing_to_resume();
            return false;
        };
        let draft = self.session.parked.remove(at);
        if let Some(form) = self.engine.form_of(&draft) {
            self.park(&form);
            let title = self.title(&form);
            self.note_of(&form, "resumed", &[("title", &title)]);
        }
        self.take_up(draft);
        true
    }

    /// Offers to go on with the form parked last.
    pub(super) fn offer_to_resume(&mut self) {
        let Some(parked) = self.session.parked.last() else { return };
        let Some(form) = self.usable(parked) else { return };
        let title = self.title(&form);
        let command = Command::Resume { form: Some(form.id.clone()) };
        self.note_of(&form, "resume_offer", &[("title", &title)]);
        self.button_of(&form, "button_resume", &[("title", &title)], Primary, command);
    }

    /// Ends the present form without a submission; undo brings it back.
    pub(super) fn cancel_draft(&mut self, mut draft: Draft, form: &Form) {
        let title = self.title(form);
        self.lets_go_of_case(form, &draft);
        draft.state = State::Closed;
        draft.cancelled = true;
        draft.pending = Pending::Nothing;
        // Undo brings the form back, and redo does not change an answer then that was undone before.
        draft.redo.clear();
        // Who goes on in another form undoes what was done there.
        if draft.returns.as_ref().is_some_and(|returns| self.go_back_without(form, returns)) {
            return self.effects.push(Effect::Left(Box::new(draft)));
        }
        if form.stays {
            return self.note_of(form, "sheet_cancelled", &[]);
        }
        let done = draft.deeds.values().any(|deed| deed.done > 0).then_some("done_outside");
        self.session.closed = Some(draft);
        let told = std::iter::once("cancelled").chain(done);
        told.for_each(|name| self.note_of(form, name, &[("title", &title)]));
        self.button_of(form, "button_undo", &[], Plain, Command::Undo);
        self.offer_to_resume();
    }

    /// Brings a cancelled form back; tells whether there was one.
    pub(super) fn uncancel(&mut self) -> bool {
        let closed = self.session.closed.as_ref().filter(|draft| draft.cancelled);
        let there = closed.is_some_and(|draft| self.usable(draft).is_some());
        let Some(mut draft) = self.session.closed.take_if(|_| there) else { return false };
        draft.cancelled = false;
        self.becomes_a_new_request(&mut draft);
        draft.state = State::Incomplete;
        if let Some(form) = self.engine.form_of(&draft) {
            self.park(&form);
            let title = self.title(&form);
            self.note_of(&form, "uncancelled", &[("title", &title)]);
        }
        self.session.draft = Some(draft);
        true
    }

    /// Asks which form is wanted, where there is any to choose.
    pub(super) fn invite(&mut self) {
        let any = self.engine.catalog.forms().any(|form| form.enabled && self.may_use(form));
        self.tell_what_is_in_review();
        self.note(if any { "welcome" } else { "no_forms" }, &[]);
        self.list_forms(None);
    }

    /// Shows the forms that can be started.
    pub(super) fn list_forms(&mut self, which: Option<&[FormId]>) {
        let shown = |form: &Arc<Form>| self.may_use(form) && which.is_none_or(|which| which.contains(&form.id));
        let forms: Vec<Arc<Form>> = self.engine.startable().into_iter().filter(shown).collect();
        for form in forms {
            let label = self.title(&form);
            self.buttons.push((label, Plain, Command::Start { form: form.id.clone() }));
        }
    }
}

impl Filling<'_> {
    /// Sets fixed values and defaults, and opens every question of a fresh draft.
    pub(super) fn begin(&mut self) {
        let form = self.form;
        for page in 0..u16::try_from(form.pages.len()).unwrap_or(u16::MAX) {
            self.reconsider_page(page);
        }
        for field in &form.fields {
            let inside_list = form.list_of(field.no).is_some();
            let Some(path) = form.path_near(field.no, &Path::default()).filter(|_| !inside_list) else { continue };
            if let Some(expr) = &field.show_when {
                let hide = !self.holds(expr, &path);
                self.journal.set_hidden(&path, hide);
            }
        }
        for no in form.top() {
            if let Some(field) = form.field(*no) {
                self.open_within(&Path::field(&field.id));
            }
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
