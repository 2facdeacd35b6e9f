//! Asking a field again, to change it.

use crate::ask::{confirm, verify};
use crate::command::change::{self, Then};
use crate::draft::filling::Filling;
use crate::draft::{list, order};
use crate::talk::Talk;
use formwright_form::{AnswerSource, Kind, Path};
use formwright_nlu::Pending;

pub(crate) fn edit(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: Option<Path>) -> Then {
    let Some(path) = path else {
        filling.journal.draft.pending = Pending::WhatToChange;
        return Then::Go;
    };
    let Some(field) = filling.form.field_at(&path) else { return Then::Vain };
    if list::is_beyond(filling, &path) {
        talk.saying.notes.push(filling.say("no_such_item", &[]));
        return Then::Go;
    }
    let is_item = matches!(path.segs().last(), Some(formwright_form::Seg::Item(_)));
    match (&field.source, &field.kind) {
        (AnswerSource::Fixed(_) | AnswerSource::Computed(_), _) => {
            let label = filling.label(&path);
            talk.saying.notes.push(filling.say("locked", &[("label", &label)]));
        }
        // An item has the kind of its list.
        (_, Kind::List(_)) if !is_item && filling.draft().lists.get(&path).is_none_or(|state| state.len == 0) => {
            return change::add_item(talk, filling, &path);
        }
        (_, Kind::List(_)) => filling.journal.draft.pending = Pending::WhatToChange,
        (_, Kind::Group(_)) => filling.journal.draft.pending = Pending::WhatToChange,
        _ if filling.draft().is_hidden(&path) => return Then::Vain,
        // Of several values that were read back one is wrong: it is asked in its turn, and the others stay asked.
        _ if confirm::is_read_back_with_others(filling, &path) => verify::no_longer_doubts(filling, &path),
        _ => {
            let addr = order::addr(filling.form, &path);
            let editing = addr.is_none_or(|addr| addr.is_later() || !filling.draft().todo.contains(&addr));
            verify::no_longer_doubts(filling, &path);
            match &filling.draft().pending {
                // What was read back is asked after it.
                Pending::Sure { then, .. } if !then.fills().is_empty() => {
                    verify::put_first(filling, Pending::Field { path, editing: true });
                }
                _ => filling.journal.draft.pending = Pending::Field { path, editing },
            }
        }
    }
    Then::Go
}
