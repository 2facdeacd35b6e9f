//! Delivering replies: the screen before goes, the new one is kept, then the messages are sent.

use chat::{Delivery, DeliveryError, HostError, Nonce, Place, Screen};
use formwright_chat as chat;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use reqwest::Method;
use serde_json::{Value, json};

use crate::intake::Intake;
use crate::limits;
use crate::notes::{Aside, Filled, Hook};
use crate::render::{self, Canvas, text};
use crate::rest::{Call, Rest, RestError};

/// Sends replies.
pub(crate) struct Sender<'a> {
    pub(crate) intake: &'a Intake,
    pub(crate) rest: &'a Rest,
}

/// A message that was sent.
struct Sent {
    channel: String,
    message: String,
    /// With which an ephemeral message is changed; none for others.
    token: Option<String>,
}

impl Sent {
    /// As screens keep it: `channel/message`, or `token/channel/message` for an ephemeral one.
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
        let reply = &delivery.reply;
        let nonce = reply.nonce().filter(|_| !delivery.overtaken);
        if let Some(nonce) = nonce
            && let Some(screen) = self.intake.screens.find(nonce).await.map_err(unavailable)?
            && (!screen.messages.is_empty() || screen.answer.is_some() || screen.over)
        {
            return Ok(());
        }
        self.end_last(delivery, now).await?;
        let direct = delivery.place.workspace.is_empty();
        let canvas = Canvas::new(direct, now.to_zoned(TimeZone::UTC).date());
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
        let sent = if reply.private && !direct {
            self.privately(delivery, &messages, now).await?
        } else {
            self.openly(delivery, &messages, now).await?
        };
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
        if sent.token.is_none() {
            let guild = if sent.channel == delivery.place.channel { delivery.place.workspace.as_str() } else { "" };
            self.intake.watch(&sent.channel, guild, &sent.message).await.map_err(unavailable)?;
        }
        Ok(())
    }

    /// Takes the widgets of the screen before away, where this reply follows it.
    async fn end_last(&self, delivery: &Delivery, now: Timestamp) -> Result<(), DeliveryError> {
        let last = self.intake.screens.before(delivery).await.map_err(unavailable)?;
        let Some(mut last) = last.filter(|last| last.reply.nonce() != delivery.reply.nonce()) else { return Ok(()) };
        // A notice between a question and its answer leaves the question as it is.
        let over = delivery.reply.case.as_ref().is_some_and(|case| case.over);
        if !over
            && !self.intake.was_answered(&last)
            && delivery.reply.nonce().is_none()
            && delivery.reply.complete.is_none()
        {
            return Ok(());
        }
        last.answer = last.given(&delivery.reply);
        let canvas = Canvas::new(last.place.workspace.is_empty(), now.to_zoned(TimeZone::UTC).date());
        let bare = render::over(&last, &canvas);
        for message in &last.messages {
            match self.edit(message, &bare).await {
                Ok(_) => {}
                // The message is gone, or can no longer be changed: nothing is worn there that counts.
                Err(RestError::Refused { status, code }) => tracing::debug!(status, code, "discord: widgets stay"),
                Err(error) => return Err(error.into()),
            }
        }
        last.messages.clear();
        last.over = true;
        self.intake.screens.keep(&last).await.map_err(unavailable)
    }

    async fn edit(&self, message: &str, body: &Value) -> Result<Value, RestError> {
        let mut parts = message.rsplitn(3, '/');
        let (id, channel, token) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next());
        let call = match token {
            Some(token) => Call::edit_follow_up(&self.intake.me.application, token, id)?,
            None => Call::edit(channel, id)?,
        };
        self.rest.call(call, Some(body)).await
    }

    /// Where everybody at the place sees it; the first words go where the person was told to wait.
    async fn openly(
        &self,
        delivery: &Delivery,
        messages: &[(usize, Value)],
        now: Timestamp,
    ) -> Result<Option<Sent>, DeliveryError> {
        let mut left = messages.iter().peekable();
        // What an earlier try has put where the person was told to wait.
        let filled = self.filled(delivery, now).await?;
        left.next_if(|(no, _)| filled.as_ref().is_some_and(|(filled, _)| no == filled));
        let mut last = filled.map(|(_, sent)| sent);
        if let Some(hook) = self.waiting(delivery, now).await?
            && let Some((no, first)) = left.next()
        {
            let call = Call::original(&self.intake.me.application, &hook.token, Method::PATCH);
            match self.try_call(call, first).await {
                Ok(answer) => last = Some(sent(&answer, &delivery.place.channel, None)),
                Err(RestError::Refused { .. }) => {
                    last = Some(self.post(delivery, &delivery.place.channel, *no, first).await?);
                }
                Err(error) => return Err(error.into()),
            }
            self.went(delivery, messages, *no).await;
            let filled = last.as_ref().map(|sent| Filled {
                delivery: delivery.id.clone(),
                no: *no,
                channel: sent.channel.clone(),
                message: sent.message.clone(),
            });
            self.stop_waiting(delivery, &hook, filled, now).await?;
        }
        for (no, message) in left {
            last = Some(self.post(delivery, &delivery.place.channel, *no, message).await?);
            self.went(delivery, messages, *no).await;
        }
        Ok(last)
    }

    /// For the person's eyes only: in answer to their last interaction while that is possible, else in a direct message,
    /// else behind a button that only they may press.
    async fn privately(
        &self,
        delivery: &Delivery,
        messages: &[(usize, Value)],
        now: Timestamp,
    ) -> Result<Option<Sent>, DeliveryError> {
        if let Some(hook) = self.waiting(delivery, now).await? {
            // What was put off in public would stay public.
            let call = Call::original(&self.intake.me.application, &hook.token, Method::DELETE);
            match self.try_call(call, &Value::Null).await {
                Ok(_) | Err(RestError::Refused { .. }) => self.stop_waiting(delivery, &hook, None, now).await?,
                Err(error) => return Err(error.into()),
            }
        }
        let hooks = self.intake.notes.hooks(&delivery.place, &delivery.user, now).await.map_err(unavailable)?;
        if let Some(hook) = hooks.last() {
            match self.whisper(hook, messages, delivery).await {
                Ok(sent) => return Ok(sent),
                // The press may be answered a moment later than the case was.
                Err(RestError::Refused { status: 404, .. })
                    if delivery.reply.case.is_some() && delivery.attempt == 0 =>
                {
                    return Err(DeliveryError::later("the press was not answered yet"));
                }
                Err(RestError::Refused { status, code }) => {
                    tracing::debug!(status, code, "discord: no ephemeral reply");
                }
                Err(error) => return Err(error.into()),
            }
        }
        match self.aside(delivery, messages).await {
            Ok(sent) => return Ok(sent),
            Err(DeliveryError::Never { why }) => tracing::debug!(why, "discord: no direct message"),
            Err(later) => return Err(later),
        }
        match render::veiled(&delivery.reply).filter(|_| !delivery.overtaken) {
            Some(veiled) => self.post(delivery, &delivery.place.channel, 99, &veiled).await.map(Some),
            None => Err(DeliveryError::never("the person takes no direct messages")),
        }
    }

    async fn whisper(
        &self,
        hook: &Hook,
        messages: &[(usize, Value)],
        delivery: &Delivery,
    ) -> Result<Option<Sent>, RestError> {
        let mut last = None;
        for (no, message) in messages {
            let call = Call::follow_up(&self.intake.me.application, &hook.token);
            let answer = self.try_call(call, &render::hidden(message.clone())).await?;
            last = Some(sent(&answer, &delivery.place.channel, Some(hook.token.clone())));
            self.went(delivery, messages, *no).await;
        }
        Ok(last)
    }

    /// Notes that a message has arrived where more are to follow, so that another try begins with the next one.
    async fn went(&self, delivery: &Delivery, messages: &[(usize, Value)], no: usize) {
        if messages.last().is_some_and(|(last, _)| *last > no)
            && let Err(error) = self.intake.notes.keep_arrived(&delivery.id, &delivery.user, Some(no + 1)).await
        {
            tracing::debug!(%error, "discord: words may be shown twice if the next ones fail");
        }
    }

    async fn aside(&self, delivery: &Delivery, messages: &[(usize, Value)]) -> Result<Option<Sent>, DeliveryError> {
        let to = json!({"recipient_id": delivery.user.as_str()});
        let channel = self.rest.call(Call::direct(), Some(&to)).await?;
        let Some(channel) = channel["id"].as_str() else { return Err(DeliveryError::never("no direct channel")) };
        if let Some(nonce) = delivery.reply.nonce() {
            let aside = Aside { channel: channel.to_owned(), nonce: nonce.clone() };
            self.intake.notes.keep_aside(&delivery.user, Some(&aside)).await.map_err(unavailable)?;
        }
        let mut last = None;
        for (no, message) in messages {
            last = Some(self.post(delivery, channel, *no, message).await?);
            self.went(delivery, messages, *no).await;
        }
        Ok(last)
    }

    /// Sends one message of a delivery; sent again soon, it is not shown twice. What Discord finds malformed is sent
    /// once more as words alone.
    async fn post(
        &self,
        delivery: &Delivery,
        channel: &str,
        no: usize,
        message: &Value,
    ) -> Result<Sent, DeliveryError> {
        let mut body = message.clone();
        body["nonce"] = once(&delivery.id, no).into();
        body["enforce_nonce"] = true.into();
        let answer = match self.rest.call(Call::send(channel)?, Some(&body)).await {
            Err(RestError::Refused { status: 400, code }) => {
                tracing::error!(code, "discord: a message was refused as malformed and is sent as words");
                let words = text::clip(&text::escape(&chat::fallback::text(&delivery.reply)), limits::CONTENT);
                let plain = json!({"content": words, "allowed_mentions": {"parse": []}, "nonce": body["nonce"],
                    "enforce_nonce": true});
                self.rest.call(Call::send(channel)?, Some(&plain)).await?
            }
            answer => answer?,
        };
        Ok(sent(&answer, channel, None))
    }

    async fn try_call(&self, call: Result<Call, RestError>, body: &Value) -> Result<Value, RestError> {
        self.rest.call(call?, (!body.is_null()).then_some(body)).await
    }

    /// The oldest interaction of the person here that was told to wait.
    async fn waiting(&self, delivery: &Delivery, now: Timestamp) -> Result<Option<Hook>, DeliveryError> {
        if delivery.reply.case.is_some() && delivery.reply.shared {
            return Ok(None);
        }
        let hooks = self.intake.notes.hooks(&delivery.place, &delivery.user, now).await.map_err(unavailable)?;
        Ok(hooks.into_iter().find(|hook| hook.thinking))
    }

    /// The message of this delivery that took the place of what told the person to wait.
    async fn filled(&self, delivery: &Delivery, now: Timestamp) -> Result<Option<(usize, Sent)>, DeliveryError> {
        let hooks = self.intake.notes.hooks(&delivery.place, &delivery.user, now).await.map_err(unavailable)?;
        let mut filled = hooks.into_iter().filter_map(|hook| hook.filled);
        let filled = filled.find(|filled| filled.delivery == delivery.id);
        Ok(filled.map(|filled| (filled.no, Sent { channel: filled.channel, message: filled.message, token: None })))
    }

    async fn stop_waiting(
        &self,
        delivery: &Delivery,
        done: &Hook,
        filled: Option<Filled>,
        now: Timestamp,
    ) -> Result<(), DeliveryError> {
        let stop = |hooks: &mut Vec<Hook>| {
            if let Some(hook) = hooks.iter_mut().find(|hook| hook.token == done.token) {
                hook.thinking = false;
                hook.filled = filled;
            }
        };
        let notes = &self.intake.notes;
        notes.change_hooks(&delivery.place, &delivery.user, now, stop).await.map_err(unavailable)
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

/// The message that Discord says it made.
fn sent(answer: &Value, channel: &str, token: Option<String>) -> Sent {
    Sent {
        channel: answer["channel_id"].as_str().unwrap_or(channel).to_owned(),
        message: answer["id"].as_str().unwrap_or_default().to_owned(),
        token,
    }
}

fn unavailable(error: HostError) -> DeliveryError {
    DeliveryError::later(error.to_string())
}

/// A name for one message of a delivery that is the same at every try and fits [`limits::NONCE`]: FNV-1a.
fn once(delivery: &chat::ReplyId, no: usize) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = delivery.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    format!("{hash:016x}.{no}")
}

/// The screen's widgets have gone from a message.
pub(crate) async fn bared(intake: &Intake, nonce: &Nonce, message: &str) {
    let gone = |screen: &mut Screen| screen.messages.retain(|known| !known.ends_with(&format!("/{message}")));
    if let Err(error) = intake.change(nonce, gone).await {
        tracing::debug!(%error, "discord: the message is edited again later");
    }
}
