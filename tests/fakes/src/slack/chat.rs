//! `chat.*`: messages, seen by all or by one person, changed and deleted.

use serde_json::{Map, Value, json};

use super::kit;
use super::web::{Outcome, Refusal};
use super::world::{APP, BOT, BOT_ID, Channel, Kind, Message, TEAM, World};

/// Characters of a message's text that Slack takes; `chat.update` takes fewer.
pub(super) const TEXT: usize = 40_000;
const UPDATED_TEXT: usize = 4000;
/// Bytes of a message's metadata.
const METADATA: usize = 8000;

/// What a message is made of.
pub(super) struct Content {
    text: Option<String>,
    blocks: Option<Vec<Value>>,
}

pub(super) fn post(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let channel = place(world, text(params, "channel"))?;
    customized(world, params)?;
    let content = content(params, TEXT)?;
    let thread = thread(world, &channel, params)?;
    let metadata = metadata(params)?;
    let ts = world.ts();
    let blocks = world.named(content.blocks.unwrap_or_default());
    let message = Message {
        ts: ts.clone(),
        thread: thread.clone(),
        from: BOT.to_owned(),
        text: content.text.unwrap_or_default(),
        blocks,
        metadata,
        ..Message::default()
    };
    let shown = shown(&message);
    world.post(&channel, message);
    let mut event = shown.clone();
    event["channel"] = json!(channel);
    event["channel_type"] = json!(channel_type(&world.channels[&channel]));
    event["event_ts"] = json!(ts);
    world.echo = Some(event);
    Ok(json!({"channel": channel, "ts": ts, "message": shown}))
}

pub(super) fn whisper(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let channel = place(world, text(params, "channel"))?;
    customized(world, params)?;
    let user = text(params, "user");
    if !world.channels[&channel].members.contains(user) {
        return Err("user_not_in_channel".into());
    }
    let content = content(params, TEXT)?;
    let thread = thread(world, &channel, params)?;
    let ts = world.ts();
    let blocks = world.named(content.blocks.unwrap_or_default());
    let message = Message {
        ts: ts.clone(),
        thread,
        from: BOT.to_owned(),
        text: content.text.unwrap_or_default(),
        blocks,
        only: Some(user.to_owned()),
        ..Message::default()
    };
    world.post(&channel, message);
    Ok(json!({"message_ts": ts}))
}

pub(super) fn update(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let channel = place(world, text(params, "channel"))?;
    let ts = text(params, "ts").to_owned();
    own(world, &channel, &ts, "cant_update_message")?;
    let content = content(params, UPDATED_TEXT)?;
    let metadata = metadata(params)?;
    let before = world.message(&channel, &ts).map(|message| shown(message));
    let shown = change(world, &channel, &ts, content.text, content.blocks, metadata);
    let event = json!({"type": "message", "subtype": "message_changed", "hidden": true, "channel": channel,
        "channel_type": channel_type(&world.channels[&channel]), "message": shown, "previous_message": before,
        "ts": world.ts()});
    world.echo = Some(event);
    Ok(json!({"channel": channel, "ts": ts, "text": shown["text"], "message": shown}))
}

pub(super) fn delete(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let channel = place(world, text(params, "channel"))?;
    let ts = text(params, "ts").to_owned();
    own(world, &channel, &ts, "cant_delete_message")?;
    remove(world, &channel, &ts);
    Ok(json!({"channel": channel, "ts": ts}))
}

/// Changes a message; gives it as it is then. Blocks that are not given stay.
pub(super) fn change(
    world: &mut World,
    channel: &str,
    ts: &str,
    text: Option<String>,
    blocks: Option<Vec<Value>>,
    metadata: Option<Value>,
) -> Value {
    let blocks = blocks.map(|blocks| world.named(blocks));
    let changes = world.changes;
    let Some(message) = world.message(channel, ts) else { return Value::Null };
    if let Some(text) = text {
        message.text = text;
    }
    if let Some(blocks) = blocks {
        message.before.push(std::mem::replace(&mut message.blocks, blocks));
    }
    message.metadata = metadata.or(message.metadata.take());
    message.edited = true;
    message.changed = changes;
    shown(message)
}

/// Takes a message away.
pub(super) fn remove(world: &mut World, channel: &str, ts: &str) {
    if let Some(channel) = world.channels.get_mut(channel) {
        channel.messages.retain(|message| message.ts != ts);
    }
}

/// Blocks as an app gave them: what is wrong with them, or the blocks.
pub(super) fn judged(blocks: Option<&Value>) -> Result<Option<Vec<Value>>, Refusal> {
    let Some(blocks) = blocks else { return Ok(None) };
    let faults = kit::message(blocks);
    if !faults.is_empty() {
        return Err(Refusal {
            code: "invalid_blocks",
            more: json!({"errors": faults, "response_metadata": {"messages": faults}}),
        });
    }
    if kit::is_too_long(blocks) {
        return Err("msg_blocks_too_long".into());
    }
    Ok(blocks.as_array().cloned())
}

pub(super) fn content(params: &Map<String, Value>, most: usize) -> Result<Content, Refusal> {
    let text = params.get("text").and_then(Value::as_str).map(str::to_owned);
    if params.contains_key("attachments") || params.contains_key("markdown_text") {
        return Err(Refusal::because("invalid_arguments", &["this fake takes text and blocks alone".to_owned()]));
    }
    if params.get("parse").is_some_and(|parse| parse != "none" && parse != "full") {
        return Err(Refusal::because("invalid_arguments", &["[ERROR] parse must be none or full".to_owned()]));
    }
    let blocks = judged(params.get("blocks"))?;
    let is_empty = text.as_deref().is_none_or(|text| text.trim().is_empty());
    if is_empty && blocks.as_ref().is_none_or(Vec::is_empty) {
        return Err("no_text".into());
    }
    if text.as_deref().is_some_and(|text| text.chars().count() > most) {
        return Err("msg_too_long".into());
    }
    Ok(Content { text, blocks })
}

/// The channel that an app means, if it may speak there. A person's id means the direct message with them.
fn place(world: &mut World, id: &str) -> Result<String, Refusal> {
    if id.starts_with('U') && id != BOT && world.users.contains_key(id) {
        return Ok(world.direct(id));
    }
    let channel = world.channels.get(id).ok_or("channel_not_found")?;
    if channel.archived {
        return Err("is_archived".into());
    }
    if !channel.members.contains(BOT) {
        return Err(if channel.kind == Kind::Public { "not_in_channel" } else { "channel_not_found" }.into());
    }
    Ok(id.to_owned())
}

fn thread(world: &World, channel: &str, params: &Map<String, Value>) -> Result<Option<String>, Refusal> {
    let Some(thread) = params.get("thread_ts").and_then(Value::as_str) else { return Ok(None) };
    let first = |message: &&Message| message.ts == thread && message.thread.is_none() && message.only.is_none();
    let known = world.channels[channel].messages.iter().find(first);
    known.map(|_| Some(thread.to_owned())).ok_or_else(|| "invalid_thread_ts".into())
}

/// A name or icon of its own needs a scope of its own.
fn customized(world: &World, params: &Map<String, Value>) -> Result<(), Refusal> {
    let wants = ["username", "icon_emoji", "icon_url"].iter().any(|key| params.contains_key(*key));
    if wants { super::web::need(&["chat:write.customize"], &world.granted()) } else { Ok(()) }
}

fn metadata(params: &Map<String, Value>) -> Result<Option<Value>, Refusal> {
    let Some(metadata) = params.get("metadata") else { return Ok(None) };
    let Some(object) = metadata.as_object() else { return Err("invalid_metadata_format".into()) };
    let shaped = object.get("event_type").is_some_and(Value::is_string)
        && object.get("event_payload").is_some_and(Value::is_object)
        && object.keys().all(|key| key == "event_type" || key == "event_payload");
    if !shaped {
        return Err("invalid_metadata_format".into());
    }
    if metadata.to_string().len() > METADATA {
        return Err("metadata_too_large".into());
    }
    Ok(Some(metadata.clone()))
}

/// Whether a message is the app's own, and one that can be changed.
fn own(world: &mut World, channel: &str, ts: &str, else_code: &'static str) -> Result<(), Refusal> {
    let message = world.message(channel, ts).filter(|message| message.only.is_none());
    let message = message.ok_or("message_not_found")?;
    if message.from == BOT { Ok(()) } else { Err(else_code.into()) }
}

/// A message as answers, payloads and events show it.
pub(super) fn shown(message: &Message) -> Value {
    let mut shown =
        json!({"type": "message", "user": message.from, "text": message.text, "ts": message.ts, "team": TEAM});
    if message.from == BOT {
        shown["bot_id"] = json!(BOT_ID);
        shown["app_id"] = json!(APP);
    }
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            shown[key] = value;
        }
    };
    set("blocks", (!message.blocks.is_empty()).then(|| json!(message.blocks)));
    set("files", (!message.files.is_empty()).then(|| json!(message.files)));
    set("thread_ts", message.thread.as_ref().map(|thread| json!(thread)));
    set("metadata", message.metadata.clone());
    set("edited", message.edited.then(|| json!({"user": message.from, "ts": message.ts})));
    shown
}

/// `channel_type` of events.
pub(super) fn channel_type(channel: &Channel) -> &'static str {
    match channel.kind {
        Kind::Public => "channel",
        Kind::Private => "group",
        Kind::Direct => "im",
    }
}

fn text<'a>(params: &'a Map<String, Value>, key: &str) -> &'a str {
    params.get(key).and_then(Value::as_str).unwrap_or_default()
}
