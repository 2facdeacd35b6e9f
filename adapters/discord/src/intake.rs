//! What comes in, over the gateway or over HTTP alike: it is stored, and then answered.
//!
//! An interaction must be answered within 3 s, and a window can only be the first answer to it: everything here is a few
//! reads and writes of the store, without a model and without Discord.

mod access;
mod command;
mod memory;
mod message;
pub(crate) mod notes;
mod press;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use chat::words::{Word, say};
use chat::{Host, HostError, Nonce, Place, Reply, Screen, Screens, Shown};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::intake::notes::{Hook, Notes, Watched};
use crate::limits;
use crate::render;
use crate::send::Looks;
use crate::settings::{DiscordSettings, Transport};
use crate::translate::{self, Done, Interaction, Who};
use memory::Memory;
pub(crate) use message::Taken;

/// Takes in what people do.
pub(crate) struct Intake {
    pub(crate) settings: DiscordSettings,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) screens: Screens,
    pub(crate) notes: Notes,
    pub(crate) me: Me,
    /// How messages look that have served.
    pub(crate) looks: Arc<Looks>,
    pub(crate) memory: Memory,
    /// Screens that were answered in words since they were drawn.
    heard: Mutex<BTreeSet<Nonce>>,
    /// The languages of people met lately.
    languages: Mutex<BTreeMap<chat::UserId, String>>,
    /// Changes of one screen come one after the other.
    locks: Vec<tokio::sync::Mutex<()>>,
    /// The channels read so far; none before they were loaded.
    watched: tokio::sync::Mutex<Option<Watched>>,
}

/// Who the bot is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Me {
    /// Its account.
    pub(crate) user: String,
    /// Its application.
    pub(crate) application: String,
    /// Its name.
    pub(crate) name: String,
    /// What is written in servers can be read.
    pub(crate) reads: bool,
    /// How it may be installed, as Discord numbers that; empty where it does not tell.
    pub(crate) installs: Vec<u64>,
}

/// How an interaction is answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// As Discord takes it.
    pub(crate) body: Value,
    /// The message that it redraws for good, as screens spell it.
    pub(crate) draws: Option<String>,
}

/// Whether a person is told to wait, before something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// They see what they did.
    Not,
    /// Everybody sees it.
    Openly,
    /// They alone see it.
    Alone,
}

impl Answer {
    fn new(kind: u8, data: Value) -> Self {
        Self { body: json!({"type": kind, "data": data}), draws: None }
    }

    fn bare(kind: u8) -> Self {
        Self { body: json!({"type": kind}), draws: None }
    }

    /// Words for the person alone.
    fn whisper(words: &str) -> Self {
        Self::new(4, render::whisper(words, Vec::new()))
    }

    fn word(word: Word, lang: &str) -> Self {
        Self::whisper(say(word, lang))
    }
}

impl Intake {
    pub(crate) fn new(settings: DiscordSettings, host: Arc<dyn Host>, me: Me) -> Self {
        Self {
            settings,
            screens: Screens::new(chat::Platform::new(crate::PLATFORM), Arc::clone(&host)),
            notes: Notes::new(Arc::clone(&host)),
            host,
            me,
            looks: Arc::default(),
            memory: Memory::new(),
            heard: Mutex::default(),
            languages: Mutex::default(),
            locks: (0..64).map(|_| tokio::sync::Mutex::default()).collect(),
            watched: tokio::sync::Mutex::default(),
        }
    }

    /// Takes in an interaction; none where it is nothing that can be answered.
    pub(crate) async fn interaction(&self, raw: &Value, now: Timestamp) -> Option<Answer> {
        let interaction = self.read(raw)?;
        let lang = interaction.who.user.locale.clone().unwrap_or_default();
        let late = || HostError::Unavailable("the store takes too long".to_owned());
        let answer = tokio::time::timeout(limits::ANSWER_IN, self.answer(&interaction, &lang, now)).await;
        Some(answer.unwrap_or_else(|_| Err(late())).unwrap_or_else(|error| declined(&error, &lang)))
    }

    /// An interaction with this application.
    fn read(&self, raw: &Value) -> Option<Interaction> {
        let for_us = |interaction: &Interaction| {
            interaction.application.is_empty() || interaction.application == self.me.application
        };
        translate::interaction(raw).filter(for_us)
    }

    async fn answer(&self, interaction: &Interaction, lang: &str, now: Timestamp) -> Result<Answer, HostError> {
        if !matches!(interaction.done, Done::Ping | Done::Typing { .. }) {
            self.learn_language(&interaction.who).await;
            if !interaction.present {
                self.memory.shut(&interaction.who.place.channel);
            }
        }
        match &interaction.done {
            Done::Ping => Ok(Answer::bare(1)),
            Done::Typing { typed } => Ok(self.choices(&interaction.who, typed)),
            Done::Command { name, form } => self.command(interaction, name, form.as_deref(), now).await,
            Done::Used(widget) => self.used(interaction, widget, now).await,
            Done::Window { wire, fields, message } => {
                self.window(interaction, wire.as_ref(), fields, message.as_deref(), now).await
            }
            Done::Other => Ok(Answer::word(Word::Over, lang)),
        }
    }

    /// The answer to an interaction that comes while an earlier event waits to be stored: it has no time to wait. None
    /// where it needs no store.
    pub(crate) fn declines(&self, raw: &Value) -> Option<Answer> {
        let interaction = self.read(raw)?;
        let lang = interaction.who.user.locale.as_deref().unwrap_or_default();
        let needs = !matches!(interaction.done, Done::Ping | Done::Typing { .. });
        needs.then(|| declined(&HostError::Unavailable(String::new()), lang))
    }

    /// Notes a person's language where it is new. Without the note their next message is read as before.
    async fn learn_language(&self, who: &Who) {
        let (user, Some(lang)) = (&who.user.id, who.user.locale.as_deref()) else { return };
        let known = self.languages().insert(user.clone(), lang.to_owned());
        if known.as_deref() != Some(lang)
            && let Err(error) = self.notes.keep_language(user, lang).await
        {
            tracing::debug!(%error, "discord: a language was not noted");
        }
    }

    /// The language of somebody who was met lately.
    pub(crate) fn known_language(&self, user: &chat::UserId) -> Option<String> {
        self.languages().get(user).cloned()
    }

    /// The language of who wrote a message, which Discord does not tell.
    async fn language(&self, user: &chat::UserId) -> Result<Option<String>, HostError> {
        match self.known_language(user) {
            Some(known) => Ok(Some(known)),
            None => self.notes.language(user).await,
        }
    }

    fn languages(&self) -> std::sync::MutexGuard<'_, BTreeMap<chat::UserId, String>> {
        let mut languages = self.languages.lock().unwrap_or_else(PoisonError::into_inner);
        if languages.len() > 10_000 {
            languages.clear();
        }
        languages
    }

    /// Where a reply about somebody's form is shown at a place.
    pub(crate) fn shown(&self, place: &Place, reply: &Reply) -> Shown {
        // Everybody sees what all fill in, and what is for a desk; nobody else is in a direct message.
        if place.workspace.is_empty() || reply.shared { Shown::Here } else { self.shown_form(reply.form.as_deref()) }
    }

    /// Where a form is filled in that is begun among others.
    fn shown_form(&self, form: Option<&str>) -> Shown {
        let card = form.and_then(|form| self.host.forms().into_iter().find(|card| card.id == form));
        match card {
            Some(card) if card.shared => Shown::Here,
            card => card.and_then(|card| card.shown).unwrap_or(self.settings.servers),
        }
    }

    /// The terms on which somebody acts at a place, to begin a form where one is named.
    fn terms(&self, who: &Who, place: &Place, form: Option<&str>) -> chat::Terms {
        let among_others = || match self.shown_form(form) {
            Shown::Private => false,
            Shown::Here | Shown::Thread => self.me.reads,
            Shown::Dm => true,
        };
        let listens = self.settings.transport != Transport::Http;
        let unheard = !listens || !place.workspace.is_empty() && !among_others();
        chat::Terms { unheard, ..self.settings.terms(who, place) }
    }

    /// Whether what is asked there is shown to one person alone, in the midst of others or apart from them.
    fn is_alone(&self, screen: &Screen) -> bool {
        let (place, reply) = (&screen.place, &screen.reply);
        let apart = || reply.form.is_some() && self.shown(place, reply) != Shown::Here;
        !place.workspace.is_empty() && (reply.private || apart())
    }

    /// Whether any form is filled in in threads of people's own.
    fn has_rooms(&self) -> bool {
        let thread = Shown::Thread;
        self.settings.servers == thread || self.host.forms().iter().any(|form| form.shown == Some(thread))
    }

    /// The place whose forms somebody fills in in a thread of their own; none where it is none.
    async fn begun_at(&self, place: &Place, user: &chat::UserId) -> Result<Option<Place>, HostError> {
        if place.workspace.is_empty() || !self.has_rooms() {
            return Ok(None);
        }
        let room = self.notes.room(&place.channel).await?;
        Ok(room.filter(|room| room.user == *user).map(|room| room.place))
    }

    /// Notes the right to answer this person, before a reply can ask for it.
    async fn open_hook(
        &self,
        interaction: &Interaction,
        place: &Place,
        waits: Waits,
        now: Timestamp,
    ) -> Result<(), HostError> {
        self.memory.answers(&interaction.token);
        let hook = Hook {
            token: interaction.token.clone(),
            until: now + limits::TOKEN_LIFE,
            thinking: waits != Waits::Not,
            hidden: waits == Waits::Alone,
            channel: interaction.who.place.channel.clone(),
            filled: None,
        };
        self.notes.add_hook(place, &interaction.who.user.id, hook, now).await
    }

    async fn close_hook(&self, interaction: &Interaction, place: &Place, now: Timestamp) -> Result<(), HostError> {
        let user = &interaction.who.user.id;
        let drop = |hooks: &mut Vec<Hook>| hooks.retain(|hook| hook.token != interaction.token);
        self.notes.change_hooks(place, user, now, drop).await
    }

    fn hear(&self, nonce: &Nonce) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        // Screens of people who wrote and never got a reply: forgotten all at once.
        if heard.len() > 10_000 {
            heard.clear();
        }
        heard.insert(nonce.clone());
    }

    /// Whether a screen was answered, by a press or in words. Asked once, when it goes.
    pub(crate) fn was_answered(&self, screen: &Screen) -> bool {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        screen.answer.is_some() || screen.reply.nonce().is_some_and(|nonce| heard.remove(nonce))
    }

    /// Changes a screen as it is in the store.
    pub(crate) async fn change(&self, nonce: &Nonce, change: impl FnOnce(&mut Screen)) -> Result<(), HostError> {
        let _one = self.lock(nonce).await;
        let Some(mut screen) = self.screens.find(nonce).await? else { return Ok(()) };
        change(&mut screen);
        self.screens.keep(&screen).await
    }

    async fn lock(&self, nonce: &Nonce) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        let sum: usize = nonce.as_str().bytes().map(usize::from).sum();
        match self.locks.get(sum % self.locks.len().max(1)) {
            Some(lock) => Some(lock.lock().await),
            None => None,
        }
    }
}

/// Why something was not taken, in words for the person alone. Discord does not send it again.
fn declined(error: &HostError, lang: &str) -> Answer {
    match error {
        HostError::Unavailable(_) => Answer::word(Word::TooLate, lang),
        HostError::Busy { .. } | HostError::Reused => Answer::word(Word::SlowDown, lang),
        HostError::Refused(words) => Answer::whisper(words),
    }
}
