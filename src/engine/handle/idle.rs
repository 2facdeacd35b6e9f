//! A message or a button while no form is being filled.

use std::sync::Arc;

use crate::ask::help;
use crate::command::{self, allowed, migrate};
use crate::desk::{self, person};
use crate::flow::{submission, submit};
use crate::handle::{act, language, sharing};
use crate::library::Passage;
use crate::model::{self, Asking};
use crate::prompt;
use crate::session::screen::Slot;
use crate::talk::{self, Talk};
use formwright_form::kind::{Said, secret};
use formwright_form::{Form, FormId};
use formwright_lexicon::Language;
use formwright_nlu as nlu;
use formwright_nlu::{Command, FormPick};
use formwright_text::stem;

/// Most words behind a form's name that are a value.
const MOST_BEHIND: usize = 6;

/// Which form a message asks for.
pub(crate) fn asked_for(forms: &[&Form], said: &Said, lang: &Language) -> FormPick {
    let pick = nlu::pick_form(forms, said, lang);
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

/// Hears a message while no form is being filled.
pub(crate) fn hear_idle(talk: &mut Talk<'_>, text: &str) {
    let said = Said::new(text);
    if !secret::secrets(&said).is_empty() {
        talk.note("secret", &[]);
        return command::begin::list_forms(talk, None);
    }
    if talk.world.terms.answers_only {
        return answer_only(talk, text);
    }
    if let Some(command) = talk::said_label(&talk.session, &said).or_else(|| said_number(talk, &said)) {
        return carry_out_idle(talk, command);
    }
    if desk::waiting::takes_back(talk, &said) {
        return;
    }
    let lang = talk.world.lang;
    let catalog = talk.engine.startable();
    let forms: Vec<&Form> = catalog.iter().map(Arc::as_ref).collect();
    let allowed: Vec<&Form> = forms.iter().copied().filter(|form| allowed::may_use(&talk.world, form)).collect();
    let pick = match asked_for(&allowed, &said, lang) {
        // Who asks for a form that they may not use is told so, rather than not understood.
        FormPick::None if asked_for(&forms, &said, lang) != FormPick::None => {
            return sharing::refuse_form(talk);
        }
        pick => pick,
    };
    match pick {
        FormPick::One(form, _) => {
            language::speak_as_asked_for(talk, &form, text);
            if command::begin::start(talk, &form, Some(text)) {
                act::hear_on(talk, text);
            }
        }
        FormPick::Several(forms) => {
            talk.note("which_form", &[]);
            command::begin::list_forms(talk, Some(&forms));
        }
        FormPick::None if says_what_is_off(talk, &said) => {}
        FormPick::None => {
            let understood = nlu::understand_idle(&allowed, &said, lang);
            if let Some(lang) = nlu::courteous_in(&said, lang) {
                talk.world.speak(lang);
                return command::begin::invite(talk);
            }
            let asks = understood.commands.iter().any(|command| matches!(command, Command::Ask { .. }));
            let named = || help::passage_before(&allowed, &talk.world, text).is_some_and(|(_, passage)| passage.named);
            if (asks || said.raw.contains(['?', '؟']) || named()) && answers_before(talk, &allowed, text) {
                return;
            }
            if understood.commands.is_empty() && desk::waiting::would_change_what_waits(talk, &said) {
                return;
            }
            if understood.commands.iter().all(|command| matches!(command, Command::Ask { .. })) {
                if model::ask::model_is_due_idle(talk, &allowed, &said) {
                    return model::ask::ask_model_idle(talk, &said);
                }
                if let Asking::Answered(proposal) = std::mem::take(&mut talk.model)
                    && model::outcome::start_proposed(talk, proposal, text)
                {
                    return;
                }
            }
            if understood.commands.is_empty() && migrate::tells_what_is_away(talk) {
                return command::begin::list_forms(talk, None);
            }
            if understood.commands.is_empty() && forms.is_empty() {
                return talk.note("no_forms", &[]);
            }
            if understood.commands.is_empty() {
                let turn = usize::from(talk.session.last.iter().any(|reply| reply.buttons.len() > 1));
                let text = prompt::Voice { world: &talk.world, form: None };
                let text = text.say_turn("not_understood_no_form", turn, &[]);
                person::tell_what_is_in_review(talk);
                talk.saying.notes.push(text);
                return command::begin::list_forms(talk, None);
            }
            for command in understood.commands {
                carry_out_idle(talk, command);
            }
        }
    }
}

/// Answers a question where no form can be begun; says what is needed for that where there is no answer.
fn answer_only(talk: &mut Talk<'_>, text: &str) {
    let catalog = talk.engine.startable();
    let terms = &talk.world.terms;
    let forms: Vec<&Form> = catalog.iter().map(Arc::as_ref).filter(|form| terms.allow(form.id.as_str())).collect();
    if answers_before(talk, &forms, text) {
        return;
    }
    if text.contains(['?', '؟']) && help::is_about_something(text, &talk.world) {
        talk.note("no_answer", &[]);
    }
    talk.note("fields_needed", &[]);
}

/// Answers a question before any form, where the texts or documents of forms have an answer.
fn answers_before(talk: &mut Talk<'_>, allowed: &[&Form], question: &str) -> bool {
    let told = help::found_before(allowed, &talk.world, question);
    // What is near a question of a form's gives way to a passage that is about it.
    if told.as_ref().is_none_or(|(_, told)| !told.sure)
        && let Some((form, passage)) = help::passage_before(allowed, &talk.world, question)
    {
        quote(talk, form, &passage);
        return true;
    }
    let Some((form, told)) = told else { return false };
    let of = allowed.iter().find(|other| other.id == form);
    talk.lang = of.map(|of| talk.world.speaking(of).speaks.code);
    talk.saying.notes.push(told.answer);
    command::begin::list_forms(talk, Some(&[form]));
    true
}

/// Answers a question before any form with a passage of a form's documents, or of those for all.
fn quote(talk: &mut Talk<'_>, form: Option<&Form>, passage: &Passage) {
    let facts = [("title", passage.source.as_str()), ("value", passage.text.as_str())];
    match form {
        Some(form) => {
            talk.note_of(form, "quoted", &facts);
            command::begin::list_forms(talk, Some(std::slice::from_ref(&form.id)));
        }
        None => {
            talk.note("quoted", &facts);
            command::begin::list_forms(talk, None);
        }
    }
}

/// Tells who asks for a form that is switched off so; tells whether they did.
fn says_what_is_off(talk: &mut Talk<'_>, said: &Said) -> bool {
    let forms: Vec<Arc<Form>> = talk.engine.catalog().forms().filter(|form| form.listed).cloned().collect();
    let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).filter(|form| allowed::may_use(&talk.world, form)).collect();
    let Some(form) = nlu::pick_off(&forms, said, talk.world.lang) else { return false };
    let title = talk.title(form);
    talk.note_of(form, "form_disabled", &[("title", &title)]);
    command::begin::list_forms(talk, None);
    true
}

/// Carries out a command while no form is being filled.
pub(crate) fn carry_out_idle(talk: &mut Talk<'_>, command: Command) {
    match command::begin::of_the_offer(&talk.session, command) {
        Command::Start { form } => {
            command::begin::start(talk, &form, None);
        }
        Command::TakeUp { form, said } => {
            if command::begin::resume(talk, Some(&form)) {
                act::hear_on(talk, &said.unwrap_or_default());
            }
        }
        Command::Anew { form, said } => {
            command::begin::begin_anew(talk, &form);
            act::hear_on(talk, &said.unwrap_or_default());
        }
        Command::Resume { form } => {
            command::begin::resume(talk, form.as_ref());
        }
        Command::Confirm if !talk.session.parked.is_empty() => {
            command::begin::resume(talk, None);
        }
        Command::Undo if command::begin::uncancel(talk) => {}
        Command::Undo if !talk.session.reviewing.is_empty() => person::tell_what_is_in_review(talk),
        Command::Undo => talk.note_new("nothing_to_undo"),
        Command::Redo => talk.note_new("nothing_to_redo"),
        Command::Retry => submit::retry_submission(talk),
        Command::Zone { zone } => talk.zone_told = Some(zone.into()),
        Command::Withdraw { submission } => person::withdraw(talk, &submission),
        Command::Cancel if !talk.session.reviewing.is_empty() => person::tell_what_is_in_review(talk),
        Command::Cancel if submission::say_of_submitted(talk, "cancel_too_late") => {}
        Command::Deny => talk.note("all_right", &[]),
        Command::Human => desk::waiting::ask_for_human_waiting(talk),
        Command::Ask { question } if help::is_about_something(&question, &talk.world) => {
            talk.note("no_answer", &[]);
            person::tell_what_is_in_review(talk);
            command::begin::list_forms(talk, None);
        }
        _ => {
            command::begin::invite(talk);
        }
    }
}

/// The button that a message names by its number, where nothing but a list of buttons is shown.
fn said_number(talk: &Talk<'_>, said: &Said) -> Option<Command> {
    let slots = &talk.session.screen.as_ref()?.slots;
    let by_place = || nlu::place_said(said, talk.world.lang, slots.len());
    let no = said.norm.trim().parse::<usize>().ok().and_then(|no| no.checked_sub(1)).or_else(by_place)?;
    match slots.get(no)? {
        Slot::Do { command, .. } => Some(command.clone()),
        Slot::Field { .. } => None,
    }
}
