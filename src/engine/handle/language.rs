//! Which language is spoken: the one that the person asks for, or plainly writes in; else the one that the platform tells.

use std::sync::Arc;

use formwright_chat::words::primary;

use crate::draft::filling::Filling;
use crate::handle::read;
use crate::talk::Talk;
use crate::{command, prompt};
use formwright_form::kind::Said;
use formwright_form::{Form, FormId, Kind};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_lexicon::tongue::{self, Wanted};
use formwright_nlu as nlu;
use formwright_nlu::{Command, FormPick, Pending};

/// Fewest words in another script that are no name.
const MORE_THAN_A_NAME: usize = 3;

/// Takes up the language that a message asks for, or is plainly written in; tells whether it asks for one and says
/// nothing else.
pub(crate) fn takes_up_language(talk: &mut Talk<'_>, text: &str) -> bool {
    // What people say to each other is no wish of theirs.
    if talk.world.terms.overheard {
        return false;
    }
    let said = Said::new(text);
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    let form = form.as_deref();
    if let Some(wanted) = tongue::asked_for(&said)
        && (is_plain(talk, wanted) || !means_else(talk, form, &said))
    {
        grant(talk, form, wanted);
        return true;
    }
    let spoken = talk.world.lang;
    // Of a language that is not here nothing is known: its words resemble others.
    let known = primary(&talk.world.tag).eq_ignore_ascii_case(spoken.code);
    if let Some(lang) = known.then(|| tongue::written_in(&said, spoken)).flatten() {
        follow_language(talk, form, lang, &said);
    }
    false
}

/// Speaks the language in whose words alone a message asks for a form.
pub(crate) fn speak_as_asked_for(talk: &mut Talk<'_>, form: &FormId, text: &str) {
    let Some(form) = talk.engine.catalog.form(form) else { return };
    if let Some(lang) = nlu::asked_for_in(form, &Said::new(text), talk.world.lang) {
        speak_from_now(talk, lang);
    }
}

/// Whether words are no answer but a wish: whoever speaks Italian already and says "parla inglese" may mean somebody.
fn is_plain(talk: &Talk<'_>, wanted: Wanted) -> bool {
    let here = wanted.tag == talk.world.lang.code || wanted.asked_in == Some(talk.world.lang.code);
    wanted.plain && !(wanted.tells && here)
}

/// Goes on in a language that was asked for, or tells which there are, in the language of the words that asked.
fn grant(talk: &mut Talk<'_>, form: Option<&Form>, wanted: Wanted) {
    let has = |lang: &&Language| form.is_none_or(|form| form.speaks(lang.code));
    if let Some(lang) = language::all().filter(has).find(|lang| lang.code == wanted.tag) {
        speak_from_now(talk, lang);
        talk.note("language_now", &[]);
    } else {
        let mut world = talk.world.clone();
        if let Some(lang) = language::all().filter(has).find(|lang| wanted.asked_in == Some(lang.code)) {
            world.speak(lang);
        }
        let world = form.map_or_else(|| world.clone(), |form| world.speaking(form));
        let name = |lang: &Language| world.speaks.tongue.name.get(lang.code).and_then(|names| names.first().cloned());
        let names = language::all().filter(has).filter_map(name).collect::<Vec<_>>().join(", ");
        let voice = prompt::Voice { world: &world, form };
        talk.saying.notes.push(voice.say("language_none", &[("languages", &names)]));
    }
    if form.is_none() {
        command::begin::list_forms(talk, None);
    }
}

fn speak_from_now(talk: &mut Talk<'_>, lang: &'static Language) {
    let home = talk.session.lang.as_deref().is_some_and(|tag| primary(tag).eq_ignore_ascii_case(lang.code));
    talk.session.speaks = (!home).then(|| lang.code.to_owned());
    talk.world.speak(lang);
}

/// Whether what may be the wish for a language is something else here: an answer, or words for a form.
pub(crate) fn means_else(talk: &Talk<'_>, form: Option<&Form>, said: &Said) -> bool {
    let Some(form) = form else {
        let forms = talk.engine.startable();
        let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).collect();
        return nlu::pick_form(&forms, said, talk.world.lang) != FormPick::None;
    };
    let world = talk.world.speaking(form);
    let Some(draft) = talk.session.draft.clone() else { return false };
    let filling = Filling::new(form, &world, draft);
    takes_any_words(&filling) || !read::read_in(world.lang, &[], &filling, said).commands.is_empty()
}

/// Speaks the language that a message is written in from now on, where the form has it. Where any words are an answer,
/// they are in any language: only what asks or steers, holds an answer that is read in no other, or is in another script at
/// some length, tells one.
fn follow_language(talk: &mut Talk<'_>, form: Option<&Form>, lang: &'static Language, said: &Said) {
    let Some(form) = form else {
        if talk.engine.startable().iter().any(|form| form.speaks(lang.code)) {
            speak_from_now(talk, lang);
        }
        return;
    };
    let world = talk.world.speaking(form);
    let Some(draft) = talk.session.draft.clone().filter(|_| !talk.session.shared) else { return };
    let filling = Filling::new(form, &world, draft);
    let whole = |command: &Command| matches!(command, Command::Fill { quote: Some(quote), .. } if quote.trim() == said.raw.trim());
    let read = |lang| read::read_in(lang, &[], &filling, said).commands;
    let (here, there) = (read(world.lang), read(lang));
    if takes_any_words(&filling) {
        let stores = |command: &&Command| matches!(command, Command::Fill { .. } | Command::AddItem { .. });
        let count = |commands: &[Command]| commands.iter().filter(stores).count();
        let asks = !there.is_empty() && count(&there) == 0;
        // "Mi chiamo Ann" holds an answer in this language alone.
        let tells = !there.iter().any(whole) && count(&there) > count(&here);
        let long = lang.rtl != world.lang.rtl && said.words.len() > MORE_THAN_A_NAME;
        if !asks && !tells && !long {
            return;
        }
        if !form.speaks(lang.code) {
            // It is understood, and answered in the language of the form.
            if asks || tells {
                talk.world.lang = lang;
            }
            return;
        }
    } else if here.iter().any(whole) {
        // "Quattro stagioni con funghi" is an answer, whatever language is spoken.
        return;
    } else if !form.speaks(lang.code) {
        talk.world.lang = lang;
        return;
    }
    speak_from_now(talk, lang);
}

/// Whether nearly any words answer what is asked.
fn takes_any_words(filling: &Filling<'_>) -> bool {
    let Pending::Field { path, .. } = &filling.draft().pending else { return false };
    let kind = filling.form.field_at(path).map(|field| &field.kind);
    matches!(kind, Some(Kind::Text(_) | Kind::LongText(_) | Kind::Address(_) | Kind::Person(_) | Kind::Channel(_)))
}
