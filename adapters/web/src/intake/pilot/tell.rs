//! `set_field_value`: where a form names this tool of the client's, it is called with each answer, one at a time, before what
//! the turn shows. What was told is noted, so that it is told once.

use formwright_chat::{Action, Note, Platform, SessionView};
use serde_json::{Map, Value, json};

use super::{Asking, Refusal, answer};
use crate::receive::auth;

/// The tool's name.
pub(super) const TOOL: &str = "set_field_value";

/// Whether nothing came but results of the tool: of them nobody else needs to know.
pub(super) fn is_answer(actions: &[Action]) -> bool {
    matches!(actions, [Action::ToolResults { results }] if results.iter().all(|result| result.tool == TOOL))
}

/// The call for an answer that the client does not know, else what the turn shows: `action`, or what waited for the calls.
pub(super) async fn next(
    asking: &Asking<'_>,
    view: Option<&SessionView>,
    action: Option<Value>,
) -> Result<Value, Refusal> {
    let (host, platform) = (&asking.context.host, Platform::new(crate::PLATFORM));
    let key = format!("told:{}", asking.place.channel);
    let mut note = host.recall(&platform, &key).await?.unwrap_or_default();
    let waited = note.get_mut("action").map(Value::take).filter(|waited| !waited.is_null());
    let mut told: Map<String, Value> = note.get("told").and_then(Value::as_object).cloned().unwrap_or_default();
    let answers = answer::answers(view);
    told.retain(|field, _| answers.contains_key(field));
    let mark = |value: &Value| Value::from(auth::request_mark(value.to_string().as_bytes()));
    // What is sensitive is null: there is nothing to tell.
    let new = answers.iter().find(|(field, value)| !value.is_null() && told.get(*field) != Some(&mark(value)));
    let had_waited = waited.is_some();
    let last = || answer::action(view.map(|view| view.last.as_slice()).unwrap_or_default(), view);
    let action = action.or(waited).unwrap_or_else(last);
    let (shown, waits) = match new {
        Some((field, value)) => {
            told.insert(field.clone(), mark(value));
            let known = view.and_then(|view| view.answers.iter().find(|answer| answer.field == *field));
            let message = known.map(|known| format!("{}: {}", known.label, known.shown)).unwrap_or_default();
            let args = json!({ "fieldId": field, "value": value });
            let call = json!({ "action": "TOOL_CALL", "tool_name": TOOL, "tool_args": args, "message": message });
            (call, Some(action))
        }
        None => (action, None),
    };
    if waits.is_some() || had_waited {
        let value = Some(json!({ "told": told, "action": waits }));
        host.remember(Note { platform, key, owner: Some(asking.user.id.clone()), value }).await?;
    }
    Ok(shown)
}
