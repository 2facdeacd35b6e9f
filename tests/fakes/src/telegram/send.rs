//! What the bot sends.

use serde_json::{Map, Value, json};

use super::html::{self, Parsed, units};
use super::methods::{Params, find};
use super::server::Uploads;
use super::world::{BOT, Kind, StoredFile, World};
use super::{Refusal, markup, words};

/// UTF-16 units of a text.
const TEXT: usize = 4096;
/// UTF-16 units of a caption.
const CAPTION: usize = 1024;
/// Bytes of a photo.
const PHOTO: usize = 10 * 1024 * 1024;

pub(super) fn message(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let content = text_content(params)?;
    deliver(world, params, vec![content]).map(first)
}

pub(super) fn photo(world: &mut World, params: &Params, uploads: &Uploads) -> Result<Value, Refusal> {
    let content = photo_content(world, &params["photo"], params, uploads)?;
    deliver(world, params, vec![content]).map(first)
}

pub(super) fn document(world: &mut World, params: &Params, uploads: &Uploads) -> Result<Value, Refusal> {
    let content = document_content(world, &params["document"], params, uploads)?;
    deliver(world, params, vec![content]).map(first)
}

pub(super) fn location(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let number = |key: &str| params[key].as_f64().unwrap_or(f64::NAN);
    let (latitude, longitude) = (number("latitude"), number("longitude"));
    if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
        return Err(Refusal::bad("wrong latitude or longitude specified"));
    }
    let mut content = Map::new();
    content.insert("location".to_owned(), json!({"latitude": latitude, "longitude": longitude}));
    deliver(world, params, vec![content]).map(first)
}

pub(super) fn album(world: &mut World, params: &Params, uploads: &Uploads) -> Result<Value, Refusal> {
    let items = params["media"].as_array().cloned().unwrap_or_default();
    if !(2..=10).contains(&items.len()) {
        return Err(Refusal::bad("a media group has 2 to 10 items"));
    }
    let mut contents = Vec::new();
    for item in &items {
        let Value::Object(fields) = item else { continue };
        let content = match item["type"].as_str() {
            Some("photo") => photo_content(world, &item["media"], fields, uploads)?,
            Some("document") => document_content(world, &item["media"], fields, uploads)?,
            _ => return Err(Refusal::bad("can't parse InputMedia: type is not one that the fake knows")),
        };
        contents.push(content);
    }
    deliver(world, params, contents).map(Value::Array)
}

fn first(mut sent: Vec<Value>) -> Value {
    if sent.is_empty() { Value::Null } else { sent.remove(0) }
}

/// Sends messages with these contents, once everything about them is found right.
fn deliver(world: &mut World, params: &Params, contents: Vec<Map<String, Value>>) -> Result<Vec<Value>, Refusal> {
    let chat = find(world, params)?;
    let topic = topic(world, chat, params)?;
    let reply_to = answered(world, chat, params)?;
    let markup = params.get("reply_markup");
    if let Some(markup) = markup {
        markup::check(markup, chat > 0)?;
    }
    may_send(world, chat, contents.len())?;
    let mut sent = Vec::new();
    for content in contents {
        let (text, entities) = (words_of(&content), entities_of(&content));
        world.note_pings(&text, &entities);
        let id = world.add(chat, BOT, topic, content, reply_to);
        if let (Some(message), Some(markup)) = (world.message(chat, id), markup) {
            match markup.get("inline_keyboard") {
                Some(rows) if rows.as_array().is_some_and(Vec::is_empty) => {}
                Some(_) => message.inline = Some(markup.clone()),
                None => message.other = Some(markup.clone()),
            }
        }
        sent.push(world.wire(chat, id));
    }
    Ok(sent)
}

/// Whether the bot may send now.
fn may_send(world: &mut World, chat: i64, count: usize) -> Result<(), Refusal> {
    let now = world.now();
    let held = world.meter.held(chat, now);
    let rates = world.settings.rates;
    let wait = held.or_else(|| (0..count).find_map(|_| world.meter.count(rates, chat, now)));
    match wait {
        Some(wait) => Err(Refusal::too_many(u32::try_from(wait.as_secs() + 1).unwrap_or(u32::MAX))),
        None => Ok(()),
    }
}

/// The topic that is written to.
pub(super) fn topic(world: &World, chat: i64, params: &Params) -> Result<Option<i64>, Refusal> {
    let Some(topic) = params.get("message_thread_id").and_then(Value::as_i64) else { return Ok(None) };
    let known = world
        .chats
        .get(&chat)
        .is_some_and(|chat| matches!(chat.kind, Kind::Supergroup { forum: true }) && chat.topics.contains_key(&topic));
    if known { Ok(Some(topic)) } else { Err(Refusal::bad("message thread not found")) }
}

/// The message that is answered.
fn answered(world: &mut World, chat: i64, params: &Params) -> Result<Option<i64>, Refusal> {
    let Some(reply) = params.get("reply_parameters") else { return Ok(None) };
    let id = reply["message_id"].as_i64().unwrap_or(0);
    if world.message(chat, id).is_some_and(|message| !message.gone) {
        return Ok(Some(id));
    }
    if reply["allow_sending_without_reply"] == json!(true) {
        return Ok(None);
    }
    Err(Refusal::bad("message to be replied not found"))
}

/// The content of a text message.
pub(super) fn text_content(params: &Params) -> Result<Map<String, Value>, Refusal> {
    let parsed = parsed(params, "text", "entities")?;
    if parsed.text.is_empty() {
        return Err(Refusal::bad("message text is empty"));
    }
    if units(&parsed.text) > TEXT {
        return Err(Refusal::bad("message is too long"));
    }
    Ok(fields("text", "entities", parsed))
}

/// The caption of a file.
pub(super) fn caption(params: &Params) -> Result<Map<String, Value>, Refusal> {
    let parsed = parsed(params, "caption", "caption_entities")?;
    if units(&parsed.text) > CAPTION {
        return Err(Refusal::bad("message caption is too long"));
    }
    Ok(if parsed.text.is_empty() { Map::new() } else { fields("caption", "caption_entities", parsed) })
}

fn fields(text: &str, entities: &str, parsed: Parsed) -> Map<String, Value> {
    let mut content = Map::new();
    content.insert(text.to_owned(), json!(parsed.text));
    if !parsed.entities.is_empty() {
        content.insert(entities.to_owned(), Value::Array(parsed.entities));
    }
    content
}

fn parsed(params: &Params, key: &str, entities: &str) -> Result<Parsed, Refusal> {
    let text = params.get(key).and_then(Value::as_str).unwrap_or_default();
    match params.get("parse_mode").and_then(Value::as_str) {
        Some(mode) if mode.eq_ignore_ascii_case("html") => {
            html::parse(text).map_err(|why| Refusal::bad(format!("can't parse entities: {why}")))
        }
        Some(mode) if !mode.is_empty() => {
            Err(Refusal::bad(format!("unsupported parse_mode (the fake reads HTML): {mode}")))
        }
        _ => {
            let given = params.get(entities).and_then(Value::as_array).cloned();
            let length = units(text);
            let reach =
                |entity: &Value| entity["offset"].as_u64().unwrap_or(0) + entity["length"].as_u64().unwrap_or(0);
            let given = given.unwrap_or_else(|| words::entities(text));
            if given.iter().any(|entity| usize::try_from(reach(entity)).unwrap_or(usize::MAX) > length) {
                return Err(Refusal::bad("entity begins or ends outside of the text"));
            }
            Ok(html::clean(text, given))
        }
    }
}

fn words_of(content: &Map<String, Value>) -> String {
    let text = content.get("text").or_else(|| content.get("caption"));
    text.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn entities_of(content: &Map<String, Value>) -> Vec<Value> {
    let entities = content.get("entities").or_else(|| content.get("caption_entities"));
    entities.and_then(Value::as_array).cloned().unwrap_or_default()
}

fn photo_content(
    world: &mut World,
    photo: &Value,
    params: &Params,
    uploads: &Uploads,
) -> Result<Map<String, Value>, Refusal> {
    let (id, bytes) = match upload(photo, uploads)? {
        Some(upload) if upload.bytes.len() > PHOTO => return Err(Refusal::bad("PHOTO_SAVE_FILE_INVALID")),
        Some(upload) => (store(world, "photos", "photo.jpg", upload.bytes.to_vec()), upload.bytes.len()),
        None => known(world, photo)?,
    };
    let size =
        json!({"file_id": id, "file_unique_id": format!("u{id}"), "width": 1280, "height": 853, "file_size": bytes});
    let mut content = caption(params)?;
    content.insert("photo".to_owned(), json!([size]));
    Ok(content)
}

fn document_content(
    world: &mut World,
    document: &Value,
    params: &Params,
    uploads: &Uploads,
) -> Result<Map<String, Value>, Refusal> {
    let content = caption(params)?;
    let mut document = match upload(document, uploads)? {
        Some(upload) => {
            let id = store(world, "documents", &upload.name, upload.bytes.to_vec());
            json!({"file_id": id, "file_name": upload.name, "mime_type": upload.media_type, "file_size": upload.bytes.len()})
        }
        None => {
            let (id, bytes) = known(world, document)?;
            json!({"file_id": id, "file_size": bytes})
        }
    };
    document["file_unique_id"] = json!(format!("u{}", document["file_id"].as_str().unwrap_or_default()));
    let mut all = Map::new();
    all.insert("document".to_owned(), document);
    all.extend(content);
    Ok(all)
}

fn upload<'a>(file: &Value, uploads: &'a Uploads) -> Result<Option<&'a super::server::Upload>, Refusal> {
    let Some(name) = file.as_str().and_then(|file| file.strip_prefix("attach://")) else { return Ok(None) };
    uploads.get(name).map(Some).ok_or_else(|| Refusal::bad(format!("there is no file \"{name}\" in the request")))
}

fn known(world: &World, file: &Value) -> Result<(String, usize), Refusal> {
    let id = file.as_str().unwrap_or_default();
    match world.files.get(id) {
        Some(file) => Ok((id.to_owned(), file.bytes.len())),
        None => Err(Refusal::bad("wrong file identifier/HTTP URL specified")),
    }
}

/// Keeps a file and gives its id.
pub(super) fn store(world: &mut World, folder: &str, name: &str, bytes: Vec<u8>) -> String {
    let no = world.files.len() + 1;
    let end = name.rsplit_once('.').map(|(_, end)| format!(".{end}")).unwrap_or_default();
    let id = format!("BQACAgIAAxkBAA{no:04}");
    world.files.insert(id.clone(), StoredFile { bytes, path: format!("{folder}/file_{no}{end}") });
    id
}
