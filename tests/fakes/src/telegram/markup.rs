//! Keyboards: what Telegram takes beside the shape that the table of methods checks.

use serde_json::Value;

use super::Refusal;

/// Buttons beside each other; more are refused, though nothing says so.
const ROW: usize = 8;
/// Buttons of an inline keyboard.
const INLINE: usize = 100;
/// Buttons of a keyboard in place of the person's own.
const KEYBOARD: usize = 300;
/// What a button may do, one each.
const DEEDS: [&str; 10] = [
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
];

/// Checks a keyboard for a chat.
pub(super) fn check(markup: &Value, private: bool) -> Result<(), Refusal> {
    if let Some(hint) = markup["input_field_placeholder"].as_str()
        && !(1..=64).contains(&hint.chars().count())
    {
        return Err(Refusal::bad("input field placeholder must be 1-64 characters long"));
    }
    if let Some(rows) = markup["inline_keyboard"].as_array() {
        return rows_of(rows, INLINE).and_then(|buttons| buttons.into_iter().try_for_each(inline));
    }
    if let Some(rows) = markup["keyboard"].as_array() {
        if rows.iter().all(|row| row.as_array().is_none_or(Vec::is_empty)) {
            return Err(Refusal::bad("reply markup has no buttons"));
        }
        return rows_of(rows, KEYBOARD)?.into_iter().try_for_each(|button| keyboard(button, private));
    }
    let flag = if markup["force_reply"].is_null() { &markup["remove_keyboard"] } else { &markup["force_reply"] };
    if *flag == Value::Bool(true) { Ok(()) } else { Err(Refusal::bad("reply markup must be turned on by true")) }
}

fn rows_of(rows: &[Value], most: usize) -> Result<Vec<&Value>, Refusal> {
    let rows: Vec<&Vec<Value>> = rows.iter().filter_map(Value::as_array).collect();
    if let Some(row) = rows.iter().find(|row| row.len() > ROW) {
        return Err(Refusal::bad(format!("BUTTON_ROW_TOO_LONG: {} buttons in a row", row.len())));
    }
    let buttons: Vec<&Value> = rows.into_iter().flatten().collect();
    if buttons.len() > most {
        return Err(Refusal::bad(format!("REPLY_MARKUP_TOO_LONG: {} buttons", buttons.len())));
    }
    if let Some(style) = buttons.iter().filter_map(|button| button["style"].as_str()).find(|style| !styled(style)) {
        return Err(Refusal::bad(format!("button style \"{style}\" is unknown")));
    }
    match buttons.iter().find(|button| button["text"].as_str().is_none_or(|text| text.trim().is_empty())) {
        Some(_) => Err(Refusal::bad("keyboard button text must be non-empty")),
        None => Ok(buttons),
    }
}

fn styled(style: &str) -> bool {
    ["primary", "success", "danger"].contains(&style)
}

fn inline(button: &Value) -> Result<(), Refusal> {
    let deeds: Vec<&str> = DEEDS.into_iter().filter(|deed| button.get(deed).is_some()).collect();
    let [deed] = deeds.as_slice() else {
        let why = if deeds.is_empty() {
            "Text buttons are unallowed in the inline keyboard".to_owned()
        } else {
            format!("Exactly one type of the button must be used, found {}", deeds.join(", "))
        };
        return Err(Refusal::bad(format!("can't parse inline keyboard button: {why}")));
    };
    let text = button[*deed].as_str().unwrap_or_default();
    match *deed {
        "callback_data" if !(1..=64).contains(&text.len()) => Err(Refusal::bad("BUTTON_DATA_INVALID")),
        "url" if !is_url(text) => {
            Err(Refusal::bad(format!("inline keyboard button URL '{text}' is invalid: Wrong HTTP URL")))
        }
        "copy_text"
            if !(1..=256).contains(&button["copy_text"]["text"].as_str().unwrap_or_default().chars().count()) =>
        {
            Err(Refusal::bad("BUTTON_COPY_TEXT_INVALID"))
        }
        _ => Ok(()),
    }
}

fn is_url(url: &str) -> bool {
    let web = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    match web {
        Some(rest) => rest.split(['/', '?']).next().is_some_and(|host| host.contains('.')) && !url.contains(' '),
        None => url.starts_with("tg://"),
    }
}

fn keyboard(button: &Value, private: bool) -> Result<(), Refusal> {
    let asks = ["request_users", "request_chat", "request_contact", "request_location", "request_poll", "web_app"];
    let asked: Vec<&str> =
        asks.into_iter().filter(|ask| button.get(ask).is_some_and(|ask| *ask != Value::Bool(false))).collect();
    if asked.len() > 1 {
        return Err(Refusal::bad(format!("a keyboard button can ask for one thing only, found {}", asked.join(", "))));
    }
    match asked.first() {
        Some(&"request_contact") if !private => {
            Err(Refusal::bad("phone number can be requested in private chats only"))
        }
        Some(&"request_location") if !private => Err(Refusal::bad("location can be requested in private chats only")),
        Some(&"web_app" | &"request_users" | &"request_chat" | &"request_poll") if !private => {
            Err(Refusal::bad("this button can be used in private chats only"))
        }
        Some(&"request_users") => {
            let most = button["request_users"]["max_quantity"].as_i64().unwrap_or(1);
            if (1..=10).contains(&most) { Ok(()) } else { Err(Refusal::bad("wrong max_quantity specified")) }
        }
        _ => Ok(()),
    }
}
