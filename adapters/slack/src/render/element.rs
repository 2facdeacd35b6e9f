//! The interactive elements that stand in messages and modals alike.

use chat::words::{Word, say};
use formwright_chat as chat;
use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::{NUMERAL, Scene, blocks};
use crate::{limits, text};

/// A list to pick from, as wide as it must be: radio buttons or check boxes, a menu, a type-ahead menu.
pub(super) fn list(action: &str, input: &chat::Input, lang: &str) -> Option<Value> {
    let chat::Input::Options { options, multiple, max, .. } = input else { return None };
    let drawn =
        |option: &chat::Choice| blocks::option(&option.token.to_string(), &option.label, option.detail.as_deref());
    let picked: Vec<Value> = options.iter().filter(|option| option.picked).map(drawn).collect();
    let few = options.len() <= limits::TICK_OPTIONS;
    let listed = is_listed(options);
    let kind = match (multiple, few, listed) {
        (false, true, _) => "radio_buttons",
        (false, false, true) => "static_select",
        (false, false, false) => "external_select",
        (true, true, _) => "checkboxes",
        (true, false, true) => "multi_static_select",
        (true, false, false) => "multi_external_select",
    };
    let mut element = json!({"type": kind, "action_id": action});
    if listed {
        element["options"] = options.iter().map(drawn).collect();
    } else {
        element["min_query_length"] = json!(0);
    }
    if !few {
        let word = if listed { Word::Choose } else { Word::Search };
        element["placeholder"] = text::plain(say(word, lang), limits::PLACEHOLDER);
        if let Some(max) = max.filter(|max| *multiple && *max > 0) {
            element["max_selected_items"] = json!(max);
        }
    }
    match (*multiple, picked.first()) {
        (_, None) => {}
        (true, Some(_)) => element["initial_options"] = json!(picked),
        (false, Some(first)) => element["initial_option"] = first.clone(),
    }
    Some(element)
}

/// Whether a menu holds all options; else they stand behind a search.
pub(crate) fn is_listed(options: &[chat::Choice]) -> bool {
    let length = |words: &str, most: usize| words.chars().count().min(most);
    let chars = |option: &chat::Choice| {
        let detail = option.detail.as_deref().unwrap_or_default();
        let held = length(&option.label, limits::OPTION_TEXT) + length(detail, limits::OPTION_DESCRIPTION);
        // What is picked stands there twice.
        if option.picked { 2 * held } else { held }
    };
    options.len() <= limits::SELECT_OPTIONS && options.iter().map(chars).sum::<usize>() <= limits::LISTED_CHARS
}

/// The points of a scale, where a menu holds them.
pub(super) fn scale(action: &str, question: &chat::Question, lang: &str) -> Option<Value> {
    let chat::Input::Rating { min, max } = question.input else { return None };
    let count = usize::try_from(max.checked_sub(min)?).ok()?.checked_add(1)?;
    if count > limits::SELECT_OPTIONS {
        return None;
    }
    let point = |value: u32| {
        let wire = chat::Wire::op(&question.token, format!("{NUMERAL}{value}"));
        blocks::option(&wire.to_string(), &value.to_string(), None)
    };
    let options: Vec<Value> = (min..=max).map(point).collect();
    let kind = if count <= limits::TICK_OPTIONS { "radio_buttons" } else { "static_select" };
    let mut element = json!({"type": kind, "action_id": action, "options": options});
    if kind == "static_select" {
        element["placeholder"] = text::plain(say(Word::Choose, lang), limits::PLACEHOLDER);
    }
    let held = question.prefill.as_deref().and_then(|held| held.parse::<u32>().ok());
    if let Some(held) = held.filter(|held| (min..=max).contains(held)) {
        element["initial_option"] = point(held);
    }
    Some(element)
}

/// The picker of a day, a time, a moment, a person or a channel.
pub(super) fn picker(action: &str, question: &chat::Question, lang: &str, scene: &Scene<'_>) -> Option<Value> {
    let held = question.prefill.as_deref();
    Some(match question.input {
        chat::Input::Date { .. } => day(action, held),
        chat::Input::Time { .. } => {
            let mut element = json!({"type": "timepicker", "action_id": action});
            if let Some(time) = held.and_then(minute) {
                element["initial_time"] = json!(time);
            }
            element
        }
        chat::Input::DateTime { .. } => {
            let mut element = json!({"type": "datetimepicker", "action_id": action});
            if let Some(at) = held.and_then(|held| unix(held, scene.zone)) {
                element["initial_date_time"] = json!(at);
            }
            element
        }
        chat::Input::Person => choosing("users_select", action, lang),
        chat::Input::Channel => choosing("channels_select", action, lang),
        _ => return None,
    })
}

/// A day picker; what it holds at first must be a day.
pub(super) fn day(action: &str, held: Option<&str>) -> Value {
    let mut element = json!({"type": "datepicker", "action_id": action});
    if let Some(day) = held.filter(|day| day.parse::<jiff::civil::Date>().is_ok()) {
        element["initial_date"] = json!(day);
    }
    element
}

fn choosing(kind: &str, action: &str, lang: &str) -> Value {
    let placeholder = text::plain(say(Word::Choose, lang), limits::PLACEHOLDER);
    json!({"type": kind, "action_id": action, "placeholder": placeholder})
}

/// `HH:MM` of a time that may have seconds.
fn minute(time: &str) -> Option<String> {
    let time: jiff::civil::Time = time.parse().ok()?;
    Some(format!("{:02}:{:02}", time.hour(), time.minute()))
}

/// Seconds since 1970 of a moment in the person's own time.
fn unix(moment: &str, zone: Option<&str>) -> Option<i64> {
    let moment: DateTime = moment.parse().ok()?;
    let at = moment.in_tz(zone?).ok()?.timestamp().as_second();
    // Slack takes ten digits.
    (1_000_000_000..=9_999_999_999).contains(&at).then_some(at)
}
