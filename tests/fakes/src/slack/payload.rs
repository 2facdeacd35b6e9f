//! What the app is told of: the JSON of interactions, commands and events, as Slack sends them.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::chat::shown;
use super::world::{APP, Kind, Message, ResponseUrl, TEAM, World};

/// What every interaction says of who did it.
fn who(world: &World, user: &str) -> Value {
    let name = world.users.get(user).map(|user| user.name.to_lowercase()).unwrap_or_default();
    json!({"id": user, "username": name, "name": name, "team_id": TEAM})
}

fn common(world: &World, kind: &str, user: &str) -> Value {
    json!({"type": kind, "user": who(world, user), "api_app_id": APP, "token": "verification",
        "team": {"id": TEAM, "domain": "fake"}, "enterprise": null, "is_enterprise_install": false})
}

fn merge(payload: &mut Value, more: Value) {
    if let Value::Object(more) = more {
        more.into_iter().for_each(|(key, value)| payload[key.as_str()] = value);
    }
}

/// A widget in a message was used.
pub(super) fn message_action(world: &mut World, user: &str, channel: &str, message: &Message, action: Value) -> Value {
    let mut payload = common(world, "block_actions", user);
    let ephemeral = message.only.is_some();
    let mut container = json!({"type": "message", "message_ts": message.ts, "channel_id": channel,
        "is_ephemeral": ephemeral});
    if let Some(thread) = &message.thread {
        container["thread_ts"] = json!(thread);
    }
    let url = answer_url(world, "actions", user, channel, Some(&message.ts), message.thread.as_deref());
    let values = world.values(user, &format!("{channel}/{}", message.ts), &message.blocks);
    let trigger = world.trigger(user, None);
    merge(
        &mut payload,
        json!({"container": container, "trigger_id": trigger, "channel": named(world, channel),
        "state": {"values": values}, "response_url": url, "actions": [action]}),
    );
    if !ephemeral {
        payload["message"] = shown(message);
    }
    payload
}

/// A widget in a view was used.
pub(super) fn view_action(world: &mut World, user: &str, view: &str, action: Value) -> Value {
    let mut payload = common(world, "block_actions", user);
    let trigger = world.trigger(user, Some(view));
    merge(
        &mut payload,
        json!({"container": {"type": "view", "view_id": view}, "trigger_id": trigger,
        "view": world.shown(view), "actions": [action]}),
    );
    payload
}

/// A modal was sent, or closed.
pub(super) fn view(world: &mut World, kind: &str, user: &str, view: &str) -> Value {
    let mut payload = common(world, kind, user);
    payload["view"] = world.shown(view);
    if kind == "view_submission" {
        let trigger = world.trigger(user, Some(view));
        merge(&mut payload, json!({"trigger_id": trigger, "response_urls": []}));
    } else {
        payload["is_cleared"] = json!(false);
    }
    payload
}

/// A type-ahead menu wants options. Where it stands is the view's id, or the message.
pub(super) fn suggestion(
    world: &World,
    user: &str,
    at: Result<(&str, &Message), &str>,
    ids: (&str, &str),
    query: &str,
) -> Value {
    let mut payload = common(world, "block_suggestion", user);
    merge(&mut payload, json!({"block_id": ids.0, "action_id": ids.1, "value": query}));
    match at {
        Ok((channel, message)) => {
            let container = json!({"type": "message", "message_ts": message.ts, "channel_id": channel,
                "is_ephemeral": message.only.is_some()});
            merge(&mut payload, json!({"container": container, "channel": named(world, channel)}));
            if message.only.is_none() {
                payload["message"] = shown(message);
            }
        }
        Err(view) => {
            let container = json!({"type": "view", "view_id": view});
            merge(&mut payload, json!({"container": container, "view": world.shown(view)}));
        }
    }
    payload
}

/// A shortcut, on a message if one is given.
pub(super) fn shortcut(world: &mut World, user: &str, callback: &str, on: Option<(&str, &Message)>) -> Value {
    let kind = if on.is_some() { "message_action" } else { "shortcut" };
    let mut payload = common(world, kind, user);
    let trigger = world.trigger(user, None);
    merge(&mut payload, json!({"callback_id": callback, "trigger_id": trigger, "action_ts": world.ts()}));
    if let Some((channel, message)) = on {
        let url = answer_url(world, "actions", user, channel, None, None);
        merge(
            &mut payload,
            json!({"channel": named(world, channel), "message": shown(message),
            "message_ts": message.ts, "response_url": url}),
        );
    }
    payload
}

/// A slash command.
pub(super) fn command(world: &mut World, user: &str, channel: &str, command: &str, text: &str) -> Value {
    let url = answer_url(world, "commands", user, channel, None, None);
    let trigger = world.trigger(user, None);
    let name = world.users.get(user).map(|user| user.name.to_lowercase()).unwrap_or_default();
    json!({"token": "verification", "team_id": TEAM, "team_domain": "fake", "channel_id": channel,
        "channel_name": named(world, channel)["name"], "user_id": user, "user_name": name, "command": command,
        "text": text, "api_app_id": APP, "is_enterprise_install": "false", "response_url": url, "trigger_id": trigger})
}

/// An element as `actions` shows it once it was used.
pub(super) fn action(block: &Value, element: &Value, held: Option<&Value>, ts: &str) -> Value {
    let mut action = json!({"type": element["type"], "action_id": element["action_id"], "block_id": block["block_id"],
        "action_ts": ts});
    for key in ["text", "value", "style", "placeholder", "initial_option", "initial_date", "initial_time"] {
        if let Some(value) = element.get(key) {
            action[key] = value.clone();
        }
    }
    for (key, value) in held.and_then(Value::as_object).into_iter().flatten() {
        action[key.as_str()] = value.clone();
    }
    action
}

fn named(world: &World, channel: &str) -> Value {
    let name = match world.channels.get(channel) {
        Some(found) if found.kind == Kind::Direct => "directmessage".to_owned(),
        Some(found) if found.kind == Kind::Private => "privategroup".to_owned(),
        Some(found) => found.name.clone(),
        None => String::new(),
    };
    json!({"id": channel, "name": name})
}

/// A new `response_url`.
fn answer_url(
    world: &mut World,
    kind: &str,
    user: &str,
    channel: &str,
    message: Option<&str>,
    thread: Option<&str>,
) -> String {
    let id = world.id("R");
    let url = ResponseUrl {
        channel: channel.to_owned(),
        user: user.to_owned(),
        at: Instant::now(),
        uses: 0,
        message: message.map(str::to_owned),
        thread: thread.map(str::to_owned),
    };
    world.urls.insert(id.clone(), url);
    format!("{}/respond/{kind}/{id}", world.base)
}
