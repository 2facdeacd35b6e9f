//! A form that a client keeps ([`chat::Sheet`]): what it holds comes in with each request, what it came to goes out. The
//! last write wins: what the client changed since it was last heard, else what was said here.

pub(crate) mod pages;
pub(crate) mod take;
#[cfg(test)]
mod tests;

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::draft::filling::Filling;
use crate::engine::Engine;
use crate::session::sheet::SheetState;
use crate::session::{Draft, Session};
use formwright_form::Path;
use formwright_form::kind::{Said, secret};
use formwright_load::sheet::name_of;
use formwright_nlu::{Answer, Command, Pending};

/// Hears what comes next as the answer to the field that the person is at, where that is open.
pub(crate) fn turn_to(filling: &mut Filling<'_>, path: &Path, stays: bool) {
    let free = matches!(filling.draft().pending, Pending::Nothing | Pending::Field { .. });
    if free && filling.form.field_at(path).is_some() && !filling.draft().answers.contains_key(path) {
        filling.journal.draft.pending = Pending::Field { path: path.clone(), editing: stays };
    }
}

/// Notes that a message was not understood.
pub(crate) fn note_vain(filling: &mut Filling<'_>) {
    if let Some(state) = &mut filling.journal.draft.sheet {
        state.vain = true;
    }
}

/// The first field whose value was refused, in the client's own form.
pub(crate) fn first_wrong(filling: &Filling<'_>) -> Option<Path> {
    let wrong = &filling.draft().sheet.as_ref()?.wrong;
    let refused = |path: &Path| wrong.keys().any(|id| Path::field(&name_of(id)) == *path);
    filling.form.fields.iter().map(|field| Path::field(&field.id)).find(refused)
}

/// Notes that a field was dealt with, whatever the client holds of it.
pub(crate) fn set_right(filling: &mut Filling<'_>, path: &Path) {
    if let Some(state) = &mut filling.journal.draft.sheet {
        state.wrong.retain(|id, _| Path::field(&name_of(id)) != *path);
    }
}

/// What is said once nothing is left to ask in a client's form.
pub(crate) fn farewell(filling: &mut Filling<'_>) -> String {
    let state = filling.draft().sheet.as_deref();
    let on_page = state.map(|state| state.on_page.clone()).unwrap_or_default();
    let owed: Vec<String> = state.iter().flat_map(|state| state.owed.values().cloned()).collect();
    if on_page.is_empty() && owed.is_empty() {
        return filling.say_next("sheet_done", &[]);
    }
    let on_page: Vec<String> = on_page.iter().map(|id| filling.label(&Path::field(&name_of(id)))).collect();
    let told = [("sheet_on_page", on_page), ("sheet_owed", owed)].into_iter().filter(|(_, labels)| !labels.is_empty());
    told.map(|(key, labels)| filling.say(key, &[("labels", &labels.join(", "))])).collect::<Vec<_>>().join(" ")
}

/// Whether all is there, in a form that stays with its client.
pub(crate) fn is_kept_and_done(filling: &Filling<'_>) -> bool {
    let state = filling.draft().sheet.as_ref();
    filling.form.stays
        && filling.draft().pending == Pending::Nothing
        && state.is_some_and(|state| state.wrong.is_empty() && !state.vain)
}

/// What a client's form came to; none where no such form is being filled.
pub(crate) fn sheet(engine: &Engine, session: &Session) -> Option<chat::SheetView> {
    view_of(engine, session, session.draft.as_ref()?)
}

/// What a draft of a client's form came to.
fn view_of(engine: &Engine, session: &Session, draft: &Draft) -> Option<chat::SheetView> {
    let state = draft.sheet.as_deref()?;
    let form = engine.form_of(draft)?;
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
                let wrong =
                    reason.map(|reason| chat::Missing { id: id.clone(), label: label.clone(), reason: Some(reason) });
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
pub(crate) fn names_a_secret(name: &str) -> bool {
    secret::is_named(name)
}

/// Words without card numbers, passwords and keys: what may be said back.
pub(crate) fn repeatable(text: &str) -> String {
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
        Pending::Sure { then, .. } => then.fills().first().and_then(Command::filled),
        Pending::Which { readings, .. } => readings.first().and_then(|(_, command)| command.filled()),
        Pending::Nothing
        | Pending::MoreItems { .. }
        | Pending::PageReview { .. }
        | Pending::Review
        | Pending::WhatToChange
        | Pending::Tool { .. } => None,
    }
}
