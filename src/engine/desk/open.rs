//! Whether somebody has to approve a form, and what may still be changed.

use crate::desk::Reviewed;
use crate::draft::filling::Filling;
use crate::session::Draft;
use formwright_form::{Form, Path};
use formwright_nlu::{Command, Pending};

/// Whether somebody has to approve the form who has not yet.
pub(crate) fn needs_approval(filling: &Filling<'_>) -> bool {
    let approved = filling.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty());
    filling.form.review.is_some() && !approved
}

/// Names of what alone may be changed; none where anything may.
pub(crate) fn open_labels(filling: &Filling<'_>) -> Option<String> {
    let open = &filling.draft().approval.as_ref()?.open;
    let labels: Vec<String> = open.iter().map(|path| filling.label(path)).collect();
    (!open.is_empty()).then(|| filling.voice().list(&labels))
}

/// Whether the person may give another answer, as far as it lies with those who approve.
pub(crate) fn is_open_to_change(filling: &Filling<'_>, path: &Path) -> bool {
    let command = Command::Edit { path: Some(path.clone()) };
    !changes_what_is_approved(filling, &command) && !changes_what_is_settled(filling, &command)
}

/// Whether a command would change what was approved.
pub(crate) fn changes_what_is_approved(filling: &Filling<'_>, command: &Command) -> bool {
    let asks_what = *command == Command::Deny && filling.draft().pending == Pending::Review;
    filling.form.review.is_some()
        && !needs_approval(filling)
        && (asks_what
            || matches!(
                command,
                Command::Fill { .. }
                    | Command::Together { .. }
                    | Command::Clear { .. }
                    | Command::AddItem { .. }
                    | Command::RemoveItem { .. }
                    | Command::EndList { .. }
                    | Command::Edit { .. }
                    | Command::FillRest { .. }
                    | Command::Undo
                    | Command::Redo
                    | Command::Restart
            ))
}

/// Whether a command would change an answer that nobody has asked to be changed.
pub(crate) fn changes_what_is_settled(filling: &Filling<'_>, command: &Command) -> bool {
    let Some(approval) = filling.draft().approval.as_ref().filter(|approval| !approval.open.is_empty()) else {
        return false;
    };
    let around = |path: &Path| approval.open.iter().any(|open| open.is_within(path) || path.is_within(open));
    let settled = |path: &Path| {
        let locked = approval.locked.iter().any(|locked| locked.is_within(path) || path.is_within(locked));
        locked && !around(path)
    };
    match command {
        Command::Fill { path, .. } | Command::Clear { path } | Command::Edit { path: Some(path) } => settled(path),
        // Items move up when one goes: what is open would be another one's then.
        Command::AddItem { list: path } | Command::RemoveItem { item: path } => {
            let seen = approval.locked.iter().chain(&approval.open).any(|seen| seen.is_within(path));
            seen && !approval.open.iter().any(|open| path.is_within(open))
        }
        Command::Restart => true,
        _ => false,
    }
}

/// Who approved a draft, for its submission.
pub(crate) fn reviewed(form: &Form, draft: &Draft) -> Option<Reviewed> {
    let approval = draft.approval.as_ref().filter(|approval| !approval.decisions.is_empty())?;
    let desk = form.review.as_ref().map(|review| review.by.clone()).unwrap_or_default();
    Some(Reviewed { desk, round: approval.round, approvals: approval.decisions.clone() })
}
