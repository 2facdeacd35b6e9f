//! Interactions: their one first answer, and what may be said afterwards.

use axum::http::Method;
use serde_json::{Value, json};

use super::messages::{self, given, number, remark};
use super::{Answered, Asked, File, Given};
use crate::discord::check::{self, Findings, Kind};
use crate::discord::gateway;
use crate::discord::json as draw;
use crate::discord::records::{Interaction, OpenModal};
use crate::discord::refusal::Refusal;
use crate::discord::sessions::News;
use crate::discord::world::{BOT, State, World};

const EPHEMERAL: u64 = 1 << 6;

/// The first answer, as a request.
pub(super) fn callback(world: &World, id: &str, token: &str, asked: &Asked<'_>) -> Answered {
    let id = number(id).ok_or_else(Refusal::unknown_interaction)?;
    answer(world, id, token, &asked.body, &asked.files)?;
    if asked.param("with_response") != Some("true") {
        return Ok(Given::Nothing);
    }
    world.look(|state| {
        let Some(interaction) = state.interactions.get(&id) else { return Err(Refusal::unknown_interaction()) };
        let kind = interaction.answered.unwrap_or_default();
        let mut told = json!({"interaction": {"id": id.to_string(), "type": interaction.kind}});
        if matches!(kind, 4..=7)
            && let Some(message) = interaction.original.and_then(|id| state.message(id))
        {
            told["interaction"]["response_message_id"] = message.id.to_string().into();
            told["interaction"]["response_message_loading"] = message.thinking.into();
            told["interaction"]["response_message_ephemeral"] = message.only_for.is_some().into();
            told["resource"] = json!({"type": kind, "message": draw::message(state, message)});
        }
        Ok(Given::Some(told))
    })
}

/// The first answer, by request or over HTTP.
pub(in super::super) fn answer(
    world: &World,
    id: u64,
    token: &str,
    body: &Value,
    files: &[File],
) -> Result<(), Refusal> {
    let interaction = world.change(|state| state.interaction_mut(id, token).cloned());
    let interaction = interaction.ok_or_else(Refusal::unknown_interaction)?;
    if interaction.answered.is_some() {
        return Err(Refusal::acknowledged());
    }
    if interaction.failed || interaction.at.elapsed() > world.options.answer_within {
        return Err(Refusal::unknown_interaction());
    }
    let mut found = Findings::of(body, check::CALLBACK);
    found.verdict()?;
    let kind = body["type"].as_u64().unwrap_or_default();
    let taken = takes(&interaction);
    if !taken.contains(&kind) {
        return Err(Refusal::field("type", "BASE_TYPE_CHOICES", format!("Value must be one of {taken:?}.")));
    }
    let data = body.get("data").cloned().unwrap_or(Value::Null);
    let change = looked_at(world, &interaction, kind, &data, files, &mut found)?;
    remark(world, "answer to an interaction", &found);
    world.change(|state| {
        if state.interactions.get(&id).is_none_or(|interaction| interaction.answered.is_some()) {
            return Err(Refusal::acknowledged());
        }
        let original = change(state, id, &interaction, &data, files);
        if let Some(interaction) = state.interactions.get_mut(&id) {
            interaction.answered = u8::try_from(kind).ok();
            interaction.original = original;
            if kind == 8 {
                interaction.choices = data["choices"].as_array().cloned().unwrap_or_default();
            }
        }
        Ok(())
    })
}

/// The types of answers that an interaction takes.
fn takes(interaction: &Interaction) -> &'static [u64] {
    match (interaction.kind, interaction.message) {
        (2, _) => &[4, 5, 9],
        (3, _) => &[4, 5, 6, 7, 9],
        (4, _) => &[8],
        (5, Some(_)) => &[4, 5, 6, 7],
        (5, None) => &[4, 5],
        _ => &[1],
    }
}

type Change = fn(&mut State, u64, &Interaction, &Value, &[File]) -> Option<u64>;

/// Checks an answer; gives what it does.
fn looked_at(
    world: &World,
    interaction: &Interaction,
    kind: u64,
    data: &Value,
    files: &[File],
    found: &mut Findings,
) -> Result<Change, Refusal> {
    let empty = json!({});
    let given = if data.is_null() { &empty } else { data };
    Ok(match kind {
        4 => {
            found.within("data", |found| found.object(given, check::REPLY));
            found.verdict()?;
            found.within("data", |found| check::message(given, Kind::Reply, None, files.len(), found))?;
            |state, id, interaction, data, files| Some(say(state, id, interaction, data, files))
        }
        5 => {
            found.within("data", |found| {
                found.object(given, check::REPLY);
                if given["flags"].as_u64().unwrap_or(0) & !(EPHEMERAL | 1 << 15) != 0 {
                    found.fault_at("flags", "MESSAGE_FLAGS_INVALID", "Only EPHEMERAL can be set here");
                }
            });
            found.verdict()?;
            |state, id, interaction, data, _| Some(think(state, id, interaction, data))
        }
        6 => |_, _, interaction, _, _| interaction.message,
        7 => {
            found.within("data", |found| found.object(given, check::EDIT));
            found.verdict()?;
            let message = |state: &State| interaction.message.and_then(|id| state.message(id)).map(|m| m.body.clone());
            let before = world.look(message).ok_or_else(Refusal::unknown_message)?;
            found.within("data", |found| check::message(given, Kind::Edit, Some(&before), files.len(), found))?;
            |state, _, interaction, data, files| {
                interaction.message.inspect(|id| messages::edit(state, *id, data, files))
            }
        }
        8 => {
            found.within("data", |found| {
                found.object(given, check::AUTOCOMPLETE);
                for (no, choice) in given["choices"].as_array().into_iter().flatten().enumerate() {
                    if choice["value"].as_str().is_some_and(|value| check::units(value) > 100) {
                        let why = "Must be 100 or fewer in length.";
                        found.within(format!("choices.{no}"), |found| {
                            found.fault_at("value", "BASE_TYPE_MAX_LENGTH", why);
                        });
                    }
                }
            });
            found.verdict()?;
            |_, _, _, _, _| None
        }
        9 => {
            check::modal(given, found)?;
            |state, _, interaction, data, _| {
                let (channel, message) = (interaction.channel, interaction.message);
                if let Some(person) = state.people.get_mut(&interaction.person) {
                    person.modal = Some(OpenModal { data: data.clone(), channel, message });
                }
                None
            }
        }
        _ => |_, _, _, _, _| None,
    })
}

fn say(state: &mut State, id: u64, interaction: &Interaction, data: &Value, files: &[File]) -> u64 {
    let message = messages::write(state, interaction.channel, data, files);
    belong(state, message, id, interaction, data["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0);
    message
}

fn think(state: &mut State, id: u64, interaction: &Interaction, data: &Value) -> u64 {
    let message = messages::write(state, interaction.channel, &json!({}), &[]);
    belong(state, message, id, interaction, data["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0);
    if let Some(message) = state.message_mut(message) {
        message.thinking = true;
    }
    message
}

fn belong(state: &mut State, message: u64, id: u64, interaction: &Interaction, hidden: bool) {
    let Some(known) = state.message_mut(message) else { return };
    known.interaction = Some(id);
    known.only_for = hidden.then_some(interaction.person);
    if !hidden {
        gateway::publish(state, News::Written(message));
    }
}

/// The interaction of a token that still holds and was answered.
fn hook(world: &World, application: &str, token: &str) -> Result<(u64, Interaction), Refusal> {
    if application != BOT.to_string() {
        return Err(Refusal::unknown_webhook());
    }
    let of = |state: &State| {
        let found = state.interactions.iter().find(|(_, interaction)| interaction.token == token);
        found.map(|(id, interaction)| (*id, interaction.clone()))
    };
    let (id, interaction) = world.look(of).ok_or_else(Refusal::unknown_webhook)?;
    if interaction.at.elapsed() > world.options.token_life {
        return Err(Refusal::webhook_token());
    }
    // Before the first answer there is nothing to follow.
    if interaction.answered.is_none() { Err(Refusal::unknown_webhook()) } else { Ok((id, interaction)) }
}

/// Says more in answer to an interaction.
pub(super) fn follow_up(world: &World, application: &str, token: &str, asked: &Asked<'_>) -> Answered {
    let (id, interaction) = hook(world, application, token)?;
    let mut found = Findings::of(&asked.body, check::REPLY);
    found.verdict()?;
    check::message(&asked.body, Kind::Reply, None, asked.files.len(), &mut found)?;
    remark(world, "follow-up", &found);
    let absent = world.look(|state| state.channels.get(&interaction.channel).is_some_and(|channel| channel.absent));
    // Where the application is with a person's account only.
    if absent && interaction.follow_ups >= 5 {
        return Err(Refusal::too_many_follow_ups());
    }
    world.change(|state| {
        if let Some(known) = state.interactions.get_mut(&id) {
            known.follow_ups += 1;
        }
        // The first words after a promise take its place, and are as hidden or open as it was.
        let promised = interaction.original.filter(|id| state.message(*id).is_some_and(|message| message.thinking));
        let message = match promised {
            Some(message) => {
                messages::edit(state, message, &asked.body, &asked.files);
                message
            }
            None => say(state, id, &interaction, &asked.body, &asked.files),
        };
        given(state, message)
    })
}

/// Reads, changes or deletes something said in answer to an interaction.
pub(super) fn one(world: &World, application: &str, token: &str, id: &str, asked: &Asked<'_>) -> Answered {
    let (of, interaction) = hook(world, application, token)?;
    let id = if id == "@original" { interaction.original } else { number(id) };
    let id = id.ok_or_else(Refusal::unknown_message)?;
    let own = world.look(|state| {
        let message = state.message(id)?;
        Some(message.interaction == Some(of) || interaction.original == Some(id) || interaction.message == Some(id))
    });
    if own != Some(true) {
        return Err(Refusal::unknown_message());
    }
    match *asked.method {
        Method::GET => world.look(|state| given(state, id)),
        Method::PATCH => {
            messages::change(world, id, asked)?;
            world.look(|state| given(state, id))
        }
        Method::DELETE => {
            world.change(|state| messages::delete(state, id));
            Ok(Given::Nothing)
        }
        _ => Err(Refusal::wrong_method()),
    }
}
