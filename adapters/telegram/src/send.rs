//! Replies go out. A delivery that is tried again goes on where it stopped: what was sent is noted message by message.

pub(crate) mod notices;
pub(crate) mod reach;
pub(crate) mod redraw;

use std::sync::Arc;

use formwright_chat::words::{Word, say};
use formwright_chat::{Delivery, DeliveryError, HostError, Input, Nonce, Question, Reply, Screen, UserId};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::ApiError;
use crate::commands::link;
use crate::core::{Core, Kind, Target, Worn};
use crate::render::{self, Frame, Key, Markup, Message};

/// How far a delivery has come: a note, one for each session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Progress {
    delivery: String,
    /// The screen that this delivery takes the place of.
    before: Option<Nonce>,
    /// What was sent, as [`Worn`] spells it.
    sent: Vec<String>,
    /// The next message may be there already: no answer came back. After which one it would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<i64>,
}

/// One step of a delivery.
struct Step {
    target: Target,
    message: Message,
    kind: Kind,
}

impl Core {
    /// Sends a reply and takes the widgets of the one before away.
    pub(crate) async fn deliver(self: &Arc<Self>, delivery: &Delivery) -> Result<(), DeliveryError> {
        let Some(home) = self.target(&delivery.place) else {
            return Err(DeliveryError::never("the place is no chat of Telegram"));
        };
        if self.pops_up(delivery).await {
            return Ok(());
        }
        let (reply, owner) = (&delivery.reply, &delivery.user);
        let key = session_key("sent", delivery);
        let mut progress: Progress = self.recall(&key).await.map_err(lost)?.unwrap_or_default();
        if progress.delivery != delivery.id.as_str() {
            let live = self.screens.before(delivery).await.map_err(lost)?;
            let before = live.and_then(|screen| screen.reply.nonce().cloned()).filter(|old| reply.nonce() != Some(old));
            progress = Progress { delivery: delivery.id.as_str().to_owned(), before, ..Progress::default() };
            self.remember(&key, Some(owner), Some(&progress)).await.map_err(lost)?;
        }
        let before = match &progress.before {
            Some(nonce) => self.screens.find(nonce).await.map_err(lost)?,
            None => None,
        };
        let before = before.map(|before| Screen { answer: before.given(reply), ..before });
        let screen = Screen::new(owner.clone(), delivery.place.clone(), reply.clone(), Vec::new());
        let draws = reply.nonce().is_some() && !delivery.overtaken;
        if draws && progress.sent.is_empty() {
            // Kept before it is sent: a button may be pressed before Telegram has answered us.
            self.screens.keep(&screen).await.map_err(lost)?;
        }
        self.send_steps(delivery, home, before.as_ref(), &key, &mut progress).await?;
        if let Some(before) = before.filter(|before| !before.over) {
            self.close(before).await?;
        }
        if let Some(nonce) = reply.nonce().filter(|_| draws) {
            let lock = self.lock(nonce.as_str());
            let _one_at_a_time = lock.lock().await;
            // Something may have been ticked meanwhile.
            let kept = self.screens.find(nonce).await.map_err(lost)?;
            let kept = Screen { messages: progress.sent.clone(), ..kept.unwrap_or(screen) };
            self.screens.keep(&kept).await.map_err(lost)?;
        }
        Ok(())
    }

    async fn send_steps(
        self: &Arc<Self>,
        delivery: &Delivery,
        home: Target,
        before: Option<&Screen>,
        key: &str,
        progress: &mut Progress,
    ) -> Result<(), DeliveryError> {
        // At a desk nobody need have started the bot.
        let aside = home.is_group() && delivery.reply.private && delivery.reply.case.is_none();
        let to = if aside { Target::person(&delivery.user) } else { Some(home) };
        let steps = to.map(|to| steps(delivery, to, before)).unwrap_or_default();
        if aside {
            self.mark_aside(&delivery.user, delivery.reply.nonce()).await.map_err(lost)?;
        } else if !home.is_group() && delivery.reply.nonce().is_some() {
            // The newest question is the one that words in this chat answer.
            self.mark_aside(&delivery.user, None).await.map_err(lost)?;
        }
        let alone = home.is_group() && !aside && delivery.reply.case.is_none();
        let answered = if alone { self.heard(delivery).await } else { None };
        for (no, step) in steps.iter().enumerate().skip(progress.sent.len()) {
            let mut body = step.message.json();
            if let Some(message) = answered.filter(|_| no == 0 || step.kind == Kind::Force) {
                body["reply_parameters"] = json!({"message_id": message, "allow_sending_without_reply": true});
            } else if step.kind == Kind::Force && is_for_all(&delivery.reply) {
                // Who has only pressed has no message to be answered, and a selective question would be asked of nobody.
                body["reply_markup"]["selective"] = json!(false);
            }
            let unsure = progress.lost.take().filter(|_| step.kind == Kind::Inline);
            let found = match unsure {
                Some(after) => self.find_lost(step.target.chat, &body["reply_markup"], after).await,
                None => None,
            };
            let sent = match found {
                Some(found) => Ok(found),
                None => self.send(step.target, body).await,
            };
            if let Err(ApiError::Lost(_)) = &sent {
                progress.lost = self.newest(step.target.chat);
                self.remember(key, Some(&delivery.user), Some(progress)).await.map_err(lost)?;
            }
            let sent = match sent {
                Err(error) if aside && error.is_shut_out() && progress.sent.is_empty() => break,
                // To one person, that is their answer.
                Err(error) if error.is_shut_out() && !step.target.is_group() => {
                    return Err(DeliveryError::unwanted(error.to_string()));
                }
                sent => sent.map_err(failed)?,
            };
            let worn = Worn { chat: step.target.chat, message: sent, kind: step.kind };
            progress.sent.push(worn.to_string());
            self.remember(key, Some(&delivery.user), Some(progress)).await.map_err(lost)?;
        }
        if aside { self.point_aside(delivery, home, key, progress).await } else { Ok(()) }
    }

    /// Tells in the group that the question is in the private chat, or how to get there.
    async fn point_aside(
        self: &Arc<Self>,
        delivery: &Delivery,
        home: Target,
        key: &str,
        progress: &mut Progress,
    ) -> Result<(), DeliveryError> {
        let pointed = progress.sent.iter().any(|sent| Worn::read(sent).is_some_and(|worn| worn.kind == Kind::Link));
        let Some(nonce) = delivery.reply.nonce().filter(|_| !pointed && !delivery.overtaken) else {
            let nobody = progress.sent.is_empty() && delivery.reply.nonce().is_none() && !delivery.reply.say.is_empty();
            let unwanted = "the person has not started the bot, and the reply is for them alone";
            return if nobody { Err(DeliveryError::unwanted(unwanted)) } else { Ok(()) };
        };
        let word = if progress.sent.is_empty() { Word::InPrivate } else { Word::SeePrivate };
        let lang = &delivery.reply.lang;
        let key_row =
            link(&self.me.username, nonce.as_str()).map(|url| vec![Key::open(url, say(Word::InPrivate, lang))]);
        let markup = key_row.map_or(Markup::Bare, |row| Markup::Inline(vec![row]));
        let mut body = Message { html: render::html::escape(say(word, lang)), markup }.json();
        if let Some(message) = self.heard(delivery).await {
            body["reply_parameters"] = json!({"message_id": message, "allow_sending_without_reply": true});
        }
        let sent = self.send(home, body).await.map_err(failed)?;
        progress.sent.push(Worn { chat: home.chat, message: sent, kind: Kind::Link }.to_string());
        self.remember(key, Some(&delivery.user), Some(progress)).await.map_err(lost)
    }

    /// Puts a question of a group's session into the private chat, whose door the person has just opened.
    pub(crate) async fn move_aside(self: &Arc<Self>, screen: Screen) -> Result<(), ApiError> {
        let Some(to) = Target::person(&screen.owner) else { return Ok(()) };
        let frame = Frame { screen: Some(&screen), ..Frame::new(today(&screen.reply), false) };
        let mut sent = Vec::new();
        for message in render::draw(&screen.reply, &frame) {
            let kind = kind(&message.markup);
            let id = self.send(to, message.json()).await?;
            sent.push(Worn { chat: to.chat, message: id, kind }.to_string());
        }
        let Some(nonce) = screen.reply.nonce() else { return Ok(()) };
        let lock = self.lock(nonce.as_str());
        let _one_at_a_time = lock.lock().await;
        if let Ok(Some(mut kept)) = self.screens.find(nonce).await {
            kept.messages.extend(sent);
            if let Err(error) = self.screens.keep(&kept).await {
                tracing::warn!(%error, "a screen could not be kept");
            }
        }
        let marked = self.mark_aside(&screen.owner, Some(nonce)).await;
        marked.unwrap_or_else(|error| tracing::warn!(%error, "a private question could not be noted"));
        Ok(())
    }

    /// Notes that a screen is over. Its widgets are taken away in their own time: no question waits for that.
    async fn close(self: &Arc<Self>, screen: Screen) -> Result<(), DeliveryError> {
        // Whoever presses what is gone from the message finds it over.
        let lock = screen.reply.nonce().map(|nonce| self.lock(nonce.as_str()));
        let _one_at_a_time = match &lock {
            Some(lock) => Some(lock.lock().await),
            None => None,
        };
        let over = Screen { over: true, ..screen };
        self.screens.keep(&over).await.map_err(lost)?;
        self.show_over(&over);
        Ok(())
    }

    /// Notes which question words in the private chat answer, though it belongs to a session of a group.
    pub(crate) async fn mark_aside(&self, user: &UserId, nonce: Option<&Nonce>) -> Result<(), HostError> {
        let key = format!("aside/{user}");
        if nonce.is_none() && self.recall::<Nonce>(&key).await?.is_none() {
            return Ok(());
        }
        self.remember(&key, Some(user), nonce).await
    }

    /// The person's last message in a group, which the bot answers.
    async fn heard(&self, delivery: &Delivery) -> Option<i64> {
        self.recall(&session_key("heard", delivery)).await.ok().flatten()
    }
}

/// Whether anybody's words may answer: not where any words would be an answer, for people talk among each other.
fn is_for_all(reply: &Reply) -> bool {
    let wordy = |question: &Question| matches!(question.input, Input::Text { .. });
    reply.shared && !reply.private && !reply.questions.iter().any(wordy)
}

/// The messages of a delivery, in order.
fn steps(delivery: &Delivery, target: Target, before: Option<&Screen>) -> Vec<Step> {
    let reply = &delivery.reply;
    let mut messages = if delivery.overtaken {
        render::plain(reply)
    } else {
        render::draw(reply, &Frame::new(today(reply), target.is_group()))
    };
    let keyboard =
        |before: &Screen| Worn::of(before).any(|worn| worn.kind == Kind::Keyboard && worn.chat == target.chat);
    if let (Some(before), false) = (before.filter(|before| keyboard(before)), messages.is_empty()) {
        let replaced = messages.iter().any(|message| matches!(message.markup, Markup::Keyboard { .. }));
        match messages.iter_mut().find(|message| message.markup == Markup::Bare) {
            _ if replaced => {}
            Some(message) => message.markup = Markup::Remove,
            // A keyboard goes only with a message, and this one's place is taken by buttons.
            None => {
                let ticked = |said: &String| format!("✓ {}", render::html::shorten(said, 200));
                let said = before.answer.as_ref().map_or_else(|| "…".to_owned(), ticked);
                let html = render::html::escape(&said);
                messages.insert(0, Message { html, markup: Markup::Remove });
            }
        }
    }
    messages.into_iter().map(|message| Step { target, kind: kind(&message.markup), message }).collect()
}

fn kind(markup: &Markup) -> Kind {
    match markup {
        Markup::Bare | Markup::Remove => Kind::Bare,
        Markup::Inline(_) => Kind::Inline,
        Markup::Keyboard { .. } => Kind::Keyboard,
        Markup::Force { .. } => Kind::Force,
    }
}

pub(crate) fn today(reply: &Reply) -> Date {
    reply.day(Timestamp::now())
}

fn session_key(what: &str, delivery: &Delivery) -> String {
    let key = note_key(what, &delivery.place, &delivery.user);
    match &delivery.reply.case {
        Some(case) => format!("{key}/{}", case.code),
        None => key,
    }
}

/// The key of a note about a session.
pub(crate) fn note_key(what: &str, place: &formwright_chat::Place, user: &UserId) -> String {
    let thread = place.thread.as_deref().unwrap_or_default();
    format!("{what}/{}/{thread}/{user}", place.channel)
}

fn lost(error: HostError) -> DeliveryError {
    DeliveryError::later(error.to_string())
}

/// What a failed call means for a delivery.
pub(crate) fn failed(error: ApiError) -> DeliveryError {
    let why = error.to_string();
    match error {
        ApiError::Wait(after) => DeliveryError::Later { why, after: Some(after) },
        ApiError::Unreachable(_) | ApiError::Lost(_) | ApiError::Moved(_) => DeliveryError::later(why),
        // A token that was taken back may be given again; the outbox gives up in time.
        ApiError::Refused(401, _) => DeliveryError::later(why),
        ApiError::Refused(..) => DeliveryError::Never { why },
    }
}
