//! Replies to actions: a snapshot for every kind of input and reply.

use formwright_chat::{Button, ButtonRole, CardRow, Choice, Nonce, Source, Token, ToolCall};
use serde_json::json;

use super::*;

fn options(multiple: bool) -> Input {
    let token = Token::new(&Nonce::new(1), 0);
    let choice = |no, label: &str| Choice { token: token.option(no), label: label.into(), detail: None, picked: false };
    let options = vec![choice(0, "Margherita"), choice(1, "<b>Diavola</b>")];
    Input::Options { options, multiple, min: 0, max: None, other: false }
}

fn asking(input: Input) -> Reply {
    let question = Question {
        field: "items[0].day".into(),
        token: Token::new(&Nonce::new(1), 0),
        label: "Day".into(),
        ask: "Which day?".into(),
        help: None,
        required: true,
        problem: Some("That day is over.".into()),
        prefill: None,
        input,
    };
    Reply { say: vec!["Thanks. Which day?".into()], questions: vec![question], ..Reply::default() }
}

/// A list without options cannot be answered: what there is to do stands in the message.
#[test]
fn options_that_are_not_there_are_not_asked_for() {
    let none = |other| Input::Options { options: Vec::new(), multiple: false, min: 0, max: None, other };
    let mut failed = asking(none(false));
    let button = |label: &str, no| Button {
        token: Token::new(&Nonce::new(1), no),
        label: label.into(),
        role: ButtonRole::Plain,
    };
    failed.buttons = vec![button("Try again", 1), button("Back", 2)];
    let action = |reply| serde_json::to_value(action(&[reply])).unwrap();
    let text = "Thanks. Which day?\n\nThat day is over.\n\n[Try again] [Back]";
    assert_eq!(action(failed), json!({ "action": "MESSAGE", "text": text }));
    assert_eq!(action(asking(none(true)))["action"], "ASK_TEXT");
}

#[test]
fn what_is_asked_next_is_shown_though_a_form_was_submitted() {
    let reply = Reply { complete: Some(json!({ "size": "large" })), ..asking(Input::Date { min: None, max: None }) };
    assert_eq!(serde_json::to_value(action(&[reply])).unwrap()["action"], "ASK_DATE");
}

#[test]
fn every_input_has_its_action() {
    let text = |long, secret| Input::Text { long, max_chars: None, example: None, secret };
    let inputs = [
        text(false, false),
        text(true, false),
        text(false, true),
        Input::Number { integer: true, min: None, max: None, unit: None },
        Input::Rating { min: 1, max: 5 },
        options(false),
        options(true),
        Input::Date { min: None, max: None },
        Input::Time { min: None, max: None },
        Input::DateTime { min: None, max: None },
        Input::DateRange { min: None, max: None },
        Input::Duration,
        Input::Phone { country: None },
        Input::Email,
        Input::Url,
        Input::Person,
        Input::Channel,
        Input::File { accept: vec![], max_bytes: None, max_files: 1 },
        Input::Location,
    ];
    let lines = inputs.map(|input| {
        let kind = serde_json::to_value(&input).unwrap()["type"].as_str().unwrap().to_owned();
        format!("{kind}: {}", serde_json::to_string(&action(&[asking(input)])).unwrap())
    });
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_words_of_a_whole_turn_are_in_its_action() {
    let token = Token::new(&Nonce::new(1), 0);
    let said = Reply { say: vec!["Changed: size.".into(), String::new()], ..Reply::default() };
    let row = |label: &str, value: &str| CardRow {
        field: label.to_lowercase(),
        label: label.into(),
        value: value.into(),
        source: Source::Said,
        edit: Some(token.clone()),
    };
    let button = |label: &str, role| Button { token: token.clone(), label: label.into(), role };
    let review = Reply {
        say: vec!["Is this right?".into()],
        card: Some(Card {
            title: "Pizza order".into(),
            rows: vec![row("Size", "large"), row("Phone", "+39 347 123 4567")],
        }),
        buttons: vec![button("Confirm", ButtonRole::Primary), button("Cancel", ButtonRole::Danger)],
        ..Reply::default()
    };
    let ClientAction::Message { text } = action(&[said, review]) else { panic!("not a message") };
    insta::assert_snapshot!(text, @r"
    Changed: size.

    Is this right?

    Pizza order
    Size: large
    Phone: +39 347 123 4567

    [Confirm] [Cancel]
    ");
}

#[test]
fn tools_and_completion_come_before_questions() {
    let call = ToolCall { call: "c1".into(), tool: "get_countries".into(), args: json!({ "q": "I" }) };
    let reply = Reply { say: vec!["Looking…".into()], tool_call: Some(call), ..asking(Input::Duration) };
    let json = |reply: Reply| serde_json::to_string(&action(&[reply])).unwrap();
    insta::assert_snapshot!(json(reply), @r#"{"action":"TOOL_CALL","tool_name":"get_countries","tool_args":{"q":"I"},"call_id":"c1","message":"Looking…\n\nThat day is over.\n\nWhich day?"}"#);
    let reply = Reply { complete: Some(json!({ "size": "large" })), say: vec!["Sent.".into()], ..Reply::default() };
    insta::assert_snapshot!(json(reply), @r#"{"action":"FORM_COMPLETE","data":{"size":"large"},"message":"Sent."}"#);
    assert_eq!(action(&[]), ClientAction::Message { text: String::new() });
}

/// What a page and an API client get of a reply: the words of the action, and the reply as it stands for the page, whose
/// widgets are its tokens.
fn drawn(reply: &Reply) -> formwright_chat::conformance::Drawn {
    let body = serde_json::to_value(response("c".to_owned(), vec![reply.clone()], &[], None)).unwrap();
    let mut drawn = formwright_chat::conformance::Drawn::default();
    let words = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let action = if body["action"].is_object() { &body["action"] } else { &body };
    let mut seen: Vec<String> = ["message", "text"].iter().filter_map(|key| words(&action[*key])).collect();
    seen.extend(action["options"].as_array().into_iter().flatten().filter_map(words));
    match serde_json::from_value::<Vec<Reply>>(body["replies"].clone()) {
        Ok(replies) if replies == [reply.clone()] => {
            for question in reply.questions.iter().chain(&reply.page) {
                drawn.reachable.insert(question.token.clone());
                if let Input::Options { options, .. } = &question.input {
                    drawn.reachable.extend(options.iter().map(|option| option.token.clone()));
                }
            }
            drawn.reachable.extend(reply.buttons.iter().map(|button| button.token.clone()));
            let rows = reply.card.iter().flat_map(|card| &card.rows);
            drawn.reachable.extend(rows.filter_map(|row| row.edit.clone()));
        }
        other => drawn.broken.push(format!("the page gets another reply: {other:?}")),
    }
    if let Some(question) = reply.questions.first().filter(|_| reply.complete.is_none() && reply.tool_call.is_none()) {
        if action["label"] != question.label.as_str() || action["field_id"] != question.field.as_str() {
            drawn.broken.push(format!("the action asks something else: {action}"));
        }
        let offers = action["options"].as_array().map(Vec::len);
        let wanted = if let Input::Options { options, .. } = &question.input { Some(options.len()) } else { None };
        if offers != wanted {
            drawn.broken.push(format!("{offers:?} options of {wanted:?}"));
        }
        // A client that shows text alone still has the question.
        if !question.ask.is_empty() && !seen.iter().any(|words| words.contains(question.ask.as_str())) {
            drawn.broken.push("the question is not in the words".to_owned());
        }
    }
    drawn.seen = seen.join("\n");
    drawn
}

#[test]
fn every_reply_can_be_read_and_answered() {
    assert_eq!(formwright_chat::conformance::faults(drawn), Vec::<String>::new());
}
