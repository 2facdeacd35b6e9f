//! `views.*`: modals by a trigger that works once and soon, in a stack of three, and App Home.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::kit::{self, Surface};
use super::web::{Outcome, Refusal};
use super::world::{View, World};

/// Views that lie on one another.
const STACK: usize = 3;

pub(super) fn open(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let body = judged(&params["view"], Surface::Modal)?;
    unique(world, &body, None)?;
    let trigger = world.spend(text(params, "trigger_id"))?;
    let id = create(world, &trigger.user, body, None);
    world.stacks.insert(trigger.user, vec![id.clone()]);
    Ok(json!({"view": world.shown(&id)}))
}

pub(super) fn push(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let body = judged(&params["view"], Surface::Modal)?;
    unique(world, &body, None)?;
    let trigger = world.spend(text(params, "trigger_id"))?;
    let Some(below) = trigger.view else { return Err("invalid_trigger_id".into()) };
    let id = push_on(world, &trigger.user, &below, body)?;
    Ok(json!({"view": world.shown(&id)}))
}

/// Lays a view on another one that is on the person's screen.
pub(super) fn push_on(world: &mut World, user: &str, below: &str, body: Value) -> Result<String, Refusal> {
    let stack = world.stacks.get(user).cloned().unwrap_or_default();
    if !stack.iter().any(|id| id == below) {
        return Err("view_not_found".into());
    }
    if stack.len() >= STACK {
        return Err("push_limit_reached".into());
    }
    let id = create(world, user, body, stack.last().map(String::as_str));
    world.stacks.entry(user.to_owned()).or_default().push(id.clone());
    Ok(id)
}

pub(super) fn update(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let (id, external) = (text(params, "view_id"), text(params, "external_id"));
    if id.is_empty() == external.is_empty() {
        return Err(Refusal::because("invalid_arguments", &["[ERROR] one of view_id and external_id".to_owned()]));
    }
    let named = |view: &&View| view.id == id || (!external.is_empty() && view.body["external_id"] == external);
    let Some(view) = world.views.values().find(named).cloned() else { return Err("not_found".into()) };
    let surface = if view.body["type"] == "home" { Surface::Home } else { Surface::Modal };
    let body = judged(&params["view"], surface)?;
    unique(world, &body, Some(&view.id))?;
    if params.get("hash").is_some_and(|hash| hash != view.hash.as_str()) {
        return Err("hash_conflict".into());
    }
    let on_screen = world.stacks.values().flatten().chain(world.homes.values()).any(|id| *id == view.id);
    if !on_screen {
        return Err("not_found".into());
    }
    replace(world, &view.id, body);
    Ok(json!({"view": world.shown(&view.id)}))
}

pub(super) fn publish(world: &mut World, params: &Map<String, Value>) -> Outcome {
    let user = text(params, "user_id").to_owned();
    if !world.users.contains_key(&user) {
        return Err(Refusal::because("invalid_arguments", &["[ERROR] invalid user_id".to_owned()]));
    }
    let body = judged(&params["view"], Surface::Home)?;
    let known = world.homes.get(&user).cloned();
    unique(world, &body, known.as_deref())?;
    let id = match known {
        Some(id) => {
            let hash = world.views.get(&id).map(|view| view.hash.clone()).unwrap_or_default();
            if params.get("hash").is_some_and(|given| given != hash.as_str()) {
                return Err("hash_conflict".into());
            }
            replace(world, &id, body);
            id
        }
        None => create(world, &user, body, None),
    };
    world.homes.insert(user, id.clone());
    Ok(json!({"view": world.shown(&id)}))
}

/// A view as an app gave it, if nothing is wrong with it.
pub(super) fn judged(view: &Value, surface: Surface) -> Result<Value, Refusal> {
    let faults = kit::view(view, surface);
    if faults.is_empty() { Ok(view.clone()) } else { Err(Refusal::because("invalid_arguments", &faults)) }
}

/// Puts another body into a view. What its widgets hold stays where their ids stay.
pub(super) fn replace(world: &mut World, id: &str, mut body: Value) {
    let blocks = body["blocks"].as_array().cloned().unwrap_or_default();
    body["blocks"] = json!(world.named(blocks));
    let hash = hash(world);
    if let Some(view) = world.views.get_mut(id) {
        view.body = body;
        view.hash = hash;
        view.problems.clear();
        view.notice = None;
    }
}

fn create(world: &mut World, user: &str, mut body: Value, previous: Option<&str>) -> String {
    let id = world.id("V");
    let blocks = body["blocks"].as_array().cloned().unwrap_or_default();
    body["blocks"] = json!(world.named(blocks));
    let below = previous.and_then(|previous| world.views.get(previous)).map(|view| view.root.clone());
    let view = View {
        id: id.clone(),
        user: user.to_owned(),
        hash: hash(world),
        root: below.unwrap_or_else(|| id.clone()),
        previous: previous.map(str::to_owned),
        body,
        problems: BTreeMap::new(),
        notice: None,
    };
    world.views.insert(id.clone(), view);
    id
}

/// An `external_id` belongs to one view of the workspace.
fn unique(world: &World, body: &Value, own: Option<&str>) -> Result<(), Refusal> {
    let Some(external) = body.get("external_id") else { return Ok(()) };
    let taken = |view: &&View| view.body.get("external_id") == Some(external) && Some(view.id.as_str()) != own;
    if world.views.values().any(|view| taken(&view)) { Err("duplicate_external_id".into()) } else { Ok(()) }
}

fn hash(world: &mut World) -> String {
    let no = world.number();
    format!("{}.{no:08x}", super::world::seconds())
}

fn text<'a>(params: &'a Map<String, Value>, key: &str) -> &'a str {
    params.get(key).and_then(Value::as_str).unwrap_or_default()
}
