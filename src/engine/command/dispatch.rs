//! Carrying out commands inside a form. What cannot be done is said, and nothing is lost.

use formwright_chat as chat;

use crate::ask::{help, verify};
use crate::command::change::{self, Then};
use crate::command::{digress, edit, navigate};
use crate::desk::{self, person};
use crate::draft::filling::Filling;
use crate::draft::journal::Direction;
use crate::saying::Saying;
use crate::sheet;
use crate::talk::Talk;
use crate::tools::side_effects;
use formwright_nlu::{Command, Pending, UNASKED_CHANGE};

/// Carries out a command in the form being filled.
pub(crate) fn carry_out(talk: &mut Talk<'_>, filling: &mut Filling<'_>, command: Command) -> Then {
    if person::keeps_to_what_is_open(&mut talk.saying, filling, &command) {
        return Then::Go;
    }
    match command {
        Command::Fill { path, value, quote } => change::fill(talk, filling, &path, value, quote),
        Command::Together { fills } => {
            for fill in fills {
                let Some(path) = fill.filled() else { continue };
                // It was read back.
                filling.journal.draft.verified.insert(path.clone());
                verify::no_longer_doubts(filling, path);
                let _ = carry_out(talk, filling, fill);
            }
            Then::Go
        }
        Command::Clear { path } => change::clear(&mut talk.saying, filling, &path),
        Command::AddItem { list } => change::add_item(talk, filling, &list),
        Command::RemoveItem { item } => {
            change::remove_item(talk, filling, &item);
            Then::Go
        }
        Command::EndList { list } => change::end_list(filling, &list),
        // There is nothing to confirm in a form that its client keeps.
        Command::Confirm | Command::Deny if sheet::is_kept_and_done(filling) => Then::Go,
        Command::Confirm => confirm(talk, filling),
        Command::Deny => deny(&mut talk.saying, filling),
        Command::Cancel => cancel(filling),
        Command::Restart => navigate::restart(&mut talk.saying, filling),
        Command::Skip => digress::skip(talk, filling),
        Command::Back => navigate::back(&mut talk.saying, filling),
        Command::Undo if matches!(filling.draft().pending, Pending::Sure { .. } | Pending::Which { .. }) => {
            deny(&mut talk.saying, filling)
        }
        Command::Undo => navigate::travel(talk, filling, Direction::Undo),
        Command::Redo => navigate::travel(talk, filling, Direction::Redo),
        Command::Review => navigate::review(&mut talk.saying, filling),
        Command::Edit { path } => edit::edit(talk, filling, path),
        Command::Help => digress::help(talk, filling),
        Command::Why => digress::tell(talk, filling, help::why),
        Command::Human => desk::handoff::ask_for_human(talk, filling),
        Command::Ask { question } => digress::answer(talk, filling, &question),
        // Whether everything shall be deleted is settled before any form.
        Command::Repeat | Command::More | Command::Forget { .. } => Then::Go,
        Command::Zone { zone } => {
            talk.zone_told = Some(zone.into());
            change::let_go(filling);
            Then::Go
        }
        Command::Withdraw { submission } => {
            person::withdraw(talk, &submission);
            Then::Go
        }
        Command::Retry => digress::retry(talk, filling),
        Command::FillRest { yes, except, quote } => digress::fill_rest(&mut talk.saying, filling, yes, except, quote),
        Command::Start { form } if form == filling.form.id => {
            let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
            talk.saying.notes.push(filling.say("already_filling", &[("title", &title)]));
            Then::Go
        }
        Command::Start { form } => Then::Start(form),
        Command::Resume { form } => Then::Resume(form),
        Command::TakeUp { form, .. } => Then::Resume(Some(form)),
        Command::Anew { form, .. } => Then::Start(form),
        Command::Forms if filling.form.stays => Then::Vain,
        Command::Forms => Then::Forms,
    }
}

pub(crate) fn confirm(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    match filling.draft().pending.clone() {
        Pending::Review => return Then::Submit,
        Pending::PageReview { page } => {
            filling.journal.draft.pages_done.insert(page);
            side_effects::owe_page(filling, page);
        }
        Pending::MoreItems { list } => return change::add_item(talk, filling, &list),
        Pending::Sure { then, .. } => {
            filling.journal.draft.pending = Pending::Nothing;
            filling.journal.draft.verified.extend(then.filled().cloned());
            return match *then {
                Command::Cancel => Then::Cancel,
                Command::Restart => navigate::begin_again(&mut talk.saying, filling),
                then => carry_out(talk, filling, then),
            };
        }
        Pending::Field { path, editing } => {
            if let Some(value) = filling.draft().offered.get(&path).cloned() {
                return change::fill(talk, filling, &path, value, None);
            }
            if !editing {
                return Then::Vain;
            }
            change::let_go(filling);
        }
        Pending::Which { .. } | Pending::WhatToChange | Pending::Tool { .. } | Pending::Nothing => {
            return Then::Vain;
        }
    }
    Then::Go
}

fn deny(saying: &mut Saying, filling: &mut Filling<'_>) -> Then {
    match filling.draft().pending.clone() {
        Pending::Review | Pending::PageReview { .. } => {
            filling.journal.draft.pending = Pending::WhatToChange;
        }
        Pending::Sure { then, question } => {
            filling.journal.draft.pending = Pending::Nothing;
            match *then {
                Command::Fill { path, .. } if question == UNASKED_CHANGE => verify::tell_kept(saying, filling, &path),
                Command::Cancel => saying.notes.push(filling.say("not_cancelled", &[])),
                Command::Fill { path, .. } => {
                    filling.journal.draft.pending = Pending::Field { path, editing: true };
                }
                _ => {}
            }
        }
        Pending::MoreItems { list } => return change::end_list(filling, &list),
        Pending::Which { .. } => change::let_go(filling),
        Pending::Field { path, editing } => {
            if filling.draft().offered.contains_key(&path) {
                filling.journal.set_offered(&path, None);
            } else if editing {
                change::let_go(filling);
            } else {
                return Then::Vain;
            }
        }
        Pending::WhatToChange => change::let_go(filling),
        Pending::Tool { .. } | Pending::Nothing => return Then::Vain,
    }
    Then::Go
}

fn cancel(filling: &mut Filling<'_>) -> Then {
    let given = filling.draft().answers.values();
    let theirs = given.filter(|answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed)).count();
    if theirs == 0 {
        return Then::Cancel;
    }
    ask_whether_to_cancel(filling);
    Then::Go
}

/// Asks whether the form is really to be dropped; what was asked back before comes again where it is not.
pub(crate) fn ask_whether_to_cancel(filling: &mut Filling<'_>) {
    let sure = Pending::Sure { then: Box::new(Command::Cancel), question: "sure_cancel".to_owned() };
    let again = matches!(&filling.draft().pending, Pending::Sure { then, .. } if **then == Command::Cancel);
    if again { filling.journal.draft.pending = sure } else { verify::put_first(filling, sure) }
}
