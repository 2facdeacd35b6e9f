//! The adapter while it runs: the Web API, the product, and what both must know.

use std::sync::Arc;

use chat::words::{Word, say};
use chat::{Access, Host, HostError, Input, Note, OneByOne, Place, Platform, Reply, Screen, Screens, UserId};
use formwright_chat as chat;
use serde_json::{Value, json};

use crate::api::people::{People, Person};
use crate::api::{Api, ApiError};
use crate::intake::channels::Channels;
use crate::render::{self, Part};
use crate::send::homes::Homes;
use crate::send::latest::Latest;
use crate::send::open::Views;
use crate::send::urls::Urls;
use crate::settings::PLATFORM;
use crate::translate::{Who, is_direct};

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
    /// What came in, by the person who did it.
    pub(crate) frames: OneByOne,
    /// A screen is read, changed and kept by one at a time, so that a press and a delivery do not undo each other.
    pub(crate) gates: OneByOne,
    /// Slack shows that the bot is at work; not any more where it said that it does not.
    pub(crate) has_status: std::sync::atomic::AtomicBool,
    /// Who was told that nothing can be kept now.
    pub(crate) told_away: chat::Seldom,
    /// Ways to answer commands and presses.
    pub(crate) urls: Urls,
    /// Messages that are to be changed.
    pub(crate) edits: Latest<Part>,
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
            frames: OneByOne::default(),
            gates: OneByOne::default(),
            has_status: true.into(),
            told_away: chat::Seldom::away(),
            urls: Urls::default(),
            edits: Latest::default(),
        }
    }

    /// What Slack tells of a person, which may take a while.
    pub(crate) async fn person(&self, user: &str) -> Person {
        self.people.get(&self.api, user).await
    }

    /// What is known of a person already. What is not is asked for, and not waited for.
    pub(crate) fn known(self: &Arc<Self>, user: &str) -> Person {
        let (person, fresh) = self.people.known(user);
        if !fresh {
            let (bot, user) = (Arc::clone(self), user.to_owned());
            tokio::spawn(async move { bot.person(&user).await });
        }
        person
    }

    /// A person's time zone; it is asked for only where something drawn holds a moment.
    pub(crate) async fn zone_for(self: &Arc<Self>, user: &str, drawn: &Reply) -> Option<String> {
        let mut questions = drawn.questions.iter().chain(&drawn.page);
        let moments = questions.any(|question| matches!(question.input, Input::DateTime { .. }));
        if moments { self.person(user).await.zone } else { self.known(user).zone }
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

    /// Changes a screen that is still live; gives it as it is then. None where it is over or gone.
    pub(crate) async fn amend(
        &self,
        nonce: &chat::Nonce,
        change: impl FnOnce(&mut Screen) + Send,
    ) -> Result<Option<Screen>, HostError> {
        let _gate = self.gates.turn(nonce.as_str()).await;
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
