//! What the bot does to messages that are there, and its answers to presses.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::methods::{Params, find};
use super::send::{caption as caption_content, text_content};
use super::world::{BOT, Membership, Told, World};
use super::{Refusal, markup as markup_rules};

/// How long a message can be deleted.
const DELETABLE: u64 = 48 * 3600;
/// Characters of an answer to a press.
const ANSWER: usize = 200;

pub(super) fn text(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let content = text_content(params)?;
    let (chat, id) = editable(world, params)?;
    if !world.message(chat, id).is_some_and(|message| message.content.contains_key("text")) {
        return Err(Refusal::bad("there is no text in the message to edit"));
    }
    change(world, chat, id, Some(content), params)
}

pub(super) fn caption(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let caption = caption_content(params)?;
    let (chat, id) = editable(world, params)?;
    let mut content = world.message(chat, id).map(|message| message.content.clone()).unwrap_or_default();
    if content.contains_key("text") {
        return Err(Refusal::bad("there is no caption in the message to edit"));
    }
    content.remove("caption");
    content.remove("caption_entities");
    content.extend(caption);
    change(world, chat, id, Some(content), params)
}

pub(super) fn markup(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let (chat, id) = editable(world, params)?;
    change(world, chat, id, None, params)
}

/// The message to edit, if the bot may.
fn editable(world: &mut World, params: &Params) -> Result<(i64, i64), Refusal> {
    if params.contains_key("inline_message_id") {
        return Err(Refusal::bad("MESSAGE_ID_INVALID"));
    }
    if !params.contains_key("chat_id") {
        return Err(Refusal::bad("chat_id is empty"));
    }
    let Some(id) = params.get("message_id").and_then(Value::as_i64) else {
        return Err(Refusal::bad("message identifier is not specified"));
    };
    let chat = find(world, params)?;
    if let Some(wait) = world.meter.held(chat, world.now()) {
        return Err(Refusal::too_many(u32::try_from(wait.as_secs() + 1).unwrap_or(u32::MAX)));
    }
    match world.message(chat, id).filter(|message| !message.gone) {
        None => Err(Refusal::bad("message to edit not found")),
        // Of what is not the bot's, and of what brought a keyboard, nothing can be edited.
        Some(message) if message.from != BOT || message.other.is_some() => Err(Refusal::bad("message can't be edited")),
        Some(_) => Ok((chat, id)),
    }
}

fn change(
    world: &mut World,
    chat: i64,
    id: i64,
    content: Option<Map<String, Value>>,
    params: &Params,
) -> Result<Value, Refusal> {
    let inline = params.get("reply_markup").cloned();
    if let Some(inline) = &inline {
        markup_rules::check(inline, chat > 0)?;
    }
    let empty = |inline: &Value| inline["inline_keyboard"].as_array().is_none_or(Vec::is_empty);
    let inline = inline.filter(|inline| !empty(inline));
    let (date, change) = (world.date(), world.changed());
    let text = content.as_ref().and_then(|content| content.get("text")).and_then(Value::as_str).map(str::to_owned);
    let entities = content.as_ref().and_then(|content| content.get("entities")).and_then(Value::as_array).cloned();
    let Some(message) = world.message(chat, id) else { return Err(Refusal::bad("message to edit not found")) };
    if content.as_ref().is_none_or(|content| *content == message.content) && inline == message.inline {
        return Err(Refusal::bad(
            "message is not modified: specified new message content and reply markup are exactly the same as a current \
             content and reply markup of the message",
        ));
    }
    if let Some(old) = std::mem::replace(&mut message.inline, inline) {
        message.past.push(old);
    }
    if let Some(content) = content {
        message.content = content;
    }
    message.edited = Some(date);
    message.change = change;
    text.into_iter().for_each(|text| world.note_pings(&text, &entities.clone().unwrap_or_default()));
    Ok(world.wire(chat, id))
}

pub(super) fn delete(world: &mut World, params: &Params, id: i64) -> Result<Value, Refusal> {
    let chat = find(world, params)?;
    let (date, change) = (world.date(), world.changed());
    let admin = world.chat(chat).bot == Membership::Admin;
    match world.message(chat, id).filter(|message| !message.gone) {
        None => Err(Refusal::bad("message to delete not found")),
        Some(message) if date.saturating_sub(message.date) > DELETABLE => {
            Err(Refusal::bad("message can't be deleted for everyone"))
        }
        Some(message) if message.from != BOT && chat < 0 && !admin => Err(Refusal::bad("message can't be deleted")),
        Some(message) => {
            message.gone = true;
            message.change = change;
            let inline = message.inline.take();
            message.past.extend(inline);
            Ok(json!(true))
        }
    }
}

pub(super) fn delete_all(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let ids: Vec<i64> = params["message_ids"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    if !(1..=100).contains(&ids.len()) {
        return Err(Refusal::bad("message identifiers are not specified, or too many"));
    }
    find(world, params)?;
    for id in ids {
        // What cannot be found is passed over.
        let _ = delete(world, params, id);
    }
    Ok(json!(true))
}

pub(super) fn react(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat = find(world, params)?;
    let id = params["message_id"].as_i64().unwrap_or(0);
    if world.message(chat, id).is_none_or(|message| message.gone) {
        return Err(Refusal::bad("message to react not found"));
    }
    match params.get("reaction").and_then(Value::as_array).map_or(0, Vec::len) {
        0 | 1 => Ok(json!(true)),
        _ => Err(Refusal::bad("REACTIONS_TOO_MANY")),
    }
}

/// The answer to a press: once, and not too late.
pub(super) fn answer(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let text = params.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    if text.chars().count() > ANSWER {
        return Err(Refusal::bad("MESSAGE_TOO_LONG"));
    }
    let (now, life, change) = (world.now(), world.settings.query_life, world.changed());
    let id = params["callback_query_id"].as_str().unwrap_or_default();
    let alive = |since: Duration| since < life;
    let query = world.queries.get_mut(id).filter(|query| !query.answered && alive(now.duration_since(query.at)));
    let Some(query) = query else {
        return Err(Refusal::bad("query is too old and response timeout expired or query ID is invalid"));
    };
    query.answered = true;
    let alert = params.get("show_alert") == Some(&json!(true));
    let told = Told { user: query.user, chat: query.chat, words: text, alert, change };
    if !told.words.is_empty() {
        world.told.push(told);
    }
    Ok(json!(true))
}
