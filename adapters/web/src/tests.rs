//! The router against a double of the host: who may see what, what is refused, and that text stays text.

mod described;
mod double;
mod gallery;
mod pilot;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use formwright_chat::{
    Action, Adapter as _, Delivery, Host, HostError, ModelHealth, ModelState, Place, Platform, Reply, ReplyId,
    TurnedAway, UserId,
};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tower::ServiceExt as _;

use super::{ApiKey, WebAdapter, WebSettings, limits};
use crate::receive::auth;
use crate::receive::shared::Patience;
use described::Described;
use double::Double;
use gallery::HOSTILE;

const PATIENT: Patience = Patience { body: limits::BODY_TIME };
const JSON: &str = "application/json";

/// Every answer of these tests is held against it.
static DESCRIBED: LazyLock<Described> = LazyLock::new(|| Described::new(super::openapi::description()));

struct Web {
    router: Router,
    adapter: WebAdapter,
    host: Arc<Double>,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    fn code(&self) -> Value {
        self.json()["error"]["code"].clone()
    }

    fn cookie(&self) -> Option<String> {
        let cookie = self.headers.get(header::SET_COOKIE)?.to_str().unwrap();
        cookie.split(';').next().map(str::to_owned)
    }
}

fn web(settings: WebSettings) -> Web {
    let host = Arc::new(Double::default());
    let adapter = WebAdapter::new(settings).unwrap();
    Web { router: adapter.router(Arc::clone(&host) as Arc<dyn Host>), adapter, host }
}

impl Web {
    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let wrong = DESCRIBED.wrong_with(&method, &path, parts.status.as_u16(), &body);
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        Answer { status: parts.status, headers: parts.headers, body }
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(request("GET", path, headers, Body::empty())).await
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers: Vec<_> = [("content-type", JSON)].iter().chain(headers).copied().collect();
        self.send(request("POST", path, &headers, Body::from(body.to_string()))).await
    }

    /// Starts the gallery; gives the cookie and the answer.
    async fn start(&self) -> (String, Answer) {
        let answer = self.post("/api/chat", &[], &json!({ "form": "gallery" })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
        (answer.cookie().unwrap(), answer)
    }
}

/// Serves on a socket; gives a connection, and what stops the server and tells that it has.
async fn socket(patience: Patience) -> (TcpStream, oneshot::Sender<()>, JoinHandle<()>) {
    let adapter = WebAdapter::with_patience(WebSettings::default(), patience).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = Box::pin(async { drop(stopped.await) });
    let served = tokio::spawn(async move { adapter.serve(listener, Arc::new(Double::default()), shutdown).await });
    (TcpStream::connect(address).await.unwrap(), stop, served)
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    let named = headers.iter().any(|(name, _)| *name == "host");
    for (name, value) in headers.iter().chain((!named).then_some(&("host", "localhost:8080"))) {
        request = request.header(*name, *value);
    }
    request.body(body).unwrap()
}

fn id_of(answer: &Answer) -> String {
    answer.json()["conversation_id"].as_str().unwrap().to_owned()
}

fn keyed(key: &str) -> WebSettings {
    use sha2::Digest as _;
    let sha256 = sha2::Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect();
    WebSettings { keys: vec![ApiKey { name: "client".into(), sha256 }], ..WebSettings::default() }
}

// ---- a conversation --------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_empty_message_greets_and_each_answer_leads_on() {
    let web = web(WebSettings::default());
    let (cookie, first) = web.start().await;
    let cookie = [("cookie", cookie.as_str())];
    let body = first.json();
    assert_eq!(body["action"]["action"], "ASK_TEXT");
    assert_eq!(body["action"]["field_id"], "name");
    assert_eq!(body["action"]["message"], format!("Welcome! {HOSTILE}\n\nWhat about name?"));
    assert_eq!(body["progress"], json!({ "answered": 0, "total": 25 }));

    let said = json!({ "conversation_id": id_of(&first), "user_message": "Ada" });
    let second = web.post("/api/chat", &cookie, &said).await.json();
    assert_eq!(second["answers"], json!({ "name": "Ada" }));
    assert_eq!(second["action"]["action"], "ASK_DROPDOWN");
    assert_eq!(second["asked"], "size");

    let token = &second["replies"][0]["questions"][0]["input"]["options"][1]["token"];
    let of = &second["replies"][0]["questions"][0]["token"];
    let pressed = json!({ "conversation_id": id_of(&first), "press": { "token": of, "options": [token] } });
    let third = web.post("/api/chat", &cookie, &pressed).await.json();
    assert_eq!(third["answers"]["size"], "Option 2");
}

#[tokio::test]
async fn who_speaks_first_starts_the_form_and_is_understood() {
    let web = web(WebSettings::default());
    let answer = web.post("/api/chat", &[], &json!({ "form": "gallery", "user_message": "Ada" })).await.json();
    assert_eq!(answer["answers"], json!({ "name": "Ada" }));
    let actions: Vec<Action> = web.host.events().into_iter().map(|event| event.action).collect();
    let open = Action::Open { form: Some("gallery".into()) };
    assert_eq!(actions, [open, Action::Say { text: "Ada".into() }]);
}

#[tokio::test]
async fn the_same_event_id_gives_the_same_answer_once() {
    let web = web(WebSettings::default());
    let (cookie, first) = web.start().await;
    let cookie = [("cookie", cookie.as_str())];
    let said = json!({ "conversation_id": id_of(&first), "user_message": "Ada", "event_id": "e-1" });
    let once = web.post("/api/chat", &cookie, &said).await;
    let again = web.post("/api/chat", &cookie, &said).await;
    assert_eq!(once.json(), again.json());
    assert_eq!(once.json()["answers"], json!({ "name": "Ada" }));
}

#[tokio::test]
async fn a_first_message_sent_again_starts_one_conversation_only() {
    let web = web(WebSettings::default());
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    let cookie = [("cookie", cookie.as_str())];
    let said = json!({ "form": "gallery", "event_id": "first" });
    let once = web.post("/api/chat", &cookie, &said).await;
    let again = web.post("/api/chat", &cookie, &said).await;
    assert_eq!(id_of(&once), id_of(&again));
    assert_eq!(web.host.session_count().await.unwrap(), 1);
}

#[tokio::test]
async fn another_message_under_a_used_event_id_is_refused_and_the_first_one_counts() {
    let web = web(keyed("secret-of-the-shop"));
    let key = [("authorization", "Bearer secret-of-the-shop")];
    let used = |answer: &Answer| (answer.status, answer.code()) == (StatusCode::CONFLICT, json!("event_id_used"));
    let said = |text: &str, id: &str| json!({ "form": "gallery", "user_message": text, "event_id": id });
    let long = "5a2c0cf0-3b7e-4b52-8d67-1f0f6d6b3c11";
    let ann = web.post("/api/chat", &key, &said("Ann", long)).await;
    // The same request is the same however it is written.
    let again = json!({ "event_id": long, "user_message": "Ann", "form": "gallery" });
    assert_eq!(web.post("/api/chat", &key, &again).await.json(), ann.json());
    assert!(used(&web.post("/api/chat", &key, &said("Ben", long)).await));
    let further = |text: &str| json!({ "conversation_id": id_of(&ann), "event_id": "m2", "user_message": text });
    assert_eq!(web.post("/api/chat", &key, &further("Option 1")).await.status, StatusCode::OK);
    assert!(used(&web.post("/api/chat", &key, &further("Option 2")).await));
    let seen = web.get(&format!("/api/conversation/{}", id_of(&ann)), &key).await.json();
    let answers = seen["session"]["answers"].as_array().unwrap().iter().map(|answer| answer["value"].clone());
    assert_eq!(answers.collect::<Vec<_>>(), ["Ann", "Option 1"]);
    // Short ids of people behind a key meet.
    for (path, body) in
        [("/api/chat", said("hi", "m1")), ("/api/fill", json!({ "user_message": "hi", "event_id": "m1" }))]
    {
        let short = web.post(path, &key, &body).await;
        assert_eq!(
            (short.status, short.text().contains("at least 16 characters")),
            (StatusCode::BAD_REQUEST, true),
            "{path}"
        );
    }
}

#[tokio::test]
async fn one_message_sent_many_times_at_once_begins_one_conversation_and_costs_one_message() {
    let web = Arc::new(web(WebSettings::default()));
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    web.host.allow(2);
    let mut sent = JoinSet::new();
    for _ in 0..20 {
        let (web, cookie) = (Arc::clone(&web), cookie.clone());
        let said = json!({ "form": "gallery", "user_message": "Ada", "event_id": "first" });
        sent.spawn(async move { web.post("/api/chat", &[("cookie", &cookie)], &said).await });
    }
    let answers = sent.join_all().await;
    assert!(answers.iter().all(|answer| answer.json() == answers[0].json()), "{}", answers[1].text());
    assert_eq!((answers[0].status, web.host.session_count().await.unwrap()), (StatusCode::OK, 1));
}

#[tokio::test]
async fn a_repetition_counts_against_no_limit() {
    let web = web(WebSettings::default());
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    let cookie = [("cookie", cookie.as_str())];
    let said = |id: &str| json!({ "form": "gallery", "user_message": "Ada", "event_id": id });
    let first = web.post("/api/chat", &cookie, &said("first")).await;
    // As after a restart, which forgets whose conversations have begun, and where none may be started.
    let adapter = WebAdapter::new(WebSettings { conversations_per_hour: 0, ..WebSettings::default() }).unwrap();
    let router = adapter.router(Arc::clone(&web.host) as Arc<dyn Host>);
    let web = Web { router, adapter, ..web };
    assert_eq!(web.post("/api/chat", &cookie, &said("second")).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(web.post("/api/chat", &cookie, &said("first")).await.json(), first.json());
}

#[tokio::test]
async fn a_client_with_a_key_calls_its_conversations_by_names_of_its_own() {
    let mut settings = keyed("secret-of-the-shop");
    settings.keys.extend(keyed("secret-of-the-till").keys);
    let web = web(settings);
    let (shop, till) =
        ([("authorization", "Bearer secret-of-the-shop")], [("authorization", "Bearer secret-of-the-till")]);
    let name = "order-2026:0001.of_Ada";
    let says = |text: &str| json!({ "form": "gallery", "conversation_id": name, "user_message": text });
    let first = web.post("/api/chat", &shop, &says("Ada")).await;
    assert_eq!((id_of(&first).as_str(), &first.json()["answers"]), (name, &json!({ "name": "Ada" })));
    // The form comes along with every message and is started once.
    let second = web.post("/api/chat", &shop, &says("Option 2")).await.json();
    assert_eq!(second["answers"], json!({ "name": "Ada", "size": "Option 2" }));
    let opened = |event: &formwright_chat::Event| matches!(event.action, Action::Open { .. });
    assert_eq!(web.host.events().iter().filter(|event| opened(event)).count(), 1);
    // What the client says is no part of where the conversation is kept.
    assert!(web.host.events().iter().all(|event| auth::Principal::is_conversation(&event.place.channel)));
    let path = format!("/api/conversation/{name}");
    let seen = web.get(&path, &shop).await.json();
    assert_eq!((&seen["conversation_id"], &seen["session"]["form"]), (&json!(name), &json!("gallery")));
    // Another client's of that name is another one.
    assert_eq!(web.get(&path, &till).await.status, StatusCode::NOT_FOUND);
    let other = web.post("/api/chat", &till, &json!({ "form": "gallery", "conversation_id": name })).await.json();
    assert_eq!(other["answers"], json!({}));
    // It is thrown away under its name, and begins anew under it.
    let reset = web.post("/api/sessions/reset", &shop, &json!({ "conversation_id": name })).await;
    assert_eq!(reset.json(), json!({ "reset": true }));
    assert_eq!(web.post("/api/chat", &shop, &says("Eve")).await.json()["answers"], json!({ "name": "Eve" }));
}

#[tokio::test]
async fn a_notice_reaches_a_conversation_under_its_clients_name() {
    let web = web(keyed("secret-of-the-shop"));
    let key = [("authorization", "Bearer secret-of-the-shop")];
    let name = "5a2c0cf0-3b7e-4b52-8d67-1f0f6d6b3c11";
    web.post("/api/chat", &key, &json!({ "form": "gallery", "conversation_id": name })).await;
    let place = web.host.events()[0].place.clone();
    web.adapter.deliver(&delivery(&place, &Reply::default())).await.unwrap();
    let events = web.get(&format!("/api/conversation/{name}/events"), &key).await.json();
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1), "{events}");
}

#[rstest]
#[case::too_short("order-1")]
#[case::too_long(&"o".repeat(65))]
#[case::of_other_characters("order 2026 of Ada ø")]
#[case::empty("")]
#[tokio::test]
async fn a_name_that_could_be_anybodys_is_refused_with_what_may_be_one(#[case] name: &str) {
    let web = web(keyed("secret-of-the-shop"));
    let key = [("authorization", "Bearer secret-of-the-shop")];
    let body = json!({ "form": "gallery", "conversation_id": name });
    let refused = web.post("/api/chat", &key, &body).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::BAD_REQUEST, json!("bad_conversation_id")));
    // An id that was handed out to somebody else is not there, and neither is anything under a name without a key.
    let handed_out = web.post("/api/chat", &[], &json!({ "form": "gallery" })).await;
    let body = json!({ "conversation_id": id_of(&handed_out) });
    assert_eq!(web.post("/api/chat", &key, &body).await.status, StatusCode::NOT_FOUND);
    let cookie = handed_out.cookie().unwrap();
    for name in ["a-name-of-a-visitor-s-own", name] {
        let body = json!({ "conversation_id": name });
        assert_eq!(web.post("/api/chat", &[("cookie", cookie.as_str())], &body).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn values_come_along_with_what_starts_a_form() {
    let web = web(WebSettings::default());
    let values = json!({ "source": "fair", "people": 4, "guest.vip": true });
    let body = json!({ "form": "gallery", "user_message": "Ada", "values": values });
    web.post("/api/chat", &[], &body).await;
    let events = web.host.events();
    let given = [("guest.vip", "true"), ("people", "4"), ("source", "fair")];
    assert!(events[0].terms.prefill.0.iter().map(|(path, value)| (&**path, &**value)).eq(given), "{events:?}");
    assert!(events[1].terms.prefill.is_empty(), "what is said starts nothing");
    for (body, code) in [
        (json!({ "values": { "people": 4 } }), "values_without_form"),
        (json!({ "form": "gallery", "values": { "people": [4] } }), "bad_values"),
        (json!({ "form": "gallery", "values": { "people": null } }), "bad_values"),
        (json!({ "form": "gallery", "values": { "people": "4\u{202e}" } }), "bidi_control"),
    ] {
        let refused = web.post("/api/chat", &[], &body).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::BAD_REQUEST, json!(code)));
    }
}

#[tokio::test]
async fn locale_zone_and_person_come_along() {
    let web = web(WebSettings::default());
    let body = json!({ "form": "gallery", "zone": "Europe/Rome" });
    web.post("/api/chat", &[("accept-language", "it-IT,it;q=0.9")], &body).await;
    let event = &web.host.events()[0];
    assert_eq!(event.user.zone.as_deref(), Some("Europe/Rome"));
    assert_eq!(event.user.locale.as_deref(), Some("it-IT"));
    assert!(event.user.id.as_str().starts_with("web:"));
    assert_eq!(event.place.platform.as_str(), "web");
}

#[tokio::test]
async fn a_reload_sees_the_session_and_a_reset_ends_it() {
    let web = web(WebSettings::default());
    let (cookie, first) = web.start().await;
    let cookie = [("cookie", cookie.as_str())];
    let path = format!("/api/conversation/{}", id_of(&first));
    let view = web.get(&path, &cookie).await.json();
    assert_eq!(view["session"]["form"], "gallery");
    assert_eq!(view["action"], first.json()["action"]);
    let body = json!({ "conversation_id": id_of(&first) });
    assert_eq!(web.post("/api/sessions/reset", &cookie, &body).await.json(), json!({ "reset": true }));
    assert_eq!(web.post("/api/sessions/reset", &cookie, &body).await.json(), json!({ "reset": false }));
    assert_eq!(web.get(&path, &cookie).await.status, StatusCode::NOT_FOUND);
}

fn delivery(place: &Place, reply: &Reply) -> Delivery {
    Delivery {
        id: ReplyId::new("r"),
        place: place.clone(),
        user: UserId::new("web:x"),
        reply: reply.clone(),
        attempt: 0,
        overtaken: false,
    }
}

#[tokio::test]
async fn a_reply_delivered_outside_a_request_reaches_whoever_waits() {
    let web = web(WebSettings::default());
    let (cookie, first) = web.start().await;
    let id = id_of(&first);
    let place = Place { platform: Platform::new("web"), workspace: String::new(), channel: id.clone(), thread: None };
    let notice = Reply { say: vec!["Your draft ends soon.".into()], ..Reply::default() };
    let path = format!("/api/conversation/{id}/events");
    let cookie = [("cookie", cookie.as_str())];
    let waiting = web.get(&path, &cookie);
    let deliver = async {
        tokio::task::yield_now().await;
        web.adapter.deliver(&delivery(&place, &notice)).await.unwrap();
    };
    let (heard, ()) = tokio::join!(waiting, deliver);
    assert_eq!(heard.json()["events"][0]["reply"]["say"], json!(["Your draft ends soon."]));

    for no in 0..limits::NOTICES * 2 {
        let reply = Reply { say: vec![no.to_string()], ..Reply::default() };
        web.adapter.deliver(&delivery(&place, &reply)).await.unwrap();
    }
    let last = heard.json()["last"].as_u64().unwrap();
    let kept = web.get(&format!("{path}?after={last}"), &cookie).await.json();
    assert_eq!(kept["events"].as_array().unwrap().len(), limits::NOTICES);
    assert_eq!(web.get(&format!("{path}?after=x"), &cookie).await.code(), "bad_after");

    // Who loads the page anew is shown all of it, and listens for what comes next.
    web.host.show_too(notice);
    let shown = web.get(&format!("/api/conversation/{id}"), &cookie).await.json();
    assert_eq!(shown["notices"], kept["last"]);
    assert_eq!(shown["session"]["last"].as_array().unwrap().last().unwrap()["say"], json!(["Your draft ends soon."]));
}

// ---- whose conversation ----------------------------------------------------------------------------------------

#[tokio::test]
async fn a_foreign_conversation_answers_like_a_missing_one() {
    let web = web(keyed("a-key"));
    let (mine, first) = web.start().await;
    let (theirs, _) = web.start().await;
    let id = id_of(&first);
    let missing = id.chars().rev().collect::<String>();
    let wanted = web.get("/api/no-such-thing", &[]).await;
    assert_eq!(wanted.status, StatusCode::NOT_FOUND);
    let askers: [&[(&str, &str)]; 4] =
        [&[("cookie", &theirs)], &[("authorization", "Bearer a-key")], &[], &[("cookie", "formwright=AAAA")]];
    for headers in askers {
        for id in [&id, &missing, &"A".repeat(43)] {
            let said = json!({ "conversation_id": id, "user_message": "hi" });
            let answers = [
                web.post("/api/chat", headers, &said).await,
                web.get(&format!("/api/conversation/{id}"), headers).await,
                web.get(&format!("/api/conversation/{id}/events"), headers).await,
                web.post("/api/sessions/reset", headers, &json!({ "conversation_id": id })).await,
            ];
            for answer in answers {
                assert_eq!(answer.status, StatusCode::NOT_FOUND);
                assert_eq!(answer.body, wanted.body);
                assert_eq!(answer.headers.get(header::SET_COOKIE), None);
            }
        }
    }
    assert_eq!(web.get(&format!("/api/conversation/{id}"), &[("cookie", &mine)]).await.status, StatusCode::OK);
    assert_eq!(web.host.events().len(), 2);
}

#[tokio::test]
async fn a_key_opens_its_own_conversations_only() {
    let web = web(keyed("a-key"));
    let key = [("authorization", "Bearer a-key")];
    let first = web.post("/api/chat", &key, &json!({ "form": "gallery" })).await;
    assert_eq!(first.cookie(), None);
    let said = json!({ "conversation_id": id_of(&first), "user_message": "Ada" });
    assert_eq!(web.post("/api/chat", &key, &said).await.status, StatusCode::OK);
    let other = web.post("/api/chat", &key, &json!({ "form": "gallery" })).await;
    assert_ne!(id_of(&first), id_of(&other));
    let users: Vec<String> = web.host.events().iter().map(|event| event.user.id.to_string()).collect();
    assert!(users.iter().all(|user| user.starts_with("key:client:")));
    assert_eq!((users[0] == users[1], users[0] == users[2]), (true, false));
    for wrong in ["Bearer a-kez", "Bearer", "Bearer ", "Basic a-key", ""] {
        let refused = web.post("/api/chat", &[("authorization", wrong)], &said).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, json!("unknown_key")), "{wrong}");
    }
}

#[tokio::test]
async fn the_cookie_is_for_this_server_alone() {
    let plain = web(WebSettings::default()).get("/", &[]).await;
    let cookie = plain.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"), "{cookie}");
    let settings = WebSettings { public_url: Some("https://forms.example".into()), ..WebSettings::default() };
    let secure = web(settings).get("/", &[("host", "forms.example")]).await;
    let cookie = secure.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-formwright=") && cookie.ends_with("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_known_cookie_is_kept() {
    let web = web(WebSettings::default());
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    assert_eq!(web.get("/", &[("cookie", &format!("other=1; {cookie}"))]).await.cookie(), None);
}

#[tokio::test]
async fn conversations_of_a_cookie_are_limited() {
    let web = web(WebSettings { conversations_per_hour: 2, ..WebSettings::default() });
    let (cookie, _) = web.start().await;
    let cookie = [("cookie", cookie.as_str())];
    let open = json!({ "form": "gallery" });
    let second = web.post("/api/chat", &cookie, &open).await;
    let refused = web.post("/api/chat", &cookie, &open).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    let said = json!({ "conversation_id": id_of(&second), "user_message": "Ada" });
    assert_eq!(web.post("/api/chat", &cookie, &said).await.status, StatusCode::OK);
}

#[tokio::test]
async fn conversations_of_an_address_are_limited_whatever_the_cookies() {
    let settings = WebSettings { conversations_per_hour: 2, ..WebSettings::default() };
    let adapter = WebAdapter::new(settings).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        adapter.serve(listener, Arc::new(Double::default()), Box::pin(std::future::pending())).await;
    });
    let mut answers = Vec::new();
    for _ in 0..3 {
        let mut client = TcpStream::connect(address).await.unwrap();
        let ask = "POST /api/chat HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 192.0.2.1\r\nconnection: close\r\n\
                   content-type: application/json\r\ncontent-length: 19\r\n\r\n{\"form\": \"gallery\"}";
        client.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answers.push(answer.split(' ').nth(1).unwrap_or_default().to_owned());
    }
    assert_eq!(answers, ["200", "200", "429"]);
}

// ---- what is refused -------------------------------------------------------------------------------------------

#[rstest]
#[case::not_an_object("[]", 400, "bad_json")]
#[case::not_json("{", 400, "bad_json")]
#[case::unknown_key(r#"{"user": "x"}"#, 400, "bad_json")]
#[case::key_twice(r#"{"form": "a", "form": "b"}"#, 400, "bad_json")]
#[case::wrong_type(r#"{"user_message": 7}"#, 400, "bad_json")]
#[case::unknown_key_inside(r#"{"location": {"lat": 1, "lng": 2, "zoom": 3}}"#, 400, "bad_json")]
#[case::bad_token(r#"{"press": {"token": "x"}}"#, 400, "bad_token")]
#[case::bad_option(r#"{"press": {"token": "AAAAAAAAAAAAAAAAAAAAAA.0", "options": ["x"]}}"#, 400, "bad_token")]
#[case::two_ways(r#"{"user_message": "x", "location": {"lat": 1, "lng": 2}}"#, 400, "too_many_ways")]
#[case::two_values(
    r#"{"press": {"token": "AAAAAAAAAAAAAAAAAAAAAA.0", "text": "x", "options": []}}"#,
    400,
    "too_many_values"
)]
#[case::off_the_map(r#"{"location": {"lat": 91, "lng": 2}}"#, 400, "bad_location")]
#[case::event_id(r#"{"event_id": "a b"}"#, 400, "bad_event_id")]
#[case::locale(r#"{"locale": "<b>"}"#, 400, "bad_locale")]
#[case::zone(r#"{"zone": "../etc"}"#, 400, "bad_zone")]
#[case::nul(r#"{"user_message": "a\u0000b"}"#, 400, "control_character")]
#[case::escape(r#"{"user_message": "\u001b[2J"}"#, 400, "control_character")]
#[case::bidi("{\"user_message\": \"\u{202e}txt.exe\"}", 400, "bidi_control")]
#[case::bidi_in_a_file_name(r#"{"attach": {"files": [{"name": "\u202efdp.exe", "size": 1}]}}"#, 400, "bidi_control")]
#[case::bidi_in_a_result(r#"{"tool_results": [{"tool_name": "t", "result": {"a": ["\u2066"]}}]}"#, 400, "bidi_control")]
#[case::lone_high(r#"{"user_message": "\ud800"}"#, 400, "lone_surrogate")]
#[case::lone_high_then_escape(r#"{"user_message": "\ud83d\u0041"}"#, 400, "lone_surrogate")]
#[case::lone_low(r#"{"user_message": "\udc00"}"#, 400, "lone_surrogate")]
#[case::two_forms(r##"{"form": "gallery", "form_context_md": "# x"}"##, 400, "two_forms")]
#[case::inline_form(r##"{"form_context_md": "# x"}"##, 403, "no_inline_forms")]
#[case::unknown_form(r#"{"form": "../gallery"}"#, 404, "not_found")]
#[case::a_form_that_is_off(r#"{"form": "closed"}"#, 409, "form_off")]
#[tokio::test]
async fn bad_requests_are_told_what_to_do(#[case] body: String, #[case] status: u16, #[case] code: &str) {
    let web = web(WebSettings::default());
    let answer = web.send(request("POST", "/api/chat", &[("content-type", JSON)], Body::from(body))).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (status, json!(code)), "{}", answer.json());
    assert!(answer.json()["error"]["message"].as_str().unwrap().ends_with(['.', ')']));
    assert!(web.host.events().is_empty());
}

#[tokio::test]
async fn sizes_are_limited() {
    let web = web(WebSettings::default());
    let long = |bytes: usize| json!({ "user_message": "x".repeat(bytes) });
    assert_eq!(web.post("/api/chat", &[], &long(limits::MESSAGE_BYTES)).await.status, StatusCode::OK);
    let answer = web.post("/api/chat", &[], &long(limits::MESSAGE_BYTES + 1)).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::PAYLOAD_TOO_LARGE, json!("text_too_long")));
    let answer = web.post("/api/chat", &[], &long(5_000_000)).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::PAYLOAD_TOO_LARGE, json!("body_too_big")));
    let presses: Vec<Value> = (0..=limits::PRESSES).map(|_| json!({ "token": "AAAAAAAAAAAAAAAAAAAAAA.0" })).collect();
    let answer = web.post("/api/chat", &[], &json!({ "presses": presses })).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::PAYLOAD_TOO_LARGE, json!("too_many")));
    for deep in ["[", "{\"a\":"] {
        let body = Body::from(deep.repeat(30_000 / deep.len()));
        let answer = web.send(request("POST", "/api/chat", &[("content-type", JSON)], body)).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, json!("too_deep")));
    }
    let body = Body::from(&b"{\"user_message\": \"\xff\"}"[..]);
    let answer = web.send(request("POST", "/api/chat", &[("content-type", JSON)], body)).await;
    assert_eq!(answer.code(), "bad_encoding");
}

#[tokio::test]
async fn whole_characters_pass() {
    let web = web(WebSettings::default());
    let body = r#"{"form": "gallery", "user_message": "\ud83d\udc69\u200d\ud83d\ude80 \\ud800 שלום\nعربي"}"#;
    let answer = web.send(request("POST", "/api/chat", &[("content-type", JSON)], Body::from(body))).await;
    assert_eq!(answer.json()["answers"]["name"], "👩‍🚀 \\ud800 שלום\nعربي");
}

#[tokio::test]
async fn a_slow_body_is_not_waited_for() {
    let (mut client, _stop, _) = socket(Patience { body: Duration::from_millis(20) }).await;
    let head =
        "POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    client.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = client.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]);
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("too_slow"), "{answer}");
}

#[rstest]
#[case::announced("application/json", "content-length: 5000000\r\n", 5_000_000, "413")]
#[case::no_json("text/plain", "content-length: 5000000\r\n", 5_000_000, "415")]
#[case::in_chunks("application/json", "transfer-encoding: chunked\r\n", 5_000_000, "413")]
#[case::told_first("application/json", "content-length: 5000000\r\nexpect: 100-continue\r\n", 0, "413")]
#[tokio::test]
async fn who_writes_all_before_reading_finds_the_refusal(
    #[case] media_type: &str,
    #[case] headers: &str,
    #[case] bytes: usize,
    #[case] status: &str,
) {
    let (mut client, _stop, _) = socket(PATIENT).await;
    let head = format!("POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: {media_type}\r\n{headers}\r\n");
    client.write_all(head.as_bytes()).await.unwrap();
    let chunked = headers.contains("chunked");
    let body = "x".repeat(bytes);
    let body = if chunked { format!("{bytes:x}\r\n{body}\r\n0\r\n\r\n") } else { body };
    client.write_all(body.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = client.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]);
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
}

/// The page's tables of words: each language with its names.
fn page_words() -> Vec<(&'static str, std::collections::BTreeSet<String>)> {
    let source = include_str!("page/words.js");
    let table = |name: &'static str| {
        let (_, rest) = source.split_once(&format!("const {name} = {{")).unwrap();
        let (table, _) = rest.split_once("\n};").unwrap();
        let (mut names, mut word, mut quoted) = (std::collections::BTreeSet::new(), String::new(), None);
        for c in table.chars() {
            match quoted {
                Some(mark) if c == mark => quoted = None,
                Some(_) => {}
                None if c == '"' || c == '`' => quoted = Some(c),
                None if c.is_ascii_alphanumeric() => word.push(c),
                None if c == ':' && !word.is_empty() => drop(names.insert(std::mem::take(&mut word))),
                None => word.clear(),
            }
        }
        (name, names)
    };
    ["EN", "IT", "ES", "DE", "FR", "AR"].map(table).into()
}

#[test]
fn the_page_has_all_its_words_in_every_language() {
    let tables = page_words();
    let english = tables[0].1.clone();
    assert!(english.contains("leaveTitle") && english.contains("bot") && english.len() > 50, "{english:?}");
    for (name, table) in tables {
        assert_eq!(english.symmetric_difference(&table).collect::<Vec<_>>(), [""; 0], "{name}");
    }
}

#[tokio::test]
async fn who_waits_for_notices_does_not_hold_the_server_up() {
    let (mut client, stop, served) = socket(PATIENT).await;
    let principal = auth::Principal::of_cookie(&[7; 32]);
    let id = principal.conversation(&[8; 16]);
    let cookie = auth::set_cookie("formwright", &[7; 32], false);
    let head = format!("GET /api/conversation/{id}/events HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\n\r\n");
    client.write_all(head.as_bytes()).await.unwrap();
    stop.send(()).unwrap();
    tokio::time::timeout(limits::SHUTDOWN_GRACE, served).await.unwrap().unwrap();
}

#[rstest]
#[case::away(HostError::Unavailable("disk".into()), 503, "unavailable", Some("2"))]
#[case::busy(HostError::Busy { retry_after: 7 }, 429, "too_many", Some("7"))]
#[case::refused(HostError::Refused("no".into()), 422, "refused", None)]
#[tokio::test]
async fn the_hosts_refusals_have_their_status(
    #[case] error: HostError,
    #[case] status: u16,
    #[case] code: &str,
    #[case] retry_after: Option<&str>,
) {
    let web = web(WebSettings::default());
    web.host.fail([error]);
    let answer = web.post("/api/chat", &[], &json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (status, json!(code)));
    assert_eq!(answer.headers.get(header::RETRY_AFTER).map(|value| value.to_str().unwrap()), retry_after);
    assert!(!String::from_utf8_lossy(&answer.body).contains("disk"));
}

#[tokio::test]
async fn what_is_turned_away_here_is_counted_and_what_the_host_refuses_is_not() {
    let web = web(WebSettings { conversations_per_hour: 1, ..WebSettings::default() });
    let (cookie, _) = web.start().await;
    let cookie = [("cookie", cookie.as_str())];
    let large = "x".repeat(limits::MESSAGE_BYTES + 1);
    for body in [json!({ "form": "gallery" }), json!({ "user_message": large }), json!({ "user_message": 7 })] {
        assert!(web.post("/api/chat", &cookie, &body).await.status.is_client_error());
    }
    web.host.fail([HostError::Busy { retry_after: 7 }]);
    assert_eq!(web.post("/api/chat", &[], &json!({})).await.status, StatusCode::TOO_MANY_REQUESTS);
    let counted = [TurnedAway::Rate, TurnedAway::Size, TurnedAway::Unreadable];
    assert_eq!(web.host.turned_away_so_far(), counted);
}

#[tokio::test]
async fn only_json_is_taken() {
    let web = web(WebSettings::default());
    for media_type in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""]
    {
        for path in ["/api/chat", "/api/sessions/reset"] {
            let answer = web.send(request("POST", path, &[("content-type", media_type)], Body::from("{}"))).await;
            assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{media_type}");
        }
    }
    let with_charset = [("content-type", "Application/JSON; charset=utf-8")];
    assert_eq!(web.send(request("POST", "/api/chat", &with_charset, Body::from("{}"))).await.status, StatusCode::OK);
}

// ---- names are keys, never paths -------------------------------------------------------------------------------

#[tokio::test]
async fn no_spelling_leaves_the_map_of_forms() {
    let web = web(WebSettings::default());
    let wanted = web.get("/api/schemas/none", &[]).await;
    let ups = [
        "..",
        "%2e%2e",
        "%252e%252e",
        "..%00",
        ".%2e",
        "%c0%ae%c0%ae",
        "%uff0e%uff0e",
        "\u{ff0e}\u{ff0e}",
        "....",
        "..;",
    ];
    let slashes = ["/", "%2f", "%5c", "%252f", "\\", "//"];
    let mut spellings: Vec<String> = Vec::new();
    for up in ups {
        spellings.extend(slashes.iter().map(|slash| [up, up, "etc", "passwd"].join(slash)));
    }
    spellings.extend(
        [
            "/etc/passwd",
            "gallery/",
            "gallery.",
            "gallery%20",
            "gallery%00",
            "Gallery",
            "./gallery",
            "gallery/..",
            "%67allery",
            "gallery.toml",
            "gallery%2f",
            "C:%5cgallery",
            "file:gallery",
            "~",
            "%",
            "%ff",
        ]
        .map(str::to_owned),
    );
    spellings.push("a".repeat(5_000));
    assert!(spellings.len() > 60);
    for spelling in spellings {
        let ascii: String = spelling
            .bytes()
            .map(|b| if b.is_ascii() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect();
        let ascii = ascii.replace('\\', "%5C").replace(' ', "%20");
        let answer = web.get(&format!("/api/schemas/{ascii}"), &[]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{spelling}");
        assert_eq!(answer.body, wanted.body, "{spelling}");
    }
    assert_eq!(web.get("/api/schemas/gallery", &[]).await.json()["schema"], json!({ "type": "object" }));
    assert_eq!(web.get("/api/schemas", &[]).await.json()["schemas"][0]["id"], "gallery");
}

// ---- other sites -----------------------------------------------------------------------------------------------

#[rstest]
#[case::none(None, 200, false)]
#[case::own(Some("http://localhost:8080"), 200, false)]
#[case::listed(Some("https://good.example"), 200, true)]
#[case::null(Some("null"), 403, false)]
#[case::foreign(Some("https://evil.example"), 403, false)]
#[case::ends_the_same(Some("https://evil-good.example"), 403, false)]
#[case::goes_on(Some("https://good.example.evil.example"), 403, false)]
#[case::below(Some("https://sub.good.example"), 403, false)]
#[case::other_scheme(Some("http://good.example"), 403, false)]
#[case::other_port(Some("https://good.example:444"), 403, false)]
#[case::own_other_port(Some("http://localhost:9"), 403, false)]
#[case::upper(Some("https://GOOD.example"), 403, false)]
#[case::user(Some("https://good.example@evil.example"), 403, false)]
#[tokio::test]
async fn only_listed_origins_may_call(#[case] origin: Option<&str>, #[case] status: u16, #[case] shared: bool) {
    let settings = WebSettings { origins: vec!["https://good.example".into()], ..WebSettings::default() };
    let web = web(settings);
    let headers: Vec<(&str, &str)> = origin.iter().map(|origin| ("origin", *origin)).collect();
    let answer = web.post("/api/chat", &headers, &json!({ "form": "gallery" })).await;
    assert_eq!(answer.status.as_u16(), status);
    let allowed = answer.headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    assert_eq!(allowed.map(|value| value.to_str().unwrap()), origin.filter(|_| shared));
    assert_eq!(answer.headers[header::VARY], "origin");

    let mut preflight = headers.clone();
    preflight.push(("access-control-request-method", "POST"));
    let answer = web.send(request("OPTIONS", "/api/chat", &preflight, Body::empty())).await;
    assert_eq!(answer.status == StatusCode::NO_CONTENT, shared);
    assert_eq!(answer.headers.contains_key(header::ACCESS_CONTROL_ALLOW_METHODS), shared);
    let read = web.get("/api/schemas", &headers).await;
    assert_eq!(read.headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN), shared);
}

#[tokio::test]
async fn no_origin_is_allowed_unless_listed() {
    let web = web(WebSettings::default());
    let answer = web.post("/api/chat", &[("origin", "https://good.example")], &json!({})).await;
    assert_eq!(answer.code(), "foreign_origin");
    assert!(!answer.headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
}

#[rstest]
#[case("localhost:8080", 200)]
#[case("127.0.0.1:8080", 200)]
#[case("[::1]:8080", 200)]
#[case("evil.example:8080", 403)]
#[case("forms.example", 200)]
#[case("inner", 200)]
#[case("", 403)]
#[tokio::test]
async fn a_loopback_server_answers_to_its_names_only(#[case] host: &str, #[case] status: u16) {
    let public_url = Some("https://forms.example/".to_owned());
    let web = web(WebSettings { public_url, hosts: vec!["inner".into()], ..WebSettings::default() });
    let mut asked = request("GET", "/api/schemas", &[], Body::empty());
    asked.headers_mut().insert(header::HOST, host.parse().unwrap());
    assert_eq!(web.send(asked).await.status.as_u16(), status);
}

#[rstest]
#[case::twice(&["localhost", "localhost"], "/", 400)]
#[case::two_names(&["localhost", "evil.example"], "/", 400)]
#[case::another_in_the_address(&["localhost"], "http://evil.example/", 400)]
#[case::not_a_name(&["l\u{f6}calhost"], "/", 400)]
#[case::only_in_the_address(&[], "http://localhost/", 200)]
#[case::foreign_in_the_address(&[], "http://evil.example/", 403)]
#[case::both(&["localhost"], "http://localhost/", 200)]
#[tokio::test]
async fn a_request_names_one_host(#[case] hosts: &[&str], #[case] address: &str, #[case] status: u16) {
    let web = web(WebSettings::default());
    let mut asked = request("GET", address, &[], Body::empty());
    asked.headers_mut().remove(header::HOST);
    for host in hosts {
        asked.headers_mut().append(header::HOST, host.parse().unwrap());
    }
    assert_eq!(web.send(asked).await.status.as_u16(), status);
}

#[tokio::test]
async fn who_waits_too_often_is_told_so_and_others_are_not() {
    let web = web(WebSettings { polls_per_visitor: 1, ..WebSettings::default() });
    let ((cookie, first), (other, second)) = (web.start().await, web.start().await);
    let path = |answer: &Answer| format!("/api/conversation/{}/events", id_of(answer));
    let (mine, theirs) = (path(&first), path(&second));
    let (cookie, other) = ([("cookie", cookie.as_str())], [("cookie", other.as_str())]);
    let place = web.host.events()[1].place.clone();
    web.adapter.deliver(&delivery(&place, &Reply::default())).await.unwrap();
    let meanwhile = async {
        tokio::task::yield_now().await;
        let refused = web.get(&mine, &cookie).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::TOO_MANY_REQUESTS, json!("too_many")));
        assert!(refused.headers.contains_key(header::RETRY_AFTER));
        // What has come meanwhile is given all the same.
        let elsewhere = web.post("/api/chat", &cookie, &json!({ "form": "gallery" })).await;
        let place = web.host.events()[2].place.clone();
        web.adapter.deliver(&delivery(&place, &Reply::default())).await.unwrap();
        assert_eq!(web.get(&path(&elsewhere), &cookie).await.status, StatusCode::OK);
        assert_eq!(web.get(&theirs, &other).await.status, StatusCode::OK);
    };
    tokio::select! {
        answer = web.get(&mine, &cookie) => panic!("nothing came: {}", answer.status),
        () = meanwhile => {}
    }
}

#[tokio::test]
async fn every_answer_wears_the_safety_headers() {
    let web = web(WebSettings::default());
    for path in ["/", "/page/app.js", "/api/schemas", "/api/none", "/health/live", "/api/chat"] {
        let answer = web.get(path, &[]).await;
        let csp = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        for part in ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"] {
            assert!(csp.contains(part), "{path}");
        }
        assert!(!csp.contains("unsafe"));
        assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        let caching = answer.headers.get(header::CACHE_CONTROL).map(|value| value.to_str().unwrap());
        assert_eq!(caching == Some("no-store"), path.starts_with("/api"), "{path}");
    }
}

// ---- the page --------------------------------------------------------------------------------------------------

#[tokio::test]
async fn the_page_needs_no_inline_code_and_nothing_from_elsewhere() {
    let web = web(WebSettings { tools_script: "window.formwright = {};".into(), ..WebSettings::default() });
    let html = String::from_utf8(web.get("/", &[]).await.body.to_vec()).unwrap();
    assert!(!html.contains("<style") && !html.contains("style=") && !html.contains("onclick="));
    assert!(
        html.match_indices("<script").all(|(at, _)| html[at..].starts_with("<script type=\"module\" src=\"/page/"))
    );
    let linked = html.split('"').filter(|part| part.starts_with("/page/"));
    for path in linked {
        assert_eq!(web.get(path, &[]).await.status, StatusCode::OK, "{path}");
    }
    assert!(!html.contains("://"));
    assert_eq!(web.get("/page/tools.js", &[]).await.body, "window.formwright = {};");
}

#[tokio::test]
async fn unchanged_files_are_not_sent_again() {
    let web = web(WebSettings::default());
    let first = web.get("/page/app.js", &[]).await;
    let etag = first.headers[header::ETAG].to_str().unwrap();
    let again = web.get("/page/app.js", &[("if-none-match", &format!("\"x\", W/{etag}"))]).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(web.get("/page/app.js", &[("if-none-match", "\"x\"")]).await.status, StatusCode::OK);
}

#[test]
fn the_page_never_writes_markup() {
    for file in ["app", "api", "aside", "chat", "widgets", "pickers", "debug", "dom", "tabs", "words"] {
        let path = format!("{}/src/page/{file}.js", env!("CARGO_MANIFEST_DIR"));
        let script = std::fs::read_to_string(path).unwrap();
        for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!script.contains(forbidden), "{file}: {forbidden}");
        }
    }
}

#[tokio::test]
async fn hostile_text_comes_back_as_json_only() {
    for hostile in hostile() {
        let web = web(WebSettings::default());
        let answer = web.post("/api/chat", &[], &json!({ "form": "gallery", "user_message": hostile })).await;
        assert_eq!(answer.status, StatusCode::OK, "{hostile}");
        assert_eq!(answer.json()["answers"]["name"], hostile);
        assert_eq!(answer.headers[header::CONTENT_TYPE], JSON);
        assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    }
}

fn hostile() -> Vec<String> {
    let tags = ["script", "img", "svg", "iframe", "body", "math", "details", "video", "a", "style"];
    let forms = [
        "<TAG src=x onerror=alert(1)>",
        "\"><TAG onload=alert(1)>",
        "</textarea><TAG>alert(1)</TAG>",
        "javascript:/*--></title><TAG/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
        "{{constructor.constructor('<TAG>')()}}",
    ];
    tags.iter().flat_map(|tag| forms.iter().map(move |form| form.replace("TAG", tag))).collect()
}

// ---- settings and description ----------------------------------------------------------------------------------

#[rstest]
#[case::origin(WebSettings { origins: vec!["good.example".into()], ..WebSettings::default() }, "web.origins")]
#[case::any_origin(WebSettings { origins: vec!["*".into()], ..WebSettings::default() }, "web.origins")]
#[case::path(WebSettings { origins: vec!["https://good.example/x".into()], ..WebSettings::default() }, "web.origins")]
#[case::url(WebSettings { public_url: Some("forms".into()), ..WebSettings::default() }, "web.public_url")]
#[case::key(WebSettings { keys: vec![ApiKey { name: "a".into(), sha256: "+1".repeat(32) }], ..WebSettings::default() }, "web.keys")]
fn wrong_settings_name_what_to_change(#[case] settings: WebSettings, #[case] named: &str) {
    let Err(error) = WebAdapter::new(settings) else { panic!("taken") };
    assert!(error.starts_with(named), "{error}");
}

#[test]
fn a_key_is_not_shown() {
    let settings = keyed("a-key");
    assert!(!format!("{settings:?}").contains(&settings.keys[0].sha256));
}

#[tokio::test]
async fn the_description_names_every_route() {
    let web = web(WebSettings::default());
    let description = web.get("/api/openapi.json", &[]).await.json();
    assert_eq!(description["openapi"], "3.1.0");
    let mut references = Vec::new();
    collect(&description, &mut references);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(description.pointer(pointer).is_some(), "{reference}");
    }
    for (path, operations) in description["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let path = path.replace("{name}", "gallery").replace("{id}", "x");
            let method = method.to_uppercase();
            let answer = web.send(request(&method, &path, &[("content-type", JSON)], Body::from("{}"))).await;
            assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        }
    }
    assert_eq!(web.get("/api/chat", &[]).await.code(), "wrong_method");
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            references.extend(map.get("$ref").and_then(|reference| reference.as_str()).map(str::to_owned));
            map.values().for_each(|value| collect(value, references));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

#[tokio::test]
async fn health_tells_the_sessions() {
    let web = web(WebSettings::default());
    web.start().await;
    let well = json!({
        "status": "ok", "sessions": 1, "forms": 2, "model": { "state": "none" },
        "platforms": { "slack": { "state": "down", "why": "no token" }, "web": { "state": "up" } },
    });
    assert_eq!(web.get("/api/health", &[]).await.json(), well);
    let resting = ModelHealth { state: ModelState::Resting, calls: 7, failures: 5, ..ModelHealth::default() };
    *web.host.model.lock().unwrap() = Some(resting);
    let told = web.get("/api/health", &[]).await;
    assert_eq!((told.status, &told.json()["status"]), (StatusCode::OK, &json!("ok")), "forms go on without a model");
    let model = json!({ "state": "resting", "calls": 7, "failures": 5, "prompt_tokens": 0, "reply_tokens": 0 });
    assert_eq!(told.json()["model"], model);
    assert_eq!(web.get("/health/live", &[]).await.body, "live\n");
    assert_eq!(web.get("/health/ready", &[]).await.json(), json!({ "status": "ready", "reasons": [] }));
    web.host.fail([HostError::Unavailable("the disk is full".into())]);
    let unready = web.get("/health/ready", &[]).await;
    let reasons = json!({ "status": "unready", "reasons": ["the store takes no writes"] });
    assert_eq!((unready.status, unready.json()), (StatusCode::SERVICE_UNAVAILABLE, reasons));
    web.host.fail([HostError::Unavailable("the disk is full".into())]);
    let ill = web.get("/api/health", &[]).await;
    assert_eq!((ill.status, ill.json()["status"].clone()), (StatusCode::SERVICE_UNAVAILABLE, json!("unavailable")));
    assert!(ill.json()["error"]["message"].as_str().unwrap().contains("the disk is full"));
}
