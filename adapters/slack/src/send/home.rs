//! App Home: what a person has begun, wherever that is, with the way back there, and the forms that they may begin.
//!
//! Where a person has been asked something is noted; what is open there is asked of the product each time.

use std::sync::Arc;

use chat::words::{Word, say};
use chat::{Note, Place, Platform, UserId};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::homes::KEPT;
use crate::api::ApiError;
use crate::bot::{Bot, place};
use crate::render::{self, Draft, Way};
use crate::settings::PLATFORM;
use crate::translate::{Home, Who, is_direct};

/// Places noted for a person; of more, those used longest ago are forgotten.
const PLACES: usize = 30;
impl Bot {
    /// Draws App Home, which a person looks at.
    pub(crate) async fn publish_home(&self, home: Home) {
        let who = &home.who;
        if !home.channel.is_empty() {
            self.keep_direct(&who.id, &home.channel).await;
        }
        self.keep(&who.id, "home", json!(who.workspace)).await;
        if let Err(error) = self.draw_home(who, &home.channel, true).await {
            tracing::warn!(%error, "App Home was not drawn");
        }
    }

    /// Redraws the App Home of a person who has opened it, when a draft has begun or ended.
    pub(crate) fn refresh_home(self: &Arc<Self>, delivery: &chat::Delivery) {
        if !self.homes.turns(delivery) {
            return;
        }
        let (bot, at, user) = (Arc::clone(self), delivery.place.clone(), delivery.user.clone());
        let asks = delivery.reply.form.is_some();
        tokio::spawn(async move {
            if asks {
                bot.note_been(&at, user.as_str()).await;
            }
            let Some(Value::String(workspace)) = bot.kept(user.as_str(), "home").await else { return };
            let Some(Value::String(direct)) = bot.kept(user.as_str(), "dm").await else { return };
            let home = Home { who: Who { id: user.as_str().to_owned(), workspace }, channel: direct };
            if bot.homes.due.put(user.as_str(), home) {
                let draw = |home: Home| {
                    let bot = &bot;
                    async move { bot.draw_home(&home.who, &home.channel, false).await }
                };
                bot.homes.due.work_off(user.as_str(), draw).await;
            }
        });
    }

    async fn draw_home(&self, who: &Who, direct: &str, again: bool) -> Result<(), ApiError> {
        let locale = self.person(&who.id).await.locale.unwrap_or_default();
        let drafts = self.drafts(who, direct, &locale).await;
        let begun_here = |form: &chat::FormCard| {
            drafts.iter().any(|draft| draft.card.id == form.id && matches!(draft.way, Way::Start))
        };
        let mut forms = self.forms_for(who, direct);
        forms.retain(|form| !begun_here(form));
        let metadata = json!({"channel": direct}).to_string();
        let view = render::home(&forms, &drafts, &metadata, &locale);
        if !again && self.homes.lock().get(&who.id) == Some(&view) {
            return Ok(());
        }
        self.api.post("views.publish", &json!({"user_id": who.id, "view": view})).await?;
        let mut drawn = self.homes.lock();
        if drawn.len() >= KEPT {
            drawn.clear();
        }
        drawn.insert(who.id.clone(), view);
        Ok(())
    }

    /// What a person has begun and not ended, in their direct message first.
    async fn drafts(&self, who: &Who, direct: &str, lang: &str) -> Vec<Draft> {
        let known = self.host.forms();
        let been = self.been(&who.id).await;
        let own = place(who, direct, None);
        let mut still = Vec::new();
        let mut drafts = Vec::new();
        for at in std::iter::once(own.clone()).chain(been.iter().filter(|at| **at != own).cloned()) {
            let Ok(Some(view)) = self.host.view(&at, &UserId::new(&who.id)).await else { continue };
            let forms: Vec<String> = view.under_way().map(str::to_owned).into_iter().chain(view.parked).collect();
            if forms.is_empty() {
                continue;
            }
            let (place, way) = self.way_to(&at, &who.id, lang).await;
            still.push(at);
            let cards = forms.iter().filter_map(|id| known.iter().find(|card| card.id == *id));
            drafts.extend(cards.map(|card| Draft { card: card.clone(), place: place.clone(), way: way.clone() }));
        }
        if still.len() < been.len() {
            self.keep(&who.id, "been", json!(still)).await;
        }
        drafts
    }

    /// Where a place is, in words, and the way there.
    async fn way_to(&self, at: &Place, user: &str, lang: &str) -> (String, Way) {
        let direct = is_direct(&at.channel);
        let words = if direct {
            say(Word::InThisChat, lang).to_owned()
        } else {
            let name = self.channel_name(&at.channel).await.map(|name| format!("#{name}"));
            let name = name.unwrap_or_else(|| say(Word::SomeChannel, lang).replace("{id}", &at.channel));
            let word = if at.thread.is_some() { Word::InThread } else { Word::InChannel };
            say(word, lang).replace("{channel}", &name)
        };
        if direct && at.thread.is_none() {
            return (words, Way::Start);
        }
        let live = self.screens.live(at, &UserId::new(user)).await.ok().flatten();
        let asked = live.as_ref().and_then(|screen| screen.messages.last()?.split_once(':'));
        let asked = asked.filter(|(channel, _)| *channel == at.channel).map(|(_, ts)| ts.to_owned());
        if let Some(ts) = asked.or_else(|| at.thread.clone()) {
            let params = [("channel", at.channel.as_str()), ("message_ts", &ts)];
            let call = self.api.get("chat.getPermalink", &params);
            if let Ok(Some(link)) = call.await.map(|answer| answer["permalink"].as_str().map(str::to_owned)) {
                return (words, Way::Link(link));
            }
        }
        // What only the person saw has no address, its channel has.
        let link = format!("https://slack.com/app_redirect?channel={}&team={}", at.channel, at.workspace);
        (words, Way::Link(link))
    }

    /// Notes where a person was asked something.
    async fn note_been(&self, at: &Place, user: &str) {
        let mut been = self.been(user).await;
        if been.first() == Some(at) {
            return;
        }
        been.retain(|known| known != at);
        been.insert(0, at.clone());
        been.truncate(PLACES);
        self.keep(user, "been", json!(been)).await;
    }

    async fn been(&self, user: &str) -> Vec<Place> {
        let noted = self.kept(user, "been").await;
        noted.and_then(|noted| serde_json::from_value(noted).ok()).unwrap_or_default()
    }

    async fn kept(&self, user: &str, what: &str) -> Option<Value> {
        self.host.recall(&Platform::new(PLATFORM), &format!("{what}/{user}")).await.ok().flatten()
    }

    /// Keeps a note about a person. Without it App Home is poorer, and nothing is lost.
    async fn keep(&self, user: &str, what: &str, value: Value) {
        let key = format!("{what}/{user}");
        let note = Note { platform: Platform::new(PLATFORM), key, owner: Some(UserId::new(user)), value: Some(value) };
        if let Err(error) = self.host.remember(note).await {
            tracing::debug!(%error, what, "a note was not kept");
        }
    }
}
