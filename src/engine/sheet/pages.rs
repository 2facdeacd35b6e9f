//! Pages of a client's form: answers go along from one to another, and what an earlier one still needs is owed.

use std::collections::BTreeMap;

use formwright_chat as chat;

use super::SheetState;
use crate::begin::fresh;
use crate::fill::{Filled, Filling, Offer};
use crate::session::{Draft, Session};
use crate::talk::Talk;
use crate::{Engine, understand};
use formwright_form::kind::Said;
use formwright_form::{Field, FieldId, Form, Path, Seg};
use formwright_load::sheet::name_of;

impl Talk<'_> {
    /// Goes from one page of a client's form to another, or begins with the first. Answers stay, whatever is on the page.
    pub(super) fn turn_page(&mut self, form: &Form) {
        let mut state = SheetState::default();
        let mut history = Vec::new();
        match self.session.draft.take() {
            Some(old) if old.sheet.is_some() => {
                history.clone_from(&old.history);
                let page = self.engine.form_of(&old);
                let open = self.engine.owed(&self.session, &old, form);
                let before = old.sheet.map(|state| *state).unwrap_or_default();
                state.owed = before.owed.into_iter().chain(open).collect();
                state.owed.retain(|id, _| form.field_at(&Path::field(&name_of(id))).is_none());
                state.kept = before.kept;
                state.elsewhere = before.elsewhere;
                let label = |field: &Field| (field.id.clone(), field.label.pick(&[]).to_owned());
                state.elsewhere.extend(page.iter().flat_map(|page| &page.fields).map(label));
                let here = |id: &FieldId, label: &str| {
                    form.fields.iter().any(|field| field.id == *id || field.label.pick(&[]) == label)
                };
                state.elsewhere.retain(|id, label| !here(id, label));
                for (path, answer) in old.answers {
                    if let [Seg::Field(field)] = path.segs() {
                        state.kept.insert(field.clone(), answer);
                    }
                }
                (state.held, state.told) = (before.held, before.told);
            }
            other => {
                self.session.draft = other;
                self.park(form);
            }
        }
        let world = self.world.speaking(form);
        let mut filling = Filling::new(form, &world, fresh(form, &world));
        filling.begin();
        for field in &form.fields {
            let Some(answer) = state.kept.get(&field.id).cloned() else { continue };
            let path = Path::field(&field.id);
            let offer = Offer { value: answer.value.clone(), source: answer.source, quote: answer.quote.clone() };
            if let Filled::Stored(_) = filling.fill(&path, offer) {
                filling.journal.set_answer(&path, Some(answer));
            }
        }
        let mut draft = filling.journal.finish();
        draft.undo.clear();
        draft.history = history;
        draft.sheet = Some(Box::new(state));
        self.session.draft = Some(draft);
    }
}

impl Filling<'_> {
    /// Labels of fields of other pages that a message names.
    pub(crate) fn named_elsewhere(&self, said: &Said) -> Vec<&str> {
        let labels = self.draft().sheet.iter().flat_map(|state| state.elsewhere.values());
        labels.map(String::as_str).filter(|label| !understand::named_at(said, label).is_empty()).collect()
    }
}

impl Engine {
    /// Fields of a page that is left for another which need an answer and have none: their labels, by their names there.
    /// Where most of the page is still there it is the same one, and what it lost is no question any more.
    fn owed(&self, session: &Session, old: &Draft, now: &Form) -> BTreeMap<String, String> {
        let Some(chat::Brought::Sheet { sheet }) = session.brought.get(&old.form) else { return BTreeMap::new() };
        let still = |field: &&chat::SheetField| now.field_at(&Path::field(&name_of(&field.id))).is_some();
        if 2 * sheet.fields.iter().filter(still).count() > sheet.fields.len() {
            return BTreeMap::new();
        }
        let missing = self.view_of(session, old).map(|view| view.missing).unwrap_or_default();
        let own = |missing: &chat::Missing| sheet.fields.iter().any(|field| field.id == missing.id);
        missing.into_iter().filter(own).map(|missing| (missing.id, missing.label)).collect()
    }
}
