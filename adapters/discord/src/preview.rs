//! A reply as Discord gets it, and a drawing of it in characters: for looking at offline.

use chat::{Input, Preview, Question, Reply};
use formwright_chat as chat;
use serde_json::Value;

use crate::limits;
use crate::render::{self, Canvas, modal};
use crate::wire_op::Op;

/// The messages that show a reply in a direct message, and the window of its page of fields.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let today = jiff::Zoned::now().date();
    let mut previews: Vec<Preview> = render::messages(reply, &Canvas::new(true, today))
        .into_iter()
        .map(|payload| drawn("message", payload))
        .collect();
    if let (true, Some(first)) = (modal::is_page(reply), reply.questions.first()) {
        previews.extend(modal::window(reply, &Op::Form, &first.token, &[]).map(|payload| drawn("window", payload)));
    }
    if let Some(last) = previews.last_mut() {
        last.losses = reply.questions.iter().flat_map(lost).collect();
        let beyond = (reply.questions.len() + reply.page.len()).saturating_sub(limits::MODAL_COMPONENTS);
        if beyond > 0 && modal::is_page(reply) {
            let most = limits::MODAL_COMPONENTS;
            let (what, limit) = (format!("{} fields", most + beyond), format!("limit {most} in a window"));
            last.losses.push(loss(
                "the page",
                &what,
                &limit,
                &format!("a window of {most}, the others asked afterwards"),
            ));
        }
    }
    previews
}

fn drawn(what: &str, payload: Value) -> Preview {
    let mut picture = String::new();
    draw(&payload, &mut picture);
    Preview { what: what.to_owned(), payload, picture, losses: Vec::new() }
}

/// Draws a message, a window or a component, each on lines of its own; buttons of a row beside each other.
fn draw(part: &Value, out: &mut String) {
    let mut line = |text: &str| {
        if !text.is_empty() {
            out.push_str(text);
            out.push('\n');
        }
    };
    for key in ["title", "content", "label"] {
        if part["type"].as_u64() != Some(2) {
            line(part[key].as_str().unwrap_or_default());
        }
    }
    match part["type"].as_u64() {
        Some(1) => {
            let buttons = part["components"].as_array().into_iter().flatten().filter_map(button);
            line(&buttons.collect::<Vec<_>>().join(" "));
        }
        Some(3 | 21 | 22) => {
            let mark = if part["max_values"].as_u64().unwrap_or(1) > 1 { "[ ]" } else { "( )" };
            line(part["placeholder"].as_str().unwrap_or_default());
            for option in part["options"].as_array().into_iter().flatten() {
                line(&format!("{mark} {}", option["label"].as_str().unwrap_or_default()));
            }
        }
        Some(4) => line(&format!("[{:_<20}]", part["value"].as_str().unwrap_or_default())),
        Some(5) => line("[a person ▾]"),
        Some(8) => line("[a channel ▾]"),
        Some(14) => line("────"),
        Some(19) => line("[files]"),
        _ => {}
    }
    for component in part["components"].as_array().into_iter().flatten().chain(part.get("component")) {
        draw(component, out);
    }
    if let Some(button) = part.get("accessory").and_then(button) {
        out.push_str(&button);
        out.push('\n');
    }
}

fn button(part: &Value) -> Option<String> {
    (part["type"].as_u64() == Some(2)).then(|| format!("[{}]", part["label"].as_str().unwrap_or_default()))
}

fn loss(about: &str, what: &str, limit: &str, shown: &str) -> String {
    chat::loss(about, what, "Discord", limit, shown)
}

/// Where the person gets less than the form asks for.
fn lost(question: &Question) -> Vec<String> {
    let about = format!("field {}", question.field);
    let lost = |what: &str, limit: &str, shown: &str| vec![loss(&about, what, limit, shown)];
    match &question.input {
        Input::Options { options, .. } => {
            let mut losses = Vec::new();
            if options.len() > limits::SELECT_OPTIONS {
                let (what, limit) = (format!("{} options", options.len()), format!("limit {}", limits::SELECT_OPTIONS));
                losses.extend(lost(&what, &limit, "pages with a search"));
            }
            let long = options.iter().filter(|option| option.label.chars().count() > limits::BUTTON_LABEL).count();
            if long > 0 {
                let limit = format!("limit {} on a button, {} in a list", limits::BUTTON_LABEL, limits::OPTION_TEXT);
                losses.extend(lost(&format!("{long} long options"), &limit, "names cut short"));
            }
            losses
        }
        Input::Text { max_chars: Some(most), .. } if usize::try_from(*most).is_ok_and(|n| n > limits::INPUT_TEXT) => {
            let limit = format!("limit {} in a window, {} in a message", limits::INPUT_TEXT, limits::CONTENT);
            lost(&format!("up to {most} characters"), &limit, "a shorter text")
        }
        Input::Date { .. } | Input::DateRange { .. } => lost("a day", "no calendar", "a list of days near today"),
        Input::DateTime { .. } => {
            lost("a day and a time", "no calendar or clock", "lists of days near today and hours")
        }
        Input::Time { .. } => lost("a time", "no clock", "a list of hours"),
        Input::Location => lost("a place on the map", "no map", "words to be written"),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat::conformance;

    use super::*;

    #[test]
    fn every_reply_has_a_picture() {
        for (name, reply) in conformance::replies() {
            for preview in preview(&reply) {
                assert!(!preview.picture.trim().is_empty(), "{name}: {}", preview.payload);
            }
        }
    }

    #[test]
    fn a_page_is_a_window_and_what_does_not_fit_is_said() {
        let previews = preview(&conformance::page(conformance::inputs()));
        let window = previews.last().unwrap();
        assert_eq!(window.what, "window");
        assert!(
            window.losses.iter().any(|loss| loss.contains("(limit 5 in a window, shown as")),
            "{:?}",
            window.losses
        );
    }

    #[test]
    fn a_text_that_no_window_holds_is_said() {
        let text = Input::Text { long: true, max_chars: Some(9000), example: None, secret: false };
        let losses: Vec<String> = preview(&conformance::asking(text)).into_iter().flat_map(|one| one.losses).collect();
        assert!(losses.iter().any(|loss| loss.contains("limit 4000 in a window, 2000 in a message")), "{losses:?}");
    }
}
