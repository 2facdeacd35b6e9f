//! What widgets hold, as presses.

use std::collections::BTreeMap;

use chat::{Press, Pressed, Token, Wire};
use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::Value;

use super::{file, some, text};
use crate::render::{DONE, EDIT, FROM, NUMERAL, OPEN, OTHER, TO};

/// The answers in a message's or modal's state, and the blocks they stand in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Collected {
    /// In the order of the screen. A widget that holds nothing is not here.
    pub(crate) presses: Vec<Press>,
    /// The block of each question, where a problem is shown.
    pub(crate) blocks: BTreeMap<Token, String>,
    /// What is wrong before the product is asked.
    pub(crate) faults: Vec<(Option<Token>, String)>,
}

impl Collected {
    /// The questions whose widgets hold nothing.
    pub(crate) fn empty(&self) -> Vec<Press> {
        let held = |token: &&Token| self.presses.iter().any(|press| press.token == **token);
        let empty = self.blocks.keys().filter(|token| !held(token));
        empty.map(|token| Press { token: token.clone(), value: Pressed::Empty }).collect()
    }
}

/// Reads the state of all widgets that wear a screen's tokens.
pub(crate) fn collect(values: &Value, zone: Option<&str>) -> Collected {
    let mut held: BTreeMap<Token, BTreeMap<String, Pressed>> = BTreeMap::new();
    let mut blocks = BTreeMap::new();
    for (block, actions) in values.as_object().into_iter().flatten() {
        for (action, element) in actions.as_object().into_iter().flatten() {
            let Ok(Wire { token, op }) = action.parse::<Wire>() else { continue };
            if token.option.is_some() {
                continue;
            }
            let op = op.unwrap_or_default();
            if op != TO && op != OTHER {
                blocks.insert(token.clone(), block.clone());
            }
            if let Some(value) = value(element, zone) {
                held.entry(token).or_default().insert(op, value);
            }
        }
    }
    let presses = held
        .into_iter()
        .flat_map(|(token, held)| answer(held).into_iter().map(move |value| Press { token: token.clone(), value }));
    let presses = presses.collect();
    Collected { presses, blocks, faults: Vec::new() }
}

/// The answer of what the widgets of one question hold: what is picked, then words of the person's own beside it.
fn answer(mut held: BTreeMap<String, Pressed>) -> Vec<Pressed> {
    let own = held.remove(OTHER);
    one(held).into_iter().chain(own).collect()
}

fn one(mut held: BTreeMap<String, Pressed>) -> Option<Pressed> {
    let mut day = |op| match held.remove(op) {
        Some(Pressed::Text { text }) => Some(text),
        _ => None,
    };
    match (day(FROM), day(TO)) {
        (None, None) => held.into_values().next(),
        // Half a range goes on as it is, so that the problem is told in the product's words.
        (from, to) => Some(Pressed::Text { text: format!("{}/{}", from.unwrap_or_default(), to.unwrap_or_default()) }),
    }
}

/// What the use of one widget means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Click {
    /// The question, or its page, is to be opened as a modal.
    Open,
    /// What the question's widgets hold is to be taken.
    Done,
    /// An answer, or a control.
    Press(Press),
    /// Nothing yet: a widget of several, or one that was emptied.
    Nothing,
}

/// Reads the use of a widget in a message.
pub(crate) fn click(wire: &Wire, action: &Value, zone: Option<&str>) -> Click {
    let token = &wire.token;
    let press = |token: &Token, value| Click::Press(Press { token: token.clone(), value });
    match wire.op.as_deref() {
        Some(OPEN) => Click::Open,
        Some(DONE) => Click::Done,
        Some(EDIT) => match action.get("selected_option").map(option) {
            Some(Some(token)) => press(&token, Pressed::Button),
            _ => Click::Nothing,
        },
        Some(op) => match op.strip_prefix(NUMERAL).filter(|numeral| numeral.parse::<i64>().is_ok()) {
            Some(numeral) => press(token, Pressed::Text { text: numeral.to_owned() }),
            None => Click::Nothing,
        },
        None if token.option.is_some() => {
            let question = Token { option: None, ..token.clone() };
            press(&question, Pressed::Options { tokens: vec![token.clone()] })
        }
        None if text(action, "/type") == "button" => press(token, Pressed::Button),
        None => value(action, zone).map_or(Click::Nothing, |value| press(token, value)),
    }
}

/// The numeral that an option of a scale stands for.
fn numeral(value: &str) -> Option<String> {
    let op = value.parse::<Wire>().ok()?.op?;
    op.strip_prefix(NUMERAL).filter(|numeral| numeral.parse::<i64>().is_ok()).map(str::to_owned)
}

fn option(option: &Value) -> Option<Token> {
    text(option, "/value").parse().ok()
}

/// What an element holds; none where nothing.
fn value(element: &Value, zone: Option<&str>) -> Option<Pressed> {
    let words = |text: String| Some(Pressed::Text { text });
    match text(element, "/type") {
        "plain_text_input" | "number_input" | "email_text_input" | "url_text_input" => {
            words(some(element, "/value").filter(|value| !value.trim().is_empty())?)
        }
        "static_select" | "external_select" | "radio_buttons" | "overflow" => {
            let picked = element.get("selected_option")?;
            match numeral(text(picked, "/value")) {
                Some(numeral) => words(numeral),
                None => Some(Pressed::Options { tokens: vec![option(picked)?] }),
            }
        }
        "checkboxes" | "multi_static_select" | "multi_external_select" => {
            let picked = element.get("selected_options")?.as_array()?;
            Some(Pressed::Options { tokens: picked.iter().filter_map(option).collect() })
        }
        "datepicker" => words(some(element, "/selected_date")?),
        "timepicker" => words(some(element, "/selected_time")?),
        "datetimepicker" => words(moment(element.get("selected_date_time")?.as_i64()?, zone)?),
        "users_select" => words(format!("<@{}>", some(element, "/selected_user")?)),
        "channels_select" => words(format!("<#{}>", some(element, "/selected_channel")?)),
        "conversations_select" => words(format!("<#{}>", some(element, "/selected_conversation")?)),
        "file_input" => {
            let files: Vec<chat::FileRef> = element.get("files")?.as_array()?.iter().filter_map(file).collect();
            (!files.is_empty()).then_some(Pressed::Files { files })
        }
        _ => None,
    }
}

/// A moment in the person's own time, with its distance from UTC: the zone that counts may be another one, and an hour may come
/// twice.
fn moment(seconds: i64, zone: Option<&str>) -> Option<String> {
    let at = Timestamp::from_second(seconds).ok()?;
    match zone.and_then(|zone| at.in_tz(zone).ok()) {
        Some(local) => Some(local.strftime("%Y-%m-%dT%H:%M%:z").to_string()),
        None => Some(at.to_string()),
    }
}
