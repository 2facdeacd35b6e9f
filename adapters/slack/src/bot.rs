//! The adapter while it runs: the Web API, the product, and what both must know.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chat::words::{Word, say};
use chat::{Access, Host, HostError, Note, Place, Platform, Screen, Screens, UserId};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{Api, ApiError};
use crate::home::Homes;
use crate::limits;
use crate::names::Channels;
use crate::people::{People, Person};
use crate::render::{self, Part};
use crate::translate::{Who, is_direct};
use crate::views::Views;

/// The platform's name.
pub(crate) const PLATFORM: &str = "slack";

/// The adapter while it runs.
pub(crate) struct Bot {
    pub(crate) api: Api,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) screens: Screens,
    pub(crate) people: People,
    pub(crate) channels: Channels,
    pub(crate) homes: Homes,
    pub(crate) views: Views,
    pub(crate) access: Access,
    /// The bot's own user id.
    pub(crate) me: String,
    /// Held while a screen is read, changed and kept, so that a press and a delivery do not undo each other.
    pub(crate) gate: tokio::sync::Mutex<()>,
    /// Slack shows that the bot is at work; not any more where it said that it does not.
    pub(crate) has_status: std::sync::atomic::AtomicBool,
    /// Who was told that nothing can be kept now.
    pub(crate) told_away: chat::Seldom,
    /// Ways to answer a command where the bot is no member, by place and person.
    urls: Mutex<BTreeMap<(Place, String), ResponseUrl>>,
}

#[derive(Clone, Debug)]
struct ResponseUrl {
    url: String,
    since: Timestamp,
    uses: u32,
}

impl Bot {
    pub(crate) fn new(api: Api, host: Arc<dyn Host>, access: Access, me: String) -> Self {
        Self {
            api,
            screens: Screens::new(Platform::new(PLATFORM), host.clone()),
            host,
            people: People::default(),
            channels: Channels::default(),
            homes: Homes::default(),
            views: Views::default(),
            access,
            me,
            gate: tokio::sync::Mutex::default(),
            has_status: true.into(),
            told_away: chat::Seldom::away(),
            urls: Mutex::default(),
        }
    }

    pub(crate) async fn person(&self, user: &str) -> Person {
        self.people.get(&self.api, user).await
    }

    /// Whether the person is in the midst of something here.
    pub(crate) async fn is_live(&self, place: &Place, user: &str) -> Result<bool, HostError> {
        let user = UserId::new(user);
        if self.screens.live(place, &user).await?.is_some() {
            return Ok(true);
        }
        let view = self.host.view(place, &user).await?;
        Ok(view.is_some_and(|view| view.under_way().is_some()))
    }

    /// The direct message with a person.
    pub(crate) async fn direct(&self, user: &str) -> Result<String, ApiError> {
        let key = format!("dm/{user}");
        let platform = Platform::new(PLATFORM);
        if let Ok(Some(Value::String(known))) = self.host.recall(&platform, &key).await {
            return Ok(known);
        }
        let answer = self.api.post("conversations.open", &json!({"users": user})).await?;
        let Some(channel) = answer.pointer("/channel/id").and_then(Value::as_str) else {
            return Err(ApiError::Failed("no channel in the answer".to_owned()));
        };
        self.keep_direct(user, channel).await;
        Ok(channel.to_owned())
    }

    /// Notes the direct message with a person. Without the note it is asked for again.
    pub(crate) async fn keep_direct(&self, user: &str, channel: &str) {
        let note = Note {
            platform: Platform::new(PLATFORM),
            key: format!("dm/{user}"),
            owner: Some(UserId::new(user)),
            value: Some(json!(channel)),
        };
        if let Err(error) = self.host.remember(note).await {
            tracing::debug!(%error, "a direct message was not noted");
        }
    }

    /// Says a word to one person, where they are.
    pub(crate) async fn tell(&self, at: &Place, user: &str, url: Option<&str>, word: Word) {
        let locale = self.person(user).await.locale.unwrap_or_default();
        self.tell_words(at, user, url, say(word, &locale)).await;
    }

    /// Says something to one person, where they are. Nothing is lost if it fails.
    pub(crate) async fn tell_words(&self, at: &Place, user: &str, url: Option<&str>, words: &str) {
        let part = render::note(words);
        if let Some(url) = url {
            let body = json!({"response_type": "ephemeral", "replace_original": false,
                "text": part.text, "blocks": part.blocks});
            if self.api.respond(url, &body).await.is_ok() {
                return;
            }
        }
        if let Err(error) = self.post_ephemeral(at, user, &part).await {
            tracing::debug!(%error, "a person was not told");
        }
    }

    /// Posts a message that only one person sees.
    pub(crate) async fn post_ephemeral(&self, at: &Place, user: &str, part: &Part) -> Result<(), ApiError> {
        let mut body = message(&at.channel, at.thread.as_deref(), part);
        body["user"] = json!(user);
        for key in ["unfurl_links", "unfurl_media"] {
            body.as_object_mut().and_then(|body| body.remove(key));
        }
        self.api.post("chat.postEphemeral", &body).await.map(drop)
    }

    /// Notes how a command may be answered.
    pub(crate) fn keep_url(&self, place: &Place, user: &str, url: &str) {
        let mut urls = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Timestamp::now();
        urls.retain(|_, url| now.duration_since(url.since) < limits::RESPONSE_URL_LIFE);
        let kept = ResponseUrl { url: url.to_owned(), since: now, uses: 0 };
        urls.insert((place.clone(), user.to_owned()), kept);
    }

    /// A way to answer that still works; one of its uses is gone then.
    pub(crate) fn take_url(&self, place: &Place, user: &str) -> Option<String> {
        let mut urls = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = urls.get_mut(&(place.clone(), user.to_owned()))?;
        let fresh = Timestamp::now().duration_since(kept.since) < limits::RESPONSE_URL_LIFE;
        if !fresh || kept.uses >= limits::RESPONSE_URL_USES {
            return None;
        }
        kept.uses += 1;
        Some(kept.url.clone())
    }

    /// Changes a screen that is still live; gives it as it is then. None where it is over or gone.
    pub(crate) async fn amend(
        &self,
        nonce: &chat::Nonce,
        change: impl FnOnce(&mut Screen) + Send,
    ) -> Result<Option<Screen>, HostError> {
        let _gate = self.gate.lock().await;
        let Some(mut screen) = self.screens.find(nonce).await?.filter(|screen| !screen.over) else { return Ok(None) };
        change(&mut screen);
        self.screens.keep(&screen).await?;
        Ok(Some(screen))
    }
}

/// A message as `chat.postMessage` takes it: nothing in it is a mention or unfolds a link.
pub(crate) fn message(channel: &str, thread: Option<&str>, part: &Part) -> Value {
    let mut body = json!({
        "channel": channel,
        "text": part.text,
        "parse": "none",
        "link_names": false,
        "unfurl_links": false,
        "unfurl_media": false,
    });
    if !part.blocks.is_empty() {
        body["blocks"] = json!(part.blocks);
    }
    if let Some(thread) = thread {
        body["thread_ts"] = json!(thread);
    }
    body
}

/// A place in Slack.
pub(crate) fn place(who: &Who, channel: &str, thread: Option<&str>) -> Place {
    Place {
        platform: Platform::new(PLATFORM),
        workspace: who.workspace.clone(),
        channel: channel.to_owned(),
        thread: thread.map(str::to_owned),
    }
}

/// Whether only the person may see what is said at a place: a channel outside of any thread.
pub(crate) fn is_quiet(place: &Place) -> bool {
    !is_direct(&place.channel) && place.thread.is_none()
}
