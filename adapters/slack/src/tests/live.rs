//! The adapter whole, against a few canned answers of the Web API and a socket on loopback.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, post};
use chat::{Adapter as _, Delivery, DeliveryError, Place, ReplyId, UserId, conformance};
use formwright_chat as chat;
use formwright_fakes::host::FakeHost;
use formwright_fakes::websocket::{Message, Socket, Upgrade};
use serde_json::{Value, json};
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc, oneshot};

use super::{BOT, act, button, card, fixture, thread, token, worn};
use crate::{Settings, Slack, Transport};

pub(super) const SCOPES: &str = "chat:write,im:history,im:write,app_mentions:read,channels:history,channels:read,groups:history,groups:read,files:read,users:read,commands";

/// What Slack is here: a table of answers, a list of calls, and one socket.
pub(super) struct Stub {
    pub(super) calls: Mutex<Vec<(String, Value)>>,
    news: Notify,
    answers: Mutex<BTreeMap<String, VecDeque<Response>>>,
    scopes: String,
    sockets: mpsc::UnboundedSender<Socket>,
    pub(super) url: std::sync::OnceLock<String>,
}

impl Stub {
    pub(super) fn answer(&self, method: &str, answer: impl IntoResponse) {
        self.answers.lock().unwrap().entry(method.to_owned()).or_default().push_back(answer.into_response());
    }

    pub(super) fn called(&self, method: &str) -> Vec<Value> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|(name, _)| name == method).map(|(_, body)| body.clone()).collect()
    }

    pub(super) async fn wait(&self, method: &str, count: usize) -> Vec<Value> {
        let enough = async {
            loop {
                let news = self.news.notified();
                let calls = self.called(method);
                if calls.len() >= count {
                    return calls;
                }
                news.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), enough).await.unwrap_or_else(|_| panic!("no {method}"))
    }
}

async fn method(
    State(stub): State<Arc<Stub>>,
    Path(method): Path<String>,
    Query(query): Query<BTreeMap<String, String>>,
    body: String,
) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap_or_else(|_| json!(query));
    let number = {
        let mut calls = stub.calls.lock().unwrap();
        calls.push((method.clone(), body.clone()));
        calls.len()
    };
    stub.news.notify_waiters();
    let scripted = stub.answers.lock().unwrap().get_mut(&method).and_then(VecDeque::pop_front);
    if let Some(answer) = scripted {
        return answer;
    }
    let url = stub.url.get().cloned().unwrap_or_default();
    match method.as_str() {
        "auth.test" => {
            let who = json!({"ok": true, "user_id": BOT, "user": "formwright", "team": "Acme", "team_id": "T0TEAM"});
            ([("x-oauth-scopes", stub.scopes.clone())], axum::Json(who)).into_response()
        }
        "apps.connections.open" => {
            axum::Json(json!({"ok": true, "url": format!("{}/link", url.replace("http", "ws"))})).into_response()
        }
        "users.info" => axum::Json(json!({"ok": true, "user": {"id": body["user"], "name": "ada",
            "tz": "Europe/Rome", "locale": "it-IT"}}))
        .into_response(),
        "conversations.open" => axum::Json(json!({"ok": true, "channel": {"id": "D0ADA"}})).into_response(),
        _ => axum::Json(json!({"ok": true, "channel": body["channel"], "ts": format!("1780000100.{number:06}")}))
            .into_response(),
    }
}

/// The adapter in the midst of its work.
pub(super) struct Live {
    pub(super) stub: Arc<Stub>,
    pub(super) host: Arc<FakeHost>,
    pub(super) slack: Arc<Slack>,
    sockets: AsyncMutex<mpsc::UnboundedReceiver<Socket>>,
    stop: Option<oneshot::Sender<()>>,
    running: tokio::task::JoinHandle<Result<(), formwright_chat::AdapterError>>,
}

impl Live {
    pub(super) async fn start(scopes: &str) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let stub = Arc::new(Stub {
            calls: Mutex::default(),
            news: Notify::new(),
            answers: Mutex::default(),
            scopes: scopes.to_owned(),
            sockets: sender,
            url: std::sync::OnceLock::new(),
        });
        let link = |State(stub): State<Arc<Stub>>, upgrade: Upgrade| async move {
            upgrade.on_upgrade(|socket| async move { drop(stub.sockets.send(socket)) })
        };
        let router = Router::new()
            .route("/api/{method}", post(method).get(method))
            .route("/link", any(link))
            .with_state(stub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        stub.url.set(url.clone()).unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
        let mut settings = Settings::new("xoxb-1", Transport::Socket { app_token: "xapp-1".to_owned() });
        settings.api_url = format!("{url}/api");
        let slack = Arc::new(Slack::new(settings));
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown: chat::Shutdown = Box::pin(async move { drop(stopped.await) });
        let running = tokio::spawn(slack.clone().run(host.clone(), shutdown));
        Self { stub, host, slack, sockets: AsyncMutex::new(receiver), stop: Some(stop), running }
    }

    /// The next socket that the bot opens.
    pub(super) async fn socket(&self) -> Socket {
        let next = tokio::time::timeout(Duration::from_secs(10), async { self.sockets.lock().await.recv().await });
        let mut socket = next.await.expect("a socket in time").expect("a socket");
        socket.send(Message::text(json!({"type": "hello"}).to_string())).await.unwrap();
        socket
    }

    pub(super) async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        self.slack.deliver(delivery).await
    }
}

/// Sends an envelope, and gives what it is answered with.
pub(super) async fn envelope(socket: &mut Socket, kind: &str, payload: &Value) -> Value {
    let frame = json!({"type": kind, "envelope_id": "env-1", "accepts_response_payload": true, "payload": payload});
    socket.send(Message::text(frame.to_string())).await.unwrap();
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(10), socket.recv()).await.expect("an answer in time");
        if let Some(Ok(Message::Text(text))) = frame {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

pub(super) fn delivery(id: &str, reply: chat::Reply) -> Delivery {
    Delivery { id: ReplyId::new(id), place: thread(), user: UserId::new("U0ADA"), reply, attempt: 0, overtaken: false }
}

fn quiet(mut delivery: Delivery) -> Delivery {
    delivery.place = Place { thread: None, ..thread() };
    delivery
}

#[tokio::test]
async fn a_press_is_acknowledged_after_it_is_stored_and_its_widget_goes_with_the_next_reply() {
    let mut live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.deliver(&delivery("r1", worn(conformance::one_of(3)))).await.unwrap();
    let posted = live.stub.called("chat.postMessage").remove(0);
    assert_eq!(
        (posted["channel"].as_str(), posted["thread_ts"].as_str()),
        (Some("C0GENERAL"), thread().thread.as_deref())
    );
    assert_eq!((posted["parse"].as_str(), &posted["unfurl_links"]), (Some("none"), &json!(false)));

    let ack = envelope(&mut socket, "interactive", &act(&button(&token(0).option(1)))).await;
    assert_eq!(ack, json!({"envelope_id": "env-1"}));
    let event = live.host.events().remove(0);
    let user = live.slack.introduce(event.user).await;
    assert_eq!((user.locale.as_deref(), user.zone.as_deref()), (Some("it-IT"), Some("Europe/Rome")));

    let thanks = chat::Reply { say: vec!["Thank you.".to_owned()], ..chat::Reply::default() };
    live.deliver(&delivery("r2", thanks)).await.unwrap();
    let update = live.stub.wait("chat.update", 1).await.remove(0);
    let blocks = update["blocks"].to_string();
    assert!(blocks.contains("✓ Option 2") && !blocks.contains("actions"), "{blocks}");
    // An old button: the person is told, and nothing is changed.
    envelope(&mut socket, "interactive", &act(&button(&token(0).option(0)))).await;
    assert_eq!(live.host.events().len(), 1);

    live.stop.take().unwrap().send(()).unwrap();
    (&mut live.running).await.unwrap().unwrap();
}

#[tokio::test]
async fn whoever_writes_while_nothing_can_be_kept_is_told_once() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.host.be_away(true);
    for _ in 0..2 {
        let frame = json!({"type": "events_api", "envelope_id": "env-1", "payload": fixture("message_im")});
        socket.send(Message::text(frame.to_string())).await.unwrap();
    }
    let told = live.stub.wait("chat.postEphemeral", 1).await;
    assert_eq!((told[0]["channel"].as_str(), told[0]["user"].as_str()), (Some("D0ADA"), Some("U0ADA")));
    assert!(told[0].to_string().contains("non posso conservare nulla"), "{}", told[0]);
    // A command is not sent again by Slack: each is answered.
    let command = json!({"command": "/formwright", "text": "pizza-order", "user_id": "U0ADA", "team_id": "T0TEAM",
        "channel_id": "C0GENERAL", "trigger_id": "1.2.3"});
    let ack = envelope(&mut socket, "slash_commands", &command).await;
    assert!(ack["payload"]["text"].as_str().unwrap().contains("non posso conservare nulla"), "{ack}");
    live.host.be_away(false);
    let frame = json!({"type": "events_api", "envelope_id": "env-1", "payload": fixture("message_im")});
    socket.send(Message::text(frame.to_string())).await.unwrap();
    live.host.wait_for_events(1).await;
    assert_eq!(live.stub.called("chat.postEphemeral").len(), 1);
}

#[tokio::test]
async fn a_modal_opens_from_the_screen_and_shows_problems_at_its_fields() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.deliver(&delivery("r1", worn(super::page()))).await.unwrap();
    let open = json!({"action_id": format!("{}~form", token(0)), "type": "button"});
    envelope(&mut socket, "interactive", &act(&open)).await;
    let opened = live.stub.wait("views.open", 1).await.remove(0);
    assert_eq!(opened["view"]["blocks"].as_array().unwrap().len(), 12);
    live.host.find_fault(vec![chat::Fault { token: token(1), problem: "Too many.".to_owned() }]);
    let ack = envelope(&mut socket, "interactive", &fixture("view_submission")).await;
    assert_eq!(ack["payload"], json!({"response_action": "errors", "errors": {token(1).to_string(): "Too many."}}));
    assert!(live.host.events().is_empty());
}

#[tokio::test]
async fn what_was_sent_is_not_sent_again() {
    let live = Live::start(SCOPES).await;
    let _socket = live.socket().await;
    let first = delivery("r1", worn(conformance::one_of(3)));
    live.deliver(&first).await.unwrap();
    live.deliver(&first).await.unwrap();
    assert_eq!(live.stub.called("chat.postMessage").len(), 1);
    // The process died after Slack had the message and before it was noted.
    let lost = delivery("r2", chat::Reply { say: vec!["Hello.".to_owned()], ..chat::Reply::default() });
    live.stub.answer("chat.postMessage", StatusCode::BAD_GATEWAY);
    assert!(matches!(live.deliver(&lost).await, Err(DeliveryError::Later { after: None, .. })));
    let metadata = json!({"event_type": "formwright_reply", "event_payload": {"id": "r2", "part": 0}});
    let messages = json!({"ok": true, "messages": [{"ts": "5.5", "metadata": metadata}]});
    live.stub.answer("conversations.replies", axum::Json(messages));
    live.deliver(&lost).await.unwrap();
    assert_eq!(live.stub.called("chat.postMessage").len(), 2);
}

#[tokio::test]
async fn a_rate_limit_is_handed_on_and_holds_the_channel() {
    let live = Live::start(SCOPES).await;
    let _socket = live.socket().await;
    let limited = (
        StatusCode::TOO_MANY_REQUESTS,
        [("retry-after", "30")],
        axum::Json(json!({"ok": false, "error": "ratelimited"})),
    );
    live.stub.answer("chat.postMessage", limited);
    for _ in 0..2 {
        let error = live.deliver(&delivery("r1", worn(conformance::one_of(3)))).await.unwrap_err();
        let DeliveryError::Later { after: Some(after), .. } = error else { panic!("{error:?}") };
        assert!(after > Duration::from_secs(25), "{after:?}");
    }
    assert_eq!(live.stub.called("chat.postMessage").len(), 1);
}

#[tokio::test]
async fn outside_of_threads_only_the_person_sees_the_questions() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.deliver(&quiet(delivery("r1", worn(conformance::one_of(3))))).await.unwrap();
    let posted = live.stub.called("chat.postEphemeral").remove(0);
    assert_eq!((posted["channel"].as_str(), posted["user"].as_str()), (Some("C0GENERAL"), Some("U0ADA")));
    // Pressed on, it can be changed in place.
    let mut press = act(&button(&token(0).option(1)));
    press["container"]["is_ephemeral"] = json!(true);
    press["response_url"] = json!(format!("{}/api/respond", live.stub.url.get().unwrap()));
    envelope(&mut socket, "interactive", &press).await;
    let next = chat::Reply { say: vec!["Next.".to_owned()], ..chat::Reply::default() };
    live.deliver(&quiet(delivery("r2", next.clone()))).await.unwrap();
    // What comes next is said in answer to the press, which no rate counts; then the question before is changed.
    let [said, replaced] = live.stub.wait("respond", 2).await.try_into().unwrap();
    assert!(said["replace_original"] == false && said["text"] == "Next.", "{said}");
    assert!(replaced["replace_original"] == true && replaced["blocks"].to_string().contains("✓ Option 2"));
    assert_eq!(live.stub.called("chat.postEphemeral").len(), 1);
    // Where the bot is no member, the command's own address serves; where there is none, the direct message.
    let outside = || axum::Json(json!({"ok": false, "error": "not_in_channel"}));
    live.stub.answer("respond", StatusCode::NOT_FOUND);
    live.stub.answer("chat.postEphemeral", outside());
    live.deliver(&quiet(delivery("r3", next.clone()))).await.unwrap();
    assert_eq!(live.stub.called("chat.postMessage")[0]["channel"], "D0ADA");
    let command = json!({"command": "/formwright", "text": "", "user_id": "U0ADA", "team_id": "T0TEAM",
        "channel_id": "C0GENERAL", "trigger_id": "1.2.3",
        "response_url": format!("{}/api/command_url", live.stub.url.get().unwrap())});
    envelope(&mut socket, "slash_commands", &command).await;
    live.stub.answer("chat.postEphemeral", outside());
    live.deliver(&quiet(delivery("r4", next))).await.unwrap();
    assert_eq!(live.stub.called("command_url")[0]["response_type"], "ephemeral");
}

#[tokio::test]
async fn a_channel_is_reached_where_the_bot_is_a_member() {
    let live = Live::start(SCOPES).await;
    let _socket = live.socket().await;
    let reach = async |answer: Value| {
        live.stub.answer("conversations.info", axum::Json(answer));
        live.slack.reach(&thread()).await
    };
    let channel = |is_member: bool, is_archived: bool| json!({"ok": true, "channel": {"name": "leads", "is_member": is_member, "is_archived": is_archived}});
    let never = |why: &str| Err(DeliveryError::never(why));
    assert_eq!(reach(channel(true, false)).await, Ok(()));
    assert_eq!(reach(json!({"ok": true, "channel": {"is_im": true}})).await, Ok(()));
    assert_eq!(reach(channel(false, false)).await, never("the bot is not in #leads; invite it there"));
    assert_eq!(reach(channel(true, true)).await, never("#leads is archived"));
    assert_eq!(
        reach(json!({"ok": false, "error": "channel_not_found"})).await,
        never("slack refuses: channel_not_found")
    );
    let unknown = reach(json!({"ok": false, "error": "internal_error"})).await;
    assert!(matches!(unknown, Err(DeliveryError::Later { .. })), "{unknown:?}");
    assert_eq!(reach(json!({"ok": false, "error": "missing_scope", "needed": "channels:read"})).await, Ok(()));
}

#[tokio::test]
async fn blocks_that_slack_refuses_are_sent_as_text() {
    let live = Live::start(SCOPES).await;
    let _socket = live.socket().await;
    live.stub.answer("chat.postMessage", axum::Json(json!({"ok": false, "error": "invalid_blocks"})));
    live.deliver(&delivery("r1", worn(conformance::one_of(3)))).await.unwrap();
    let text = live.stub.called("chat.postMessage")[1]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("1. Option 1"), "{text}");
    live.stub.answer("chat.postMessage", axum::Json(json!({"ok": false, "error": "is_archived"})));
    let gone = live.deliver(&delivery("r2", chat::Reply { say: vec!["x".to_owned()], ..chat::Reply::default() })).await;
    assert!(matches!(gone, Err(DeliveryError::Never { .. })));
}

#[tokio::test]
async fn the_socket_is_opened_again_when_slack_asks_and_when_it_drops() {
    let live = Live::start(SCOPES).await;
    let mut first = live.socket().await;
    first.send(Message::text(json!({"type": "disconnect", "reason": "refresh_requested"}).to_string())).await.unwrap();
    let second = live.socket().await;
    drop(second);
    let mut third = live.socket().await;
    let ack = envelope(&mut third, "events_api", &fixture("message_im")).await;
    assert_eq!(ack, json!({"envelope_id": "env-1"}));
    assert_eq!(live.host.events().len(), 1);
}

#[tokio::test]
async fn home_lists_drafts_and_forms() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.host.show(super::open("pizza-order"));
    envelope(&mut socket, "events_api", &fixture("app_home_opened")).await;
    let published = live.stub.wait("views.publish", 1).await.remove(0);
    let view = published["view"].to_string();
    assert!(view.contains("Le tue bozze") && view.contains("Continua") && view.contains("Inizia"), "{view}");
}

#[tokio::test]
async fn a_bad_token_and_a_missing_scope_are_told_to_the_operator() {
    let mut live = Live::start("im:history").await;
    let error = (&mut live.running).await.unwrap().unwrap_err().to_string();
    assert!(error.contains("chat:write (sending)"), "{error}");
    let refused = json!({"ok": false, "error": "invalid_auth"});
    let mut live = Live::start(SCOPES).await;
    live.stub.answer("apps.connections.open", axum::Json(refused));
    let error = (&mut live.running).await.unwrap().unwrap_err().to_string();
    assert!(error.contains("connections:write") && !error.contains("xapp-1"), "{error}");
}
