//! Taking what a client's form holds.

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::command::change;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::flow::settle;
use crate::prompt::refusal;
use crate::session::sheet::SheetState;
use crate::session::{Draft, Session};
use crate::sheet::{self, pages};
use crate::talk::Talk;
use formwright_form::kind::{Said, secret};
use formwright_form::{Kind, Path};
use formwright_load::sheet::{id_of, name_of};
use formwright_nlu::Pending;

/// Turns to the form that came along with an event, and takes in what it holds.
pub(crate) fn take_sheet(talk: &mut Talk<'_>, event: &chat::Event) {
    let Some(chat::Brought::Sheet { sheet }) = event.terms.brought.as_deref() else {
        if let Some(state) = talk.session.draft.as_mut().and_then(|draft| draft.sheet.as_mut()) {
            state.vain = false;
        }
        return;
    };
    let Some(form) = talk.engine.catalog().form(&id_of(sheet)).cloned() else { return };
    let is_it = |draft: &Draft| draft.form == form.id && draft.version == form.version;
    if !talk.session.draft.as_ref().is_some_and(is_it) {
        pages::turn_page(talk, &form);
    }
    let Some((form, draft)) = settle::take_draft(talk) else { return };
    let undo = draft.undo.clone();
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    take_in(&mut filling, sheet);
    settle::put_draft(talk, filling);
    // "Undo" is about what was said, and what the client holds is its own to take back.
    if let Some(draft) = &mut talk.session.draft {
        draft.undo = undo;
    }
}

/// Notes that a message was read without the model that was asked about it: a client's form is not done with that.
pub(crate) fn note_failure(session: &mut Session) {
    if let Some(state) = session.draft.as_mut().and_then(|draft| draft.sheet.as_mut()) {
        state.vain = true;
    }
}

/// Takes in what the client holds.
fn take_in(filling: &mut Filling<'_>, sheet: &chat::Sheet) {
    let mut state = filling.journal.draft.sheet.take().map(|state| *state).unwrap_or_default();
    state.vain = false;
    let on_page = sheet.fields.iter().filter(|field| field.kind == chat::SheetKind::Page && is_empty(&field.value));
    state.on_page = on_page.map(|field| field.id.clone()).collect();
    let mut sent: BTreeMap<&str, &Json> = BTreeMap::new();
    // What was told in a conversation that is not remembered here is newer than what the field held then.
    let mut newer: BTreeSet<&str> = BTreeSet::new();
    for given in sheet.filled.iter().filter(|given| !is_empty(&given.value)) {
        sent.insert(&given.id, &given.value);
        if given.told && !state.told.contains_key(&given.id) && !state.held.contains_key(&given.id) {
            newer.insert(&given.id);
        }
    }
    state.owed.retain(|id, _| !sent.contains_key(id.as_str()));
    // What is refused of it is told, whatever the field holds itself.
    let mut refused: BTreeMap<&str, String> = BTreeMap::new();
    for (id, value) in &sent {
        let (id, value) = (*id, *value);
        if state.told.get(id) != Some(value) && take_value(filling, &mut state, id, value) {
            state.told.insert(id.to_owned(), value.clone());
            refused.extend(state.wrong.get(id).map(|reason| (id, reason.clone())));
        }
    }
    for field in sheet.fields.iter().filter(|field| field.kind != chat::SheetKind::Page) {
        let newer = newer.contains(field.id.as_str()) && is_answered(filling, &field.id);
        if newer && !is_empty(&field.value) {
            state.held.insert(field.id.clone(), field.value.clone());
        }
        let held = state.held.get(&field.id);
        if is_empty(&field.value) {
            // Nothing was said of it, unless it was emptied since.
            let emptied = held.is_some();
            if emptied {
                state.held.remove(&field.id);
                filling.clear(&Path::field(&name_of(&field.id)));
            }
            if emptied || !sent.contains_key(field.id.as_str()) {
                state.wrong.remove(&field.id);
            }
        } else if held != Some(&field.value) && take_value(filling, &mut state, &field.id, &field.value) {
            state.held.insert(field.id.clone(), field.value.clone());
        }
    }
    for (id, reason) in refused {
        state.wrong.insert(id.to_owned(), reason);
    }
    if let Some(focus) = &sheet.focus {
        let path = Path::field(&name_of(focus));
        // It stays there until that is dealt with, whatever comes before it; what may be left out holds nobody up.
        let stays = filling.form.field_at(&path).is_some_and(|field| filling.is_required(field, &path));
        sheet::turn_to(filling, &path, stays);
    } else if filling.draft().pending == Pending::Nothing
        && let [only] = filling.open_fields().collect::<Vec<_>>().as_slice()
    {
        // What is said can only be about it.
        sheet::turn_to(filling, only, false);
    }
    filling.journal.draft.sheet = Some(Box::new(state));
}

fn is_answered(filling: &Filling<'_>, id: &str) -> bool {
    filling.draft().answers.contains_key(&Path::field(&name_of(id)))
}

/// Takes a value of the client's; false where nothing may be kept of it, or its field is on another page.
fn take_value(filling: &mut Filling<'_>, state: &mut SheetState, id: &str, value: &Json) -> bool {
    let path = Path::field(&name_of(id));
    let Some(field) = filling.form.field_at(&path) else { return false };
    let words = matches!(field.kind, Kind::Text(_) | Kind::LongText(_));
    if words && value.as_str().is_some_and(holds_a_secret) {
        state.wrong.insert(id.to_owned(), filling.say("secret", &[]));
        return false;
    }
    let offered = filling.offered(field, &path);
    let accepted = field.kind.behaviour().accept(&as_meant(&field.kind, value), &filling.context(field, &offered));
    let filled = match accepted {
        Ok(value) => filling.fill(&path, Offer { value, source: chat::Source::Pressed, quote: None }),
        Err(refusal) => Filled::Refused(refusal),
    };
    if let Filled::Refused(refusal) = filled {
        let reason = refusal::refusal(filling, &path, &refusal);
        state.wrong.insert(id.to_owned(), reason);
    } else {
        state.wrong.remove(id);
        change::arrived(filling, &path);
    }
    true
}

fn holds_a_secret(text: &str) -> bool {
    !secret::secrets(&Said::new(text)).is_empty()
}

/// Whether a value says nothing. Zero and false do.
fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Bool(_) | Json::Number(_) => false,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(items) => items.iter().all(is_empty),
        Json::Object(entries) => entries.is_empty(),
    }
}

/// A value as pages write it: "on" for a box that is ticked.
fn as_meant(kind: &Kind, value: &Json) -> Json {
    let word = value.as_str().map(|word| word.trim().to_ascii_lowercase());
    match (kind, word.as_deref()) {
        (Kind::YesNo(_), Some("true" | "on" | "checked")) => Json::Bool(true),
        (Kind::YesNo(_), Some("false" | "off" | "unchecked")) => Json::Bool(false),
        _ => value.clone(),
    }
}
