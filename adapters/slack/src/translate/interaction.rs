//! Interactivity: widgets, modals, type-ahead, shortcuts.

use serde_json::Value;

use super::{Act, Incoming, Shortcut, Submission, Suggestion, Who, some, text};

/// Reads an interaction payload.
pub(crate) fn interaction(payload: &Value) -> Incoming {
    let workspace = some(payload, "/team/id").or_else(|| some(payload, "/user/team_id")).unwrap_or_default();
    let who = Who { id: text(payload, "/user/id").to_owned(), workspace };
    if who.id.is_empty() {
        return Incoming::Nothing;
    }
    let trigger = text(payload, "/trigger_id").to_owned();
    match text(payload, "/type") {
        "block_actions" => act(payload, who, trigger).map_or(Incoming::Nothing, Incoming::Act),
        "view_submission" => Incoming::Submission(Submission {
            who,
            trigger: if trigger.is_empty() { view_id(payload) } else { trigger },
            view: text(payload, "/view/id").to_owned(),
            callback: text(payload, "/view/callback_id").to_owned(),
            metadata: text(payload, "/view/private_metadata").to_owned(),
            values: payload.pointer("/view/state/values").cloned().unwrap_or(Value::Null),
        }),
        "view_closed" => Incoming::Closed(text(payload, "/view/id").to_owned()),
        "block_suggestion" => Incoming::Suggestion(Suggestion {
            who,
            action_id: text(payload, "/action_id").to_owned(),
            query: text(payload, "/value").to_owned(),
        }),
        "shortcut" => {
            Incoming::Shortcut(Shortcut { who, trigger, callback: text(payload, "/callback_id").to_owned(), at: None })
        }
        "message_action" => {
            let thread = some(payload, "/message/thread_ts").or_else(|| some(payload, "/message_ts"));
            let at = some(payload, "/channel/id").zip(thread.or_else(|| some(payload, "/message/ts")));
            Incoming::Shortcut(Shortcut { who, trigger, callback: text(payload, "/callback_id").to_owned(), at })
        }
        _ => Incoming::Nothing,
    }
}

/// A view as it was when it was sent: the same again when the envelope comes again.
fn view_id(payload: &Value) -> String {
    format!("{}/{}", text(payload, "/view/id"), text(payload, "/view/hash"))
}

fn act(payload: &Value, who: Who, trigger: String) -> Option<Act> {
    let action = payload.pointer("/actions/0")?.clone();
    let action_id = some(&action, "/action_id")?;
    let ts = text(&action, "/action_ts");
    let trigger = if trigger.is_empty() { format!("{}/{action_id}/{ts}", who.id) } else { trigger };
    let values = payload.pointer("/state/values").or_else(|| payload.pointer("/view/state/values"));
    let thread = some(payload, "/container/thread_ts").or_else(|| some(payload, "/message/thread_ts"));
    Some(Act {
        who,
        trigger,
        response_url: some(payload, "/response_url"),
        channel: some(payload, "/channel/id").or_else(|| some(payload, "/container/channel_id")),
        thread,
        message: some(payload, "/container/message_ts").or_else(|| some(payload, "/message/ts")),
        ephemeral: payload.pointer("/container/is_ephemeral").and_then(Value::as_bool).unwrap_or(false),
        metadata: some(payload, "/view/private_metadata"),
        action_id,
        action,
        values: values.cloned().unwrap_or(Value::Null),
    })
}
