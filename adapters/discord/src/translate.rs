//! Discord's own payloads → what was done, by whom and where. Pure.
//!
//! Payloads are read as raw JSON: the SDK's types drop the answers of windows made of labels, and a field that is new or
//! missing must not cost an event.

mod message;
mod press;
mod window;

use chat::{Event, EventId, FileRef, Place, Platform, User, UserId, Wire};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::Value;

pub(crate) use message::{Heard, edit, message};
pub(crate) use press::{Act, act};
pub(crate) use window::{Filled, presses, window};

use crate::PLATFORM;

/// The workspace of conversations among people that the bot is not part of: somebody has it with their account alone. Discord's
/// own addresses spell them so.
pub(crate) const APART: &str = "@me";

/// An interaction: something a person did with the application itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interaction {
    /// Its id, the same if it comes again.
    pub(crate) id: String,
    /// With which it is answered; a secret for 15 minutes.
    pub(crate) token: String,
    /// The application it is for.
    pub(crate) application: String,
    /// Who did it, and where.
    pub(crate) who: Who,
    /// The bot is there too, and not only an application of the person's account.
    pub(crate) present: bool,
    /// What was done.
    pub(crate) done: Done,
}

/// Who did something, and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Who {
    /// Where.
    pub(crate) place: Place,
    /// Who.
    pub(crate) user: User,
    /// The person's roles in the server.
    pub(crate) roles: Vec<String>,
    /// The channel that the place is a thread of, or the category of the channel, where it is told.
    pub(crate) parent: Option<String>,
}

impl Who {
    /// In a direct message.
    pub(crate) fn direct(&self) -> bool {
        self.place.workspace.is_empty()
    }

    /// What the product is told.
    pub(crate) fn event(&self, id: String, at: Timestamp, action: chat::Action) -> Event {
        let (place, user) = (self.place.clone(), self.user.clone());
        Event { id: EventId::new(id), place, user, at, action, terms: chat::Terms::default() }
    }
}

/// What was done in an interaction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done {
    /// Discord asks whether somebody is there.
    Ping,
    /// A command was sent.
    Command {
        /// Its name.
        name: String,
        /// The form given to it.
        form: Option<String>,
    },
    /// A command is being typed.
    Typing {
        /// What was typed so far.
        typed: String,
    },
    /// A component was used.
    Used(Widget),
    /// A window was sent.
    Window {
        /// What opened it; none where this adapter never wrote that.
        wire: Option<Wire>,
        /// Its fields by their ids.
        fields: Vec<(Wire, Filled)>,
        /// The message it was opened from.
        message: Option<String>,
    },
    /// Anything else.
    Other,
}

/// A component that was used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Widget {
    /// Its id; none where this adapter never wrote that.
    pub(crate) wire: Option<Wire>,
    /// A button, or some kind of select.
    pub(crate) kind: u64,
    /// What was picked in a select. People and channels are spelled as mentions with names.
    pub(crate) values: Vec<String>,
    /// All options of a select as it was shown.
    pub(crate) shown: Vec<String>,
    /// The message it is in.
    pub(crate) message: Option<String>,
}

/// Reads an interaction; none where it lacks an id, a token or a person.
pub(crate) fn interaction(raw: &Value) -> Option<Interaction> {
    let kind = raw["type"].as_u64()?;
    if kind == 1 {
        return Some(Interaction {
            id: text(&raw["id"]).unwrap_or_default(),
            token: String::new(),
            application: text(&raw["application_id"]).unwrap_or_default(),
            who: Who { place: place(None, ""), user: nobody(), roles: Vec::new(), parent: None },
            present: false,
            done: Done::Ping,
        });
    }
    let data = &raw["data"];
    let done = match kind {
        2 => Done::Command { name: text(&data["name"])?, form: option(data) },
        3 => Done::Used(widget(raw)),
        4 => Done::Typing { typed: option(data).unwrap_or_default() },
        5 => Done::Window {
            wire: data["custom_id"].as_str().and_then(|id| id.parse().ok()),
            fields: window(data),
            message: text(&raw["message"]["id"]),
        },
        _ => Done::Other,
    };
    Some(Interaction {
        id: text(&raw["id"])?,
        token: text(&raw["token"])?,
        application: text(&raw["application_id"]).unwrap_or_default(),
        who: who(raw)?,
        present: is_present(raw),
        done,
    })
}

/// Whether the bot is where something was done.
fn is_present(raw: &Value) -> bool {
    let owners = &raw["authorizing_integration_owners"];
    raw["context"].as_u64() == Some(BOTS_OWN) || !owners.is_object() || owners.get("0").is_some()
}

/// The contexts of interactions: a direct message with the bot, and one among people.
const BOTS_OWN: u64 = 1;
const PEOPLES_OWN: u64 = 2;

fn who(raw: &Value) -> Option<Who> {
    let member = &raw["member"];
    let mut user = person(if member["user"].is_object() { &member["user"] } else { &raw["user"] }, member)?;
    user.locale = text(&raw["locale"]);
    let channel = text(&raw["channel_id"]).or_else(|| text(&raw["channel"]["id"]))?;
    let apart = (raw["context"].as_u64() == Some(PEOPLES_OWN)).then_some(APART);
    Some(Who {
        place: place(raw["guild_id"].as_str().or(apart), &channel),
        user,
        roles: texts(&member["roles"]),
        parent: text(&raw["channel"]["parent_id"]),
    })
}

fn widget(raw: &Value) -> Widget {
    let data = &raw["data"];
    let id = data["custom_id"].as_str().unwrap_or_default();
    let resolved = &data["resolved"];
    let values = texts(&data["values"]).into_iter();
    let kind = data["component_type"].as_u64().unwrap_or_default();
    Widget {
        wire: id.parse().ok(),
        kind,
        values: values.map(|value| mention(kind, value, resolved)).collect(),
        shown: shown(&raw["message"]["components"], id).unwrap_or_default(),
        message: text(&raw["message"]["id"]),
    }
}

/// A picked person or channel as a mention that holds the name too.
fn mention(kind: u64, id: String, resolved: &Value) -> String {
    let tidy = |name: Option<String>| name.map(|name| name.replace(['<', '>', '|', '\n'], " ")).unwrap_or_default();
    match kind {
        5 => format!("<@{id}|{}>", tidy(name(&resolved["users"][&id], &resolved["members"][&id]))),
        8 => format!("<#{id}|{}>", tidy(text(&resolved["channels"][&id]["name"]))),
        _ => id,
    }
}

/// The values of the select of that id, wherever in the message it stands.
fn shown(components: &Value, id: &str) -> Option<Vec<String>> {
    components.as_array()?.iter().find_map(|component| {
        if component["custom_id"].as_str() == Some(id) {
            let options = component["options"].as_array()?;
            return Some(options.iter().filter_map(|option| text(&option["value"])).collect());
        }
        shown(&component["components"], id)
    })
}

/// The first option of a command, or the one being typed.
fn option(data: &Value) -> Option<String> {
    let options = data["options"].as_array()?;
    let focused = options.iter().find(|option| option["focused"].as_bool() == Some(true));
    text(&focused.or(options.first())?["value"])
}

fn place(guild: Option<&str>, channel: &str) -> Place {
    Place {
        platform: Platform::new(PLATFORM),
        workspace: guild.unwrap_or_default().to_owned(),
        // A thread is a channel of its own in Discord, with an id of its own.
        channel: channel.to_owned(),
        thread: None,
    }
}

/// A person; none where the id is missing.
fn person(user: &Value, member: &Value) -> Option<User> {
    let id = UserId::new(text(&user["id"])?);
    Some(User { id, name: name(user, member), locale: None, zone: None })
}

/// The name shown in the server, else the one the person chose, else the account's.
fn name(user: &Value, member: &Value) -> Option<String> {
    [&member["nick"], &user["global_name"], &user["username"]].into_iter().find_map(text)
}

fn nobody() -> User {
    User { id: UserId::new(""), name: None, locale: None, zone: None }
}

/// A file as Discord describes it. Its address is good for a day or so.
fn file(raw: &Value) -> Option<FileRef> {
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

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}
