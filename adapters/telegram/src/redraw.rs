//! Widgets that stand in a chat already: drawn anew as ticks come, and taken off where a message is there twice.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::Screen;
use serde_json::json;

use crate::api::ApiError;
use crate::core::{Core, Worn, edit_key};
use crate::render::{self, Frame, View};
use crate::send::today;

impl Core {
    /// Takes the buttons off a message that was sent twice because the first answer was lost: nobody knew of it.
    pub(crate) fn strip_double(self: &Arc<Self>, screen: &Screen, chat: i64, message: Option<i64>) {
        let known = |id: i64| Worn::of(screen).any(|worn| worn.chat == chat && worn.message == id);
        let Some(message) = message.filter(|id| !known(*id)) else { return };
        let core = Arc::clone(self);
        self.spawn(async move {
            if let Err(error) = core.edit("editMessageReplyMarkup", chat, message, json!({})).await {
                tracing::debug!(%error, "an old message keeps its buttons");
            }
        });
    }

    /// Draws a question that is over as it stands, answered, where a press of it comes again: what took its widgets away
    /// may have been lost with the process.
    pub(crate) fn show_answered(self: &Arc<Self>, screen: Screen, chat: i64, message: Option<i64>) {
        let Some(message) = message else { return };
        let core = Arc::clone(self);
        self.spawn(async move {
            let answered = screen.answer.as_ref().and_then(|answer| render::answered(&screen.reply, answer));
            let edited = match answered {
                Some(answered) => core.edit("editMessageText", chat, message, answered.json()).await,
                None => core.edit("editMessageReplyMarkup", chat, message, json!({})).await,
            };
            if let Err(error) = edited {
                tracing::debug!(%error, "an answered question stays as it is");
            }
        });
    }

    /// Draws a widget anew where it stands. A redraw that Telegram does not take is tried again, as the screen is then: a
    /// tick that is not seen would be pressed once more, and taken back by that.
    pub(crate) fn redraw(self: &Arc<Self>, screen: Screen, view: View, chat: i64, message: Option<i64>) {
        const TRIES: u32 = 5;
        const LONGEST_WAIT: Duration = Duration::from_secs(60);
        let Some(message) = message else { return };
        let core = Arc::clone(self);
        self.spawn(async move {
            let lock = core.lock(&edit_key(chat, message));
            let _one_at_a_time = lock.lock().await;
            let mut pause = Duration::from_millis(500);
            for _ in 0..TRIES {
                let wait = match core.drawn_anew(&screen, &view, chat, message).await {
                    Ok(()) => return,
                    Err(ApiError::Wait(after)) => after.min(LONGEST_WAIT),
                    Err(ApiError::Unreachable(_) | ApiError::Lost(_) | ApiError::Refused(500.., _)) => pause,
                    Err(error) => return tracing::debug!(%error, "a widget could not be drawn anew"),
                };
                tokio::time::sleep(wait).await;
                pause *= 2;
            }
            tracing::warn!("a widget was not drawn anew: Telegram took none of several tries");
        });
    }

    /// Draws a widget as its screen is now.
    async fn drawn_anew(&self, screen: &Screen, view: &View, chat: i64, message: i64) -> Result<(), ApiError> {
        // Somebody quick has ticked more, or answered, since.
        let newest = match screen.reply.nonce() {
            Some(nonce) => self.screens.find(nonce).await.ok().flatten(),
            None => None,
        };
        let screen = newest.as_ref().unwrap_or(screen);
        if screen.over {
            return Ok(());
        }
        let frame = Frame { screen: Some(screen), view: Some(view), ..Frame::new(today(), chat < 0) };
        let Some(drawn) = render::draw(&screen.reply, &frame).pop() else { return Ok(()) };
        let worded = screen.reply.questions.iter().any(|question| render::list::details(question, None).is_some());
        let mut body = drawn.json();
        let method = if worded { "editMessageText" } else { "editMessageReplyMarkup" };
        if !worded {
            body = json!({"reply_markup": body["reply_markup"].take()});
        }
        // A quick hand's last tick was drawn with the one before.
        if !self.is_drawn(chat, message, &body) {
            self.edit(method, chat, message, body.clone()).await?;
            self.note_drawn(chat, message, body);
        }
        Ok(())
    }
}
