//! A reply as Slack gets it, and a drawing of it in characters: for looking at offline.

use chat::{Input, Preview};
use formwright_chat as chat;
use serde_json::{Value, json};

use crate::render::{self, Scene};
use crate::{limits, text};

/// The messages that show a reply, and the modal that it opens. Times are drawn as in UTC.
pub fn preview(reply: &chat::Reply) -> Vec<Preview> {
    let scene = Scene { closed: reply.private, zone: Some("UTC") };
    let parts = render::render(reply, &scene);
    let last = parts.len().saturating_sub(1);
    let opens = parts.iter().any(|part| json!(part.blocks).to_string().contains(&format!("~{}\"", render::OPEN)));
    let message = |(no, part): (usize, render::Part)| Preview {
        what: "message".to_owned(),
        picture: picture(&part.blocks),
        payload: json!({"text": part.text, "blocks": part.blocks}),
        losses: if no == last { losses(reply) } else { Vec::new() },
    };
    let mut all: Vec<Preview> = parts.into_iter().enumerate().map(message).collect();
    if let Some(view) = render::modal(reply, &Scene { closed: true, ..scene }).filter(|_| opens) {
        let blocks = view["blocks"].as_array().map(Vec::as_slice).unwrap_or_default();
        let label = |key: &str| view[key]["text"].as_str().unwrap_or_default().to_owned();
        let picture = format!("{}\n\n{}[{}]  [{}]\n", label("title"), picture(blocks), label("close"), label("submit"));
        all.push(Preview { what: "modal".to_owned(), picture, payload: view, losses: Vec::new() });
    }
    all
}

/// What Slack shows of the blocks, a line each.
fn picture(blocks: &[Value]) -> String {
    blocks.iter().map(|block| format!("{}\n", drawn_block(block))).collect()
}

fn drawn_block(block: &Value) -> String {
    let words = |value: &Value| {
        let words = value["text"].as_str().unwrap_or_default();
        if value["type"] == "mrkdwn" { crate::text::entities(words) } else { words.to_owned() }
    };
    let listed = |key: &str| block[key].as_array().into_iter().flatten();
    match block["type"].as_str().unwrap_or_default() {
        "header" => format!("# {}", words(&block["text"])),
        "section" => {
            let fields = listed("fields").map(words);
            let mut lines: Vec<String> = std::iter::once(words(&block["text"])).chain(fields).collect();
            if let (Some(accessory), Some(line)) = (block.get("accessory"), lines.last_mut()) {
                *line = format!("{line}  {}", element(accessory));
            }
            lines.join("\n")
        }
        "context" => listed("elements").map(|small| format!("  {}", words(small))).collect::<Vec<_>>().join("\n"),
        "actions" => {
            let drawn: Vec<String> = listed("elements").map(element).collect();
            let separator = if drawn.iter().any(|one| one.contains('\n')) { "\n" } else { "  " };
            drawn.join(separator)
        }
        "input" => {
            let optional = if block["optional"] == true { " (optional)" } else { "" };
            let hint = block.get("hint").map(|hint| format!("\n  {}", words(hint))).unwrap_or_default();
            format!("{}{optional}\n{}{hint}", words(&block["label"]), element(&block["element"]))
        }
        _ => String::new(),
    }
}

fn element(element: &Value) -> String {
    let words = |value: &Value| value["text"].as_str().unwrap_or_default().to_owned();
    let kind = element["type"].as_str().unwrap_or_default();
    let placeholder = || words(&element["placeholder"]);
    match kind {
        "button" => format!("[{}]", words(&element["text"])),
        "radio_buttons" | "checkboxes" => {
            let held = element["initial_options"].as_array().into_iter().flatten().chain(element.get("initial_option"));
            let held: Vec<&Value> = held.collect();
            let line = |option: &Value| {
                let mark = match (kind, held.contains(&option)) {
                    ("radio_buttons", true) => "(•)",
                    ("radio_buttons", false) => "( )",
                    (_, true) => "[x]",
                    (_, false) => "[ ]",
                };
                let detail = option.get("description").map(|detail| format!(" — {}", words(detail)));
                format!("{mark} {}{}", words(&option["text"]), detail.unwrap_or_default())
            };
            let lines: Vec<String> = element["options"].as_array().into_iter().flatten().map(line).collect();
            lines.join("\n")
        }
        "external_select" | "multi_external_select" => format!("[{} … ⌕]", placeholder()),
        _ if kind.ends_with("_select") => format!("[{} ▾]", placeholder()),
        "datepicker" => format!("[{} ▾]", element["initial_date"].as_str().unwrap_or("YYYY-MM-DD")),
        "timepicker" => format!("[{} ▾]", element["initial_time"].as_str().unwrap_or("HH:MM")),
        "datetimepicker" => "[YYYY-MM-DD ▾] [HH:MM ▾]".to_owned(),
        "file_input" => "[+ file]".to_owned(),
        _ => match element["initial_value"].as_str() {
            Some(held) => format!("|{held}|"),
            None => "|______________|".to_owned(),
        },
    }
}

/// Where Slack shows less than the form asks for.
fn losses(reply: &chat::Reply) -> Vec<String> {
    let questions = || reply.questions.iter().chain(&reply.page);
    let mut losses: Vec<String> = questions().flat_map(of_question).collect();
    if let Some(card) = reply.card.as_ref().filter(|card| card.rows.len() > render::CARD_ROWS) {
        let (what, limit) = (format!("{} answers", card.rows.len()), format!("limit {}", render::CARD_ROWS));
        losses.push(lost("the review", &what, &limit, "text with a menu of answers to change"));
    }
    let cut = |words: &str, most: usize| text::clean(words).chars().count() > most;
    let labels = reply.buttons.iter().filter(|button| cut(&button.label, limits::BUTTON_TEXT));
    losses.extend(labels.map(|button| {
        let (about, limit) = (format!("button “{}”", text::cut(&button.label, 30)), characters(limits::BUTTON_TEXT));
        lost(&about, "a long label", &limit, "a label cut short")
    }));
    losses
}

fn lost(about: &str, what: &str, limit: &str, shown: &str) -> String {
    chat::loss(about, what, "Slack", limit, shown)
}

fn characters(limit: usize) -> String {
    format!("limit {limit} characters")
}

fn of_question(question: &chat::Question) -> Vec<String> {
    let about = format!("field {}", question.field);
    let mut losses = Vec::new();
    let mut push = |what: &str, limit: &str, shown: &str| losses.push(lost(&about, what, limit, shown));
    match &question.input {
        Input::Options { options, .. } => {
            if !render::is_listed(options) {
                let limit = match options.len() {
                    count if count > limits::SELECT_OPTIONS => format!("limit {}", limits::SELECT_OPTIONS),
                    _ => format!("{} in all", characters(limits::LISTED_CHARS)),
                };
                push(&format!("{} options", options.len()), &limit, "a menu to search in");
            }
            let long = |words: &str| words.chars().count() > limits::OPTION_TEXT;
            let cut = options.iter().filter(|option| long(&option.label)).count();
            if cut > 0 {
                let limit = characters(limits::OPTION_TEXT);
                push(&format!("{cut} long options"), &limit, "names cut short, written out above");
            }
        }
        Input::Text { max_chars: Some(max), .. } if usize::try_from(*max).is_ok_and(|max| max > limits::INPUT_TEXT) => {
            let (what, limit) = (format!("up to {max} characters"), characters(limits::INPUT_TEXT));
            push(&what, &limit, "an input for less, or a message");
        }
        Input::File { max_files, .. } if *max_files > limits::FILES => {
            push(&format!("{max_files} files"), &format!("limit {} at once", limits::FILES), "an input for less");
        }
        Input::Phone { .. } => push("a telephone number", "no such widget", "a text input"),
        Input::Duration => push("a length of time", "no such widget", "a text input"),
        Input::Location => push("a place on the map", "no such widget", "a text input"),
        _ => {}
    }
    losses
}

#[cfg(test)]
mod tests {
    use chat::conformance;

    use super::*;

    #[test]
    fn every_reply_has_a_picture() {
        for (name, reply) in conformance::replies() {
            for screen in preview(&reply) {
                assert!(!screen.picture.trim().is_empty(), "{name}");
            }
        }
    }

    #[test]
    fn a_page_is_drawn_as_message_and_modal() {
        let mut reply = conformance::page(vec![
            conformance::options(0, 6, false),
            conformance::options(0, 3, true),
            Input::Email,
            Input::Date { min: None, max: None },
            conformance::options(0, 120, false),
        ]);
        reply.card = conformance::review(1).card;
        let drawn: Vec<String> = preview(&reply)
            .into_iter()
            .map(|screen| format!("== {}\n{}\n{}", screen.what, screen.picture, screen.losses.join("\n")))
            .collect();
        insta::assert_snapshot!(drawn.join("\n"));
    }
}
