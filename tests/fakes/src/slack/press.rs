//! What a person does with the widgets of messages and of App Home: press, pick, search.

use serde_json::{Value, json};

use super::deliver::Form;
use super::person::Person;
use super::state::{self, Put};
use super::world::{Message, World};
use super::{draw, kit, payload};

/// A widget on the screen, with the block and the message it stands in.
struct Widget {
    message: Message,
    block: Value,
    element: Value,
}

impl Person {
    /// Presses the newest button of this label, or picks the option of a list of which one is picked.
    pub async fn presses(&self, label: &str) {
        self.presses_under("", label).await;
    }

    /// The same in the newest message that says these words: others may have a button of the same label.
    pub async fn presses_under(&self, words: &str, label: &str) {
        let found = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
            let says = |message: &&Message| world.drawn(&self.user, &self.channel, message).contains(words);
            seen.into_iter().rev().filter(says).find_map(|message| {
                let all = kit::elements(&message.blocks);
                let button = all.iter().find(|(_, element)| is_button(element, label));
                let listed = || all.iter().find(|(_, element)| option(element, label).is_some());
                let (block, element) = button.or_else(listed)?;
                let put = option(element, label).map(|option| Put::Options(vec![option]));
                Some((Widget { message: message.clone(), block: (*block).clone(), element: (*element).clone() }, put))
            })
        };
        let what = format!("{} sees a button [{label}] in a message with {words:?}", self.user);
        let (widget, put) = self.inner.until(&what, found).await;
        self.uses(widget, put).await;
    }

    /// Presses the newest button of this label in a block that says this: `[Change]` beside "Address".
    pub async fn presses_beside(&self, words: &str, label: &str) {
        let fits = |block: &Value, element: &Value| is_button(element, label) && says(block, words);
        let widget = self.widget(&format!("a button [{label}] beside {words:?}"), fits).await;
        self.uses(widget, None).await;
    }

    /// Presses a button that is no longer there: this person's screen is behind.
    ///
    /// # Panics
    /// Where there never was one.
    pub async fn presses_old(&self, label: &str) {
        let found = {
            let world = self.inner.lock();
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
            let versions = seen.into_iter().rev().flat_map(|message| {
                let before = message.before.iter().rev().map(move |blocks| (message, blocks));
                before.chain(std::iter::once((message, &message.blocks)))
            });
            let mut all = versions.flat_map(|(message, blocks)| {
                kit::elements(blocks).into_iter().map(move |(block, element)| (message, blocks, block, element))
            });
            all.find(|(.., element)| is_button(element, label)).map(|(message, blocks, block, element)| {
                let message = Message { blocks: blocks.clone(), ..message.clone() };
                Widget { message, block: block.clone(), element: element.clone() }
            })
        };
        let Some(widget) = found else { panic!("there never was a button [{label}]\n{}", self.screen()) };
        self.uses(widget, None).await;
    }

    /// Presses a button that was asked of another person in the same channel.
    ///
    /// # Panics
    /// Where this person does not see it: Slack shows ephemeral messages and direct messages to one person alone.
    pub async fn presses_of(&self, other: &Person, label: &str) {
        let here = Self { channel: other.channel.clone(), thread: other.thread.clone(), ..self.clone() };
        let member = here.inner.lock().channels.get(&here.channel).is_some_and(|all| all.members.contains(&here.user));
        assert!(member, "{} is not in {}", here.user, here.channel);
        here.presses(label).await;
    }

    /// Picks from the newest list that has all these labels: a menu, radio buttons, check boxes. What was ticked before
    /// is not any more. A menu that searches is searched first.
    ///
    /// # Panics
    /// Where a menu that searches does not offer them.
    pub async fn picks(&self, labels: &[&str]) {
        let has_all = |_: &Value, element: &Value| {
            let all: Vec<String> = state::options(element).iter().map(|option| draw::words(&option["text"])).collect();
            let listed = !all.is_empty() && labels.iter().all(|label| all.iter().any(|one| one == label));
            let external = element["type"].as_str().is_some_and(|kind| kind.ends_with("external_select"));
            element["type"] != "button" && (listed || external)
        };
        let widget = self.widget(&format!("a list with {labels:?}"), has_all).await;
        let external = widget.element["type"].as_str().is_some_and(|kind| kind.ends_with("external_select"));
        let mut options = Vec::new();
        for label in labels {
            let offered = if external {
                self.offered(&widget, label).await
            } else {
                state::options(&widget.element).into_iter().cloned().collect()
            };
            match offered.into_iter().find(|option| draw::words(&option["text"]) == *label) {
                Some(option) => options.push(option),
                None => panic!("{label:?} is not offered\n{}", self.screen()),
            }
        }
        self.uses(widget, Some(Put::Options(options))).await;
    }

    /// Picks one.
    pub async fn chooses(&self, label: &str) {
        self.picks(&[label]).await;
    }

    /// Types into the newest menu that searches; gives what it offers then.
    pub async fn searches(&self, query: &str) -> Vec<String> {
        let external =
            |_: &Value, element: &Value| element["type"].as_str().is_some_and(|kind| kind.ends_with("external_select"));
        let widget = self.widget("a menu that searches", external).await;
        self.offered(&widget, query).await.iter().map(|option| draw::words(&option["text"])).collect()
    }

    /// Puts something into the newest picker of a kind: a day (`2026-05-03`), a time (`12:30`), a moment
    /// (`2026-05-03T12:30` in UTC), a person or a channel by name.
    pub async fn picks_in(&self, kind: &str, value: &str) {
        let widget = self.widget(&format!("a {kind}"), |_, element| element["type"] == kind).await;
        self.uses(widget, Some(Put::Words(value.to_owned()))).await;
    }

    /// Picks a day.
    pub async fn picks_day(&self, day: &str) {
        self.picks_in("datepicker", day).await;
    }

    /// Picks the first and the last day of a range: the newest message's two date pickers.
    pub async fn picks_days(&self, first: &str, last: &str) {
        for (no, day) in [first, last].into_iter().enumerate() {
            let pickers = |world: &mut World| {
                let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
                seen.into_iter().rev().find_map(|message| {
                    let all: Vec<_> = kit::elements(&message.blocks)
                        .into_iter()
                        .filter(|(_, element)| element["type"] == "datepicker")
                        .collect();
                    let (block, element) = all.get(no).filter(|_| all.len() == 2)?;
                    Some(Widget { message: message.clone(), block: (*block).clone(), element: (*element).clone() })
                })
            };
            let widget = self.inner.until("two date pickers", pickers).await;
            self.uses(widget, Some(Put::Words(day.to_owned()))).await;
        }
    }

    /// Presses a button on App Home.
    pub async fn presses_home(&self, label: &str) {
        self.presses_home_beside("", label).await;
    }

    /// Presses a button on App Home in a block that says this.
    pub async fn presses_home_beside(&self, words: &str, label: &str) {
        let found = |world: &mut World| {
            let home = world.homes.get(&self.user)?.clone();
            let blocks = world.views.get(&home)?.body["blocks"].as_array()?.clone();
            let all = kit::elements(&blocks);
            let (block, element) =
                all.into_iter().find(|(block, element)| is_button(element, label) && says(block, words))?;
            let ts = world.ts();
            let action = payload::action(block, element, None, &ts);
            Some(payload::view_action(world, &self.user, &home, action))
        };
        let payload = self.inner.until(&format!("a button [{label}] on App Home"), found).await;
        self.interacts(payload).await;
    }

    async fn widget(&self, what: &str, fits: impl Fn(&Value, &Value) -> bool) -> Widget {
        let found = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
            seen.into_iter().rev().find_map(|message| {
                let (block, element) =
                    kit::elements(&message.blocks).into_iter().find(|(block, element)| fits(block, element))?;
                Some(Widget { message: message.clone(), block: block.clone(), element: element.clone() })
            })
        };
        self.inner.until(&format!("{} sees {what}", self.user), found).await
    }

    /// Uses a widget: what is put into it stays, and the app is told.
    async fn uses(&self, widget: Widget, put: Option<Put>) {
        let Widget { message, block, element } = widget;
        let payload = {
            let mut world = self.inner.lock();
            let key = format!("{}/{}", self.channel, message.ts);
            let held = put.map(|put| world.put(&self.user, &key, &block, &element, &put));
            let ts = world.ts();
            let action = payload::action(&block, &element, held.as_ref(), &ts);
            payload::message_action(&mut world, &self.user, &self.channel, &message, action)
        };
        if block["type"] == "input" && block["dispatch_action"] != true {
            return self.acts();
        }
        self.interacts(payload).await;
    }

    async fn offered(&self, widget: &Widget, query: &str) -> Vec<Value> {
        let (block, action) = ids(&widget.block, &widget.element);
        let payload = {
            let world = self.inner.lock();
            payload::suggestion(&world, &self.user, Ok((&self.channel, &widget.message)), (&block, &action), query)
        };
        self.suggested(payload).await
    }

    /// Asks the app for options, as Slack does while a person types.
    pub(super) async fn suggested(&self, payload: Value) -> Vec<Value> {
        let answer = match self.inner.tell(Form::Interaction, payload).await {
            Ok(answer) => answer,
            Err(trouble) => {
                self.slackbot(&format!("Options could not be loaded ({})", trouble.0));
                return Vec::new();
            }
        };
        let faults = kit::suggestions(&answer);
        if !faults.is_empty() {
            self.inner.lock().refusals.push(format!("block_suggestion: {}", json!(faults)));
            return Vec::new();
        }
        state::options(&answer).into_iter().cloned().collect()
    }
}

impl World {
    /// Puts something into a widget; gives what it holds then.
    pub(super) fn put(&mut self, user: &str, at: &str, block: &Value, element: &Value, put: &Put) -> Value {
        let find = |name: &str| {
            let user = self.users.values().find(|user| user.name == name).map(|user| user.id.clone());
            let channel = self.channels.values().find(|channel| channel.name == name);
            user.or_else(|| channel.map(|channel| channel.id.clone()))
        };
        let held = state::after(element, put, &find);
        let ids = ids(block, element);
        self.held.entry((user.to_owned(), at.to_owned())).or_default().insert(ids, held.clone());
        held
    }
}

/// The ids of a widget's block and of the widget.
pub(super) fn ids(block: &Value, element: &Value) -> (String, String) {
    let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (id(&block["block_id"]), id(&element["action_id"]))
}

/// The option of this label in a list of which one is picked.
fn option(element: &Value, label: &str) -> Option<Value> {
    let single = matches!(element["type"].as_str(), Some("static_select" | "radio_buttons"));
    let mut options = state::options(element).into_iter().filter(|_| single);
    options.find(|option| draw::words(&option["text"]) == label).cloned()
}

pub(super) fn is_button(element: &Value, label: &str) -> bool {
    element["type"] == "button" && draw::words(&element["text"]) == label
}

fn says(block: &Value, words: &str) -> bool {
    let fields = block["fields"].as_array().into_iter().flatten();
    block.get("text").into_iter().chain(fields).any(|text| draw::words(text).contains(words)) || words.is_empty()
}
