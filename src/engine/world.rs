//! What a step knows of the world: the time where the person is, and the language spoken with them.

use std::sync::Arc;

use formwright_chat as chat;
use jiff::{Timestamp, Zoned};

use crate::engine::Engine;
use crate::input::Input;
use crate::library::Library;
use crate::session::Session;
use crate::zone::{Zone, ZoneFrom};
use formwright_form::Form;
use formwright_lexicon::{Language, language};

/// The world of one step.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The person's local time.
    pub now: Zoned,
    /// The zone that this is in.
    pub zone: Zone,
    /// The platform does not know people's time zones.
    pub platform_lacks_zone: bool,
    /// The person may be asked for their zone: they were not.
    pub asks_zone: bool,
    /// BCP 47 tag of the language spoken.
    pub tag: String,
    /// BCP 47 tag of the language that the platform tells.
    pub home: String,
    /// Whether the person's language is known: told by the platform, or asked for.
    pub told: bool,
    /// The language of the person's words.
    pub lang: &'static Language,
    /// The language spoken with the person: theirs where the form has it.
    pub speaks: &'static Language,
    /// Region of the person's locale.
    pub region: Option<String>,
    /// The event that the step answers.
    pub event: Option<chat::EventId>,
    /// When that was received.
    pub said_at: Option<Timestamp>,
    /// Who did something, where the session is shared.
    pub by: Option<chat::UserId>,
    /// Which forms the person may use.
    pub terms: chat::Terms,
    /// The person's client can run tools.
    pub client_tools: bool,
    /// The platform can draw several fields as one form.
    pub draws_pages: bool,
    /// The name to address the person by.
    pub name: Option<String>,
    /// Fresh random bits.
    pub nonce: chat::Nonce,
    /// Documents that questions are answered from.
    pub library: Option<Arc<dyn Library>>,
    /// Forms are only tried out: nothing is done for them.
    pub tries_out: bool,
}

impl World {
    /// The world of an input, before any form is known.
    pub(crate) fn new(session: &Session, input: &Input, event: Option<&chat::Event>) -> Self {
        let zone = Zone::of(session);
        let home = session.lang.clone().unwrap_or_else(|| "en".to_owned());
        let tag = session.tag().unwrap_or("en").to_owned();
        let region = home.split(['-', '_']).nth(1).filter(|part| part.len() == 2).map(str::to_ascii_uppercase);
        Self {
            now: input.now.to_zoned(zone.clock()),
            zone,
            platform_lacks_zone: session.platform_lacks_zone,
            asks_zone: session.platform_lacks_zone && session.own_zone.is_none() && !session.shared,
            told: session.tag().is_some(),
            lang: language(&tag),
            speaks: language(&tag),
            tag,
            home,
            region,
            event: event.map(|event| event.id.clone()),
            said_at: event.map(|event| event.at),
            by: event.filter(|_| session.shared).map(|event| event.user.id.clone()),
            terms: event.map(|event| event.terms.clone()).unwrap_or_default(),
            client_tools: session.place.platform.as_str() == "web",
            draws_pages: session.draws_pages,
            name: event.and_then(|event| event.user.name.clone()),
            nonce: input.nonce.clone(),
            library: None,
            tries_out: false,
        }
    }

    /// The same world in a form: in its zone, where the person's is not known, and speaking a language that it is written in: the one spoken where the form has it, else the one
    /// that the platform tells, else the form's first. Where nothing is known of the person's language, that is taken to be
    /// theirs.
    pub(crate) fn speaking(&self, form: &Form) -> Self {
        let mut here = self.clone();
        here.take_zone(form.zone.as_deref(), ZoneFrom::Form);
        if form.speaks(&self.tag) {
            return here;
        }
        let home = Some(&self.home).filter(|home| form.speaks(home));
        let Some(tag) = home.or(form.languages.first()) else { return here };
        let speaks = language(tag);
        let lang = if self.told { self.lang } else { speaks };
        Self { tag: tag.clone(), lang, speaks, ..here }
    }

    /// Speaks another language for the rest of the step, where it is another one.
    pub(crate) fn speak(&mut self, lang: &'static Language) {
        if lang.code != self.lang.code {
            (self.tag, self.lang, self.speaks) = (lang.code.to_owned(), lang, lang);
        }
    }

    /// Whether what the person writes is not heard, so that nothing invites them to write.
    pub(crate) fn is_unheard(&self) -> bool {
        self.terms.unheard && !self.terms.shared
    }

    /// Language tags to take texts in, best first.
    pub(crate) fn tags(&self) -> [&str; 1] {
        [&self.tag]
    }

    /// Language tags to take a form's texts in where the form need not speak the person's language: theirs, then the
    /// form's own, best first.
    pub(crate) fn tags_of<'a>(&'a self, form: &'a Form) -> Vec<&'a str> {
        std::iter::once(self.tag.as_str()).chain(form.languages.iter().map(String::as_str)).collect()
    }
}

/// The world of an input, with the zone of the settings.
pub(crate) fn world(engine: &Engine, session: &Session, input: &Input, event: Option<&chat::Event>) -> World {
    let mut world = World::new(session, input, event);
    world.take_zone(engine.catalog.zone_of(&session.place.platform), ZoneFrom::Settings);
    world
}
