//! Which language is spoken: the one that the person asks for, or plainly writes in; else the one that the platform tells.

use std::sync::Arc;

use chat::words::primary;
use formwright_chat as chat;

use super::fill::Filling;
use super::hear::read_in;
use super::session::Pending;
use super::talk::Talk;
use super::understand::{self, FormPick};
use super::{Command, Session};
use formwright_form::kind::Said;
use formwright_form::{Form, FormId, Kind};
use formwright_lexicon as language;
use formwright_lexicon::tongue::Wanted;
use formwright_lexicon::{Language, tongue};

/// Fewest words in another script that are no name.
const MORE_THAN_A_NAME: usize = 3;

impl Session {
    /// Tag of the language spoken with the person, as far as one is known.
    pub fn tag(&self) -> Option<&str> {
        self.speaks.as_deref().or(self.lang.as_deref())
    }
}

impl Talk<'_> {
    /// Takes up the language that a message asks for, or is plainly written in; tells whether it asks for one and says
    /// nothing else.
    pub(super) fn takes_up_language(&mut self, text: &str) -> bool {
        // What people say to each other is no wish of theirs.
        if self.world.terms.overheard {
            return false;
        }
        let said = Said::new(text);
        let form = self.session.draft.as_ref().and_then(|draft| self.engine.form_of(draft));
        let form = form.as_deref();
        if let Some(wanted) = tongue::asked_for(&said)
            && (self.is_plain(wanted) || !self.means_else(form, &said))
        {
            self.grant(form, wanted);
            return true;
        }
        let spoken = self.world.lang;
        // Of a language that is not here nothing is known: its words resemble others.
        let known = primary(&self.world.tag).eq_ignore_ascii_case(spoken.code);
        if let Some(lang) = known.then(|| tongue::written_in(&said, spoken)).flatten() {
            self.follow_language(form, lang, &said);
        }
        false
    }

    /// Speaks the language in whose words alone a message asks for a form.
    pub(super) fn speak_as_asked_for(&mut self, form: &FormId, text: &str) {
        let Some(form) = self.engine.catalog.form(form) else { return };
        if let Some(lang) = understand::asked_for_in(form, &Said::new(text), self.world.lang) {
            self.speak_from_now(lang);
        }
    }

    /// Whether words are no answer but a wish: whoever speaks Italian already and says "parla inglese" may mean somebody.
    fn is_plain(&self, wanted: Wanted) -> bool {
        let here = wanted.tag == self.world.lang.code || wanted.asked_in == Some(self.world.lang.code);
        wanted.plain && !(wanted.tells && here)
    }

    /// Goes on in a language that was asked for, or tells which there are, in the language of the words that asked.
    fn grant(&mut self, form: Option<&Form>, wanted: Wanted) {
        let has = |lang: &&Language| form.is_none_or(|form| form.speaks(lang.code));
        if let Some(lang) = language::all().filter(has).find(|lang| lang.code == wanted.tag) {
            self.speak_from_now(lang);
            self.note("language_now", &[]);
        } else {
            let mut world = self.world.clone();
            if let Some(lang) = language::all().filter(has).find(|lang| wanted.asked_in == Some(lang.code)) {
                world.speak(lang);
            }
            let world = form.map_or_else(|| world.clone(), |form| world.speaking(form));
            let name =
                |lang: &Language| world.speaks.tongue.name.get(lang.code).and_then(|names| names.first().cloned());
            let names = language::all().filter(has).filter_map(name).collect::<Vec<_>>().join(", ");
            let voice = super::prompt::Voice { world: &world, form };
            self.notes.push(voice.say("language_none", &[("languages", &names)]));
        }
        if form.is_none() {
            self.list_forms(None);
        }
    }

    fn speak_from_now(&mut self, lang: &'static Language) {
        let home = self.session.lang.as_deref().is_some_and(|tag| primary(tag).eq_ignore_ascii_case(lang.code));
        self.session.speaks = (!home).then(|| lang.code.to_owned());
        self.world.speak(lang);
    }

    /// Whether what may be the wish for a language is something else here: an answer, or words for a form.
    pub(super) fn means_else(&self, form: Option<&Form>, said: &Said) -> bool {
        let Some(form) = form else {
            let forms = self.engine.startable();
            let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).collect();
            return understand::pick_form(&forms, said, self.world.lang) != FormPick::None;
        };
        let world = self.world.speaking(form);
        let Some(draft) = self.session.draft.clone() else { return false };
        let filling = Filling::new(form, &world, draft);
        takes_any_words(&filling) || !read_in(world.lang, &[], &filling, said).commands.is_empty()
    }

    /// Speaks the language that a message is written in from now on, where the form has it. Where any words are an answer,
    /// they are in any language: only what asks or steers, holds an answer that is read in no other, or is in another script at
    /// some length, tells one.
    fn follow_language(&mut self, form: Option<&Form>, lang: &'static Language, said: &Said) {
        let Some(form) = form else {
            if self.engine.startable().iter().any(|form| form.speaks(lang.code)) {
                self.speak_from_now(lang);
            }
            return;
        };
        let world = self.world.speaking(form);
        let Some(draft) = self.session.draft.clone().filter(|_| !self.session.shared) else { return };
        let filling = Filling::new(form, &world, draft);
        let whole = |command: &Command| matches!(command, Command::Fill { quote: Some(quote), .. } if quote.trim() == said.raw.trim());
        let read = |lang| read_in(lang, &[], &filling, said).commands;
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
                    self.world.lang = lang;
                }
                return;
            }
        } else if here.iter().any(whole) {
            // "Quattro stagioni con funghi" is an answer, whatever language is spoken.
            return;
        } else if !form.speaks(lang.code) {
            self.world.lang = lang;
            return;
        }
        self.speak_from_now(lang);
    }
}

/// Whether nearly any words answer what is asked.
fn takes_any_words(filling: &Filling<'_>) -> bool {
    let Pending::Field { path, .. } = &filling.draft().pending else { return false };
    let kind = filling.form.field_at(path).map(|field| &field.kind);
    matches!(kind, Some(Kind::Text(_) | Kind::LongText(_) | Kind::Address(_) | Kind::Person(_) | Kind::Channel(_)))
}
