//! The client against a server on loopback that goes wrong in every way of those in the field.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use formwright_chat as chat;
use formwright_fakes::llm::{KEY, MODEL, Mode, ModelFake, Settings, obedient};
use rstest::rstest;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::{OpenAi, OpenAiSettings};
use crate::Model as _;
use formwright_engine::ModelCall;
use formwright_http::secret::Secret;

/// Long enough for any answer that comes at all, on a machine with much else to do.
const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(400);
const SECRET_WORDS: &str = "my cat is called Umbriel";

fn settings(fake: &ModelFake, deadline: Duration) -> OpenAiSettings {
    OpenAiSettings {
        base_url: fake.url(),
        key: Secret::new(KEY),
        model: MODEL.to_owned(),
        deadline,
        per_minute: (1_000, 1_000),
    }
}

async fn server(mode: Mode) -> ModelFake {
    ModelFake::start(mode, obedient(&[("Umbriel", "cat", "umbriel")])).await
}

fn client(fake: &ModelFake, deadline: Duration) -> OpenAi {
    OpenAi::new(settings(fake, deadline)).unwrap()
}

fn question() -> ModelCall {
    let update = json!({
        "type": "object", "additionalProperties": false, "required": ["field", "quote", "value"],
        "properties": {
            "field": {"type": "string", "enum": ["cat"]}, "quote": {"type": "string"}, "value": {"type": "string"},
        },
    });
    ModelCall {
        call: "1".to_owned(),
        system: "Reply with one JSON object.".to_owned(),
        message: format!("Asked last: cat\nThe message:\n<<<\n{SECRET_WORDS}\n>>>"),
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["intent", "updates"],
            "properties": {
                "intent": {"type": "string", "enum": ["fill", "other"]}, "updates": {"type": "array", "items": update},
            },
        }),
        max_tokens: 110,
    }
}

async fn ask(client: &OpenAi) -> Result<String, String> {
    client.ask(&chat::UserId::new("ada"), &question()).await.map_err(|error| error.for_log)
}

#[rstest]
#[case(Mode::Honest)]
#[case(Mode::Fences)]
#[case(Mode::ThinkBlock)]
#[case(Mode::Talkative)]
#[case(Mode::Reasoning)]
#[case(Mode::Parts)]
#[case(Mode::ToolCalls)]
#[case(Mode::NoSchema)]
#[case(Mode::NoFormat)]
#[case(Mode::NewNames)]
#[case(Mode::NoSystem)]
#[case(Mode::Thinking)]
#[tokio::test]
async fn a_reply_is_found_wherever_it_is(#[case] mode: Mode) {
    let fake = server(mode).await;
    let client = client(&fake, LONG);
    let reply = ask(&client).await.unwrap();
    assert!(reply.contains("\"value\":\"umbriel\""), "{reply}");
    let spent = client.health();
    assert_eq!((spent.calls, spent.failures), (1, 0));
    assert!(spent.prompt_tokens > 20 && spent.reply_tokens > 10, "{spent:?}");
    let first = fake.questions();
    ask(&client).await.unwrap();
    assert_eq!(fake.questions(), first + 1, "what was learned is not learned again");
    assert_eq!(fake.refusals(), [""; 0]);
}

#[rstest]
#[case(Mode::Whitespace, "cut off")]
#[case(Mode::Html, "not what the protocol says")]
#[case(Mode::Megabyte, "too long")]
#[case(Mode::Broken, "cannot be reached")]
#[case(Mode::WrongKey, "key is not accepted (401")]
#[case(Mode::ServerErrors, "busy or broken (50")]
#[tokio::test]
async fn what_gives_nothing_says_why_and_no_more(#[case] mode: Mode, #[case] why: &str) {
    let fake = server(mode).await;
    let client = client(&fake, LONG);
    let told = ask(&client).await.unwrap_err();
    assert!(told.contains(why), "{told}");
    assert!(!told.contains("Umbriel") && !told.contains(KEY), "{told}");
    assert_eq!(client.health().failures, 1);
    let calls = fake.questions();
    assert!(calls <= 2, "one retry at most, {calls} calls");
}

#[rstest]
#[case(Mode::Hang)]
#[case(Mode::Drip)]
#[tokio::test]
async fn a_call_ends_within_its_deadline(#[case] mode: Mode) {
    let fake = server(mode).await;
    let client = client(&fake, SHORT);
    let begun = Instant::now();
    assert!(ask(&client).await.unwrap_err().contains("in time"));
    let took = begun.elapsed();
    assert!(took >= SHORT && took < SHORT + Duration::from_secs(5), "{took:?}");
    assert_eq!(fake.questions(), 1, "who is slow is not asked twice");
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_says_so() {
    let fake = server(Mode::Honest).await;
    let client = client(&fake, LONG);
    fake.stop().await;
    let told = ask(&client).await.unwrap_err();
    assert!(told.contains("cannot be reached"), "{told}");
    let found = client.probe().await;
    assert!(!found.up && found.line.contains("tried again"), "{}", found.line);
}

#[tokio::test]
async fn who_is_busy_is_asked_once_more_as_soon_as_it_may_be() {
    let fake = server(Mode::TooMany).await;
    let client = client(&fake, LONG);
    // Without `Retry-After`, then with 0.
    assert!(ask(&client).await.unwrap_err().contains("429"));
    let calls = fake.calls();
    assert_eq!(calls.len(), 2);
    assert!(calls[1].at - calls[0].at >= Duration::from_millis(300), "a pause of our own where it asks for none");
    // 0.05, then a date that is over.
    assert!(ask(&client).await.unwrap_err().contains("429"));
    assert_eq!(fake.questions(), 4);
    // -1 and then a number that no clock holds: it is believed up to a minute, and nobody waits for that.
    let begun = Instant::now();
    assert!(ask(&client).await.unwrap_err().contains("429"));
    assert!(begun.elapsed() < LONG);
    assert_eq!(fake.questions(), 6);
    // It asked for a minute and more, so it is left alone.
    assert_eq!(client.health().state, chat::ModelState::Resting);
    assert!(ask(&client).await.unwrap_err().contains("left alone"));
    assert_eq!(fake.questions(), 6);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    fake.set_mode(Mode::Honest);
    assert!(ask(&client).await.is_ok());
    assert_eq!(client.health().state, chat::ModelState::Up);
}

#[tokio::test]
async fn a_retry_that_would_come_too_late_is_not_made() {
    let fake = server(Mode::TooMany).await;
    let client = client(&fake, Duration::from_millis(250));
    assert!(ask(&client).await.is_err());
    assert_eq!(fake.questions(), 1, "our own pause of 300 ms is longer than the deadline");
}

#[tokio::test]
async fn a_server_that_fails_again_and_again_is_left_alone_and_then_tried_with_one_call() {
    let fake = server(Mode::Html).await;
    let client = client(&fake, LONG);
    for _ in 0..5 {
        assert!(ask(&client).await.unwrap_err().contains("protocol"));
    }
    assert!(ask(&client).await.unwrap_err().contains("left alone"));
    assert_eq!((fake.questions(), client.health().state), (5, chat::ModelState::Resting));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(16)).await;
    tokio::time::resume();
    let (first, second) = tokio::join!(ask(&client), ask(&client));
    assert_eq!(fake.questions(), 6, "one call tries: {first:?} {second:?}");
    assert!(second.unwrap_err().contains("left alone"));
    fake.set_mode(Mode::Honest);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    assert!(ask(&client).await.is_ok() && ask(&client).await.is_ok());
    let spent = client.health();
    assert_eq!((spent.calls, spent.failures, spent.state), (8, 6, chat::ModelState::Up));
}

#[rstest]
#[case::found_by_the_probe(true)]
#[case::found_by_a_call(false)]
#[tokio::test]
async fn a_key_that_is_not_accepted_is_no_model_until_it_is(#[case] probed: bool) {
    let fake = server(Mode::WrongKey).await;
    let client = client(&fake, LONG);
    if probed {
        client.probe().await;
    } else {
        assert!(ask(&client).await.unwrap_err().contains("key is not accepted"));
    }
    let asked = fake.questions();
    assert!(ask(&client).await.unwrap_err().contains("key was not accepted"));
    assert_eq!((fake.questions(), client.health().state), (asked, chat::ModelState::Refused));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(16)).await;
    tokio::time::resume();
    assert_eq!(client.health().state, chat::ModelState::Refused);
    fake.set_mode(Mode::Honest);
    if probed {
        client.probe().await;
    } else {
        ask(&client).await.unwrap();
    }
    assert_eq!(client.health().state, chat::ModelState::Up);
    assert!(ask(&client).await.is_ok());
}

#[tokio::test]
async fn a_budget_that_is_used_up_calls_nobody() {
    let fake = server(Mode::Honest).await;
    let client = OpenAi::new(OpenAiSettings { per_minute: (1, 2), ..settings(&fake, LONG) }).unwrap();
    let asks = async |who: &str| client.ask(&chat::UserId::new(who), &question()).await.is_ok();
    assert!(asks("ada").await && !asks("ada").await && asks("ben").await && !asks("cy").await);
    assert_eq!((fake.questions(), client.health().calls), (2, 2));
}

#[rstest]
#[case(Mode::Honest, true, "keeps to JSON schemas")]
#[case(Mode::Reasoning, true, "keeps to JSON schemas")]
#[case(Mode::NewNames, true, "keeps to JSON schemas")]
#[case(Mode::Thinking, true, "keeps to JSON schemas")]
#[case(Mode::NoSchema, true, "writes JSON, but does not keep to schemas: they are in the prompt")]
#[case(Mode::WrongJson, true, "writes JSON, but does not keep to schemas: they are in the prompt")]
#[case(Mode::NoFormat, true, "does not promise JSON: it is asked for in the prompt")]
#[case(Mode::Prose, true, "does not promise JSON: it is asked for in the prompt")]
#[case(Mode::Fences, true, "does not promise JSON: it is asked for in the prompt")]
#[case(
    Mode::NoSystem,
    true,
    "keeps to JSON schemas; takes no system role: what it is told first goes into the message"
)]
#[case(
    Mode::WrongKey,
    false,
    "its key is not accepted (401 Unauthorized); set model.key or the variable it comes from. Forms go on without it"
)]
#[case(
    Mode::ServerErrors,
    false,
    "it is busy or broken (503 Service Unavailable). Forms go on without it, and it is tried again"
)]
#[case(Mode::Html, false, "its reply is not what the protocol says. Forms go on without it, and it is tried again")]
#[tokio::test]
async fn the_probe_says_in_one_line_what_is_honoured(#[case] mode: Mode, #[case] up: bool, #[case] what: &str) {
    let fake = server(mode).await;
    let client = client(&fake, LONG);
    let found = client.probe().await;
    assert_eq!(found.line, format!("model {MODEL} at {}: {what}", fake.url()));
    assert_eq!(found.up, up);
    assert!(!found.line.contains(KEY));
    assert_eq!(fake.refusals(), [""; 0]);
    let spent = client.health();
    let counted = (spent.calls, spent.prompt_tokens, spent.reply_tokens);
    assert_eq!((fake.questions(), counted), (0, (0, 0, 0)), "a probe is nobody's call");
}

#[tokio::test]
async fn after_the_probe_a_server_is_asked_for_what_it_honours() {
    for (mode, kind) in [(Mode::Honest, "json_schema"), (Mode::NoSchema, "json_object"), (Mode::Prose, "null")] {
        let fake = server(mode).await;
        let client = client(&fake, LONG);
        client.probe().await;
        let _ = ask(&client).await;
        let body = fake.calls().pop().unwrap().body;
        let asked = body["response_format"]["type"].as_str().unwrap_or("null");
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert_eq!(asked, kind, "{mode:?}");
        assert_eq!(system.contains("The JSON Schema of your reply"), kind != "json_schema", "{mode:?}");
    }
}

#[tokio::test]
async fn without_a_system_role_what_does_not_change_goes_first_in_the_message() {
    let fake = server(Mode::NoSystem).await;
    let client = client(&fake, LONG);
    client.probe().await;
    ask(&client).await.unwrap();
    let body = fake.calls().pop().unwrap().body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
    let told = messages[0]["content"].as_str().unwrap();
    assert!(told.starts_with("Reply with one JSON object.\n\nAsked last: cat"), "{told}");
    assert_eq!(fake.questions(), 1, "the probe has found it");
}

#[tokio::test]
async fn a_refusal_that_is_about_something_else_teaches_nothing() {
    let fake = server(Mode::Honest).await;
    let client = OpenAi::new(OpenAiSettings { model: "gpt-99".to_owned(), ..settings(&fake, LONG) }).unwrap();
    let told = ask(&client).await.unwrap_err();
    assert_eq!(told, "it refuses the request (404 Not Found)");
    assert_eq!(fake.questions(), 1);
    let found = client.probe().await;
    assert!(found.line.contains("The model `gpt-99` does not exist"), "{}", found.line);
    assert_eq!(client.habits(), super::Habits::default());
}

#[tokio::test]
async fn a_key_that_a_server_repeats_is_not_shown() {
    let fake = server(Mode::Honest).await;
    let plain = Settings { key: "sk-right".to_owned(), ..Settings::default() };
    let strict = ModelFake::start_with(plain, Mode::Honest, obedient(&[])).await;
    let client = client(&strict, LONG);
    let (told, found) = (ask(&client).await.unwrap_err(), client.probe().await);
    let shown = format!("{told} {} {client:?} {:?}", found.line, settings(&fake, LONG));
    assert!(!shown.contains(KEY), "{shown}");
}

#[rstest]
#[case("https://user:hush@llm.example/v1?api-key=hush")]
#[case("https://hush@llm.example:8443/v1/")]
fn an_address_is_shown_without_what_may_be_secret(#[case] url: &str) {
    let settings = OpenAiSettings {
        base_url: url.to_owned(),
        key: Secret::new(""),
        model: MODEL.to_owned(),
        deadline: LONG,
        per_minute: (1, 1),
    };
    assert!(settings.place().starts_with("https://llm.example") && settings.place().ends_with("/v1"));
    assert!(!format!("{settings:?}{:?}", OpenAi::new(settings.clone()).unwrap()).contains("hush"));
}

#[rstest]
#[case("localhost:11434/v1", "x")]
#[case("ftp://localhost/v1", "x")]
#[case("", "x")]
#[case("http://localhost/v1", "two\nlines")]
#[case("http://localhost/v1", "schlüssel")]
fn what_cannot_be_sent_is_refused_at_the_start(#[case] url: &str, #[case] key: &str) {
    let settings = OpenAiSettings {
        base_url: url.to_owned(),
        key: Secret::new(key),
        model: MODEL.to_owned(),
        deadline: LONG,
        per_minute: (1, 1),
    };
    let error = OpenAi::new(settings).unwrap_err().to_string();
    assert!(error.starts_with("model.") && !error.contains(key.trim_end_matches('x')) || key == "x", "{error}");
}

/// A server that answers with this status and these words whoever sends a message of the system, or always.
async fn refusing(status: &'static str, words: &'static str, always: bool) -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (url, count) = (format!("http://{}/v1", listener.local_addr().unwrap()), Arc::new(AtomicU32::new(0)));
    let counter = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            let mut part = [0; 4096];
            loop {
                let read = stream.read(&mut part).await.unwrap_or(0);
                request.extend_from_slice(&part[..read]);
                let text = String::from_utf8_lossy(&request).to_lowercase();
                let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
                if read == 0 || length.is_some_and(|length: usize| body.len() >= length) {
                    break;
                }
            }
            counter.fetch_add(1, Ordering::Relaxed);
            let refused = always || String::from_utf8_lossy(&request).contains("\"system\"");
            let choice =
                json!({"message": {"role": "assistant", "content": "{\"intent\":\"other\"}"}, "finish_reason": "stop"});
            let (status, body) = if refused {
                (status, json!({"error": {"message": words}}))
            } else {
                ("200 OK", json!({"choices": [choice]}))
            };
            let body = body.to_string();
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n");
            let answer = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (url, count)
}

fn client_at(base_url: String) -> OpenAi {
    let (key, model) = (Secret::new(KEY), MODEL.to_owned());
    OpenAi::new(OpenAiSettings { base_url, key, model, deadline: LONG, per_minute: (1_000, 1_000) }).unwrap()
}

#[rstest]
#[case("500 Internal Server Error", "Jinja Exception: System role not supported", 2)]
#[case("400 Bad Request", "Developer instruction is not enabled for models/gemma-3-27b-it", 2)]
#[case("422 Unprocessable Entity", "INVALID_ARGUMENT", 4)]
#[tokio::test]
async fn a_refusal_of_the_system_role_is_understood_in_any_words(
    #[case] status: &'static str,
    #[case] words: &'static str,
    #[case] requests: u32,
) {
    let (url, count) = refusing(status, words, false).await;
    let client = client_at(url);
    assert!(ask(&client).await.is_ok());
    assert_eq!(count.load(Ordering::Relaxed), requests);
    assert!(ask(&client).await.is_ok());
    assert_eq!(count.load(Ordering::Relaxed), requests + 1, "it has learned");
}

#[tokio::test]
async fn what_a_server_refuses_for_its_content_is_sent_once() {
    let (url, count) = refusing("400 Bad Request", "filtered by our content management policy", true).await;
    let client = client_at(url);
    client.set_habits(super::Habits { confirmed: true, ..super::Habits::default() });
    assert!(ask(&client).await.is_err());
    assert_eq!(count.load(Ordering::Relaxed), 1);
}
