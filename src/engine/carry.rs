//! Carrying out commands inside a form. What cannot be done is said, and nothing is lost.

use crate::aside;
use crate::deeds;
use crate::desk;
use crate::doubts;
use crate::fetch;
use crate::list;
use crate::prompt;
use crate::receipt;
use crate::roam;
use crate::sheet;
use crate::told;
use crate::waiting;
use crate::zone;
use formwright_chat as chat;

use super::fill::{Filled, Filling, Offer};
use super::journal::Direction;
use super::model::NOT_ABOUT;
use super::session::Pending;
use super::talk::Talk;
use super::waiting::{VERIFY, VERIFY_FOUND};
use super::{Command, Effect, digress};
use formwright_form::kind::{Refusal, Said};
use formwright_form::{FormId, Kind, Path, Value};
use formwright_nlu::UNASKED_CHANGE;

/// What a command leads to beyond the draft itself.
#[derive(Debug, PartialEq)]
pub(super) enum Then {
    /// Nothing: go on in the form.
    Go,
    /// The command did not help: count a try in vain.
    Vain,
    /// The review was confirmed.
    Submit,
    /// Leave the form.
    Cancel,
    /// Start another form.
    Start(FormId),
    /// Go on with a parked form.
    Resume(Option<FormId>),
    /// Show the forms.
    Forms,
    /// Wait for what a model says.
    Model,
}

/// Carries out a command in the form being filled.
pub(crate) fn carry_out(talk: &mut Talk<'_>, filling: &mut Filling<'_>, command: Command) -> Then {
    if desk::person::keeps_to_what_is_open(talk, filling, &command) {
        return Then::Go;
    }
    match command {
        Command::Fill { path, value, quote } => fill(talk, filling, &path, value, quote),
        Command::Together { fills } => {
            for fill in fills {
                let Some(path) = fill.filled() else { continue };
                // It was read back.
                filling.journal.draft.verified.insert(path.clone());
                doubts::no_longer_doubts(filling, path);
                let _ = carry_out(talk, filling, fill);
            }
            Then::Go
        }
        Command::Clear { path } => clear(talk, filling, &path),
        Command::AddItem { list } => add_item(talk, filling, &list),
        Command::RemoveItem { item } => {
            remove_item(talk, filling, &item);
            Then::Go
        }
        Command::EndList { list } => end_list(filling, &list),
        // There is nothing to confirm in a form that its client keeps.
        Command::Confirm | Command::Deny if sheet::is_kept_and_done(filling) => Then::Go,
        Command::Confirm => confirm(talk, filling),
        Command::Deny => deny(talk, filling),
        Command::Cancel => cancel(filling),
        Command::Restart => roam::restart(talk, filling),
        Command::Skip => aside::skip(talk, filling),
        Command::Back => roam::back(talk, filling),
        Command::Undo if matches!(filling.draft().pending, Pending::Sure { .. } | Pending::Which { .. }) => {
            deny(talk, filling)
        }
        Command::Undo => roam::travel(talk, filling, Direction::Undo),
        Command::Redo => roam::travel(talk, filling, Direction::Redo),
        Command::Review => roam::review(talk, filling),
        Command::Edit { path } => roam::edit(talk, filling, path),
        Command::Help => aside::help(talk, filling),
        Command::Why => aside::tell(talk, filling, digress::why),
        Command::Human => desk::handoff::ask_for_human(talk, filling),
        Command::Ask { question } => aside::answer(talk, filling, &question),
        // Whether everything shall be deleted is settled before any form.
        Command::Repeat | Command::More | Command::Forget { .. } => Then::Go,
        Command::Zone { zone } => {
            talk.zone_told = Some(zone.into());
            let_go(filling);
            Then::Go
        }
        Command::Withdraw { submission } => {
            desk::person::withdraw(talk, &submission);
            Then::Go
        }
        Command::Retry => aside::retry(talk, filling),
        Command::FillRest { yes, except, quote } => aside::fill_rest(talk, filling, yes, except, quote),
        Command::Start { form } if form == filling.form.id => {
            let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
            talk.notes.push(filling.say("already_filling", &[("title", &title)]));
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

fn fill(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, value: Value, quote: Option<String>) -> Then {
    let Some(field) = filling.form.field_at(path) else { return Then::Vain };
    // That there is no place for a further item has been said.
    if roam::is_beyond(filling, path) {
        return Then::Go;
    }
    let from_words = quote.is_some();
    if from_words && field.verify.is_some() && !filling.draft().verified.contains(path) {
        if let Err(refusal) = filling.vet(field, path, &value) {
            return refuse(talk, filling, path, refusal);
        }
        if puts_right(talk, filling, path) {
            filling.journal.draft.verified.insert(path.clone());
            return fill(talk, filling, path, value, quote);
        }
        let then = Box::new(Command::Fill { path: path.clone(), value, quote });
        waiting::ask_whether_right(filling, path, then);
        return Then::Go;
    }
    let source = match from_words {
        true => chat::Source::Said,
        false if fetch::is_brought(filling, field, path, &value) => chat::Source::Tool,
        false => chat::Source::Pressed,
    };
    let was_asked = is_asked(filling, path);
    let plain = quote.as_ref().is_none_or(|quote| says(quote, &filling.show(path, &value)));
    let plain = plain || matches!(field.kind, Kind::YesNo(_)) || field.sensitive;
    match filling.fill(path, Offer { value: value.clone(), source, quote }) {
        Filled::Stored(old) => {
            if let Some(old) = old {
                let facts = (filling.label(path), filling.show(path, &value), filling.show(path, &old));
                let note = filling.say("changed", &[("label", &facts.0), ("value", &facts.1), ("old", &facts.2)]);
                talk.notes.push(note);
            } else if from_words && !(was_asked && plain) {
                let facts = (filling.label(path), filling.show(path, &value));
                let noted = filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)]);
                talk.note_value(noted);
            }
        }
        Filled::Same if !was_asked => {
            let facts = (filling.label(path), filling.show(path, &value));
            talk.notes.push(filling.say("same", &[("label", &facts.0), ("value", &facts.1)]));
        }
        Filled::Same => {}
        Filled::Aside => {
            let label = filling.label(path);
            talk.notes.push(filling.say("aside", &[("label", &label)]));
        }
        Filled::Refused(refusal) => return refuse(talk, filling, path, refusal),
        Filled::Locked => {
            let label = filling.label(path);
            talk.notes.push(filling.say("locked", &[("label", &label)]));
            return Then::Go;
        }
    }
    arrived(filling, path);
    Then::Go
}

/// Whether the message answers "you said X, right?" of this field: the value in it is the right one. Free words are
/// that only after a no, and what only a model reads there, or is kept from eyes, is read back all the same.
fn puts_right(talk: &Talk<'_>, filling: &Filling<'_>, path: &Path) -> bool {
    let Some((_, Pending::Sure { then, question })) = &talk.was else { return false };
    let asked = matches!(then.as_ref(), Command::Fill { path: asked, .. } if asked == path);
    let Some(field) = filling.form.field_at(path).filter(|field| asked && !field.sensitive) else { return false };
    let (said, lang) = (Said::new(&talk.words), filling.world.lang);
    let denied = lang.and_english().any(|lang| lang.yes_no.no.at(&said, 0).is_some());
    let plain = denied || !matches!(field.kind, Kind::Text(_) | Kind::LongText(_));
    plain && !filling.by_model.contains(path) && matches!(question.as_str(), VERIFY | VERIFY_FOUND)
}

/// Notes that a value was refused: the reason is said with the question if the field is the asked one, at once if not.
pub(crate) fn refuse(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, refusal: Refusal) -> Then {
    let draft = &mut filling.journal.draft;
    let asked = draft.asked.entry(path.clone()).or_default();
    asked.failures = asked.failures.saturating_add(1);
    asked.beside = asked.beside.saturating_add(u32::from(refusal.code == NOT_ABOUT));
    asked.refusal = Some(refusal.clone());
    if let Some(day) = begun(&refusal) {
        asked.begun = Some(day);
        asked.begun_quote = Some(talk.words.clone());
    }
    talk.effects.push(Effect::Refused(Box::new(told::refused(filling, path, &refusal))));
    talk.rejected.push(chat::Rejected::Field {
        field: path.to_string(),
        reason: prompt::refusal::refusal(filling, path, &refusal),
    });
    if filling.form.stays {
        sheet::turn_to(filling, path, true);
    } else if zone::ask::asks_side_of_change(filling, path, &refusal) {
        talk.notes.push(prompt::refusal::refusal(filling, path, &refusal));
        filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
        return Then::Go;
    }
    if !is_asked(filling, path) {
        let reason = prompt::refusal::refusal(filling, path, &refusal);
        let label = filling.label(path);
        if reason.contains(&label) {
            talk.notes.push(reason);
        } else {
            let reason = reason.trim_end_matches('.');
            talk.notes.push(filling.say("noted_value", &[("label", &label), ("value", reason)]));
        }
        filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
    }
    Then::Go
}

fn clear(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path) -> Then {
    let name = if filling.clear(path) { "cleared" } else { "nothing_to_clear" };
    let label = filling.label(path);
    talk.notes.push(filling.say(name, &[("label", &label)]));
    Then::Go
}

pub(crate) fn add_item(talk: &mut Talk<'_>, filling: &mut Filling<'_>, list: &Path) -> Then {
    if list::add_item(filling, list).is_some() {
        let_go(filling);
        return Then::Go;
    }
    let max = match filling.form.field_at(list).map(|field| &field.kind) {
        Some(Kind::List(kind)) => kind.max.map(|max| max.to_string()).unwrap_or_default(),
        _ => return Then::Vain,
    };
    talk.notes.push(filling.say("list_full", &[("max", &max)]));
    Then::Go
}

fn remove_item(talk: &mut Talk<'_>, filling: &mut Filling<'_>, item: &Path) {
    let told = super::list::around(filling.form, item);
    let told = told.map(|(list, no)| receipt::item_told(filling, filling.draft(), &list, no)).unwrap_or_default();
    let name = if list::remove_item(filling, item) { "item_removed" } else { "no_such_item" };
    talk.notes.push(filling.say(name, &[("what", &told)]));
}

pub(crate) fn end_list(filling: &mut Filling<'_>, list: &Path) -> Then {
    list::end_list(filling, list);
    Then::Go
}

pub(crate) fn confirm(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    match filling.draft().pending.clone() {
        Pending::Review => return Then::Submit,
        Pending::PageReview { page } => {
            filling.journal.draft.pages_done.insert(page);
            deeds::owe_page(filling, page);
        }
        Pending::MoreItems { list } => return add_item(talk, filling, &list),
        Pending::Sure { then, .. } => {
            filling.journal.draft.pending = Pending::Nothing;
            filling.journal.draft.verified.extend(then.filled().cloned());
            return match *then {
                Command::Cancel => Then::Cancel,
                Command::Restart => roam::begin_again(talk, filling),
                then => carry_out(talk, filling, then),
            };
        }
        Pending::Field { path, editing } => {
            if let Some(value) = filling.draft().offered.get(&path).cloned() {
                return fill(talk, filling, &path, value, None);
            }
            if !editing {
                return Then::Vain;
            }
            let_go(filling);
        }
        Pending::Which { .. } | Pending::WhatToChange | Pending::Tool { .. } | Pending::Nothing => {
            return Then::Vain;
        }
    }
    Then::Go
}

fn deny(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    match filling.draft().pending.clone() {
        Pending::Review | Pending::PageReview { .. } => {
            filling.journal.draft.pending = Pending::WhatToChange;
        }
        Pending::Sure { then, question } => {
            filling.journal.draft.pending = Pending::Nothing;
            match *then {
                Command::Fill { path, .. } if question == UNASKED_CHANGE => waiting::tell_kept(talk, filling, &path),
                Command::Cancel => talk.notes.push(filling.say("not_cancelled", &[])),
                Command::Fill { path, .. } => {
                    filling.journal.draft.pending = Pending::Field { path, editing: true };
                }
                _ => {}
            }
        }
        Pending::MoreItems { list } => return end_list(filling, &list),
        Pending::Which { .. } => let_go(filling),
        Pending::Field { path, editing } => {
            if filling.draft().offered.contains_key(&path) {
                filling.journal.set_offered(&path, None);
            } else if editing {
                let_go(filling);
            } else {
                return Then::Vain;
            }
        }
        Pending::WhatToChange => let_go(filling),
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
    if again { filling.journal.draft.pending = sure } else { waiting::put_first(filling, sure) }
}

/// Whether a field is the one being asked.
pub(crate) fn is_asked(filling: &Filling<'_>, path: &Path) -> bool {
    matches!(&filling.draft().pending, Pending::Field { path: asked, .. } if asked == path)
}

/// Stops waiting for what was waited for: the order of asking decides again.
pub(crate) fn let_go(filling: &mut Filling<'_>) {
    filling.journal.draft.pending = Pending::Nothing;
}

/// Notes that a field was dealt with: it is on the way back now, and no longer waited for.
pub(crate) fn arrived(filling: &mut Filling<'_>, path: &Path) {
    sheet::set_right(filling, path);
    doubts::no_longer_doubts(filling, path);
    let there = |waiting: &Pending| matches!(waiting, Pending::Field { path: other, .. } if other == path);
    filling.journal.draft.waiting.retain(|waiting| !there(waiting));
    let asked = is_asked(filling, path);
    if asked || matches!(filling.draft().pending, Pending::WhatToChange | Pending::Which { .. }) {
        let_go(filling);
    }
    if asked {
        filling.journal.draft.trail.retain(|seen| seen != path);
        filling.journal.draft.trail.push(path.clone());
    }
}

/// The day of a moment whose time is still to be said, or is none on that day.
pub(super) fn begun(refusal: &Refusal) -> Option<Value> {
    refusal.facts.get("day")?.parse().ok().map(Value::Date)
}

/// Whether words say a value as it is shown, so that there is no need to tell how they were understood.
fn says(words: &str, shown: &str) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let (words, shown) = (letters(words), letters(shown));
    words.contains(&shown) || shown.contains(&words)
}
