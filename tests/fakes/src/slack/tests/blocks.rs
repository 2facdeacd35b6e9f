//! Block Kit as the fake judges it.

use rstest::rstest;
use serde_json::{Value, json};

use super::{input, modal, section};
use crate::slack::kit::{self, Surface};

fn plain(text: &str) -> Value {
    json!({"type": "plain_text", "text": text})
}

fn button(id: &str) -> Value {
    json!({"type": "button", "action_id": id, "text": plain("Go")})
}

fn actions(elements: &Value) -> Value {
    json!({"type": "actions", "elements": elements})
}

fn option(value: &str) -> Value {
    json!({"text": plain(value), "value": value})
}

fn options(count: usize) -> Vec<Value> {
    (0..count).map(|no| option(&format!("o{no}"))).collect()
}

fn with(mut value: Value, key: &str, more: &Value) -> Value {
    value[key] = more.clone();
    value
}

fn in_input(element: &Value) -> Value {
    json!({"type": "input", "label": plain("Label"), "element": element})
}

#[rstest]
#[case::all_widgets(json!([
    section("words"),
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Address*", "verbatim": true}, "fields": [plain("Via Roma")],
        "accessory": button("edit")},
    {"type": "context", "elements": [plain("1/4")]},
    {"type": "header", "text": plain("Review")},
    {"type": "divider"},
    actions(&json!([
        button("a"),
        {"type": "static_select", "action_id": "b", "options": options(100), "initial_option": option("o7"), "placeholder": plain("Choose")},
        {"type": "multi_static_select", "action_id": "c", "options": options(3), "max_selected_items": 2},
        {"type": "external_select", "action_id": "d", "min_query_length": 0},
        {"type": "datepicker", "action_id": "e", "initial_date": "2024-02-29"},
        {"type": "timepicker", "action_id": "f", "initial_time": "23:59"},
        {"type": "datetimepicker", "action_id": "g", "initial_date_time": 1_780_000_000},
        {"type": "checkboxes", "action_id": "h", "options": options(10), "initial_options": [option("o1")]},
        {"type": "radio_buttons", "action_id": "i", "options": options(1)},
        {"type": "users_select", "action_id": "j"},
        {"type": "overflow", "action_id": "k", "options": options(5)},
    ])),
]))]
#[case::empty(json!([]))]
#[case::fifty(json!(vec![json!({"type": "divider"}); 50]))]
fn what_slack_takes_in_a_message(#[case] blocks: Value) {
    assert_eq!(kit::message(&blocks), Vec::<String>::new());
}

#[rstest]
#[case::too_many(json!(vec![json!({"type": "divider"}); 51]), "no more than 50")]
#[case::unknown_block(json!([{"type": "carousel"}]), "unsupported type: carousel")]
#[case::unknown_key(json!([with(section("x"), "colour", &json!("red"))]), "unknown: colour")]
#[case::long_section(json!([section(&"x".repeat(3001))]), "less than 3001 characters")]
#[case::empty_text(json!([section("")]), "more than 0 characters")]
#[case::header_mrkdwn(json!([{"type": "header", "text": {"type": "mrkdwn", "text": "x"}}]), "must be plain_text")]
#[case::long_header(json!([{"type": "header", "text": plain(&"x".repeat(151))}]), "less than 151")]
#[case::fields(json!([{"type": "section", "fields": vec![plain("x"); 11]}]), "no more than 10")]
#[case::empty_section(json!([{"type": "section"}]), "text or fields")]
#[case::no_elements(json!([actions(&json!([]))]), "no fewer than 1")]
#[case::too_many_elements(json!([actions(&json!((0..26).map(|no| button(&no.to_string())).collect::<Vec<_>>()))]), "no more than 25")]
#[case::long_button(json!([actions(&json!([with(button("a"), "text", &plain(&"x".repeat(76)))]))]), "less than 76")]
#[case::long_value(json!([actions(&json!([with(button("a"), "value", &json!("x".repeat(2001)))]))]), "less than 2001")]
#[case::style(json!([actions(&json!([with(button("a"), "style", &json!("plain"))]))]), "primary or danger")]
#[case::long_id(json!([actions(&json!([button(&"x".repeat(256))]))]), "less than 256")]
#[case::same_action(json!([actions(&json!([button("a")])), actions(&json!([button("a")]))]), "action_id \"a\" already exists")]
#[case::same_block(json!([with(section("x"), "block_id", &json!("b")), with(section("y"), "block_id", &json!("b"))]), "block_id \"b\" already exists")]
#[case::no_options(json!([actions(&json!([{"type": "static_select", "action_id": "a", "options": []}]))]), "no fewer than 1")]
#[case::many_options(json!([actions(&json!([{"type": "static_select", "action_id": "a", "options": options(101)}]))]), "no more than 100")]
#[case::many_radios(json!([actions(&json!([{"type": "radio_buttons", "action_id": "a", "options": options(11)}]))]), "no more than 10")]
#[case::initial(json!([actions(&json!([{"type": "radio_buttons", "action_id": "a", "options": options(2), "initial_option": option("x")}]))]), "match an option exactly")]
#[case::initial_none(json!([actions(&json!([{"type": "checkboxes", "action_id": "a", "options": options(2), "initial_options": []}]))]), "no fewer than 1")]
#[case::same_value(json!([actions(&json!([{"type": "checkboxes", "action_id": "a", "options": [option("x"), option("x")]}]))]), "already exists")]
#[case::long_option(json!([actions(&json!([{"type": "checkboxes", "action_id": "a", "options": [option(&"x".repeat(76))]}]))]), "less than 76")]
#[case::mrkdwn_option(json!([actions(&json!([{"type": "static_select", "action_id": "a", "options": [{"text": {"type": "mrkdwn", "text": "x"}, "value": "x"}]}]))]), "must be plain_text")]
#[case::date(json!([actions(&json!([{"type": "datepicker", "action_id": "a", "initial_date": "2026-02-29"}]))]), "wrong format")]
#[case::time(json!([actions(&json!([{"type": "timepicker", "action_id": "a", "initial_time": "24:00"}]))]), "wrong format")]
#[case::moment(json!([actions(&json!([{"type": "datetimepicker", "action_id": "a", "initial_date_time": 5}]))]), "whole number")]
#[case::moment_beside(json!([with(section("x"), "accessory", &json!({"type": "datetimepicker", "action_id": "a"}))]), "unsupported element here")]
#[case::typed_in_actions(json!([actions(&json!([{"type": "plain_text_input", "action_id": "a"}]))]), "unsupported element here")]
#[case::number_in_message(json!([in_input(&json!({"type": "number_input", "action_id": "a", "is_decimal_allowed": true}))]), "not for this surface")]
#[case::file_in_message(json!([in_input(&json!({"type": "file_input", "action_id": "a"}))]), "not for this surface")]
#[case::button_in_input(json!([in_input(&button("a"))]), "unsupported element here")]
#[case::emoji(json!([{"type": "section", "text": {"type": "mrkdwn", "text": "x", "emoji": true}}]), "unknown: emoji")]
#[case::context(json!([{"type": "context", "elements": vec![plain("x"); 11]}]), "no more than 10")]
fn what_slack_refuses_in_a_message(#[case] blocks: Value, #[case] why: &str) {
    let faults = kit::message(&blocks);
    assert!(faults.iter().any(|fault| fault.contains(why)), "{faults:#?}");
}

#[rstest]
#[case::title(modal("Fill in this form, please", &json!([])), "/view/title/text")]
#[case::many(modal("Pizza", &json!(vec![json!({"type": "divider"}); 101])), "no more than 100")]
#[case::no_submit({ let mut view = modal("Pizza", &json!([input("a", "Name")])); view.as_object_mut().unwrap().remove("submit"); view }, "submit is required")]
#[case::metadata(with(modal("Pizza", &json!([])), "private_metadata", &json!("x".repeat(3001))), "less than 3001")]
#[case::no_title(json!({"type": "modal", "blocks": []}), "missing required field: title")]
#[case::wrong_type(json!({"type": "home", "title": plain("x"), "blocks": []}), "must be modal")]
#[case::label(modal("Pizza", &json!([input("a", &"x".repeat(2001))])), "less than 2001")]
#[case::placeholder(modal("Pizza", &json!([in_input(&json!({"type": "plain_text_input", "placeholder": plain(&"x".repeat(151))}))])), "less than 151")]
#[case::longest(modal("Pizza", &json!([in_input(&json!({"type": "plain_text_input", "max_length": 3001}))])), "from 1 to 3000")]
#[case::held(modal("Pizza", &json!([in_input(&json!({"type": "plain_text_input", "max_length": 2, "initial_value": "abc"}))])), "less than 3")]
#[case::decimals(modal("Pizza", &json!([in_input(&json!({"type": "number_input"}))])), "is_decimal_allowed")]
#[case::bounds(modal("Pizza", &json!([in_input(&json!({"type": "number_input", "is_decimal_allowed": false, "min_value": "5", "max_value": "4"}))])), "must rise")]
#[case::fraction(modal("Pizza", &json!([in_input(&json!({"type": "number_input", "is_decimal_allowed": false, "min_value": "0.5"}))])), "allowed kind")]
#[case::files(modal("Pizza", &json!([in_input(&json!({"type": "file_input", "max_files": 11}))])), "from 1 to 10")]
#[case::filetypes(modal("Pizza", &json!([in_input(&json!({"type": "file_input", "filetypes": []}))])), "no fewer than 1")]
fn what_slack_refuses_in_a_modal(#[case] view: Value, #[case] why: &str) {
    let faults = kit::view(&view, Surface::Modal);
    assert!(faults.iter().any(|fault| fault.contains(why)), "{faults:#?}");
}

#[test]
fn a_modal_may_hold_what_messages_may_not() {
    let elements = json!([
        {"type": "number_input", "action_id": "a", "is_decimal_allowed": true, "min_value": "0.5", "max_value": "9"},
        {"type": "email_text_input", "action_id": "b"},
        {"type": "url_text_input", "action_id": "c"},
        {"type": "file_input", "action_id": "d", "max_files": 3, "filetypes": ["pdf"]},
        {"type": "plain_text_input", "action_id": "e", "multiline": true, "max_length": 3000, "initial_value": "x"},
        {"type": "channels_select", "action_id": "f", "response_url_enabled": true},
    ]);
    let blocks: Vec<Value> = elements.as_array().unwrap().iter().map(in_input).collect();
    assert_eq!(kit::view(&modal("Pizza", &json!(blocks)), Surface::Modal), Vec::<String>::new());
    assert!(!kit::view(&json!({"type": "home", "blocks": blocks}), Surface::Home).is_empty());
}
