//! A question, or a page of them, as a modal: one input block each, named by the question's token, so that a problem can
//! be shown at its field.

use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{FROM, OTHER, Scene, TO, element, widget};
use crate::{limits, text};

/// `callback_id` of a modal of questions.
pub(crate) const FORM: &str = "form";
/// `callback_id` of the modal that offers forms.
pub(crate) const PICK: &str = "pick";

/// The modal of a reply's questions; none where it asks nothing. Its `private_metadata` is the screen's nonce.
pub(crate) fn modal(reply: &chat::Reply, scene: &Scene<'_>) -> Option<Value> {
    let nonce = reply.nonce()?.as_str();
    let questions: Vec<&chat::Question> = reply.questions.iter().chain(&reply.page).collect();
    let mut blocks: Vec<Value> = Vec::new();
    let mut send = Word::Send;
    for question in &questions {
        let more = inputs(question, &reply.lang, scene);
        if blocks.len() + more.len() > limits::VIEW_BLOCKS {
            // The others are asked next, in the same modal.
            send = Word::Next;
            break;
        }
        blocks.extend(more);
    }
    let own = match questions.as_slice() {
        [] => return None,
        [question] => question.label.as_str(),
        _ => say(Word::OpenForm, &reply.lang),
    };
    let title = text::title(reply.title.as_deref().unwrap_or(own), limits::MODAL_TITLE);
    Some(json!({
        "type": "modal",
        "callback_id": FORM,
        "private_metadata": nonce,
        "title": text::plain(&title, limits::MODAL_TITLE),
        "submit": text::plain(say(send, &reply.lang), limits::MODAL_TITLE),
        "close": text::plain(say(Word::Close, &reply.lang), limits::MODAL_TITLE),
        "notify_on_close": true,
        "blocks": blocks,
    }))
}

/// The blocks of one question: what was wrong before, then its inputs.
fn inputs(question: &chat::Question, lang: &str, scene: &Scene<'_>) -> Vec<Value> {
    let own = question.token.to_string();
    let wire = |op: &str| chat::Wire::op(&question.token, op).to_string();
    let mut blocks = Vec::new();
    if let Some(problem) = question.problem.as_deref().filter(|problem| !problem.trim().is_empty()) {
        blocks.push(super::blocks::context(&[problem.to_owned()]));
    }
    match &question.input {
        chat::Input::DateRange { .. } => {
            let (from, to) = widget::ends(question);
            let (first, last) = (say(Word::FirstDay, lang), say(Word::LastDay, lang));
            blocks.push(input(question, lang, &wire(FROM), Some(first), element::day(&wire(FROM), from)));
            blocks.push(input(question, lang, &wire(TO), Some(last), element::day(&wire(TO), to)));
        }
        chat::Input::Options { options, .. } if options.is_empty() => {
            blocks.push(input(question, lang, &own, None, words(question, &own)));
        }
        chat::Input::Options { other, .. } => {
            let Some(list) = element::list(&own, &question.input, lang) else { return blocks };
            let mut block = input(question, lang, &own, None, list);
            if *other {
                block["optional"] = json!(true);
            }
            blocks.push(block);
            if *other {
                let mut block = input(question, lang, &wire(OTHER), None, words(question, &wire(OTHER)));
                block["label"] = text::plain(say(Word::OrType, lang), limits::INPUT_LABEL);
                block["optional"] = json!(true);
                blocks.push(block);
            }
        }
        _ => {
            let drawn = element::picker(&own, question, lang, scene).or_else(|| element::scale(&own, question, lang));
            let element = drawn.unwrap_or_else(|| words(question, &own));
            blocks.push(input(question, lang, &own, None, element));
        }
    }
    blocks
}

fn input(question: &chat::Question, lang: &str, block: &str, part: Option<&str>, element: Value) -> Value {
    let ask = if question.ask.trim().is_empty() { &question.label } else { &question.ask };
    let label = part.map_or_else(|| ask.clone(), |part| format!("{ask} ({part})"));
    let mut input = json!({
        "type": "input",
        "block_id": block,
        "label": text::plain(&label, limits::INPUT_LABEL),
        "optional": !question.required,
        "element": element,
    });
    let help = question.help.clone().filter(|help| !text::clean(help).trim().is_empty());
    let hints: Vec<String> = help.into_iter().chain(chat::file_limits(&question.input, lang)).collect();
    if !hints.is_empty() {
        input["hint"] = text::plain(&hints.join("\n"), limits::INPUT_LABEL);
    }
    input
}

/// The input for what is typed or uploaded.
fn words(question: &chat::Question, action: &str) -> Value {
    let held = question.prefill.as_deref().filter(|held| !held.is_empty() && !held.contains('\0'));
    let mut element = match &question.input {
        chat::Input::Number { integer, min, max, .. } => {
            let mut element = json!({"type": "number_input", "action_id": action, "is_decimal_allowed": !integer});
            if let Some(min) = min {
                element["min_value"] = json!(min);
            }
            if let Some(max) = max {
                element["max_value"] = json!(max);
            }
            element
        }
        chat::Input::Rating { min, max } => json!({
            "type": "number_input", "action_id": action, "is_decimal_allowed": false,
            "min_value": min.to_string(), "max_value": max.to_string(),
        }),
        chat::Input::Email => json!({"type": "email_text_input", "action_id": action}),
        chat::Input::Url => json!({"type": "url_text_input", "action_id": action}),
        chat::Input::File { accept, max_files, .. } => return files(action, accept, *max_files),
        chat::Input::Text { long, max_chars, example, .. } => {
            let limit = u32::try_from(limits::INPUT_TEXT).unwrap_or(u32::MAX);
            let mut element = json!({"type": "plain_text_input", "action_id": action, "multiline": long});
            element["max_length"] = json!(max_chars.unwrap_or(limit).clamp(1, limit));
            if let Some(example) = example.as_deref().filter(|example| !text::clean(example).trim().is_empty()) {
                element["placeholder"] = text::plain(example, limits::PLACEHOLDER);
            }
            element
        }
        _ => json!({"type": "plain_text_input", "action_id": action, "max_length": limits::INPUT_TEXT}),
    };
    let longest = element["max_length"].as_u64().and_then(|max| usize::try_from(max).ok());
    if let Some(held) = held.filter(|held| held.chars().count() <= longest.unwrap_or(limits::INPUT_TEXT)) {
        element["initial_value"] = json!(held);
    }
    element
}

/// A file input. Name endings are Slack's way to say what is taken; media types are checked afterwards.
fn files(action: &str, accept: &[String], max_files: u32) -> Value {
    let mut element =
        json!({"type": "file_input", "action_id": action, "max_files": max_files.clamp(1, limits::FILES)});
    let ending = |taken: &String| taken.strip_prefix('.').map(str::to_ascii_lowercase);
    if let Some(endings) = accept.iter().map(ending).collect::<Option<Vec<String>>>().filter(|all| !all.is_empty()) {
        element["filetypes"] = json!(endings);
    }
    element
}
