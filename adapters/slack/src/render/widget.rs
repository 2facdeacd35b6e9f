//! What stands under a question in a message.

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{DONE, FROM, HOLD, NUMERAL, Scene, TO, blocks, element};
use crate::{limits, text};

/// Options shown as buttons; more are radio buttons or a menu.
const BUTTONS: usize = 5;
/// Points of a scale shown as buttons.
const POINTS: u32 = 11;

/// The widget's blocks, which belong into one message; none where the answer is typed.
pub(super) fn widget(question: &chat::Question, lang: &str, scene: &Scene<'_>) -> Option<Vec<Value>> {
    let elements = elements(question, lang, scene)?;
    let block = json!({"type": "actions", "block_id": question.token.to_string(), "elements": elements});
    Some(vec![block])
}

fn elements(question: &chat::Question, lang: &str, scene: &Scene<'_>) -> Option<Vec<Value>> {
    let wire = |op: &str| chat::Wire::op(&question.token, op).to_string();
    let done = || blocks::button(&wire(DONE), say(Word::Done, lang), Some("primary"));
    // A change of a widget is an answer, except where several changes make one, or the answer may be what is held.
    let held = question.prefill.is_some();
    let alone = |action: String, held: bool, draw: &dyn Fn(&str) -> Option<Value>| {
        if held { Some(vec![draw(&wire(HOLD))?, done()]) } else { Some(vec![draw(&action)?]) }
    };
    let own = || question.token.to_string();
    match &question.input {
        chat::Input::Rating { min, max } if max.checked_sub(*min).is_some_and(|points| points < POINTS) => {
            let point = |value: u32| blocks::button(&wire(&format!("{NUMERAL}{value}")), &value.to_string(), None);
            Some((*min..=*max).map(point).collect())
        }
        chat::Input::Options { options, .. } if options.is_empty() => None,
        chat::Input::Options { options, multiple: false, .. } => {
            let picked = options.iter().any(|option| option.picked);
            let plain = |option: &chat::Choice| option.detail.is_none() && fits_button(&option.label);
            if options.len() == 1 || (options.len() <= BUTTONS && !picked && options.iter().all(plain)) {
                let button = |option: &chat::Choice| blocks::button(&option.token.to_string(), &option.label, None);
                return Some(options.iter().map(button).collect());
            }
            alone(own(), picked, &|action| element::list(action, &question.input, lang))
        }
        chat::Input::Options { .. } => alone(own(), true, &|action| element::list(action, &question.input, lang)),
        chat::Input::DateTime { .. } => alone(own(), true, &|action| element::picker(action, question, lang, scene)),
        chat::Input::Date { .. } | chat::Input::Time { .. } | chat::Input::Person | chat::Input::Channel => {
            alone(own(), held, &|action| element::picker(action, question, lang, scene))
        }
        chat::Input::DateRange { .. } => {
            let (from, to) = ends(question);
            Some(vec![element::day(&wire(FROM), from), element::day(&wire(TO), to), done()])
        }
        _ => None,
    }
}

/// The first and the last day that a range holds.
pub(super) fn ends(question: &chat::Question) -> (Option<&str>, Option<&str>) {
    question.prefill.as_deref().and_then(|held| held.split_once('/')).unzip()
}

fn fits_button(label: &str) -> bool {
    label.chars().count() <= limits::BUTTON_TEXT
}

/// The options in full, where a widget would cut them.
pub(super) fn long_labels(question: &chat::Question) -> Vec<Value> {
    let chat::Input::Options { options, .. } = &question.input else { return Vec::new() };
    let long = |words: &str| text::clean(words).chars().count() > limits::OPTION_TEXT;
    let cut = |option: &chat::Choice| long(&option.label) || option.detail.as_deref().is_some_and(long);
    let line = |option: &chat::Choice| match &option.detail {
        Some(detail) => format!("• {} — {detail}", option.label),
        None => format!("• {}", option.label),
    };
    // Of hundreds the search finds the rest, by any of their words.
    let cut = options.iter().filter(|option| cut(option)).take(chat::fallback::MAX_LISTED);
    let lines: Vec<String> = cut.map(line).collect();
    blocks::sections(&lines.join("\n"))
}

/// Whether a button opens the question as a modal: what only modals have, and words that are not for the chat.
pub(super) fn wants_modal(question: &chat::Question, scene: &Scene<'_>) -> bool {
    match &question.input {
        chat::Input::Number { .. } | chat::Input::Email | chat::Input::Url | chat::Input::File { .. } => true,
        chat::Input::Text { long, secret, .. } => *secret || *long || scene.closed,
        chat::Input::Options { other, .. } => *other && scene.closed,
        chat::Input::Rating { min, max } => max.saturating_sub(*min) >= POINTS,
        chat::Input::Duration | chat::Input::Phone { .. } | chat::Input::Location => scene.closed,
        _ => false,
    }
}

/// A hint that the widget does not give by itself. Where what is written is not heard, a window takes what is no option.
pub(super) fn hint(input: &chat::Input, scene: &Scene<'_>) -> Option<Word> {
    match input {
        chat::Input::Options { multiple: true, .. } => Some(Word::TickSeveral),
        chat::Input::Options { other: true, .. } if !scene.closed => Some(Word::OrType),
        chat::Input::File { .. } => Some(Word::SendFile),
        _ => None,
    }
}
