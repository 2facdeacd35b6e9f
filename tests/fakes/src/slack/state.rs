//! What widgets hold: at first, and after a person has used them.

use serde_json::{Value, json};

use super::kit::{is_date, is_time, number};

/// What a person puts into a widget.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Put {
    /// Words, a number, a day, a time, a label, a name: read as the widget reads them. Several are parted by `;`.
    Words(String),
    /// One option, as it stands in the widget or was offered by the app.
    Options(Vec<Value>),
    /// Files that the person has.
    Files(Vec<Value>),
}

/// The key under which an element's state is kept; none for what holds nothing.
fn key(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "checkboxes" | "multi_static_select" | "multi_external_select" => "selected_options",
        "radio_buttons" | "static_select" | "external_select" => "selected_option",
        "users_select" => "selected_user",
        "multi_users_select" => "selected_users",
        "channels_select" => "selected_channel",
        "multi_channels_select" => "selected_channels",
        "conversations_select" => "selected_conversation",
        "multi_conversations_select" => "selected_conversations",
        "datepicker" => "selected_date",
        "timepicker" => "selected_time",
        "datetimepicker" => "selected_date_time",
        "plain_text_input" | "email_text_input" | "url_text_input" | "number_input" => "value",
        "file_input" => "files",
        "rich_text_input" => "rich_text_value",
        _ => return None,
    })
}

/// What an element holds before anybody used it. None for a button.
pub(super) fn at_first(element: &Value) -> Option<Value> {
    let kind = element["type"].as_str()?;
    let key = key(kind)?;
    let initial = match key {
        "selected_options" => "initial_options".to_owned(),
        "value" | "rich_text_value" => "initial_value".to_owned(),
        key => key.replacen("selected", "initial", 1),
    };
    let empty = if key.ends_with('s') && key != "value" { json!([]) } else { Value::Null };
    Some(json!({"type": kind, key: element.get(&initial).cloned().unwrap_or(empty)}))
}

/// The state of an element that holds this.
///
/// # Panics
/// Where a person could not put that in: no such option, person or day.
pub(super) fn after(element: &Value, put: &Put, find: &dyn Fn(&str) -> Option<String>) -> Value {
    let kind = element["type"].as_str().unwrap_or_default();
    let Some(key) = key(kind) else { panic!("nothing can be put into a {kind}") };
    let several = kind.starts_with("multi_") || kind == "checkboxes";
    let held = match put {
        Put::Options(options) if several => json!(options),
        Put::Options(options) => options.first().cloned().unwrap_or(Value::Null),
        Put::Files(files) => json!(files),
        Put::Words(words) if key.contains("option") => {
            let wanted: Vec<&str> = if several { parts(words) } else { vec![words.as_str()] };
            let found: Vec<Value> = wanted.iter().map(|label| labelled(element, label)).collect();
            if several { json!(found) } else { found.into_iter().next().unwrap_or(Value::Null) }
        }
        Put::Words(words) => match key {
            "selected_user" | "selected_channel" | "selected_conversation" => json!(one(words, find)),
            "selected_users" | "selected_channels" | "selected_conversations" => {
                json!(parts(words).into_iter().map(|name| one(name, find)).collect::<Vec<_>>())
            }
            "selected_date" if !is_date(words) => panic!("{words:?} is no day: a date picker shows YYYY-MM-DD"),
            "selected_time" if !is_time(words) => panic!("{words:?} is no time: a time picker shows HH:mm"),
            "selected_date_time" => json!(moment(words)),
            _ if words.is_empty() => Value::Null,
            _ => json!(words),
        },
    };
    json!({"type": kind, key: held})
}

/// What Slack itself finds wrong with what an input holds, before it sends anything.
pub(super) fn complaint(block: &Value, state: &Value) -> Option<String> {
    let element = &block["element"];
    let kind = element["type"].as_str()?;
    let held = &state[key(kind)?];
    let empty = held.is_null() || held.as_array().is_some_and(Vec::is_empty) || held == "";
    if empty {
        let optional = block["optional"] == true;
        return (!optional).then(|| "Please complete this required field.".to_owned());
    }
    let size = |key: &str| element[key].as_u64().and_then(|size| usize::try_from(size).ok());
    let listed = held.as_array().map_or(1, Vec::len);
    let text = held.as_str().unwrap_or_default();
    let length = text.chars().count();
    match kind {
        "plain_text_input" if size("min_length").is_some_and(|least| length < least) => {
            Some("Please enter more characters.".to_owned())
        }
        "plain_text_input" if length > size("max_length").unwrap_or(3000) => {
            Some("Please enter fewer characters.".to_owned())
        }
        "number_input" => numeric(element, text),
        "email_text_input"
            if !text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')) =>
        {
            Some("Please enter a valid email address.".to_owned())
        }
        "url_text_input" if !(text.starts_with("http://") || text.starts_with("https://")) => {
            Some("Please enter a valid URL.".to_owned())
        }
        "file_input" if listed > size("max_files").unwrap_or(10) => Some("Too many files.".to_owned()),
        "file_input" => endings(element, held),
        _ if size("max_selected_items").is_some_and(|most| listed > most) => Some("Too many are selected.".to_owned()),
        _ => None,
    }
}

fn numeric(element: &Value, text: &str) -> Option<String> {
    let Some(held) = number(text, element["is_decimal_allowed"] == true) else {
        return Some("Please enter a valid number.".to_owned());
    };
    let bound = |key: &str| element[key].as_str().and_then(|text| number(text, true));
    if bound("min_value").is_some_and(|least| held < least) {
        return Some("Please enter a greater number.".to_owned());
    }
    bound("max_value").is_some_and(|most| held > most).then(|| "Please enter a smaller number.".to_owned())
}

fn endings(element: &Value, files: &Value) -> Option<String> {
    let taken: Vec<&str> = element["filetypes"].as_array()?.iter().filter_map(Value::as_str).collect();
    let fits = |file: &Value| {
        let name = file["name"].as_str().unwrap_or_default().to_ascii_lowercase();
        name.rsplit_once('.').is_some_and(|(_, ending)| taken.contains(&ending))
    };
    let all = files.as_array()?.iter().all(fits);
    (!all).then(|| "This file type is not supported.".to_owned())
}

/// All options of an element, also those in groups.
pub(super) fn options(element: &Value) -> Vec<&Value> {
    let groups = element["option_groups"].as_array().into_iter().flatten();
    let grouped = groups.flat_map(|group| group["options"].as_array().into_iter().flatten());
    element["options"].as_array().into_iter().flatten().chain(grouped).collect()
}

fn labelled(element: &Value, label: &str) -> Value {
    let all = options(element);
    let label = label.trim();
    let found = all.iter().find(|option| super::draw::words(&option["text"]) == label);
    let Some(found) = found else {
        let labels: Vec<String> = all.iter().map(|option| super::draw::words(&option["text"])).collect();
        panic!("there is no option {label:?} among {labels:?}")
    };
    (*found).clone()
}

fn parts(words: &str) -> Vec<&str> {
    words.split(';').map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn one(name: &str, find: &dyn Fn(&str) -> Option<String>) -> String {
    let found = find(name.trim().trim_start_matches(['@', '#']));
    let Some(found) = found else { panic!("nobody and nothing is called {name:?}") };
    found
}

/// Seconds since 1970 of `YYYY-MM-DDTHH:mm` in UTC, or of the number itself.
fn moment(words: &str) -> i64 {
    if let Ok(seconds) = words.parse() {
        return seconds;
    }
    let parts = words.split_once('T').filter(|(day, time)| is_date(day) && is_time(time));
    let Some((day, time)) = parts else { panic!("{words:?} is no moment: give YYYY-MM-DDTHH:mm in UTC, or seconds") };
    let number = |text: &str| text.parse::<i64>().unwrap_or(0);
    let (year, month, day) = (number(&day[..4]), number(&day[5..7]), number(&day[8..]));
    // Days from civil: years begin in March, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    days * 86_400 + number(&time[..2]) * 3600 + number(&time[3..]) * 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_seconds_since_1970() {
        assert_eq!(moment("1970-01-01T00:00"), 0);
        assert_eq!(moment("2026-05-28T20:26"), 1_780_000_000 - 40);
        assert_eq!(moment("2024-02-29T12:00"), 1_709_208_000);
        assert_eq!(moment("1780000000"), 1_780_000_000);
    }
}
