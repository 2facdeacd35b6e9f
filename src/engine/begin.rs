//! Forms begin, are put aside, come back, and end without a submission.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chat::ButtonRole::{Plain, Primary};
use formwright_chat as chat;

use super::Command;
use super::fill::Filling;
use super::session::{Draft, Pending, State};
use super::talk::Talk;
use super::world::World;
use crate::form::{Form, FormId, Kind, Path};

/// Greatest number of forms put aside; the oldest makes room.
const MAX_PARKED: usize = 5;

impl Talk<'_> {
    /// Starts a form, putting the present one aside; tells whether it did.
    pub(super) fn start(&mut self, id: &FormId) -> bool {
        let Some(form) = self.engine.catalog.form(id).cloned() else {
            self.note("form_gone", &[]);
            return false;
        };
        let title = self.title(&form);
        if !form.enabled {
            self.note("form_disabled", &[("title", &title)]);
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
        // What was begun in it is not lost to a new beginning: that is there to be asked for.
        if self.session.parked.iter().any(|draft| draft.form == *id) {
            return self.resume(Some(id));
        }
        self.park();
        let world = self.world.speaking(&form);
        let draft = fresh(&form, &world);
        let mut filling = Filling::new(&form, &world, draft);
        filling.begin();
        self.notes.push(match &form.greeting {
            Some(text) => filling.text(text, &Path::default()),
            None => filling.say("greeting", &[("title", &title)]),
        });
        self.needs = Some(self.notes.len());
        self.notes.push(needs(&filling));
        let mut draft = filling.journal.finish();
        draft.undo.clear();
        self.session.draft = Some(draft);
        true
    }

    /// Puts the present form aside, unless nothing was said in it.
    fn park(&mut self) {
        let Some(draft) = self.session.draft.take() else { return };
        let begun = draft.answers.values().any(|a| matches!(a.source, chat::Source::Said | chat::Source::Pressed));
        if !begun {
            return;
        }
        if let Some(form) = self.engine.form_of(&draft) {
            let title = self.title(&form);
            self.note("parked", &[("title", &title)]);
        }
        self.session.parked.push(draft);
        let surplus = self.session.parked.len().saturating_sub(MAX_PARKED);
        self.session.parked.drain(..surplus);
    }

    /// Goes on with a parked form; tells whether there was one.
    pub(super) fn resume(&mut self, id: Option<&FormId>) -> bool {
        // A form that is gone for a while leaves its draft where it is.
        let there = |draft: &Draft| self.engine.form_of(draft).is_some_and(|form| self.may_use(&form));
        let mut parked = self.session.parked.iter();
        let found = parked.rposition(|draft| id.is_none_or(|id| draft.form == *id) && there(draft));
        let Some(at) = found else {
            self.note("nothing_parked", &[]);
            return false;
        };
        let draft = self.session.parked.remove(at);
        self.park();
        let title = self.engine.form_of(&draft).map(|form| self.title(&form)).unwrap_or_default();
        self.session.draft = Some(draft);
        self.note("resumed", &[("title", &title)]);
        true
    }

    /// Offers to go on with the form parked last.
    pub(super) fn offer_to_resume(&mut self) {
        let Some(parked) = self.session.parked.last() else { return };
        let Some(form) = self.engine.form_of(parked).filter(|form| self.may_use(form)) else { return };
        let title = self.title(&form);
        let command = Command::Resume { form: Some(form.id.clone()) };
        self.note("resume_offer", &[("title", &title)]);
        self.button("button_resume", &[("title", &title)], Primary, command);
    }

    /// Ends the present form without a submission; undo brings it back.
    pub(super) fn cancel_draft(&mut self, mut draft: Draft, form: &Form) {
        let title = self.title(form);
        draft.state = State::Closed;
        draft.cancelled = true;
        draft.pending = Pending::Nothing;
        self.session.closed = Some(draft);
        self.note("cancelled", &[("title", &title)]);
        self.button("button_undo", &[], Plain, Command::Undo);
        self.offer_to_resume();
    }

    /// Brings a cancelled form back; tells whether there was one.
    pub(super) fn uncancel(&mut self) -> bool {
        let closed = self.session.closed.as_ref().filter(|draft| draft.cancelled);
        let there = closed.and_then(|draft| self.engine.form_of(draft)).is_some_and(|form| self.may_use(&form));
        let Some(mut draft) = self.session.closed.take_if(|_| there) else { return false };
        draft.cancelled = false;
        draft.state = State::Incomplete;
        let title = self.engine.form_of(&draft).map(|form| self.title(&form)).unwrap_or_default();
        self.park();
        self.session.draft = Some(draft);
        self.note("uncancelled", &[("title", &title)]);
        true
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

/// A draft in which nothing has been said.
pub(super) fn fresh(form: &Form, world: &World) -> Draft {
    let now = world.now.timestamp();
    Draft {
        form: form.id.clone(),
        version: form.version.clone(),
        submission: super::finish::submission_id(&world.nonce),
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
        tools: BTreeMap::new(),
        undo: Vec::new(),
        redo: Vec::new(),
        started: now,
        touched: now,
    }
}

/// What the form needs, in a sentence: the first required labels and how many more.
fn needs(filling: &Filling<'_>) -> String {
    const NAMED: usize = 4;
    let form = filling.form;
    let required: Vec<String> = filling
        .open_fields()
        .filter(|path| {
            let field = form.field_at(path);
            field.is_some_and(|f| matches!(f.required, crate::form::Required::Yes) && !matches!(f.kind, Kind::Note(_)))
        })
        .map(|path| match super::list::around(form, &path) {
            Some((list, _)) => filling.label(&list),
            None => filling.label(&path),
        })
        .collect();
    let mut seen = BTreeSet::new();
    let required: Vec<String> = required.into_iter().filter(|label| seen.insert(label.clone())).collect();
    if required.is_empty() {
        return filling.say("greeting_needs_none", &[]);
    }
    let more = required.len().saturating_sub(NAMED);
    let mut named: Vec<String> = required.into_iter().take(NAMED).collect();
    if more > 0 {
        named.push(filling.say("greeting_more", &[("count", &more.to_string())]));
    }
    let needs = filling.voice().list(&named);
    filling.say("greeting_needs", &[("needs", &needs)])
}
