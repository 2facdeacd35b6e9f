//! What a message leads to once it was read.

use std::borrow::Cow;
use std::ops::Range;

use crate::ask::{confirm, help, verify};
use crate::command::change::{self, Then};
use crate::command::{digress, dispatch};
use crate::draft::filling::Filling;
use crate::draft::list;
use crate::flow::settle;
use crate::handle::{self, clarify, plain, read, unexplained};
use crate::history::secrets;
use crate::model::{self, Asking, texts};
use crate::prompt::refusal;
use crate::saying::Saying;
use crate::sheet::{self, pages};
use crate::talk::Talk;
use crate::tools::{foresee, hooks};
use formwright_form::Path;
use formwright_form::kind::Said;
use formwright_nlu as nlu;
use formwright_nlu::{Command, Pending, Understood};

pub(crate) fn act_on(talk: &mut Talk<'_>, filling: &mut Filling<'_>, understood: Understood, said: &Said) -> Then {
    let Understood { mut commands, rough, unsure, refused, later, mut leftover, weighed: _ } = understood;
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
    if commands.is_empty() && unsure.is_empty() && help::names_a_passage(filling, &said.raw) {
        return digress::answer(talk, filling, &said.raw);
    }
    let mut helped = !commands.is_empty() || !refused.is_empty() || !later.is_empty() || !rough.is_empty();
    commands = hooks::sanitized(talk, filling, commands);
    handle::late::ask_about_late(talk, filling, &mut commands);
    let filled = commands.iter().any(|command| matches!(command, Command::Fill { .. }));
    let before = filling.draft().pending.clone();
    let hidden = filling.draft().hidden.clone();
    let begun = items_begun(&commands);
    let edits = verify::put_in_line(&mut talk.saying, filling, &mut commands);
    let added = match commands.as_slice() {
        [Command::AddItem { list }] => Some(list.clone()),
        _ => None,
    };
    for command in commands {
        // Yes, and each value that was read back is said in other words beside it.
        if filled && command == Command::Confirm && filling.draft().pending == Pending::Nothing {
            continue;
        }
        match dispatch::carry_out(talk, filling, command) {
            Then::Go => {}
            Then::Vain => helped = false,
            out => return out,
        }
    }
    list::drop_refused(filling, &begun);
    // What is asked next may be something else: that the item is there has to be said.
    if added.is_some_and(|list| filling.open_fields().next().is_some_and(|path| !path.is_within(&list))) {
        talk.saying.notes.push(filling.say("item_added", &[]));
    }
    if !edits.is_empty() {
        verify::stay(filling);
        filling.journal.draft.waiting.extend(edits);
    }
    // What is left over is what a second reading does not explain either.
    unexplained::fill_what_appeared(talk, filling, &hidden, said, &mut leftover);
    for (path, span, refusal) in refused {
        // One of several items is named by its words: its place has another one by now.
        let words = said.raw.get(span).filter(|_| filling.draft().answers.contains_key(&path));
        if let Some(words) = words.filter(|_| list::ends_in_item(&path)) {
            let reason = refusal::refusal(filling, &path, &refusal);
            talk.saying
                .notes
                .push(filling.say("noted_value", &[("label", words), ("value", reason.trim_end_matches('.'))]));
            continue;
        }
        let _ = change::refuse(talk, filling, &path, refusal);
    }
    name_later(&mut talk.saying, filling, later);
    let elsewhere = if leftover.is_empty() { String::new() } else { pages::named_elsewhere(filling, said).join(", ") };
    if !elsewhere.is_empty() {
        talk.saying.notes.push(filling.say("sheet_elsewhere", &[("labels", &elsewhere)]));
        sheet::note_vain(filling);
        helped = true;
    } else if helped && filled {
        unexplained::name_leftover(&mut talk.saying, filling, said, &leftover);
    }
    handle::waiting::ask_whether_meant(talk, filling, rough);
    if clarify::ask_which(filling, unsure) {
        return Then::Go;
    }
    if helped {
        return Then::Go;
    }
    if nlu::is_too_long(said) {
        talk.saying.notes.push(filling.say("too_long", &[]));
        return Then::Vain;
    }
    let rest = leftover.iter().filter_map(|span| said.raw.get(span.clone())).collect::<Vec<_>>().join(" ");
    let asks = !rest.is_empty() && said.raw.contains(['?', '؟']);
    if let Some(answer) = asks.then(|| help::found(filling, &rest)).flatten() {
        talk.saying.notes.push(answer);
        talk.saying.answered_question = true;
        return Then::Go;
    }
    let waits_for_field = matches!(before, Pending::Field { .. });
    // A second "yes", said before there was anything to ask about, wants nothing more.
    let again = talk.late && handle::waiting::yes_or_no(said, filling.world.lang).is_some();
    if !waits_for_field && !again {
        let text = filling.say_next("did_not_understand", &[]);
        talk.saying.notes.push(text);
    }
    Then::Vain
}

/// Tells of which fields something was said that are asked in their turn.
fn name_later(saying: &mut Saying, filling: &Filling<'_>, later: Vec<Path>) {
    for path in later {
        let label = filling.label(&path);
        saying.notes.push(filling.say("ask_later", &[("label", &label)]));
    }
}

/// Hears the message that started a form again, for the answers in it.
pub(crate) fn hear_on(talk: &mut Talk<'_>, text: &str) {
    let Some((form, draft)) = settle::take_draft(talk) else { return };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let said = Said::new(text);
    if secrets::tells_a_secret(&filling, &said) {
        talk.saying.notes.push(filling.say("secret", &[]));
        return settle::put_draft(talk, filling);
    }
    foresee::know_options_of(talk, &mut filling, &said);
    let understood = read::read_as_spoken(&[], &filling, &said);
    let mut understood = hooks::extracted(talk, &mut filling, understood, &said);
    if model::ask::model_is_due(talk, &filling, &said, &understood) {
        let _ = model::ask::ask_model(talk, &filling, &said, true);
        talk.session.draft = Some(filling.journal.draft);
        return;
    }
    let mut doubtful = Vec::new();
    if let Asking::Answered(proposal) = std::mem::take(&mut talk.model) {
        let mut proposal = Cow::Owned(*proposal);
        model::ask::refuse_what_is_not_about(&filling, &mut understood, &mut proposal, &said);
        let by_code = model::ask::fills(&understood.commands);
        let believed = model::ask::believed(talk, &filling, understood, &proposal, &said);
        let now = model::ask::fills(&believed.understood.commands);
        filling.by_model = now.difference(&by_code).map(|(path, _)| path.clone()).collect();
        talk.weighed = Some((proposal.intent, believed.verdicts));
        (understood, doubtful) = (believed.understood, believed.doubtful);
        texts::keep_wordings(&mut filling, &proposal);
    }
    if nlu::is_too_long(&said) && understood.is_nothing() {
        talk.saying.notes.push(filling.say("too_long", &[]));
    }
    // What started the form answers no question: only values count, and none are in the form's own name.
    let names = form.cues().only_names_it(&said);
    let is_value = |command: &Command| !names && matches!(command, Command::Fill { .. });
    understood.commands.retain(is_value);
    understood.unsure.retain(|unsure| unsure.readings.iter().all(|(_, command)| is_value(command)));
    // Who comes with answers need not be told what to answer.
    if let Some(needs) = talk.saying.needs.take_if(|_| !understood.commands.is_empty()) {
        talk.saying.notes.remove(needs);
    }
    let hidden = filling.draft().hidden.clone();
    let filled = !understood.commands.is_empty();
    let commands = std::mem::take(&mut understood.commands);
    for command in hooks::sanitized(talk, &mut filling, commands) {
        let _ = dispatch::carry_out(talk, &mut filling, command);
    }
    handle::waiting::ask_whether_meant(talk, &mut filling, std::mem::take(&mut understood.rough));
    unexplained::fill_what_appeared(talk, &mut filling, &hidden, &said, &mut understood.leftover);
    name_later(&mut talk.saying, &filling, std::mem::take(&mut understood.later));
    confirm::ask_about(talk, &mut filling, doubtful);
    let _ = clarify::ask_which(&mut filling, std::mem::take(&mut understood.unsure));
    // What asks for a form needs no answer, but for the numbers in it.
    let numbers = |span: &Range<usize>| said.raw.get(span.clone()).is_some_and(|part| part.contains(char::is_numeric));
    understood.leftover.retain(numbers);
    if filled {
        unexplained::name_leftover(&mut talk.saying, &mut filling, &said, &understood.leftover);
    }
    settle::put_draft(talk, filling);
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
pub(crate) fn greets(filling: &Filling<'_>, said: &Said) -> bool {
    if !read::asks_for_words(filling) {
        return nlu::courteous_in(said, filling.world.lang).is_some();
    }
    let again = filling.draft().history.last().is_some_and(|heard| heard.words.trim() == said.raw.trim());
    !again && nlu::is_courtesy(said, filling.world.lang)
}
