//! A reply as Telegram gets it, and a drawing of it in characters: for looking at offline.

use formwright_chat::{Input, Preview, Question, Reply};

use crate::limits;
use crate::render::html::unescape;
use crate::render::{self, Ask, Frame, Key, Markup, Message};
use crate::send::today;

/// The messages that show a reply in a private chat.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let messages = render::draw(reply, &Frame::new(today(), false));
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

/// Where the person gets less than the form asks for.
fn losses(reply: &Reply, last: &Message) -> Vec<String> {
    let mut losses: Vec<String> = reply.questions.iter().flat_map(lost).collect();
    if !reply.page.is_empty() {
        losses
            .push("Telegram has no forms in a chat: the questions of a page are asked one after the other".to_owned());
    }
    let pages = |op: char| match &last.markup {
        Markup::Inline(rows) => rows.iter().flatten().any(|key| key.turns(op)),
        _ => false,
    };
    if pages('c') {
        losses.push("the edit buttons of the review are on several pages".to_owned());
    }
    let long = reply.buttons.iter().filter(|button| button.label.chars().count() > limits::LABEL);
    losses.extend(
        long.map(|button| {
            format!("the button “{}” is cut to {} characters", render::label(&button.label), limits::LABEL)
        }),
    );
    losses
}

fn lost(question: &Question) -> Vec<String> {
    let field = &question.field;
    let mut losses = Vec::new();
    match &question.input {
        Input::Options { options, .. } => {
            let size = render::list::size(options);
            if options.len() > size {
                losses.push(format!("{field}: {} options are on pages of {size}", options.len()));
            }
            let long = options.iter().filter(|option| option.label.chars().count() > limits::LABEL).count();
            if long > 0 {
                losses.push(format!("{field}: {long} option labels are cut to {} characters", limits::LABEL));
            }
        }
        Input::Channel => losses.push(format!("{field}: Telegram has no list of channels, the name is written")),
        Input::Number { .. } | Input::Rating { .. } if render::list::values(question).is_empty() => {
            losses.push(format!("{field}: the number is written, there is no widget for so wide a range"));
        }
        Input::File { max_bytes, .. } if max_bytes.is_none_or(|bytes| bytes > limits::FETCHABLE) => {
            losses.push(format!(
                "{field}: files above {} MB can be sent, but not be fetched later by the bot",
                limits::FETCHABLE / 1024 / 1024
            ));
        }
        Input::Time { .. } | Input::DateTime { .. } => {
            losses.push(format!("{field}: the clock has steps of five minutes; other times are written"));
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
        assert_eq!(drawn[0].losses, ["field0: 60 options are on pages of 8"]);
        let page = conformance::page(conformance::inputs());
        assert!(preview(&page)[0].losses.iter().any(|loss| loss.contains("one after the other")));
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
