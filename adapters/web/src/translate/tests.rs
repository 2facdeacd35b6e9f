//! Requests to actions.

use rstest::rstest;
use serde_json::json;

use super::*;

const TOKEN: &str = "AAAAAAAAAAAAAAAAAAAAAA.3";

fn check(body: &serde_json::Value, expected: &serde_json::Value) {
    let request = chat_request(body.to_string().as_bytes()).unwrap();
    let form = request.form.clone();
    assert_eq!(&serde_json::to_value(action(request, form).unwrap()).unwrap(), expected);
}

#[rstest]
#[case::greet(json!({}), json!({ "type": "open", "form": null }))]
#[case::start(json!({ "form": "pizza", "user_message": " " }), json!({ "type": "open", "form": "pizza" }))]
#[case::nulls(
    json!({ "form": null, "user_message": null, "conversation_id": null, "tool_results": null, "press": null }),
    json!({ "type": "open", "form": null })
)]
#[case::say(json!({ "user_message": "two, please" }), json!({ "type": "say", "text": "two, please" }))]
#[case::empty_results(
    json!({ "user_message": "hi", "tool_results": [] }),
    json!({ "type": "say", "text": "hi" })
)]
#[case::button(
    json!({ "press": { "token": TOKEN } }),
    json!({ "type": "press", "presses": [{ "token": TOKEN, "value": { "type": "button" } }] })
)]
#[case::page(
    json!({ "presses": [{ "token": TOKEN, "text": "3" }, { "token": TOKEN, "options": [format!("{TOKEN}.1")] }] }),
    json!({ "type": "press", "presses": [
        { "token": TOKEN, "value": { "type": "text", "text": "3" } },
        { "token": TOKEN, "value": { "type": "options", "tokens": [format!("{TOKEN}.1")] } },
    ] })
)]
#[case::nothing_picked(
    json!({ "press": { "token": TOKEN, "options": [] } }),
    json!({ "type": "press", "presses": [{ "token": TOKEN, "value": { "type": "options", "tokens": [] } }] })
)]
#[case::files(
    json!({ "user_message": "my bill", "attach": { "files": [{ "name": "a.pdf", "type": "application/pdf", "size": 9 }] } }),
    json!({ "type": "attach", "text": "my bill", "files": [
        { "id": "a.pdf", "name": "a.pdf", "media_type": "application/pdf", "bytes": 9 },
    ] })
)]
#[case::place(
    json!({ "location": { "lat": 45.5, "lng": 9.25, "city": "Milan" } }),
    json!({ "type": "share", "location": {
        "lat": 45.5, "lng": 9.25, "address": null, "city": "Milan", "country": null,
    } })
)]
#[case::tool(
    json!({ "user_message": "", "tool_results": [{ "tool_name": "get", "result": { "a": [1] } }] }),
    json!({ "type": "tool_results", "results": [{ "call": null, "tool": "get", "result": { "a": [1] } }] })
)]
fn a_request_becomes_an_action(#[case] body: serde_json::Value, #[case] expected: serde_json::Value) {
    check(&body, &expected);
}

#[rstest]
#[case("it-IT,it;q=0.9,en;q=0.8", Some("it-IT"))]
#[case("ar", Some("ar"))]
#[case("*", None)]
#[case("", None)]
#[case("<script>", None)]
#[case("12", None)]
fn the_first_language_counts(#[case] header: &str, #[case] expected: Option<&str>) {
    assert_eq!(first_language(header).as_deref(), expected);
}
