//! What undo, redo, the removal of an item and what followed a change did, in words.

use std::collections::BTreeSet;

use formwright_chat as chat;

use crate::ask::review;
use crate::draft::filling::Filling;
use crate::draft::{list, show};
use crate::saying::Saying;
use crate::session::Draft;
use formwright_form::logic::Answers as _;
use formwright_form::text::capitalised;
use formwright_form::{AnswerSource, Kind, Path, Value};
use formwright_nlu::Answer;

/// Most sentences of one receipt.
const MAX_SENTENCES: usize = 4;

/// Most values by which an item is told.
const MAX_TELLING: usize = 3;

/// Longest text that tells an item, in characters.
const MAX_TEXT: usize = 40;

/// Says which answers other changes took away, brought back or put in doubt.
pub(crate) fn say_what_followed(saying: &mut Saying, filling: &mut Filling<'_>) {
    for (path, old) in filling.journal.change.answers.clone() {
        let path = &path;
        let draft = filling.draft();
        let new = draft.answers.get(path);
        let given =
            |answer: &Answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed | chat::Source::Tool);
        let label = filling.label(path);
        match (old, new) {
            (Some(old), None)
                if (given(&old) || old.source == chat::Source::Default) && draft.offered.contains_key(path) =>
            {
                let text = match filling.show_known(path, &old.value) {
                    Some(value) => filling.say("set_aside", &[("label", &label), ("value", &value)]),
                    None => filling.say("set_aside_plain", &[("label", &label)]),
                };
                let why = filling.authors_objection(path, &old.value);
                saying.notes.push(why.map_or(text.clone(), |why| format!("{text} {why}")));
            }
            (Some(old), None) if given(&old) && draft.kept.contains_key(path) => {
                saying.notes.push(filling.say("gone", &[("label", &label)]));
            }
            (None, Some(new))
                if filling.journal.change.kept.get(path).is_some_and(Option::is_some)
                    || (new.event.is_none() && given(new)) =>
            {
                let back = filling.journal.change.kept.get(path).is_some_and(Option::is_some);
                let name = if new.source == chat::Source::Tool && !back { "noted_value" } else { "back_again" };
                let value = filling.show(path, &new.value);
                let shown = filling.form.field_at(path).is_some_and(|field| !matches!(field.kind, Kind::Hidden(_)));
                let text = filling.say(name, &[("label", &label), ("value", &value)]);
                saying.notes.extend(shown.then_some(text));
            }
            _ => {}
        }
    }
}

/// How the draft differs from what it was before, in sentences; empty where nothing shows.
pub(crate) fn receipt(filling: &Filling<'_>, before: &Draft) -> String {
    let (mut sentences, lists) = items_back_or_gone(filling, before);
    let inside = |path: &Path| lists.iter().any(|list| path.is_within(list));
    let now = filling.draft();
    let both: BTreeSet<&Path> = before.answers.keys().chain(now.answers.keys()).collect();
    for path in both.into_iter().filter(|path| !inside(path) && is_given(filling, path)) {
        let label = filling.label(path);
        match (before.value(path), now.value(path)) {
            (old, Some(value)) if old != Some(value) => {
                let value = filling.show(path, value);
                sentences.push(filling.say("back_again", &[("label", &label), ("value", &value)]));
            }
            (Some(_), None) if now.kept.contains_key(path) => {
                sentences.push(filling.say("gone", &[("label", &label)]));
            }
            (Some(_), None) => sentences.push(filling.say("undone_open", &[("label", &label)])),
            _ => {}
        }
    }
    for path in before.skipped.symmetric_difference(&now.skipped).filter(|path| !inside(path)) {
        let answered = before.answers.contains_key(path) || now.answers.contains_key(path);
        if !answered && is_given(filling, path) && !now.is_hidden(path) {
            let name = if now.skipped.contains(path) { "undone_skipped" } else { "undone_open" };
            sentences.push(filling.say(name, &[("label", &filling.label(path))]));
        }
    }
    let aside: BTreeSet<&Path> = before.kept.keys().chain(now.kept.keys()).collect();
    for path in aside.into_iter().filter(|path| !inside(path)) {
        let answered = before.answers.contains_key(path) || now.answers.contains_key(path);
        let name = match (before.kept.contains_key(path), now.kept.contains_key(path)) {
            (true, false) => "aside_gone",
            (false, true) => "aside",
            _ => continue,
        };
        if !answered && is_given(filling, path) {
            sentences.push(filling.say(name, &[("label", &filling.label(path))]));
        }
    }
    let more = sentences.len().saturating_sub(MAX_SENTENCES);
    if more > 1 {
        sentences.truncate(MAX_SENTENCES);
        sentences.push(filling.say("and_more", &[("count", &more.to_string())]));
    }
    sentences.join(" ")
}

/// An item with the values that tell it from others: `expense 2 (Travel, €30.00)`.
pub(crate) fn item_told(filling: &Filling<'_>, draft: &Draft, list: &Path, no: u32) -> String {
    let item = list.item(no);
    let mut values = Vec::new();
    review::each_leaf(filling.form, draft, &mut |field, path| {
        let telling = !field.sensitive && !matches!(field.kind, Kind::File(_) | Kind::LongText(_) | Kind::Hidden(_));
        let Some(value) = draft.value(path).filter(|_| telling && path.is_within(&item)) else { return };
        let long = matches!(value, Value::Text(text) if text.chars().count() > MAX_TEXT);
        if values.len() < MAX_TELLING && !long {
            values.push(show::show(filling.form, draft, filling.world, path, value));
        }
    });
    let name = format!("{} {}", show::item_name(filling.form, filling.world, list), no + 1);
    if values.is_empty() { name } else { format!("{name} ({})", values.join(&filling.say("list_comma", &[]))) }
}

/// Sentences for the items that came or went, and the lists they lie in.
fn items_back_or_gone(filling: &Filling<'_>, before: &Draft) -> (Vec<String>, Vec<Path>) {
    let now = filling.draft();
    let mut sentences = Vec::new();
    let mut lists: Vec<Path> = Vec::new();
    for (list, state) in &now.lists {
        let was = before.lists.get(list).filter(|was| was.len == state.len && was.ended != state.ended);
        if was.is_some() && !now.is_hidden(list) && list::list_at(filling.form, list).is_some() {
            let name = if state.ended { "list_closed" } else { "undone_open" };
            sentences.push(filling.say(name, &[("label", &filling.label(list))]));
        }
    }
    for list in before.lists.keys().chain(now.lists.keys()) {
        let (was, is) = (before.list_len(list).unwrap_or(0), now.list_len(list).unwrap_or(0));
        let known = lists.iter().any(|outer| list.is_within(outer));
        if was == is || known || now.is_hidden(list) || list::list_at(filling.form, list).is_none() {
            continue;
        }
        let (longer, name) = if is > was { (now, "item_back") } else { (before, "item_gone") };
        let same = |no: u32| item(before, list, no) == item(now, list, no);
        let first = (0..was.min(is)).find(|no| !same(*no)).unwrap_or(was.min(is));
        for no in first..first + was.abs_diff(is) {
            let what = capitalised(&item_told(filling, longer, list, no));
            sentences.push(filling.say(name, &[("what", &what)]));
        }
        lists.push(list.clone());
    }
    (sentences, lists)
}

/// Whether the answer at a path is the person's own to give.
fn is_given(filling: &Filling<'_>, path: &Path) -> bool {
    filling.form.field_at(path).is_some_and(|field| {
        let ours = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
        !ours && !matches!(field.kind, Kind::Note(_) | Kind::Hidden(_))
    })
}

/// The answers of one item, by where they stand in it.
fn item<'d>(draft: &'d Draft, list: &Path, no: u32) -> Vec<(&'d [formwright_form::Seg], &'d Value)> {
    let item = list.item(no);
    let depth = item.segs().len();
    let inside = draft.answers.range(item.clone()..).take_while(|(path, _)| path.is_within(&item));
    inside.filter_map(|(path, answer)| Some((path.segs().get(depth..)?, &answer.value))).collect()
}
