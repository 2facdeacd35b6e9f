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
use crate::api::Rest;
use crate::intake::Intake;
use crate::intake::notes::Hook;
use crate::limits;
use crate::send::{Change, Sender};

#[derive(Default)]
struct Double {
    requests: Mutex<Vec<(String, Value)>>,
    /// Answers to requests to come; after that every request succeeds.
    answers: Mutex<VecDeque<(u16, Value)>>,
    news: tokio::sync::Notify,
}

struct Bench {
    host: Arc<FakeHost>,
    intake: Intake,
    rest: Arc<Rest>,
    double: Arc<Double>,
}

async fn bench() -> Bench {
    let double = Arc::new(Double::default());
    let router = Router::new().fallback(answer).with_state(Arc::clone(&double));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let host = host();
    Bench { intake: intake(&host), host, rest: Arc::new(Rest::new(&Secret::new("t"), &base).unwrap()), double }
}

async fn answer(State(double): State<Arc<Double>>, request: Request<Body>) -> impl IntoResponse {
    let line = format!("{} {}", request.method(), request.uri().path().trim_start_matches("/api/v10"));
    assert_eq!(request.headers()["authorization"], "Bot t");
    let body = to_bytes(request.into_body(), 1 << 20).await.unwrap();
    let mut requests = double.requests.lock().unwrap();
    requests.push((line.clone(), serde_json::from_slice(&body).unwrap_or_default()));
    double.news.notify_one();
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
        let hook = Hook {
            token: "tok".to_owned(),
            until: now() + limits::TOKEN_LIFE,
            thinking,
            hidden: false,
            channel: "5".to_owned(),
            filled: None,
        };
        self.intake.notes.add_hook(&guild(), &UserId::new("1"), hook, now()).await.unwrap();
    }

    /// The requests so far, once there are so many: what nobody waits for comes a moment later.
    async fn so_many(&self, count: usize) -> Vec<String> {
        let enough = async {
            while self.double.requests.lock().unwrap().len() < count {
                self.double.news.notified().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), enough).await.unwrap();
        self.lines()
    }

    fn lines(&self) -> Vec<String> {
        self.double.requests.lock().unwrap().drain(..).map(|(line, _)| line).collect()
    }

    fn body_of(&self, line: &str) -> Value {
        self.double.requests.lock().unwrap().iter().find(|(known, _)| known == line).unwrap().1.clone()
    }

    fn last(&self) -> Value {
        self.double.requests.lock().unwrap().last().unwrap().1.clone()
    }
}

/// The same question on another screen.
fn next() -> Reply {
    again(&conformance::one_of(3), 'A')
}

fn again(reply: &Reply, sign: char) -> Reply {
    let text = serde_json::to_string(reply).unwrap();
    let nonce = reply.nonce().unwrap().as_str().to_owned();
    serde_json::from_str(&text.replace(&nonce, &sign.to_string().repeat(22))).unwrap()
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
    let question_first = ["POST /channels/5/messages", "PATCH /channels/5/messages/901"];
    assert_eq!(bench.so_many(2).await, question_first);
    let live = bench.intake.screens.live(&guild(), &UserId::new("1")).await.unwrap().unwrap();
    assert_eq!((live.reply, live.messages), (next(), vec!["5/901".to_owned()]));
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
    assert_eq!(bench.so_many(2).await, ["POST /channels/5/messages", "PATCH /channels/5/messages/901"]);
    assert_eq!(bench.intake.screens.live(&guild(), &UserId::new("1")).await.unwrap(), None);
}

#[tokio::test]
async fn the_first_words_go_where_the_person_waits() {
    let bench = bench().await;
    bench.hook(true).await;
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    bench.deliver("b", &words("More.")).await.unwrap();
    assert_eq!(bench.lines(), ["PATCH /webhooks/99/tok/messages/@original", "POST /webhooks/99/tok"]);
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
    let direct = ["POST /users/@me/channels", "POST /channels/6/messages", "PATCH /webhooks/99/tok/messages/902"];
    assert_eq!(bench.so_many(3).await, direct);
    assert_eq!(bench.intake.notes.aside(&UserId::new("1")).await.unwrap().unwrap().channel, "6");
    private.buttons.clear();
    let nonce = private.nonce().unwrap().clone();
    let forget = format!("screen/{}", nonce.as_str());
    let note = formwright_chat::Note { platform: guild().platform, key: forget, owner: None, value: None };
    formwright_chat::Host::remember(&*bench.host, note).await.unwrap();
    bench.answer(&[(403, json!({"code": 50007}))]);
    bench.deliver("c", &private).await.unwrap();
    let body = bench.body_of("POST /channels/5/messages");
    assert!(body["components"][0]["components"][0]["custom_id"].as_str().unwrap().ends_with("~i"), "{body}");
    assert!(!body.to_string().contains("Option 1"), "{body}");
}

#[tokio::test]
async fn errors_say_whether_and_when_to_try_again() {
    let bench = bench().await;
    let limited = json!({"message": "You are being rate limited.", "retry_after": 1.5, "global": false});
    for (status, body, expected) in
        [(429, limited, Some(Some(Duration::from_millis(1500)))), (502, json!({}), Some(None)), (413, json!({}), None)]
    {
        // Of what is refused, the direct message is tried too.
        bench.answer(&vec![(status, body); if status == 413 { 2 } else { 1 }]);
        let met = match bench.deliver("x", &words("Hello.")).await.unwrap_err() {
            DeliveryError::Later { after, .. } => Some(after),
            DeliveryError::Unwanted { .. } | DeliveryError::Never { .. } => None,
        };
        assert_eq!(met, expected, "{status}");
    }
}

#[tokio::test]
async fn who_takes_no_messages_has_answered() {
    let bench = bench().await;
    let (shut, blocked) = (json!({"code": 50013}), json!({"code": 50007}));
    bench.answer(&[(403, shut), (200, json!({"id": "6"})), (403, blocked)]);
    let answered = bench.deliver("a", &conformance::one_of(3)).await;
    assert!(matches!(answered, Err(DeliveryError::Unwanted { .. })), "{answered:?}");
    let tried = ["POST /channels/5/messages", "POST /users/@me/channels", "POST /channels/6/messages"];
    assert_eq!(bench.lines(), tried);
    // A channel that is shut is left alone for a while; the direct message says why it comes.
    bench.deliver("b", &next()).await.unwrap();
    let words = bench.body_of("POST /channels/6/messages")["content"].to_string();
    assert!(!words.contains("I may not write"), "it was tried before: {words}");
    assert_eq!(bench.lines()[..2], ["POST /users/@me/channels", "POST /channels/6/messages"]);
}

#[tokio::test]
async fn a_form_goes_on_in_a_direct_message_where_the_bot_may_not_write() {
    let bench = bench().await;
    bench.answer(&[(403, json!({"code": 50013}))]);
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    let words = bench.body_of("POST /channels/6/messages")["content"].as_str().unwrap().to_owned();
    assert!(words.starts_with("I may not write where you began, so I go on here.\n"), "{words}");
}

#[tokio::test]
async fn while_a_press_is_being_drawn_nobody_else_draws_it() {
    let bench = bench().await;
    bench.deliver("a", &conformance::one_of(3)).await.unwrap();
    bench.lines();
    let looks = &bench.intake.looks;
    looks.press("5/901");
    bench.deliver("b", &next()).await.unwrap();
    assert_eq!(bench.lines(), ["POST /channels/5/messages"]);
    assert_eq!(looks.pressed("5/901", true), None, "it is drawn already");
    // Where it did not arrive, the message gets the looks that it was to have.
    looks.press("5/901");
    let third = again(&next(), 'C');
    bench.deliver("c", &third).await.unwrap();
    assert_eq!(bench.lines(), ["POST /channels/5/messages"]);
    assert!(matches!(looks.pressed("5/901", false), Some(Change::To(_))));
}

#[tokio::test]
async fn of_several_changes_of_one_message_the_last_is_made() {
    let bench = bench().await;
    let change = |words: &str| Change::To(json!({"content": words}));
    for words in ["one", "two", "three"] {
        bench.intake.looks.change(&bench.rest, "99", "5/901", change(words));
    }
    assert_eq!(bench.so_many(1).await, ["PATCH /channels/5/messages/901"]);
}

#[tokio::test]
async fn what_discord_finds_malformed_is_sent_as_words() {
    let bench = bench().await;
    bench.answer(&[(400, json!({"code": 50_035}))]);
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

#[tokio::test]
async fn a_channel_is_reached_in_its_own_server() {
    let bench = bench().await;
    let server = guild().workspace;
    let answers = [(200, server.as_str()), (200, "77"), (403, ""), (404, ""), (503, "")];
    bench.answer(&answers.map(|(status, server)| (status, json!({"id": "5", "guild_id": server, "code": 50001}))));
    let mut found = Vec::new();
    for _ in answers {
        found.push(match bench.rest.reach(&guild()).await {
            Ok(()) => "reached".to_owned(),
            Err(DeliveryError::Later { .. }) => "not known".to_owned(),
            Err(error) => error.to_string(),
        });
    }
    let elsewhere = format!("the channel 5 is in the server 77, not in {server}");
    let refused = ["refused: 403, code 50001", "refused: 404, code 50001"];
    assert_eq!(found, ["reached", &elsewhere, refused[0], refused[1], "not known"]);
}
