//! Messages that were changed after they were read: the answers that came of one follow it, or a line says why they do not.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use formwright_chat::MessageId;

use crate::ask::verify;
use crate::command::{allowed, dispatch};
use crate::draft::filling::{self, Filling};
use crate::flow::settle;
use crate::handle::{plain, read, say};
use crate::history::secrets;
use crate::prompt::refusal;
use crate::session::Draft;
use crate::session::heard::Written;
use crate::talk::Talk;
use crate::tools::{foresee, hooks};
use crate::zone;
use formwright_form::kind::{Refusal, Said};
use formwright_form::{Path, Value};
use formwright_nlu::{Command, Pending, Understood, find};

impl Written {
    /// Puts an edit into the message; gives all that is read as one then. None where the rest of that is not kept.
    pub(crate) fn edit(&mut self, message: &MessageId, text: &str) -> Option<String> {
        if let [_] = self.messages.as_slice() {
            return Some(text.to_owned());
        }
        self.messages
            .iter_mut()
            .filter(|joined| joined.message == *message)
            .for_each(|joined| joined.text = text.into());
        let kept = self.messages.iter().all(|joined| joined.message == *message || !joined.text.is_empty());
        kept.then(|| self.messages.iter().map(|joined| joined.text.as_str()).collect::<Vec<_>>().join("\n"))
    }
}

/// An earlier message reads otherwise now. False where that changes nothing and nobody is waiting to hear so.
pub(crate) fn edited(talk: &mut Talk<'_>, message: &MessageId, text: &str) -> bool {
    let Some((draft, heard, mut written)) = talk.session.draft.as_ref().and_then(|draft| {
        let heard = draft.history.get(draft.place_of(message)?)?;
        Some((draft, heard, heard.written.clone()?))
    }) else {
        return edited_elsewhere(talk, message);
    };
    let own = draft.answers_of(heard);
    let counted = !heard.fields.is_empty();
    let Some(text) = written.edit(message, text) else {
        return counted && in_draft(talk, |talk, filling| keep_all(talk, filling, &own, "edit_not_understood"));
    };
    // Platforms tell of edits that change no words: a link was given a preview.
    if heard.words.trim() == text.trim() {
        return false;
    }
    let last = draft.history.last() == Some(heard);
    if !own.is_empty() {
        return in_draft(talk, |talk, filling| follow_edit(talk, filling, &text, &own, written.asked.as_ref()));
    }
    if last && heard.fields.is_empty() && asked(&draft.pending) == written.asked.as_ref() {
        say::say(talk, &text);
        return true;
    }
    counted && in_draft(talk, |talk, filling| keep_all(talk, filling, &[], "edit_no_answer"))
}

/// A message was edited that is none of the form being filled in.
fn edited_elsewhere(talk: &mut Talk<'_>, message: &MessageId) -> bool {
    let counted = |draft: &&Draft| {
        let heard = draft.place_of(message).and_then(|no| draft.history.get(no));
        heard.is_some_and(|heard| !heard.fields.is_empty())
    };
    let other = talk.session.others().find(counted);
    let Some(form) = other.and_then(|draft| talk.engine.form_of(draft)) else { return false };
    let title = talk.title(&form);
    talk.note_of(&form, "edit_not_open", &[("title", &title)]);
    true
}

/// Does something in the form being filled in; where that gives false, the form stays as it is.
fn in_draft(talk: &mut Talk<'_>, inside: impl FnOnce(&mut Talk, &mut Filling<'_>) -> bool) -> bool {
    let Some((form, draft)) = settle::take_draft(talk) else { return false };
    if !allowed::may_use(&talk.world, &form) {
        talk.session.draft = Some(draft);
        return false;
    }
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let told = inside(talk, &mut filling);
    if told {
        settle::put_draft(talk, filling);
    } else {
        talk.session.draft = Some(filling.journal.draft);
    }
    told
}

/// Says why an edit changes nothing, and what the answers are.
fn keep_all(talk: &mut Talk<'_>, filling: &Filling<'_>, own: &[Path], why: &str) -> bool {
    talk.saying.notes.push(filling.say(why, &[]));
    own.iter().for_each(|path| verify::tell_kept(&mut talk.saying, filling, path));
    true
}

/// Has the answers of a message follow its new words; false where they do so already.
fn follow_edit(talk: &mut Talk<'_>, filling: &mut Filling<'_>, text: &str, own: &[Path], asked: Option<&Path>) -> bool {
    let said = Said::new(text);
    // Who answered something else wrote before they saw what was asked.
    let questions = [asked, own.first()].into_iter().take(if asked == own.first() { 1 } else { 2 });
    let mut read = None;
    for asked in questions {
        let Some(now) = reread(talk, filling, own, asked, &said) else {
            talk.saying.notes.push(filling.say("secret", &[]));
            return true;
        };
        let follows = own.iter().any(|path| now.fills.contains_key(path));
        read = read.filter(|_| !follows).or(Some(now));
        if follows {
            break;
        }
    }
    let Reread { fills, refused } = read.unwrap_or_default();
    let gone: Vec<&Path> =
        own.iter().filter(|path| !fills.contains_key(*path) && !is_quoted(filling, path, &said)).collect();
    if fills.is_empty() && gone.is_empty() && refused.is_empty() {
        return false;
    }
    for (path, refusal) in &refused {
        let (label, reason) = (filling.label(path), refusal::refusal(filling, path, refusal));
        talk.saying
            .notes
            .push(filling.say("noted_value", &[("label", &label), ("value", reason.trim_end_matches('.'))]));
        verify::tell_kept(&mut talk.saying, filling, path);
        let _ = zone::ask::asks_side_of_change(filling, path, refusal);
    }
    if fills.is_empty() && refused.is_empty() {
        return keep_all(talk, filling, own, "edit_not_understood");
    }
    let mut moved = !refused.is_empty();
    for (path, (value, quote)) in fills {
        let known = filling.draft().answers.get(&path).map(|answer| answer.value == value);
        match known {
            Some(true) => {}
            // Said otherwise in a later message.
            Some(false) if !own.contains(&path) => verify::tell_kept(&mut talk.saying, filling, &path),
            Some(false) | None => {
                moved = true;
                let _ = dispatch::carry_out(talk, filling, Command::Fill { path, value, quote: Some(quote) });
            }
        }
    }
    let refused = |path: &Path| refused.iter().any(|(other, _)| other == path);
    for path in gone.into_iter().filter(|path| !refused(path)) {
        moved |= withdraw_answer(talk, filling, path);
    }
    moved || !talk.saying.notes.is_empty()
}

/// Takes out an answer that a message does not give any more. It is offered where it is asked again.
fn withdraw_answer(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path) -> bool {
    let Some(value) = filling.draft().answers.get(path).map(|answer| answer.value.clone()) else { return false };
    if !filling.clear(path) {
        return false;
    }
    let label = filling.label(path);
    talk.saying.notes.push(filling.say("cleared", &[("label", &label)]));
    if filling.form.field_at(path).is_some_and(filling::is_askable) {
        filling.journal.set_offered(path, Some(value));
    }
    true
}

/// Reads a message again where it was read before; none where it tells a secret that nobody asked for.
fn reread(
    talk: &mut Talk<'_>,
    filling: &Filling<'_>,
    own: &[Path],
    asked: Option<&Path>,
    said: &Said,
) -> Option<Reread> {
    let mut past = Filling::new(filling.form, filling.world, filling.draft().clone());
    let past = &mut past;
    go_back_to(past, own, asked);
    if secrets::must_refuse(past, said) {
        return None;
    }
    foresee::know_options_of(talk, past, said);
    let understood = read::read(&[], past, said);
    let mut understood = hooks::extracted(talk, past, understood, said);
    if secrets::keeps_secrets_out(past, &mut understood, said) {
        return None;
    }
    secrets::keep_talk_out_of_secrets(past, &mut understood, said);
    let Understood { mut commands, refused, .. } = understood;
    if let Some(fill) = plain::answer(past, &commands, said) {
        commands = vec![fill];
    }
    let fills = hooks::sanitized(talk, past, commands).into_iter().filter_map(|command| match command {
        Command::Fill { path, value, quote: Some(quote) } => Some((path, (value, quote))),
        _ => None,
    });
    let mut fills: BTreeMap<_, _> = fills.collect();
    let mut refused: Vec<(Path, Refusal)> = refused.into_iter().map(|(path, _, refusal)| (path, refusal)).collect();
    fills.retain(|path, (value, _)| {
        let Some(field) = past.form.field_at(path) else { return false };
        let vetted = past.vet(field, path, value);
        vetted.map_err(|refusal| refused.push((path.clone(), refusal))).is_ok()
    });
    Some(Reread { fills, refused })
}

/// What a message says when it is read again.
#[derive(Default)]
struct Reread {
    /// Values with their words.
    fills: BTreeMap<Path, (Value, String)>,
    /// Values that their fields do not take.
    refused: Vec<(Path, Refusal)>,
}

/// Goes back to where a message was read: its answers are open, and the same is asked.
fn go_back_to(filling: &mut Filling<'_>, own: &[Path], asked: Option<&Path>) {
    for path in own {
        filling.journal.draft.answers.remove(path);
        filling.refresh_todo(path);
    }
    let asked = asked.filter(|path| !filling.draft().is_hidden(path));
    let draft = &mut filling.journal.draft;
    draft.pending = asked.cloned().map_or(Pending::Nothing, |path| Pending::Field { path, editing: false });
    draft.before = None;
}

/// Whether a message still has the words of an answer in it.
fn is_quoted(filling: &Filling<'_>, path: &Path, said: &Said) -> bool {
    let quote = filling.draft().answers.get(path).and_then(|answer| answer.quote.as_deref());
    quote.is_some_and(|quote| find(said, quote).is_some())
}

pub(crate) fn asked(pending: &Pending) -> Option<&Path> {
    match pending {
        Pending::Field { path, .. } => Some(path),
        _ => None,
    }
}
