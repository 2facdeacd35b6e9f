//! The fake by itself, through a plain HTTP client: each kind of refusal once, and what a person sees.

mod blocks;
mod transport;

use std::time::Duration;

use rstest::rstest;
use serde_json::{Value, json};

use super::http;
use super::*;
use crate::latency::Latency;

const SOON: Duration = Duration::from_secs(10);

/// Calls a method with JSON and the bot's token.
async fn call(fake: &SlackFake, method: &str, body: &Value) -> Value {
    call_as(fake, method, Some(BOT_TOKEN), body).await
}

async fn call_as(fake: &SlackFake, method: &str, token: Option<&str>, body: &Value) -> Value {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("content-type", "application/json; charset=utf-8")];
    headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
    let url = format!("{}/{method}", fake.api_url());
    let answer = http::send("POST", &url, &headers, body.to_string().as_bytes(), SOON).await.unwrap();
    serde_json::from_slice(&answer.body).unwrap()
}

/// Calls a method that takes no JSON.
async fn ask(fake: &SlackFake, method: &str, pairs: &[(&str, &str)]) -> Value {
    let url = format!("{}/{method}?{}", fake.api_url(), http::encode(pairs));
    let headers = [("authorization", "Bearer xoxb-fake-bot")];
    let answer = http::send("GET", &url, &headers, b"", SOON).await.unwrap();
    serde_json::from_slice(&answer.body).unwrap()
}

async fn post(fake: &SlackFake, body: &Value) -> String {
    let answer = call(fake, "chat.postMessage", body).await;
    assert_eq!(answer["ok"], true, "{answer}");
    answer["ts"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_method_called_too_often_is_to_come_back_later() {
    let fake = SlackFake::start().await;
    fake.limits(Limits { tiers: [1; 3], latency: Latency::default(), ..Limits::default() });
    assert_eq!(call(&fake, "conversations.open", &json!({"users": "UADA"})).await["error"], "user_not_found");
    let headers = [("content-type", "application/json; charset=utf-8"), ("authorization", "Bearer xoxb-fake-bot")];
    let url = format!("{}/conversations.open", fake.api_url());
    let answer = http::send("POST", &url, &headers, b"{\"users\": \"UADA\"}", SOON).await.unwrap();
    assert_eq!((answer.status, fake.limited()), (429, 1));
    let after: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&after), "{after}");
    assert_eq!(call(&fake, "auth.test", &json!({})).await["ok"], true, "it has no tier");
}

fn section(words: &str) -> Value {
    json!({"type": "section", "text": {"type": "plain_text", "text": words}})
}

fn modal(title: &str, blocks: &Value) -> Value {
    let plain = |text: &str| json!({"type": "plain_text", "text": text});
    json!({"type": "modal", "title": plain(title), "submit": plain("Send"), "close": plain("Close"), "blocks": blocks})
}

fn input(block: &str, label: &str) -> Value {
    json!({"type": "input", "block_id": block, "label": {"type": "plain_text", "text": label},
        "element": {"type": "plain_text_input", "action_id": block}})
}

#[rstest]
#[case::no_token("auth.test", None, json!({}), "not_authed")]
#[case::bad_token("auth.test", Some("xoxb-other"), json!({}), "invalid_auth")]
#[case::wrong_kind("chat.postMessage", Some(APP_TOKEN), json!({"channel": "CGENERAL", "text": "x"}), "not_allowed_token_type")]
#[case::bot_for_socket("apps.connections.open", Some(BOT_TOKEN), json!({}), "not_allowed_token_type")]
#[case::no_such_method("chat.shout", Some(BOT_TOKEN), json!({}), "unknown_method")]
#[case::json_not_read("users.info", Some(BOT_TOKEN), json!({"user": "UADA"}), "invalid_arguments")]
#[case::missing("chat.postMessage", Some(BOT_TOKEN), json!({"text": "x"}), "invalid_arguments")]
#[case::unknown("chat.postEphemeral", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "user": "UADA", "text": "x", "unfurl_links": false}), "invalid_arguments")]
#[case::wrong_type("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": 1}), "invalid_arguments")]
#[case::no_channel("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CNONE", "text": "x"}), "channel_not_found")]
#[case::not_member("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CELSEWHERE", "text": "x"}), "not_in_channel")]
#[case::archived("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "COLD", "text": "x"}), "is_archived")]
#[case::empty("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": " "}), "no_text")]
#[case::long("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x".repeat(40_001)}), "msg_too_long")]
#[case::no_thread("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x", "thread_ts": "1.2"}), "invalid_thread_ts")]
#[case::own_name("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x", "username": "Bob"}), "missing_scope")]
#[case::metadata("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x", "metadata": {"event_type": "a"}}), "invalid_metadata_format")]
#[case::blocks("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x", "blocks": [{"type": "section"}]}), "invalid_blocks")]
#[case::long_blocks("chat.postMessage", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "text": "x", "blocks": vec![section(&"x".repeat(2900)); 5]}), "msg_blocks_too_long")]
#[case::not_there("chat.postEphemeral", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "user": "UBEN", "text": "x"}), "user_not_in_channel")]
#[case::no_message("chat.update", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "ts": "1.2", "text": "x"}), "message_not_found")]
#[case::long_update("chat.update", Some(BOT_TOKEN), json!({"channel": "CGENERAL", "ts": "1.2", "text": "x"}), "message_not_found")]
#[case::no_trigger("views.open", Some(BOT_TOKEN), json!({"trigger_id": "1", "view": modal("Pizza", &json!([section("x")]))}), "invalid_trigger_id")]
#[case::bad_view("views.open", Some(BOT_TOKEN), json!({"trigger_id": "1", "view": modal("A title that is far too long", &json!([]))}), "invalid_arguments")]
#[case::no_view("views.update", Some(BOT_TOKEN), json!({"view_id": "V1", "view": modal("Pizza", &json!([]))}), "not_found")]
#[case::no_user("conversations.open", Some(BOT_TOKEN), json!({"users": "UNOBODY"}), "user_not_found")]
#[tokio::test]
async fn requests_that_slack_refuses(
    #[case] method: &str,
    #[case] token: Option<&str>,
    #[case] body: Value,
    #[case] code: &str,
) {
    let fake = SlackFake::start().await;
    fake.channel("general");
    fake.channel_without_bot("elsewhere");
    fake.channel("old");
    fake.archives("old");
    fake.person("Ben");
    let _ada = fake.person("Ada").in_channel("general");
    let answer = call_as(&fake, method, token, &body).await;
    assert_eq!((&answer["ok"], answer["error"].as_str()), (&json!(false), Some(code)), "{answer}");
    assert_eq!(fake.refusals().len(), 1, "{:?}", fake.refusals());
}

#[tokio::test]
async fn a_missing_scope_is_named_and_the_header_lists_what_is_there() {
    let fake = SlackFake::start().await;
    fake.grants(&["chat:write", "users:read"]);
    let answer = call(&fake, "conversations.open", &json!({"users": "U1"})).await;
    assert_eq!(answer["error"], "missing_scope");
    assert_eq!(
        (answer["needed"].as_str(), answer["provided"].as_str()),
        (Some("im:write"), Some("chat:write,users:read"))
    );
    let headers = [("authorization", "Bearer xoxb-fake-bot"), ("content-type", "application/json")];
    let answer = http::send("POST", &format!("{}/auth.test", fake.api_url()), &headers, b"{}", SOON).await.unwrap();
    assert_eq!(answer.header("x-oauth-scopes"), Some("chat:write,users:read"));
    let body: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(body["warning"], "missing_charset");
}

#[tokio::test]
async fn parameters_come_as_json_as_a_form_and_in_the_address() {
    let fake = SlackFake::start().await;
    let ada = fake.person_from("Ada", "it-IT", "Europe/Rome");
    let answer = ask(&fake, "users.info", &[("user", ada.id()), ("include_locale", "true")]).await;
    assert_eq!(answer["user"]["locale"], "it-IT", "{answer}");
    let blocks = json!([section("from a form")]).to_string();
    let form = http::encode(&[("token", BOT_TOKEN), ("channel", ada.channel_id()), ("blocks", &blocks)]);
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let url = format!("{}/chat.postMessage", fake.api_url());
    http::send("POST", &url, &headers, form.as_bytes(), SOON).await.unwrap();
    ada.sees("from a form").await;
    assert!(!fake.calls_of("chat.postMessage")[0].to_string().contains(BOT_TOKEN));
    assert_eq!(fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn faults_come_once_each_and_in_order() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada");
    fake.next_answers_to(
        "chat.postMessage",
        [Answer::TooMany { retry_after: Some(7) }, Answer::Status(503), Answer::Drop, Answer::Lose],
    );
    let body = json!({"channel": ada.id(), "text": "hello"}).to_string();
    let headers = [("authorization", "Bearer xoxb-fake-bot"), ("content-type", "application/json; charset=utf-8")];
    let url = format!("{}/chat.postMessage", fake.api_url());
    let send = || http::send("POST", &url, &headers, body.as_bytes(), SOON);
    let limited = send().await.unwrap();
    assert_eq!((limited.status, limited.header("retry-after")), (429, Some("7")));
    assert_eq!(send().await.unwrap().status, 503);
    assert!(send().await.is_err() && !ada.can_see("hello"));
    assert!(send().await.is_err() && ada.can_see("hello"));
    assert_eq!(send().await.unwrap().status, 200);
    assert_eq!(fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_trigger_opens_one_view_and_only_soon() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada");
    let view = modal("Pizza", &json!([section("x")]));
    let trigger = || fake.inner.lock().trigger(ada.id(), None);
    let open = async |trigger: &str| call(&fake, "views.open", &json!({"trigger_id": trigger, "view": view})).await;
    let first = trigger();
    assert_eq!(open(&first).await["ok"], true);
    assert_eq!(open(&first).await["error"], "exchanged_trigger_id");
    fake.set_windows(|windows| windows.trigger = Duration::ZERO);
    assert_eq!(open(&trigger()).await["error"], "expired_trigger_id");
    assert_eq!(fake.refusals().len(), 2);
}

#[tokio::test]
async fn views_lie_in_a_stack_of_three_and_a_hash_guards_them() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada");
    let view = modal("Pizza", &json!([section("x")]));
    let trigger = fake.inner.lock().trigger(ada.id(), None);
    let opened = call(&fake, "views.open", &json!({"trigger_id": trigger, "view": view})).await;
    let id = opened["view"]["id"].as_str().unwrap().to_owned();
    for expected in [None, None, Some("push_limit_reached")] {
        let trigger = fake.inner.lock().trigger(ada.id(), Some(&id));
        let answer = call(&fake, "views.push", &json!({"trigger_id": trigger, "view": view})).await;
        assert_eq!(answer["error"].as_str(), expected, "{answer}");
    }
    let other = modal("Another", &json!([section("y")]));
    let stale = json!({"view_id": id, "hash": "1.old", "view": other});
    assert_eq!(call(&fake, "views.update", &stale).await["error"], "hash_conflict");
    let fresh = json!({"view_id": id, "hash": opened["view"]["hash"], "view": other});
    assert_eq!(call(&fake, "views.update", &fresh).await["view"]["title"]["text"], "Another");
}

#[tokio::test]
async fn a_message_is_seen_by_those_it_is_for() {
    let fake = SlackFake::start().await;
    fake.channel("general");
    let ada = fake.person("Ada").in_channel("general");
    let ben = fake.person("Ben").in_channel("general");
    post(&fake, &json!({"channel": ada.channel_id(), "text": "for &lt;all&gt; of you, <@UBEN>"})).await;
    let body = json!({"channel": ada.channel_id(), "user": ada.id(), "text": "psst"});
    let whispered = call(&fake, "chat.postEphemeral", &body).await;
    ada.sees("for <all> of you, @Ben").await;
    ada.sees("formwright (only you): psst").await;
    assert!(ben.can_see("for <all>") && !ben.can_see("psst"));
    assert!(!fake.person("Ada").in_private().can_see("for <all>"));
    assert_eq!(fake.pings(), ["@UBEN in CGENERAL"]);
    let change = json!({"channel": ada.channel_id(), "ts": whispered["message_ts"], "text": "x"});
    assert_eq!(call(&fake, "chat.update", &change).await["error"], "message_not_found");
    let change = json!({"channel": ada.channel_id(), "ts": "0", "text": "x"});
    ada.writes("mine").await;
    let mine = ask(&fake, "conversations.history", &[("channel", ada.channel_id()), ("limit", "1")]).await;
    let mine = json!({"ts": mine["messages"][0]["ts"], "channel": change["channel"], "text": "x"});
    assert_eq!(call(&fake, "chat.update", &mine).await["error"], "cant_update_message");
}

#[tokio::test]
async fn history_and_threads_are_read_with_metadata_on_demand() {
    let fake = SlackFake::start().await;
    fake.channel("general");
    let ada = fake.person("Ada").in_channel("general");
    let metadata = json!({"event_type": "x", "event_payload": {"id": "1"}});
    let root = post(&fake, &json!({"channel": ada.channel_id(), "text": "root", "metadata": metadata})).await;
    post(&fake, &json!({"channel": ada.channel_id(), "text": "below", "thread_ts": root})).await;
    let channel = ("channel", ada.channel_id());
    let history = ask(&fake, "conversations.history", &[channel]).await;
    assert_eq!(history["messages"].as_array().unwrap().len(), 1);
    assert!(history["messages"][0].get("metadata").is_none());
    let replies = [channel, ("ts", root.as_str()), ("include_all_metadata", "true")];
    let replies = ask(&fake, "conversations.replies", &replies).await;
    assert_eq!(replies["messages"].as_array().unwrap().len(), 2);
    assert_eq!(replies["messages"][0]["metadata"], metadata);
    assert_eq!(ask(&fake, "conversations.replies", &[channel, ("ts", "1.0")]).await["error"], "thread_not_found");
    fake.withdraws("channels:history");
    assert_eq!(ask(&fake, "conversations.history", &[channel]).await["needed"], "channels:history");
    ada.in_thread_of("root").await.sees("below").await;
    assert!(!ada.can_see("below"));
}

#[tokio::test]
async fn app_home_is_published_and_drawn() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada");
    let home = json!({"type": "home", "blocks": [section("Your forms")]});
    let answer = call(&fake, "views.publish", &json!({"user_id": ada.id(), "view": home})).await;
    assert_eq!(answer["ok"], true, "{answer}");
    ada.sees_home("Your forms").await;
    let titled = json!({"type": "home", "title": {"type": "plain_text", "text": "x"}, "blocks": []});
    let answer = call(&fake, "views.publish", &json!({"user_id": ada.id(), "view": titled})).await;
    assert_eq!(answer["error"], "invalid_arguments");
}
