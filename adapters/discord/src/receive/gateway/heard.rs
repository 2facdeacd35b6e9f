//! A message that was heard is taken in.

use std::sync::Arc;

use chat::HostError;
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::Value;

use crate::api::Call;
use crate::intake::Taken;
use crate::receive::live::Live;
use crate::send::Sender;
use crate::translate::Heard;
use crate::{limits, translate};

/// Takes in a message. Tells whether it mattered.
///
/// # Errors
/// It was not stored and must be taken in again.
pub(super) async fn message(live: &Arc<Live>, raw: &Value, guild: Option<&str>) -> Result<bool, HostError> {
    heard(live, translate::message(raw, guild, &live.intake.me.user)).await
}

pub(super) async fn heard(live: &Arc<Live>, heard: Option<Heard>) -> Result<bool, HostError> {
    let Some(mut heard) = heard else { return Ok(false) };
    if live.intake.settings.names_channels()
        && !live.intake.settings.allows(&heard.who, None)
        && (heard.addressed || live.intake.is_asked(&heard).await?)
    {
        heard.who.parent = live.parent(&heard.who.place.channel).await;
    }
    let (place, id, edited) = (heard.who.place.clone(), heard.id.clone(), heard.edited.is_some());
    let taken = live.intake.message(heard, Timestamp::now()).await?;
    let mattered = taken != Taken::NotMeant;
    let live = Arc::clone(live);
    match taken {
        Taken::NotMeant => {}
        Taken::Stored { exposed } => {
            tokio::spawn(async move {
                if exposed && let Ok(call) = Call::delete(&place.channel, &id) {
                    // Needs the permission to manage messages; without it the person sees their own words stay.
                    if let Err(error) = live.rest.call(call, None).await {
                        tracing::warn!(%error, "discord: a secret answer in a channel could not be deleted");
                    }
                }
                let channel = chat::UserId::new(place.channel.as_str());
                // What was changed is answered only where it was an answer.
                if !edited
                    && !live.intake.memory.is_shut(&place.channel)
                    && live.typed.is_due(&channel, Timestamp::now())
                    && let Ok(call) = Call::typing(&place.channel)
                {
                    let _ = live.rest.call(call, None).await;
                }
            });
        }
        Taken::Declined(words) => {
            tokio::spawn(async move {
                Sender { intake: &live.intake, rest: &live.rest }.decline(&place, &id, &words).await;
            });
        }
    }
    Ok(mattered)
}

impl Live {
    /// Notes which channel each thread belongs to, and each channel which category, where rules ask for that.
    pub(super) fn learn_parents(&self, event: &str, data: &Value) {
        let known = match event {
            "GUILD_CREATE" => [&data["channels"], &data["threads"]],
            "THREAD_LIST_SYNC" => [&data["threads"], &Value::Null],
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => [data, &Value::Null],
            _ => return,
        };
        if !self.intake.settings.names_channels() {
            return;
        }
        let one = |channel: &Value| Some((translate::text(&channel["id"])?, translate::text(&channel["parent_id"])));
        let all = known.into_iter().flat_map(|known| match known {
            Value::Array(all) => all.iter().filter_map(one).collect::<Vec<_>>(),
            channel => one(channel).into_iter().collect(),
        });
        self.parents().extend(all);
    }

    /// The channel that a thread belongs to, or the category of a channel; asked of Discord where no event has told it.
    pub(super) async fn parent(&self, channel: &str) -> Option<String> {
        let known = self.parents().get(channel).cloned();
        if let Some(known) = known {
            return known;
        }
        let asked = self.rest.call(Call::channel(channel).ok()?, None);
        let told = tokio::time::timeout(limits::ASIDE, asked).await.ok()?.ok()?;
        let parent = translate::text(&told["parent_id"]);
        self.parents().insert(channel.to_owned(), parent.clone());
        parent
    }
}
