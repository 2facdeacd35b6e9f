//! A form that a client keeps ([`chat::Sheet`]): what it holds comes in with each request, what it came to goes out. The
//! last write wins: what the client changed since it was last heard, else what was said here.

mod pages;

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat as chat;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Engine;
use super::fill::{Filled, Filling, Offer};
use super::session::{Answer, Draft, Pending, Session};
use super::talk::Talk;
use formwright_form::kind::{Said, secret};
use formwright_form::{FieldId, Kind, Path};
use formwright_load::sheet::{id_of, name_of};

/// What a draft of a client's form knows of the client.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetState {
    /// What each field held when the client was last heard, by its name there; nothing for what was empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) held: BTreeMap<String, Json>,
    /// What the client sent beside its fields when it was last heard.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) told: BTreeMap<String, Json>,
    /// Answers of fields that are not on this page.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) kept: BTreeMap<FieldId, Answer>,
    /// Labels of fields that are not on this page.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) elsewhere: BTreeMap<FieldId, String>,
    /// Fields whose value was refused, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) wrong: BTreeMap<String, String>,
    /// Fields that need an answer and have none, which only the client's page takes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) on_page: BTreeSet<String>,
    /// Fields of other pages that need an answer and have none: their labels, by their names there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) owed: BTreeMap<String, String>,
    /// The last message was not understood.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) vain: bool,
}

impl Talk<'_> {
    /// Turns to the form that came along with an event, and takes in what it holds.
    pub(super) fn take_sheet(&mut self, event: &chat::Event) {
        let Some(chat::Brought::Sheet { sheet }) = event.terms.brought.as_deref() else {
            if let Some(state) = self.session.draft.as_mut().and_then(|draft| draft.sheet.as_mut()) {
                state.vain = false;
            }
            return;
        };
        let Some(form) = self.engine.catalog().form(&id_of(sheet)).cloned() else { return };
        let is_it = |draft: &Draft| draft.form == form.id && draft.version == form.version;
        if !self.session.draft.as_ref().is_some_and(is_it) {
            self.turn_page(&form);
        }
        let Some((form, draft)) = self.take_draft() else { return };
        let undo = draft.undo.clone();
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        filling.take_in(sheet);
        self.put_draft(filling);
        // "Undo" is about what was said, and what the client holds is its own to take back.
        if let Some(draft) = &mut self.session.draft {
            draft.undo = undo;
        }
    }

    /// Notes that a message was read without the model that was asked about it: a client's form is not done with that.
    pub(super) fn note_failure(&mut self) {
        if let Some(state) = self.session.draft.as_mut().and_then(|draft| draft.sheet.as_mut()) {
            state.vain = true;
        }
    }
}

impl Filling<'_> {
    /// Takes in what the client holds.
    fn take_in(&mut self, sheet: &chat::Sheet) {
        let mut state = self.journal.draft.sheet.take().map(|state| *state).unwrap_or_default();
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
            if state.told.get(id) != Some(value) && self.take_value(&mut state, id, value) {
                state.told.insert(id.to_owned(), value.clone());
                refused.extend(state.wrong.get(id).map(|reason| (id, reason.clone())));
            }
        }
        for field in sheet.fields.iter().filter(|field| field.kind != chat::SheetKind::Page) {
            let newer = newer.contains(field.id.as_str()) && self.is_answered(&field.id);
            if newer && !is_empty(&field.value) {
                state.held.insert(field.id.clone(), field.value.clone());
            }
            let held = state.held.get(&field.id);
            if is_empty(&field.value) {
                // Nothing was said of it, unless it was emptied since.
                let emptied = held.is_some();
                if emptied {
                    state.held.remove(&field.id);
                    self.clear(&Path::field(&name_of(&field.id)));
                }
                if emptied || !sent.contains_key(field.id.as_str()) {
                    state.wrong.remove(&field.id);
                }
            } else if held != Some(&field.value) && self.take_value(&mut state, &field.id, &field.value) {
                state.held.insert(field.id.clone(), field.value.clone());
            }
        }
        for (id, reason) in refused {
            state.wrong.insert(id.to_owned(), reason);
        }
        if let Some(focus) = &sheet.focus {
            let path = Path::field(&name_of(focus));
            // It stays there until that is dealt with, whatever comes before it; what may be left out holds nobody up.
            let stays = self.form.field_at(&path).is_some_and(|field| self.is_required(field, &path));
            self.turn_to(&path, stays);
        } else if self.draft().pending == Pending::Nothing
            && let [only] = self.open_fields().collect::<Vec<_>>().as_slice()
        {
            // What is said can only be about it.
            self.turn_to(only, false);
        }
        self.journal.draft.sheet = Some(Box::new(state));
    }

    fn is_answered(&self, id: &str) -> bool {
        self.draft().answers.contains_key(&Path::field(&name_of(id)))
    }

    /// Takes a value of the client's; false where nothing may be kept of it, or its field is on another page.
    fn take_value(&mut self, state: &mut SheetState, id: &str, value: &Json) -> bool {
        let path = Path::field(&name_of(id));
        let Some(field) = self.form.field_at(&path) else { return false };
        let words = matches!(field.kind, Kind::Text(_) | Kind::LongText(_));
        if words && value.as_str().is_some_and(holds_a_secret) {
            state.wrong.insert(id.to_owned(), self.say("secret", &[]));
            return false;
        }
        let offered = self.offered(field, &path);
        let accepted = field.kind.behaviour().accept(&as_meant(&field.kind, value), &self.context(field, &offered));
        let filled = match accepted {
            Ok(value) => self.fill(&path, Offer { value, source: chat::Source::Pressed, quote: None }),
            Err(refusal) => Filled::Refused(refusal),
        };
        if let Filled::Refused(refusal) = filled {
            let reason = self.refusal(&path, &refusal);
            state.wrong.insert(id.to_owned(), reason);
        } else {
            state.wrong.remove(id);
            self.arrived(&path);
        }
        true
    }

    /// Hears what comes next as the answer to the field that the person is at, where that is open.
    pub(super) fn turn_to(&mut self, path: &Path, stays: bool) {
        let free = matches!(self.draft().pending, Pending::Nothing | Pending::Field { .. });
        if free && self.form.field_at(path).is_some() && !self.draft().answers.contains_key(path) {
            self.journal.draft.pending = Pending::Field { path: path.clone(), editing: stays };
        }
    }

    /// Notes that a message was not understood.
    pub(super) fn note_vain(&mut self) {
        if let Some(state) = &mut self.journal.draft.sheet {
            state.vain = true;
        }
    }

    /// The first field whose value was refused, in the client's own form.
    pub(super) fn first_wrong(&self) -> Option<Path> {
        let wrong = &self.draft().sheet.as_ref()?.wrong;
        let refused = |path: &Path| wrong.keys().any(|id| Path::field(&name_of(id)) == *path);
        self.form.fields.iter().map(|field| Path::field(&field.id)).find(refused)
    }

    /// Notes that a field was dealt with, whatever the client holds of it.
    pub(super) fn set_right(&mut self, path: &Path) {
        if let Some(state) = &mut self.journal.draft.sheet {
            state.wrong.retain(|id, _| Path::field(&name_of(id)) != *path);
        }
    }

    /// What is said once nothing is left to ask in a client's form.
    pub(super) fn farewell(&mut self) -> String {
        let state = self.draft().sheet.as_deref();
        let on_page = state.map(|state| state.on_page.clone()).unwrap_or_default();
        let owed: Vec<String> = state.iter().flat_map(|state| state.owed.values().cloned()).collect();
        if on_page.is_empty() && owed.is_empty() {
            return self.say_next("sheet_done", &[]);
        }
        let on_page: Vec<String> = on_page.iter().map(|id| self.label(&Path::field(&name_of(id)))).collect();
        let told =
            [("sheet_on_page", on_page), ("sheet_owed", owed)].into_iter().filter(|(_, labels)| !labels.is_empty());
        told.map(|(key, labels)| self.say(key, &[("labels", &labels.join(", "))])).collect::<Vec<_>>().join(" ")
    }

    /// Whether all is there, in a form that stays with its client.
    pub(super) fn is_kept_and_done(&self) -> bool {
        let state = self.draft().sheet.as_ref();
        self.form.stays
            && self.draft().pending == Pending::Nothing
            && state.is_some_and(|state| state.wrong.is_empty() && !state.vain)
    }
}

impl Engine {
    /// What a client's form came to; none where no such form is being filled.
    pub fn sheet(&self, session: &Session) -> Option<chat::SheetView> {
        self.view_of(session, session.draft.as_ref()?)
    }

    /// What a draft of a client's form came to.
    fn view_of(&self, session: &Session, draft: &Draft) -> Option<chat::SheetView> {
        let state = draft.sheet.as_deref()?;
        let form = self.form_of(draft)?;
        let Some(chat::Brought::Sheet { sheet }) = session.brought.get(&draft.form) else { return None };
        let mut view = chat::SheetView::default();
        for sent in &sheet.fields {
            let (id, label) = (sent.id.clone(), sent.label.clone());
            let path = Path::field(&name_of(&id));
            let Some(field) = form.field_at(&path) else { continue };
            let reason = state.wrong.get(&id).cloned();
            if sent.kind == chat::SheetKind::Page {
                view.missing.extend(state.on_page.contains(&id).then_some(chat::Missing { id, label, reason }));
                continue;
            }
            match draft.answers.get(&path) {
                Some(answer) => {
                    let wrong = reason.map(|reason| chat::Missing {
                        id: id.clone(),
                        label: label.clone(),
                        reason: Some(reason),
                    });
                    view.missing.extend(wrong);
                    view.filled.push(filled(draft, &path, answer, id, label, field.kind.behaviour()));
                }
                None => {
                    let gone = taken_out(draft, state, id.clone(), label.clone());
                    view.filled.extend(gone.filter(|_| reason.is_none()));
                    if reason.is_some() || sent.required {
                        view.missing.push(chat::Missing { id, label, reason });
                    }
                }
            }
        }
        let owed = state.owed.iter().map(|(id, label)| (id.clone(), label.clone()));
        view.missing.extend(owed.map(|(id, label)| chat::Missing { id, label, reason: None }));
        let path = asked(&draft.pending);
        let sent = sheet.fields.iter().find(|sent| path.is_some_and(|path| *path == Path::field(&name_of(&sent.id))));
        view.focus = sent.zip(path).map(|(sent, path)| focus(session, sent, path, state.vain));
        view.waits = !matches!(draft.pending, Pending::Nothing);
        view.done = view.missing.is_empty() && state.wrong.is_empty() && !view.waits && !state.vain;
        Some(view)
    }

    /// Whether a field's name is that of a password, PIN, security code or key, in any language.
    pub fn names_a_secret(name: &str) -> bool {
        secret::is_named(name)
    }

    /// Words without card numbers, passwords and keys: what may be said back.
    pub fn repeatable(text: &str) -> String {
        let said = Said::new(text);
        let mut shown = text.to_owned();
        let mut spans = secret::secrets(&said);
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        for span in spans {
            if shown.get(span.clone()).is_some() {
                shown.replace_range(span, "[…]");
            }
        }
        shown
    }
}

fn filled(
    draft: &Draft,
    path: &Path,
    answer: &Answer,
    id: String,
    label: String,
    kind: &dyn formwright_form::kind::FieldKind,
) -> chat::Filled {
    chat::Filled {
        id,
        label,
        value: kind.json(&answer.value),
        source: answer.source,
        by_model: answer.by_model,
        verified: draft.verified.contains(path),
        quote: answer.quote.clone(),
        at: answer.at,
    }
}

/// A field that the client holds a value of which the person has taken out.
fn taken_out(draft: &Draft, state: &SheetState, id: String, label: String) -> Option<chat::Filled> {
    let known = state.held.contains_key(&id) || state.told.contains_key(&id);
    known.then(|| chat::Filled {
        id,
        label,
        value: Json::Null,
        source: chat::Source::Said,
        by_model: false,
        verified: false,
        quote: None,
        at: draft.touched,
    })
}

fn focus(session: &Session, sent: &chat::SheetField, path: &Path, vain: bool) -> chat::Focus {
    let field = path.to_string();
    let questions = session.last.iter().rev().flat_map(|reply| &reply.questions);
    let question = questions.into_iter().find(|question| question.field == field);
    let said = || session.last.iter().flat_map(|reply| &reply.say).next().filter(|_| vain).cloned();
    chat::Focus {
        id: sent.id.clone(),
        label: sent.label.clone(),
        problem: question.and_then(|question| question.problem.clone()).or_else(said),
        hint: question.and_then(|question| question.help.clone()).or_else(|| sent.help.clone()),
    }
}

/// The field that what is waited for is about.
fn asked(pending: &Pending) -> Option<&Path> {
    match pending {
        Pending::Field { path, .. } => Some(path),
        Pending::Sure { then, .. } => then.fills().first().and_then(super::Command::filled),
        Pending::Which { readings, .. } => readings.first().and_then(|(_, command)| command.filled()),
        Pending::Nothing
        | Pending::MoreItems { .. }
        | Pending::PageReview { .. }
        | Pending::Review
        | Pending::WhatToChange
        | Pending::Tool { .. } => None,
    }
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

#[cfg(test)]
mod tests;
