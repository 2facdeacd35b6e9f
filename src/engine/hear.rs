//! A message in words: read, turned into commands, carried out.

use crate::aside;
use crate::carry;
use crate::doubts;
use crate::foresee;
use crate::history;
use crate::hooks;
use crate::late;
use crate::leftover;
use crate::list;
use crate::prompt;
use crate::secrets;
use crate::sheet;
use crate::step;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::carry::Then;
use super::fill::Filling;
use super::model::{self, Asking};
use super::session::{Pending, Slot};
use super::talk::Talk;
use super::{Command, digress, plain, waiting, which};
use formwright_form::kind::said::Class;
use formwright_form::kind::{Offered, Said};
use formwright_form::language::{self, Language};
use formwright_form::{Form, Kind, Path, Value};
use formwright_nlu::{self as nlu, Scene, Understood};

/// Hears a message inside a form as the answer to what is waited for.
pub(crate) fn hear_now(talk: &mut Talk<'_>, filling: &mut Filling<'_>, text: &str) -> Then {
    let said = Said::new(text);
    if secrets::must_refuse(filling, &said) {
        secrets::refuse_secret(talk, filling);
        return Then::Go;
    }
    foresee::know_options_of(talk, filling, &said);
    if let Some(command) = said_label(talk, &said).filter(|_| !talk.late) {
        talk.words.clear();
        return carry::carry_out(talk, filling, command);
    }
    if let Some((denied, others_are_right)) = which::denied(filling, &said) {
        talk.words.clear();
        denied.iter().for_each(|path| doubts::no_longer_doubts(filling, path));
        return if others_are_right { carry::confirm(talk, filling) } else { Then::Go };
    }
    if let Some(command) = which::chosen_reading(filling, &said) {
        talk.words.clear();
        if !matches!(command, Command::Together { .. }) {
            carry::let_go(filling);
        }
        return carry::carry_out(talk, filling, command);
    }
    if which::agrees_to_several(filling, &said) {
        return Then::Go;
    }
    if waiting::keeps_the_answer(filling, &said) {
        return carry::carry_out(talk, filling, Command::Deny);
    }
    if greets(filling, &said) {
        // A greeting is no wrong answer: what was asked is asked again.
        if asks_for_words(filling) {
            talk.notes.push(filling.say("courtesy_or_answer", &[("text", said.raw.trim())]));
        }
        return Then::Go;
    }
    // Whoever fills in a client's form is asked for no other.
    let forms = if filling.form.stays { Vec::new() } else { talk.engine.startable() };
    let stops = hooks::stop_by_hook(talk, filling);
    if stops == Some(true) {
        return Then::Cancel;
    }
    if let Some(yes) = hooks::confirmed_by_hook(talk, filling) {
        return carry::carry_out(talk, filling, if yes { Command::Confirm } else { Command::Deny });
    }
    let understood = read(&forms, filling, &said);
    let mut understood = hooks::extracted(talk, filling, understood, &said);
    understood.commands.retain(|command| stops.is_none() || *command != Command::Cancel);
    let told = talk.notes.len();
    secrets::keep_secrets_in_place(talk, filling, &mut understood, &said);
    secrets::keep_talk_out_of_secrets(filling, &mut understood, &said);
    if talk.notes.len() > told && understood.is_nothing() {
        return Then::Go;
    }
    if understood.commands == [Command::Cancel] && !is_spoken(filling, &said, &Command::Cancel) {
        // A word of another language is not enough to drop a form.
        carry::ask_whether_to_cancel(filling);
        return Then::Go;
    }
    if model::ask::model_is_due(talk, filling, &said, &understood) {
        return model::ask::ask_model(talk, filling, &said, false);
    }
    match std::mem::take(&mut talk.model) {
        Asking::Answered(proposal) => model::ask::act_on_proposal(talk, filling, understood, &proposal, &said),
        Asking::Never | Asking::May(_) => act_on(talk, filling, understood, &said),
    }
}

pub(crate) fn act_on(talk: &mut Talk<'_>, filling: &mut Filling<'_>, understood: Understood, said: &Said) -> Then {
    let Understood { mut commands, rough, unsure, refused, later, mut leftover } = understood;
    if let Some(fill) = plain::answer(filling, &commands, said) {
        commands = vec![fill];
    }
    if sheet::is_kept_and_done(filling) && matches!(commands.as_slice(), [Command::Confirm | Command::Deny]) {
        if plain::says_something_is_wrong(filling, said) {
            filling.journal.draft.pending = Pending::WhatToChange;
            return Then::Go;
        }
        // "I do have a well" is more than yes.
        commands.retain(|_| leftover.is_empty() && !plain::names_a_field(filling, said));
    }
    if commands.is_empty() && unsure.is_empty() && digress::names_a_passage(filling, &said.raw) {
        return aside::answer(talk, filling, &said.raw);
    }
    let mut helped = !commands.is_empty() || !refused.is_empty() || !later.is_empty() || !rough.is_empty();
    commands = hooks::sanitized(talk, filling, commands);
    late::ask_about_late(talk, filling, &mut commands);
    let filled = commands.iter().any(|command| matches!(command, Command::Fill { .. }));
    let before = filling.draft().pending.clone();
    let hidden = filling.draft().hidden.clone();
    let begun = items_begun(&commands);
    let edits = waiting::put_in_line(talk, filling, &mut commands);
    let added = match commands.as_slice() {
        [Command::AddItem { list }] => Some(list.clone()),
        _ => None,
    };
    for command in commands {
        // Yes, and each value that was read back is said in other words beside it.
        if filled && command == Command::Confirm && filling.draft().pending == Pending::Nothing {
            continue;
        }
        match carry::carry_out(talk, filling, command) {
            Then::Go => {}
            Then::Vain => helped = false,
            out => return out,
        }
    }
    list::drop_refused(filling, &begun);
    // What is asked next may be something else: that the item is there has to be said.
    if added.is_some_and(|list| filling.open_fields().next().is_some_and(|path| !path.is_within(&list))) {
        talk.notes.push(filling.say("item_added", &[]));
    }
    if !edits.is_empty() {
        waiting::stay(filling);
        filling.journal.draft.waiting.extend(edits);
    }
    // What is left over is what a second reading does not explain either.
    leftover::fill_what_appeared(talk, filling, &hidden, said, &mut leftover);
    for (path, span, refusal) in refused {
        // One of several items is named by its words: its place has another one by now.
        let words = said.raw.get(span).filter(|_| filling.draft().answers.contains_key(&path));
        if let Some(words) = words.filter(|_| super::list::ends_in_item(&path)) {
            let reason = prompt::refusal::refusal(filling, &path, &refusal);
            talk.notes.push(filling.say("noted_value", &[("label", words), ("value", reason.trim_end_matches('.'))]));
            continue;
        }
        let _ = carry::refuse(talk, filling, &path, refusal);
    }
    name_later(talk, filling, later);
    let elsewhere =
        if leftover.is_empty() { String::new() } else { sheet::pages::named_elsewhere(filling, said).join(", ") };
    if !elsewhere.is_empty() {
        talk.notes.push(filling.say("sheet_elsewhere", &[("labels", &elsewhere)]));
        sheet::note_vain(filling);
        helped = true;
    } else if helped && filled {
        leftover::name_leftover(talk, filling, said, &leftover);
    }
    waiting::ask_whether_meant(talk, filling, rough);
    if which::ask_which(filling, unsure) {
        return Then::Go;
    }
    if helped {
        return Then::Go;
    }
    if nlu::is_too_long(said) {
        talk.notes.push(filling.say("too_long", &[]));
        return Then::Vain;
    }
    let rest = leftover.iter().filter_map(|span| said.raw.get(span.clone())).collect::<Vec<_>>().join(" ");
    let asks = !rest.is_empty() && said.raw.contains(['?', '؟']);
    if let Some(answer) = asks.then(|| digress::found(filling, &rest)).flatten() {
        talk.notes.push(answer);
        talk.answered_question = true;
        return Then::Go;
    }
    let waits_for_field = matches!(before, Pending::Field { .. });
    // A second "yes", said before there was anything to ask about, wants nothing more.
    let again = talk.late && waiting::yes_or_no(said, filling.world.lang).is_some();
    if !waits_for_field && !again {
        let text = filling.say_next("did_not_understand", &[]);
        talk.notes.push(text);
    }
    Then::Vain
}

/// Tells of which fields something was said that are asked in their turn.
fn name_later(talk: &mut Talk<'_>, filling: &Filling<'_>, later: Vec<Path>) {
    for path in later {
        let label = filling.label(&path);
        talk.notes.push(filling.say("ask_later", &[("label", &label)]));
    }
}

/// Hears the message that started a form again, for the answers in it.
pub(crate) fn hear_on(talk: &mut Talk<'_>, text: &str) {
    let Some((form, draft)) = step::take_draft(talk) else { return };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let said = Said::new(text);
    if history::tells_a_secret(&filling, &said) {
        talk.notes.push(filling.say("secret", &[]));
        return step::put_draft(talk, filling);
    }
    foresee::know_options_of(talk, &mut filling, &said);
    let understood = read_as_spoken(&[], &filling, &said);
    let mut understood = hooks::extracted(talk, &mut filling, understood, &said);
    if model::ask::model_is_due(talk, &filling, &said, &understood) {
        let _ = model::ask::ask_model(talk, &filling, &said, true);
        talk.session.draft = Some(filling.journal.draft);
        return;
    }
    let mut doubtful = Vec::new();
    if let Asking::Answered(proposal) = std::mem::take(&mut talk.model) {
        let mut proposal = Cow::Owned(*proposal);
        model::refuse_what_is_not_about(&filling, &mut understood, &mut proposal, &said);
        let by_code = model::fills(&understood.commands);
        let believed = model::ask::believed(talk, &filling, understood, &proposal, &said);
        let now = model::fills(&believed.understood.commands);
        filling.by_model = now.difference(&by_code).map(|(path, _)| path.clone()).collect();
        talk.weighed = Some((proposal.intent, believed.verdicts));
        (understood, doubtful) = (believed.understood, believed.doubtful);
        model::texts::keep_wordings(&mut filling, &proposal);
    }
    if nlu::is_too_long(&said) && understood.is_nothing() {
        talk.notes.push(filling.say("too_long", &[]));
    }
    // What started the form answers no question: only values count, and none are in the form's own name.
    let names = form.cues().only_names_it(&said);
    let is_value = |command: &Command| !names && matches!(command, Command::Fill { .. });
    understood.commands.retain(is_value);
    understood.unsure.retain(|unsure| unsure.readings.iter().all(|(_, command)| is_value(command)));
    // Who comes with answers need not be told what to answer.
    if let Some(needs) = talk.needs.take_if(|_| !understood.commands.is_empty()) {
        talk.notes.remove(needs);
    }
    let hidden = filling.draft().hidden.clone();
    let filled = !understood.commands.is_empty();
    let commands = std::mem::take(&mut understood.commands);
    for command in hooks::sanitized(talk, &mut filling, commands) {
        let _ = carry::carry_out(talk, &mut filling, command);
    }
    waiting::ask_whether_meant(talk, &mut filling, std::mem::take(&mut understood.rough));
    leftover::fill_what_appeared(talk, &mut filling, &hidden, &said, &mut understood.leftover);
    name_later(talk, &filling, std::mem::take(&mut understood.later));
    doubts::ask_about(talk, &mut filling, doubtful);
    let _ = which::ask_which(&mut filling, std::mem::take(&mut understood.unsure));
    // What asks for a form needs no answer, but for the numbers in it.
    let numbers = |span: &Range<usize>| said.raw.get(span.clone()).is_some_and(|part| part.contains(char::is_numeric));
    understood.leftover.retain(numbers);
    if filled {
        leftover::name_leftover(talk, &mut filling, &said, &understood.leftover);
    }
    step::put_draft(talk, filling);
}

/// The button of the present screen that a message names by its words.
pub(crate) fn said_label(talk: &Talk<'_>, said: &Said) -> Option<Command> {
    let text = said.norm.trim();
    let slots = &talk.session.screen.as_ref()?.slots;
    slots.iter().find_map(|slot| match slot {
        Slot::Do { command, label } if !label.is_empty() && Said::new(label).norm == text => Some(command.clone()),
        _ => None,
    })
}

/// The lists that a message adds items to together with values in them.
fn items_begun(commands: &[Command]) -> Vec<Path> {
    let adds = commands.iter().filter_map(|command| match command {
        Command::AddItem { list } => Some(list.clone()),
        _ => None,
    });
    let filled = |list: &Path| {
        commands.iter().any(|command| matches!(command, Command::Fill { path, .. } if path.is_within(list)))
    };
    adds.filter(filled).collect()
}

/// Whether a message greets or thanks and says nothing else, in any language. Where words are asked for, thanks in another
/// language may be a name, and who says the same once more means it.
fn greets(filling: &Filling<'_>, said: &Said) -> bool {
    if !asks_for_words(filling) {
        return nlu::courteous_in(said, filling.world.lang).is_some();
    }
    let again = filling.draft().history.last().is_some_and(|heard| heard.words.trim() == said.raw.trim());
    !again && nlu::is_courtesy(said, filling.world.lang)
}

/// Whether the asked field takes any words.
fn asks_for_words(filling: &Filling<'_>) -> bool {
    let Pending::Field { path, .. } = &filling.draft().pending else { return false };
    let kind = filling.form.field_at(path).map(|field| &field.kind);
    match kind {
        Some(Kind::Text(text)) => text.subtype.is_none(),
        Some(Kind::LongText(_)) => true,
        _ => false,
    }
}

/// Reads a message in the person's language, in the form's where that gives nothing, and in others where it answers in one.
pub(super) fn read(forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    let understood = read_as_spoken(forms, filling, said);
    if !understood.is_nothing() {
        return understood;
    }
    answered_in_another(filling, said).unwrap_or(understood)
}

/// Reads a message in the person's language, and in the form's where that gives nothing.
fn read_as_spoken(forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    let Filling { world, .. } = filling;
    let understood = read_in(world.lang, forms, filling, said);
    if !understood.is_nothing() || world.lang.code == world.speaks.code {
        return understood;
    }
    let spoken = read_in(world.speaks, forms, filling, said);
    if spoken.is_nothing() { understood } else { spoken }
}

/// Whether a message means a command in a language that is spoken here.
fn is_spoken(filling: &Filling<'_>, said: &Said, command: &Command) -> bool {
    let Filling { world, .. } = filling;
    [world.lang, world.speaks].into_iter().any(|lang| read_in(lang, &[], filling, said).commands.contains(command))
}

/// Yes, no, cancel, or a way about the form in a language that is not spoken here, where the words mean nothing else: "sì",
/// "ja", "aiuto", "zurück". Where words are asked for they are the answer.
fn answered_in_another(filling: &Filling<'_>, said: &Said) -> Option<Understood> {
    const MOST_WORDS: usize = 5;
    let pending = &filling.draft().pending;
    let asked = match pending {
        Pending::Field { path, .. } => filling.form.field_at(path).map(|field| &field.kind),
        _ => None,
    };
    let yes_or_no = match pending {
        Pending::Nothing | Pending::Tool { .. } | Pending::Which { .. } => false,
        Pending::Field { path, editing } => {
            *editing || filling.draft().offered.contains_key(path) || matches!(asked, Some(Kind::YesNo(_)))
        }
        _ => true,
    };
    if said.words.len() > MOST_WORDS {
        return None;
    }
    let words = asks_for_words(filling);
    let yes_no_asked = matches!(asked, Some(Kind::YesNo(_)));
    let answers = |command: &Command| match command {
        Command::Cancel => true,
        Command::Help | Command::Back | Command::Undo | Command::Redo | Command::Review | Command::Repeat => !words,
        Command::Confirm | Command::Deny | Command::AddItem { .. } | Command::EndList { .. } => yes_or_no,
        Command::Fill { value: Value::Bool(_), .. } => yes_no_asked,
        _ => false,
    };
    language::all()
        .filter(|lang| lang.code != filling.world.lang.code && (yes_no_asked || may_steer(lang, said)))
        .map(|lang| read_in(lang, &[], filling, said))
        .find(|read| {
            let whole = read.leftover.is_empty() && read.unsure.is_empty() && read.refused.is_empty();
            whole && matches!(read.commands.as_slice(), [one] if answers(one))
        })
}

/// Whether a message has a word that steers in a language, or says yes or no: most have none and are not read in it.
fn may_steer(lang: &Language, said: &Said) -> bool {
    let tables = [&lang.yes_no.yes, &lang.yes_no.no, &lang.yes_no.negation, &lang.control.add];
    let starts = |no| lang.control.whole.starts(said, no) || tables.into_iter().any(|table| table.starts(said, no));
    // "-" alone says that there is nothing, in every language.
    said.words.iter().enumerate().any(|(no, word)| word.class != Class::Mark && starts(no))
}

pub(super) fn read_in(lang: &Language, forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    with_scene(lang, forms, filling, |scene| nlu::understand(scene, said))
}

/// Reads something with what is known where a message is read.
pub(super) fn with_scene<R>(
    lang: &Language,
    forms: &[Arc<Form>],
    filling: &Filling<'_>,
    read: impl FnOnce(&Scene<'_>) -> R,
) -> R {
    let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).filter(|form| form.id != filling.form.id).collect();
    let offered = |path: &Path| -> Arc<[Offered]> {
        filling.form.field_at(path).map(|field| filling.offered(field, path)).unwrap_or_default()
    };
    let scene = Scene {
        form: filling.form,
        draft: filling.draft().so_far(),
        forms: &forms,
        now: &filling.world.now,
        lang,
        region: filling.world.region.as_deref(),
        offered: &offered,
    };
    read(&scene)
}
