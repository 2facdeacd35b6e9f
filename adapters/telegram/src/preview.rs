//! A reply as Telegram gets it, and a drawing of it in characters: for looking at offline.

use formwright_chat::{Input, Preview, Question, Reply};

use crate::limits;
use crate::render::html::unescape;
use crate::render::{self, Ask, Frame, Key, Markup, Message};
use crate::send::today;

/// The messages that show a reply in a private chat.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let messages = render::draw(reply, &Frame::new(today(reply), false));
    let last = messages.len().saturating_sub(1);
    let message = |(no, message): (usize, Message)| Preview {
        what: "message".to_owned(),
        payload: message.json(),
        picture: picture(&message),
        losses: if no == last { losses(reply, &message) } else { Vec::new() },
    };
    messages.into_iter().enumerate().map(message).collect()
}

fn picture(message: &Message) -> String {
    let mut lines = vec![unescape(&message.html)];
    let row = |keys: &[Key]| keys.iter().map(|key| format!("[{}]", key.label)).collect::<Vec<_>>().join(" ");
    match &message.markup {
        Markup::Bare | Markup::Remove => {}
        Markup::Inline(rows) => lines.extend(rows.iter().map(|keys| row(keys))),
        Markup::Keyboard { ask, label, words, .. } => {
            let sign = match ask {
                Ask::Phone => "☎",
                Ask::Location => "⌖",
                Ask::Person => "☺",
            };
            lines.push(format!("⌨ [{sign} {label}]"));
            lines.extend(words.chunks(3).map(|words| format!("⌨ [{}]", words.join("] ["))));
        }
        Markup::Force { hint } => lines.push(format!("⌨ {hint}")),
    }
    lines.join("\n") + "\n"
}

fn loss(about: &str, what: &str, limit: &str, shown: &str) -> String {
    formwright_chat::loss(about, what, "Telegram", limit, shown)
}

/// Where the person gets less than the form asks for.
fn losses(reply: &Reply, last: &Message) -> Vec<String> {
    let mut losses: Vec<String> = reply.questions.iter().flat_map(lost).collect();
    if !reply.page.is_empty() {
        let fields = format!("{} fields", reply.questions.len() + reply.page.len());
        losses.push(loss("the page", &fields, "no forms in a chat", "one question after the other"));
    }
    let pages = |op: char| match &last.markup {
        Markup::Inline(rows) => rows.iter().flatten().any(|key| key.turns(op)),
        _ => false,
    };
    if let (true, Some(card)) = (pages('c'), &reply.card) {
        let limit = format!("limit {} at once", render::list::EDITS);
        losses.push(loss(
            "the review",
            &format!("{} answers", card.rows.len()),
            &limit,
            "pages of buttons to change one",
        ));
    }
    let long = reply.buttons.iter().filter(|button| button.label.chars().count() > limits::LABEL);
    losses.extend(long.map(|button| {
        let about = format!("button “{}”", render::label(&button.label));
        loss(&about, "a long label", &format!("limit {} characters", limits::LABEL), "a label cut short")
    }));
    losses
}

fn lost(question: &Question) -> Vec<String> {
    let about = format!("field {}", question.field);
    let mut losses = Vec::new();
    let mut push = |what: &str, limit: &str, shown: &str| losses.push(loss(&about, what, limit, shown));
    match &question.input {
        Input::Options { options, .. } => {
            let size = render::list::size(options);
            if options.len() > size {
                push(
                    &format!("{} options", options.len()),
                    &format!("limit {size} at once"),
                    "pages; a name may be written",
                );
            }
            let long = options.iter().filter(|option| option.label.chars().count() > limits::LABEL).count();
            if long > 0 {
                let limit = format!("limit {} characters", limits::LABEL);
                push(&format!("{long} long options"), &limit, "names cut short");
            }
        }
        Input::Text { max_chars: Some(most), .. } if usize::try_from(*most).is_ok_and(|n| n > limits::TEXT) => {
            let limit = format!("limit {} in a message", limits::TEXT);
            push(&format!("up to {most} characters"), &limit, "a shorter text");
        }
        Input::Channel => push("a channel", "no list of channels", "a name to be written"),
        Input::Number { .. } | Input::Rating { .. } if render::list::values(question).is_empty() => {
            push("a number", "no widget for so wide a range", "a number to be written");
        }
        Input::File { max_bytes, .. } if max_bytes.is_none_or(|bytes| bytes > limits::FETCHABLE) => {
            let limit = format!("limit {} MB", limits::FETCHABLE / 1024 / 1024);
            push("large files", &limit, "files that can be sent, but not fetched by the bot later");
        }
        Input::Time { .. } | Input::DateTime { .. } => {
            push("a time", "limit steps of five minutes", "a clock; other times are written");
        }
        _ => {}
    }
    losses
}

#[cfg(test)]
mod tests {
    use formwright_chat::conformance;

    use super::*;

    #[test]
    fn a_screen_is_drawn_and_what_is_lost_is_said() {
        let reply = conformance::one_of(60);
        let drawn = preview(&reply);
        assert!(drawn[0].picture.contains("What is field 0?") && drawn[0].picture.contains("[1/8]"));
        assert_eq!(
            drawn[0].losses,
            ["field field0: 60 options on Telegram (limit 8 at once, shown as pages; a name may be written)"]
        );
        let page = conformance::page(conformance::inputs());
        assert!(preview(&page)[0].losses.iter().any(|loss| loss.contains("one question after the other")));
    }

    #[test]
    fn every_reply_has_a_picture() {
        for (name, reply) in conformance::replies() {
            for drawn in preview(&reply) {
                assert!(!drawn.picture.trim().is_empty(), "{name}");
                assert!(!drawn.picture.contains("<b>") || name.contains("<b>"), "{name}");
            }
        }
    }
}
