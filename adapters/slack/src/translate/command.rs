//! Slash commands: a form over HTTP, an object of the same keys in Socket Mode.

use serde_json::Value;

use super::{Command, Incoming, Who, some, text};

/// Reads a slash command.
pub(crate) fn command(payload: &Value) -> Incoming {
    let who = Who { id: text(payload, "/user_id").to_owned(), workspace: text(payload, "/team_id").to_owned() };
    let channel = text(payload, "/channel_id").to_owned();
    if who.id.is_empty() || channel.is_empty() || text(payload, "/command").is_empty() {
        return Incoming::Nothing;
    }
    Incoming::Command(Command {
        who,
        trigger: text(payload, "/trigger_id").to_owned(),
        response_url: some(payload, "/response_url"),
        channel,
        text: text(payload, "/text").trim().to_owned(),
    })
}
