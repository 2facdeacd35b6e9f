//! The methods that the fake serves and what each takes, in a table of its own: `name!type` must be there, `name:type`
//! may be. Derived from the published description of Bot API 10.1. Telegram overlooks parameters that it does not know;
//! the fake refuses them, because they are mistakes.

use serde_json::{Map, Value};

use super::Refusal;

/// What every message that is sent takes beside its content.
const SENT: &str = "chat_id!chat message_thread_id:int disable_notification:bool protect_content:bool \
    message_effect_id:str reply_parameters:ReplyParameters reply_markup:markup";
/// Where an edited message is.
const EDITED: &str = "chat_id:chat message_id:int inline_message_id:str reply_markup:InlineKeyboardMarkup";
const CAPTION: &str = "caption:str parse_mode:str caption_entities:[MessageEntity]";

const METHODS: &[(&str, &str)] = &[
    ("getMe", ""),
    ("getUpdates", "offset:int limit:int timeout:int allowed_updates:[str]"),
    (
        "setWebhook",
        "url!str certificate:file ip_address:str max_connections:int allowed_updates:[str] drop_pending_updates:bool \
         secret_token:str",
    ),
    ("deleteWebhook", "drop_pending_updates:bool"),
    ("getWebhookInfo", ""),
    ("sendMessage", "SENT text!str parse_mode:str entities:[MessageEntity] link_preview_options:LinkPreviewOptions"),
    ("sendPhoto", "SENT CAPTION photo!file show_caption_above_media:bool has_spoiler:bool"),
    ("sendDocument", "SENT CAPTION document!file thumbnail:file disable_content_type_detection:bool"),
    ("sendLocation", "SENT latitude!float longitude!float horizontal_accuracy:float live_period:int"),
    (
        "sendMediaGroup",
        "chat_id!chat message_thread_id:int media![InputMedia] disable_notification:bool protect_content:bool \
         reply_parameters:ReplyParameters",
    ),
    ("sendChatAction", "chat_id!chat message_thread_id:int action!str"),
    (
        "editMessageText",
        "EDITED text!str parse_mode:str entities:[MessageEntity] link_preview_options:LinkPreviewOptions",
    ),
    ("editMessageCaption", "EDITED CAPTION show_caption_above_media:bool"),
    ("editMessageReplyMarkup", "EDITED"),
    ("deleteMessage", "chat_id!chat message_id!int"),
    ("deleteMessages", "chat_id!chat message_ids![int]"),
    ("setMessageReaction", "chat_id!chat message_id!int reaction:[any] is_big:bool"),
    ("answerCallbackQuery", "callback_query_id!str text:str show_alert:bool url:str cache_time:int"),
    ("setMyCommands", "commands![BotCommand] scope:Scope language_code:str"),
    ("getMyCommands", "scope:Scope language_code:str"),
    ("deleteMyCommands", "scope:Scope language_code:str"),
    ("setMyName", "name:str language_code:str"),
    ("setMyDescription", "description:str language_code:str"),
    ("setMyShortDescription", "short_description:str language_code:str"),
    ("setChatMenuButton", "chat_id:int menu_button:any"),
    ("getFile", "file_id!str"),
    ("getChat", "chat_id!chat"),
    ("getChatMember", "chat_id!chat user_id!int"),
    ("getChatAdministrators", "chat_id!chat return_bots:bool"),
    ("getChatMemberCount", "chat_id!chat"),
    ("leaveChat", "chat_id!chat"),
];

const OBJECTS: &[(&str, &str)] = &[
    ("InlineKeyboardMarkup", "inline_keyboard![[InlineKeyboardButton]]"),
    (
        "InlineKeyboardButton",
        "text!str icon_custom_emoji_id:str style:str url:str callback_data:str web_app:WebApp login_url:any \
         switch_inline_query:str switch_inline_query_current_chat:str switch_inline_query_chosen_chat:any \
         copy_text:CopyText callback_game:any pay:bool",
    ),
    ("WebApp", "url!str"),
    ("CopyText", "text!str"),
    (
        "ReplyKeyboardMarkup",
        "keyboard![[KeyboardButton]] is_persistent:bool resize_keyboard:bool one_time_keyboard:bool \
         input_field_placeholder:str selective:bool",
    ),
    (
        "KeyboardButton",
        "text!str icon_custom_emoji_id:str style:str request_users:RequestUsers request_chat:any \
         request_managed_bot:any request_contact:bool request_location:bool request_poll:any web_app:WebApp",
    ),
    (
        "RequestUsers",
        "request_id!int user_is_bot:bool user_is_premium:bool max_quantity:int request_name:bool \
         request_username:bool request_photo:bool",
    ),
    ("ReplyKeyboardRemove", "remove_keyboard!bool selective:bool"),
    ("ForceReply", "force_reply!bool input_field_placeholder:str selective:bool"),
    (
        "ReplyParameters",
        "message_id!int chat_id:chat allow_sending_without_reply:bool quote:str quote_parse_mode:str \
         quote_entities:[MessageEntity] quote_position:int checklist_task_id:int poll_option_id:str",
    ),
    (
        "LinkPreviewOptions",
        "is_disabled:bool url:str prefer_small_media:bool prefer_large_media:bool show_above_text:bool",
    ),
    (
        "MessageEntity",
        "type!str offset!int length!int url:str user:any language:str custom_emoji_id:str unix_time:int \
         date_time_format:str",
    ),
    ("BotCommand", "command!str description!str"),
    ("Scope", "type!str chat_id:chat user_id:int"),
    ("InputMedia", "type!str media!str CAPTION thumbnail:str show_caption_above_media:bool has_spoiler:bool"),
];

/// Finds a method by its name in any case.
pub(super) fn method(name: &str) -> Option<&'static str> {
    METHODS.iter().map(|(known, _)| *known).find(|known| known.eq_ignore_ascii_case(name))
}

/// Puts the parameters of a method right (forms send everything as text) and checks each.
pub(super) fn check(method: &str, mut given: Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    let fields = METHODS.iter().find(|(name, _)| *name == method).map(|(_, fields)| *fields).unwrap_or_default();
    given.retain(|_, value| !value.is_null());
    object(fields, given, "")
}

fn object(fields: &str, given: Map<String, Value>, path: &str) -> Result<Map<String, Value>, Refusal> {
    let fields = expand(fields);
    let mut checked = Map::new();
    for (name, value) in given {
        let Some((_, _, kind)) = fields.iter().find(|(known, ..)| *known == name) else {
            return Err(Refusal::bad(format!("unknown parameter \"{path}{name}\"")));
        };
        let value = of_kind(kind, value, &format!("{path}{name}"))?;
        checked.insert(name, value);
    }
    for (name, needed, _) in fields {
        if needed && !checked.contains_key(name) {
            return Err(missing(name, path));
        }
    }
    Ok(checked)
}

/// Name, whether it is needed, kind.
fn expand(fields: &str) -> Vec<(&str, bool, &str)> {
    let mut all = Vec::new();
    for field in fields.split_whitespace() {
        match field {
            "SENT" => all.extend(expand(SENT)),
            "EDITED" => all.extend(expand(EDITED)),
            "CAPTION" => all.extend(expand(CAPTION)),
            field => match field.split_once(['!', ':']) {
                Some((name, kind)) => all.push((name, field.as_bytes().get(name.len()) == Some(&b'!'), kind)),
                None => panic!("a field of the fake's table without a kind: {field}"),
            },
        }
    }
    all
}

fn missing(name: &str, path: &str) -> Refusal {
    match (path, name) {
        ("", "text") => Refusal::bad("message text is empty"),
        ("", "chat_id") => Refusal::bad("chat_id is empty"),
        ("", "photo" | "document") => Refusal::bad(format!("there is no {name} in the request")),
        _ => Refusal::bad(format!("parameter \"{path}{name}\" is required")),
    }
}

fn of_kind(kind: &str, value: Value, path: &str) -> Result<Value, Refusal> {
    let wrong = || Refusal::bad(format!("parameter \"{path}\" must be of type {kind}"));
    if let Some(inner) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        let Value::Array(items) = parsed(value) else { return Err(wrong()) };
        let item = |(no, item)| of_kind(inner, item, &format!("{path}[{no}]"));
        return Ok(Value::Array(items.into_iter().enumerate().map(item).collect::<Result<_, _>>()?));
    }
    match kind {
        "any" => Ok(parsed(value)),
        "str" | "file" if value.is_string() => Ok(value),
        "str" | "file" => Err(wrong()),
        "chat" => match &value {
            Value::Number(number) if number.is_i64() => Ok(value),
            Value::String(text) if text.starts_with('@') => Ok(value),
            Value::String(text) => text.parse::<i64>().map(Value::from).map_err(|_| wrong()),
            _ => Err(wrong()),
        },
        "int" => Some(parsed(value)).filter(Value::is_i64).ok_or_else(wrong),
        "float" => Some(parsed(value)).filter(Value::is_number).ok_or_else(wrong),
        "bool" => Some(parsed(value)).filter(Value::is_boolean).ok_or_else(wrong),
        "markup" => {
            let markup = parsed(value);
            let kinds = [
                ("inline_keyboard", "InlineKeyboardMarkup"),
                ("keyboard", "ReplyKeyboardMarkup"),
                ("remove_keyboard", "ReplyKeyboardRemove"),
                ("force_reply", "ForceReply"),
            ];
            let kind = kinds.iter().find(|(key, _)| markup.get(key).is_some());
            let kind = kind.ok_or_else(|| Refusal::bad("object expected as reply markup"))?.1;
            of_kind(kind, markup, path)
        }
        "KeyboardButton" if value.is_string() => Ok(serde_json::json!({"text": value})),
        name => {
            let fields = OBJECTS.iter().find(|(known, _)| *known == name).map(|(_, fields)| *fields);
            let Some(fields) = fields else { panic!("a kind that the fake's table does not know: {name}") };
            let Value::Object(given) = parsed(value) else { return Err(wrong()) };
            object(fields, given, &format!("{path}.")).map(Value::Object)
        }
    }
}

/// What is sent as text where something else is wanted is JSON.
fn parsed(value: Value) -> Value {
    match value {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}
