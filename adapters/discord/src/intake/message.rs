//! Messages: whether one is for the bot, to which session it belongs, and how far channels were read.

use chat::words::{Word, say};
use chat::{Action, HostError};
use formwright_chat as chat;
use jiff::Timestamp;

use super::Intake;
use crate::translate::Heard;

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

impl Intake {
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
        let terms = self.terms(&heard.who, &heard.who.place, None);
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
            terms = self.terms(&heard.who, &heard.who.place, None);
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
}
