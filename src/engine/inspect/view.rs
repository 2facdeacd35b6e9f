//! A session as shown to its owner: for page reloads and the debug panel.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;

use crate::ask::review;
use crate::desk::shown;
use crate::draft::{options, order, show};
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::session::{Draft, Session};
use crate::world::{self, World};
use formwright_form::{Field, Form, OptionId, Path, ToolId, Value};
use formwright_nlu::{Pending, is_sensitive};

/// Shows a session to its owner; sensitive values are masked.
pub(crate) fn view(engine: &Engine, session: &Session, now: Timestamp) -> chat::SessionView {
    let input = Input { now, nonce: chat::Nonce::new(0), event: Happening::Expiry };
    let world = world::world(engine, session, &input, None);
    let found = shown(engine, session);
    let parked = session.parked.iter().map(|draft| draft.form.to_string()).collect();
    let Some((form, draft)) = found else {
        let last = shown::shown_again(engine, session, &world);
        return chat::SessionView {
            form: None,
            state: "Closed".to_owned(),
            answers: Vec::new(),
            asked: None,
            parked,
            last,
            debug: serde_json::Value::Null,
        };
    };
    let world = world.speaking(&form);
    chat::SessionView {
        form: Some(form.id.to_string()),
        state: format!("{:?}", draft.state),
        answers: answers(&form, draft, &world),
        asked: asked(draft),
        parked,
        last: shown::shown_again(engine, session, &world),
        debug: debug(&form, draft),
    }
}

/// Where a session stands: what every turn tells its sender of it.
pub(crate) fn standing(engine: &Engine, session: &Session) -> chat::Standing {
    let Some((form, draft)) = shown(engine, session) else {
        return chat::Standing { state: "Closed".to_owned(), ..chat::Standing::default() };
    };
    let mut answers = BTreeMap::new();
    review::each_leaf(&form, draft, &mut |field, path| {
        if let Some(answer) = draft.answers.get(path) {
            answers.insert(path.to_string(), json(&form, field, &answer.value));
        }
    });
    chat::Standing {
        form: Some(form.id.to_string()),
        state: format!("{:?}", draft.state),
        answers,
        asked: asked(draft),
    }
}

/// The draft that its owner sees, with its form: of those that they are done with, the one touched last.
fn shown<'s>(engine: &Engine, session: &'s Session) -> Option<(Arc<Form>, &'s Draft)> {
    let done = || session.closed.iter().chain(&session.reviewing).max_by_key(|draft| draft.touched);
    let draft = session.draft.as_ref().or_else(done)?;
    Some((engine.form_of(draft)?, draft))
}

fn asked(draft: &Draft) -> Option<String> {
    match &draft.pending {
        Pending::Field { path, .. } => Some(path.to_string()),
        _ => None,
    }
}

/// A value as its owner sees it.
fn json(form: &Form, field: &Field, value: &Value) -> serde_json::Value {
    if is_sensitive(form, field) { serde_json::Value::Null } else { field.kind.behaviour().json(value) }
}

fn answers(form: &Form, draft: &Draft, world: &World) -> Vec<chat::AnswerView> {
    let mut views = Vec::new();
    review::each_leaf(form, draft, &mut |field, path| {
        let Some(answer) = draft.answers.get(path) else { return };
        let open = !is_sensitive(form, field);
        views.push(chat::AnswerView {
            field: path.to_string(),
            label: show::label(form, world, path),
            value: json(form, field, &answer.value),
            shown: show::show(form, draft, world, path, &answer.value),
            picked: if open { picked(form, draft, world, field, path, &answer.value) } else { Vec::new() },
            source: answer.source,
            quote: answer.quote.clone().filter(|_| open),
        });
    });
    views
}

/// The labels of the options that a value picks, then words of one's own.
fn picked(form: &Form, draft: &Draft, world: &World, field: &Field, path: &Path, value: &Value) -> Vec<String> {
    let (ids, other) = match value {
        Value::Option(id) => (std::slice::from_ref(id), None),
        Value::Options { picked, other } => (picked.as_slice(), other.clone()),
        _ => return Vec::new(),
    };
    let offered = options::offered(form, draft, world, field, path).unwrap_or_default();
    let label = |id: &OptionId| offered.iter().find(|option| option.id == *id).map(|option| option.label.clone());
    ids.iter().map(|id| label(id).unwrap_or_else(|| id.to_string())).chain(other).collect()
}

fn debug(form: &Form, draft: &Draft) -> serde_json::Value {
    let paths = |paths: &mut dyn Iterator<Item = &formwright_form::Path>| -> Vec<String> {
        paths.map(ToString::to_string).collect()
    };
    let open = draft.todo.iter().filter_map(|addr| order::asking(form, addr));
    serde_json::json!({
        "version": draft.version,
        "submission": draft.submission,
        "revision": draft.revision,
        "pending": pending(&draft.pending),
        "open": open.map(|asking| match asking {
            order::Asking::Field(path) => path.to_string(),
            order::Asking::More(path) => format!("{path}[+]"),
        }).collect::<Vec<_>>(),
        "skipped": paths(&mut draft.skipped.iter()),
        "hidden": paths(&mut draft.hidden.iter()),
        "history": draft.history,
        "undo": draft.undo.len(),
        "tools": draft.tools.iter().map(|(tool, state)| (tool.to_string(), serde_json::json!({
            "args": open_args(form, draft, tool, &state.args), "known": state.result.is_some(), "failures": state.failures,
        }))).collect::<serde_json::Map<_, _>>(),
    })
}

/// What a tool was told, unless an answer is in it that is shown to nobody.
fn open_args<'a>(
    form: &Form,
    draft: &Draft,
    tool: &ToolId,
    args: &'a serde_json::Value,
) -> Option<&'a serde_json::Value> {
    // What a program chose, or a hook that is told everything, may hold any answer.
    let chosen = draft.deeds.values().any(|deed| deed.chosen.is_some() && deed.args == *args);
    let chosen = chosen || form.run_told == Some(true) && form.run.as_ref() == Some(tool);
    let open = |tool: &formwright_form::Tool| {
        let mut reads = tool.params.iter().flat_map(|(_, expr)| &expr.reads);
        !reads.any(|no| form.field(*no).is_none_or(|field| is_sensitive(form, field)))
    };
    let open = form.tools.get(tool).is_some_and(open)
        && !(chosen && form.fields.iter().any(|field| is_sensitive(form, field)));
    open.then_some(args)
}

/// What is waited for, without the values it may carry.
fn pending(pending: &Pending) -> String {
    match pending {
        Pending::Nothing => "nothing".to_owned(),
        Pending::Field { path, editing } => format!("{}{path}", if *editing { "edit of " } else { "" }),
        Pending::MoreItems { list } => format!("more items of {list}"),
        Pending::Which { .. } => "which reading".to_owned(),
        Pending::Sure { question, .. } => format!("yes or no: {question}"),
        Pending::PageReview { page } => format!("review of page {}", page + 1),
        Pending::Review => "review".to_owned(),
        Pending::WhatToChange => "what to change".to_owned(),
        Pending::Tool { tool, .. } => format!("tool {tool}"),
    }
}
