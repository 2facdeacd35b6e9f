//! What goes out: over a double of Discord that writes down requests and answers as it is told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::IntoResponse;
use formwright_chat::{Delivery, DeliveryError, Reply, ReplyId, Screen, UserId, conformance};
use formwright_fakes::host::FakeHost;
use serde_json::{Value, json};

use super::{guild, host, intake, now};
use crate::Secret;
use crate::intake::Intake;
use crate::limits;
use crate::notes::Hook;
use crate::rest::Rest;
use crate::send::Sender;

#[derive(Default)]
struct Double {
    requests: Mutex<Vec<(String, Value)>>,
    /// Answers to requests to come; after that every request succeeds.
    answers: Mutex<VecDeque<(u16, Value)>>,
}

struct Bench {
    host: Arc<FakeHost>,
    intake: Intake,
    rest: Rest,
    double: Arc<Double>,
}

async fn bench() -> Bench {
    let double = Arc::new(Double::default());
    let router = Router::new().fallback(answer).with_state(Arc::clone(&double));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let host = host();
    Bench { intake: intake(&host), host, rest: Rest::new(&Secret::new("t"), &base).unwrap(), double }
}

async fn answer(State(double): State<Arc<Double>>, request: Request<Body>) -> impl IntoResponse {
    let line = format!("{} {}", request.method(), request.uri().path().trim_start_matches("/api/v10"));
    assert_eq!(request.headers()["authorization"], "Bot t");
    let body = to_bytes(request.into_body(), 1 << 20).await.unwrap();
    let mut requests = double.requests.lock().unwrap();
    requests.push((line.clone(), serde_json::from_slice(&body).unwrap_or_default()));
    let channel = line.split('/').nth(2).unwrap_or_default().to_owned();
    let channel = if line.ends_with("@me/channels") { "6".to_owned() } else { channel };
    let id = if line.ends_with("@me/channels") { "6".to_owned() } else { (900 + requests.len()).to_string() };
    let default = (200, json!({"id": id, "channel_id": channel}));
    let (status, body) = double.answers.lock().unwrap().pop_front().unwrap_or(default);
    (StatusCode::from_u16(status).unwrap(), body.to_string())
}

impl Bench {
    fn answer(&self, answers: &[(u16, Value)]) {
        self.double.answers.lock().unwrap().extend(answers.iter().cloned());
    }

    async fn deliver(&self, id: &str, reply: &Reply) -> Result<(), DeliveryError> {
        let delivery = Delivery {
            id: ReplyId::new(id),
            place: guild(),
            user: UserId::new("1"),
            reply: reply.clone(),
            attempt: 0,
            overtaken: false,
        };
        Sender { intake: &self.intake, rest: &self.rest }.deliver(&delivery, now()).await
    }

    async fn hook(&self, thinking: bool) {
        let hook = Hook { token: "tok".to_owned(), until: now() + limits::TOKEN_LIFE, thinking, filled: None };
        self.intake.notes.add_hook(&guild(), &UserId::new("1"), hook, now()).await.unwrap();
    }

    fn lines(&self) -> Vec<String> {
        self.double.requests.lock().unwrap().drain(..).map(|(line, _)| line).collect()
    }

    fn last(&self) -> Value {
        self.double.requests.lock().unwrap().last().unwrap().1.clone()
    }
}

/// The same question on another screen.
fn next() -> Reply {
    let text = serde_json::to_string(&conformance::one_of(3)).unwrap();
    let nonce = conformance::one_of(3).nonce().unwrap().as_str().to_owned();
    serde_json::from_str(&text.replace(&nonce, "AAAAAAAAAAAAAAAAAAAAAA")).unwrap()
}

fn words(words: &str) -> Reply {
    Reply { say: vec![words.to_owned()], ..Reply::default() }
}

#[tokio::test]
async fn a_question_takes_the_widgets_of_the_one_before_and_is_sent_once() {
    let bench = bench().await;
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    let body = bench.last();
    assert_eq!((body["enforce_nonce"].as_bool(), body["nonce"].as_str().unwrap().len() <= 25), (Some(true), true));
    assert_eq!(bench.lines(), ["POST /channels/5/messages"]);
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    assert_eq!(bench.lines(), [""; 0]);
    bench.deliver("b", &next()).await.unwrap();
    assert_eq!(bench.lines(), ["PATCH /channels/5/messages/901", "POST /channels/5/messages"]);
    let live = bench.intake.screens.live(&guild(), &UserId::new("1")).await.unwrap().unwrap();
    assert_eq!((live.reply, live.messages), (next(), vec!["5/902".to_owned()]));
}

#[tokio::test]
async fn a_notice_leaves_an_open_question_and_words_after_an_answer_end_it() {
    let bench = bench().await;
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    bench.deliver("b", &words("By the way.")).await.unwrap();
    assert_eq!(bench.lines(), ["POST /channels/5/messages"; 2]);
    let nonce = conformance::one_of(3).nonce().unwrap().clone();
    bench.intake.change(&nonce, |screen| screen.answer = Some("Yes".to_owned())).await.unwrap();
    bench.deliver("c", &words("Goodbye.")).await.unwrap();
    assert_eq!(bench.lines(), ["PATCH /channels/5/messages/901", "POST /channels/5/messages"]);
    assert_eq!(bench.intake.screens.live(&guild(), &UserId::new("1")).await.unwrap(), None);
}

#[tokio::test]
async fn the_first_words_go_where_the_person_waits() {
    let bench = bench().await;
    bench.hook(true).await;
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    bench.deliver("b", &words("More.")).await.unwrap();
    assert_eq!(bench.lines(), ["PATCH /webhooks/99/tok/messages/@original", "POST /channels/5/messages"]);
}

#[tokio::test]
async fn a_private_reply_is_ephemeral_else_direct_else_behind_a_button() {
    let bench = bench().await;
    let mut private = conformance::one_of(3);
    private.private = true;
    bench.hook(true).await;
    bench.deliver("a", &private).await.unwrap();
    assert_eq!(bench.last()["flags"].as_u64().unwrap() & limits::FLAG_EPHEMERAL, limits::FLAG_EPHEMERAL);
    assert_eq!(bench.lines(), ["DELETE /webhooks/99/tok/messages/@original", "POST /webhooks/99/tok"]);
    let mut next = next();
    next.private = true;
    bench.intake.notes.change_hooks(&guild(), &UserId::new("1"), now(), Vec::clear).await.unwrap();
    bench.deliver("b", &next).await.unwrap();
    let direct = ["PATCH /webhooks/99/tok/messages/902", "POST /users/@me/channels", "POST /channels/6/messages"];
    assert_eq!(bench.lines(), direct);
    assert_eq!(bench.intake.notes.aside(&UserId::new("1")).await.unwrap().unwrap().channel, "6");
    private.buttons.clear();
    let nonce = private.nonce().unwrap().clone();
    let forget = format!("screen/{}", nonce.as_str());
    let note = formwright_chat::Note { platform: guild().platform, key: forget, owner: None, value: None };
    formwright_chat::Host::remember(&*bench.host, note).await.unwrap();
    bench.answer(&[(200, json!({})), (403, json!({"code": 50007}))]);
    bench.deliver("c", &private).await.unwrap();
    let body = bench.last();
    assert!(body["components"][0]["components"][0]["custom_id"].as_str().unwrap().ends_with("~i"), "{body}");
    assert!(!body.to_string().contains("Option 1"), "{body}");
}

#[tokio::test]
async fn errors_say_whether_and_when_to_try_again() {
    let bench = bench().await;
    let limited = json!({"message": "You are being rate limited.", "retry_after": 1.5, "global": false});
    for (status, body, expected) in [
        (429, limited, Some(Some(Duration::from_millis(1500)))),
        (502, json!({}), Some(None)),
        (403, json!({"code": 50001}), None),
    ] {
        bench.answer(&[(status, body)]);
        let met = match bench.deliver("x", &words("Hello.")).await.unwrap_err() {
            DeliveryError::Later { after, .. } => Some(after),
            DeliveryError::Unwanted { .. } | DeliveryError::Never { .. } => None,
        };
        assert_eq!(met, expected, "{status}");
    }
}

#[tokio::test]
async fn what_discord_finds_malformed_is_sent_as_words() {
    let bench = bench().await;
    bench.answer(&[(400, json!({"code": 50035}))]);
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    let body = bench.last();
    assert!(body.get("components").is_none() && body["content"].as_str().unwrap().contains("2. Option 2"), "{body}");
    assert_eq!(body["allowed_mentions"], json!({"parse": []}));
}

#[tokio::test]
async fn a_screen_that_was_pressed_before_it_was_noted_stays_pressed() {
    let bench = bench().await;
    let reply = conformance::one_of(3);
    let mut screen = Screen::new(UserId::new("1"), guild(), reply.clone(), Vec::new());
    screen.answer = Some("Option 1".to_owned());
    bench.intake.screens.keep(&screen).await.unwrap();
    bench.deliver("a", &reply).await.unwrap();
    assert_eq!(bench.lines(), [""; 0]);
}
