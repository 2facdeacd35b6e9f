//! What receiving and sending share: the bot, the product, the notes, and how fast may be sent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use formwright_chat::pace::{Lane, Pace};
use formwright_chat::{Host, HostError, Note, Place, Platform, Screen, Screens, Seldom, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::api::{Api, ApiError};
use crate::commands::scope::Scope;
use crate::intake::waiting::Popup;
use crate::translate::{Chat, Me};
use crate::{PLATFORM, TelegramSettings, limits};

/// Longest that a message waits for its turn before it goes back to the outbox, which counts that as a try.
const PATIENCE: Duration = Duration::from_secs(15);
/// Locks kept before those that nobody holds are forgotten.
const LOCKS: usize = 1000;

/// A connected bot.
pub(crate) struct Core {
    pub(crate) settings: TelegramSettings,
    pub(crate) api: Api,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) me: Me,
    pub(crate) screens: Screens,
    pace: Pace,
    /// New ids of groups by their old ones.
    moved: Mutex<BTreeMap<i64, i64>>,
    locks: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>,
    tasks: Mutex<JoinSet<()>>,
    /// Widgets that were drawn anew, as they were drawn last.
    drawn: Mutex<BTreeMap<(i64, i64), Value>>,
    /// The newest message known in each chat.
    newest: Mutex<BTreeMap<i64, i64>>,
    /// Menus of commands that were set.
    pub(crate) menus: Mutex<BTreeSet<Scope>>,
    /// Who was told that nothing can be kept now.
    pub(crate) told_away: Seldom,
    /// Presses at a desk, oldest first.
    pub(crate) popups: Mutex<Vec<Popup>>,
}

/// Where a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) chat: i64,
    pub(crate) thread: Option<i64>,
}

impl Target {
    pub(crate) fn person(user: &UserId) -> Option<Self> {
        Some(Self { chat: user.as_str().parse().ok()?, thread: None })
    }

    pub(crate) fn is_group(self) -> bool {
        self.chat < 0
    }

    /// The fields of a message that say where it goes.
    pub(crate) fn put(self, body: &mut Value) {
        body["chat_id"] = json!(self.chat);
        if let Some(thread) = self.thread {
            body["message_thread_id"] = json!(thread);
        }
    }
}

impl Core {
    pub(crate) async fn new(
        settings: TelegramSettings,
        api: Api,
        host: Arc<dyn Host>,
        me: Me,
    ) -> Result<Self, HostError> {
        let screens = Screens::new(platform(), Arc::clone(&host));
        let core = Self {
            settings,
            api,
            host,
            me,
            screens,
            pace: Pace::default(),
            moved: Mutex::default(),
            locks: Mutex::default(),
            tasks: Mutex::default(),
            drawn: Mutex::default(),
            newest: Mutex::default(),
            menus: Mutex::default(),
            told_away: Seldom::away(),
            popups: Mutex::default(),
        };
        let moved: Option<Vec<(i64, i64)>> = core.recall("moved").await?;
        held(&core.moved).extend(moved.unwrap_or_default());
        Ok(core)
    }

    /// What was noted under a key; what cannot be read any more is as good as not noted.
    pub(crate) async fn recall<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, HostError> {
        let note = self.host.recall(&platform(), key).await?;
        Ok(note.and_then(|note| serde_json::from_value(note).ok()))
    }

    pub(crate) async fn remember<T: Serialize + Sync>(
        &self,
        key: &str,
        owner: Option<&UserId>,
        value: Option<&T>,
    ) -> Result<(), HostError> {
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        self.host.remember(Note { platform: platform(), key: key.to_owned(), owner: owner.cloned(), value }).await
    }

    /// The place of a chat. A group that moved keeps the place it had, and so its sessions.
    pub(crate) fn place(&self, chat: &Chat) -> Place {
        let id = held(&self.moved).iter().find(|(_, new)| **new == chat.id).map_or(chat.id, |(old, _)| *old);
        Place {
            platform: platform(),
            workspace: String::new(),
            channel: id.to_string(),
            thread: chat.thread.map(|thread| thread.to_string()),
        }
    }

    /// Where messages for a place are sent; none where it is no place of Telegram.
    pub(crate) fn target(&self, place: &Place) -> Option<Target> {
        let chat: i64 = place.channel.parse().ok()?;
        let chat = held(&self.moved).get(&chat).copied().unwrap_or(chat);
        let thread = place.thread.as_deref().map(str::parse).transpose().ok()?;
        Some(Target { chat, thread })
    }

    /// Notes that a group has a new id.
    pub(crate) async fn has_moved(&self, from: i64, to: i64) -> Result<(), HostError> {
        let all: Vec<(i64, i64)> = {
            let mut moved = held(&self.moved);
            // A group may have moved before: its place is named after the first id.
            let first = moved.iter().find(|(_, new)| **new == from).map_or(from, |(old, _)| *old);
            moved.insert(first, to);
            moved.iter().map(|(old, new)| (*old, *new)).collect()
        };
        self.remember("moved", None, Some(&all)).await
    }

    /// One at a time for each key.
    pub(crate) fn lock(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = held(&self.locks);
        if locks.len() > LOCKS {
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        }
        Arc::clone(locks.entry(key.to_owned()).or_default())
    }

    /// Does something that nobody waits for.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = held(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    /// Waits a while for what was spawned.
    pub(crate) async fn settle(&self, time: Duration) {
        let mut tasks = std::mem::take(&mut *held(&self.tasks));
        let _ = tokio::time::timeout(time, async { while tasks.join_next().await.is_some() {} }).await;
    }

    /// Sends a message, when its chat and the whole bot may be written to.
    pub(crate) async fn send(&self, target: Target, mut body: Value) -> Result<i64, ApiError> {
        target.put(&mut body);
        let result = self.paced(target.chat, true, PATIENCE, "sendMessage", &body).await;
        let sent = match result {
            Err(ApiError::Moved(to)) => {
                let _ = self.has_moved(target.chat, to).await;
                Target { chat: to, ..target }.put(&mut body);
                self.paced(to, true, PATIENCE, "sendMessage", &body).await?
            }
            other => other?,
        };
        let id = sent["message_id"].as_i64();
        let id = id.ok_or_else(|| ApiError::Unreachable("an answer without a message id".to_owned()))?;
        self.saw(target.chat, id);
        Ok(id)
    }

    /// Notes that a message is in a chat. Chats that were quiet for long are forgotten.
    pub(crate) fn saw(&self, chat: i64, message: i64) {
        let mut newest = held(&self.newest);
        if newest.len() >= LOCKS {
            newest.clear();
        }
        let known = newest.entry(chat).or_default();
        *known = message.max(*known);
    }

    /// The newest message known in a chat.
    pub(crate) fn newest(&self, chat: i64) -> Option<i64> {
        held(&self.newest).get(&chat).copied()
    }

    /// Looks for a message with buttons whose sending went without an answer: among the next ones after `after`, the one
    /// that shows these very buttons. A message that shows them already says so when they are put under it once more,
    /// and no other message has them.
    pub(crate) async fn find_lost(&self, chat: i64, buttons: &Value, after: i64) -> Option<i64> {
        for message in after + 1..=after + limits::LOOK_FOR {
            let put = |buttons: Value| json!({"chat_id": chat, "message_id": message, "reply_markup": buttons});
            match self.paced(chat, false, PATIENCE, "editMessageReplyMarkup", &put(buttons.clone())).await {
                Err(error) if error.is_unchanged() => {
                    self.saw(chat, message);
                    return Some(message);
                }
                Err(ApiError::Refused(..)) => {}
                Err(_) => return None,
                Ok(_) => {
                    // Another message of ours, which has none.
                    let none = put(json!({"inline_keyboard": []}));
                    let taken = self.paced(chat, false, PATIENCE, "editMessageReplyMarkup", &none).await;
                    taken
                        .err()
                        .inspect(|error| tracing::debug!(%error, "a message keeps buttons that it should not have"));
                }
            }
        }
        None
    }

    /// Edits a message: `editMessageText` or `editMessageReplyMarkup`. That it shows this already is no error.
    pub(crate) async fn edit(&self, method: &str, chat: i64, message: i64, mut body: Value) -> Result<(), ApiError> {
        body["chat_id"] = json!(chat);
        body["message_id"] = json!(message);
        // Messages take their places ahead of time; an edit goes where one is free now.
        match self.paced(chat, false, Duration::ZERO, method, &body).await {
            Err(error) if !error.is_unchanged() => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether a widget shows this already.
    pub(crate) fn is_drawn(&self, chat: i64, message: i64, body: &Value) -> bool {
        held(&self.drawn).get(&(chat, message)) == Some(body)
    }

    /// Notes what a widget shows now. What was drawn long ago is forgotten.
    pub(crate) fn note_drawn(&self, chat: i64, message: i64, body: Value) {
        let mut drawn = held(&self.drawn);
        if drawn.len() >= LOCKS {
            drawn.clear();
        }
        drawn.insert((chat, message), body);
    }

    /// Answers a press: with nothing, or with words in a window that only the presser sees.
    pub(crate) fn answer(self: &Arc<Self>, query: &str, alert: Option<&str>) {
        let mut body = json!({"callback_query_id": query});
        if let Some(words) = alert {
            body["text"] = json!(crate::render::html::shorten(words, limits::ALERT));
            body["show_alert"] = json!(true);
        }
        let core = Arc::clone(self);
        self.spawn(async move {
            if let Err(error) = core.api.call("answerCallbackQuery", &body).await {
                // The press was long ago, or answered before: nobody waits for it.
                tracing::debug!(%error, "a press could not be answered");
            }
        });
    }

    async fn paced(
        &self,
        chat: i64,
        counts: bool,
        patience: Duration,
        method: &str,
        body: &Value,
    ) -> Result<Value, ApiError> {
        let (messages, edits) = (format!("chat/{chat}"), format!("edits/{chat}"));
        let rate = if chat < 0 { limits::GROUP_RATE } else { limits::CHAT_RATE };
        // Edits do not count in a chat, but wait where Telegram told us to be silent.
        let own = if counts { Lane::limited(&messages, rate) } else { Lane::at_least(&edits, rate) };
        let lanes = [own, Lane::limited("all", limits::BOT_RATE)];
        let result = self.pace.call(&lanes, patience, self.api.call(method, body)).await.map_err(ApiError::Wait)?;
        if let Err(ApiError::Wait(after)) = &result {
            self.pace.refused(&lanes, *after);
            [messages, edits].iter().for_each(|lane| self.pace.hold(lane, *after));
        }
        result
    }
}

/// What locks the edits of a message.
pub(crate) fn edit_key(chat: i64, message: i64) -> String {
    format!("edit/{chat}/{message}")
}

pub(crate) fn platform() -> Platform {
    Platform::new(PLATFORM)
}

pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message that wears the widgets of a screen, as [`Screen::messages`] spells it: `chat/message/kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worn {
    pub(crate) chat: i64,
    pub(crate) message: i64,
    pub(crate) kind: Kind,
}

/// What a message wears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Words only.
    Bare,
    /// Buttons under it.
    Inline,
    /// A keyboard in place of the person's own.
    Keyboard,
    /// It opened the input line.
    Force,
    /// A link from a group to the private chat.
    Link,
}

const KINDS: [(Kind, &str); 5] =
    [(Kind::Bare, "p"), (Kind::Inline, "i"), (Kind::Keyboard, "k"), (Kind::Force, "f"), (Kind::Link, "l")];

impl std::fmt::Display for Worn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = KINDS.iter().find(|(kind, _)| *kind == self.kind).map_or("p", |(_, spelled)| spelled);
        write!(f, "{}/{}/{kind}", self.chat, self.message)
    }
}

impl Worn {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let (chat, message, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = KINDS.iter().find(|(_, spelled)| *spelled == kind)?.0;
        Some(Self { chat: chat.parse().ok()?, message: message.parse().ok()?, kind })
    }

    /// The messages of a screen.
    pub(crate) fn of(screen: &Screen) -> impl Iterator<Item = Self> + '_ {
        screen.messages.iter().filter_map(|text| Self::read(text))
    }
}
