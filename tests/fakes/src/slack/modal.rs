//! A person with a modal in front of them: fills fields by their labels, submits, closes. What the app answers is obeyed:
//! problems are shown at their fields, views are replaced, laid on top, or cleared away.

use serde_json::{Value, json};

use super::deliver::Form;
use super::kit::{self, Surface};
use super::person::Person;
use super::state::{self, Put};
use super::world::World;
use super::{draw, payload, press, views};

/// Characters of a problem shown at a field.
const PROBLEM: usize = 2000;

impl Person {
    /// The modal in front, drawn; empty where there is none.
    pub fn modal(&self) -> String {
        let world = self.inner.lock();
        world.front(&self.user).map(|id| world.drawn_view(&id)).unwrap_or_default()
    }

    /// Waits until a modal shows this.
    pub async fn sees_modal(&self, words: &str) {
        let shows = |world: &mut World| {
            let id = world.front(&self.user)?;
            world.drawn_view(&id).contains(words).then_some(())
        };
        self.inner.until(&format!("{} sees a modal with {words:?}", self.user), shows).await;
    }

    /// Waits until no modal is in front of the person.
    pub async fn sees_no_modal(&self) {
        let gone = |world: &mut World| world.front(&self.user).is_none().then_some(());
        self.inner.until(&format!("{} sees no modal", self.user), gone).await;
    }

    /// Fills fields by label and submits. What a field holds is read as its widget reads it: an option's label (several
    /// parted by `;`), a day, a time, a person's name, the name of a file that the person has.
    pub async fn fills_modal(&self, fields: &[(&str, &str)]) {
        for (label, value) in fields {
            self.fills(label, value).await;
        }
        self.submits().await;
    }

    /// Fills one field.
    ///
    /// # Panics
    /// Where its widget takes no such thing.
    pub async fn fills(&self, label: &str, value: &str) {
        let found = |world: &mut World| {
            let id = world.front(&self.user)?;
            let blocks = world.views.get(&id)?.body["blocks"].as_array()?.clone();
            let named = |block: &&Value| block["type"] == "input" && draw::words(&block["label"]) == label;
            let holds = |block: &&Value| block["type"] == "input" && draw::words(&block["label"]).contains(label);
            let block = blocks.iter().find(named).or_else(|| blocks.iter().find(holds))?;
            Some((id, block.clone()))
        };
        let (view, block) = self.inner.until(&format!("a field {label:?} in a modal"), found).await;
        let element = block["element"].clone();
        let (block_id, action_id) = press::ids(&block, &element);
        let kind = element["type"].as_str().unwrap_or_default();
        let put = if kind == "file_input" {
            Put::Files(self.files_named(value))
        } else if kind.ends_with("external_select") {
            let mut options = Vec::new();
            for label in value.split(';').map(str::trim) {
                let ids = (block_id.as_str(), action_id.as_str());
                let payload = payload::suggestion(&self.inner.lock(), &self.user, Err(&view), ids, label);
                let offered = self.suggested(payload).await;
                match offered.into_iter().find(|option| draw::words(&option["text"]) == label) {
                    Some(option) => options.push(option),
                    None => panic!("{label:?} is not offered\n{}", self.modal()),
                }
            }
            Put::Options(options)
        } else {
            Put::Words(value.to_owned())
        };
        let dispatched = {
            let mut world = self.inner.lock();
            let held = world.put(&self.user, &view, &block, &element, &put);
            (block["dispatch_action"] == true).then(|| {
                let ts = world.ts();
                let action = payload::action(&block, &element, Some(&held), &ts);
                payload::view_action(&mut world, &self.user, &view, action)
            })
        };
        match dispatched {
            Some(payload) => self.interacts(payload).await,
            None => self.acts(),
        }
    }

    fn files_named(&self, names: &str) -> Vec<Value> {
        let world = self.inner.lock();
        let one = |name: &str| {
            let mine = |file: &&Value| file["name"] == name && file["user"] == self.user.as_str();
            world.files.values().find(mine).cloned()
        };
        names
            .split(';')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| one(name).unwrap_or_else(|| panic!("{} has no file {name:?}", self.user)))
            .collect()
    }

    /// Presses a button inside a modal.
    pub async fn presses_in_modal(&self, label: &str) {
        let found = |world: &mut World| {
            let id = world.front(&self.user)?;
            let blocks = world.views.get(&id)?.body["blocks"].as_array()?.clone();
            let all = kit::elements(&blocks);
            let (block, element) = all.into_iter().find(|(_, element)| press::is_button(element, label))?;
            let ts = world.ts();
            let action = payload::action(block, element, None, &ts);
            Some(payload::view_action(world, &self.user, &id, action))
        };
        let payload = self.inner.until(&format!("a button [{label}] in a modal"), found).await;
        self.interacts(payload).await;
    }

    /// Submits the modal in front. Slack checks what it can by itself, and sends nothing where something is wrong.
    ///
    /// # Panics
    /// Where no modal can be submitted.
    pub async fn submits(&self) {
        let id = self.inner.until("a modal", |world| world.front(&self.user)).await;
        let payload = {
            let mut world = self.inner.lock();
            let body = world.views.get(&id).map(|view| view.body.clone()).unwrap_or_default();
            assert!(body.get("submit").is_some(), "this modal has no button to submit:\n{}", world.drawn_view(&id));
            let problems = world.complaints(&id);
            let wrong = !problems.is_empty();
            if let Some(view) = world.views.get_mut(&id) {
                view.problems = problems;
                view.notice = None;
            }
            (!wrong).then(|| payload::view(&mut world, "view_submission", &self.user, &id))
        };
        self.acts();
        let Some(payload) = payload else { return };
        let answer = self.inner.tell(Form::Interaction, payload).await;
        let outcome = match answer {
            Ok(answer) => self.inner.lock().obey(&self.user, &id, &answer),
            Err(trouble) => Err(format!("no answer: {}", trouble.0)),
        };
        if let Err(why) = outcome {
            let mut world = self.inner.lock();
            if !why.starts_with("no answer") {
                world.refusals.push(format!("view_submission: {why}"));
            }
            if let Some(view) = world.views.get_mut(&id) {
                view.notice = Some(format!("We had some trouble connecting. Try again? ({why})"));
            }
        }
        self.inner.changed();
    }

    /// Closes the modal in front. The app is told where it asked for that.
    pub async fn closes_modal(&self) {
        let id = self.inner.until("a modal", |world| world.front(&self.user)).await;
        let payload = {
            let mut world = self.inner.lock();
            let body = world.views.get(&id).map(|view| view.body.clone()).unwrap_or_default();
            let payload = payload::view(&mut world, "view_closed", &self.user, &id);
            let stack = world.stacks.entry(self.user.clone()).or_default();
            if body["clear_on_close"] == true {
                stack.clear();
            } else {
                stack.retain(|view| *view != id);
            }
            (body["notify_on_close"] == true).then_some(payload)
        };
        self.acts();
        if let Some(payload) = payload {
            self.interacts(payload).await;
        }
    }
}

impl World {
    /// The view in front of a person.
    fn front(&self, user: &str) -> Option<String> {
        self.stacks.get(user)?.last().cloned()
    }

    /// What Slack itself finds wrong with what a modal's inputs hold, by block.
    fn complaints(&self, id: &str) -> std::collections::BTreeMap<String, String> {
        let shown = self.shown(id);
        let inputs = shown["blocks"].as_array().into_iter().flatten().filter(|block| block["type"] == "input");
        let wrong = |block: &Value| {
            let (block_id, action_id) = press::ids(block, &block["element"]);
            let held = &shown["state"]["values"][block_id.as_str()][action_id.as_str()];
            Some((block_id.clone(), state::complaint(block, held)?))
        };
        inputs.filter_map(wrong).collect()
    }

    /// Does what the app answers to a submission; why it cannot be done.
    fn obey(&mut self, user: &str, id: &str, answer: &Value) -> Result<(), String> {
        if answer.is_null() || answer == "" || answer == &json!({}) {
            self.stacks.entry(user.to_owned()).or_default().retain(|view| view != id);
            return Ok(());
        }
        let known: &[&str] = match answer["response_action"].as_str() {
            Some("clear") => &["response_action"],
            Some("errors") => &["response_action", "errors"],
            Some("update" | "push") => &["response_action", "view"],
            other => return Err(format!("unknown response_action {other:?}")),
        };
        let keys = answer.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
        if let Some(unknown) = keys.into_iter().find(|key| !known.contains(key)) {
            return Err(format!("unknown key {unknown}"));
        }
        match answer["response_action"].as_str() {
            Some("clear") => {
                self.stacks.remove(user);
                Ok(())
            }
            Some("errors") => self.show_problems(id, &answer["errors"]),
            Some("update") => {
                let body =
                    views::judged(&answer["view"], Surface::Modal).map_err(|refusal| refusal.more.to_string())?;
                views::replace(self, id, body);
                Ok(())
            }
            _ => {
                let body =
                    views::judged(&answer["view"], Surface::Modal).map_err(|refusal| refusal.more.to_string())?;
                views::push_on(self, user, id, body).map(drop).map_err(|refusal| refusal.code.to_owned())
            }
        }
    }

    fn show_problems(&mut self, id: &str, errors: &Value) -> Result<(), String> {
        let Some(errors) = errors.as_object().filter(|errors| !errors.is_empty()) else {
            return Err("errors must name blocks".to_owned());
        };
        let Some(view) = self.views.get_mut(id) else { return Err("the view is gone".to_owned()) };
        let blocks = view.body["blocks"].as_array().cloned().unwrap_or_default();
        for (block, problem) in errors {
            if !blocks.iter().any(|one| one["block_id"] == block.as_str() && one["type"] == "input") {
                return Err(format!("no input block {block}"));
            }
            let length = problem.as_str().map_or(0, |problem| problem.chars().count());
            if !(1..=PROBLEM).contains(&length) {
                return Err(format!("the error at {block} must be a text of 1 to {PROBLEM} characters"));
            }
        }
        view.problems = errors
            .iter()
            .map(|(block, problem)| (block.clone(), problem.as_str().unwrap_or_default().to_owned()))
            .collect();
        Ok(())
    }
}
