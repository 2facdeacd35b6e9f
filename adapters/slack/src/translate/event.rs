//! Events API: messages, mentions, App Home.

use std::borrow::Cow;

use formwright_chat::company;
use serde_json::Value;

use super::{Home, Incoming, Message, Who, file, is_direct, some, text};
use crate::text::unmarked;

/// Reads a payload of the Events API; `bot` is the bot's own user id.
pub(crate) fn event(payload: &Value, bot: &str) -> Incoming {
    match text(payload, "/type") {
        "url_verification" => Incoming::Challenge(text(payload, "/challenge").to_owned()),
        "event_callback" => callback(payload, bot),
        _ => Incoming::Nothing,
    }
}

fn callback(payload: &Value, bot: &str) -> Incoming {
    let Some(event) = payload.get("event") else { return Incoming::Nothing };
    let Some(event) = as_it_reads_now(event) else { return Incoming::Nothing };
    let event = event.as_ref();
    let Some(id) = some(event, "/user").filter(|user| user != bot) else { return Incoming::Nothing };
    let workspace = some(payload, "/team_id").or_else(|| some(event, "/team")).unwrap_or_default();
    let who = Who { id, workspace };
    match text(event, "/type") {
        "message" | "app_mention" => message(event, who, bot).map_or(Incoming::Nothing, Incoming::Message),
        "app_home_opened" if text(event, "/tab") != "messages" => {
            Incoming::Home(Home { who, channel: text(event, "/channel").to_owned() })
        }
        _ => Incoming::Nothing,
    }
}

/// A message that was changed, as one that reads so now. None where its words are the same: Slack sends such a notice when
/// it has unfolded a link, too.
fn as_it_reads_now(event: &Value) -> Option<Cow<'_, Value>> {
    if text(event, "/subtype") != "message_changed" {
        return Some(Cow::Borrowed(event));
    }
    let mut now = event.get("message")?.clone();
    if now["text"] == event["previous_message"]["text"] || now["edited"]["ts"].is_null() {
        return None;
    }
    for key in ["channel", "channel_type", "type"] {
        now[key] = event[key].clone();
    }
    Some(Cow::Owned(now))
}

/// A message that a person wrote or changed: no bot's, no notice of the channel.
fn message(event: &Value, who: Who, bot: &str) -> Option<Message> {
    let subtype = text(event, "/subtype");
    if event.get("bot_id").is_some_and(|id| !id.is_null()) || event["hidden"] == true {
        return None;
    }
    if !matches!(subtype, "" | "file_share" | "thread_broadcast" | "me_message") {
        return None;
    }
    let channel = some(event, "/channel")?;
    let written = text(event, "/text");
    let ts = some(event, "/ts")?;
    let direct = text(event, "/channel_type") == "im" || is_direct(&channel);
    let said = unmarked(written, bot);
    let named = written.contains(&format!("<@{bot}>")) || written.contains(&format!("<@{bot}|"));
    Some(Message {
        who,
        channel,
        thread: some(event, "/thread_ts"),
        ts,
        edited: some(event, "/edited/ts"),
        direct,
        below_bot: text(event, "/parent_user_id") == bot,
        mention: text(event, "/type") == "app_mention" || (named && !bot.is_empty()),
        calls_another: company::calls_another(&said, &company::mentions(&said)),
        text: said,
        marked: written.to_owned(),
        files: event["files"].as_array().into_iter().flatten().filter_map(file).collect(),
    })
}
