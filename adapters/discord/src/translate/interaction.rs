//! Interactions: what a person did with the application itself.

use chat::Wire;
use formwright_chat as chat;
use serde_json::Value;

use super::json::{mention, nobody, person, place, text, texts};
use super::who::{APART, Who};
use super::widget::Widget;
use super::window::{Filled, window};

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
