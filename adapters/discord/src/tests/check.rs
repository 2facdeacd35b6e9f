//! What Discord would refuse, and what can be reached from a drawn reply.

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat::conformance::Drawn;
use formwright_chat::{Reply, Screen, UserId, Wire};
use jiff::civil::date;
use serde_json::Value;

use super::guild;
use crate::limits;
use crate::render::{self, Canvas, Turned, modal, text};
use crate::wire_op::Op;

/// Draws a reply, follows all its widgets, and looks for limits that are broken.
pub(super) fn draw(reply: &Reply, direct: bool) -> Drawn {
    let canvas = Canvas::new(direct, date(2026, 11, 20));
    let mut walk = Walk { reply, drawn: Drawn::default(), followed: BTreeSet::new(), moments: BTreeMap::new() };
    walk.show(&canvas);
    for message in render::words_only(reply) {
        walk.drawn.broken.extend(message_faults(&message));
    }
    let mut screen = Screen::new(UserId::new("1"), guild(), reply.clone(), Vec::new());
    for answer in [None, Some("Diavola"), Some(&*"*long* ".repeat(500))] {
        screen.answer = answer.map(str::to_owned);
        if !render::messages(reply, &canvas).is_empty() {
            walk.drawn.broken.extend(message_faults(&render::over(&screen, &canvas)));
        }
    }
    walk.drawn
}

struct Walk<'a> {
    reply: &'a Reply,
    drawn: Drawn,
    followed: BTreeSet<String>,
    /// How many days and hours of each question were looked into.
    moments: BTreeMap<u16, usize>,
}

/// Of a question's days and hours so many are looked into: there are eighteen thousand, all drawn by the same lines.
const MOMENTS: usize = 60;

impl Walk<'_> {
    fn show(&mut self, canvas: &Canvas) {
        for message in render::messages(self.reply, canvas) {
            self.drawn.broken.extend(message_faults(&message));
            self.look(&message, canvas);
        }
    }

    fn look(&mut self, part: &Value, canvas: &Canvas) {
        match part {
            Value::Array(parts) => parts.iter().for_each(|part| self.look(part, canvas)),
            Value::Object(fields) => {
                let wire = ["custom_id", "value"].iter().find_map(|key| part[*key].as_str()?.parse::<Wire>().ok());
                let label = wire.filter(|wire| wire.op.is_none()).zip(part["label"].as_str());
                self.drawn.labels.extend(label.map(|(wire, label)| (wire.token, label.to_owned())));
                for (key, value) in fields {
                    match (key.as_str(), value) {
                        ("custom_id" | "value", Value::String(id)) => self.follow(id, canvas),
                        ("content" | "label" | "description" | "placeholder" | "title", Value::String(words)) => {
                            self.drawn.seen.push_str(words);
                            self.drawn.seen.push('\n');
                        }
                        (_, value) => self.look(value, canvas),
                    }
                }
            }
            _ => {}
        }
    }

    fn follow(&mut self, id: &str, canvas: &Canvas) {
        let Ok(wire) = id.parse::<Wire>() else { return };
        if !self.followed.insert(id.to_owned()) {
            return;
        }
        let moments = self.moments.entry(wire.token.slot).or_default();
        let turn = |to| canvas.clone().turn(wire.token.slot, to);
        match wire.op.as_deref().map(|op| Op::read(op).unwrap_or_else(|| panic!("{id} is not understood"))) {
            None => drop(self.drawn.reachable.insert(wire.token.clone())),
            Some(Op::Page(page)) => self.show(&turn(Turned::Page(page))),
            Some(Op::Day(_) | Op::Hour(_)) if *moments == MOMENTS => {}
            Some(Op::Day(day)) => {
                *moments += 1;
                self.show(&turn(Turned::Day(day)));
            }
            Some(Op::Hour(hour)) => {
                *moments += 1;
                self.show(&turn(Turned::Hour(hour)));
            }
            Some(op @ (Op::Form | Op::Type)) => {
                if let Some(window) = modal::window(self.reply, &op, &wire.token, &[]) {
                    self.drawn.broken.extend(modal_faults(&window));
                    self.look(&window, canvas);
                }
            }
            Some(Op::Search) => {
                let question = self.reply.question(&wire.token).expect("a search is of a question");
                self.drawn.broken.extend(modal_faults(&modal::search(question, "en")));
                self.show(&turn(Turned::Found(vec![1, 3])));
            }
            Some(Op::Value(_) | Op::Send | Op::Pick | Op::Tick(_) | Op::Fix | Op::Reveal) => {}
        }
    }
}

/// What breaks a limit of messages.
pub(crate) fn message_faults(message: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let v2 = message["flags"].as_u64().unwrap_or_default() & limits::FLAG_V2 != 0;
    let components = message["components"].as_array().cloned().unwrap_or_default();
    if message["allowed_mentions"]["parse"] != Value::Array(Vec::new()) {
        faults.push("mentions may ping".to_owned());
    }
    if v2 {
        if message.get("content").is_some() {
            faults.push("content beside components".to_owned());
        }
        let count = count(&components);
        if count > limits::V2_COMPONENTS || components.is_empty() {
            faults.push(format!("{count} components"));
        }
        let words: usize = displayed(&components).iter().map(|words| text::units(words)).sum();
        if words > limits::V2_TEXT {
            faults.push(format!("{words} characters in components"));
        }
    } else {
        let content = message["content"].as_str().unwrap_or_default();
        if content.trim().is_empty() || text::units(content) > limits::CONTENT {
            faults.push(format!("content of {} characters", text::units(content)));
        }
        if components.len() > limits::ROWS || components.iter().any(|row| row["type"] != 1) {
            faults.push(format!("{} rows", components.len()));
        }
    }
    let mut ids = BTreeSet::new();
    components.iter().for_each(|component| component_faults(component, &mut ids, &mut faults));
    faults
}

/// What breaks a limit of windows.
pub(crate) fn modal_faults(modal: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    length("custom_id", &modal["custom_id"], 1, limits::CUSTOM_ID, &mut faults);
    length("title", &modal["title"], 1, limits::MODAL_TITLE, &mut faults);
    let components = modal["components"].as_array().cloned().unwrap_or_default();
    if !(1..=limits::MODAL_COMPONENTS).contains(&components.len()) {
        faults.push(format!("{} components in a window", components.len()));
    }
    let mut ids = BTreeSet::new();
    components.iter().for_each(|component| component_faults(component, &mut ids, &mut faults));
    faults
}

fn component_faults(component: &Value, ids: &mut BTreeSet<String>, faults: &mut Vec<String>) {
    let children = component["components"].as_array().cloned().unwrap_or_default();
    if let Some(id) = component["custom_id"].as_str() {
        length("custom_id", &component["custom_id"], 1, limits::CUSTOM_ID, faults);
        if !ids.insert(id.to_owned()) {
            faults.push(format!("{id} twice"));
        }
    }
    match component["type"].as_u64() {
        Some(1) => {
            let buttons = children.iter().filter(|child| child["type"] == 2).count();
            let mixed = buttons != children.len() && children.len() != 1;
            if children.is_empty() || children.len() > limits::ROW_BUTTONS || mixed {
                faults.push(format!("a row of {}", children.len()));
            }
        }
        Some(2) => length("label", &component["label"], 1, limits::BUTTON_LABEL, faults),
        Some(kind @ (3 | 21 | 22)) => list_faults(kind, component, faults),
        Some(4) => {
            let most = component["max_length"].as_u64().unwrap_or(4000);
            if !(1..=4000).contains(&most) || text::units(component["value"].as_str().unwrap_or_default()) > 4000 {
                faults.push("a text input's length".to_owned());
            }
            optional("placeholder", &component["placeholder"], limits::INPUT_PLACEHOLDER, faults);
        }
        Some(5 | 8 | 14 | 17) => {}
        Some(9) => {
            if !(1..=3).contains(&children.len()) || component["accessory"]["type"] != 2 {
                faults.push("a section".to_owned());
            }
            component_faults(&component["accessory"], ids, faults);
        }
        Some(10) => length("content", &component["content"], 1, limits::V2_TEXT, faults),
        Some(18) => {
            length("label", &component["label"], 1, limits::LABEL, faults);
            optional("description", &component["description"], limits::LABEL_DESCRIPTION, faults);
            component_faults(&component["component"], ids, faults);
        }
        Some(19) => {
            if !(1..=10).contains(&component["max_values"].as_u64().unwrap_or(1)) {
                faults.push("files".to_owned());
            }
        }
        kind => faults.push(format!("a component of type {kind:?}")),
    }
    children.iter().for_each(|child| component_faults(child, ids, faults));
}

fn list_faults(kind: u64, component: &Value, faults: &mut Vec<String>) {
    let options = component["options"].as_array().cloned().unwrap_or_default();
    let count = match kind {
        3 => 1..=limits::SELECT_OPTIONS,
        21 => limits::RADIO_OPTIONS,
        _ => 1..=limits::CHECKBOX_OPTIONS,
    };
    if !count.contains(&options.len()) {
        faults.push(format!("a list of {}", options.len()));
    }
    optional("placeholder", &component["placeholder"], limits::PLACEHOLDER, faults);
    let mut values = BTreeSet::new();
    for option in &options {
        length("option", &option["label"], 1, limits::OPTION_TEXT, faults);
        length("value", &option["value"], 1, limits::OPTION_TEXT, faults);
        optional("description", &option["description"], limits::OPTION_TEXT, faults);
        if !values.insert(option["value"].as_str().unwrap_or_default().to_owned()) {
            faults.push("a value twice".to_owned());
        }
    }
    let least = component["min_values"].as_u64();
    let most = component["max_values"].as_u64().unwrap_or(1);
    let defaults = options.iter().filter(|option| option["default"] == true).count() as u64;
    if kind != 21 && (least.unwrap_or(1) > most || most > options.len() as u64 || most == 0 || defaults > most) {
        faults.push(format!("{least:?} to {most} of {} with {defaults} picked", options.len()));
    }
    if component["required"] == true && least == Some(0) {
        faults.push("none picked where one is required".to_owned());
    }
}

fn length(what: &str, value: &Value, min: usize, max: usize, faults: &mut Vec<String>) {
    let length = text::units(value.as_str().unwrap_or_default());
    if !(min..=max).contains(&length) {
        faults.push(format!("{what} of {length} characters"));
    }
}

fn optional(what: &str, value: &Value, max: usize, faults: &mut Vec<String>) {
    if !value.is_null() {
        length(what, value, 1, max, faults);
    }
}

fn count(components: &[Value]) -> usize {
    let inner = |component: &Value| {
        let children = component["components"].as_array().map_or(0, |children| count(children));
        1 + children + usize::from(component.get("accessory").is_some())
    };
    components.iter().map(inner).sum()
}

fn displayed(components: &[Value]) -> Vec<String> {
    let mut words = Vec::new();
    for component in components {
        words.extend(component["content"].as_str().map(str::to_owned));
        words.extend(displayed(component["components"].as_array().map_or(&[], Vec::as_slice)));
    }
    words
}
