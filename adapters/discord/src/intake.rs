//! What comes in, over the gateway or over HTTP alike: it is stored, and then answered.
//!
//! An interaction must be answered within 3 s, and a window can only be the first answer to it: everything here is a few
//! reads and writes of the store, without a model and without Discord.

mod memory;
mod press;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use chat::words::{Word, say};
use chat::{Action, Host, HostError, Nonce, Place, Reply, Screen, Screens, Shown};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::limits;
use crate::notes::{Hook, Notes, Watched};
use crate::render::{self, commands};
use crate::send::Looks;
use crate::settings::DiscordSettings;
use crate::translate::{self, Done, Heard, Interaction, Who};
use memory::Memory;

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

/// What became of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    /// It was not for the bot.
    NotMeant,
    /// It was stored.
    Stored {
        /// It holds a secret that others could read.
        exposed: bool,
    },
    /// It was not stored, and these are words for its sender.
    Declined(String),
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

    fn choices(&self, who: &Who, typed: &str) -> Answer {
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let mut forms = self.host.forms();
        forms.retain(|form| self.settings.allows(who, Some(&form.id)));
        Answer::new(8, json!({"choices": commands::choices(&forms, typed, lang)}))
    }

    /// Says, to the person alone, why there is no form, and which they may use instead.
    fn offer(&self, who: &Who, why: &str, lang: &str) -> Answer {
        const LISTED: usize = 20;
        let mut forms = self.host.forms();
        forms.retain(|form| self.settings.allows(who, Some(&form.id)));
        let mut lines: Vec<String> = forms.iter().take(LISTED).map(|form| commands::listed(form, lang)).collect();
        lines.extend((forms.len() > LISTED).then(|| "…".to_owned()));
        let rest = if lines.is_empty() { say(Word::NothingHere, lang) } else { say(Word::WhichForm, lang) };
        Answer::whisper(&format!("{why}\n{rest}\n{}", lines.join("\n")))
    }

    async fn command(
        &self,
        interaction: &Interaction,
        name: &str,
        form: Option<&str>,
        now: Timestamp,
    ) -> Result<Answer, HostError> {
        let who = &interaction.who;
        let lang = who.user.locale.as_deref().unwrap_or_default();
        let place = self.begun_at(&who.place, &who.user.id).await?.unwrap_or_else(|| who.place.clone());
        let forms = self.host.forms();
        let action = match form {
            None if name == commands::ANY => Action::Open { form: None },
            _ if name == commands::FORGET => Action::Say { text: say(Word::SayForget, lang).to_owned() },
            Some(named) if name == commands::ANY => {
                let same = |form: &&chat::FormCard| {
                    let titles = [form.title.to_lowercase(), form.words_in(lang).title.to_lowercase()];
                    form.id == named || titles.contains(&named.to_lowercase())
                };
                match forms.iter().find(same) {
                    Some(form) => Action::Open { form: Some(form.id.clone()) },
                    // A sentence may ask for a form too; a name alone is one that there is none of.
                    None if named.trim().contains(char::is_whitespace) => Action::Say { text: named.to_owned() },
                    None => return Ok(self.offer(who, &no_such_form(named, lang), lang)),
                }
            }
            _ => match commands::form(name, &forms) {
                Some(form) => Action::Open { form: Some(form.id.clone()) },
                None => return Ok(self.offer(who, &no_such_form(name, lang), lang)),
            },
        };
        let form = if let Action::Open { form } = &action { form.as_deref() } else { None };
        // Whoever may fill in nothing here may be forgotten all the same.
        if name != commands::FORGET && !self.settings.allows(who, form) {
            return Ok(self.offer(who, say(Word::NotAllowed, lang), lang));
        }
        let hidden = !place.workspace.is_empty() && self.shown_form(form) != Shown::Here;
        let waits = if hidden { Waits::Alone } else { Waits::Openly };
        self.open_hook(interaction, &place, waits, now).await?;
        let mut event = who.event(press::event_id(interaction).to_string(), now, action);
        event.terms = self.settings.terms(who, &who.place);
        event.place = place.clone();
        if let Err(error) = self.host.accept(event).await {
            self.close_hook(interaction, &place, now).await?;
            return Err(error);
        }
        Ok(if hidden { Answer::new(5, json!({"flags": limits::FLAG_EPHEMERAL})) } else { Answer::bare(5) })
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

    /// Whether something is being asked of who wrote a message, where they wrote it.
    pub(crate) async fn is_asked(&self, heard: &Heard) -> Result<bool, HostError> {
        Ok(self.screens.live(&heard.who.place, &heard.who.user.id).await?.is_some())
    }

    /// Takes in a message.
    ///
    /// # Errors
    /// [`HostError::Unavailable`]: it was not stored and must be taken in again.
    pub(crate) async fn message(&self, mut heard: Heard, now: Timestamp) -> Result<Taken, HostError> {
        let Some(action) = heard.action() else { return Ok(Taken::NotMeant) };
        let user = heard.who.user.id.clone();
        let to_desk = matches!(&action, Action::Say { text } | Action::Attach { text, .. } if chat::addressed(text).is_some())
            && self.host.is_desk(&heard.who.place);
        let channel = heard.who.place.channel.clone();
        let guild = heard.who.place.workspace.clone();
        let terms = self.settings.terms(&heard.who, &heard.who.place);
        let mut terms = chat::Terms { overheard: !heard.addressed && !to_desk, ..terms };
        let mut live = self.screens.live(&heard.who.place, &user).await?;
        if heard.who.direct()
            && let Some(aside) = self.notes.aside(&user).await?.filter(|aside| aside.channel == channel)
            && let Some(screen) = self.screens.find(&aside.nonce).await?.filter(|screen| !screen.over)
        {
            heard.who.place = screen.place.clone();
            terms.forms = None;
            live = Some(screen);
        } else if let Some(place) = self.begun_at(&heard.who.place, &user).await? {
            live = self.screens.live(&place, &user).await?;
            heard.who.place = place;
            terms = self.settings.terms(&heard.who, &heard.who.place);
        } else if !heard.addressed && live.as_ref().is_some_and(|screen| self.is_alone(screen)) {
            // What is asked of one person alone is not what is talked about here.
            live = None;
        }
        let own = heard.who.place.channel != channel;
        if !to_desk && ((!heard.addressed && !own && live.is_none()) || heard.aim().is_for_others(live.as_ref())) {
            return Ok(Taken::NotMeant);
        }
        heard.who.user.locale = self.language(&user).await?;
        let forgets = matches!(&action, Action::Say { text } if chat::asks_to_be_forgotten(text)) && !terms.overheard;
        if !forgets && !to_desk && !self.settings.allows(&heard.who, None) {
            // Talk among people is left alone, and so is what was turned away when it was written.
            let others = terms.overheard && live.as_ref().is_none_or(|screen| screen.reply.shared);
            if others || heard.edited.is_some() {
                return Ok(Taken::NotMeant);
            }
            let lang = live.map(|screen| screen.reply.lang).or(heard.who.user.locale).unwrap_or_default();
            return Ok(Taken::Declined(say(Word::NotAllowed, &lang).to_owned()));
        }
        let lang = live.as_ref().map(|screen| screen.reply.lang.clone());
        let lang = lang.or(heard.who.user.locale.clone()).unwrap_or_default();
        let mut event = heard.who.event(heard.event_id(), now, action);
        event.terms = terms;
        event.terms.message = heard.edited.is_none().then(|| heard.message());
        match self.host.accept(event).await {
            Ok(()) => {}
            Err(error @ HostError::Unavailable(_)) => return Err(error),
            Err(HostError::Busy { .. } | HostError::Reused) => {
                return Ok(Taken::Declined(say(Word::SlowDown, &lang).to_owned()));
            }
            Err(HostError::Refused(words)) => return Ok(Taken::Declined(words)),
        }
        self.watch(&channel, &guild, &heard.id).await?;
        let exposed = !guild.is_empty() && live.as_ref().is_some_and(|screen| screen.reply.private);
        if let Some(nonce) = live.as_ref().and_then(|screen| screen.reply.nonce()).filter(|_| heard.edited.is_none()) {
            self.hear(nonce);
        }
        Ok(Taken::Stored { exposed })
    }

    /// Notes how far a channel was read.
    pub(crate) async fn watch(&self, channel: &str, guild: &str, message: &str) -> Result<(), HostError> {
        let mut watched = self.watched.lock().await;
        let known = match watched.take() {
            Some(known) => known,
            None => self.notes.watched().await?,
        };
        let known = watched.insert(known);
        if known.note(channel, guild, message) {
            self.notes.keep_watched(known).await?;
        }
        Ok(())
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

fn no_such_form(name: &str, lang: &str) -> String {
    say(Word::NoSuchForm, lang).replace("{name}", &render::text::clip(name, 64))
}

/// Why something was not taken, in words for the person alone. Discord does not send it again.
fn declined(error: &HostError, lang: &str) -> Answer {
    match error {
        HostError::Unavailable(_) => Answer::word(Word::TooLate, lang),
        HostError::Busy { .. } | HostError::Reused => Answer::word(Word::SlowDown, lang),
        HostError::Refused(words) => Answer::whisper(words),
    }
}
