//! What occurs in many payloads: ids, places, people and files.

use formwright_chat::{FileRef, Place, Platform, User, UserId};
use serde_json::Value;

use crate::PLATFORM;

/// A picked person or channel as a mention that holds the name too.
pub(super) fn mention(kind: u64, id: String, resolved: &Value) -> String {
    let tidy = |name: Option<String>| name.map(|name| name.replace(['<', '>', '|', '\n'], " ")).unwrap_or_default();
    match kind {
        5 => format!("<@{id}|{}>", tidy(name(&resolved["users"][&id], &resolved["members"][&id]))),
        8 => format!("<#{id}|{}>", tidy(text(&resolved["channels"][&id]["name"]))),
        _ => id,
    }
}

pub(super) fn place(guild: Option<&str>, channel: &str) -> Place {
    Place {
        platform: Platform::new(PLATFORM),
        workspace: guild.unwrap_or_default().to_owned(),
        // A thread is a channel of its own in Discord, with an id of its own.
        channel: channel.to_owned(),
        thread: None,
    }
}

/// A person; none where the id is missing.
pub(super) fn person(user: &Value, member: &Value) -> Option<User> {
    let id = UserId::new(text(&user["id"])?);
    Some(User { id, name: name(user, member), locale: None, zone: None })
}

/// The name shown in the server, else the one the person chose, else the account's.
pub(super) fn name(user: &Value, member: &Value) -> Option<String> {
    [&member["nick"], &user["global_name"], &user["username"]].into_iter().find_map(text)
}

pub(super) fn nobody() -> User {
    User { id: UserId::new(""), name: None, locale: None, zone: None }
}

/// A file as Discord describes it. Its address is good for a day or so.
pub(super) fn file(raw: &Value) -> Option<FileRef> {
    Some(FileRef {
        id: text(&raw["url"]).or_else(|| text(&raw["id"]))?,
        name: text(&raw["filename"]).unwrap_or_default(),
        media_type: text(&raw["content_type"]).unwrap_or_default(),
        bytes: raw["size"].as_u64(),
    })
}

/// A text that is not empty; ids may come as numbers.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}
