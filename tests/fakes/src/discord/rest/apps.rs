//! The bot, its application, its commands, and where the gateway is.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Answered, Asked, Given};
use crate::discord::check::{self, Findings};
use crate::discord::json as draw;
use crate::discord::refusal::Refusal;
use crate::discord::world::{BOT, GUILD, World};

/// Where the gateway is; for bots, how many connections it wants.
pub(super) fn gateway(world: &World, bot: bool) -> Given {
    let url = format!("ws://{}", world.address);
    if !bot {
        return Given::Some(json!({"url": url}));
    }
    let used = world.look(|state| state.gateway.identified);
    let starts = json!({"total": 1000, "remaining": 1000_u32.saturating_sub(used), "reset_after": 14_400_000,
        "max_concurrency": world.options.max_concurrency});
    Given::Some(json!({"url": url, "shards": world.options.shards, "session_start_limit": starts}))
}

/// The bot's account.
pub(super) fn me(world: &World) -> Given {
    let mut user = world.look(|state| draw::user(state, BOT));
    user["verified"] = true.into();
    user["mfa_enabled"] = false.into();
    user["locale"] = "en-US".into();
    Given::Some(user)
}

/// The application.
pub(super) fn application(world: &World) -> Given {
    Given::Some(world.look(|state| draw::application(world, state)))
}

/// Commands, of the application or of a server.
pub(super) fn commands(
    world: &World,
    application: &str,
    guild: Option<&str>,
    asked: &Asked<'_>,
    depth: usize,
) -> Answered {
    if application != BOT.to_string() {
        return Err(Refusal::not_this_application());
    }
    if guild.is_some_and(|guild| guild != GUILD.to_string()) {
        return Err(Refusal::no_access());
    }
    let one = asked.path.get(depth).copied();
    match (asked.method, one) {
        (&Method::GET, None) => Ok(Given::Some(Value::Array(list(world, guild)))),
        (&Method::PUT, None) => {
            let made = checked(world, guild, &asked.body)?;
            keep(world, guild, made.clone());
            Ok(Given::Some(Value::Array(made)))
        }
        (&Method::POST, None) => {
            let made = checked(world, guild, &json!([asked.body]))?;
            let Some(made) = made.into_iter().next() else { return Err(Refusal::not_json()) };
            let mut all = list(world, guild);
            let before = all.len();
            all.retain(|known| known["name"] != made["name"] || known["type"] != made["type"]);
            let is_new = all.len() == before;
            all.push(made.clone());
            if all.len() > 100 {
                return Err(Refusal::too_many_commands());
            }
            keep(world, guild, all);
            Ok(if is_new { Given::New(made) } else { Given::Some(made) })
        }
        (method, Some(id)) => {
            let mut all = list(world, guild);
            let Some(at) = all.iter().position(|known| known["id"].as_str() == Some(id)) else {
                return Err(Refusal::unknown_command());
            };
            match *method {
                Method::GET => Ok(Given::Some(all.swap_remove(at))),
                Method::DELETE => {
                    all.remove(at);
                    keep(world, guild, all);
                    Ok(Given::Nothing)
                }
                _ => Err(Refusal::wrong_method()),
            }
        }
        _ => Err(Refusal::wrong_method()),
    }
}

fn list(world: &World, guild: Option<&str>) -> Vec<Value> {
    world.look(|state| match guild {
        Some(guild) => state.guild_commands.get(guild).cloned().unwrap_or_default(),
        None => state.commands.clone(),
    })
}

fn keep(world: &World, guild: Option<&str>, all: Vec<Value>) {
    world.change(|state| match guild {
        Some(guild) => drop(state.guild_commands.insert(guild.to_owned(), all)),
        None => state.commands = all,
    });
}

fn checked(world: &World, guild: Option<&str>, body: &Value) -> Result<Vec<Value>, Refusal> {
    let mut found = Findings::default();
    check::commands(body, &mut found)?;
    super::messages::remark(world, "commands", &found);
    Ok(world.change(|state| {
        let make = |command: &Value| {
            let mut command = command.clone();
            command["id"] = state.id().to_string().into();
            command["version"] = state.id().to_string().into();
            command["application_id"] = BOT.to_string().into();
            command["guild_id"] = guild.into();
            let usual = [
                ("type", json!(1)),
                ("options", json!([])),
                ("default_member_permissions", Value::Null),
                ("nsfw", json!(false)),
                ("integration_types", json!([0])),
                ("contexts", Value::Null),
            ];
            for (key, usual) in usual {
                if command.get(key).is_none() {
                    command[key] = usual;
                }
            }
            command
        };
        body.as_array().into_iter().flatten().map(make).collect()
    }))
}
