//! Sockets, signed requests, redelivery, and modals, with a small app on the other side.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{call, call_as, input, modal, post, section};
use crate::slack::{APP_TOKEN, Answer, SlackFake, deliver, http};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn socket(fake: &SlackFake) -> Socket {
    let answer = call_as(fake, "apps.connections.open", Some(APP_TOKEN), &json!({})).await;
    let (mut socket, _) = connect_async(answer["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(frame(&mut socket).await.unwrap()["type"], "hello");
    socket
}

async fn frame(socket: &mut Socket) -> Option<Value> {
    loop {
        match socket.next().await? {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

async fn acknowledge(socket: &mut Socket, frame: &Value, payload: Option<Value>) {
    let mut ack = json!({"envelope_id": frame["envelope_id"]});
    if let Some(payload) = payload {
        ack["payload"] = payload;
    }
    socket.send(Message::text(ack.to_string())).await.unwrap();
}

/// An app on a socket that answers every interaction with what `answer` gives.
fn app(mut socket: Socket, answer: impl Fn(&Value) -> Option<Value> + Send + 'static) -> Arc<Mutex<Vec<Value>>> {
    let seen = Arc::<Mutex<Vec<Value>>>::default();
    let kept = seen.clone();
    tokio::spawn(async move {
        while let Some(frame) = frame(&mut socket).await {
            kept.lock().unwrap().push(frame.clone());
            let payload = answer(&frame["payload"]);
            acknowledge(&mut socket, &frame, payload).await;
        }
    });
    seen
}

#[tokio::test]
async fn an_event_that_is_not_acknowledged_comes_on_the_other_socket() {
    let fake = SlackFake::start().await;
    fake.set_windows(|windows| windows.answer = Duration::from_millis(100));
    let (mut one, mut two) = (socket(&fake).await, socket(&fake).await);
    fake.wait_for_connections(2).await;
    fake.person("Ada").in_private().writes("two <b>pizzas</b>").await;
    let either = tokio::select! {
        frame = frame(&mut one) => (1, frame.unwrap()),
        frame = frame(&mut two) => (2, frame.unwrap()),
    };
    let other = if either.0 == 1 { &mut two } else { &mut one };
    let again = frame(other).await.unwrap();
    assert_eq!(either.1["envelope_id"], again["envelope_id"]);
    assert_eq!((&either.1["retry_attempt"], &again["retry_attempt"]), (&json!(0), &json!(1)));
    assert_eq!(again["payload"]["event"]["text"], "two &lt;b&gt;pizzas&lt;/b&gt;");
    acknowledge(other, &again, None).await;
    fake.wait_until_quiet().await;
    assert_eq!(fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn what_was_on_a_dropped_socket_comes_again_on_the_next() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada").in_private();
    ada.writes("before anyone listens").await;
    let mut first = socket(&fake).await;
    let lost = frame(&mut first).await.unwrap();
    fake.drop_sockets();
    assert_eq!(frame(&mut first).await, None);
    let mut second = socket(&fake).await;
    let again = frame(&mut second).await.unwrap();
    assert_eq!(lost["payload"]["event_id"], again["payload"]["event_id"]);
    acknowledge(&mut second, &again, None).await;
    fake.wait_until_quiet().await;
    fake.redelivers();
    assert_eq!(frame(&mut second).await.unwrap()["payload"]["event_id"], lost["payload"]["event_id"]);
}

#[tokio::test]
async fn a_ticket_works_once_and_disconnect_ends_a_socket() {
    let fake = SlackFake::start().await;
    fake.set_windows(|windows| windows.close = Duration::ZERO);
    let url = call_as(&fake, "apps.connections.open", Some(APP_TOKEN), &json!({})).await["url"].clone();
    let (mut socket, _) = connect_async(url.as_str().unwrap()).await.unwrap();
    assert!(connect_async(url.as_str().unwrap()).await.is_err());
    assert_eq!(frame(&mut socket).await.unwrap()["num_connections"], 1);
    fake.wait_for_connections(1).await;
    fake.sends_disconnect("refresh_requested");
    assert_eq!(frame(&mut socket).await.unwrap()["reason"], "refresh_requested");
    assert_eq!(frame(&mut socket).await, None);
    assert_eq!(fake.refusals().len(), 1);
}

#[tokio::test]
async fn a_socket_that_does_not_answer_pings_is_closed() {
    let fake = SlackFake::start().await;
    fake.set_windows(|windows| windows.ping = Duration::from_millis(50));
    let _silent = socket(&fake).await;
    fake.wait_for_connections(1).await;
    let inner = fake.inner.clone();
    fake.inner.until("no socket", |_| (inner.connections() == 0).then_some(())).await;
    assert!(fake.refusals()[0].contains("ping"));
}

#[tokio::test]
async fn a_person_presses_picks_and_sees_what_is_behind() {
    let fake = SlackFake::start().await;
    fake.channel("general");
    let (ada, ben) = (fake.person("Ada").in_channel("general"), fake.person("Ben").in_channel("general"));
    let seen = app(socket(&fake).await, |_| None);
    let option = |label: &str| json!({"text": {"type": "plain_text", "text": label}, "value": label});
    let button =
        json!({"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}, "value": "7"});
    let boxes = json!({"type": "checkboxes", "action_id": "tick", "options": [option("Olives"), option("Capers")]});
    let blocks = json!([section("Toppings?"), {"type": "actions", "block_id": "b", "elements": [boxes, button]}]);
    let ts = post(&fake, &json!({"channel": ada.channel_id(), "text": "Toppings?", "blocks": blocks})).await;
    ada.picks(&["Olives", "Capers"]).await;
    ada.sees("[x] Olives [x] Capers [Go]").await;
    assert!(ben.can_see("[ ] Olives [ ] Capers [Go]"));
    ben.presses_of(&ada, "Go").await;
    let body = json!({"channel": ada.channel_id(), "ts": ts, "text": "Done", "blocks": [section("Done")]});
    assert_eq!(call(&fake, "chat.update", &body).await["ok"], true);
    ada.sees_no_more("[Go]").await;
    ada.presses_old("Go").await;
    let seen = seen.lock().unwrap().clone();
    let actions: Vec<&Value> = seen.iter().filter(|frame| frame["type"] == "interactive").collect();
    assert_eq!(actions[0]["payload"]["actions"][0]["selected_options"][1]["value"], "Capers");
    assert_eq!(actions[1]["payload"]["user"]["id"], "UBEN");
    assert_eq!(actions[1]["payload"]["state"]["values"]["b"]["tick"]["selected_options"], json!([]));
    assert_eq!(actions[2]["payload"]["actions"][0]["value"], "7");
    let url = actions[2]["payload"]["response_url"].as_str().unwrap();
    let respond = async |body: Value| {
        let headers = [("content-type", "application/json")];
        http::send("POST", url, &headers, body.to_string().as_bytes(), Duration::from_secs(5)).await.unwrap().status
    };
    assert_eq!(respond(json!({"text": "only for Ada"})).await, 200);
    ada.sees("(only you): only for Ada").await;
    assert_eq!(respond(json!({"replace_original": true, "text": "Replaced"})).await, 200);
    ben.sees("Replaced").await;
    assert_eq!(respond(json!({"delete_original": true})).await, 200);
    ben.sees_no_more("Replaced").await;
    assert_eq!(respond(json!({"text": " "})).await, 400);
    assert_eq!(respond(json!({"text": "fifth"})).await, 200);
    assert_eq!(respond(json!({"text": "sixth"})).await, 404);
    assert!(fake.refusals()[0].contains("no_text") && fake.refusals()[1].contains("used_url"));
}

#[tokio::test]
async fn a_modal_is_filled_and_the_answer_is_obeyed() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada").in_private();
    let replies = Mutex::new(vec![
        json!({"response_action": "errors", "errors": {"name": "Two words, please."}}),
        json!({"response_action": "push", "view": modal("More", &json!([section("x"), input("more", "More")]))}),
        json!({"response_action": "errors", "errors": {"nowhere": "?"}}),
        json!({"response_action": "clear"}),
    ]);
    let seen = app(socket(&fake).await, move |payload| {
        (payload["type"] == "view_submission").then(|| replies.lock().unwrap().remove(0))
    });
    ada.uses_shortcut("start").await;
    let trigger = seen.lock().unwrap()[0]["payload"]["trigger_id"].clone();
    let mut age = input("age", "Age");
    age["element"] =
        json!({"type": "number_input", "action_id": "age", "is_decimal_allowed": false, "max_value": "120"});
    age["optional"] = json!(true);
    let view = modal("Who are you?", &json!([input("name", "Name"), age]));
    assert_eq!(call(&fake, "views.open", &json!({"trigger_id": trigger, "view": view})).await["ok"], true);
    ada.fills_modal(&[("Age", "200")]).await;
    ada.sees_modal("Name*: {____}\n!! Please complete this required field.").await;
    ada.sees_modal("Age: {200}\n!! Please enter a smaller number.").await;
    assert_eq!(seen.lock().unwrap().len(), 1, "Slack sends nothing that it finds wrong itself");
    ada.fills_modal(&[("Name", "Ada"), ("Age", "36")]).await;
    ada.sees_modal("Name*: {Ada}\n!! Two words, please.").await;
    ada.fills_modal(&[("Name", "Ada Lovelace")]).await;
    ada.sees_modal("== More ==").await;
    ada.fills_modal(&[("More", "no")]).await;
    ada.sees_modal("We had some trouble connecting").await;
    ada.submits().await;
    ada.sees_no_modal().await;
    let sent = seen.lock().unwrap()[2]["payload"]["view"]["state"]["values"].clone();
    assert_eq!(sent["name"]["name"], json!({"type": "plain_text_input", "value": "Ada Lovelace"}));
    assert_eq!(sent["age"]["age"]["value"], "36");
    assert_eq!(fake.refusals().len(), 1, "{:?}", fake.refusals());
}

#[tokio::test]
async fn nobody_answers_and_the_person_is_told() {
    let fake = SlackFake::start().await;
    fake.set_windows(|windows| windows.answer = Duration::from_millis(50));
    let ada = fake.person("Ada").in_private();
    ada.commands("/formwright pizza").await;
    ada.sees("/formwright failed with the error \"operation_timeout\"").await;
}

/// A small HTTP app: answers the challenge, then the statuses given, then 200.
async fn http_app(statuses: Vec<u16>) -> (String, Arc<Mutex<Vec<(String, String)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/slack", listener.local_addr().unwrap());
    let seen = Arc::<Mutex<Vec<(String, String)>>>::default();
    let (kept, statuses) = (seen.clone(), Mutex::new(statuses));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            let whole = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes).into_owned();
                let (head, body) = text.split_once("\r\n\r\n")?;
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
                (body.len() >= length).then(|| (head.to_owned(), body.to_owned()))
            };
            let (head, body) = loop {
                let mut more = [0; 4096];
                let count = stream.read(&mut more).await.unwrap();
                bytes.extend_from_slice(&more[..count]);
                if let Some(request) = whole(&bytes) {
                    break request;
                }
            };
            let challenge = serde_json::from_str::<Value>(&body)
                .ok()
                .and_then(|body| body["challenge"].as_str().map(str::to_owned));
            let status = match (&challenge, statuses.lock().unwrap()) {
                (None, mut statuses) if !statuses.is_empty() => statuses.remove(0),
                _ => 200,
            };
            if challenge.is_none() {
                kept.lock().unwrap().push((head, body));
            }
            let words = challenge.unwrap_or_default();
            let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{words}", words.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (url, seen)
}

#[tokio::test]
async fn events_over_http_are_signed_and_come_again() {
    let fake = SlackFake::start().await;
    fake.set_windows(|windows| windows.retries = vec![Duration::ZERO; 3]);
    let (url, seen) = http_app(vec![500, 503, 500, 502]).await;
    fake.sets_request_url(&url).await;
    let ada = fake.person("Ada").in_private();
    ada.writes("hello").await;
    let requests = async |count: usize| {
        while seen.lock().unwrap().len() < count {
            tokio::task::yield_now().await;
        }
        seen.lock().unwrap().clone()
    };
    let four = tokio::time::timeout(Duration::from_secs(10), requests(4)).await.unwrap();
    let header = |head: &str, name: &str| {
        head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).map(str::to_owned)
    };
    for (no, (head, body)) in four.iter().enumerate() {
        let retry = header(head, "x-slack-retry-num");
        assert_eq!(retry, (no > 0).then(|| no.to_string()));
        let timestamp = header(head, "x-slack-request-timestamp").unwrap();
        let signature = deliver::sign(fake.signing_secret(), &timestamp, body.as_bytes());
        assert_eq!(header(head, "x-slack-signature"), Some(signature));
        assert_eq!(*body, four[0].1);
    }
    // A slash command is a form.
    ada.commands("/formwright pizza & co").await;
    let (_, body) = requests(5).await[4].clone();
    assert!(body.contains("command=%2Fformwright") && body.contains("text=pizza+%26+co"), "{body}");
    assert_eq!(fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_call_that_is_lost_was_done() {
    let fake = SlackFake::start().await;
    let ada = fake.person("Ada");
    fake.next_answers([Answer::Error("internal_error".to_owned())]);
    let body = json!({"channel": ada.id(), "text": "x"});
    assert_eq!(call(&fake, "chat.postMessage", &body).await["error"], "internal_error");
    assert!(!ada.can_see("x"));
}

/// The example of Slack's page on verifying requests.
#[test]
fn signatures_are_slacks() {
    let body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    let signature = deliver::sign("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body.as_bytes());
    assert_eq!(signature, "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
}
