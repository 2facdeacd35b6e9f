//! Channels and their messages.

use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

use super::{Answered, Asked, File, Given};
use crate::discord::check::{self, Findings, Kind};
use crate::discord::gateway;
use crate::discord::json as draw;
use crate::discord::refusal::Refusal;
use crate::discord::sessions::News;
use crate::discord::world::{BOT, State, World};

/// For how long a nonce makes a message unique.
const NONCE_LIFE: Duration = Duration::from_secs(300);

/// Opens the direct channel to a person.
pub(super) fn direct(world: &World, asked: &Asked<'_>) -> Answered {
    let mut found = Findings::of(&asked.body, check::DIRECT);
    found.verdict()?;
    remark(world, "direct channel", &found);
    world.change(|state| {
        let id = number(asked.body["recipient_id"].as_str().unwrap_or_default());
        let Some(person) = id.filter(|id| state.people.contains_key(id) && *id != BOT) else {
            return Err(if id == Some(BOT) { Refusal::no_direct() } else { Refusal::unknown_user() });
        };
        let channel = state.direct(person);
        Ok(Given::Some(draw::channel(state, channel)))
    })
}

/// A channel.
pub(super) fn channel(world: &World, channel: &str) -> Answered {
    world.look(|state| readable(state, channel).map(|id| Given::Some(draw::channel(state, id))))
}

/// Makes a private thread in a channel.
pub(super) fn make_thread(world: &World, channel: &str, asked: &Asked<'_>) -> Answered {
    let mut found = Findings::of(&asked.body, check::THREAD);
    found.verdict()?;
    remark(world, "thread", &found);
    world.change(|state| {
        let parent = writable(state, channel)?;
        match state.channels.get(&parent) {
            Some(known) if known.kind != 0 => return Err(Refusal::wrong_channel()),
            Some(known) if known.threadless => return Err(Refusal::no_permission()),
            _ => {}
        }
        let id = state.private_thread(parent, asked.body["name"].as_str().unwrap_or_default());
        Ok(Given::New(draw::channel(state, id)))
    })
}

/// Brings a person into a thread.
pub(super) fn invite(world: &World, thread: &str, person: &str) -> Answered {
    world.change(|state| {
        let thread = readable(state, thread)?;
        let person = number(person).filter(|id| state.people.contains_key(id)).ok_or_else(Refusal::unknown_user)?;
        let known = state.channels.get_mut(&thread).filter(|known| matches!(known.kind, 11 | 12));
        known.ok_or_else(Refusal::wrong_channel)?.members.push(person);
        Ok(Given::Nothing)
    })
}

/// The bot is writing.
pub(super) fn typing(world: &World, channel: &str) -> Answered {
    world.change(|state| {
        let channel = writable(state, channel)?;
        *state.typed.entry(channel).or_default() += 1;
        Ok(Given::Nothing)
    })
}

/// Messages before, after or around one; the newest first.
pub(super) fn history(world: &World, channel: &str, asked: &Asked<'_>) -> Answered {
    let limit = match asked.param("limit").map(str::parse::<usize>) {
        None => 50,
        Some(Ok(limit @ 1..=100)) => limit,
        Some(_) => {
            let why = "int value should be between 1 and 100.";
            return Err(Refusal::field("limit", "NUMBER_TYPE_MAX", why));
        }
    };
    let mut borders = ["after", "before", "around"].into_iter().filter_map(|name| Some((name, asked.param(name)?)));
    let border = borders.next();
    let border = match border.map(|(name, id)| (name, number(id))) {
        None => None,
        Some((name, Some(id))) => Some((name, id)),
        Some((name, None)) => return Err(Refusal::field(name, "NUMBER_TYPE_COERCE", "Value is not snowflake.")),
    };
    world.look(|state| {
        let channel = readable(state, channel)?;
        let seen = |message: &&crate::discord::records::Message| {
            message.channel == channel && !message.deleted && message.only_for.is_none()
        };
        let all: Vec<_> = state.messages.iter().filter(seen).collect();
        let mut page: Vec<_> = match border {
            Some(("after", id)) => all.into_iter().filter(|message| message.id > id).take(limit).collect(),
            Some(("before", id)) => last(all.into_iter().filter(|message| message.id < id).collect(), limit),
            Some((_, id)) => {
                let at = all.iter().position(|message| message.id >= id).unwrap_or(all.len());
                all.into_iter().skip(at.saturating_sub(limit / 2)).take(limit).collect()
            }
            None => last(all, limit),
        };
        page.reverse();
        let show = |message: &&crate::discord::records::Message| {
            let mut value = draw::message(state, message);
            if !world.options.reads {
                draw::veil(state, message, &mut value);
            }
            value
        };
        Ok(Given::Some(page.iter().map(show).collect()))
    })
}

fn last<T>(mut all: Vec<T>, limit: usize) -> Vec<T> {
    let surplus = all.len().saturating_sub(limit);
    all.drain(..surplus);
    all
}

/// Sends a message.
pub(super) fn send(world: &World, channel: &str, asked: &Asked<'_>) -> Answered {
    let mut found = Findings::of(&asked.body, check::MESSAGE);
    found.verdict()?;
    check::message(&asked.body, Kind::Sent, None, asked.files.len(), &mut found)?;
    remark(world, "message", &found);
    world.change(|state| {
        let channel = writable(state, channel)?;
        let nonce = match &asked.body["nonce"] {
            Value::String(nonce) => Some(nonce.clone()),
            Value::Number(nonce) => Some(nonce.to_string()),
            _ => None,
        };
        let nonce = nonce.filter(|_| asked.body["enforce_nonce"].as_bool() == Some(true)).map(|nonce| (channel, nonce));
        state.nonces.retain(|_, (at, _)| at.elapsed() < NONCE_LIFE);
        let known = nonce.as_ref().and_then(|nonce| state.nonces.get(nonce));
        if let Some(known) = known.and_then(|(_, id)| state.message(*id)) {
            return Ok(Given::Some(draw::message(state, known)));
        }
        let mut body = asked.body.clone();
        refers(state, channel, &mut body)?;
        let id = write(state, channel, &body, &asked.files);
        if let Some(nonce) = nonce {
            state.nonces.insert(nonce, (Instant::now(), id));
        }
        gateway::publish(state, News::Written(id));
        given(state, id)
    })
}

/// The message that a reply is to must be there, unless it may be missing.
fn refers(state: &State, channel: u64, body: &mut Value) -> Result<(), Refusal> {
    let Some(reference) = body.get("message_reference").filter(|reference| reference.is_object()) else {
        return Ok(());
    };
    let to = number(reference["message_id"].as_str().unwrap_or_default()).and_then(|id| state.message(id));
    if to.is_some_and(|to| to.channel == channel && to.only_for.is_none()) {
        return Ok(());
    }
    if reference["fail_if_not_exists"].as_bool() == Some(false) {
        body["message_reference"] = Value::Null;
        return Ok(());
    }
    Err(Refusal::field("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"))
}

/// Reads, changes or deletes a message.
pub(super) fn one(world: &World, channel: &str, id: &str, asked: &Asked<'_>) -> Answered {
    let id = number(id).ok_or_else(Refusal::unknown_message)?;
    let (channel, author) = world.look(|state| {
        let channel = readable(state, channel)?;
        let here = state.message(id).filter(|message| message.channel == channel && message.only_for.is_none());
        here.map(|message| (channel, message.author)).ok_or_else(Refusal::unknown_message)
    })?;
    match *asked.method {
        Method::GET => world.look(|state| given(state, id)),
        Method::PATCH if author != BOT => Err(Refusal::not_the_author()),
        Method::PATCH => {
            change(world, id, asked)?;
            world.look(|state| given(state, id))
        }
        Method::DELETE => world.change(|state| {
            let place = state.channels.get(&channel);
            if author != BOT {
                if state.is_direct(channel) {
                    return Err(Refusal::not_in_direct());
                }
                if place.is_some_and(|place| place.keeps) {
                    return Err(Refusal::no_permission());
                }
            }
            delete(state, id);
            Ok(Given::Nothing)
        }),
        _ => Err(Refusal::wrong_method()),
    }
}

/// Changes a message, after looking at what it would become.
pub(super) fn change(world: &World, id: u64, asked: &Asked<'_>) -> Result<(), Refusal> {
    let mut found = Findings::of(&asked.body, check::EDIT);
    found.verdict()?;
    let before = world.look(|state| state.message(id).map(|message| message.body.clone()));
    let before = before.ok_or_else(Refusal::unknown_message)?;
    check::message(&asked.body, Kind::Edit, Some(&before), asked.files.len(), &mut found)?;
    remark(world, "edit", &found);
    world.change(|state| edit(state, id, &asked.body, &asked.files));
    Ok(())
}

/// Deletes a message.
pub(super) fn delete(state: &mut State, id: u64) {
    let touched = state.tick();
    let Some(message) = state.message_mut(id) else { return };
    message.deleted = true;
    message.touched = touched;
    let (channel, hidden) = (message.channel, message.only_for.is_some());
    if !hidden {
        gateway::publish(state, News::Deleted(id, channel));
    }
}

/// Writes a message of the bot; gives its id.
pub(super) fn write(state: &mut State, channel: u64, body: &Value, files: &[File]) -> u64 {
    let mut kept = json!({
        "content": body["content"].as_str().unwrap_or_default().trim(), "embeds": body["embeds"],
        "flags": body["flags"].as_u64().unwrap_or(0) & !(1 << 6), "components": body["components"],
        "attachments": attached(state, body, files),
    });
    for key in ["nonce", "message_reference"] {
        if let Some(value) = body.get(key).filter(|value| !value.is_null()) {
            kept[key] = value.clone();
        }
    }
    draw::number(&mut kept["components"]);
    let pings = check::mentions(body);
    let id = state.add(BOT, channel, kept);
    if let Some(message) = state.message_mut(id) {
        message.pings = pings;
    }
    id
}

/// Puts the keys of an edit in their place.
pub(super) fn edit(state: &mut State, id: u64, body: &Value, files: &[File]) {
    let attachments = (body.get("attachments").is_some() || !files.is_empty()).then(|| attached(state, body, files));
    let touched = state.tick();
    let Some(message) = state.message_mut(id) else { return };
    let before = message.body.clone();
    for key in ["content", "embeds", "components"] {
        if let Some(value) = body.get(key) {
            message.body[key] = value.clone();
        }
    }
    if let Some(attachments) = attachments {
        message.body["attachments"] = attachments;
    }
    draw::number(&mut message.body["components"]);
    let held = before["flags"].as_u64().unwrap_or(0) & (1 << 15);
    if let Some(flags) = body["flags"].as_u64() {
        message.body["flags"] = (flags | held).into();
    }
    message.before.push(before);
    message.thinking = false;
    message.touched = touched;
    let hidden = message.only_for.is_some();
    if !hidden {
        gateway::publish(state, News::Changed(id));
    }
}

fn attached(state: &mut State, body: &Value, files: &[File]) -> Value {
    let mut kept: Vec<Value> = body["attachments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|known| known["url"].is_string())
        .cloned()
        .collect();
    for file in files {
        let id = state.id().to_string();
        let url = format!("https://cdn.discordapp.com/attachments/1/{id}/{}", file.name);
        kept.push(json!({"id": id, "filename": file.name, "size": file.bytes, "content_type": file.kind, "url": url,
            "proxy_url": url}));
    }
    kept.into()
}

/// Keys that nobody reads are named among the refusals.
pub(super) fn remark(world: &World, what: &str, found: &Findings) {
    for key in &found.unread {
        world.refuse(format!("{what}: Discord reads no “{key}”"));
    }
}

/// A message as an answer.
pub(super) fn given(state: &State, id: u64) -> Answered {
    let message = state.message(id).ok_or_else(Refusal::unknown_message)?;
    Ok(Given::Some(draw::message(state, message)))
}

pub(super) fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

fn readable(state: &State, channel: &str) -> Result<u64, Refusal> {
    let id = number(channel).ok_or_else(Refusal::unknown_channel)?;
    let known = state.channels.get(&id).ok_or_else(Refusal::unknown_channel)?;
    if known.hidden { Err(Refusal::no_access()) } else { Ok(id) }
}

fn writable(state: &State, channel: &str) -> Result<u64, Refusal> {
    let id = readable(state, channel)?;
    let Some(known) = state.channels.get(&id) else { return Err(Refusal::unknown_channel()) };
    let blocked = known.with.and_then(|person| state.people.get(&person)).is_some_and(|person| person.blocks);
    match () {
        () if blocked => Err(Refusal::no_direct()),
        () if known.muted => Err(Refusal::no_permission()),
        () => Ok(id),
    }
}
