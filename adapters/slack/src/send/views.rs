//! Modals on persons' screens: opened by a press, gone on with when what was sent opens further fields, and drawn anew when
//! the form has changed meanwhile.
//!
//! Which modal is open where is kept in memory: after a restart one that has become stale says so when it is sent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chat::words::{Word, say};
use chat::{Reply, Screen, UserId};
use formwright_chat as chat;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::api::ApiError;
use crate::bot::Bot;
use crate::intake::ack::Ack;
use crate::render::{self, Scene};
use crate::{limits, text};

/// How long after it was sent a modal waits for what comes next; Slack waits [`limits::ANSWER_IN`] for the answer.
const NEXT_IN: Duration = Duration::from_millis(2200);
impl Bot {
    /// Opens the questions of a screen as a modal.
    pub(crate) async fn open_modal(self: &Arc<Self>, trigger: &str, screen: &Screen, user: &str, zone: Option<&str>) {
        let scene = Scene { closed: true, zone };
        let opened = match render::modal(&screen.reply, &scene) {
            Some(view) => self.open_view(trigger, &view).await,
            None => None,
        };
        match (opened, screen.reply.nonce()) {
            (Some(shown), Some(nonce)) => {
                self.views.opened(nonce, &shown, user);
                // What came meanwhile has not found it open.
                if matches!(self.screens.find(nonce).await, Ok(Some(now)) if now.over) {
                    let live = self.screens.live(&screen.place, &UserId::new(user)).await.ok().flatten();
                    self.renew_views(screen, live);
                }
            }
            (Some(_), None) => {}
            (None, _) => self.tell(&screen.place, user, None, Word::TooLate).await,
        }
    }

    /// Opens a modal with a trigger that lives three seconds; gives it as Slack shows it.
    pub(crate) async fn open_view(&self, trigger: &str, view: &Value) -> Option<Value> {
        let body = json!({"trigger_id": trigger, "view": view});
        let opened = self.api.post("views.open", &body);
        match tokio::time::timeout(limits::ANSWER_IN, opened).await {
            Ok(Ok(mut answer)) => Some(answer["view"].take()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "a modal was not opened");
                None
            }
            Err(_) => None,
        }
    }

    /// The answer to a modal that was taken: what comes next in its place, where that is of the same form and comes in
    /// time; else it closes, and the chat goes on.
    pub(crate) async fn next_view(
        self: &Arc<Self>,
        view: &str,
        user: &str,
        screen: &Screen,
        next: oneshot::Receiver<Reply>,
        begun: Instant,
    ) -> Ack {
        let clear = Ack::With(json!({"response_action": "clear"}));
        let left = NEXT_IN.saturating_sub(begun.elapsed());
        let Ok(Ok(next)) = tokio::time::timeout(left, next).await else { return clear };
        if !goes_on(&screen.reply, &next) {
            return clear;
        }
        let zone = self.zone_for(user, &next).await;
        let Some(drawn) = render::modal(&next, &Scene { closed: true, zone: zone.as_deref() }) else { return clear };
        if let Some(nonce) = next.nonce() {
            self.views.shows(nonce, &json!({"id": view}), user);
        }
        Ack::With(json!({"response_action": "update", "view": drawn}))
    }

    /// Draws modals of a screen that is over anew: with what is asked now, where that is of the same form.
    pub(crate) fn renew_views(self: &Arc<Self>, before: &Screen, now: Option<Screen>) {
        let Some(views) = before.reply.nonce().and_then(|nonce| self.views.lock().by_screen.remove(nonce)) else {
            return;
        };
        let before = before.reply.clone();
        let bot = Arc::clone(self);
        tokio::spawn(async move {
            for open in views {
                let goes_on = |now: &&Screen| now.may_press(&UserId::new(&open.user)) && goes_on(&before, &now.reply);
                let next = now.as_ref().filter(goes_on).map(|now| &now.reply);
                let zone = match next {
                    Some(reply) => bot.zone_for(&open.user, reply).await,
                    None => None,
                };
                let scene = Scene { closed: true, zone: zone.as_deref() };
                let drawn = next.and_then(|reply| render::modal(reply, &scene));
                let next = next.and_then(Reply::nonce).filter(|_| drawn.is_some());
                let view = drawn.unwrap_or_else(|| note(Word::Over, &before.lang));
                let mut body = json!({"view_id": open.id, "view": view});
                if let Some(hash) = &open.hash {
                    body["hash"] = json!(hash);
                }
                match bot.api.post("views.update", &body).await {
                    Ok(answer) => {
                        if let Some(nonce) = next {
                            bot.views.shows(nonce, &answer["view"], &open.user);
                        }
                    }
                    // It was closed, or changed, just now.
                    Err(ApiError::Refused(code)) => tracing::debug!(code, "a modal stays as it is"),
                    Err(error) => tracing::warn!(%error, "a modal was not drawn anew"),
                }
            }
        });
    }
}

/// Whether a reply goes on with what a modal asked: further fields of the same page, or the next page of the form.
fn goes_on(before: &Reply, next: &Reply) -> bool {
    let same_form = before.form.is_some() && before.form == next.form;
    let asks = !next.questions.is_empty() && next.card.is_none() && next.nonce() != before.nonce();
    same_form && asks && (before.title == next.title || !next.page.is_empty())
}

/// A modal that says a word in place of its fields.
pub(crate) fn note(word: Word, lang: &str) -> Value {
    json!({
        "type": "modal",
        "title": text::plain(say(Word::Answered, lang), limits::MODAL_TITLE),
        "close": text::plain(say(Word::Close, lang), limits::MODAL_TITLE),
        "blocks": render::note(say(word, lang)).blocks,
    })
}
