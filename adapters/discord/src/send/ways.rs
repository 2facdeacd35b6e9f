//! The ways to a person: an answer to what they did last, the channel, a thread, a direct message, a button that only they
//! may press. Answers to interactions come first: a channel takes one message a second from the bot, whoever it is for, and
//! each interaction takes its own.

use std::collections::VecDeque;

use chat::words::{Word, say};
use chat::{Delivery, DeliveryError, Shown};
use formwright_chat as chat;
use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Change, Sender, Sent, VEIL, in_words, once, unavailable};
use crate::api::ORIGINAL;
use crate::api::{Call, RestError};
use crate::intake::notes::{Aside, Filled, Hook, Room};
use crate::limits;
use crate::render;

/// A way to show a message.
#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// Where the person was told to wait: takes one message.
    Waiting(Hook),
    /// In answer to what the person did last.
    Hook { token: String, hidden: bool },
    /// In the channel.
    Channel,
    /// In a thread of the person's own.
    Thread,
    /// In a direct message.
    Direct,
    /// Behind a button in the channel.
    Veil,
}

impl Sender<'_> {
    /// Sends messages by the first way that is open; gives the last of them.
    pub(super) async fn by_ways(
        &self,
        delivery: &Delivery,
        messages: &[(usize, Value)],
        tried: bool,
        now: Timestamp,
    ) -> Result<Option<Sent>, DeliveryError> {
        let hooks = self.intake.notes.hooks(&delivery.place, &delivery.user, now).await.map_err(unavailable)?;
        let of_desk = delivery.reply.case.is_some() && delivery.reply.shared;
        let mut waiting = hooks.iter().find(|hook| hook.thinking && !of_desk).cloned();
        let mut ways = self.ways(delivery, hooks.last().filter(|_| !of_desk));
        // What an earlier try has put where the person was told to wait.
        let filled =
            |hook: Hook| hook.filled.filter(|filled| filled.delivery == delivery.id).map(|one| (hook.token, one));
        let filled = hooks.into_iter().find_map(filled);
        let mut left = messages.iter().peekable();
        left.next_if(|(no, _)| filled.as_ref().is_some_and(|(_, filled)| filled.no == *no));
        let sent = |(token, one): (_, Filled)| Sent {
            channel: one.channel,
            message: one.message,
            token: Some(token),
            aside: false,
        };
        let mut last = filled.map(sent);
        match (&waiting, ways.front()) {
            (Some(hook), _) if delivery.place.workspace.is_empty() => ways.push_front(Way::Waiting(hook.clone())),
            (Some(hook), Some(Way::Hook { hidden, .. })) if hook.hidden == *hidden => {
                ways.push_front(Way::Waiting(hook.clone()));
            }
            (Some(hook), Some(Way::Hook { .. })) => {
                // What was put off for all to see would stay for all to see, and the other way round.
                self.take_back(hook).await?;
                self.stop_waiting(delivery, hook, None, now).await?;
                waiting = None;
            }
            _ => {}
        }
        let (mut shut, mut refused) = (false, (404, 0));
        for (no, message) in left {
            last = loop {
                let Some(way) = ways.front().cloned() else { return nobody(refused) };
                match self.by(&way, delivery, (*no, message), shut, tried).await {
                    Ok(sent) => {
                        if let Way::Waiting(hook) = &way {
                            ways.pop_front();
                            let filled = Filled {
                                delivery: delivery.id.clone(),
                                no: *no,
                                channel: sent.channel.clone(),
                                message: sent.message.clone(),
                            };
                            self.went(delivery, messages, *no).await;
                            self.stop_waiting(delivery, hook, Some(filled), now).await?;
                            waiting = None;
                        } else {
                            self.went(delivery, messages, *no).await;
                        }
                        break Some(sent);
                    }
                    // The interaction may be answered a moment later than this.
                    Err(RestError::Refused { status: 404, .. })
                        if delivery.attempt == 0 && matches!(way, Way::Hook { .. } | Way::Waiting(_)) =>
                    {
                        let why = "the interaction was not answered yet".to_owned();
                        return Err(DeliveryError::Later { why, after: Some(limits::AGAIN) });
                    }
                    // The token of an interaction ends; the bot's own is another matter.
                    Err(RestError::Refused { status, code })
                        if status != 401 || matches!(way, Way::Hook { .. } | Way::Waiting(_)) =>
                    {
                        tracing::debug!(status, code, "discord: a way is shut");
                        if matches!(way, Way::Channel | Way::Veil) && matches!(status, 403 | 404) {
                            self.may_not_write(delivery, status, code);
                            shut = true;
                        }
                        refused = (status, code);
                        ways.pop_front();
                    }
                    Err(error) => return Err(error.into()),
                }
            };
        }
        if let Some(hook) = waiting {
            self.settle(delivery, &hook, now).await?;
        }
        Ok(last)
    }

    /// The ways that a reply may go, the best first.
    fn ways(&self, delivery: &Delivery, hook: Option<&Hook>) -> VecDeque<Way> {
        let (place, reply) = (&delivery.place, &delivery.reply);
        if place.workspace.is_empty() || (reply.case.is_some() && reply.shared) {
            return VecDeque::from([Way::Channel]);
        }
        // One that was got elsewhere speaks elsewhere.
        let here = hook.filter(|hook| hook.channel.is_empty() || hook.channel == place.channel);
        let (open, hidden) = (here.map(|hook| by_hook(hook, false)), here.map(|hook| by_hook(hook, true)));
        let ways: Vec<Option<Way>> = match self.intake.shown(place, reply) {
            _ if reply.private => {
                let anywhere = hook.map(|hook| by_hook(hook, true));
                vec![anywhere, Some(Way::Direct), Some(Way::Veil)]
            }
            Shown::Here => vec![open, Some(Way::Channel), Some(Way::Direct)],
            // Talk about no form, such as which there are, may be read by all.
            _ if reply.form.is_none() && reply.case.is_none() => {
                vec![hidden, Some(Way::Channel), Some(Way::Direct)]
            }
            Shown::Private => vec![hidden, Some(Way::Veil), Some(Way::Direct)],
            Shown::Dm => vec![Some(Way::Direct), hidden, Some(Way::Veil)],
            Shown::Thread => vec![Some(Way::Thread), hidden, Some(Way::Veil), Some(Way::Direct)],
        };
        let shut = self.intake.memory.is_shut(&place.channel);
        let veils = reply.nonce().is_some() && !delivery.overtaken;
        let open = |way: &Way| match way {
            Way::Veil => veils && !shut,
            Way::Channel => !shut,
            Way::Waiting(_) | Way::Hook { .. } | Way::Thread | Way::Direct => true,
        };
        ways.into_iter().flatten().filter(open).collect()
    }

    async fn by(
        &self,
        way: &Way,
        delivery: &Delivery,
        (no, message): (usize, &Value),
        shut: bool,
        tried: bool,
    ) -> Result<Sent, RestError> {
        let (place, application) = (&delivery.place, self.intake.me.application.as_str());
        match way {
            Way::Waiting(hook) => {
                self.intake.memory.answered(&hook.token).await;
                let call = || Call::answered(application, &hook.token, ORIGINAL, Method::PATCH);
                let answer = self.say(call, delivery, message.clone()).await?;
                Ok(Sent::new(&answer, &place.channel, Some(hook.token.clone())))
            }
            Way::Hook { token, hidden } => {
                self.intake.memory.answered(token).await;
                let unsure = tried || self.intake.memory.was_unsure(&delivery.id);
                if unsure
                    && !hidden
                    && let Some(found) = self.found(delivery, message).await
                {
                    return Ok(Sent::new(&found, &place.channel, Some(token.clone())));
                }
                let message = if *hidden { render::hidden(message.clone()) } else { message.clone() };
                let answer = self.say(|| Call::follow_up(application, token), delivery, message).await;
                if matches!(answer, Err(RestError::Down(_))) {
                    self.intake.memory.unsure(&delivery.id);
                }
                Ok(Sent::new(&answer?, &place.channel, Some(token.clone())))
            }
            Way::Channel => self.post(delivery, &place.channel, no, message.clone()).await,
            Way::Thread => {
                let (thread, new) = self.thread(delivery).await?;
                match self.post(delivery, &thread, no, message.clone()).await {
                    // It was deleted meanwhile.
                    Err(RestError::Refused { .. }) if !new => {
                        self.intake.notes.keep_room(place, &delivery.user, None).await.map_err(down)?;
                        let (thread, _) = self.thread(delivery).await?;
                        self.post(delivery, &thread, no, message.clone()).await
                    }
                    answer => answer,
                }
            }
            Way::Direct => {
                let mut message = message.clone();
                if shut && no == 0 && message["content"].is_string() {
                    let content = message["content"].as_str().unwrap_or_default();
                    let words = format!("{}\n{content}", say(Word::MayNotWrite, &delivery.reply.lang));
                    message["content"] = render::text::clip(&words, limits::CONTENT).into();
                }
                self.direct(delivery, no, message).await
            }
            Way::Veil => {
                let veil = render::veiled(&delivery.reply, &delivery.user)
                    .ok_or(RestError::Refused { status: 404, code: 0 })?;
                let sent = self.post(delivery, &place.channel, 99, veil).await?;
                Ok(Sent { token: Some(VEIL.to_owned()), ..sent })
            }
        }
    }

    /// In a direct message. What the person writes there answers the question.
    async fn direct(&self, delivery: &Delivery, no: usize, message: Value) -> Result<Sent, RestError> {
        let to = json!({"recipient_id": delivery.user.as_str()});
        let channel = self.rest.call(Call::direct(), Some(&to)).await?;
        let channel = channel["id"].as_str().ok_or(RestError::Refused { status: 404, code: 0 })?;
        if let Some(nonce) = delivery.reply.nonce() {
            let aside = Aside { channel: channel.to_owned(), nonce: nonce.clone() };
            self.intake.notes.keep_aside(&delivery.user, Some(&aside)).await.map_err(down)?;
        }
        let sent = self.post(delivery, channel, no, message).await?;
        Ok(Sent { aside: true, ..sent })
    }

    /// The person's own thread at the place; whether it was made now.
    async fn thread(&self, delivery: &Delivery) -> Result<(String, bool), RestError> {
        let (place, user) = (&delivery.place, &delivery.user);
        if let Some(known) = self.intake.notes.room_of(place, user).await.map_err(down)? {
            return Ok((known, false));
        }
        let title = delivery.reply.title.as_deref().filter(|title| !title.trim().is_empty());
        let name = render::text::line(title.unwrap_or(&self.intake.me.name), limits::THREAD_NAME);
        // 12 is a private thread: those see it who are added to it, and those who look after the server's threads.
        let body = json!({"name": name, "type": 12, "invitable": false, "auto_archive_duration": 1440});
        let thread = self.rest.call(Call::thread(&place.channel)?, Some(&body)).await?;
        let thread = thread["id"].as_str().ok_or(RestError::Refused { status: 404, code: 0 })?;
        self.rest.call(Call::invite(thread, user.as_str())?, None).await?;
        let room = Room { thread: thread.to_owned(), place: place.clone(), user: user.clone() };
        self.intake.notes.keep_room(place, user, Some(&room)).await.map_err(down)?;
        Ok((thread.to_owned(), true))
    }

    /// Sends one message of a delivery to a channel; sent again soon, it is not shown twice.
    async fn post(&self, delivery: &Delivery, channel: &str, no: usize, mut body: Value) -> Result<Sent, RestError> {
        body["nonce"] = once(&delivery.id, no).into();
        body["enforce_nonce"] = true.into();
        let answer = self.say(|| Call::send(channel), delivery, body).await?;
        Ok(Sent::new(&answer, channel, None))
    }

    /// Makes a call; what Discord finds malformed is sent once more as words alone.
    async fn say(
        &self,
        call: impl Fn() -> Result<Call, RestError>,
        delivery: &Delivery,
        body: Value,
    ) -> Result<Value, RestError> {
        match self.rest.call(call()?, Some(&body)).await {
            Err(RestError::Refused { status: 400, code: code @ limits::MALFORMED }) => {
                tracing::error!(code, "discord: a message was refused as malformed and is sent as words");
                let mut plain = in_words(&delivery.reply);
                for key in ["nonce", "enforce_nonce"] {
                    if let Some(value) = body.get(key) {
                        plain[key] = value.clone();
                    }
                }
                if body["flags"].as_u64().unwrap_or_default() & limits::FLAG_EPHEMERAL != 0 {
                    plain = render::hidden(plain);
                }
                self.rest.call(call()?, Some(&plain)).await
            }
            answer => answer,
        }
    }

    /// A message of this reply that an earlier try may have left in the channel: answers to interactions have no names of
    /// their own by which Discord would know them again.
    async fn found(&self, delivery: &Delivery, message: &Value) -> Option<Value> {
        let page = self.rest.call(Call::newest(&delivery.place.channel).ok()?, None).await.ok()?;
        let mark = delivery.reply.nonce().map(chat::Nonce::as_str);
        let same = |known: &&Value| match mark {
            Some(mark) => known["components"].to_string().contains(mark),
            None => known["content"].as_str().is_some_and(|content| Some(content) == message["content"].as_str()),
        };
        let own = |known: &&Value| known["author"]["id"].as_str() == Some(self.intake.me.user.as_str());
        page.as_array()?.iter().find(|known| own(known) && same(known)).cloned()
    }

    /// Takes away what told a person to wait.
    async fn take_back(&self, hook: &Hook) -> Result<(), DeliveryError> {
        self.intake.memory.answered(&hook.token).await;
        let call = Call::answered(&self.intake.me.application, &hook.token, ORIGINAL, Method::DELETE)?;
        match self.rest.call(call, None).await {
            Ok(_) | Err(RestError::Refused { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Who was told to wait, and was asked elsewhere, is told so.
    async fn settle(&self, delivery: &Delivery, hook: &Hook, now: Timestamp) -> Result<(), DeliveryError> {
        let original = format!("{}/{}/{ORIGINAL}", hook.token, delivery.place.channel);
        let told = render::told(say(Word::SeePrivate, &delivery.reply.lang));
        self.intake.memory.answered(&hook.token).await;
        self.change(&original, if hook.hidden { Change::To(told) } else { Change::Away });
        self.stop_waiting(delivery, hook, None, now).await
    }

    /// Says to the operator, now and then, where the bot may not write.
    fn may_not_write(&self, delivery: &Delivery, status: u16, code: u64) {
        let channel = delivery.place.channel.as_str();
        // Where it was never let in there is nothing to mend.
        if self.intake.memory.shut(channel) && delivery.place.workspace != crate::translate::APART {
            tracing::warn!(
                channel,
                status,
                code,
                "discord: the bot may not write in a channel; give it “View Channel” and “Send Messages” there. Forms go \
                 on in answers to commands and buttons, else in direct messages"
            );
        }
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
}

/// What it means that every way is shut. Whoever takes no messages has answered.
fn nobody((status, code): (u16, u64)) -> Result<Option<Sent>, DeliveryError> {
    Err(match code {
        limits::NO_DIRECT => DeliveryError::unwanted("the person takes no direct messages"),
        _ => RestError::Refused { status, code }.into(),
    })
}

fn by_hook(hook: &Hook, hidden: bool) -> Way {
    Way::Hook { token: hook.token.clone(), hidden }
}

fn down(error: chat::HostError) -> RestError {
    RestError::Down(error.to_string())
}
