//! What an app asks: who it is, who a person is, what a conversation holds.

use serde_json::{Map, Value, json};

use super::chat::shown;
use super::web::{Outcome, need};
use super::world::{APP, BOT, BOT_ID, Channel, Kind, TEAM, User, World};

/// Answers a method that changes little or nothing.
pub(super) fn answer(world: &mut World, name: &str, params: &Map<String, Value>, url: &str) -> Outcome {
    let text = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
    match name {
        "auth.test" => Ok(json!({"url": format!("{url}/"), "team": "Fake", "user": "formwright", "team_id": TEAM,
            "user_id": BOT, "bot_id": BOT_ID, "is_enterprise_install": false})),
        "team.info" => Ok(json!({"team": {"id": TEAM, "name": "Fake", "domain": "fake"}})),
        "bots.info" => Ok(json!({"bot": {"id": BOT_ID, "app_id": APP, "user_id": BOT, "name": "formwright",
            "deleted": false}})),
        "users.info" => {
            let user = world.users.get(text("user")).ok_or("user_not_found")?;
            Ok(json!({"user": person(user, params.get("include_locale") == Some(&json!(true)))}))
        }
        "users.list" => {
            let all: Vec<Value> = world.users.values().map(|user| person(user, false)).collect();
            Ok(json!({"members": all, "response_metadata": {"next_cursor": ""}}))
        }
        "files.info" => {
            let file = world.files.get(text("file")).ok_or("file_not_found")?;
            Ok(json!({"file": file, "comments": []}))
        }
        "conversations.open" => open(world, params),
        "conversations.join" => {
            let channel = world.channels.get_mut(text("channel")).ok_or("channel_not_found")?;
            if channel.kind != Kind::Public {
                return Err("method_not_supported_for_channel_type".into());
            }
            channel.members.insert(BOT.to_owned());
            Ok(json!({"channel": described(channel)}))
        }
        "conversations.info" => {
            let channel = readable(world, text("channel"), "read")?;
            Ok(json!({"channel": described(channel)}))
        }
        "conversations.members" => {
            let channel = readable(world, text("channel"), "read")?;
            Ok(json!({"members": channel.members, "response_metadata": {"next_cursor": ""}}))
        }
        "conversations.history" | "conversations.replies" => history(world, name, params),
        "chat.getPermalink" => {
            let channel = readable(world, text("channel"), "")?;
            let ts = text("message_ts");
            if !channel.messages.iter().any(|message| message.ts == ts) {
                return Err("message_not_found".into());
            }
            let link = format!("{url}/archives/{}/p{}", channel.id, ts.replace('.', ""));
            Ok(json!({"channel": channel.id, "permalink": link}))
        }
        "assistant.threads.setStatus" => {
            let (id, thread) = (text("channel_id"), text("thread_ts"));
            let channel = world.channels.get(id).filter(|channel| channel.members.contains(BOT));
            let channel = channel.ok_or("channel_not_found")?;
            if !channel.messages.iter().any(|message| message.ts == thread) {
                return Err("invalid_thread_ts".into());
            }
            world.statuses.push(format!("{id}/{thread}: {}", text("status")));
            Ok(json!({}))
        }
        "reactions.add" => {
            let found = world.message(text("channel"), text("timestamp"));
            found.map(|_| json!({})).ok_or_else(|| "message_not_found".into())
        }
        other => panic!("the method {other} has a row in the table and no answer"),
    }
}

fn open(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let text = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
    let users: Vec<String> = text("users").split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    let id = match users.as_slice() {
        [] if world.channels.contains_key(text("channel")) => text("channel").to_owned(),
        [] if text("channel").is_empty() => return Err("users_list_not_supplied".into()),
        [] => return Err("channel_not_found".into()),
        [user] if !world.users.contains_key(user) => return Err("user_not_found".into()),
        [user] if user == BOT => return Err("cannot_dm_bot".into()),
        [user] => world.direct(user),
        _ => return Err("method_not_supported_for_channel_type".into()),
    };
    Ok(json!({"channel": {"id": id}, "no_op": true, "already_open": true}))
}

fn history(world: &World, name: &str, params: &Map<String, Value>) -> Outcome {
    let text = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
    let channel = readable(world, text("channel"), "history")?;
    let limit = params.get("limit").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(100).clamp(1, 1000);
    let metadata = params.get("include_all_metadata") == Some(&json!(true));
    let visible = channel.messages.iter().filter(|message| message.only.is_none());
    let mut found: Vec<Value> = if name == "conversations.replies" {
        let thread = text("ts");
        if !channel.messages.iter().any(|message| message.ts == thread) {
            return Err("thread_not_found".into());
        }
        let inside = visible.filter(|message| message.ts == thread || message.thread.as_deref() == Some(thread));
        inside.map(shown).collect()
    } else {
        visible.filter(|message| message.thread.is_none()).map(shown).rev().collect()
    };
    let inclusive = params.get("inclusive") == Some(&json!(true));
    let after = |ts: &str, bound: &str| if inclusive { ts >= bound } else { ts > bound };
    found.retain(|message| {
        let ts = message["ts"].as_str().unwrap_or_default();
        after(ts, text("oldest")) && (text("latest").is_empty() || after(text("latest"), ts))
    });
    let has_more = found.len() > limit;
    found.truncate(limit);
    if !metadata {
        for message in &mut found {
            message.as_object_mut().and_then(|message| message.remove("metadata"));
        }
    }
    Ok(json!({"messages": found, "has_more": has_more, "pin_count": 0}))
}

/// A conversation that the bot may look into with a scope of this kind.
fn readable<'a>(world: &'a World, id: &str, what: &str) -> Result<&'a Channel, super::web::Refusal> {
    let channel = world.channels.get(id).ok_or("channel_not_found")?;
    let family = match channel.kind {
        Kind::Public => "channels",
        Kind::Private => "groups",
        Kind::Direct => "im",
    };
    if !what.is_empty() {
        let scope = format!("{family}:{what}");
        let known: Vec<&'static str> =
            ["channels:read", "channels:history", "groups:read", "groups:history", "im:read", "im:history"]
                .into_iter()
                .filter(|known| **known == *scope)
                .collect();
        need(&known, &world.granted())?;
    }
    if !channel.members.contains(BOT) {
        match (channel.kind, what) {
            (Kind::Public, "history") => return Err("not_in_channel".into()),
            (Kind::Public, _) => {}
            _ => return Err("channel_not_found".into()),
        }
    }
    Ok(channel)
}

fn described(channel: &Channel) -> Value {
    let direct = channel.kind == Kind::Direct;
    let mut shown = json!({"id": channel.id, "is_channel": channel.kind == Kind::Public, "is_im": direct,
        "is_group": false, "is_mpim": false, "is_private": channel.kind == Kind::Private, "created": 1,
        "is_archived": channel.archived});
    if direct {
        shown["user"] = json!(channel.members.iter().find(|member| *member != BOT));
    } else {
        shown["name"] = json!(channel.name);
        shown["is_member"] = json!(channel.members.contains(BOT));
    }
    shown
}

fn person(user: &User, locale: bool) -> Value {
    let mut shown = json!({
        "id": user.id, "team_id": TEAM, "name": user.name.to_lowercase(), "real_name": user.name, "deleted": false,
        "tz": user.zone, "tz_label": user.zone, "tz_offset": 0, "is_bot": user.id == BOT, "is_app_user": false,
        "profile": {"real_name": user.name, "display_name": user.name, "team": TEAM},
    });
    if locale {
        shown["locale"] = json!(user.locale);
    }
    shown
}
