//! Pages of a client's form: answers go along from one to another, and what an earlier one still needs is owed.

use std::collections::BTreeMap;

use formwright_chat as chat;

use crate::command::park;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::draft::fresh;
use crate::engine::Engine;
use crate::session::sheet::SheetState;
use crate::session::{Draft, Session};
use crate::sheet;
use crate::talk::Talk;
use formwright_form::kind::Said;
use formwright_form::{Field, FieldId, Form, Path, Seg};
use formwright_load::sheet::name_of;
use formwright_nlu as nlu;

/// Goes from one page of a client's form to another, or begins with the first. Answers stay, whatever is on the page.
pub(crate) fn turn_page(talk: &mut Talk<'_>, form: &Form) {
    let mut state = SheetState::default();
    let mut history = Vec::new();
    match talk.session.draft.take() {
        Some(old) if old.sheet.is_some() => {
            history.clone_from(&old.history);
            let page = talk.engine.form_of(&old);
            let open = owed(talk.engine, &talk.session, &old, form);
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
            talk.session.draft = other;
            park::park(talk, form);
        }
    }
    let world = talk.world.speaking(form);
    let mut filling = Filling::new(form, &world, fresh::fresh(form, &world));
    fresh::begin(&mut filling);
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
    talk.session.draft = Some(draft);
}

/// Labels of fields of other pages that a message names.
pub(crate) fn named_elsewhere<'t>(filling: &'t Filling<'_>, said: &Said) -> Vec<&'t str> {
    let labels = filling.draft().sheet.iter().flat_map(|state| state.elsewhere.values());
    labels.map(String::as_str).filter(|label| !nlu::named_at(said, label).is_empty()).collect()
}

/// Fields of a page that is left for another which need an answer and have none: their labels, by their names there.
/// Where most of the page is still there it is the same one, and what it lost is no question any more.
fn owed(engine: &Engine, session: &Session, old: &Draft, now: &Form) -> BTreeMap<String, String> {
    let Some(chat::Brought::Sheet { sheet }) = session.brought.get(&old.form) else { return BTreeMap::new() };
    let still = |field: &&chat::SheetField| now.field_at(&Path::field(&name_of(&field.id))).is_some();
    if 2 * sheet.fields.iter().filter(still).count() > sheet.fields.len() {
        return BTreeMap::new();
    }
    let missing = sheet::view_of(engine, session, old).map(|view| view.missing).unwrap_or_default();
    let own = |missing: &chat::Missing| sheet.fields.iter().any(|field| field.id == missing.id);
    missing.into_iter().filter(own).map(|missing| (missing.id, missing.label)).collect()
}
