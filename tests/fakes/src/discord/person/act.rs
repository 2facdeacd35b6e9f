//! What a person does with the application: buttons, selects, commands.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::Person;
use crate::discord::check::nested;
use crate::discord::endpoint::{self, Forgery};
use crate::discord::gateway;
use crate::discord::json as draw;
use crate::discord::records::{GROUP, Interaction, Message};
use crate::discord::screen;
use crate::discord::sessions::News;
use crate::discord::world::State;

/// Something to be done with a message.
struct Deed {
    message: u64,
    data: Value,
}

impl Person {
    /// Presses the newest button that says this, or picks the option of a select that does; waits for the answer.
    ///
    /// # Panics
    /// If there is none, with the screen.
    pub async fn presses(&self, label: &str) {
        let deed = self.wait(&format!("a button {label:?}"), |state| self.find(state, self.channel, label)).await;
        self.does(3, Some(deed.message), deed.data).await;
    }

    /// Presses a button, or picks an option, of the newest message that shows these words: others may have the same label.
    ///
    /// # Panics
    /// If there is none, with the screen.
    pub async fn presses_under(&self, words: &str, label: &str) {
        let what = format!("a button {label:?} under {words:?}");
        let deed = self.wait(&what, |state| {
            let mut worn = self.visible(state).into_iter().rev().filter(|message| !message.notice);
            worn.find_map(|message| {
                deed(message, &message.body, label).filter(|_| screen::message(state, message).contains(words))
            })
        });
        let deed = deed.await;
        self.does(3, Some(deed.message), deed.data).await;
    }

    /// Presses a button that another person sees too.
    ///
    /// # Panics
    /// If there is none that this person can see.
    pub async fn presses_of(&self, other: &Self, label: &str) {
        let here = self.at(other.channel);
        here.presses(label).await;
    }

    /// Presses a button on a screen as it was: one that has gone from its message, or stands on an older one.
    ///
    /// # Panics
    /// If there never was one.
    pub async fn presses_old(&self, label: &str) {
        let deed = self.wait(&format!("an old button {label:?}"), |state| self.find_old(state, label)).await;
        self.does(3, Some(deed.message), deed.data).await;
    }

    /// Presses the same button several times before any answer can be there.
    ///
    /// # Panics
    /// If there is none, with the screen.
    pub async fn presses_times(&self, label: &str, times: usize) {
        let deed = self.wait(&format!("a button {label:?}"), |state| self.find(state, self.channel, label)).await;
        let begun: Vec<u64> = (0..times).map(|_| self.begin(3, Some(deed.message), deed.data.clone())).collect();
        for id in begun {
            self.answered(id).await;
        }
    }

    /// Picks options of the newest select that has them all; people and channels are picked by name.
    ///
    /// # Panics
    /// If there is none, or it does not take so many.
    pub async fn picks(&self, labels: &[&str]) {
        let deed = self.wait(&format!("a list with {labels:?}"), |state| self.find_list(state, labels)).await;
        self.does(3, Some(deed.message), deed.data).await;
    }

    /// Sends a command without options, `/form`.
    ///
    /// # Panics
    /// If there is no such command.
    pub async fn runs(&self, command: &str) {
        self.runs_with(command, &[]).await;
    }

    /// Sends a command with options: values, or names of choices offered before.
    ///
    /// # Panics
    /// If there is no such command, or it has no such option, or lacks one that it needs.
    pub async fn runs_with(&self, command: &str, options: &[(&str, &str)]) {
        let data = self.command(command, options, None).await;
        self.does(2, None, data).await;
    }

    /// Types into an option of a command; gives the names of the choices offered.
    ///
    /// # Panics
    /// If there is no such command or option.
    pub async fn types_into(&self, command: &str, option: &str, typed: &str) -> Vec<String> {
        let data = self.command(command, &[(option, typed)], Some(option)).await;
        let id = self.does(4, None, data).await;
        let name = |choice: &Value| choice["name"].as_str().unwrap_or_default().to_owned();
        self.world.look(|state| {
            state.interactions.get(&id).map(|known| known.choices.iter().map(name).collect()).unwrap_or_default()
        })
    }

    /// What the newest button of that name would send, sent to the endpoint by somebody: gives the status.
    ///
    /// # Panics
    /// If there is no such button, or no endpoint.
    pub async fn forges_press(&self, label: &str, forgery: Forgery) -> u16 {
        let deed = self.wait(&format!("a button {label:?}"), |state| self.find(state, self.channel, label)).await;
        self.forge(3, Some(deed.message), deed.data, forgery, 1).await[0]
    }

    /// A command, sent to the endpoint by somebody: gives the status.
    ///
    /// # Panics
    /// If there is no such command, or no endpoint.
    pub async fn forges_command(&self, command: &str, forgery: Forgery) -> u16 {
        let data = self.command(command, &[], None).await;
        self.forge(2, None, data, forgery, 1).await[0]
    }

    /// A command, recorded and sent to the endpoint so many times: gives the statuses.
    ///
    /// # Panics
    /// If there is no such command, or no endpoint.
    pub async fn replays_command(&self, command: &str, times: usize) -> Vec<u16> {
        let data = self.command(command, &[], None).await;
        self.forge(2, None, data, Forgery::Genuine, times).await
    }

    async fn forge(&self, kind: u8, message: Option<u64>, data: Value, forgery: Forgery, times: usize) -> Vec<u16> {
        let Some(url) = self.world.look(|state| state.endpoint.clone()) else { self.fail("there is no endpoint") };
        let (_, _, payload) = self.world.change(|state| self.payload(state, kind, message, &data));
        let mut statuses = Vec::new();
        for _ in 0..times {
            match endpoint::call(&url, &payload, forgery).await {
                Ok((status, _)) => statuses.push(status),
                Err(error) => self.fail(&format!("the endpoint was not reached: {error}")),
            }
        }
        statuses
    }

    /// Does something and waits for the first answer, or for the failure that the person is shown.
    pub(super) async fn does(&self, kind: u8, message: Option<u64>, data: Value) -> u64 {
        let id = self.begin(kind, message, data);
        self.answered(id).await;
        id
    }

    async fn answered(&self, id: u64) {
        self.wait("an answer to an interaction", |state| {
            let known = state.interactions.get(&id)?;
            (known.answered.is_some() || known.failed).then_some(())
        })
        .await;
    }

    fn begin(&self, kind: u8, message: Option<u64>, data: Value) -> u64 {
        let (id, token, endpoint) = self.world.change(|state| {
            self.act(state);
            let (id, token, payload) = self.payload(state, kind, message, &data);
            let endpoint = state.endpoint.clone().map(|url| (url, payload.clone()));
            if endpoint.is_none() {
                gateway::publish(state, News::Interaction(payload));
            }
            (id, token, endpoint)
        });
        if let Some((url, payload)) = endpoint {
            tokio::spawn(endpoint::deliver(Arc::clone(&self.world), url, id, token, payload));
        }
        let (world, person) = (Arc::clone(&self.world), self.clone());
        tokio::spawn(async move {
            tokio::time::sleep(world.options.answer_within).await;
            world.change(|state| person.give_up(state, id, kind));
        });
        id
    }

    /// Tells the person that nobody answered.
    fn give_up(&self, state: &mut State, id: u64, kind: u8) {
        let name = state.people.get(&self.user).map(|account| account.name.clone()).unwrap_or_default();
        let Some(known) = state.interactions.get_mut(&id).filter(|known| known.answered.is_none()) else { return };
        known.failed = true;
        let words = match kind {
            2 => "The application did not respond",
            4 => "Loading options failed",
            5 => "Something went wrong. Try again.",
            _ => "This interaction failed",
        };
        state.failed.push(format!("{name}: {words}"));
        state.notice(self.user, self.channel, words);
    }

    fn payload(&self, state: &mut State, kind: u8, message: Option<u64>, data: &Value) -> (u64, String, Value) {
        let id = state.id();
        let interaction = Interaction {
            token: format!("aW50ZXJhY3Rpb246{id:x}{:x}", id.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            kind,
            person: self.user,
            channel: self.channel,
            message,
            at: Instant::now(),
            answered: None,
            original: None,
            follow_ups: 0,
            choices: Vec::new(),
            failed: false,
        };
        let payload = draw::interaction(state, id, &interaction, data);
        let token = interaction.token.clone();
        state.interactions.insert(id, interaction);
        (id, token, payload)
    }

    /// The newest message with an enabled button or an option that says this.
    fn find(&self, state: &State, channel: u64, label: &str) -> Option<Deed> {
        let here = self.at(channel);
        let worn = here.visible(state).into_iter().rev().filter(|message| !message.notice);
        worn.into_iter().find_map(|message| deed(message, &message.body, label))
    }

    fn find_old(&self, state: &State, label: &str) -> Option<Deed> {
        let visible = self.visible(state);
        let gone = visible.iter().rev().find_map(|message| {
            let mut before = message.before.iter().rev();
            let still = deed(message, &message.body, label);
            if still.is_some() { None } else { before.find_map(|body| deed(message, body, label)) }
        });
        gone.or_else(|| visible.iter().find_map(|message| deed(message, &message.body, label)))
    }

    fn find_list(&self, state: &State, labels: &[&str]) -> Option<Deed> {
        let all = self.visible(state).into_iter().rev();
        all.into_iter().find_map(|message| {
            let parts = message.body["components"].as_array()?;
            let lists = parts.iter().flat_map(nested).filter(|part| part["disabled"].as_bool() != Some(true));
            lists.into_iter().find_map(|part| {
                let values = values(state, part, labels)?;
                let least = part["min_values"].as_u64().unwrap_or(1);
                let most = part["max_values"].as_u64().unwrap_or(1);
                let count = labels.len() as u64;
                (least..=most).contains(&count).then(|| {
                    let mut data = part_of(part);
                    data["values"] = json!(values);
                    if let Some(resolved) = resolved(state, part["type"].as_u64().unwrap_or(0), &values) {
                        data["resolved"] = resolved;
                    }
                    Deed { message: message.id, data }
                })
            })
        })
    }

    async fn command(&self, command: &str, options: &[(&str, &str)], focused: Option<&str>) -> Value {
        let name = command.trim_start_matches('/');
        let what = format!("the command /{name}");
        let found = self.wait(&what, |state| {
            let channel = state.channels.get(&self.channel)?;
            let (group, absent) = (channel.kind == GROUP, channel.absent);
            let own = state.guild_commands.values().flatten().filter(|_| !state.is_direct(self.channel) && !absent);
            let all = state.commands.iter().chain(own);
            let usable = |command: &&Value| {
                let context = if group { 2 } else { u64::from(state.is_direct(self.channel)) };
                let among = |key: &str, wanted: u64| {
                    command[key].as_array().is_none_or(|all| all.iter().any(|one| one.as_u64() == Some(wanted)))
                };
                among("contexts", context) && (!absent || among("integration_types", 1))
            };
            let fits = |command: &&Value| command["name"].as_str() == Some(name) && usable(command);
            all.into_iter().find(fits).cloned()
        });
        let found = found.await;
        let known = found["options"].as_array().cloned().unwrap_or_default();
        let mut given = Vec::new();
        for (name, value) in options {
            let Some(option) = known.iter().find(|option| option["name"].as_str() == Some(name)) else {
                self.fail(&format!("{command} has no option {name}"));
            };
            let value = self.choice(value, focused.is_some());
            let mut filled = json!({"name": name, "type": option["type"], "value": value});
            if focused == Some(*name) {
                filled["focused"] = true.into();
            }
            given.push(filled);
        }
        for option in &known {
            let missing =
                option["required"].as_bool() == Some(true) && given.iter().all(|one| one["name"] != option["name"]);
            if missing && focused.is_none() {
                self.fail(&format!("{command} needs the option {}", option["name"]));
            }
        }
        json!({"id": found["id"], "name": name, "type": 1, "options": given})
    }

    /// The value behind the name of a choice that was offered last.
    fn choice(&self, name: &str, typing: bool) -> Value {
        let offered = self.world.look(|state| {
            let mut own = state.interactions.values().rev();
            own.find(|known| known.person == self.user && known.kind == 4).map(|known| known.choices.clone())
        });
        let choice = offered.into_iter().flatten().find(|choice| !typing && choice["name"].as_str() == Some(name));
        choice.map_or_else(|| name.into(), |choice| choice["value"].clone())
    }
}

/// What pressing this label on a message sends.
fn deed(message: &Message, body: &Value, label: &str) -> Option<Deed> {
    let parts = body["components"].as_array()?;
    let usable = |part: &&Value| part["disabled"].as_bool() != Some(true) && part["custom_id"].is_string();
    let all: Vec<&Value> = parts.iter().flat_map(nested).filter(usable).collect();
    let button = all.iter().find(|part| part["type"].as_u64() == Some(2) && part["label"].as_str() == Some(label));
    if let Some(button) = button {
        return Some(Deed { message: message.id, data: part_of(button) });
    }
    all.iter().find_map(|part| {
        let options = part["options"].as_array()?;
        let option = options.iter().find(|option| option["label"].as_str() == Some(label))?;
        let mut data = part_of(part);
        data["values"] = json!([option["value"]]);
        (part["min_values"].as_u64().unwrap_or(1) <= 1).then_some(Deed { message: message.id, data })
    })
}

fn part_of(part: &Value) -> Value {
    json!({"component_type": part["type"], "custom_id": part["custom_id"], "id": part["id"]})
}

/// The values behind labels, in a list of options or among people, roles and channels.
pub(super) fn values(state: &State, part: &Value, labels: &[&str]) -> Option<Vec<String>> {
    let person = |label: &str| state.people.iter().find(|(_, account)| account.name == label).map(|(id, _)| *id);
    let channel = |label: &str| state.channels.iter().find(|(_, channel)| channel.name == label).map(|(id, _)| *id);
    let role = |label: &str| state.roles.get(label).copied();
    let value = |label: &&str| -> Option<String> {
        Some(match part["type"].as_u64()? {
            3 | 21 | 22 => {
                let options = part["options"].as_array()?;
                let option = options.iter().find(|option| option["label"].as_str() == Some(label))?;
                option["value"].as_str()?.to_owned()
            }
            5 => person(label)?.to_string(),
            6 => role(label)?.to_string(),
            7 => person(label).or_else(|| role(label))?.to_string(),
            8 => channel(label)?.to_string(),
            _ => return None,
        })
    };
    labels.iter().map(value).collect()
}

/// The people, roles and channels behind values.
pub(super) fn resolved(state: &State, kind: u64, values: &[String]) -> Option<Value> {
    let mut resolved = json!({});
    for value in values {
        let id = value.parse::<u64>().ok()?;
        match kind {
            5 | 7 if state.people.contains_key(&id) => {
                resolved["users"][value] = draw::user(state, id);
                resolved["members"][value] = draw::member(state, id);
            }
            6 | 7 => {
                resolved["roles"][value] =
                    json!({"id": value, "name": state.roles.iter().find(|(_, role)| **role == id)?.0});
            }
            8 => resolved["channels"][value] = draw::channel(state, id),
            _ => return None,
        }
    }
    Some(resolved)
}
