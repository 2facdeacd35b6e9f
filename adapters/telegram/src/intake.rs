//! Updates come in. An update counts as received once the product has stored what it says; only then is Telegram told.

pub(crate) mod album;
mod edited;
pub(crate) mod popup;
pub(crate) mod refused;
pub(crate) mod waiting;
pub(crate) mod weigh;

use std::sync::Arc;

use formwright_chat::words::{Word, say};
use formwright_chat::{
    Action, Asker, CaseCode, Event, EventId, HostError, Input, Link, Nonce, Place, Prefill, Press, Pressed, Screen,
    User, UserId, Wire, addressed, asks_to_be_forgotten,
};
use jiff::Timestamp;
use serde_json::Value;

use self::refused::{Unstored, no_such_form, refusal_words, unstored};
use crate::core::{Core, Kind, Worn};
use crate::send::note_key;
use crate::settings::Groups;
use crate::translate::press::{self, Turn};
use crate::translate::{self, Doing, Incoming, Said, Setting, What, route};

/// What a person was asked last, and where their answer belongs.
struct Asked {
    screen: Option<Screen>,
    place: Place,
    /// The question is of a group's session, but was put in private.
    aside: bool,
}

impl Core {
    /// Takes one update. What no person did, or does not concern the bot, is taken too.
    pub(crate) async fn take(self: &Arc<Self>, update: &Value) -> Result<(), Unstored> {
        if let Some((from, to)) = translate::moved(update) {
            return self.has_moved(from, to).await.map_err(unstored);
        }
        let Some(incoming) = translate::read(update, &self.me) else { return Ok(()) };
        let message = match &incoming.what {
            What::Pressed { message, .. } => *message,
            What::Said(said) | What::Edited(said) => Some(said.message),
        };
        message.into_iter().for_each(|message| self.saw(incoming.chat.id, message));
        match &incoming.what {
            What::Pressed { query, wire, message } => self.pressed(&incoming, query, wire.as_ref(), *message).await,
            What::Said(said) => self.said(&incoming, said).await,
            What::Edited(said) => self.edited(&incoming, said).await,
        }
    }

    async fn pressed(
        self: &Arc<Self>,
        incoming: &Incoming,
        query: &str,
        wire: Option<&Wire>,
        message: Option<i64>,
    ) -> Result<(), Unstored> {
        let lang = incoming.from.locale.as_deref().unwrap_or_default();
        let user = UserId::new(incoming.from.id.to_string());
        let alert = |word: Word, lang: &str| self.answer(query, Some(say(word, lang)));
        let Some(wire) = wire else {
            alert(Word::Over, lang);
            return Ok(());
        };
        let lock = self.lock(wire.token.nonce.as_str());
        let _one_at_a_time = lock.lock().await;
        let found = self.screens.find(&wire.token.nonce).await.map_err(unstored)?;
        let case = wire.token.nonce.case().filter(|_| self.host.is_desk(&self.place(&incoming.chat)));
        let Some(mut screen) = found else {
            if let Some(code) = case {
                return self.late_at_desk(incoming, &code, query, wire).await;
            }
            alert(Word::Over, lang);
            return Ok(());
        };
        if !screen.may_press(&user) {
            alert(Word::NotYours, lang);
            return Ok(());
        }
        let id = self.event_id(incoming);
        if screen.over && screen.seen.contains(&id) {
            // It was taken, and comes again because Telegram was not told in time: no press of an old button.
            self.answer(query, None);
            self.show_over(&screen);
            return Ok(());
        }
        if screen.over {
            self.strip(&screen, incoming.chat.id, message);
            if let Some(code) = case {
                return self.late_at_desk(incoming, &code, query, wire).await;
            }
            alert(Word::Over, &screen.reply.lang);
            return Ok(());
        }
        let lang = screen.reply.lang.clone();
        match press::read(&screen, wire) {
            Turn::Take(press) => {
                screen.answer = press::words(&screen, &press);
                let pressed =
                    message.map(|id| Worn { chat: incoming.chat.id, message: id, kind: Kind::Inline }.to_string());
                // A message that was sent twice is known by its press, and loses its buttons with the other one.
                screen
                    .messages
                    .extend(pressed.filter(|id| !screen.messages.is_empty() && !screen.messages.contains(id)));
                screen.sees(&id);
                self.screens.keep(&screen).await.map_err(unstored)?;
                let event = self.event(incoming, screen.place.clone(), Action::Press { presses: vec![press] });
                if !self.hand_in_press(event, case.as_ref(), query, &lang).await? {
                    screen.answer = None;
                    self.screens.keep(&screen).await.map_err(unstored)?;
                }
            }
            Turn::Show(view) => {
                self.answer(query, None);
                self.redraw(screen, view, incoming.chat.id, message);
            }
            Turn::Tick(option, view) => {
                // A tick that comes again must not take itself back.
                if screen.sees(&id) {
                    screen.tick(&option);
                    self.screens.keep(&screen).await.map_err(unstored)?;
                }
                self.answer(query, None);
                self.redraw(screen, view, incoming.chat.id, message);
            }
            Turn::Idle => self.answer(query, None),
            Turn::TickFirst => alert(Word::TickSomething, &lang),
            Turn::TickedEnough => alert(Word::TickedEnough, &lang),
            Turn::Unknown => alert(Word::Over, &lang),
        }
        Ok(())
    }

    /// Gives a press to the product, and answers it; false where it was refused. A case answers by itself.
    async fn hand_in_press(
        self: &Arc<Self>,
        event: Event,
        case: Option<&CaseCode>,
        query: &str,
        lang: &str,
    ) -> Result<bool, Unstored> {
        if let Some(code) = case {
            self.waits_for_case(code, &event.user.id, query);
        }
        let Err(refusal) = self.host.accept(event).await else {
            if case.is_none() {
                self.answer(query, None);
            }
            return Ok(true);
        };
        self.waits_in_vain(query);
        if let HostError::Unavailable(why) = refusal {
            return Err(Unstored(why));
        }
        self.answer(query, Some(&refusal_words(&refusal, lang)));
        Ok(false)
    }

    /// A button of a case that does not count any more: the product tells who was faster.
    async fn late_at_desk(
        self: &Arc<Self>,
        incoming: &Incoming,
        code: &CaseCode,
        query: &str,
        wire: &Wire,
    ) -> Result<(), Unstored> {
        let press = Press { token: wire.token.clone(), value: Pressed::Button };
        let event = self.event(incoming, self.place(&incoming.chat), Action::Press { presses: vec![press] });
        let lang = incoming.from.locale.as_deref().unwrap_or_default();
        self.hand_in_press(event, Some(code), query, lang).await.map(|_| ())
    }

    async fn said(self: &Arc<Self>, incoming: &Incoming, said: &Said) -> Result<(), Unstored> {
        let user = UserId::new(incoming.from.id.to_string());
        let group = !incoming.chat.private;
        let lang = incoming.from.locale.as_deref().unwrap_or_default();
        if let Some(text) = self.for_desk(incoming, said) {
            let files = said.files.clone();
            let action = if files.is_empty() { Action::Say { text } } else { Action::Attach { files, text } };
            return self.hand_in(incoming, self.event(incoming, self.place(&incoming.chat), action)).await;
        }
        let asked = self.asked(incoming, &user).await.map_err(unstored)?;
        let forms = self.host.forms();
        let worded = asked
            .screen
            .as_ref()
            .is_some_and(|screen| Worn::of(screen).any(|worn| matches!(worn.kind, Kind::Keyboard | Kind::Force)));
        let setting =
            Setting { group, live: asked.screen.as_ref(), worded, bot: &self.me.username, forms: &forms, lang };
        let mut place = asked.place.clone();
        let mut prefill = Prefill::default();
        let action = match route(said, &setting) {
            Doing::Nothing => return Ok(()),
            Doing::NoSuchForm(name) => {
                self.offer(incoming, &no_such_form(&name, lang), lang);
                return Ok(());
            }
            Doing::Start(with) => match self.start(incoming, &user, &with).await.map_err(unstored)? {
                Some((action, brought)) => {
                    prefill = brought;
                    action
                }
                None => return Ok(()),
            },
            Doing::Act(mut action) => {
                self.weigh(&mut action, asked.screen.as_ref()).await;
                action
            }
        };
        let form = match &action {
            Action::Open { form } => form.as_deref(),
            _ => None,
        };
        let forgets = matches!(&action, Action::Say { text } if asks_to_be_forgotten(text)) && (!group || said.to_us);
        if !forgets && !self.settings.allows(incoming.chat.id, incoming.from.id, form) {
            // Idle talk in a group that the bot does not serve is left alone.
            match form {
                Some(_) => self.offer(incoming, say(Word::NotAllowed, lang), lang),
                None if !group || said.to_us => self.tell(incoming, say(Word::NotAllowed, lang)),
                None => {}
            }
            return Ok(());
        }
        if let (Action::Open { .. }, true) = (&action, asked.aside) {
            // A form of one's own begins: what a group asked in private waits.
            place = self.place(&incoming.chat);
            self.mark_aside(&user, None).await.map_err(unstored)?;
        }
        let idle_words = said.to_us && asked.screen.is_none() && says(&action);
        if group && self.settings.groups == Groups::Private && (form.is_some() || idle_words) {
            self.lead_aside(incoming, form, lang);
            return Ok(());
        }
        if group {
            let key = note_key("heard", &place, &user);
            self.remember(&key, Some(&user), Some(&said.message)).await.map_err(unstored)?;
        }
        let secret = asked.screen.as_ref().is_some_and(is_secret) && says(&action);
        let mut event = self.event(incoming, place, action);
        event.terms.overheard = group && !said.to_us && says(&event.action);
        event.terms.prefill = prefill;
        event.terms.message = edited::name(incoming, said, &event.action);
        if let (Some(album), Action::Attach { .. }) = (&said.album, &event.action) {
            return self.gather(&format!("{}/{album}", incoming.chat.id), event).await.map_err(unstored);
        }
        self.hand_in(incoming, event).await?;
        if secret {
            self.delete(incoming.chat.id, said.message);
        }
        Ok(())
    }

    /// What a message says about a case, at a desk: it begins with the code, or answers a message that names it.
    fn for_desk(&self, incoming: &Incoming, said: &Said) -> Option<String> {
        let named = addressed(&said.text).map(|_| said.text.clone());
        let answers = || said.case.as_ref().map(|code| format!("#{code} {}", said.text));
        named.or_else(answers).filter(|_| self.host.is_desk(&self.place(&incoming.chat)))
    }

    /// Gives an event to the product and shows that it is at work.
    async fn hand_in(self: &Arc<Self>, incoming: &Incoming, event: Event) -> Result<(), Unstored> {
        let lang = event.user.locale.clone().unwrap_or_default();
        match self.host.accept(event).await {
            Ok(()) => self.typing(incoming),
            Err(HostError::Unavailable(why)) => return Err(Unstored(why)),
            Err(refusal) => self.tell(incoming, &refusal_words(&refusal, &lang)),
        }
        Ok(())
    }

    /// What the person was asked last here, or in private on behalf of a group.
    async fn asked(&self, incoming: &Incoming, user: &UserId) -> Result<Asked, HostError> {
        let place = self.place(&incoming.chat);
        if incoming.chat.private
            && let Some(nonce) = self.recall::<Nonce>(&format!("aside/{user}")).await?
            && let Some(screen) =
                self.screens.find(&nonce).await?.filter(|screen| !screen.over && screen.owner == *user)
        {
            return Ok(Asked { place: screen.place.clone(), screen: Some(screen), aside: true });
        }
        Ok(Asked { screen: self.screens.live(&place, user).await?, place, aside: false })
    }

    /// `/start`, alone or with what a link brought: a form, one with values, or a question that a group's session asks in
    /// private.
    async fn start(
        self: &Arc<Self>,
        incoming: &Incoming,
        user: &UserId,
        with: &str,
    ) -> Result<Option<(Action, Prefill)>, HostError> {
        if incoming.chat.private {
            let (core, user) = (Arc::clone(self), incoming.from.id);
            self.spawn(async move { core.set_menu_of(user).await });
        }
        let known = |id: &str| self.host.forms().into_iter().any(|form| form.id == id);
        if let Some(link) = Link::read_base64(with).filter(|link| known(&link.form)) {
            return Ok(Some((Action::Open { form: Some(link.form) }, link.prefill)));
        }
        let question = format!("{with}.0").parse::<formwright_chat::Token>().ok().map(|token| token.nonce);
        if let Some(nonce) = question.as_ref().filter(|_| incoming.chat.private)
            && let Some(screen) = self.screens.find(nonce).await?
        {
            let lang = screen.reply.lang.clone();
            if screen.owner != *user {
                self.tell(incoming, say(Word::NotYours, &lang));
            } else if screen.over {
                self.tell(incoming, say(Word::Over, &lang));
            } else {
                self.mark_aside(user, Some(nonce)).await?;
                let core = Arc::clone(self);
                self.spawn(async move {
                    if let Err(error) = core.move_aside(screen).await {
                        tracing::warn!(%error, "a private question could not be put");
                    }
                });
            }
            return Ok(None);
        }
        let lang = incoming.from.locale.as_deref().unwrap_or_default();
        if question.is_some() {
            self.tell(incoming, say(Word::Over, lang));
            return Ok(None);
        }
        let form = Some(with.to_owned()).filter(|form| known(form));
        if form.is_none() && !with.is_empty() {
            self.offer(incoming, &no_such_form(with, lang), lang);
            return Ok(None);
        }
        Ok(Some((Action::Open { form }, Prefill::default())))
    }

    fn event(&self, incoming: &Incoming, place: Place, action: Action) -> Event {
        let from = &incoming.from;
        // A group that moved keeps its place, and is known to rules by the id it has now.
        let here = place == self.place(&incoming.chat);
        let chat = if here { incoming.chat.id.to_string() } else { place.channel.clone() };
        let user = from.id.to_string();
        let asker = Asker { workspace: None, channels: &[&chat], roles: None, user: &user };
        let terms = self.settings.access.terms(&asker);
        Event {
            id: self.event_id(incoming),
            place,
            user: User {
                id: UserId::new(from.id.to_string()),
                name: from.name.clone(),
                locale: from.locale.clone(),
                zone: None,
            },
            at: Timestamp::now(),
            action,
            terms,
        }
    }

    /// The bot's own number keeps two bots apart that use one store.
    fn event_id(&self, incoming: &Incoming) -> EventId {
        EventId::new(format!("{}:{}", self.me.id, incoming.update))
    }
}

/// Whether the answer to a screen is for nobody's eyes.
fn is_secret(screen: &Screen) -> bool {
    let secret = |input: &Input| matches!(input, Input::Text { secret: true, .. });
    let mut questions = screen.reply.questions.iter();
    !screen.reply.questions.is_empty() && (screen.reply.private || questions.any(|question| secret(&question.input)))
}

/// Whether the message holds the answer itself.
fn says(action: &Action) -> bool {
    match action {
        Action::Say { .. } | Action::Attach { .. } | Action::Share { .. } => true,
        Action::Press { presses } => {
            presses.iter().any(|press| !matches!(press.value, formwright_chat::Pressed::Button))
        }
        Action::Open { .. }
        | Action::Start { .. }
        | Action::Case { .. }
        | Action::Edit { .. }
        | Action::ToolResults { .. } => false,
    }
}
