//! Things as Discord writes them.

use serde_json::{Value, json};

use super::records::{GROUP, Interaction, Message};
use super::world::{BOT, GUILD, State, World};

/// Everything that a member may do.
const PERMISSIONS: &str = "2248473465835073";
const JOINED: &str = "2026-01-01T00:00:00.000000+00:00";

/// An account.
pub(super) fn user(state: &State, id: u64) -> Value {
    let name = state.people.get(&id).map_or("nobody", |account| account.name.as_str());
    let small: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let global = if id == BOT { Value::Null } else { name.into() };
    let username = if id == BOT { name.to_owned() } else { small };
    let mut user = json!({
        "id": id.to_string(), "username": username, "discriminator": if id == BOT { "0001" } else { "0" },
        "global_name": global, "avatar": null, "public_flags": 0,
    });
    if id == BOT {
        user["bot"] = true.into();
    }
    user
}

/// A member of the server, without the account.
pub(super) fn member(state: &State, id: u64) -> Value {
    let account = state.people.get(&id);
    let roles: Vec<String> =
        account.map(|account| account.roles.iter().map(u64::to_string).collect()).unwrap_or_default();
    json!({
        "roles": roles, "nick": account.and_then(|account| account.nick.clone()), "avatar": null,
        "joined_at": JOINED, "premium_since": null, "deaf": false, "mute": false, "flags": 0, "pending": false,
    })
}

/// A channel.
pub(super) fn channel(state: &State, id: u64) -> Value {
    let Some(channel) = state.channels.get(&id) else { return Value::Null };
    let mut value = json!({"id": id.to_string(), "type": channel.kind, "flags": 0, "last_message_id": null});
    match channel.with {
        Some(person) => value["recipients"] = json!([user(state, person)]),
        None if channel.kind == GROUP => value["name"] = channel.name.clone().into(),
        None => {
            value["name"] = channel.name.clone().into();
            value["guild_id"] = GUILD.to_string().into();
            value["parent_id"] = channel.parent.map(|parent| parent.to_string()).into();
            value["permissions"] = PERMISSIONS.into();
            value["nsfw"] = false.into();
            value["topic"] = Value::Null;
            value["position"] = 0.into();
            value["rate_limit_per_user"] = 0.into();
            value["permission_overwrites"] = json!([]);
            if matches!(channel.kind, 11 | 12) {
                value["thread_metadata"] = json!({"archived": false, "auto_archive_duration": 1440, "locked": false,
                    "archive_timestamp": JOINED});
            }
        }
    }
    value
}

/// A message as it is read by request. Ephemeral and other messages look alike.
pub(super) fn message(state: &State, message: &Message) -> Value {
    let body = &message.body;
    let or = |key: &str, usual: Value| body.get(key).filter(|value| !value.is_null()).cloned().unwrap_or(usual);
    let mentions: Vec<Value> =
        message.pings.users.iter().filter_map(|id| id.parse().ok()).map(|id| user(state, id)).collect();
    let roles: Vec<&String> = message.pings.roles.iter().collect();
    let mut flags = body["flags"].as_u64().unwrap_or(0);
    if message.only_for.is_some() {
        flags |= 1 << 6;
    }
    if message.thinking {
        flags |= 1 << 7;
    }
    let kind = match message.interaction.and_then(|id| state.interactions.get(&id)) {
        Some(interaction) if interaction.kind == 2 => 20,
        _ if body["message_reference"].is_object() => 19,
        _ => 0,
    };
    let mut value = json!({
        "id": message.id.to_string(), "type": kind, "channel_id": message.channel.to_string(),
        "author": user(state, message.author), "content": or("content", "".into()), "timestamp": written(message.id),
        "edited_timestamp": if message.before.is_empty() { Value::Null } else { written(message.id).into() },
        "tts": false, "mention_everyone": message.pings.everyone, "mentions": mentions, "mention_roles": roles,
        "attachments": or("attachments", json!([])), "embeds": or("embeds", json!([])), "pinned": false,
        "flags": flags, "components": or("components", json!([])),
    });
    if let Some(nonce) = body.get("nonce") {
        value["nonce"] = nonce.clone();
    }
    if let Some(id) = message.interaction {
        value["webhook_id"] = BOT.to_string().into();
        value["application_id"] = BOT.to_string().into();
        if let Some(interaction) = state.interactions.get(&id) {
            value["interaction_metadata"] = json!({"id": id.to_string(), "type": interaction.kind,
                "user": user(state, interaction.person), "authorizing_integration_owners": {"0": GUILD.to_string()}});
        }
    }
    if body["message_reference"].is_object() {
        value["message_reference"] = body["message_reference"].clone();
        let id = body["message_reference"]["message_id"].as_str().and_then(|id| id.parse().ok());
        let referenced = id.and_then(|id| state.message(id));
        value["referenced_message"] = referenced.map_or(Value::Null, |referenced| self::message(state, referenced));
    }
    value
}

/// A message as the gateway sends it; without the right to read, only what a mention or a direct message shows.
pub(super) fn event(state: &State, message: &Message, reads: bool) -> Value {
    let mut value = self::message(state, message);
    if !state.is_direct(message.channel) {
        value["guild_id"] = GUILD.to_string().into();
        value["member"] = member(state, message.author);
    }
    if !reads {
        veil(state, message, &mut value);
    }
    value
}

/// Takes out what an application without the right to read does not get.
pub(super) fn veil(state: &State, message: &Message, value: &mut Value) {
    let named = message.pings.users.contains(&BOT.to_string());
    if message.author != BOT && !named && !state.is_direct(message.channel) {
        value["content"] = "".into();
        for key in ["attachments", "embeds", "components"] {
            value[key] = json!([]);
        }
    }
}

/// An interaction as the application gets it.
pub(super) fn interaction(state: &State, id: u64, interaction: &Interaction, data: &Value) -> Value {
    let account = state.people.get(&interaction.person);
    let direct = state.is_direct(interaction.channel);
    let known = state.channels.get(&interaction.channel);
    let group = known.is_some_and(|channel| channel.kind == GROUP);
    let home = if direct { "0".to_owned() } else { GUILD.to_string() };
    // Whom the application has been installed by: the server, or the person's account.
    let owners = match known {
        Some(channel) if channel.absent => json!({"1": interaction.person.to_string()}),
        _ => json!({"0": home}),
    };
    let context = if group { 2 } else { u8::from(direct) };
    let mut value = json!({
        "version": 1, "type": interaction.kind, "id": id.to_string(), "token": interaction.token,
        "application_id": BOT.to_string(), "channel_id": interaction.channel.to_string(),
        "channel": channel(state, interaction.channel),
        "locale": account.map_or("en-US", |account| account.locale.as_str()), "data": data,
        "entitlements": [], "attachment_size_limit": 10_485_760, "app_permissions": PERMISSIONS,
        "context": context, "authorizing_integration_owners": owners,
    });
    if direct || group {
        value["user"] = user(state, interaction.person);
    } else {
        let mut member = member(state, interaction.person);
        member["user"] = user(state, interaction.person);
        member["permissions"] = PERMISSIONS.into();
        value["member"] = member;
        value["guild_id"] = GUILD.to_string().into();
        value["guild_locale"] = "en-US".into();
        value["guild"] = json!({"id": GUILD.to_string(), "locale": "en-US", "features": []});
    }
    if let Some(message) = interaction.message.and_then(|id| state.message(id)) {
        value["message"] = self::message(state, message);
    }
    value
}

/// The application itself.
pub(super) fn application(world: &World, state: &State) -> Value {
    let key: String =
        super::endpoint::key().verifying_key().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let reads = if world.options.reads { 1_u64 << 19 } else { 0 };
    json!({
        "id": BOT.to_string(), "name": world.options.bot_name, "icon": null, "description": "",
        "type": null, "bot_public": true, "bot_require_code_grant": false, "verify_key": key, "flags": reads,
        "interactions_endpoint_url": state.endpoint, "bot": user(state, BOT), "approximate_guild_count": 1,
        "integration_types_config": if world.options.for_accounts { json!({"0": {}, "1": {}}) } else { json!({"0": {}}) },
    })
}

/// When a message with this id was written, as Discord writes times.
fn written(id: u64) -> String {
    const EPOCH: u64 = 1_420_070_400_000;
    let millis = (id >> 22) + EPOCH;
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    // The civil calendar from days since 1970, with years that begin in March.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}000+00:00", rest % 1000)
}

/// Numbers the components of a message, as Discord does, in the order in which they stand.
pub(super) fn number(parts: &mut Value) {
    fn one(part: &mut Value, next: &mut u64) {
        let Some(object) = part.as_object_mut() else { return };
        *next += 1;
        let free = object.get("id").and_then(Value::as_u64).is_none_or(|id| id == 0);
        if free {
            object.insert("id".to_owned(), (*next).into());
        }
        for inner in object.get_mut("components").and_then(Value::as_array_mut).into_iter().flatten() {
            one(inner, next);
        }
        for key in ["accessory", "component"] {
            if let Some(inner) = object.get_mut(key) {
                one(inner, next);
            }
        }
    }
    let mut next = 0;
    for part in parts.as_array_mut().into_iter().flatten() {
        one(part, &mut next);
    }
}
