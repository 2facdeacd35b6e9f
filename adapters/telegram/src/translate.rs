//! Updates of Telegram → what a person did. Pure, and tolerant: what is missing or of another shape is as if it was not
//! there, and kinds of updates that are not known are nothing.

pub(crate) mod press;
mod route;

use formwright_chat::company::{self, Aim};
use formwright_chat::{CaseCode, FileRef, LocationRef, Wire, addressed};
use serde_json::Value;

pub(crate) use self::route::{Doing, Setting, route};

/// The bot itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Me {
    pub(crate) id: i64,
    pub(crate) username: String,
    /// Whether it may be taken into groups.
    pub(crate) joins_groups: bool,
    /// Whether it reads everything in groups, or only what is meant for it.
    pub(crate) reads_groups: bool,
}

impl Me {
    /// Reads the answer of `getMe`.
    pub(crate) fn read(me: &Value) -> Option<Self> {
        let flag = |key: &str| me[key].as_bool().unwrap_or(false);
        Some(Self {
            id: me["id"].as_i64()?,
            username: me["username"].as_str().unwrap_or_default().to_owned(),
            joins_groups: flag("can_join_groups"),
            reads_groups: flag("can_read_all_group_messages"),
        })
    }
}

/// An update that a person caused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Incoming {
    pub(crate) update: i64,
    pub(crate) from: Person,
    pub(crate) chat: Chat,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) name: Option<String>,
    pub(crate) locale: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chat {
    pub(crate) id: i64,
    pub(crate) private: bool,
    /// The topic of a forum.
    pub(crate) thread: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A message, whatever is in it.
    Said(Box<Said>),
    /// A message that was changed, as it reads now.
    Edited(Box<Said>),
    /// A button; the wire is none where it is none of ours.
    Pressed { query: String, wire: Option<Wire>, message: Option<i64> },
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) message: i64,
    /// Text or caption, without mentions of the bot.
    pub(crate) text: String,
    pub(crate) files: Vec<FileRef>,
    /// Names the files that were sent together.
    pub(crate) album: Option<String>,
    pub(crate) contact: Option<Contact>,
    pub(crate) location: Option<LocationRef>,
    /// A person picked on a keyboard that asked for one.
    pub(crate) person: Option<String>,
    /// It mentions the bot or answers one of its messages.
    pub(crate) to_us: bool,
    /// It answers a message of somebody else.
    pub(crate) to_other: bool,
    /// It calls somebody else by name.
    pub(crate) calls_another: bool,
    /// The code in the message of the bot that it answers.
    pub(crate) case: Option<CaseCode>,
}

impl Said {
    /// Whom it is for.
    pub(crate) fn aim(&self) -> Aim {
        Aim { bot: self.to_us, reply: self.to_other, name: self.calls_another, aside: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contact {
    pub(crate) phone: String,
    pub(crate) name: String,
}

/// The number of an update, by which it is confirmed.
pub(crate) fn number(update: &Value) -> Option<i64> {
    update["update_id"].as_i64()
}

/// Who did something, be it of a kind that is known or not.
pub(crate) fn sender(update: &Value) -> Option<i64> {
    update.as_object()?.values().find_map(|what| what["from"]["id"].as_i64())
}

/// A group that became a supergroup: its old and its new id.
pub(crate) fn moved(update: &Value) -> Option<(i64, i64)> {
    let message = &update["message"];
    Some((message["chat"]["id"].as_i64()?, message["migrate_to_chat_id"].as_i64()?))
}

/// Reads an update. None where no person did anything that concerns the bot.
pub(crate) fn read(update: &Value, me: &Me) -> Option<Incoming> {
    let update_id = number(update)?;
    let incoming = |from: &Value, message: &Value, what: What| {
        let chat = &message["chat"];
        let topic = message["is_topic_message"].as_bool().unwrap_or(false);
        Some(Incoming {
            update: update_id,
            from: person(from)?,
            chat: Chat {
                id: chat["id"].as_i64()?,
                private: chat["type"].as_str() == Some("private"),
                thread: message["message_thread_id"].as_i64().filter(|_| topic),
            },
            what,
        })
    };
    if let Some(query) = update["callback_query"].as_object() {
        let query_id = query.get("id")?.as_str()?.to_owned();
        let from = query.get("from")?;
        let wire = query.get("data").and_then(Value::as_str).and_then(|data| data.parse().ok());
        let message = query.get("message").unwrap_or(&Value::Null);
        let pressed = What::Pressed { query: query_id, wire, message: message["message_id"].as_i64() };
        // A message from long ago comes without its chat: the answer to the press needs none.
        let nowhere = serde_json::json!({"chat": {"id": from["id"], "type": "private"}});
        let message = if message["chat"]["id"].is_i64() { message } else { &nowhere };
        return incoming(from, message, pressed);
    }
    let edited = update["edited_message"].is_object();
    let message = if edited { &update["edited_message"] } else { &update["message"] };
    if !message.is_object() || !message["sender_chat"].is_null() || message["chat"]["type"].as_str() == Some("channel")
    {
        return None;
    }
    let said = Box::new(said(message, me)?);
    incoming(&message["from"], message, if edited { What::Edited(said) } else { What::Said(said) })
}

/// The sender, unless it is a bot.
fn person(from: &Value) -> Option<Person> {
    if from["is_bot"].as_bool().unwrap_or(false) {
        return None;
    }
    let text = |key: &str| from[key].as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    Some(Person { id: from["id"].as_i64()?, name: text("first_name"), locale: text("language_code") })
}

/// What a person sends that answers nothing. In private it is answered with what is asked, rather than with silence.
const OTHER: [&str; 7] = ["dice", "poll", "game", "story", "paid_media", "checklist", "giveaway"];

/// A message; none where it holds nothing that a person says (somebody joined, a message was pinned).
fn said(message: &Value, me: &Me) -> Option<Said> {
    let Words { text, mentioned, others } = text(message, me);
    let answered = &message["reply_to_message"];
    // In a topic, what answers nothing is marked as an answer to the topic's first message.
    let first = answered["message_id"] == message["message_thread_id"] && !answered["forum_topic_created"].is_null();
    let answers = answered.is_object() && !first;
    let to_me = answered["from"]["id"].as_i64() == Some(me.id);
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let said = Said {
        calls_another: company::calls_another(&text, &others),
        message: message["message_id"].as_i64()?,
        text,
        files: file(message).into_iter().collect(),
        album: message["media_group_id"].as_str().map(str::to_owned),
        contact: contact(message),
        location: location(message),
        person: shared_person(message),
        to_us: mentioned || (answers && to_me),
        to_other: answers && !to_me,
        case: if answers && to_me { case(answered["text"].as_str().unwrap_or_default()) } else { None },
    };
    let says = !said.text.trim().is_empty() || !said.files.is_empty() || said.contact.is_some();
    let private = message["chat"]["type"].as_str() == Some("private");
    let other = private && (OTHER.iter().any(|key| message[*key].is_object()) || message["sticker"].is_object());
    (says || said.location.is_some() || said.person.is_some() || mentioned || other).then_some(said)
}

/// The first code of a case that a text names.
fn case(text: &str) -> Option<CaseCode> {
    let mut marks = text.match_indices('#');
    marks.find_map(|(at, _)| addressed(text.get(at..)?).map(|(code, _)| code))
}

/// Text or caption.
#[derive(Default)]
struct Words {
    /// Without mentions of the bot.
    text: String,
    /// Whether there were any.
    mentioned: bool,
    /// Mentions of others, as they stand in the text.
    others: Vec<String>,
}

fn text(message: &Value, me: &Me) -> Words {
    let (text, entities) = match message["text"].as_str() {
        Some(text) => (text, &message["entities"]),
        None => (message["caption"].as_str().unwrap_or_default(), &message["caption_entities"]),
    };
    if text.is_empty() {
        // A sticker says what its emoji says.
        let text = message["sticker"]["emoji"].as_str().unwrap_or_default().to_owned();
        return Words { text, ..Words::default() };
    }
    let name = format!("@{}", me.username);
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut drop = vec![false; units.len()];
    let (mut mentioned, mut others) = (false, Vec::new());
    for entity in entities.as_array().map(Vec::as_slice).unwrap_or_default() {
        let at = |key: &str| entity[key].as_u64().and_then(|at| usize::try_from(at).ok());
        let (Some(from), Some(length)) = (at("offset"), at("length")) else { continue };
        let Some(words) = from.checked_add(length).and_then(|to| units.get(from..to)) else { continue };
        let kind = entity["type"].as_str();
        let ours = match kind {
            Some("mention") => String::from_utf16_lossy(words).eq_ignore_ascii_case(&name),
            Some("text_mention") => entity["user"]["id"].as_i64() == Some(me.id),
            _ => false,
        };
        if ours {
            mentioned = true;
            drop[from..from + length].fill(true);
        } else if matches!(kind, Some("mention" | "text_mention")) {
            others.push(String::from_utf16_lossy(words));
        }
    }
    if !mentioned {
        return Words { text: text.to_owned(), mentioned, others };
    }
    let left: Vec<u16> = units.into_iter().zip(drop).filter(|(_, drop)| !drop).map(|(unit, _)| unit).collect();
    let left = String::from_utf16_lossy(&left);
    Words { text: left.trim().trim_start_matches([',', ':']).trim().to_owned(), mentioned, others }
}

/// The file of a message: Telegram puts one into each.
fn file(message: &Value) -> Option<FileRef> {
    let number = message["message_id"].as_i64().unwrap_or_default();
    if let Some(sizes) = message["photo"].as_array() {
        let area =
            |size: &Value| size["width"].as_u64().unwrap_or(0).saturating_mul(size["height"].as_u64().unwrap_or(0));
        let largest = sizes.iter().max_by_key(|size| area(size))?;
        return file_ref(largest, format!("photo_{number}.jpg"), "image/jpeg");
    }
    let kinds = [
        ("document", "file", "application/octet-stream"),
        ("video", "video.mp4", "video/mp4"),
        ("audio", "audio.mp3", "audio/mpeg"),
        ("voice", "voice.ogg", "audio/ogg"),
        ("video_note", "video.mp4", "video/mp4"),
    ];
    let (file, name, kind) = kinds.into_iter().find(|(key, ..)| message[*key].is_object())?;
    let (stem, end) = name.split_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    file_ref(&message[file], format!("{stem}_{number}{end}"), kind)
}

fn file_ref(file: &Value, name: String, media_type: &str) -> Option<FileRef> {
    let text = |key: &str| file[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    Some(FileRef {
        id: text("file_id")?,
        name: text("file_name").unwrap_or(name),
        media_type: text("mime_type").unwrap_or_else(|| media_type.to_owned()),
        bytes: file["file_size"].as_u64(),
    })
}

fn contact(message: &Value) -> Option<Contact> {
    let contact = &message["contact"];
    let phone = contact["phone_number"].as_str()?.trim();
    // Telegram leaves the plus out on some devices; its numbers always begin with the country.
    let phone = if phone.starts_with('+') { phone.to_owned() } else { format!("+{phone}") };
    Some(Contact { phone, name: full_name(contact) })
}

fn full_name(person: &Value) -> String {
    let part = |key: &str| person[key].as_str().unwrap_or_default();
    format!("{} {}", part("first_name"), part("last_name")).trim().to_owned()
}

fn location(message: &Value) -> Option<LocationRef> {
    let venue = &message["venue"];
    let point = if venue.is_object() { &venue["location"] } else { &message["location"] };
    let address: Vec<&str> =
        ["title", "address"].iter().filter_map(|key| venue[*key].as_str()).filter(|part| !part.is_empty()).collect();
    Some(LocationRef {
        lat: point["latitude"].as_f64()?,
        lng: point["longitude"].as_f64()?,
        address: (!address.is_empty()).then(|| address.join(", ")),
        city: None,
        country: None,
    })
}

fn shared_person(message: &Value) -> Option<String> {
    let person = message["users_shared"]["users"].as_array()?.first()?;
    let username = person["username"].as_str().filter(|name| !name.is_empty()).map(|name| format!("@{name}"));
    username.or_else(|| Some(full_name(person)).filter(|name| !name.is_empty()))
}

#[cfg(test)]
mod tests;
