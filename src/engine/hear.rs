//! A message in words: read, turned into commands, carried out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::carry::Then;
use super::fill::Filling;
use super::model::{self, Asking};
use super::session::{Pending, Slot};
use super::talk::Talk;
use super::understand::{self, Scene, Understood};
use super::{Command, digress, plain, waiting, which};
use formwright_form::kind::{Offered, Said};
use formwright_form::{Form, Kind, Path, Value};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Class;

impl Talk<'_> {
    /// Hears a message inside a form as the answer to what is waited for.
    pub(super) fn hear_now(&mut self, filling: &mut Filling<'_>, text: &str) -> Then {
        let said = Said::new(text);
        if filling.must_refuse(&said) {
            self.refuse_secret(filling);
            return Then::Go;
        }
        self.know_options_of(filling, &said);
        if let Some(command) = self.said_label(&said).filter(|_| !self.late) {
            self.words.clear();
            return self.carry_out(filling, command);
        }
        if let Some((denied, others_are_right)) = which::denied(filling, &said) {
            self.words.clear();
            denied.iter().for_each(|path| filling.no_longer_doubts(path));
            return if others_are_right { self.confirm(filling) } else { Then::Go };
        }
        if let Some(command) = which::chosen_reading(filling, &said) {
            self.words.clear();
            if !matches!(command, Command::Together { .. }) {
                filling.let_go();
            }
            return self.carry_out(filling, command);
        }
        if which::agrees_to_several(filling, &said) {
            return Then::Go;
        }
        if waiting::keeps_the_answer(filling, &said) {
            return self.carry_out(filling, Command::Deny);
        }
        if greets(filling, &said) {
            // A greeting is no wrong answer: what was asked is asked again.
            if asks_for_words(filling) {
                self.notes.push(filling.say("courtesy_or_answer", &[("text", said.raw.trim())]));
            }
            return Then::Go;
        }
        // Whoever fills in a client's form is asked for no other.
        let forms = if filling.form.stays { Vec::new() } else { self.engine.startable() };
        let stops = self.stop_by_hook(filling);
        if stops == Some(true) {
            return Then::Cancel;
        }
        if let Some(yes) = self.confirmed_by_hook(filling) {
            return self.carry_out(filling, if yes { Command::Confirm } else { Command::Deny });
        }
        let understood = read(&forms, filling, &said);
        let mut understood = self.extracted(filling, understood, &said);
        understood.commands.retain(|command| stops.is_none() || *command != Command::Cancel);
        let told = self.notes.len();
        self.keep_secrets_in_place(filling, &mut understood, &said);
        filling.keep_talk_out_of_secrets(&mut understood, &said);
        if self.notes.len() > told && understood.is_nothing() {
            return Then::Go;
        }
        if understood.commands == [Command::Cancel] && !is_spoken(filling, &said, &Command::Cancel) {
            // A word of another language is not enough to drop a form.
            filling.ask_whether_to_cancel();
            return Then::Go;
        }
        if self.model_is_due(filling, &said, &understood) {
            return self.ask_model(filling, &said, false);
        }
        match std::mem::take(&mut self.model) {
            Asking::Answered(proposal) => self.act_on_proposal(filling, understood, &proposal, &said),
            Asking::Never | Asking::May(_) => self.act_on(filling, understood, &said),
        }
    }

    pub(super) fn act_on(&mut self, filling: &mut Filling<'_>, understood: Understood, said: &Said) -> Then {
        let Understood { mut commands, rough, unsure, refused, later, mut leftover } = understood;
        if let Some(fill) = plain::answer(filling, &commands, said) {
            commands = vec![fill];
        }
        if filling.is_kept_and_done() && matches!(commands.as_slice(), [Command::Confirm | Command::Deny]) {
            if filling.says_something_is_wrong(said) {
                filling.journal.draft.pending = Pending::WhatToChange;
                return Then::Go;
            }
            // "I do have a well" is more than yes.
            commands.retain(|_| leftover.is_empty() && !filling.names_a_field(said));
        }
        if commands.is_empty() && unsure.is_empty() && digress::names_a_passage(filling, &said.raw) {
            return self.answer(filling, &said.raw);
        }
        let mut helped = !commands.is_empty() || !refused.is_empty() || !later.is_empty() || !rough.is_empty();
        commands = self.sanitized(filling, commands);
        self.ask_about_late(filling, &mut commands);
        let filled = commands.iter().any(|command| matches!(command, Command::Fill { .. }));
        let before = filling.draft().pending.clone();
        let hidden = filling.draft().hidden.clone();
        let begun = items_begun(&commands);
        let edits = self.put_in_line(filling, &mut commands);
        let added = match commands.as_slice() {
            [Command::AddItem { list }] => Some(list.clone()),
            _ => None,
        };
        for command in commands {
            // Yes, and each value that was read back is said in other words beside it.
            if filled && command == Command::Confirm && filling.draft().pending == Pending::Nothing {
                continue;
            }
            match self.carry_out(filling, command) {
                Then::Go => {}
                Then::Vain => helped = false,
                out => return out,
            }
        }
        filling.drop_refused(&begun);
        // What is asked next may be something else: that the item is there has to be said.
        if added.is_some_and(|list| filling.open_fields().next().is_some_and(|path| !path.is_within(&list))) {
            self.notes.push(filling.say("item_added", &[]));
        }
        if !edits.is_empty() {
            filling.stay();
            filling.journal.draft.waiting.extend(edits);
        }
        // What is left over is what a second reading does not explain either.
        self.fill_what_appeared(filling, &hidden, said, &mut leftover);
        for (path, span, refusal) in refused {
            // One of several items is named by its words: its place has another one by now.
            let words = said.raw.get(span).filter(|_| filling.draft().answers.contains_key(&path));
            if let Some(words) = words.filter(|_| super::list::ends_in_item(&path)) {
                let reason = filling.refusal(&path, &refusal);
                self.notes
                    .push(filling.say("noted_value", &[("label", words), ("value", reason.trim_end_matches('.'))]));
                continue;
            }
            let _ = self.refuse(filling, &path, refusal);
        }
        self.name_later(filling, later);
        let elsewhere = if leftover.is_empty() { String::new() } else { filling.named_elsewhere(said).join(", ") };
        if !elsewhere.is_empty() {
            self.notes.push(filling.say("sheet_elsewhere", &[("labels", &elsewhere)]));
            filling.note_vain();
            helped = true;
        } else if helped && filled {
            self.name_leftover(filling, said, &leftover);
        }
        self.ask_whether_meant(filling, rough);
        if filling.ask_which(unsure) {
            return Then::Go;
        }
        if helped {
            return Then::Go;
        }
        if understand::is_too_long(said) {
            self.notes.push(filling.say("too_long", &[]));
            return Then::Vain;
        }
        let rest = leftover.iter().filter_map(|span| said.raw.get(span.clone())).collect::<Vec<_>>().join(" ");
        let asks = !rest.is_empty() && said.raw.contains(['?', '؟']);
        if let Some(answer) = asks.then(|| digress::found(filling, &rest)).flatten() {
            self.notes.push(answer);
            self.answered_question = true;
            return Then::Go;
        }
        let waits_for_field = matches!(before, Pending::Field { .. });
        // A second "yes", said before there was anything to ask about, wants nothing more.
        let again = self.late && waiting::yes_or_no(said, filling.world.lang).is_some();
        if !waits_for_field && !again {
            let text = filling.say_next("did_not_understand", &[]);
            self.notes.push(text);
        }
        Then::Vain
    }

    /// Tells of which fields something was said that are asked in their turn.
    fn name_later(&mut self, filling: &Filling<'_>, later: Vec<Path>) {
        for path in later {
            let label = filling.label(&path);
            self.notes.push(filling.say("ask_later", &[("label", &label)]));
        }
    }

    /// Hears the message that started a form again, for the answers in it.
    pub(super) fn hear_on(&mut self, text: &str) {
        let Some((form, draft)) = self.take_draft() else { return };
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let said = Said::new(text);
        if filling.tells_a_secret(&said) {
            self.notes.push(filling.say("secret", &[]));
            return self.put_draft(filling);
        }
        self.know_options_of(&mut filling, &said);
        let understood = read_as_spoken(&[], &filling, &said);
        let mut understood = self.extracted(&mut filling, understood, &said);
        if self.model_is_due(&filling, &said, &understood) {
            let _ = self.ask_model(&filling, &said, true);
            self.session.draft = Some(filling.journal.draft);
            return;
        }
        let mut doubtful = Vec::new();
        if let Asking::Answered(proposal) = std::mem::take(&mut self.model) {
            let mut proposal = Cow::Owned(*proposal);
            model::refuse_what_is_not_about(&filling, &mut understood, &mut proposal, &said);
            let by_code = model::fills(&understood.commands);
            let believed = self.believed(&filling, understood, &proposal, &said);
            let now = model::fills(&believed.understood.commands);
            filling.by_model = now.difference(&by_code).map(|(path, _)| path.clone()).collect();
            self.weighed = Some((proposal.intent, believed.verdicts));
            (understood, doubtful) = (believed.understood, believed.doubtful);
            filling.keep_wordings(&proposal);
        }
        if understand::is_too_long(&said) && understood.is_nothing() {
            self.notes.push(filling.say("too_long", &[]));
        }
        // What started the form answers no question: only values count, and none are in the form's own name.
        let names = form.cues().only_names_it(&said);
        let is_value = |command: &Command| !names && matches!(command, Command::Fill { .. });
        understood.commands.retain(is_value);
        understood.unsure.retain(|unsure| unsure.readings.iter().all(|(_, command)| is_value(command)));
        // Who comes with answers need not be told what to answer.
        if let Some(needs) = self.needs.take_if(|_| !understood.commands.is_empty()) {
            self.notes.remove(needs);
        }
        let hidden = filling.draft().hidden.clone();
        let filled = !understood.commands.is_empty();
        let commands = std::mem::take(&mut understood.commands);
        for command in self.sanitized(&mut filling, commands) {
            let _ = self.carry_out(&mut filling, command);
        }
        self.ask_whether_meant(&mut filling, std::mem::take(&mut understood.rough));
        self.fill_what_appeared(&mut filling, &hidden, &said, &mut understood.leftover);
        self.name_later(&filling, std::mem::take(&mut understood.later));
        self.ask_about(&mut filling, doubtful);
        let _ = filling.ask_which(std::mem::take(&mut understood.unsure));
        // What asks for a form needs no answer, but for the numbers in it.
        let numbers =
            |span: &Range<usize>| said.raw.get(span.clone()).is_some_and(|part| part.contains(char::is_numeric));
        understood.leftover.retain(numbers);
        if filled {
            self.name_leftover(&mut filling, &said, &understood.leftover);
        }
        self.put_draft(filling);
    }

    /// The button of the present screen that a message names by its words.
    pub(super) fn said_label(&self, said: &Said) -> Option<Command> {
        let text = said.norm.trim();
        let slots = &self.session.screen.as_ref()?.slots;
        slots.iter().find_map(|slot| match slot {
            Slot::Do { command, label } if !label.is_empty() && Said::new(label).norm == text => Some(command.clone()),
            _ => None,
        })
    }
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
        return understand::courteous_in(said, filling.world.lang).is_some();
    }
    let again = filling.draft().history.last().is_some_and(|heard| heard.words.trim() == said.raw.trim());
    !again && understand::is_courtesy(said, filling.world.lang)
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
    with_scene(lang, forms, filling, |scene| understand::understand(scene, said))
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
        draft: filling.draft(),
        forms: &forms,
        now: &filling.world.now,
        lang,
        region: filling.world.region.as_deref(),
        offered: &offered,
    };
    read(&scene)
}
