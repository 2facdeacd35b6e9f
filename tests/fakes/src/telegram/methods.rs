//! The methods by name, and those that are about the bot, its menus, chats and files.

use serde_json::{Map, Value, json};

use super::server::Uploads;
use super::world::{BOT, Kind, Membership, World};
use super::{Refusal, edit, menus, send};

pub(super) type Params = Map<String, Value>;

/// Bytes of a file that a bot may fetch.
const FETCHABLE: usize = 20 * 1024 * 1024;
const ACTIONS: [&str; 11] = [
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
];

pub(super) fn call(world: &mut World, method: &str, params: &Params, uploads: &Uploads) -> Result<Value, Refusal> {
    match method {
        "getMe" => Ok(me(world)),
        "setWebhook" => world.updates.set_webhook(params),
        "deleteWebhook" => Ok(world.updates.delete_webhook(params)),
        "getWebhookInfo" => Ok(world.updates.webhook_info()),
        "sendMessage" => send::message(world, params),
        "sendPhoto" => send::photo(world, params, uploads),
        "sendDocument" => send::document(world, params, uploads),
        "sendLocation" => send::location(world, params),
        "sendMediaGroup" => send::album(world, params, uploads),
        "sendChatAction" => action(world, params),
        "editMessageText" => edit::text(world, params),
        "editMessageCaption" => edit::caption(world, params),
        "editMessageReplyMarkup" => edit::markup(world, params),
        "deleteMessage" => edit::delete(world, params, params["message_id"].as_i64().unwrap_or(0)),
        "deleteMessages" => edit::delete_all(world, params),
        "setMessageReaction" => edit::react(world, params),
        "answerCallbackQuery" => edit::answer(world, params),
        "setMyCommands" => menus::set(world, params),
        "getMyCommands" => menus::get(world, params),
        "deleteMyCommands" => menus::delete(world, params),
        "setMyName" => within(params, "name", 64),
        "setMyDescription" => within(params, "description", 512),
        "setMyShortDescription" => within(params, "short_description", 120),
        "setChatMenuButton" => Ok(json!(true)),
        "getFile" => file(world, params),
        "getChat" => chat(world, params),
        "getChatMember" => {
            let chat = find(world, params)?;
            member(world, chat, params["user_id"].as_i64().unwrap_or(0))
        }
        "getChatAdministrators" => {
            let chat = find(world, params)?;
            let admin = world.chat(chat).bot == Membership::Admin;
            Ok(if admin { json!([member(world, chat, BOT)?]) } else { json!([]) })
        }
        "getChatMemberCount" => {
            let chat = find(world, params)?;
            Ok(json!(world.chat(chat).members.len() + 1))
        }
        "leaveChat" => {
            let chat = find(world, params)?;
            world.chat(chat).bot = Membership::Kicked;
            Ok(json!(true))
        }
        other => Err(Refusal::new(501, format!("the fake does not do {other}"))),
    }
}

fn me(world: &World) -> Value {
    let mut me = world.user(BOT);
    me["can_join_groups"] = json!(world.settings.joins_groups);
    me["can_read_all_group_messages"] = json!(world.settings.reads_groups);
    for key in ["supports_inline_queries", "can_connect_to_business", "has_main_web_app", "has_topics_enabled"] {
        me[key] = json!(false);
    }
    me
}

/// The chat that is written to, if the bot may.
pub(super) fn find(world: &World, params: &Params) -> Result<i64, Refusal> {
    let Some(id) = params.get("chat_id").and_then(Value::as_i64) else { return Err(Refusal::bad("chat not found")) };
    let shares_group =
        world.chats.values().any(|chat| chat.kind != Kind::Private && chat.members.contains(&id) && id > 0);
    if world.people.get(&id).is_some_and(|person| person.is_bot) {
        return Err(Refusal::new(403, "Forbidden: bot can't send messages to bots"));
    }
    let chat = world.chats.get(&id).filter(|chat| chat.kind != Kind::Private || chat.started);
    let Some(chat) = chat else {
        return Err(if shares_group {
            Refusal::new(403, "Forbidden: bot can't initiate conversation with a user")
        } else {
            Refusal::bad("chat not found")
        });
    };
    if let Some(to) = chat.moved {
        let mut refusal = Refusal::bad("group chat was upgraded to a supergroup chat");
        refusal.parameters = Some(json!({"migrate_to_chat_id": to}));
        return Err(refusal);
    }
    match (chat.kind, chat.blocked, chat.bot) {
        (Kind::Private, true, _) => Err(Refusal::new(403, "Forbidden: bot was blocked by the user")),
        (Kind::Group, _, Membership::Kicked) => Err(Refusal::new(403, "Forbidden: bot was kicked from the group chat")),
        (Kind::Supergroup { .. }, _, Membership::Kicked) => {
            Err(Refusal::new(403, "Forbidden: bot was kicked from the supergroup chat"))
        }
        _ => Ok(id),
    }
}

fn action(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat = find(world, params)?;
    if !ACTIONS.iter().any(|action| params["action"] == *action) {
        return Err(Refusal::bad("wrong parameter action in request"));
    }
    send::topic(world, chat, params)?;
    let change = world.changed();
    world.actions.push((chat, change));
    Ok(json!(true))
}

fn within(params: &Params, key: &str, most: usize) -> Result<Value, Refusal> {
    let length = params.get(key).and_then(Value::as_str).unwrap_or_default().chars().count();
    if length > most { Err(Refusal::bad(format!("{key} is too long"))) } else { Ok(json!(true)) }
}

fn file(world: &World, params: &Params) -> Result<Value, Refusal> {
    let id = params["file_id"].as_str().unwrap_or_default();
    let Some(file) = world.files.get(id) else {
        return Err(Refusal::bad("wrong file_id or the file is temporarily unavailable"));
    };
    if file.bytes.len() > FETCHABLE {
        return Err(Refusal::bad("file is too big"));
    }
    let unique = format!("u{id}");
    Ok(json!({"file_id": id, "file_unique_id": unique, "file_size": file.bytes.len(), "file_path": file.path}))
}

fn chat(world: &World, params: &Params) -> Result<Value, Refusal> {
    let id = find(world, params)?;
    let mut chat = world.chat_json(id);
    chat["accent_color_id"] = json!(1);
    chat["max_reaction_count"] = json!(11);
    let kinds = ["unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"];
    let kinds: Params = kinds.iter().map(|kind| ((*kind).to_owned(), json!(false))).collect();
    chat["accepted_gift_types"] = Value::Object(kinds);
    Ok(chat)
}

fn member(world: &World, chat: i64, user: i64) -> Result<Value, Refusal> {
    let user_json = world.user(user);
    let Some(chat) = world.chats.get(&chat).filter(|_| !user_json.is_null()) else {
        return Err(Refusal::bad("user not found"));
    };
    let status = match (user == BOT, chat.bot) {
        (true, Membership::Admin) => "administrator",
        (true, Membership::Kicked) => "kicked",
        (true, Membership::Member) => "member",
        (false, _) if chat.members.contains(&user) => "member",
        (false, _) => "left",
    };
    Ok(json!({"status": status, "user": user_json}))
}
