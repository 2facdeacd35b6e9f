//! What came in is handed to the product, and Slack is told so only afterwards.
//!
//! The exception are modals: `views.open` must come within three seconds of the press, so it is answered from the screen
//! as it was drawn, with no turn and no model.

pub(crate) mod ack;
pub(crate) mod channels;
pub(crate) mod names;
pub(crate) mod press;

use std::sync::Arc;

use chat::company::Aim;
use chat::words::{Word, say};
use chat::{Action, Event, EventId, HostError, Named, Place, Queued};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::bot::{Bot, is_quiet, place};
use crate::intake::ack::{Ack, Taken};
use crate::send::urls::Key;
use crate::translate::{Command, Incoming, Message, Shortcut, Who, is_direct};
use crate::{limits, render};

impl Bot {
    /// Queues up what came in behind what the same person did before.
    pub(crate) fn queue(&self, incoming: &Incoming) -> Option<Queued> {
        incoming.who().map(|who| self.frames.queue(&who.id))
    }

    /// Takes what came in, behind what the same person did before.
    pub(crate) async fn receive(self: &Arc<Self>, incoming: Incoming) -> Ack {
        let queued = self.queue(&incoming);
        self.receive_in_turn(incoming, queued).await
    }

    /// Takes what came in, in its turn. Whose message or press could not be stored is told so: Slack says nothing about
    /// the first, and shows no more than a mark at the second.
    pub(crate) async fn receive_in_turn(self: &Arc<Self>, incoming: Incoming, queued: Option<Queued>) -> Ack {
        let _turn = match queued {
            Some(queued) => Some(queued.turn().await),
            None => None,
        };
        let sender = sender(&incoming);
        let ack = self.take_in(incoming).await;
        if let (Ack::Never, Some((who, at, url))) = (&ack, sender)
            && self.told_away.is_due(&chat::UserId::new(&who.id), Timestamp::now())
        {
            self.tell_soon(at, &who, url, Word::Away);
        }
        ack
    }

    async fn take_in(self: &Arc<Self>, incoming: Incoming) -> Ack {
        match incoming {
            Incoming::Challenge(challenge) => Ack::With(json!({"challenge": challenge})),
            Incoming::Message(message) => self.message(message).await,
            Incoming::Home(home) => {
                let bot = self.clone();
                tokio::spawn(async move { bot.publish_home(home).await });
                Ack::Empty
            }
            Incoming::Act(act) => self.act(act).await,
            Incoming::Submission(sent) => self.submission(sent).await,
            Incoming::Closed(view) => {
                self.views.closed(&view);
                Ack::Empty
            }
            Incoming::Suggestion(suggestion) => self.suggestion(suggestion).await,
            Incoming::Command(command) => self.command(command).await,
            Incoming::Shortcut(shortcut) => self.shortcut(shortcut).await,
            Incoming::Nothing => Ack::Empty,
        }
    }

    /// Hands an event to the product, with what is known of who did it: the rest is asked once it is stored.
    pub(crate) async fn accept(self: &Arc<Self>, id: String, who: &Who, place: Place, action: Action) -> Taken {
        let terms = self.terms(who, &place);
        self.accept_on(terms, id, who, place, action).await
    }

    async fn accept_on(
        self: &Arc<Self>,
        terms: chat::Terms,
        id: String,
        who: &Who,
        place: Place,
        action: Action,
    ) -> Taken {
        let (id, user, at) = (EventId::new(id), self.known(&who.id).user(&who.id), Timestamp::now());
        self.accept_event(Event { id, place, user, at, action, terms }).await
    }

    async fn accept_event(&self, event: Event) -> Taken {
        let locale = event.user.locale.clone().unwrap_or_default();
        match self.host.accept(event).await {
            Ok(()) => Taken::Accepted,
            Err(HostError::Unavailable(why)) => {
                tracing::warn!(why, "an event was not stored; slack will send it again");
                Taken::Unavailable
            }
            Err(HostError::Busy { .. } | HostError::Reused) => Taken::Refused(say(Word::SlowDown, &locale).to_owned()),
            Err(HostError::Refused(words)) => Taken::Refused(words),
        }
    }

    /// Hands an event to the product, and tells the person if it was refused.
    pub(crate) async fn accept_or_tell(
        self: &Arc<Self>,
        id: String,
        who: &Who,
        place: Place,
        action: Action,
        url: Option<String>,
    ) -> Ack {
        let taken = self.accept(id, who, place.clone(), action).await;
        self.told(taken, who, place, url)
    }

    /// What Slack is told; the person is told if it was refused.
    fn told(self: &Arc<Self>, taken: Taken, who: &Who, place: Place, url: Option<String>) -> Ack {
        match taken {
            Taken::Accepted => Ack::Empty,
            Taken::Unavailable => Ack::Never,
            Taken::Refused(words) => {
                let (bot, user) = (self.clone(), who.id.clone());
                tokio::spawn(async move { bot.tell_words(&place, &user, url.as_deref(), &words).await });
                Ack::Empty
            }
        }
    }

    async fn message(self: &Arc<Self>, message: Message) -> Ack {
        let at = match self.place_of(&message).await {
            Ok(Some(at)) => at,
            Ok(None) => return Ack::Empty,
            Err(_) => return Ack::Never,
        };
        let who = &message.who;
        let to_desk = self.is_for_desk(&message);
        let overheard = !message.direct && !message.mention && !to_desk;
        let live = self.screens.live(&at, &chat::UserId::new(&who.id)).await.ok().flatten();
        let (bot, name) = (message.direct || message.mention, message.calls_another);
        let aside = !message.below_bot && is_aside(&at, live.as_ref());
        let aim = Aim { bot, reply: false, name, aside };
        if !to_desk && aim.is_for_others(live.as_ref()) {
            return Ack::Empty;
        }
        let forgets = !overheard && message.files.is_empty() && chat::asks_to_be_forgotten(&message.text);
        if !forgets && !to_desk && !self.allows(who, &message.channel, None) {
            // Talk among people is left alone.
            if overheard || message.edited.is_some() {
                return Ack::Empty;
            }
            self.tell_soon(at, who, None, Word::NotAllowed);
            return Ack::Empty;
        }
        let lang = self.known(&who.id).locale.unwrap_or_default();
        let text = self.with_names(&message.marked, live.as_ref(), &lang).await;
        let (id, name) = (message.id(), message.name());
        let action = match (message.files.is_empty(), message.text.is_empty()) {
            (_, true) if message.edited.is_some() => return Ack::Empty,
            _ if message.edited.is_some() => Action::Edit { message: name.clone(), text },
            (false, _) => Action::Attach { files: message.files, text },
            (true, false) => Action::Say { text },
            (true, true) if message.mention => Action::Open { form: None },
            (true, true) => return Ack::Empty,
        };
        let name = matches!(action, Action::Say { .. } | Action::Attach { .. }).then_some(name);
        let terms = chat::Terms { overheard, message: name, ..self.terms(who, &at) };
        let taken = self.accept_on(terms, id, who, at.clone(), action).await;
        // Who fills a form together talks among each other too, which gets no answer.
        let talk = overheard && live.is_some_and(|screen| screen.reply.shared);
        if matches!(taken, Taken::Accepted) && !talk && message.edited.is_none() {
            self.show_at_work(&at, &lang);
        }
        self.told(taken, &message.who, at, None)
    }

    /// The session that a message belongs to; none where it is none of the bot's business.
    ///
    /// In a channel a thread is a session, and a mention outside of one starts a thread. Without a mention only a person
    /// with something under way is heard.
    async fn place_of(&self, message: &Message) -> Result<Option<Place>, HostError> {
        let (who, user) = (&message.who, &message.who.id);
        let own = place(who, &message.channel, message.thread.as_deref());
        let around = place(who, &message.channel, None);
        if self.is_for_desk(message) {
            return Ok(Some(around));
        }
        if message.direct {
            // What is written below a message of the bot's belongs to it, unless the thread has a session of its own.
            let below = message.thread.is_some() && message.below_bot && !self.is_live(&own, user).await?;
            return Ok(Some(if below { around } else { own }));
        }
        if self.is_live(&own, user).await? {
            return Ok(Some(own));
        }
        let thread = message.thread.as_deref().unwrap_or(&message.ts);
        Ok(message.mention.then(|| place(who, &message.channel, Some(thread))))
    }

    /// Whether a message begins with the code of a case, at a desk.
    fn is_for_desk(&self, message: &Message) -> bool {
        chat::addressed(&message.text).is_some() && self.host.is_desk(&place(&message.who, &message.channel, None))
    }

    async fn command(self: &Arc<Self>, command: Command) -> Ack {
        let who = &command.who;
        let at = if is_direct(&command.channel) {
            self.direct_place(who, &command.channel).await
        } else {
            place(who, &command.channel, None)
        };
        let forms = self.host.forms();
        let form = match (chat::named(&command.text, &forms), forms.as_slice()) {
            (Named::One(form), _) => Some(form.id.clone()),
            (Named::Words, [only]) if command.text.is_empty() => Some(only.id.clone()),
            (Named::Words, _) => None,
            // In the midst of a form the word would be taken for an answer.
            (Named::Nothing, _) if !self.is_live(&at, &who.id).await.unwrap_or(false) => None,
            (Named::Several(_) | Named::Nothing, _) => return self.offer(&command, &forms).await,
        };
        let forgets = form.is_none() && chat::asks_to_be_forgotten(&command.text);
        if !forgets && !self.allows(who, &command.channel, form.as_deref()) {
            return ephemeral(say(Word::NotAllowed, &self.person(&who.id).await.locale.unwrap_or_default()));
        }
        if let Some(url) = command.response_url.as_deref().filter(|_| is_quiet(&at)) {
            self.urls.keep(Key::Say(at.clone(), who.id.clone()), url, Timestamp::now());
        }
        let action = if form.is_some() || command.text.is_empty() {
            Action::Open { form }
        } else {
            Action::Say { text: command.text.clone() }
        };
        let lang = self.known(&who.id).locale.unwrap_or_default();
        match self.accept(format!("cmd/{}", command.trigger), who, at, action).await {
            Taken::Accepted => Ack::Empty,
            // Slack does not send a command again.
            Taken::Unavailable => ephemeral(say(Word::Away, &lang)),
            Taken::Refused(words) => ephemeral(&words),
        }
    }

    /// Answers a command that names no form, or several: with those that the person may start there.
    async fn offer(&self, command: &Command, forms: &[chat::FormCard]) -> Ack {
        let lang = self.person(&command.who.id).await.locale.unwrap_or_default();
        let mut offered = self.forms_for(&command.who, &command.channel);
        let words = match chat::named(&command.text, forms) {
            Named::Several(several) => {
                offered.retain(|form| several.contains(&form));
                say(Word::WhichForm, &lang).to_owned()
            }
            _ => chat::no_such_form(&command.text, &lang),
        };
        let (part, none) = (render::offer(&words, &offered, &lang), offered.is_empty());
        if none {
            return ephemeral(say(Word::NothingHere, &lang));
        }
        Ack::With(json!({"response_type": "ephemeral", "text": part.text, "blocks": part.blocks}))
    }

    /// Whether a person may use a form in a channel; without one, whether any.
    fn allows(&self, who: &Who, channel: &str, form: Option<&str>) -> bool {
        self.access.allows(&asker(who, &[channel]), form)
    }

    /// The terms on which a person acts at a place.
    pub(crate) fn terms(&self, who: &Who, place: &Place) -> chat::Terms {
        chat::Terms { unheard: is_quiet(place), ..self.access.terms(&asker(who, &[&place.channel])) }
    }

    /// The forms that a person may start at a place.
    pub(crate) fn forms_for(&self, who: &Who, channel: &str) -> Vec<chat::FormCard> {
        let mut forms = self.host.forms();
        forms.retain(|form| self.allows(who, channel, Some(&form.id)));
        forms
    }

    async fn shortcut(self: &Arc<Self>, shortcut: Shortcut) -> Ack {
        let who = shortcut.who.clone();
        let channel = shortcut.at.as_ref().map(|(channel, _)| channel.clone()).unwrap_or_default();
        let forms = self.forms_for(&who, &channel);
        let named = shortcut.callback.strip_prefix("form:").unwrap_or(&shortcut.callback);
        let chosen = forms.iter().find(|form| form.id == named).or(match forms.as_slice() {
            [only] => Some(only),
            _ => None,
        });
        let metadata = match &shortcut.at {
            Some((channel, thread)) => json!({"channel": channel, "thread": thread}),
            None => json!({}),
        };
        let Some(form) = chosen else {
            let bot = self.clone();
            tokio::spawn(async move {
                let locale = bot.person(&who.id).await.locale.unwrap_or_default();
                bot.open_view(&shortcut.trigger, &render::picker(&forms, &metadata.to_string(), &locale)).await;
            });
            return Ack::Empty;
        };
        let id = format!("open/{}", shortcut.trigger);
        self.open_form(id, &who, &form.id, &metadata).await.unwrap_or(Ack::Empty)
    }

    /// Starts a form where `metadata` says: in a thread, else in the direct message. None where the person may not, or
    /// there is no place for it.
    pub(crate) async fn open_form(
        self: &Arc<Self>,
        id: String,
        who: &Who,
        form: &str,
        metadata: &Value,
    ) -> Option<Ack> {
        let text = |key: &str| metadata[key].as_str().filter(|text| !text.is_empty());
        let known = self.host.forms().iter().any(|known| known.id == form);
        let channel = text("channel").unwrap_or_default();
        if !known || !self.allows(who, channel, Some(form)) {
            return None;
        }
        let at = match text("channel") {
            Some(channel) if !is_direct(channel) => place(who, channel, text("thread")),
            Some(direct) => self.direct_place(who, direct).await,
            // A person's own id stands for the direct message too.
            None => self.direct_place(who, &who.id).await,
        };
        let action = Action::Open { form: Some(form.to_owned()) };
        Some(self.accept_or_tell(id, who, at, action, None).await)
    }

    /// The direct message with the bot. What was done in one of other persons goes there too; `otherwise` stands where
    /// Slack does not tell it.
    async fn direct_place(&self, who: &Who, otherwise: &str) -> Place {
        match tokio::time::timeout(limits::VIEW_IN, self.direct(&who.id)).await {
            Ok(Ok(direct)) => place(who, &direct, None),
            Ok(Err(_)) | Err(_) => place(who, otherwise, None),
        }
    }

    /// Says a word to one person, without waiting for it.
    pub(crate) fn tell_soon(self: &Arc<Self>, at: Place, who: &Who, url: Option<String>, word: Word) {
        let (bot, user) = (self.clone(), who.id.clone());
        tokio::spawn(async move { bot.tell(&at, &user, url.as_deref(), word).await });
    }
}

/// Whether what a person is asked at a place is shown to them alone, while what they write there is read by all.
fn is_aside(at: &Place, live: Option<&chat::Screen>) -> bool {
    let private = live.is_some_and(|screen| screen.reply.private);
    let shared = live.is_some_and(|screen| screen.reply.shared);
    !is_direct(&at.channel) && (private || (is_quiet(at) && !shared))
}

/// Who can be told that something was not stored, where, and how; none where it is not said to the bot, or Slack says it.
fn sender(incoming: &Incoming) -> Option<(Who, Place, Option<String>)> {
    match incoming {
        Incoming::Message(message) if message.direct || message.mention => {
            let at = place(&message.who, &message.channel, message.thread.as_deref());
            Some((message.who.clone(), at, None))
        }
        Incoming::Act(act) => {
            let at = place(&act.who, act.channel.as_deref()?, act.thread.as_deref());
            Some((act.who.clone(), at, act.response_url.clone()))
        }
        _ => None,
    }
}

/// The answer to a command that only its sender sees.
fn ephemeral(words: &str) -> Ack {
    let part = render::note(words);
    Ack::With(json!({"response_type": "ephemeral", "text": part.text, "blocks": part.blocks}))
}

/// A person who asks from a channel. Slack has no roles.
fn asker<'a>(who: &'a Who, channels: &'a [&'a str]) -> chat::Asker<'a> {
    chat::Asker { workspace: Some(&who.workspace), channels, roles: None, user: &who.id }
}
