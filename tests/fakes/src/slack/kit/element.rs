//! The elements that a person uses: which may stand where, and what each must hold.

use serde_json::Value;

use super::object::Texts;
use super::{Check, Surface};

/// Where in a block an element stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Actions,
    Accessory,
    Input,
}

/// Type; in an actions block; beside a section; in an input block; in messages; in modals; on App Home.
type Row = (&'static str, [bool; 3], [bool; 3]);

const EVERYWHERE: [bool; 3] = [true, true, true];
const MODALS: [bool; 3] = [false, true, false];
const ALL_SPOTS: [bool; 3] = [true, true, true];
const INPUT: [bool; 3] = [false, false, true];

const TABLE: [Row; 24] = [
    ("button", [true, true, false], EVERYWHERE),
    ("overflow", [true, true, false], EVERYWHERE),
    ("image", [false, true, false], EVERYWHERE),
    ("checkboxes", ALL_SPOTS, EVERYWHERE),
    ("radio_buttons", ALL_SPOTS, EVERYWHERE),
    ("datepicker", ALL_SPOTS, EVERYWHERE),
    ("timepicker", ALL_SPOTS, EVERYWHERE),
    ("datetimepicker", [true, false, true], [true, true, false]),
    ("static_select", ALL_SPOTS, EVERYWHERE),
    ("external_select", ALL_SPOTS, EVERYWHERE),
    ("users_select", ALL_SPOTS, EVERYWHERE),
    ("conversations_select", ALL_SPOTS, EVERYWHERE),
    ("channels_select", ALL_SPOTS, EVERYWHERE),
    ("multi_static_select", ALL_SPOTS, EVERYWHERE),
    ("multi_external_select", ALL_SPOTS, EVERYWHERE),
    ("multi_users_select", ALL_SPOTS, EVERYWHERE),
    ("multi_conversations_select", ALL_SPOTS, EVERYWHERE),
    ("multi_channels_select", ALL_SPOTS, EVERYWHERE),
    ("plain_text_input", INPUT, EVERYWHERE),
    ("email_text_input", INPUT, MODALS),
    ("url_text_input", INPUT, MODALS),
    ("number_input", INPUT, MODALS),
    ("file_input", INPUT, MODALS),
    ("rich_text_input", [true, false, true], [false, true, true]),
];

impl Check {
    pub(super) fn element(&mut self, element: &Value, at: &str, spot: Spot) {
        let kind = element["type"].as_str().unwrap_or_default();
        let Some((_, spots, surfaces)) = TABLE.iter().find(|(name, ..)| *name == kind) else {
            return self.fault(at, &format!("unsupported type: {kind}"));
        };
        if !spots[spot as usize] {
            self.fault(at, &format!("unsupported element here: {kind}"));
        }
        if !surfaces[self.surface as usize] {
            self.fault(at, &format!("{kind} is not for this surface"));
        }
        if kind == "image" {
            return self.picture(element, at);
        }
        self.common(element, at);
        match kind {
            "button" => self.button(element, at),
            "overflow" => {
                self.keys(element, at, &["type", "action_id", "options", "confirm"], &["options"]);
                self.choices(element, at, 5, Texts::Plain, false);
            }
            "checkboxes" => {
                self.own(element, at, &["options", "initial_options", "confirm"]);
                let options = self.choices(element, at, 10, Texts::Any, false);
                self.among(element, at, "initial_options", &options);
            }
            "radio_buttons" => {
                self.own(element, at, &["options", "initial_option", "confirm"]);
                let options = self.choices(element, at, 10, Texts::Any, false);
                self.among(element, at, "initial_option", &options);
            }
            "datepicker" => {
                self.own(element, at, &["initial_date", "placeholder", "confirm"]);
                self.shaped(element, at, "initial_date", is_date);
            }
            "timepicker" => {
                self.own(element, at, &["initial_time", "placeholder", "confirm", "timezone"]);
                self.shaped(element, at, "initial_time", is_time);
            }
            "datetimepicker" => {
                self.own(element, at, &["initial_date_time", "confirm"]);
                self.whole(element, at, "initial_date_time", 1_000_000_000, 9_999_999_999);
            }
            _ if kind.contains("select") => self.select(element, at, kind),
            _ => self.typed(element, at, kind),
        }
    }

    /// What every element has.
    fn common(&mut self, element: &Value, at: &str) {
        self.string(element, at, "action_id", 1, 255);
        if let Some(id) = element["action_id"].as_str()
            && !self.action_ids.insert(id.to_owned())
        {
            self.fault(at, &format!("action_id \"{id}\" already exists"));
        }
        self.confirm(element, at);
        self.text(element, at, "placeholder", Texts::Plain, 150);
        self.boolean(element, at, "focus_on_load");
        if element["focus_on_load"] == true && std::mem::replace(&mut self.focused, true) {
            self.fault(at, "only one element may have focus_on_load");
        }
        if let Some(config) = element.get("dispatch_action_config") {
            let at = format!("{at}/dispatch_action_config");
            self.keys(config, &at, &["trigger_actions_on"], &[]);
        }
    }

    fn own(&mut self, element: &Value, at: &str, keys: &[&str]) {
        let known: Vec<&str> = ["type", "action_id", "focus_on_load"].iter().chain(keys).copied().collect();
        self.keys(element, at, &known, &[]);
    }

    fn button(&mut self, element: &Value, at: &str) {
        let known = ["type", "action_id", "text", "value", "url", "style", "confirm", "accessibility_label"];
        self.keys(element, at, &known, &["text"]);
        self.text(element, at, "text", Texts::Plain, 75);
        self.string(element, at, "value", 0, 2000);
        self.string(element, at, "url", 1, 3000);
        self.string(element, at, "accessibility_label", 0, 75);
        self.style(element, at);
    }

    fn select(&mut self, element: &Value, at: &str, kind: &str) {
        let (multiple, source) = match kind.strip_prefix("multi_") {
            Some(source) => (true, source),
            None => (false, kind),
        };
        let mut known = vec!["placeholder", "confirm"];
        if multiple {
            known.push("max_selected_items");
            self.whole(element, at, "max_selected_items", 1, 1000);
        }
        let several = |one: &'static str, more: &'static str| if multiple { more } else { one };
        let initial = match source {
            "static_select" | "external_select" => several("initial_option", "initial_options"),
            "users_select" => several("initial_user", "initial_users"),
            "channels_select" => several("initial_channel", "initial_channels"),
            _ => several("initial_conversation", "initial_conversations"),
        };
        known.push(initial);
        match source {
            "static_select" => known.extend(["options", "option_groups"]),
            "external_select" => known.push("min_query_length"),
            "conversations_select" => known.extend(["default_to_current_conversation", "filter"]),
            _ => {}
        }
        if !multiple && matches!(source, "conversations_select" | "channels_select") && self.surface == Surface::Modal {
            known.push("response_url_enabled");
        }
        self.own(element, at, &known);
        self.whole(element, at, "min_query_length", 0, 1000);
        if source == "static_select" {
            let options = self.choices(element, at, 100, Texts::Plain, false);
            self.among(element, at, initial, &options);
        } else if source == "external_select" {
            for (no, option) in held(element, initial).into_iter().enumerate() {
                self.option(
                    option,
                    &format!("{at}/{initial}/{no}"),
                    Texts::Plain,
                    &mut std::collections::BTreeSet::new(),
                );
            }
        }
        let most = element["max_selected_items"].as_u64().and_then(|most| usize::try_from(most).ok());
        if most.is_some_and(|most| held(element, initial).len() > most) {
            self.fault(&format!("{at}/{initial}"), "no more than max_selected_items allowed");
        }
    }

    /// Elements that are typed into, or take files.
    fn typed(&mut self, element: &Value, at: &str, kind: &str) {
        let mut known = vec!["placeholder", "dispatch_action_config", "initial_value"];
        match kind {
            "plain_text_input" => {
                known.extend(["multiline", "min_length", "max_length"]);
                self.boolean(element, at, "multiline");
                self.whole(element, at, "min_length", 0, 3000);
                self.whole(element, at, "max_length", 1, 3000);
                let most = element["max_length"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(3000);
                self.string(element, at, "initial_value", 0, most);
                if element["min_length"].as_u64() > element["max_length"].as_u64().or(Some(3000)) {
                    self.fault(at, "min_length must not be greater than max_length");
                }
            }
            "number_input" => {
                known.extend(["is_decimal_allowed", "min_value", "max_value"]);
                self.number(element, at);
            }
            "file_input" => {
                known = vec!["filetypes", "max_files"];
                self.whole(element, at, "max_files", 1, 10);
                if let Some(types) = element.get("filetypes") {
                    let at = format!("{at}/filetypes");
                    if self.list(types, &at, 1, 1000).iter().any(|one| one.as_str().is_none_or(str::is_empty)) {
                        self.fault(&at, "must be strings");
                    }
                }
            }
            "rich_text_input" => known.extend(["min_lines", "max_lines"]),
            _ => self.string(element, at, "initial_value", 0, 3000),
        }
        self.own(element, at, &known);
    }

    fn number(&mut self, element: &Value, at: &str) {
        let decimals = element["is_decimal_allowed"].as_bool();
        if decimals.is_none() {
            self.fault(at, "missing required field: is_decimal_allowed");
        }
        let mut values = [None; 3];
        for (no, key) in ["min_value", "initial_value", "max_value"].into_iter().enumerate() {
            let Some(held) = element.get(key) else { continue };
            values[no] = held.as_str().and_then(|text| number(text, decimals != Some(false)));
            if values[no].is_none() {
                self.fault(&format!("{at}/{key}"), "must be a string that is a number of the allowed kind");
            }
        }
        let above = |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low > high);
        if above(values[0], values[2]) || above(values[0], values[1]) || above(values[1], values[2]) {
            self.fault(at, "min_value, initial_value and max_value must rise");
        }
    }

    /// What is held at first must be among the options, exactly as it stands there.
    fn among(&mut self, element: &Value, at: &str, key: &str, options: &[&Value]) {
        let at = format!("{at}/{key}");
        if element.get(key).is_some_and(|held| held.as_array().is_some_and(Vec::is_empty)) {
            self.fault(&at, "no fewer than 1 items allowed");
        }
        for one in held(element, key) {
            if !options.contains(&one) {
                self.fault(&at, "must match an option exactly");
            }
        }
    }

    fn shaped(&mut self, element: &Value, at: &str, key: &str, is: fn(&str) -> bool) {
        if element.get(key).is_some_and(|held| !held.as_str().is_some_and(is)) {
            self.fault(&format!("{at}/{key}"), "has the wrong format");
        }
    }
}

/// What an element holds at first: a list, or one.
fn held<'a>(element: &'a Value, key: &str) -> Vec<&'a Value> {
    match element.get(key) {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// A number as a number input takes it.
pub(in crate::slack) fn number(text: &str, decimals: bool) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (all(whole) && rest.is_none_or(|rest| decimals && all(rest))).then(|| text.parse().ok()).flatten()
}

/// `YYYY-MM-DD`, a day that exists.
pub(in crate::slack) fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
        return false;
    }
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(year), number(month), number(day));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    (1..=12).contains(&month) && (1..=days[month as usize - 1]).contains(&day)
}

/// `HH:mm`.
pub(in crate::slack) fn is_time(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once(':') else { return false };
    let within = |text: &str, most: u32| text.len() == 2 && text.parse::<u32>().is_ok_and(|number| number <= most);
    within(hour, 23) && within(minute, 59)
}
