//! The Web API's methods: their parameters, the scopes they need, and how their bodies may come.

use serde_json::{Map, Value};

/// Whose token a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Bot,
    App,
}

/// A method.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) token: Token,
    /// One of these scopes is needed; none where the method itself finds out.
    pub(super) scopes: &'static [&'static str],
    /// A JSON body is not read: parameters come in the URL or as a form.
    pub(super) form_only: bool,
    /// `name:type`, with `!` where it is required: `s` a string, `b` yes or no, `n` a number, `v` JSON.
    pub(super) params: &'static str,
}

const fn method(name: &'static str, scopes: &'static [&'static str], params: &'static str) -> Method {
    Method { name, token: Token::Bot, scopes, form_only: false, params }
}

const fn by_form(name: &'static str, scopes: &'static [&'static str], params: &'static str) -> Method {
    Method { name, token: Token::Bot, scopes, form_only: true, params }
}

/// What an adapter for forms may need.
pub(super) static METHODS: [Method; 24] = [
    Method { name: "apps.connections.open", token: Token::App, scopes: &[], form_only: false, params: "" },
    method("auth.test", &[], ""),
    method(
        "chat.postMessage",
        &["chat:write"],
        "channel:s! text:s blocks:v attachments:v markdown_text:s thread_ts:s reply_broadcast:b mrkdwn:b parse:s \
         link_names:b unfurl_links:b unfurl_media:b metadata:v as_user:b username:s icon_emoji:s icon_url:s",
    ),
    method(
        "chat.postEphemeral",
        &["chat:write"],
        "channel:s! user:s! text:s blocks:v attachments:v markdown_text:s thread_ts:s parse:s link_names:b as_user:b \
         username:s icon_emoji:s icon_url:s",
    ),
    method(
        "chat.update",
        &["chat:write"],
        "channel:s! ts:s! text:s blocks:v attachments:v markdown_text:s parse:s link_names:b metadata:v as_user:b \
         reply_broadcast:b file_ids:v",
    ),
    method("chat.delete", &["chat:write"], "channel:s! ts:s! as_user:b"),
    by_form("chat.getPermalink", &[], "channel:s! message_ts:s!"),
    method("views.open", &[], "trigger_id:s! view:v!"),
    method("views.push", &[], "trigger_id:s! view:v!"),
    method("views.update", &[], "view_id:s external_id:s hash:s view:v!"),
    method("views.publish", &[], "user_id:s! view:v! hash:s"),
    by_form("users.info", &["users:read"], "user:s! include_locale:b"),
    by_form("users.list", &["users:read"], "cursor:s limit:n include_locale:b team_id:s"),
    by_form("bots.info", &["users:read"], "bot:s team_id:s"),
    by_form("team.info", &["team:read"], "team:s domain:s"),
    method("conversations.open", &["im:write", "mpim:write"], "users:s channel:s return_im:b prevent_creation:b"),
    method("conversations.join", &["channels:join"], "channel:s!"),
    by_form("conversations.info", &[], "channel:s! include_locale:b include_num_members:b"),
    by_form("conversations.members", &[], "channel:s! cursor:s limit:n"),
    by_form(
        "conversations.history",
        &[],
        "channel:s! cursor:s limit:n oldest:s latest:s inclusive:b include_all_metadata:b",
    ),
    by_form(
        "conversations.replies",
        &[],
        "channel:s! ts:s! cursor:s limit:n oldest:s latest:s inclusive:b include_all_metadata:b",
    ),
    by_form("files.info", &["files:read"], "file:s! count:n page:n limit:n cursor:s"),
    method(
        "assistant.threads.setStatus",
        &["chat:write", "assistant:write"],
        "channel_id:s! thread_ts:s! status:s! loading_messages:v icon_emoji:s icon_url:s username:s",
    ),
    method("reactions.add", &["reactions:write"], "channel:s! name:s! timestamp:s!"),
];

/// The method of this name.
pub(super) fn named(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// Reads a method's parameters; what is wrong with them. Those of a form are strings, and hold JSON where an object is
/// wanted.
pub(super) fn read(method: &Method, given: &Map<String, Value>) -> Result<Map<String, Value>, Vec<String>> {
    let mut faults = Vec::new();
    let mut taken = Map::new();
    let mut known = vec!["token"];
    for param in method.params.split_whitespace() {
        let (name, kind) = param.split_once(':').unwrap_or((param, "s"));
        known.push(name);
        match given.get(name).filter(|value| !value.is_null()) {
            Some(value) => match typed(value, kind.trim_end_matches('!')) {
                Some(value) => {
                    taken.insert(name.to_owned(), value);
                }
                None => faults.push(format!("[ERROR] must be of the right type: {name} [json-pointer:/{name}]")),
            },
            None if kind.ends_with('!') => faults.push(format!("[ERROR] missing required field: {name}")),
            None => {}
        }
    }
    for name in given.keys().filter(|name| !known.contains(&name.as_str())) {
        faults.push(format!("[ERROR] unknown parameter: {name}"));
    }
    if faults.is_empty() { Ok(taken) } else { Err(faults) }
}

fn typed(value: &Value, kind: &str) -> Option<Value> {
    match (kind, value) {
        ("b", Value::String(text)) => match text.as_str() {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        ("b", Value::Bool(_)) | ("n", Value::Number(_)) | ("s", Value::String(_)) => Some(value.clone()),
        ("n", Value::String(text)) => text.parse::<u64>().ok().map(Value::from),
        ("v", Value::String(text)) => serde_json::from_str(text).ok(),
        ("v", Value::Array(_) | Value::Object(_)) => Some(value.clone()),
        _ => None,
    }
}
