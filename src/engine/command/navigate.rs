//! Moving about in a form: back, undo, the review, changing an answer, and old buttons.

use formwright_chat::ButtonRole::Primary;
use formwright_chat::Source;

use crate::ask::receipt;
use crate::command::change::{self, Then};
use crate::draft::filling::Filling;
use crate::draft::journal::{self, Direction, Journal};
use crate::draft::{fresh, order};
use crate::saying::Saying;
use crate::session::Draft;
use crate::talk::Talk;
use crate::tools::side_effects;
use formwright_form::Path;
use formwright_nlu::{Answer, Command, Pending};

pub(crate) fn back(saying: &mut Saying, filling: &mut Filling<'_>) -> Then {
    while let Some(path) = filling.journal.draft.trail.pop() {
        let there = filling.draft().answers.contains_key(&path) || filling.draft().skipped.contains(&path);
        if there && !order::is_asked(filling, &path) && filling.form.field_at(&path).is_some() {
            filling.journal.draft.pending = Pending::Field { path, editing: true };
            return Then::Go;
        }
    }
    let text = filling.say_new("nothing_before", &[]);
    saying.notes.push(text);
    Then::Go
}

pub(crate) fn travel(talk: &mut Talk<'_>, filling: &mut Filling<'_>, direction: Direction) -> Then {
    // What this very message changed before is a change of its own.
    let empty = Journal::new(filling.draft().clone());
    let mut draft: Draft = std::mem::replace(&mut filling.journal, empty).finish();
    let before = draft.clone();
    let travelled = journal::travel(&mut draft, direction);
    draft.pending = if travelled { Pending::Nothing } else { draft.pending };
    filling.journal = Journal::new(draft);
    let what = receipt::receipt(filling, &before);
    let stays_done =
        travelled && matches!(direction, Direction::Undo) && side_effects::has_done_otherwise(filling, what.is_empty());
    let text = match (travelled, direction) {
        (true, _) if what.is_empty() => filling.say("undone_plain", &[]),
        (true, Direction::Undo) => filling.say("undone", &[("what", &what)]),
        (true, Direction::Redo) => filling.say("redone", &[("what", &what)]),
        (false, Direction::Undo) => filling.say_new("nothing_to_undo", &[]),
        (false, Direction::Redo) => filling.say_new("nothing_to_redo", &[]),
    };
    talk.saying.notes.push(text);
    if stays_done {
        talk.saying.notes.push(filling.say("done_outside", &[]));
    }
    Then::Go
}

/// Begins the form anew; where answers were given, after asking.
pub(crate) fn restart(saying: &mut Saying, filling: &mut Filling<'_>) -> Then {
    let theirs = |answer: &Answer| matches!(answer.source, Source::Said | Source::Pressed);
    if !filling.draft().answers.values().any(theirs) {
        return begin_again(saying, filling);
    }
    let then = Box::new(Command::Restart);
    filling.journal.draft.pending = Pending::Sure { then, question: "sure_restart".to_owned() };
    Then::Go
}

/// Takes every answer out and opens every question again: one change, which undo takes back.
pub(crate) fn begin_again(saying: &mut Saying, filling: &mut Filling<'_>) -> Then {
    empty(filling);
    fresh::begin(filling);
    let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
    saying.notes.push(filling.say("restarted", &[("title", &title)]));
    Then::Go
}

pub(crate) fn review(saying: &mut Saying, filling: &mut Filling<'_>) -> Then {
    if filling.draft().pending == Pending::WhatToChange {
        change::let_go(filling);
        return Then::Go;
    }
    if filling.draft().answers.is_empty() {
        saying.notes.push(filling.say("nothing_yet", &[]));
        return Then::Go;
    }
    if filling.draft().pending != Pending::Review {
        saying.notes.push(filling.say("so_far", &[]));
        saying.card = true;
    }
    Then::Go
}

/// Offers to change the answer that an old button stood for.
pub(crate) fn old_button(saying: &mut Saying, filling: &Filling<'_>, path: Option<&Path>) {
    let known = path.filter(|path| filling.draft().answers.contains_key(path));
    let Some(path) = known else {
        saying.notes.push(filling.say("old_button", &[]));
        return;
    };
    let label = filling.label(path);
    saying.notes.push(filling.say("old_button_edit", &[("label", &label)]));
    let text = filling.say("button_edit", &[("label", &label)]);
    saying.buttons.push((text, Primary, Command::Edit { path: Some(path.clone()) }));
}

/// Takes out all that was answered, skipped or added, and every open question.
fn empty(filling: &mut Filling<'_>) {
    let before = filling.draft().clone();
    before.answers.keys().for_each(|path| filling.journal.set_answer(path, None));
    before.kept.keys().for_each(|path| filling.journal.set_kept(path, None));
    before.offered.keys().for_each(|path| filling.journal.set_offered(path, None));
    before.lists.keys().for_each(|path| filling.journal.set_list(path, None));
    before.skipped.iter().for_each(|path| filling.journal.set_skipped(path, false));
    before.hidden.iter().for_each(|path| filling.journal.set_hidden(path, false));
    before.todo.iter().for_each(|addr| filling.journal.set_todo(addr.clone(), false));
    let draft = &mut filling.journal.draft;
    draft.pending = Pending::Nothing;
    draft.waiting.clear();
    draft.pages_done.clear();
    draft.trail.clear();
    draft.verified.clear();
    draft.emptied.clear();
    for asked in draft.asked.values_mut() {
        asked.failures = 0;
        asked.refusal = None;
    }
}
