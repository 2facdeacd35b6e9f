//! Widgets that stand in a chat already: drawn anew as ticks come, shown answered once they are over, and taken off where a
//! message is there twice. All of it in its own time: nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::Screen;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::api::ApiError;
use crate::core::{Core, Kind, Worn, edit_key};
use crate::render::{self, Frame, View};
use crate::send::today;

impl Core {
    /// Takes the buttons off a message whose screen is over, and that still has them.
    pub(crate) fn strip(self: &Arc<Self>, screen: &Screen, chat: i64, message: Option<i64>) {
        let Some(message) = message else { return };
        if Worn::of(screen).any(|worn| worn.chat == chat && worn.message == message) {
            // What should have done so was lost with the process.
            return self.show_over(screen);
        }
        // It was sent twice because the first answer was lost: nobody knew of it.
        let core = Arc::clone(self);
        self.spawn(async move {
            if let Err(error) = core.edit("editMessageReplyMarkup", chat, message, json!({})).await {
                tracing::debug!(%error, "an old message keeps its buttons");
            }
        });
    }

    /// Shows a question that is over as it stands, answered and without its widgets.
    pub(crate) fn show_over(self: &Arc<Self>, screen: &Screen) {
        let answered = screen.answer.as_ref().and_then(|answer| render::answered(&screen.reply, answer));
        for worn in Worn::of(screen).filter(|worn| matches!(worn.kind, Kind::Inline | Kind::Link)) {
            let (method, body) = match answered.as_ref().filter(|_| worn.kind == Kind::Inline) {
                Some(answered) => ("editMessageText", answered.json()),
                // Without a keyboard in the request, the message loses the one it has.
                None => ("editMessageReplyMarkup", json!({})),
            };
            let core = Arc::clone(self);
            self.draw(worn.chat, worn.message, move || {
                let (core, body) = (Arc::clone(&core), body.clone());
                async move { core.put(worn.chat, worn.message, method, body).await }
            });
        }
    }

    /// Draws a widget anew where it stands.
    pub(crate) fn redraw(self: &Arc<Self>, screen: Screen, view: View, chat: i64, message: Option<i64>) {
        let Some(message) = message else { return };
        let (core, shown) = (Arc::clone(self), Arc::new((screen, view)));
        self.draw(chat, message, move || {
            let (core, shown) = (Arc::clone(&core), Arc::clone(&shown));
            async move { core.drawn_anew(&shown.0, &shown.1, chat, message).await }
        });
    }

    /// Draws a message anew, one drawing at a time. What Telegram does not take is tried again, as things are then: a tick
    /// that is not seen would be pressed once more, and taken back by that.
    fn draw<F>(self: &Arc<Self>, chat: i64, message: i64, draw: impl Fn() -> F + Send + 'static)
    where
        F: Future<Output = Result<(), ApiError>> + Send,
    {
        /// A drawing that comes later than that is of no use to anybody.
        const TOO_LATE: Duration = Duration::from_secs(120);
        let lock = self.lock(&edit_key(chat, message));
        self.spawn(async move {
            let _one_at_a_time = lock.lock().await;
            let too_late = Instant::now() + TOO_LATE;
            let mut pause = Duration::from_millis(250);
            loop {
                let wait = match draw().await {
                    Ok(()) => return,
                    Err(ApiError::Wait(after)) => after,
                    Err(ApiError::Unreachable(_) | ApiError::Lost(_) | ApiError::Refused(500.., _)) => {
                        pause *= 2;
                        pause
                    }
                    Err(error) => return tracing::debug!(%error, "a message stays as it is"),
                };
                if Instant::now() + wait > too_late {
                    return tracing::warn!("a message was not drawn anew: Telegram took it at none of several tries");
                }
                tokio::time::sleep(wait).await;
            }
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
        let frame = Frame { screen: Some(screen), view: Some(view), ..Frame::new(today(&screen.reply), chat < 0) };
        let Some(drawn) = render::draw(&screen.reply, &frame).pop() else { return Ok(()) };
        let worded = screen.reply.questions.iter().any(|question| render::list::details(question, None).is_some());
        let mut body = drawn.json();
        let method = if worded { "editMessageText" } else { "editMessageReplyMarkup" };
        if !worded {
            body = json!({"reply_markup": body["reply_markup"].take()});
        }
        self.put(chat, message, method, body).await
    }

    /// Edits a message, unless it shows this already: a quick hand's last tick was drawn with the one before.
    async fn put(&self, chat: i64, message: i64, method: &str, body: Value) -> Result<(), ApiError> {
        if !self.is_drawn(chat, message, &body) {
            self.edit(method, chat, message, body.clone()).await?;
            self.note_drawn(chat, message, body);
        }
        Ok(())
    }
}
