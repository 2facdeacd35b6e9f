//! Replies on their way to Slack: in order, once, and with widgets on the last one only.

pub(crate) mod home;
pub(crate) mod homes;
pub(crate) mod latest;
pub(crate) mod open;
pub(crate) mod reach;
pub(crate) mod status;
pub(crate) mod urls;
pub(crate) mod views;

use std::sync::Arc;

use chat::{Delivery, DeliveryError, HostError, Nonce, Note, Platform, Screen};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::ApiError;
use crate::bot::{Bot, is_quiet, message};
use crate::render::{self, Part, Scene};
use crate::send::urls::Key;
use crate::settings::PLATFORM;
use crate::translate::is_direct;

/// A message that only one person sees; it can be changed once they have pressed something on it.
const EPHEMERAL: &str = "ephemeral";
/// `metadata.event_type` of our messages.
const METADATA: &str = "formwright_reply";
/// Messages looked through for one that was sent before a crash.
const LOOK_BACK: &str = "30";

impl Bot {
    /// Sends a reply; then the one before loses its widgets, which nobody waits for.
    pub(crate) async fn send(self: &Arc<Self>, delivery: &Delivery) -> Result<(), DeliveryError> {
        let reply = &delivery.reply;
        let mut progress = match self.progress(delivery).await? {
            Some(progress) => progress,
            None => self.begin(delivery).await?,
        };
        let before = match &progress.before {
            Some(nonce) => self.end(nonce).await.map_err(unavailable)?,
            None => None,
        };
        let zone = self.zone_of(delivery).await;
        let hidden = is_hidden(delivery);
        let scene = Scene { closed: hidden || reply.private, zone: zone.as_deref() };
        let parts = if delivery.overtaken { render::words_only(reply) } else { render::render(reply, &scene) };
        if progress.unsure && progress.sent.len() < parts.len() && !hidden {
            progress.sent = self.look_back(delivery, progress.sent).await.map_err(told_apart)?;
        }
        let nonce = reply.nonce().filter(|_| !delivery.overtaken && !parts.is_empty());
        if let Some(nonce) = nonce {
            self.draw(delivery, nonce).await.map_err(unavailable)?;
        }
        if !delivery.overtaken {
            self.views.came(delivery);
        }
        for part in parts.iter().skip(progress.sent.len()) {
            let posted = self.post(delivery, part, progress.sent.len(), hidden).await;
            // Looking for what was put off would cost more than it: few looks are allowed in a minute.
            progress.unsure = !matches!(posted, Err(DeliveryError::Later { after: Some(_), .. }));
            progress.sent.extend(posted.as_ref().ok().cloned());
            self.keep_sent(delivery, &progress).await;
            posted?;
        }
        if let Some(nonce) = nonce {
            // Who was quick to press on an ephemeral message has said how it can be changed.
            let told = |screen: &Screen| screen.messages.iter().any(|id| id.starts_with("http"));
            let kept = self.amend(nonce, |screen| {
                if !told(screen) {
                    screen.messages = progress.sent;
                }
            });
            kept.await.map_err(unavailable)?;
        }
        if let Some(before) = before {
            self.bare(&before, delivery);
            if !delivery.overtaken {
                let (place, reply) = (delivery.place.clone(), reply.clone());
                let now = Screen::new(delivery.user.clone(), place, reply, Vec::new());
                self.renew_views(&before, Some(now));
            }
        }
        Ok(())
    }

    /// Notes what a delivery takes the place of, before anything is sent: whoever finds the note and no message knows to
    /// look for one.
    async fn begin(&self, delivery: &Delivery) -> Result<Progress, DeliveryError> {
        let live = self.screens.before(delivery).await.map_err(unavailable)?;
        let before = live.and_then(|screen| screen.reply.nonce().cloned());
        let before = before.filter(|nonce| delivery.reply.nonce() != Some(nonce));
        let progress = Progress { sent: Vec::new(), before, unsure: true };
        self.note_sent(delivery, &progress).await.map_err(unavailable)?;
        Ok(Progress { unsure: false, ..progress })
    }

    /// Ends a screen: whoever presses on it from now on is told so. Gives it as it is then.
    async fn end(&self, nonce: &Nonce) -> Result<Option<Screen>, HostError> {
        match self.amend(nonce, |screen| screen.over = true).await? {
            Some(screen) => Ok(Some(screen)),
            // An earlier try has ended it.
            None => self.screens.find(nonce).await,
        }
    }

    /// The time zone of who is to see a reply; none where a desk is.
    async fn zone_of(self: &Arc<Self>, delivery: &Delivery) -> Option<String> {
        if is_for_desk(delivery) { None } else { self.zone_for(delivery.user.as_str(), &delivery.reply).await }
    }

    /// Keeps the screen before its widgets are seen: whoever presses at once presses on something known.
    async fn draw(&self, delivery: &Delivery, nonce: &chat::Nonce) -> Result<(), HostError> {
        let _gate = self.gates.turn(nonce.as_str()).await;
        if self.screens.find(nonce).await?.is_some() {
            return Ok(());
        }
        let (place, reply) = (delivery.place.clone(), delivery.reply.clone());
        self.screens.keep(&Screen::new(delivery.user.clone(), place, reply, Vec::new())).await
    }

    /// Takes the widgets from a screen that is over, and shows its answer in their place.
    fn bare(self: &Arc<Self>, screen: &Screen, delivery: &Delivery) {
        let quiet = is_quiet(&screen.place);
        let closed = screen.reply.private || (quiet && !screen.reply.shared);
        let parts = render::render(&screen.reply, &Scene { closed, zone: None });
        let answer = screen.given(&delivery.reply);
        let last = parts.len().saturating_sub(1);
        // An ephemeral message that was pressed on is the last one.
        let pressed = screen.messages.len() == 1 && screen.messages[0].starts_with("http");
        let parts = if pressed { parts.into_iter().skip(last).collect() } else { parts };
        let last = parts.len().saturating_sub(1);
        for (no, (part, id)) in parts.into_iter().zip(&screen.messages).enumerate() {
            let wears = part.blocks.iter().any(|block| block["type"] == "actions" || block.get("accessory").is_some());
            let tells = no == last && answer.is_some();
            if id == EPHEMERAL || (!wears && !tells) {
                continue;
            }
            let part = render::over(part, answer.as_deref(), no == last);
            if self.edits.put(id, part) {
                let (bot, id) = (Arc::clone(self), id.clone());
                tokio::spawn(async move { bot.edits.work_off(&id, |part| bot.edit(&id, part)).await });
            }
        }
    }

    /// Changes a message of ours: by what a press on it allows, which no rate counts, else by its id. An ephemeral one that
    /// nobody pressed on stays as it is.
    async fn edit(&self, id: &str, part: Part) -> Result<(), ApiError> {
        let body = json!({"replace_original": true, "text": part.text, "blocks": part.blocks});
        if id.starts_with("http") {
            return self.api.respond(id, &body).await;
        }
        let Some((channel, ts)) = id.split_once(':') else { return Ok(()) };
        if let Some(url) = self.urls.take(&Key::Change(id.to_owned()), Timestamp::now())
            && self.api.respond(&url, &body).await.is_ok()
        {
            return Ok(());
        }
        let body = json!({"channel": channel, "ts": ts, "text": part.text, "blocks": part.blocks,
            "parse": "none", "link_names": false});
        self.api.post("chat.update", &body).await.map(drop)
    }

    /// Posts one message; gives its id as screens keep it.
    async fn post(&self, delivery: &Delivery, part: &Part, no: usize, hidden: bool) -> Result<String, DeliveryError> {
        match self.try_post(delivery, part, no, hidden).await {
            // What Slack takes exception to is the drawing; the words are enough to answer.
            Err(ApiError::Refused(code)) if is_about_blocks(&code) => {
                tracing::error!(code, "slack refused the blocks of a message; it is sent as text");
                let text = chat::fallback::text(&delivery.reply);
                let part = Part { blocks: Vec::new(), ..render::note(&text) };
                self.try_post(delivery, &part, no, hidden).await.map_err(told_apart)
            }
            outcome => outcome.map_err(told_apart),
        }
    }

    async fn try_post(&self, delivery: &Delivery, part: &Part, no: usize, hidden: bool) -> Result<String, ApiError> {
        if hidden {
            return self.whisper(delivery, part).await;
        }
        let place = &delivery.place;
        let mut body = message(&place.channel, place.thread.as_deref(), part);
        body["metadata"] = json!({"event_type": METADATA, "event_payload": {"id": delivery.id.as_str(), "part": no}});
        match self.api.post("chat.postMessage", &body).await {
            Err(ApiError::Refused(code)) if is_about_membership(&code) && is_for_desk(delivery) => {
                tracing::error!(channel = %place.channel, code, "invite the bot to the channel of this desk");
                Err(ApiError::Failed(code))
            }
            // Started by a shortcut where the bot is no member.
            Err(ApiError::Refused(code)) if is_about_membership(&code) => self.whisper(delivery, part).await,
            answer => Ok(id_of(&answer?).unwrap_or_else(|| EPHEMERAL.to_owned())),
        }
    }

    /// Says something that only the person sees: as an ephemeral message, where the bot is no member through the command
    /// that started it, else in a direct message.
    async fn whisper(&self, delivery: &Delivery, part: &Part) -> Result<String, ApiError> {
        let (place, user) = (&delivery.place, delivery.user.as_str());
        // What all are to see is said to all, where the command that started it lets us.
        let all = delivery.reply.shared && !delivery.reply.private;
        // No rate counts what is said in answer to a command or a press.
        if let Some(url) = self.urls.take(&Key::Say(place.clone(), user.to_owned()), Timestamp::now()) {
            let to = if all { "in_channel" } else { "ephemeral" };
            let mut body = json!({"response_type": to, "replace_original": false,
                "text": part.text, "blocks": part.blocks});
            if let Some(thread) = &place.thread {
                body["thread_ts"] = json!(thread);
            }
            match self.api.respond(&url, &body).await {
                Err(ApiError::Refused(code)) => tracing::debug!(code, "a response_url takes nothing"),
                outcome => return outcome.map(|()| EPHEMERAL.to_owned()),
            }
        }
        match self.post_ephemeral(place, user, part).await {
            Err(ApiError::Refused(code)) if is_about_membership(&code) => {}
            outcome => return outcome.map(|()| EPHEMERAL.to_owned()),
        }
        let direct = self.direct(user).await?;
        let answer = self.api.post("chat.postMessage", &message(&direct, None, part)).await?;
        Ok(id_of(&answer).unwrap_or_else(|| EPHEMERAL.to_owned()))
    }

    /// What an earlier try has done; none where there was no try.
    async fn progress(&self, delivery: &Delivery) -> Result<Option<Progress>, DeliveryError> {
        let note = self.host.recall(&Platform::new(PLATFORM), &sent_key(delivery)).await.map_err(unavailable)?;
        let Some(progress) = note.and_then(Progress::read) else { return Ok(None) };
        if !progress.unsure {
            let noted = Progress { unsure: true, sent: progress.sent.clone(), before: progress.before.clone() };
            self.note_sent(delivery, &noted).await.map_err(unavailable)?;
        }
        Ok(Some(progress))
    }

    async fn keep_sent(&self, delivery: &Delivery, progress: &Progress) {
        if let Err(error) = self.note_sent(delivery, progress).await {
            tracing::warn!(%error, "what was sent is not noted; a retry looks for it in the channel");
        }
    }

    async fn note_sent(&self, delivery: &Delivery, progress: &Progress) -> Result<(), HostError> {
        let note = Note {
            platform: Platform::new(PLATFORM),
            key: sent_key(delivery),
            owner: Some(delivery.user.clone()),
            value: Some(json!({"sent": progress.sent, "before": progress.before, "unsure": progress.unsure})),
        };
        self.host.remember(note).await
    }

    /// The messages of this delivery that are in the channel, those too that no note tells of: the process died in
    /// between, or nobody heard Slack's answer. Where Slack does not let us look, those that are known.
    async fn look_back(&self, delivery: &Delivery, known: Vec<String>) -> Result<Vec<String>, ApiError> {
        let place = &delivery.place;
        let mut params = vec![("channel", place.channel.as_str()), ("include_all_metadata", "true")];
        params.push(("limit", LOOK_BACK));
        let method = match &place.thread {
            Some(thread) => {
                params.push(("ts", thread));
                "conversations.replies"
            }
            None => "conversations.history",
        };
        let answer = match self.api.get(method, &params).await {
            Ok(answer) => answer,
            Err(ApiError::Refused(code)) => {
                tracing::debug!(code, "slack does not let us look for what was sent; it may be shown twice");
                return Ok(known);
            }
            Err(error) => return Err(error),
        };
        let mut found: Vec<(u64, String)> = Vec::new();
        for message in answer["messages"].as_array().into_iter().flatten() {
            let payload = &message["metadata"]["event_payload"];
            if payload["id"].as_str() == Some(delivery.id.as_str())
                && let (Some(part), Some(ts)) = (payload["part"].as_u64(), message["ts"].as_str())
            {
                found.push((part, format!("{}:{ts}", place.channel)));
            }
        }
        found.sort();
        found.dedup_by_key(|(part, _)| *part);
        let found: Vec<String> = found.into_iter().map(|(_, id)| id).collect();
        Ok(if found.len() < known.len() { known } else { found })
    }
}

/// How far a delivery is.
struct Progress {
    /// The messages that were sent.
    sent: Vec<String>,
    /// The screen that it takes the place of.
    before: Option<Nonce>,
    /// More may have been sent, by an earlier try.
    unsure: bool,
}

impl Progress {
    /// Reads a note; the messages alone are what an older version wrote.
    fn read(note: Value) -> Option<Self> {
        let before = note.get("before").cloned().and_then(|before| serde_json::from_value(before).ok());
        let unsure = note.get("unsure").and_then(Value::as_bool).unwrap_or(true);
        let sent = note.get("sent").cloned().unwrap_or(note);
        Some(Self { sent: serde_json::from_value(sent).ok()?, before, unsure })
    }
}

/// Whether only the person may see the reply, and others are there.
fn is_hidden(delivery: &Delivery) -> bool {
    (is_quiet(&delivery.place) && !delivery.reply.shared)
        || (delivery.reply.private && !is_direct(&delivery.place.channel))
}

/// Whether a reply is for all at a desk, and for nobody else.
fn is_for_desk(delivery: &Delivery) -> bool {
    delivery.reply.case.is_some() && delivery.reply.shared
}

/// `channel:ts` of a posted message.
fn id_of(answer: &Value) -> Option<String> {
    Some(format!("{}:{}", answer["channel"].as_str()?, answer["ts"].as_str()?))
}

fn sent_key(delivery: &Delivery) -> String {
    // A key has at most 300 bytes.
    format!("sent/{}", delivery.id.as_str().chars().take(250).filter(char::is_ascii).collect::<String>())
}

fn unavailable(error: HostError) -> DeliveryError {
    DeliveryError::later(error.to_string())
}

fn is_about_blocks(code: &str) -> bool {
    matches!(
        code,
        "invalid_blocks" | "invalid_blocks_format" | "msg_blocks_too_long" | "msg_too_long" | "invalid_arguments"
    )
}

fn is_about_membership(code: &str) -> bool {
    matches!(code, "not_in_channel" | "channel_not_found" | "user_not_in_channel")
}

/// Whether a person takes no messages: that is an answer.
fn is_about_person(code: &str) -> bool {
    matches!(code, "user_disabled" | "user_not_found" | "user_not_visible" | "user_not_in_channel" | "cannot_dm_bot")
}

/// What the outbox is to do about an error. What the operator can mend is tried again.
pub(crate) fn told_apart(error: ApiError) -> DeliveryError {
    match error {
        ApiError::Wait(after) => DeliveryError::Later { why: error.to_string(), after: Some(after) },
        ApiError::Failed(_) => DeliveryError::later(error.to_string()),
        ApiError::Refused(ref code) if is_about_person(code) => DeliveryError::unwanted(error.to_string()),
        ApiError::Refused(ref code) => {
            let mendable = ["missing_scope", "invalid_auth", "not_authed", "token_", "account_inactive", "status 4"];
            if mendable.iter().any(|start| code.starts_with(start)) {
                let after = Some(std::time::Duration::from_secs(60));
                return DeliveryError::Later { why: error.to_string(), after };
            }
            DeliveryError::never(error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(ApiError::Wait(std::time::Duration::from_secs(7)), "later, after 7 s")]
    #[case(ApiError::Failed("status 503".to_owned()), "later")]
    #[case(ApiError::Refused("missing_scope (add the scope chat:write)".to_owned()), "later, after 60 s")]
    #[case(ApiError::Refused("token_revoked".to_owned()), "later, after 60 s")]
    #[case(ApiError::Refused("user_disabled".to_owned()), "unwanted")]
    #[case(ApiError::Refused("channel_not_found".to_owned()), "never")]
    #[case(ApiError::Refused("is_archived".to_owned()), "never")]
    fn errors_say_whether_to_try_again(#[case] error: ApiError, #[case] want: &str) {
        let got = match told_apart(error) {
            DeliveryError::Later { after: Some(after), .. } => format!("later, after {} s", after.as_secs()),
            DeliveryError::Later { after: None, .. } => "later".to_owned(),
            DeliveryError::Unwanted { .. } => "unwanted".to_owned(),
            DeliveryError::Never { .. } => "never".to_owned(),
        };
        assert_eq!(got, want);
    }
}
