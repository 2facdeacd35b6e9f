//! Windows: a person fills fields in by their labels and sends them.

use serde_json::{Value, json};

use super::Person;
use super::act::{resolved, values};
use crate::discord::check::units;
use crate::discord::records::OpenModal;
use crate::discord::screen;
use crate::discord::world::State;

impl Person {
    /// Waits until a window is open that shows these words.
    ///
    /// # Panics
    /// If there is none, with the screen.
    pub async fn sees_modal(&self, words: &str) {
        let what = format!("a window with {words:?}");
        self.wait(&what, |state| screen::modal(&self.open(state)?.data).contains(words).then_some(())).await;
    }

    /// The open window as it is drawn; empty where none is open.
    pub fn modal(&self) -> String {
        self.world.look(|state| self.open(state).map(|open| screen::modal(&open.data)).unwrap_or_default())
    }

    /// Closes the window without sending it.
    pub fn closes_modal(&self) {
        self.change(|account| account.modal = None);
    }

    /// Fills fields of the open window in, by their labels, and sends it. Several options are separated by `, `; a file is
    /// named. Fields that are not named keep what they hold.
    ///
    /// # Panics
    /// If no window opens, a field is not there, or Discord's own window would not be sent.
    pub async fn fills_modal(&self, fields: &[(&str, &str)]) {
        let open = self.wait("a window", |state| self.open(state).cloned()).await;
        self.sends(open, fields).await;
    }

    /// Sends the window though fields that need something hold nothing, as a program may that is not Discord's.
    ///
    /// # Panics
    /// As [`Self::fills_modal`], but for fields that are empty.
    pub async fn sends_modal_unchecked(&self, fields: &[(&str, &str)]) {
        let mut open = self.wait("a window", |state| self.open(state).cloned()).await;
        for part in open.data["components"].as_array_mut().into_iter().flatten() {
            if part["component"].is_object() {
                part["component"]["required"] = false.into();
            }
        }
        self.sends(open, fields).await;
    }

    async fn sends(&self, open: OpenModal, fields: &[(&str, &str)]) {
        let data = match self.world.change(|state| filled(state, &open, fields)) {
            Ok(data) => data,
            Err(why) => self.fail(&format!("{why}\n{}", screen::modal(&open.data))),
        };
        self.change(|account| account.modal = None);
        let here = self.at(open.channel);
        let id = here.does(5, open.message, data).await;
        // What could not be sent stays open.
        self.world.change(|state| {
            let failed = state.interactions.get(&id).is_some_and(|known| known.failed);
            if let Some(account) = state.people.get_mut(&self.user).filter(|_| failed) {
                account.modal = Some(open);
            }
        });
    }

    fn open<'a>(&self, state: &'a State) -> Option<&'a OpenModal> {
        state.people.get(&self.user)?.modal.as_ref()
    }
}

fn filled(state: &mut State, open: &OpenModal, fields: &[(&str, &str)]) -> Result<Value, String> {
    let mut left: Vec<&(&str, &str)> = fields.iter().collect();
    let mut taken = |label: &str| {
        let at = left.iter().position(|(name, _)| *name == label)?;
        Some(left.remove(at).1)
    };
    let (mut parts, mut all) = (Vec::new(), json!({}));
    for (no, part) in (1_u64..).zip(open.data["components"].as_array().into_iter().flatten()) {
        parts.push(match part["type"].as_u64() {
            Some(18) => {
                let label = part["label"].as_str().unwrap_or_default();
                let inner = field(state, &part["component"], label, taken(label), &mut all)?;
                json!({"type": 18, "id": no * 2, "component": inner})
            }
            Some(1) => {
                let input = &part["components"][0];
                let label = input["label"].as_str().unwrap_or_default();
                json!({"type": 1, "id": no * 2, "components": [field(state, input, label, taken(label), &mut all)?]})
            }
            _ => json!({"type": part["type"], "id": no * 2}),
        });
    }
    if let Some((label, _)) = left.first() {
        return Err(format!("the window has no field {label:?}"));
    }
    let mut data = json!({"custom_id": open.data["custom_id"], "components": parts});
    if all.as_object().is_some_and(|all| !all.is_empty()) {
        data["resolved"] = all;
    }
    Ok(data)
}

/// A field as it is sent: what the person put in, else what it held.
fn field(state: &mut State, part: &Value, label: &str, given: Option<&str>, all: &mut Value) -> Result<Value, String> {
    let kind = part["type"].as_u64().unwrap_or(0);
    let required = part["required"].as_bool().unwrap_or(true);
    let mut sent = json!({"type": kind, "id": 1, "custom_id": part["custom_id"]});
    match kind {
        4 => {
            let words = given.unwrap_or_else(|| part["value"].as_str().unwrap_or_default());
            text(part, label, words, required)?;
            sent["value"] = words.into();
        }
        23 => sent["value"] = given.map_or(part["default"].as_bool() == Some(true), |given| given == "yes").into(),
        19 => sent["values"] = files(state, part, label, given, required, all)?.into(),
        _ => {
            let picked = picked(state, part, label, given)?;
            counted(part, kind, label, picked.len(), required)?;
            if kind == 21 {
                sent["value"] = picked.first().cloned().into();
            } else {
                for (name, known) in resolved(state, kind, &picked).iter().filter_map(Value::as_object).flatten() {
                    for (id, one) in known.as_object().into_iter().flatten() {
                        all[name][id] = one.clone();
                    }
                }
                sent["values"] = json!(picked);
            }
        }
    }
    Ok(sent)
}

fn text(part: &Value, label: &str, words: &str, required: bool) -> Result<(), String> {
    let length = units(words) as u64;
    let least = part["min_length"].as_u64().unwrap_or(0).max(u64::from(required));
    let most = part["max_length"].as_u64().unwrap_or(4000);
    if length == 0 && !required {
        return Ok(());
    }
    if words.contains('\n') && part["style"].as_u64() != Some(2) {
        return Err(format!("the field {label:?} takes one line"));
    }
    if (least..=most).contains(&length) {
        return Ok(());
    }
    Err(format!("the field {label:?} takes {least} to {most} characters, not {length}"))
}

fn picked(state: &State, part: &Value, label: &str, given: Option<&str>) -> Result<Vec<String>, String> {
    let Some(given) = given else {
        let options = part["options"].as_array().into_iter().flatten();
        let held = options.filter(|option| option["default"].as_bool() == Some(true));
        return Ok(held.filter_map(|option| option["value"].as_str()).map(str::to_owned).collect());
    };
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let several: Vec<&str> = given.split(", ").collect();
    let found = values(state, part, &[given]).or_else(|| values(state, part, &several));
    found.ok_or_else(|| format!("the field {label:?} has no option {given:?}"))
}

fn counted(part: &Value, kind: u64, label: &str, count: usize, required: bool) -> Result<(), String> {
    let count = count as u64;
    let options = part["options"].as_array().map_or(25, Vec::len) as u64;
    let most = part["max_values"].as_u64().unwrap_or(if kind == 22 { options } else { 1 });
    let least = if required { part["min_values"].as_u64().unwrap_or(1).max(1) } else { 0 };
    let fits = (least..=most).contains(&count) || (count == 0 && !required);
    if fits { Ok(()) } else { Err(format!("the field {label:?} takes {least} to {most}, not {count}")) }
}

fn files(
    state: &mut State,
    part: &Value,
    label: &str,
    given: Option<&str>,
    required: bool,
    all: &mut Value,
) -> Result<Vec<String>, String> {
    let names: Vec<&str> = given.unwrap_or_default().split(", ").filter(|name| !name.is_empty()).collect();
    counted(part, 19, label, names.len(), required)?;
    let mut ids = Vec::new();
    for name in names {
        let id = state.id().to_string();
        let kind = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "jpg" | "jpeg" => "image/jpeg",
            "png" => "image/png",
            "pdf" => "application/pdf",
            "txt" => "text/plain",
            _ => "application/octet-stream",
        };
        let url = format!("https://cdn.discordapp.com/ephemeral-attachments/1/{id}/{name}");
        all["attachments"][&id] = json!({"id": id, "filename": name, "size": 48_213, "content_type": kind, "url": url,
            "proxy_url": url, "ephemeral": true});
        ids.push(id);
    }
    Ok(ids)
}
