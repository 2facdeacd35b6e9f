//! Changing an answer, and saying what came of it.

use formwright_chat as chat;

use crate::ask::receipt;
use crate::ask::verify::{self, VERIFY, VERIFY_FOUND};
use crate::draft::filling::{Filled, Filling, Offer};
use crate::draft::{list, order};
use crate::effect::Effect;
use crate::lifecycle::{Refused, Wrong};
use crate::prompt::refusal;
use crate::saying::Saying;
use crate::talk::Talk;
use crate::tools::fetch;
use crate::{sheet, zone};
use formwright_form::kind::{Refusal, Said};
use formwright_form::{FormId, Kind, Path, Value};
use formwright_nlu::{Command, Pending, is_sensitive};

/// What a command leads to beyond the draft itself.
#[derive(Debug, PartialEq)]
pub(crate) enum Then {
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

pub(crate) fn fill(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    path: &Path,
    value: Value,
    quote: Option<String>,
) -> Then {
    let Some(field) = filling.form.field_at(path) else { return Then::Vain };
    // That there is no place for a further item has been said.
    if list::is_beyond(filling, path) {
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
        verify::ask_whether_right(filling, path, then);
        return Then::Go;
    }
    let source = match from_words {
        true => chat::Source::Said,
        false if fetch::is_brought(filling, field, path, &value) => chat::Source::Tool,
        false => chat::Source::Pressed,
    };
    let was_asked = order::is_asked(filling, path);
    let plain = quote.as_ref().is_none_or(|quote| says(quote, &filling.show(path, &value)));
    let plain = plain || matches!(field.kind, Kind::YesNo(_)) || field.sensitive;
    match filling.fill(path, Offer { value: value.clone(), source, quote }) {
        Filled::Stored(old) => {
            if let Some(old) = old {
                let facts = (filling.label(path), filling.show(path, &value), filling.show(path, &old));
                let note = filling.say("changed", &[("label", &facts.0), ("value", &facts.1), ("old", &facts.2)]);
                talk.saying.notes.push(note);
            } else if from_words && !(was_asked && plain) {
                let facts = (filling.label(path), filling.show(path, &value));
                let noted = filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)]);
                talk.saying.note_value(noted);
            }
        }
        Filled::Same if !was_asked => {
            let facts = (filling.label(path), filling.show(path, &value));
            talk.saying.notes.push(filling.say("same", &[("label", &facts.0), ("value", &facts.1)]));
        }
        Filled::Same => {}
        Filled::Aside => {
            let label = filling.label(path);
            talk.saying.notes.push(filling.say("aside", &[("label", &label)]));
        }
        Filled::Refused(refusal) => return refuse(talk, filling, path, refusal),
        Filled::Locked => {
            let label = filling.label(path);
            talk.saying.notes.push(filling.say("locked", &[("label", &label)]));
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
    if let Some(day) = zone::ask::begun(&refusal) {
        asked.begun = Some(day);
        asked.begun_quote = Some(talk.words.clone());
    }
    talk.effects.push(Effect::Refused(Box::new(refused(filling, path, &refusal))));
    talk.saying
        .rejected
        .push(chat::Rejected::Field { field: path.to_string(), reason: refusal::refusal(filling, path, &refusal) });
    if filling.form.stays {
        sheet::turn_to(filling, path, true);
    } else if zone::ask::asks_side_of_change(filling, path, &refusal) {
        talk.saying.notes.push(refusal::refusal(filling, path, &refusal));
        filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
        return Then::Go;
    }
    if !order::is_asked(filling, path) {
        let reason = refusal::refusal(filling, path, &refusal);
        let label = filling.label(path);
        if reason.contains(&label) {
            talk.saying.notes.push(reason);
        } else {
            let reason = reason.trim_end_matches('.');
            talk.saying.notes.push(filling.say("noted_value", &[("label", &label), ("value", reason)]));
        }
        filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
    }
    Then::Go
}

pub(crate) fn clear(saying: &mut Saying, filling: &mut Filling<'_>, path: &Path) -> Then {
    let name = if filling.clear(path) { "cleared" } else { "nothing_to_clear" };
    let label = filling.label(path);
    saying.notes.push(filling.say(name, &[("label", &label)]));
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
    talk.saying.notes.push(filling.say("list_full", &[("max", &max)]));
    Then::Go
}

pub(crate) fn remove_item(talk: &mut Talk<'_>, filling: &mut Filling<'_>, item: &Path) {
    let told = list::around(filling.form, item);
    let told = told.map(|(list, no)| receipt::item_told(filling, filling.draft(), &list, no)).unwrap_or_default();
    let name = if list::remove_item(filling, item) { "item_removed" } else { "no_such_item" };
    talk.saying.notes.push(filling.say(name, &[("what", &told)]));
}

pub(crate) fn end_list(filling: &mut Filling<'_>, list: &Path) -> Then {
    list::end_list(filling, list);
    Then::Go
}

/// Stops waiting for what was waited for: the order of asking decides again.
pub(crate) fn let_go(filling: &mut Filling<'_>) {
    filling.journal.draft.pending = Pending::Nothing;
}

/// Notes that a field was dealt with: it is on the way back now, and no longer waited for.
pub(crate) fn arrived(filling: &mut Filling<'_>, path: &Path) {
    sheet::set_right(filling, path);
    verify::no_longer_doubts(filling, path);
    let there = |waiting: &Pending| matches!(waiting, Pending::Field { path: other, .. } if other == path);
    filling.journal.draft.waiting.retain(|waiting| !there(waiting));
    let asked = order::is_asked(filling, path);
    if asked || matches!(filling.draft().pending, Pending::WhatToChange | Pending::Which { .. }) {
        let_go(filling);
    }
    if asked {
        filling.journal.draft.trail.retain(|seen| seen != path);
        filling.journal.draft.trail.push(path.clone());
    }
}

/// Whether words say a value as it is shown, so that there is no need to tell how they were understood.
fn says(words: &str, shown: &str) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let (words, shown) = (letters(words), letters(shown));
    words.contains(&shown) || shown.contains(&words)
}

/// Code of the refusal of words that a model finds to be beside the question.
pub(crate) const NOT_ABOUT: &str = "not_about";

/// A refusal as it is told to who listens.
pub(crate) fn refused(filling: &Filling<'_>, path: &Path, refusal: &Refusal) -> Refused {
    let hidden = filling.form.field_at(path).is_none_or(|field| is_sensitive(filling.form, field));
    let why = (!hidden).then(|| refusal::refusal(filling, path, refusal));
    Refused { submission: filling.draft().submission.clone(), wrong: Wrong { field: path.to_string(), why } }
}
