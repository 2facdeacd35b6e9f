//! Menus of commands: whose they are, in which language, and which of them a person sees.

use serde_json::{Value, json};

use super::methods::{Params, find};
use super::world::World;
use super::{Refusal, Seat, TelegramFake};

/// Whose a menu is, and in which language; the empty one is everybody else's.
type Key = (String, String);

pub(super) fn set(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let key = key(world, params)?;
    let commands = params["commands"].as_array().cloned().unwrap_or_default();
    if commands.len() > 100 {
        return Err(Refusal::bad("BOT_COMMANDS_TOO_MUCH"));
    }
    for command in &commands {
        let text = |key: &str| command[key].as_str().unwrap_or_default();
        let (name, about) = (text("command"), text("description"));
        let spelled = name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if !(1..=32).contains(&name.len()) || !spelled {
            return Err(Refusal::bad(format!("BOT_COMMAND_INVALID: {name}")));
        }
        if !(1..=256).contains(&about.chars().count()) {
            return Err(Refusal::bad(format!("BOT_COMMAND_DESCRIPTION_INVALID: {name}")));
        }
    }
    world.menus.insert(key, commands);
    Ok(json!(true))
}

pub(super) fn get(world: &World, params: &Params) -> Result<Value, Refusal> {
    Ok(json!(world.menus.get(&key(world, params)?).cloned().unwrap_or_default()))
}

pub(super) fn delete(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let key = key(world, params)?;
    world.menus.remove(&key);
    Ok(json!(true))
}

fn key(world: &World, params: &Params) -> Result<Key, Refusal> {
    let language = params.get("language_code").and_then(Value::as_str).unwrap_or_default();
    let two = language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase());
    if !language.is_empty() && !two {
        return Err(Refusal::bad("wrong language code specified"));
    }
    let scope = params.get("scope").cloned().unwrap_or_else(|| json!({"type": "default"}));
    let kind = scope["type"].as_str().unwrap_or_default();
    let whose = match kind {
        "default" | "all_private_chats" | "all_group_chats" | "all_chat_administrators" => kind.to_owned(),
        "chat" | "chat_administrators" | "chat_member" => {
            let asked = scope.as_object().cloned().unwrap_or_default();
            let chat = find(world, &asked)?;
            let user = scope["user_id"].as_i64();
            if kind == "chat" {
                format!("chat {chat}")
            } else if chat > 0 {
                return Err(Refusal::bad("can't change commands of members of a private chat"));
            } else if kind == "chat_administrators" {
                format!("chat_administrators {chat}")
            } else {
                let member = |user: &i64| world.chats.get(&chat).is_some_and(|chat| chat.members.contains(user));
                let Some(user) = user.filter(member) else { return Err(Refusal::bad("user not found")) };
                format!("chat_member {chat} {user}")
            }
        }
        _ => return Err(Refusal::bad("can't parse BotCommandScope: Unsupported type specified")),
    };
    Ok((whose, language.to_owned()))
}

/// The menu that a person sees in a chat: the narrowest there is, in their language before everybody's. The fake's people
/// are no administrators.
pub(super) fn shown(world: &World, user: i64, chat: i64) -> Vec<Value> {
    let wide = if chat > 0 { "all_private_chats" } else { "all_group_chats" };
    let member = format!("chat_member {chat} {user}");
    let whose = [member, format!("chat {chat}"), wide.to_owned(), "default".to_owned()];
    let language = world.people.get(&user).and_then(|card| card.language.as_deref()).unwrap_or_default();
    let language = language.split('-').next().unwrap_or_default();
    let mut keys =
        whose.iter().flat_map(|whose| [(whose.clone(), language.to_owned()), (whose.clone(), String::new())]);
    keys.find_map(|key| world.menus.get(&key).filter(|menu| !menu.is_empty())).cloned().unwrap_or_default()
}

fn names(menu: &[Value]) -> Vec<String> {
    menu.iter().filter_map(|command| command["command"].as_str()).map(str::to_owned).collect()
}

impl Seat {
    /// The commands of the menu that this person sees here, by name.
    pub fn menu(&self) -> Vec<String> {
        let world = self.shared.world();
        names(&shown(&world, self.user, self.chat_in(&world)))
    }

    /// Waits until the menu that this person sees here is so.
    pub async fn sees_menu(&self, wanted: &[&str]) {
        let what = format!("the menu {wanted:?}");
        super::eyes::until(&self.shared, &what, |world| {
            let menu = shown(world, self.user, self.chat_in(world));
            (names(&menu) == wanted).then_some(())
        })
        .await;
    }
}

impl TelegramFake {
    /// The commands that everybody with this language sees, where nothing narrower was set, by name.
    pub fn menu(&self, language: &str) -> Vec<String> {
        let world = self.shared.world();
        let menu = |language: &str| world.menus.get(&("default".to_owned(), language.to_owned()));
        menu(language).or_else(|| menu("")).map(|menu| names(menu)).unwrap_or_default()
    }
}
