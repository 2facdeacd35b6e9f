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
        losses: if no == last { losses(reply, opens) } else { Vec::new() },
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
    let words = |value: &Value| value["text"].as_str().unwrap_or_default().to_owned();
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
fn losses(reply: &chat::Reply, opens: bool) -> Vec<String> {
    let questions = || reply.questions.iter().chain(&reply.page);
    let mut losses: Vec<String> = questions().flat_map(of_question).collect();
    let beside = reply.questions.len() + reply.page.len();
    let drawn = opens.then(|| render::modal(reply, &Scene { closed: true, zone: None })).flatten();
    let shown = drawn.and_then(|view| Some(view["blocks"].as_array()?.len())).unwrap_or(0);
    if opens && shown >= limits::VIEW_BLOCKS {
        losses
            .push(format!("a modal has at most {} blocks: not all of {beside} fields are in it", limits::VIEW_BLOCKS));
    }
    if let Some(card) = reply.card.as_ref().filter(|card| card.rows.len() > render::CARD_ROWS) {
        losses.push(format!(
            "the review of {} answers has a menu to change one, not a button at each (at most {})",
            card.rows.len(),
            render::CARD_ROWS
        ));
    }
    let cut = |words: &str, most: usize| text::clean(words).chars().count() > most;
    let labels = reply.buttons.iter().filter(|button| cut(&button.label, limits::BUTTON_TEXT));
    losses.extend(labels.map(|button| {
        format!("“{}…” is cut: a button has at most {} characters", text::cut(&button.label, 30), limits::BUTTON_TEXT)
    }));
    losses
}

fn of_question(question: &chat::Question) -> Vec<String> {
    let label = &question.label;
    let mut losses = Vec::new();
    match &question.input {
        Input::Options { options, .. } => {
            let why = match options.len() {
                count if count > limits::SELECT_OPTIONS => format!("{}", limits::SELECT_OPTIONS),
                _ => format!("{} characters", limits::LISTED_CHARS),
            };
            if !render::is_listed(options) {
                let count = options.len();
                losses.push(format!("{label}: {count} options stand behind a search (a menu has at most {why})"));
            }
            let long = |words: &str| words.chars().count() > limits::OPTION_TEXT;
            let cut = options.iter().filter(|option| long(&option.label)).count();
            if cut > 0 {
                let most = limits::OPTION_TEXT;
                losses.push(format!("{label}: {cut} options are cut at {most} characters and written out above"));
            }
        }
        Input::Text { max_chars: Some(max), .. } if usize::try_from(*max).is_ok_and(|max| max > limits::INPUT_TEXT) => {
            losses.push(format!("{label}: a text input takes at most {} characters", limits::INPUT_TEXT));
        }
        Input::File { max_files, .. } if *max_files > limits::FILES => {
            losses.push(format!("{label}: a file input takes at most {} files at once", limits::FILES));
        }
        Input::Phone { .. } | Input::Duration | Input::Location => {
            losses.push(format!("{label}: is typed; Slack has no widget for it"));
        }
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
