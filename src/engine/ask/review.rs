//! Answers to look over: the card, and the submission's JSON.

use formwright_chat as chat;

use crate::desk::open;
use crate::draft::filling::{self, Filling};
use crate::session::Draft;
use formwright_form::field::{Field, FieldNo};
use formwright_form::logic::Answers as _;
use formwright_form::{AnswerSource, Form, Kind, Path, Seg};
use formwright_nlu::is_sensitive;

/// The card of all visible answers, or of one page's, in the form's order.
pub(crate) fn card(filling: &Filling<'_>, mut edit: impl FnMut(&Path) -> chat::Token, page: Option<u16>) -> chat::Card {
    let mut rows = Vec::new();
    each_leaf(filling.form, filling.draft(), &mut |field, path| {
        let Some(answer) = filling.draft().answers.get(path) else { return };
        if page.is_some_and(|page| page != field.page) || matches!(field.kind, Kind::Hidden(_)) {
            return;
        }
        let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
        let editable = !given && open::is_open_to_change(filling, path);
        rows.push(chat::CardRow {
            field: path.to_string(),
            label: filling.label(path),
            value: filling.show(path, &answer.value),
            source: answer.source,
            edit: editable.then(|| edit(path)),
        });
    });
    chat::Card { title: filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned(), rows }
}

/// Rows of the fields in view that were left empty.
pub(crate) fn empty(filling: &Filling<'_>) -> Vec<chat::CardRow> {
    let mut rows = Vec::new();
    each_leaf(filling.form, filling.draft(), &mut |field, path| {
        let draft = filling.draft();
        if filling::is_askable(field) && !draft.answers.contains_key(path) && !draft.is_hidden(path) {
            let (field, label) = (path.to_string(), filling.label(path));
            rows.push(chat::CardRow { field, label, value: String::new(), source: chat::Source::Said, edit: None });
        }
    });
    rows
}

/// Calls back for every leaf field that a draft has a place for, in the form's order.
pub(crate) fn each_leaf<'f>(form: &'f Form, draft: &Draft, visit: &mut dyn FnMut(&'f Field, &Path)) {
    for no in form.top() {
        let Some(field) = form.field(*no) else { continue };
        walk(form, draft, field, &Path::field(&field.id), visit);
    }
}

fn walk<'f>(form: &'f Form, draft: &Draft, field: &'f Field, path: &Path, visit: &mut dyn FnMut(&'f Field, &Path)) {
    let members = |no: FieldNo| form.members(no).iter().filter_map(|no| form.field(*no));
    match &field.kind {
        Kind::Group(_) => {
            for member in members(field.no) {
                walk(form, draft, member, &path.child(&member.id), visit);
            }
        }
        Kind::List(_) => {
            for i in 0..draft.list_len(path).unwrap_or(0) {
                let item = path.item(i);
                if let Some(plain) = form.plain_item(field.no).and_then(|no| form.field(no)) {
                    walk(form, draft, plain, &item, visit);
                    continue;
                }
                for member in members(field.no) {
                    walk(form, draft, member, &item.child(&member.id), visit);
                }
            }
        }
        _ => visit(field, path),
    }
}

/// The visible answers as the submission's JSON: groups as objects, lists as arrays, nothing for what was not answered.
pub(crate) fn answers_json(form: &Form, draft: &Draft) -> serde_json::Value {
    let top = form.top().iter().filter_map(|no| form.field(*no));
    object(form, draft, top, &|field| Path::field(&field.id))
}

/// The same as it may be shown to whoever gave the answers: null for what is sensitive.
pub(crate) fn open_answers_json(form: &Form, draft: &Draft) -> serde_json::Value {
    let mut all = answers_json(form, draft);
    let sensitive = |path: &&Path| form.field_at(path).is_none_or(|field| is_sensitive(form, field));
    for path in draft.answers.keys().filter(sensitive) {
        let step = |seg: &Seg| match seg {
            Seg::Field(id) => format!("/{}", id.as_str()),
            Seg::Item(no) => format!("/{no}"),
        };
        if let Some(answer) = all.pointer_mut(&path.segs().iter().map(step).collect::<String>()) {
            *answer = serde_json::Value::Null;
        }
    }
    all
}

fn object<'f>(
    form: &Form,
    draft: &Draft,
    fields: impl Iterator<Item = &'f Field>,
    at: &dyn Fn(&Field) -> Path,
) -> serde_json::Value {
    let entries = fields.filter_map(|field| Some((field.id.to_string(), json(form, draft, field, &at(field))?)));
    serde_json::Value::Object(entries.collect())
}

fn json(form: &Form, draft: &Draft, field: &Field, path: &Path) -> Option<serde_json::Value> {
    let members = |no: FieldNo| form.members(no).iter().filter_map(|no| form.field(*no));
    match &field.kind {
        Kind::Group(_) => {
            let group = object(form, draft, members(field.no), &|member| path.child(&member.id));
            group.as_object().is_some_and(|group| !group.is_empty()).then_some(group)
        }
        Kind::List(_) => {
            let len = draft.list_len(path).filter(|_| !draft.is_hidden(path))?;
            let plain = form.plain_item(field.no).and_then(|no| form.field(no));
            let items = (0..len).filter_map(|i| match plain {
                Some(plain) => json(form, draft, plain, &path.item(i)),
                None => Some(object(form, draft, members(field.no), &|member| path.item(i).child(&member.id))),
            });
            Some(serde_json::Value::Array(items.collect()))
        }
        _ => draft.answers.get(path).map(|answer| field.kind.behaviour().json(&answer.value)),
    }
}
