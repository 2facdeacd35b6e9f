//! Lists: items come, go and shift.

use std::collections::BTreeSet;

use formwright_chat::Source;

use crate::draft::filling::Filling;
use crate::draft::whole;
use formwright_form::field::Field;
use formwright_form::kind::list::List;
use formwright_form::{Form, Kind, Path, Seg};
use formwright_nlu::{Asked, ListState, Pending};

/// Opens a list that has come into view: a required one begins with its first item, any other with the question
/// whether there is one.
pub(crate) fn open_list(filling: &mut Filling<'_>, field: &Field, list: &Path) {
    let state = filling.draft().lists.get(list).copied();
    let least = whole::least_items(filling, list);
    let state = state.unwrap_or_else(|| {
        let fresh = ListState { len: least.min(1), ended: false };
        filling.journal.set_list(list, Some(fresh));
        fresh
    });
    for item in 0..state.len {
        open_item(filling, field, &list.item(item));
    }
    filling.refresh_more(list);
}

fn open_item(filling: &mut Filling<'_>, list: &Field, item: &Path) {
    let form = filling.form;
    if form.plain_item(list.no).is_some() {
        open_within_leaf(filling, item);
        return;
    }
    for member in form.members(list.no).iter().filter_map(|no| form.field(*no)) {
        let path = item.child(&member.id);
        if let Some(expr) = &member.show_when {
            let hide = !filling.holds(expr, &path);
            filling.journal.set_hidden(&path, hide);
        }
        filling.open_within(&path);
    }
}

fn open_within_leaf(filling: &mut Filling<'_>, path: &Path) {
    let Some(field) = filling.form.field_at(path) else { return };
    filling.work_out(field, path);
    filling.refresh_todo(path);
}

/// Adds an item and gives its path; `None` where the list is full or not shown.
pub(crate) fn add_item(filling: &mut Filling<'_>, list: &Path) -> Option<Path> {
    let form = filling.form;
    let (field, _) = list_at(form, list)?;
    let state = filling.draft().lists.get(list).copied().unwrap_or_default();
    if whole::is_full(filling, list) || filling.draft().is_hidden(list) {
        return None;
    }
    let item = list.item(state.len);
    filling.journal.set_list(list, Some(ListState { len: state.len + 1, ended: false }));
    open_item(filling, field, &item);
    filling.refresh_more(list);
    filling.follow(list);
    Some(item)
}

/// Takes an item out; those behind it move up. Tells whether there was such an item.
pub(crate) fn remove_item(filling: &mut Filling<'_>, item: &Path) -> bool {
    let Some((Seg::Item(no), up)) = item.segs().split_last() else { return false };
    let list = Path::from_segs(up.to_vec());
    let there = |state: &ListState| *no < state.len && !filling.draft().is_hidden(&list);
    let Some(state) = filling.draft().lists.get(&list).copied().filter(there) else { return false };
    let no = *no;
    shift_items(filling, &list, no);
    filling.journal.set_list(&list, Some(ListState { len: state.len - 1, ended: state.ended }));
    for addr in filling.todo_within(&list) {
        filling.journal.set_todo(addr, false);
    }
    let Some(field) = filling.form.field_at(&list) else { return false };
    open_list(filling, field, &list);
    filling.follow(&list);
    true
}

/// Takes all items out of a list; false where there is none.
pub(crate) fn remove_items(filling: &mut Filling<'_>, list: &Path) -> bool {
    let len = filling.draft().lists.get(list).map_or(0, |state| state.len);
    let told = (0..len).filter(|no| !is_untouched(filling, &list.item(*no))).count();
    for no in (0..len).rev() {
        remove_item(filling, &list.item(no));
    }
    told > 0
}

/// Ends a list. It stays open where something is wrong with it as a whole.
pub(crate) fn end_list(filling: &mut Filling<'_>, list: &Path) {
    if list_at(filling.form, list).is_none() {
        return;
    }
    let state = filling.draft().lists.get(list).copied().unwrap_or_default();
    // An item that was begun but not filled was one too many.
    if let Some(last) = state.len.checked_sub(1).map(|no| list.item(no)).filter(|last| is_untouched(filling, last)) {
        remove_item(filling, &last);
    }
    let state = filling.draft().lists.get(list).copied().unwrap_or_default();
    filling.journal.set_list(list, Some(ListState { ended: true, ..state }));
    filling.refresh_more(list);
    filling.follow(list);
}

/// Takes out the items that were added for values which were all refused.
pub(crate) fn drop_refused(filling: &mut Filling<'_>, lists: &[Path]) {
    if matches!(filling.draft().pending, Pending::Sure { .. } | Pending::Which { .. }) {
        return;
    }
    for list in lists.iter().rev() {
        let len = filling.draft().lists.get(list).map_or(0, |state| state.len);
        if let Some(last) = len.checked_sub(1).map(|no| list.item(no)).filter(|last| is_untouched(filling, last)) {
            remove_item(filling, &last);
        }
    }
}

/// Whether the person has said nothing of an item.
pub(crate) fn is_untouched(filling: &Filling<'_>, item: &Path) -> bool {
    let draft = filling.draft();
    let mut inside = draft.answers.range(item.clone()..).take_while(|(path, _)| path.is_within(item));
    inside.all(|(_, answer)| !matches!(answer.source, Source::Said | Source::Pressed | Source::Tool))
        && !draft.skipped.iter().any(|path| path.is_within(item))
}

fn shift_items(filling: &mut Filling<'_>, list: &Path, gone: u32) {
    let draft = filling.draft();
    let mut paths: BTreeSet<Path> = draft.skipped.iter().chain(&draft.hidden).cloned().collect();
    paths.extend(draft.answers.keys().chain(draft.kept.keys()).cloned());
    paths.extend(draft.offered.keys().chain(draft.lists.keys()).cloned());
    // In order, so that each place is free when the next item moves into it.
    for path in paths {
        let Some(to) = moved(&path, list, gone) else { continue };
        let draft = filling.draft();
        let answer = draft.answers.get(&path).cloned();
        let kept = draft.kept.get(&path).cloned();
        let offered = draft.offered.get(&path).cloned();
        let inner = draft.lists.get(&path).copied();
        let (skipped, hidden) = (draft.skipped.contains(&path), draft.hidden.contains(&path));
        for (place, here) in [(Some(&path), false), (to.as_ref(), true)] {
            let Some(place) = place else { continue };
            filling.journal.set_answer(place, answer.clone().filter(|_| here));
            filling.journal.set_kept(place, kept.clone().filter(|_| here));
            filling.journal.set_offered(place, offered.clone().filter(|_| here));
            filling.journal.set_list(place, inner.filter(|_| here));
            filling.journal.set_skipped(place, here && skipped);
            filling.journal.set_hidden(place, here && hidden);
        }
    }
    let draft = &mut filling.journal.draft;
    for (_, asked) in draft.asked.iter_mut().filter(|(path, _)| path.is_within(list)) {
        // How it was worded is kept: the next item at this place is not asked in the same words.
        *asked = Asked { times: asked.times, wordings: std::mem::take(&mut asked.wordings), ..Asked::default() };
    }
    draft.trail.retain(|path| !path.is_within(list));
    draft.verified.retain(|path| !path.is_within(list));
}

/// Where an item's member goes when item `gone` leaves: `None` stays, `Some(None)` goes too, `Some(Some(path))` moves up.
#[expect(clippy::option_option, reason = "stays, goes or moves, as `filter_map` wants it")]
fn moved(path: &Path, list: &Path, gone: u32) -> Option<Option<Path>> {
    let at = list.segs().len();
    let Some(Seg::Item(no)) = path.segs().get(at).filter(|_| path.is_within(list)) else { return None };
    match no.cmp(&gone) {
        std::cmp::Ordering::Less => None,
        std::cmp::Ordering::Equal => Some(None),
        std::cmp::Ordering::Greater => {
            let mut segs = path.segs().to_vec();
            if let Some(seg) = segs.get_mut(at) {
                *seg = Seg::Item(no - 1);
            }
            Some(Some(Path::from_segs(segs)))
        }
    }
}

/// The list at a path.
pub(crate) fn list_at<'f>(form: &'f Form, list: &Path) -> Option<(&'f Field, &'f List)> {
    let field = form.field_at(list).filter(|_| !ends_in_item(list))?;
    let Kind::List(kind) = &field.kind else { return None };
    Some((field, kind))
}

/// The innermost list around a path, with the item the path lies in.
pub(crate) fn around(form: &Form, path: &Path) -> Option<(Path, u32)> {
    let segs = path.segs();
    let at = segs.iter().rposition(|seg| matches!(seg, Seg::Item(_)))?;
    let Seg::Item(no) = segs.get(at)? else { return None };
    let list = Path::from_segs(segs[..at].to_vec());
    list_at(form, &list).map(|_| (list.clone(), *no))
}

pub(crate) fn ends_in_item(path: &Path) -> bool {
    matches!(path.segs().last(), Some(Seg::Item(_)))
}

/// Whether a path leads into an item that its list does not have.
pub(crate) fn is_beyond(filling: &Filling<'_>, path: &Path) -> bool {
    let Some((list, no)) = around(filling.form, path) else { return false };
    filling.draft().lists.get(&list).is_none_or(|state| no >= state.len)
}
