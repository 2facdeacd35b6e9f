//! A message in words: read, turned into commands, carried out.

use crate::ask::verify;
use crate::command::change::{self, Then};
use crate::command::dispatch;
use crate::draft::filling::Filling;
use crate::handle::{self, act, clarify, read};
use crate::history::secrets;
use crate::model::{self, Asking};
use crate::talk::{self, Talk};
use crate::tools::{foresee, hooks};
use formwright_form::kind::Said;
use formwright_nlu::Command;

/// Hears a message inside a form as the answer to what is waited for.
pub(crate) fn hear_now(talk: &mut Talk<'_>, filling: &mut Filling<'_>, text: &str) -> Then {
    let said = Said::new(text);
    if secrets::must_refuse(filling, &said) {
        secrets::refuse_secret(&mut talk.saying, filling);
        return Then::Go;
    }
    foresee::know_options_of(talk, filling, &said);
    if let Some(command) = talk::said_label(&talk.session, &said).filter(|_| !talk.late) {
        talk.words.clear();
        return dispatch::carry_out(talk, filling, command);
    }
    if let Some((denied, others_are_right)) = clarify::denied(filling, &said) {
        talk.words.clear();
        denied.iter().for_each(|path| verify::no_longer_doubts(filling, path));
        return if others_are_right { dispatch::confirm(talk, filling) } else { Then::Go };
    }
    if let Some(command) = clarify::chosen_reading(filling, &said) {
        talk.words.clear();
        if !matches!(command, Command::Together { .. }) {
            change::let_go(filling);
        }
        return dispatch::carry_out(talk, filling, command);
    }
    if clarify::agrees_to_several(filling, &said) {
        return Then::Go;
    }
    if handle::waiting::keeps_the_answer(filling, &said) {
        return dispatch::carry_out(talk, filling, Command::Deny);
    }
    if act::greets(filling, &said) {
        // A greeting is no wrong answer: what was asked is asked again.
        if read::asks_for_words(filling) {
            talk.saying.notes.push(filling.say("courtesy_or_answer", &[("text", said.raw.trim())]));
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
        return dispatch::carry_out(talk, filling, if yes { Command::Confirm } else { Command::Deny });
    }
    let understood = read::read(&forms, filling, &said);
    let mut understood = hooks::extracted(talk, filling, understood, &said);
    understood.commands.retain(|command| stops.is_none() || *command != Command::Cancel);
    let told = talk.saying.notes.len();
    secrets::keep_secrets_in_place(&mut talk.saying, filling, &mut understood, &said);
    secrets::keep_talk_out_of_secrets(filling, &mut understood, &said);
    if talk.saying.notes.len() > told && understood.is_nothing() {
        return Then::Go;
    }
    if understood.commands == [Command::Cancel] && !read::is_spoken(filling, &said, &Command::Cancel) {
        // A word of another language is not enough to drop a form.
        dispatch::ask_whether_to_cancel(filling);
        return Then::Go;
    }
    if model::ask::model_is_due(talk, filling, &said, &understood) {
        return model::ask::ask_model(talk, filling, &said, false);
    }
    match std::mem::take(&mut talk.model) {
        Asking::Answered(proposal) => model::outcome::act_on_proposal(talk, filling, understood, &proposal, &said),
        Asking::Never | Asking::May(_) => act::act_on(talk, filling, understood, &said),
    }
}
