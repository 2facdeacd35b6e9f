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
        Input::Time,
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
    let reply = Reply { say: vec!["Looking…".into()], tool_call: Some(call), ..asking(Input::Time) };
    let json = |reply: Reply| serde_json::to_string(&action(&[reply])).unwrap();
    insta::assert_snapshot!(json(reply), @r#"{"action":"TOOL_CALL","tool_name":"get_countries","tool_args":{"q":"I"},"call_id":"c1","message":"Looking…\n\nThat day is over.\n\nWhich day?"}"#);
    let reply = Reply { complete: Some(json!({ "size": "large" })), say: vec!["Sent.".into()], ..Reply::default() };
    insta::assert_snapshot!(json(reply), @r#"{"action":"FORM_COMPLETE","data":{"size":"large"},"message":"Sent."}"#);
    assert_eq!(action(&[]), ClientAction::Message { text: String::new() });
}
