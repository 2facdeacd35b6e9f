//! Widgets that were used: by whom, of which screen, and what becomes of it.

use std::sync::Arc;
use std::time::Instant;

use chat::words::{Word, say};
use chat::{Action, Event, EventId, HostError, Input, Press, Pressed, Screen, Token, Wire};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::bot::{Bot, place};
use crate::intake::ack::Ack;
use crate::intake::ack::Taken;
use crate::render;
use crate::send::urls::Key;
use crate::send::views;
use crate::translate::{Act, Click, Collected, Submission, Suggestion, Who, click, collect};
use crate::{limits, text};

/// Characters of a problem shown at a field.
const PROBLEM: usize = 500;
/// Characters of an answer shown where its widget was.
const ANSWER: usize = 1000;

impl Bot {
    pub(crate) async fn act(self: &Arc<Self>, act: Act) -> Ack {
        if act.action_id.starts_with(&format!("{}:", render::START)) {
            return self.start_from_home(&act).await;
        }
        let Ok(wire) = act.action_id.parse::<Wire>() else { return Ack::Empty };
        let channel = act.channel.clone().unwrap_or_default();
        let at = place(&act.who, &channel, act.thread.as_deref());
        let tell = |word| {
            self.tell_soon(at.clone(), &act.who, act.response_url.clone(), word);
            Ack::Empty
        };
        let screen = match self.screens.find(&wire.token.nonce).await {
            Ok(Some(screen)) => screen,
            Ok(None) if self.is_of_desk(&wire, &at) => return self.late_at_desk(&act, &wire, at).await,
            Ok(None) => return tell(Word::Over),
            Err(_) => return Ack::Never,
        };
        if !screen.may_press(&chat::UserId::new(&act.who.id)) {
            return tell(Word::NotYours);
        }
        if screen.over && self.is_of_desk(&wire, &screen.place) {
            return self.late_at_desk(&act, &wire, screen.place).await;
        }
        if screen.over {
            return tell(Word::Over);
        }
        let zone = self.zone_for(&act.who.id, &screen.reply).await;
        let press = match click(&wire, &act.action, zone.as_deref()) {
            Click::Nothing => return Ack::Empty,
            Click::Open => {
                let (bot, trigger, user) = (self.clone(), act.trigger.clone(), act.who.id.clone());
                tokio::spawn(async move { bot.open_modal(&trigger, &screen, &user, zone.as_deref()).await });
                return Ack::Empty;
            }
            Click::Done => {
                let held = collect(&act.values, zone.as_deref()).presses;
                let held = held.into_iter().find(|press| press.token == wire.token);
                match held.filter(|press| is_enough(&screen, press)) {
                    Some(press) => press,
                    None => return tell(Word::TickSomething),
                }
            }
            Click::Press(press) => press,
        };
        let presses = vec![self.named(press).await];
        if screen.words(&presses).is_none() {
            return tell(Word::Over);
        }
        let url = act.response_url.clone().filter(|_| act.ephemeral);
        self.keep_urls(&act, &screen.place);
        let id = format!("act/{}", act.trigger);
        match self.take(id, &act.who, &screen, presses, url).await {
            Taken::Accepted => Ack::Empty,
            Taken::Unavailable => Ack::Never,
            Taken::Refused(words) => {
                let (bot, user, url) = (self.clone(), act.who.id.clone(), act.response_url.clone());
                tokio::spawn(async move { bot.tell_words(&at, &user, url.as_deref(), &words).await });
                Ack::Empty
            }
        }
    }

    /// Keeps the ways to answer a press: by changing its message, and where nobody else sees it, by saying what comes next.
    fn keep_urls(&self, act: &Act, place: &chat::Place) {
        let Some(url) = &act.response_url else { return };
        let now = Timestamp::now();
        if act.ephemeral {
            self.urls.keep(Key::Say(place.clone(), act.who.id.clone()), url, now);
        } else if let Some((channel, ts)) = act.channel.as_ref().zip(act.message.as_ref()) {
            self.urls.keep(Key::Change(format!("{channel}:{ts}")), url, now);
        }
    }

    /// Whether a widget belongs to a case of the desk at a place.
    fn is_of_desk(&self, wire: &Wire, at: &chat::Place) -> bool {
        wire.token.nonce.case().is_some() && self.host.is_desk(at)
    }

    /// A button of a case that does not count any more: the product tells who was faster.
    async fn late_at_desk(self: &Arc<Self>, act: &Act, wire: &Wire, at: chat::Place) -> Ack {
        let presses = vec![Press { token: wire.token.clone(), value: Pressed::Button }];
        let (id, action) = (format!("act/{}", act.trigger), Action::Press { presses });
        self.accept_or_tell(id, &act.who, at, action, act.response_url.clone()).await
    }

    /// Notes what was answered on the screen, then hands the presses to the product.
    async fn take(
        self: &Arc<Self>,
        id: String,
        who: &Who,
        screen: &Screen,
        presses: Vec<Press>,
        url: Option<String>,
    ) -> Taken {
        let Some(nonce) = screen.reply.nonce() else { return Taken::Accepted };
        let answer = shown(screen, &presses);
        let noted = self.amend(nonce, |screen| {
            screen.answer = answer;
            // Only a press says how an ephemeral message can be changed.
            if let Some(url) = url {
                screen.messages = vec![url];
            }
        });
        if let Err(error) = noted.await {
            tracing::warn!(%error, "a screen was not kept");
            return Taken::Unavailable;
        }
        let taken = self.accept(id, who, screen.place.clone(), Action::Press { presses }).await;
        if matches!(taken, Taken::Accepted) {
            self.show_at_work(&screen.place, &screen.reply.lang);
        }
        if !matches!(taken, Taken::Accepted)
            && let Err(error) = self.amend(nonce, |screen| screen.answer = None).await
        {
            tracing::debug!(%error, "a screen was not kept");
        }
        taken
    }

    async fn start_from_home(self: &Arc<Self>, act: &Act) -> Ack {
        let form = act.action["value"].as_str().unwrap_or_default();
        // On App Home its metadata says where; in a message it is where the message is.
        let metadata = act.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let metadata = metadata.unwrap_or_else(|| json!({"channel": act.channel, "thread": act.thread}));
        if let (Some(url), Some(channel)) = (&act.response_url, &act.channel) {
            let at = place(&act.who, channel, act.thread.as_deref());
            self.urls.keep(Key::Say(at, act.who.id.clone()), url, Timestamp::now());
        }
        self.open_form(format!("open/{}", act.trigger), &act.who, form, &metadata).await.unwrap_or(Ack::Empty)
    }

    pub(crate) async fn submission(self: &Arc<Self>, sent: Submission) -> Ack {
        if sent.callback == render::PICK {
            let picked = sent.values.pointer(&format!("/{0}/{0}/selected_option/value", render::LIST));
            let form = picked.and_then(Value::as_str).unwrap_or_default();
            let metadata: Value = serde_json::from_str(&sent.metadata).unwrap_or_default();
            return match self.open_form(format!("open/{}", sent.trigger), &sent.who, form, &metadata).await {
                Some(Ack::Empty) => Ack::With(json!({"response_action": "clear"})),
                Some(ack) => ack,
                None => self.replaced(&sent.who, Word::NotAllowed).await,
            };
        }
        if sent.callback != render::FORM {
            return Ack::Empty;
        }
        let begun = Instant::now();
        let Ok(Token { nonce, .. }) = format!("{}.0", sent.metadata).parse::<Token>() else { return Ack::Empty };
        let Ok(screen) = self.screens.find(&nonce).await else { return Ack::Never };
        let over = screen.as_ref().filter(|screen| screen.over && nonce.case().is_some());
        if let Some(over) = over.filter(|over| self.host.is_desk(&over.place)) {
            let presses = vec![Press { token: Token::new(&nonce, 0), value: Pressed::Button }];
            let id = format!("form/{}", sent.trigger);
            return match self.accept(id, &sent.who, over.place.clone(), Action::Press { presses }).await {
                Taken::Unavailable => Ack::Never,
                Taken::Accepted | Taken::Refused(_) => Ack::With(json!({"response_action": "clear"})),
            };
        }
        let Some(screen) = screen.filter(|screen| !screen.over) else {
            return self.replaced(&sent.who, Word::Over).await;
        };
        if !screen.may_press(&chat::UserId::new(&sent.who.id)) {
            return self.replaced(&sent.who, Word::NotYours).await;
        }
        let zone = self.zone_for(&sent.who.id, &screen.reply).await;
        let mut collected = collect(&sent.values, zone.as_deref());
        collected.presses.extend(collected.empty());
        collected.presses.retain(|press| screen.words(std::slice::from_ref(press)).is_some());
        if collected.presses.is_empty() {
            return errors(&collected, &[(None, say(Word::TickSomething, &screen.reply.lang).to_owned())]);
        }
        let word = say(Word::TickSomething, &screen.reply.lang);
        for press in &mut collected.presses {
            match nothing_ticked(&screen, press) {
                Some(true) => collected.faults.push((Some(press.token.clone()), word.to_owned())),
                Some(false) => press.value = Pressed::Empty,
                None => {}
            }
        }
        let mut presses = Vec::new();
        for press in std::mem::take(&mut collected.presses) {
            presses.push(self.named(press).await);
        }
        self.rehearsed(sent, screen, &collected, presses, begun).await
    }

    /// Shows what would be wrong at its field; takes the answers where nothing is.
    async fn rehearsed(
        self: &Arc<Self>,
        sent: Submission,
        screen: Screen,
        collected: &Collected,
        presses: Vec<Press>,
        begun: Instant,
    ) -> Ack {
        let id = format!("form/{}", sent.trigger);
        let event = Event {
            id: EventId::new(&*id),
            place: screen.place.clone(),
            user: self.known(&sent.who.id).user(&sent.who.id),
            at: Timestamp::now(),
            action: Action::Press { presses: presses.clone() },
            terms: self.terms(&sent.who, &screen.place),
        };
        match tokio::time::timeout(limits::VIEW_IN, self.host.rehearse(&event)).await {
            Ok(Ok(found)) if !found.is_empty() || !collected.faults.is_empty() => {
                let found = found.into_iter().map(|fault| (Some(fault.token), fault.problem));
                let faults: Vec<_> = collected.faults.iter().cloned().chain(found).collect();
                return errors(collected, &faults);
            }
            Ok(Err(HostError::Unavailable(_))) => return Ack::Never,
            Ok(Err(HostError::Refused(words))) => return errors(collected, &[(None, words)]),
            Ok(Ok(_) | Err(HostError::Busy { .. } | HostError::Reused)) | Err(_) if !collected.faults.is_empty() => {
                return errors(collected, &collected.faults);
            }
            // What could not be tried in time is told in the chat.
            Ok(Ok(_) | Err(HostError::Busy { .. } | HostError::Reused)) | Err(_) => {}
        }
        let next = self.views.expects(&screen.place, &sent.who.id);
        // What comes of it may come at once.
        self.views.closed(&sent.view);
        let still_open = || {
            if let Some(nonce) = screen.reply.nonce() {
                self.views.shows(nonce, &json!({"id": sent.view}), &sent.who.id);
            }
        };
        match self.take(id, &sent.who, &screen, presses, None).await {
            Taken::Accepted => self.next_view(&sent.view, &sent.who.id, &screen, next, begun).await,
            Taken::Unavailable => {
                still_open();
                Ack::Never
            }
            Taken::Refused(words) => {
                still_open();
                errors(collected, &[(None, words)])
            }
        }
    }

    /// A modal that says a word in place of its fields.
    async fn replaced(&self, who: &Who, word: Word) -> Ack {
        let locale = self.person(&who.id).await.locale.unwrap_or_default();
        Ack::With(json!({"response_action": "update", "view": views::note(word, &locale)}))
    }

    pub(crate) async fn suggestion(&self, suggestion: Suggestion) -> Ack {
        let nothing = || Ack::With(render::suggestions(None, ""));
        let Ok(wire) = suggestion.action_id.parse::<Wire>() else { return nothing() };
        match self.screens.find(&wire.token.nonce).await {
            Ok(Some(screen)) if screen.may_press(&chat::UserId::new(&suggestion.who.id)) => {
                Ack::With(render::suggestions(screen.reply.question(&wire.token), &suggestion.query))
            }
            Ok(_) => nothing(),
            Err(_) => Ack::Never,
        }
    }
}

/// Whether as many options are ticked as must be.
fn is_enough(screen: &Screen, press: &Press) -> bool {
    let Some(question) = screen.reply.question(&press.token) else { return false };
    match (&question.input, &press.value) {
        (Input::Options { min, .. }, Pressed::Options { tokens }) => {
            !tokens.is_empty() || (*min == 0 && !question.required)
        }
        _ => true,
    }
}

/// Whether a list of which several may be picked was sent without a pick, and must have one; none where all is well.
fn nothing_ticked(screen: &Screen, press: &Press) -> Option<bool> {
    let question = screen.reply.question(&press.token)?;
    let Input::Options { multiple: true, min, .. } = &question.input else { return None };
    let Pressed::Options { tokens } = &press.value else { return None };
    (tokens.is_empty() && (question.required || *min > 0)).then_some(question.required)
}

/// The answer in the screen's words; none where it is for the person's eyes only.
fn shown(screen: &Screen, presses: &[Press]) -> Option<String> {
    let secret = |press: &Press| {
        let question = screen.reply.question(&press.token);
        question.is_some_and(|question| matches!(question.input, Input::Text { secret: true, .. }))
    };
    if screen.reply.private || presses.iter().any(secret) {
        return None;
    }
    let line = |press: &Press| {
        let words = screen.words(std::slice::from_ref(press))?;
        // `<@U1|Ada>` is shown as the name alone: an answer pings nobody.
        let mention = words.strip_prefix("<@").or_else(|| words.strip_prefix("<#"));
        let mention = mention.and_then(|rest| rest.strip_suffix('>')).and_then(|inner| inner.split_once('|'));
        let words = mention.map_or(words.clone(), |(_, name)| name.to_owned());
        match screen.reply.question(&press.token).filter(|_| presses.len() > 1) {
            Some(question) => Some(format!("{}: {words}", question.label)),
            None => Some(words),
        }
    };
    let filled = presses.iter().filter(|press| press.value != Pressed::Empty);
    let lines: Vec<String> = filled.filter_map(line).collect();
    Some(text::cut(&lines.join("\n"), ANSWER)).filter(|answer| !answer.is_empty())
}

/// The answer to a modal that shows problems at their fields; what has no field there stands at the first.
fn errors(collected: &Collected, faults: &[(Option<Token>, String)]) -> Ack {
    let Some(first) = collected.blocks.values().next() else { return Ack::Empty };
    let mut errors = serde_json::Map::new();
    for (token, problem) in faults {
        let question = token.as_ref().map(|token| Token { option: None, ..token.clone() });
        let block = question.and_then(|token| collected.blocks.get(&token)).unwrap_or(first);
        errors.entry(block.clone()).or_insert_with(|| json!(text::label(problem, PROBLEM)));
    }
    Ack::With(json!({"response_action": "errors", "errors": errors}))
}
