//! Delivering replies: the new one is sent, and then the screen before it shows that it has served.

mod looks;
pub(crate) mod reach;
mod ways;

use std::sync::Arc;

use chat::{Delivery, DeliveryError, HostError, Nonce, Place, Screen};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{Call, Rest};
use crate::intake::Intake;
use crate::limits;
use crate::render::{self, Canvas, text};
use looks::Ending;
pub(crate) use looks::{Change, Looks, VEIL};

/// Sends replies.
pub(crate) struct Sender<'a> {
    pub(crate) intake: &'a Intake,
    pub(crate) rest: &'a Arc<Rest>,
}

/// A message that was sent.
struct Sent {
    channel: String,
    message: String,
    /// With which it is changed, where it answers an interaction; [`VEIL`] for one that hides a question.
    token: Option<String>,
    /// It is in a direct message, though the conversation is elsewhere.
    aside: bool,
}

impl Sent {
    /// The message that Discord says it made.
    fn new(answer: &Value, channel: &str, token: Option<String>) -> Self {
        Self {
            channel: answer["channel_id"].as_str().unwrap_or(channel).to_owned(),
            message: answer["id"].as_str().unwrap_or_default().to_owned(),
            token,
            aside: false,
        }
    }

    /// As screens keep it: see [`Looks`].
    fn spelled(&self) -> String {
        match &self.token {
            Some(token) => format!("{token}/{}/{}", self.channel, self.message),
            None => format!("{}/{}", self.channel, self.message),
        }
    }
}

impl Sender<'_> {
    /// Delivers a reply.
    pub(crate) async fn deliver(&self, delivery: &Delivery, now: Timestamp) -> Result<(), DeliveryError> {
        let nonce = delivery.reply.nonce().filter(|_| !delivery.overtaken);
        let known = match nonce {
            Some(nonce) => self.intake.screens.find(nonce).await.map_err(unavailable)?,
            None => None,
        };
        if known.as_ref().is_some_and(|screen| !screen.messages.is_empty() || screen.answer.is_some() || screen.over) {
            return Ok(());
        }
        let ended = self.end_last(delivery, now).await?;
        let shown = self.show(delivery, nonce, known.is_some(), now).await;
        for (message, ending) in ended {
            if let Some(change) = self.intake.looks.end(&message, ending) {
                self.change(&message, change);
            }
        }
        shown
    }

    async fn show(
        &self,
        delivery: &Delivery,
        nonce: Option<&Nonce>,
        tried: bool,
        now: Timestamp,
    ) -> Result<(), DeliveryError> {
        let reply = &delivery.reply;
        let direct = delivery.place.workspace.is_empty();
        let canvas = Canvas::new(direct, reply.day(now));
        let messages = if delivery.overtaken { render::words_only(reply) } else { render::messages(reply, &canvas) };
        if messages.is_empty() {
            return Ok(());
        }
        let several = messages.len() > 1;
        let arrived = if several { self.intake.notes.arrived(&delivery.id).await.map_err(unavailable)? } else { 0 };
        let messages: Vec<(usize, Value)> = messages.into_iter().enumerate().skip(arrived).collect();
        // Who presses at once must find the screen.
        if nonce.is_some() {
            let screen = Screen::new(delivery.user.clone(), delivery.place.clone(), reply.clone(), Vec::new());
            self.intake.screens.keep(&screen).await.map_err(unavailable)?;
            // From here on what the person writes here answers this question, not one asked aside.
            if direct && self.intake.notes.aside(&delivery.user).await.map_err(unavailable)?.is_some() {
                self.intake.notes.keep_aside(&delivery.user, None).await.map_err(unavailable)?;
            }
        }
        let sent = self.by_ways(delivery, &messages, tried, now).await?;
        if several {
            self.intake.notes.keep_arrived(&delivery.id, &delivery.user, None).await.map_err(unavailable)?;
        }
        let Some(sent) = sent else { return Ok(()) };
        if let Some(nonce) = nonce {
            let spelled = sent.spelled();
            let keep = |screen: &mut Screen| {
                if screen.answer.is_none() {
                    screen.messages = vec![spelled];
                }
            };
            self.intake.change(nonce, keep).await.map_err(unavailable)?;
        }
        let guild = if sent.aside { "" } else { delivery.place.workspace.as_str() };
        // What the bot may not read cannot be read again.
        if guild == crate::translate::APART || self.intake.memory.is_shut(&sent.channel) {
            return Ok(());
        }
        self.intake.watch(&sent.channel, guild, &sent.message).await.map_err(unavailable)
    }

    /// Ends the screen before, where this reply follows it. Gives how its messages are to look.
    async fn end_last(&self, delivery: &Delivery, now: Timestamp) -> Result<Vec<(String, Ending)>, DeliveryError> {
        let last = self.intake.screens.before(delivery).await.map_err(unavailable)?;
        let Some(mut last) = last.filter(|last| last.reply.nonce() != delivery.reply.nonce()) else {
            return Ok(Vec::new());
        };
        // A notice between a question and its answer leaves the question as it is.
        let over = delivery.reply.case.as_ref().is_some_and(|case| case.over);
        if !over
            && !self.intake.was_answered(&last)
            && delivery.reply.nonce().is_none()
            && delivery.reply.complete.is_none()
        {
            return Ok(Vec::new());
        }
        let ticked = last.pressed().is_some();
        last.answer = last.given(&delivery.reply);
        let corrects = ticked && last.pressed().is_none();
        let canvas = Canvas::new(last.place.workspace.is_empty(), last.reply.day(now));
        let bare = render::over(&last, &canvas);
        let ending = |message: &String| {
            // What hides a question has nothing to show.
            let veils = message.starts_with(&format!("{VEIL}/"));
            let change = if veils { Change::Away } else { Change::To(bare.clone()) };
            (message.clone(), Ending { change, corrects })
        };
        let ended = last.messages.iter().map(ending).collect();
        last.messages.clear();
        last.over = true;
        self.intake.screens.keep(&last).await.map_err(unavailable)?;
        Ok(ended)
    }

    fn change(&self, message: &str, change: Change) {
        self.intake.looks.change(self.rest, &self.intake.me.application, message, change);
    }

    /// Notes that a message has arrived where more are to follow, so that another try begins with the next one.
    async fn went(&self, delivery: &Delivery, messages: &[(usize, Value)], no: usize) {
        if messages.last().is_some_and(|(last, _)| *last > no)
            && let Err(error) = self.intake.notes.keep_arrived(&delivery.id, &delivery.user, Some(no + 1)).await
        {
            tracing::debug!(%error, "discord: words may be shown twice if the next ones fail");
        }
    }

    /// Says something short to somebody whose message was not taken. Not tried again.
    pub(crate) async fn decline(&self, place: &Place, message: &str, words: &str) {
        let content = text::clip(&text::escape(words), limits::CONTENT);
        let body = json!({
            "content": content, "flags": limits::FLAG_NO_EMBEDS, "allowed_mentions": {"parse": []},
            "message_reference": {"message_id": message, "fail_if_not_exists": false},
            "nonce": once(&chat::ReplyId::new(message), 0), "enforce_nonce": true,
        });
        let Ok(call) = Call::send(&place.channel) else { return };
        if let Err(error) = self.rest.call(call, Some(&body)).await {
            tracing::debug!(%error, "discord: not declined");
        }
    }
}

/// The answer to a press has arrived, or has not.
pub(crate) fn pressed(intake: &Intake, rest: &Arc<Rest>, message: &str, arrived: bool) {
    if let Some(change) = intake.looks.pressed(message, arrived) {
        intake.looks.change(rest, &intake.me.application, message, change);
    }
}

fn unavailable(error: HostError) -> DeliveryError {
    DeliveryError::later(error.to_string())
}

/// What Discord found malformed, as words alone.
fn in_words(reply: &chat::Reply) -> Value {
    let words = text::clip(&text::escape(&chat::fallback::text(reply)), limits::CONTENT);
    json!({"content": words, "allowed_mentions": {"parse": []}})
}

/// A name for one message of a delivery that is the same at every try and fits [`limits::NONCE`]: FNV-1a.
fn once(delivery: &chat::ReplyId, no: usize) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = delivery.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    format!("{hash:016x}.{no}")
}
