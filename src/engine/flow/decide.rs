//! What comes next: the first open question, a page to look over, the review, or the submission.

use crate::ask::verify;
use crate::command::edit;
use crate::desk::open;
use crate::draft::filling::Filling;
use crate::draft::order::{self, Asking};
use crate::draft::{list, options, whole};
use crate::flow::onward;
use crate::session::{State, screen};
use crate::talk::Talk;
use crate::tools::calls::{self, Next};
use crate::tools::{fetch, hooks, side_effects};
use crate::{sheet, zone};
use formwright_form::{Kind, Path};
use formwright_nlu::Pending;

/// Decides what comes next and notes what is waited for. Texts of notes on the way are said.
pub(crate) fn decide(filling: &mut Filling<'_>, notes: &mut Vec<String>) -> Next {
    let next = decide_next(filling, notes);
    notes.append(&mut filling.told);
    next
}

fn decide_next(filling: &mut Filling<'_>, notes: &mut Vec<String>) -> Next {
    if let Some(path) = sticky(filling) {
        return path.map_or(Next::Wait, |path| wait_for(filling, path));
    }
    if let Some(next) = side_effects::do_owed(filling, notes) {
        return next;
    }
    if sticky(filling).is_some() || zone::ask::asks_zone(filling) {
        return Next::Wait;
    }
    loop {
        if let Some(next) = fetch::fetch_unasked(filling) {
            return next;
        }
        let open = hooks::first_open(filling);
        if let Some(page) = page_to_review(filling, open.as_ref().map(screen::Addr::page)) {
            filling.journal.draft.state = State::Incomplete;
            filling.journal.draft.pending = Pending::PageReview { page };
            return Next::Wait;
        }
        let Some(open) = open else {
            if let Some(next) = fetch::fetch_rest(filling) {
                return next;
            }
            // What was brought may be asked about, or show further fields.
            if sticky(filling).is_some() {
                return Next::Wait;
            }
            if filling.draft().todo.first().is_some_and(|addr| !addr.is_later()) {
                continue;
            }
            return all_answered(filling, notes);
        };
        filling.journal.draft.state = State::Incomplete;
        match order::asking(filling.form, &open) {
            // As long as more are needed there is nothing to ask.
            Some(Asking::More(list))
                if whole::needs_item(filling, &list) && list::add_item(filling, &list).is_some() => {}
            Some(Asking::More(list)) => {
                filling.journal.draft.pending = Pending::MoreItems { list };
                return Next::Wait;
            }
            Some(Asking::Field(path)) => {
                let field = filling.form.field_at(&path);
                if let Some(note) = field.filter(|field| matches!(field.kind, Kind::Note(_))) {
                    notes.extend(note.ask.first().map(|text| filling.text(text, &path)));
                    filling.journal.set_skipped(&path, true);
                    filling.refresh_todo(&path);
                    continue;
                }
                if let Some(at) = onward::form_for(filling, &path) {
                    return Next::Open(at);
                }
                if let Some(next) = fetch::fetch_for(filling, &path) {
                    return next;
                }
                if sticky(filling).is_some() {
                    return Next::Wait;
                }
                if filling.draft().answers.contains_key(&path) {
                    continue;
                }
                filling.journal.draft.pending = Pending::Field { path: path.clone(), editing: false };
                return wait_for(filling, path);
            }
            None => filling.journal.set_todo(open, false),
        }
    }
}

/// What is being waited for and stays so: `None` where the order of asking decides; the field, where its options may
/// still have to be fetched.
#[expect(clippy::option_option, reason = "whether it waits, and for which field if for one")]
fn sticky(filling: &Filling<'_>) -> Option<Option<Path>> {
    match &filling.draft().pending {
        Pending::Field { path, editing: true } => Some(Some(path.clone())),
        Pending::Which { .. } | Pending::Sure { .. } | Pending::WhatToChange => Some(None),
        Pending::Nothing
        | Pending::Field { .. }
        | Pending::MoreItems { .. }
        | Pending::PageReview { .. }
        | Pending::Review
        | Pending::Tool { .. } => None,
    }
}

/// Whether something is waited for that the order of asking does not decide.
pub(crate) fn is_sticky(filling: &Filling<'_>) -> bool {
    sticky(filling).is_some() || matches!(filling.draft().pending, Pending::Tool { .. })
}

fn page_to_review(filling: &Filling<'_>, open: Option<u16>) -> Option<u16> {
    let pages = u16::try_from(filling.form.pages.len()).unwrap_or(u16::MAX);
    // The form's own review shows the last page too.
    let last = pages.saturating_sub(u16::from(hooks::is_confirmed(filling)));
    (0..open.unwrap_or(last).min(last)).find(|page| {
        let wanted = filling.form.pages.get(usize::from(*page)).is_some_and(|page| page.review);
        wanted && !filling.draft().pages_done.contains(page) && !filling.draft().pages_hidden.contains(page)
    })
}

fn all_answered(filling: &mut Filling<'_>, notes: &mut Vec<String>) -> Next {
    if filling.form.stays {
        // What the client holds and cannot be so is asked for, though it may be left out.
        let wrong = sheet::first_wrong(filling).map(|path| Pending::Field { path, editing: true });
        filling.journal.draft.pending = wrong.unwrap_or(Pending::Nothing);
        return Next::Wait;
    }
    if let Some(against) = filling.draft().hooked.as_ref().and_then(|hooked| hooked.against.clone()) {
        // Nothing is sent, or done, until something is changed.
        notes.push(against);
        filling.journal.draft.confirmed = false;
        filling.journal.draft.pending = Pending::WhatToChange;
        return Next::Wait;
    }
    if std::mem::take(&mut filling.journal.draft.confirmed) {
        return Next::Submit;
    }
    // What has failed is tried again when the person says so.
    if hooks::is_confirmed(filling) || side_effects::has_failed_deed(filling) {
        filling.journal.draft.state = State::WaitConfirm;
        filling.journal.draft.pending = Pending::Review;
        return Next::Wait;
    }
    if open::needs_approval(filling) || !side_effects::owe_all(filling) {
        return Next::Submit;
    }
    match side_effects::do_owed(filling, notes) {
        Some(next) => next,
        None if side_effects::has_failed_deed(filling) || !is_all_answered(filling) => decide(filling, notes),
        None => Next::Submit,
    }
}

/// Whether nothing is open but what is offered at the review.
fn is_all_answered(filling: &Filling<'_>) -> bool {
    filling.draft().todo.first().is_none_or(screen::Addr::is_later)
}

/// Waits for a field, unless its options have to be fetched first.
fn wait_for(filling: &mut Filling<'_>, path: Path) -> Next {
    let Some(field) = filling.form.field_at(&path) else { return Next::Wait };
    let awaited = options::awaited(filling.form, filling.draft(), filling.world, field, &path);
    let Some((tool, args)) =
        awaited.or_else(|| options::stale(filling.form, filling.draft(), filling.world, field, &path))
    else {
        return Next::Wait;
    };
    calls::call(filling, tool, args)
}

/// Goes on with what waits in line, where nothing else is waited for.
pub(crate) fn take_up_waiting(talk: &mut Talk<'_>, filling: &mut Filling<'_>) {
    while !is_sticky(filling) && !filling.draft().waiting.is_empty() {
        match filling.journal.draft.waiting.remove(0) {
            Pending::Field { path, .. } => {
                let _ = edit::edit(talk, filling, Some(path));
                verify::stay(filling);
            }
            pending => filling.journal.draft.pending = pending,
        }
    }
}
