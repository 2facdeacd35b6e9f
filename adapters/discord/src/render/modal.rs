//! Windows: one answer, a page of answers, a search. Each field is a label with the input that fits.

use chat::words::{Word, say};
use chat::{Input, Press, Pressed, Question, Reply, Token, Wire};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{kit, text};
use crate::limits;
use crate::wire_op::Op;

/// Whether a reply has several fields to be answered in one window.
pub(crate) fn is_page(reply: &Reply) -> bool {
    reply.questions.len() + reply.page.len() > 1 && !reply.questions.is_empty()
}

/// The questions of the window that the operation opens.
pub(crate) fn questions<'a>(reply: &'a Reply, op: &Op, token: &Token) -> Vec<&'a Question> {
    match op {
        Op::Form => reply.questions.iter().chain(&reply.page).take(limits::MODAL_COMPONENTS).collect(),
        _ => reply.question(token).into_iter().collect(),
    }
}

/// A window with these questions; `draft` is what was sent and found wrong before.
pub(crate) fn window(reply: &Reply, op: &Op, token: &Token, draft: &[Press]) -> Option<Value> {
    let questions = questions(reply, op, token);
    let title = match questions.as_slice() {
        [] => return None,
        [one] => text::line(&one.label, limits::MODAL_TITLE),
        _ => page_title(reply),
    };
    let mut components: Vec<Value> = questions.iter().map(|question| field(question, &reply.lang, draft)).collect();
    if let [one] = questions.as_slice() {
        // The label has no room for a long question.
        let ask = text::escape(&one.ask);
        let told = text::is_cut(&one.ask, limits::LABEL_DESCRIPTION);
        components.splice(..0, told.then(|| kit::words(text::clip(&ask, limits::INPUT_TEXT))));
    }
    Some(modal(&op.on(token), &title, components))
}

/// What the questions are a part of; where they do not all fit, that this is the first of several windows: the others are
/// opened from the replies that follow.
fn page_title(reply: &Reply) -> String {
    let count = (reply.questions.len() + reply.page.len()).div_ceil(limits::MODAL_COMPONENTS);
    let part = if count > 1 { format!(" (1/{count})") } else { String::new() };
    let title = reply.title.as_deref().filter(|title| !title.trim().is_empty());
    let title = title.unwrap_or_else(|| say(Word::OpenForm, &reply.lang));
    text::line(title, limits::MODAL_TITLE - text::units(&part)) + &part
}

/// The window that searches a long list.
pub(crate) fn search(question: &Question, lang: &str) -> Value {
    let input = json!({
        "type": 4, "custom_id": Wire::press(&question.token).to_string(), "style": 1, "required": true, "max_length": 100,
    });
    let field = label(say(Word::Search, lang), None, input);
    modal(&Op::Search.on(&question.token), &question.label, vec![field])
}

fn modal(wire: &Wire, title: &str, components: Vec<Value>) -> Value {
    json!({
        "custom_id": wire.to_string(),
        "title": text::line(title, limits::MODAL_TITLE),
        "components": components,
    })
}

fn label(words: &str, description: Option<&str>, component: Value) -> Value {
    let mut label = json!({"type": 18, "label": text::line(words, limits::LABEL), "component": component});
    if let Some(description) = description.filter(|words| !text::clean(words).trim().is_empty()) {
        label["description"] = text::line(description, limits::LABEL_DESCRIPTION).into();
    }
    label
}

fn field(question: &Question, lang: &str, draft: &[Press]) -> Value {
    let asks = Some(question.ask.as_str()).filter(|ask| *ask != question.label);
    let words = question.problem.as_deref().or(asks).or(question.help.as_deref());
    let description = match (words, chat::file_limits(&question.input, lang)) {
        (Some(words), Some(files)) => {
            let both = format!("{words} ({files})");
            // The label says which field it is, and nothing else which files are taken.
            if text::is_cut(&both, limits::LABEL_DESCRIPTION) { Some(files) } else { Some(both) }
        }
        (words, files) => files.or(words.map(str::to_owned)),
    };
    let description = description.as_deref();
    let held = draft.iter().find(|press| press.token.slot == question.token.slot).map(|press| &press.value);
    label(&question.label, description, input(question, lang, held))
}

/// The input that fits; `held` is what it held before.
fn input(question: &Question, lang: &str, held: Option<&Pressed>) -> Value {
    let id = Wire::press(&question.token).to_string();
    let required = question.required;
    match &question.input {
        Input::Options { .. } => match list(question, &id, lang, held) {
            Some(list) => list,
            None => text_input(question, &id, lang, held),
        },
        Input::Rating { min, max } if (1..25).contains(&max.saturating_sub(*min)) => {
            let held = match held {
                Some(Pressed::Text { text }) => Some(text.clone()),
                _ => question.prefill.clone(),
            };
            let option = |no: u32| {
                let no = no.to_string();
                kit::option(&Op::Value(no.clone()).on(&question.token), &no, None, held.as_deref() == Some(no.as_str()))
            };
            let options: Vec<Value> = (*min..=*max).map(option).collect();
            one_of(&id, required, lang, options)
        }
        Input::Person | Input::Channel => {
            let kind = if question.input == Input::Person { 5 } else { 8 };
            json!({"type": kind, "custom_id": id, "required": required, "max_values": 1,
                "min_values": u8::from(required)})
        }
        Input::File { max_files, .. } => json!({"type": 19, "custom_id": id, "required": required,
            "min_values": u8::from(required), "max_values": (*max_files).clamp(1, limits::FILES)}),
        _ => text_input(question, &id, lang, held),
    }
}

/// A list as radio buttons, check boxes or a select; none where it is too long for a window.
fn list(question: &Question, id: &str, lang: &str, held: Option<&Pressed>) -> Option<Value> {
    let Input::Options { options, multiple, min, max, other } = &question.input else { return None };
    if options.is_empty() || options.len() > limits::SELECT_OPTIONS || *other {
        return None;
    }
    let picked = |token: &Token, picked: bool| match held {
        Some(Pressed::Options { tokens }) => tokens.contains(token),
        _ => picked,
    };
    let mut seen = 0_u32;
    let most = if *multiple { max.unwrap_or(u32::MAX) } else { 1 };
    let option = |option: &chat::Choice| {
        let on = picked(&option.token, option.picked) && seen < most;
        seen += u32::from(on);
        kit::option(&Wire::press(&option.token), &option.label, option.detail.as_deref(), on)
    };
    let drawn: Vec<Value> = options.iter().map(option).collect();
    if !multiple {
        return Some(one_of(id, question.required, lang, drawn));
    }
    let required = question.required;
    let count = u32::try_from(drawn.len()).unwrap_or(u32::MAX);
    let most = max.unwrap_or(count).clamp(1, count);
    let least = if required { (*min).clamp(1, most) } else { 0 };
    let kind = if drawn.len() <= limits::CHECKBOX_OPTIONS { 22 } else { 3 };
    Some(json!({"type": kind, "custom_id": id, "required": required, "min_values": least, "max_values": most,
        "options": drawn}))
}

fn one_of(id: &str, required: bool, lang: &str, options: Vec<Value>) -> Value {
    if limits::RADIO_OPTIONS.contains(&options.len()) {
        return json!({"type": 21, "custom_id": id, "required": required, "options": options});
    }
    json!({"type": 3, "custom_id": id, "required": required, "min_values": u8::from(required), "max_values": 1,
        "placeholder": say(Word::Choose, lang), "options": options})
}

fn text_input(question: &Question, id: &str, lang: &str, held: Option<&Pressed>) -> Value {
    let (long, max_chars, secret) = match &question.input {
        Input::Text { long, max_chars, secret, .. } => (*long, *max_chars, *secret),
        _ => (false, None, false),
    };
    let most = max_chars.and_then(|max| usize::try_from(max).ok()).unwrap_or(limits::INPUT_TEXT);
    let most = most.clamp(1, limits::INPUT_TEXT);
    let mut input = json!({"type": 4, "custom_id": id, "style": if long { 2 } else { 1 },
        "required": question.required, "max_length": most});
    if let Some(example) = example(&question.input, lang) {
        input["placeholder"] = text::line(&example, limits::INPUT_PLACEHOLDER).into();
    }
    let value = match held {
        Some(Pressed::Text { text }) => Some(text.as_str()),
        Some(Pressed::Empty) => None,
        _ => question.prefill.as_deref().filter(|_| !secret),
    };
    // Longer than the input takes: the person starts anew rather than with half of it.
    if let Some(value) = value.map(text::clean).filter(|value| (1..=most).contains(&text::units(value))) {
        input["value"] = value.into();
    }
    input
}

/// What an answer may look like.
fn example(input: &Input, lang: &str) -> Option<String> {
    let example = match input {
        Input::Text { example, .. } => return example.clone(),
        Input::Number { min: Some(min), max: Some(max), unit, .. } => {
            format!("{min} – {max} {}", unit.as_deref().unwrap_or_default())
        }
        Input::Number { unit, .. } => return unit.clone(),
        Input::Rating { min, max } => format!("{min} – {max}"),
        Input::Options { options, .. } => {
            let labels: Vec<&str> = options.iter().take(3).map(|option| option.label.as_str()).collect();
            if labels.is_empty() {
                return None;
            }
            format!("{}, …", labels.join(", "))
        }
        Input::Date { .. } => format!("2026-12-31, {}", say(Word::Tomorrow, lang).to_lowercase()),
        Input::Time { min: Some(min), max: Some(max) } => format!("{min} – {max}"),
        Input::Time { .. } => "17:30".to_owned(),
        Input::DateTime { .. } => "2026-12-31 17:30".to_owned(),
        Input::DateRange { .. } => "2026-12-24 – 2026-12-31".to_owned(),
        Input::Duration => "2:30, 90 min".to_owned(),
        Input::Email => "ada@example.com".to_owned(),
        Input::Url => "https://example.com".to_owned(),
        Input::Location => "45.4642, 9.1900".to_owned(),
        Input::Phone { .. } => return None,
        Input::Person | Input::Channel | Input::File { .. } => return None,
    };
    Some(example.trim().to_owned())
}
