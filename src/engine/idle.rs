//! A message or a button while no form is being filled.

use std::sync::Arc;

use super::model::Asking;
use super::session::Slot;
use super::talk::Talk;
use super::understand::{self, FormPick};
use super::{Command, Passage, digress};
use formwright_form::kind::{Said, secret};
use formwright_form::{Form, FormId};
use formwright_lexicon::Language;
use formwright_text::stem;

/// Most words behind a form's name that are a value.
const MOST_BEHIND: usize = 6;

/// Which form a message asks for.
pub(super) fn asked_for(forms: &[&Form], said: &Said, lang: &Language) -> FormPick {
    let pick = understand::pick_form(forms, said, lang);
    match pick {
        // Said word for word.
        FormPick::One(_, fit) if fit >= 1.0 => pick,
        _ => named_with_value(forms, said, lang).unwrap_or(pick),
    }
}

/// The form whose whole name a message begins with, where words stand behind it that announce a value, "weather in Rome",
/// or a code or number, "where is my parcel P404". Articles do not count. Who tells something of it does not ask for it: "the
/// weather in Rome is bad".
fn named_with_value(forms: &[&Form], said: &Said, lang: &Language) -> Option<FormPick> {
    let count = said.words.len();
    let tells = |no: usize| {
        let mut langs = lang.and_english();
        langs.any(|lang| lang.sentence.is.starts(said, no) || lang.sentence.verb.starts(said, no))
    };
    let announces = |no: usize| {
        let mut langs = lang.and_english();
        no + 1 < count && langs.any(|lang| lang.sentence.cue.all().iter().any(|cue| cue.starts(said, no)))
    };
    let behind = |no: usize| {
        let word = said.words.get(no)?;
        Some(said.text(word.span.start..said.norm.len()).split_whitespace())
    };
    let is_code =
        |no: usize| behind(no).and_then(|mut rest| rest.next()).is_some_and(|word| word.contains(char::is_numeric));
    let behind_articles = |said: &Said, no: usize| {
        let articles = lang.and_english().filter_map(|lang| lang.sentence.articles.at(said, no));
        no + articles.map(|(len, ())| len).max().unwrap_or(0)
    };
    let end = |name: &str| {
        let name = Said::new(name);
        let (mut no, mut end) = (0, 0);
        while no < name.words.len() {
            (no, end) = (behind_articles(&name, no), behind_articles(said, end));
            if no >= name.words.len() || end >= count || stem(name.plain(no)) != stem(said.plain(end)) {
                return None;
            }
            (no, end) = (no + 1, end + 1);
        }
        let fits = behind(end)?.count() <= MOST_BEHIND && !(end..count).any(tells);
        (end > 0 && fits && (announces(end) || is_code(end))).then_some(end)
    };
    let named = forms.iter().filter(|form| form.enabled).filter_map(|form| {
        let id = form.id.as_str().replace(['-', '_'], " ");
        let names = form.title.by_lang.values().map(String::as_str).chain([id.as_str()]);
        Some((names.filter_map(end).max()?, form.id.clone()))
    });
    let named: Vec<(usize, FormId)> = named.collect();
    let longest = named.iter().map(|(end, _)| *end).max()?;
    let mut ids: Vec<FormId> = named.into_iter().filter(|(end, _)| *end == longest).map(|(_, id)| id).collect();
    Some(if ids.len() == 1 { FormPick::One(ids.remove(0), 1.0) } else { FormPick::Several(ids) })
}

impl Talk<'_> {
    /// Hears a message while no form is being filled.
    pub(super) fn hear_idle(&mut self, text: &str) {
        let said = Said::new(text);
        if !secret::secrets(&said).is_empty() {
            self.note("secret", &[]);
            return self.list_forms(None);
        }
        if self.world.terms.answers_only {
            return self.answer_only(text);
        }
        if let Some(command) = self.said_label(&said).or_else(|| self.said_number(&said)) {
            return self.carry_out_idle(command);
        }
        if self.takes_back(&said) {
            return;
        }
        let lang = self.world.lang;
        let catalog = self.engine.startable();
        let forms: Vec<&Form> = catalog.iter().map(Arc::as_ref).collect();
        let allowed: Vec<&Form> = forms.iter().copied().filter(|form| self.may_use(form)).collect();
        let pick = match asked_for(&allowed, &said, lang) {
            // Who asks for a form that they may not use is told so, rather than not understood.
            FormPick::None if asked_for(&forms, &said, lang) != FormPick::None => {
                return self.refuse_form();
            }
            pick => pick,
        };
        match pick {
            FormPick::One(form, _) => {
                self.speak_as_asked_for(&form, text);
                if self.start(&form, Some(text)) {
                    self.hear_on(text);
                }
            }
            FormPick::Several(forms) => {
                self.note("which_form", &[]);
                self.list_forms(Some(&forms));
            }
            FormPick::None if self.says_what_is_off(&said) => {}
            FormPick::None => {
                let understood = understand::understand_idle(&allowed, &said, lang);
                if let Some(lang) = understand::courteous_in(&said, lang) {
                    self.world.speak(lang);
                    return self.invite();
                }
                let asks = understood.commands.iter().any(|command| matches!(command, Command::Ask { .. }));
                let named =
                    || digress::passage_before(&allowed, &self.world, text).is_some_and(|(_, passage)| passage.named);
                if (asks || said.raw.contains(['?', '؟']) || named()) && self.answers_before(&allowed, text) {
                    return;
                }
                if understood.commands.is_empty() && self.would_change_what_waits(&said) {
                    return;
                }
                if understood.commands.iter().all(|command| matches!(command, Command::Ask { .. })) {
                    if self.model_is_due_idle(&allowed, &said) {
                        return self.ask_model_idle(&said);
                    }
                    if let Asking::Answered(proposal) = std::mem::take(&mut self.model)
                        && self.start_proposed(proposal, text)
                    {
                        return;
                    }
                }
                if understood.commands.is_empty() && self.tells_what_is_away() {
                    return self.list_forms(None);
                }
                if understood.commands.is_empty() && forms.is_empty() {
                    return self.note("no_forms", &[]);
                }
                if understood.commands.is_empty() {
                    let turn = usize::from(self.session.last.iter().any(|reply| reply.buttons.len() > 1));
                    let text = super::prompt::Voice { world: &self.world, form: None };
                    let text = text.say_turn("not_understood_no_form", turn, &[]);
                    self.tell_what_is_in_review();
                    self.notes.push(text);
                    return self.list_forms(None);
                }
                for command in understood.commands {
                    self.carry_out_idle(command);
                }
            }
        }
    }

    /// Answers a question where no form can be begun; says what is needed for that where there is no answer.
    fn answer_only(&mut self, text: &str) {
        let catalog = self.engine.startable();
        let terms = &self.world.terms;
        let forms: Vec<&Form> = catalog.iter().map(Arc::as_ref).filter(|form| terms.allow(form.id.as_str())).collect();
        if self.answers_before(&forms, text) {
            return;
        }
        if text.contains(['?', '؟']) && digress::is_about_something(text, &self.world) {
            self.note("no_answer", &[]);
        }
        self.note("fields_needed", &[]);
    }

    /// Answers a question before any form, where the texts or documents of forms have an answer.
    fn answers_before(&mut self, allowed: &[&Form], question: &str) -> bool {
        let told = digress::found_before(allowed, &self.world, question);
        // What is near a question of a form's gives way to a passage that is about it.
        if told.as_ref().is_none_or(|(_, told)| !told.sure)
            && let Some((form, passage)) = digress::passage_before(allowed, &self.world, question)
        {
            self.quote(form, &passage);
            return true;
        }
        let Some((form, told)) = told else { return false };
        let of = allowed.iter().find(|other| other.id == form);
        self.lang = of.map(|of| self.world.speaking(of).speaks.code);
        self.notes.push(told.answer);
        self.list_forms(Some(&[form]));
        true
    }

    /// Answers a question before any form with a passage of a form's documents, or of those for all.
    fn quote(&mut self, form: Option<&Form>, passage: &Passage) {
        let facts = [("title", passage.source.as_str()), ("value", passage.text.as_str())];
        match form {
            Some(form) => {
                self.note_of(form, "quoted", &facts);
                self.list_forms(Some(std::slice::from_ref(&form.id)));
            }
            None => {
                self.note("quoted", &facts);
                self.list_forms(None);
            }
        }
    }

    /// Tells who asks for a form that is switched off so; tells whether they did.
    fn says_what_is_off(&mut self, said: &Said) -> bool {
        let forms: Vec<Arc<Form>> = self.engine.catalog().forms().filter(|form| form.listed).cloned().collect();
        let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).filter(|form| self.may_use(form)).collect();
        let Some(form) = understand::pick_off(&forms, said, self.world.lang) else { return false };
        let title = self.title(form);
        self.note_of(form, "form_disabled", &[("title", &title)]);
        self.list_forms(None);
        true
    }

    /// Carries out a command while no form is being filled.
    pub(super) fn carry_out_idle(&mut self, command: Command) {
        match self.of_the_offer(command) {
            Command::Start { form } => {
                self.start(&form, None);
            }
            Command::TakeUp { form, said } => {
                if self.resume(Some(&form)) {
                    self.hear_on(&said.unwrap_or_default());
                }
            }
            Command::Anew { form, said } => {
                self.begin_anew(&form);
                self.hear_on(&said.unwrap_or_default());
            }
            Command::Resume { form } => {
                self.resume(form.as_ref());
            }
            Command::Confirm if !self.session.parked.is_empty() => {
                self.resume(None);
            }
            Command::Undo if self.uncancel() => {}
            Command::Undo if !self.session.reviewing.is_empty() => self.tell_what_is_in_review(),
            Command::Undo => self.note_new("nothing_to_undo"),
            Command::Redo => self.note_new("nothing_to_redo"),
            Command::Retry => self.retry_submission(),
            Command::Zone { zone } => self.zone_told = Some(zone.into()),
            Command::Withdraw { submission } => self.withdraw(&submission),
            Command::Cancel if !self.session.reviewing.is_empty() => self.tell_what_is_in_review(),
            Command::Cancel if self.say_of_submitted("cancel_too_late") => {}
            Command::Deny => self.note("all_right", &[]),
            Command::Human => self.ask_for_human_waiting(),
            Command::Ask { question } if digress::is_about_something(&question, &self.world) => {
                self.note("no_answer", &[]);
                self.tell_what_is_in_review();
                self.list_forms(None);
            }
            _ => {
                self.invite();
            }
        }
    }

    /// The button that a message names by its number, where nothing but a list of buttons is shown.
    fn said_number(&self, said: &Said) -> Option<Command> {
        let slots = &self.session.screen.as_ref()?.slots;
        let by_place = || understand::place_said(said, self.world.lang, slots.len());
        let no = said.norm.trim().parse::<usize>().ok().and_then(|no| no.checked_sub(1)).or_else(by_place)?;
        match slots.get(no)? {
            Slot::Do { command, .. } => Some(command.clone()),
            Slot::Field { .. } => None,
        }
    }
}
