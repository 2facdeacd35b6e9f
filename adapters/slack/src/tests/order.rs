//! What happens side by side and in which order; what stops all sending; edits.

use std::time::Duration;

use axum::http::StatusCode;
use chat::{Adapter as _, DeliveryError, conformance};
use formwright_chat as chat;
use formwright_fakes::websocket::Message;
use serde_json::{Value, json};

use super::live::{Live, SCOPES, delivery, envelope};
use super::{act, button, worn};

#[tokio::test]
async fn people_are_side_by_side_in_the_socket_and_one_person_is_in_order() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    // Ada is at work on something: nothing of hers is taken before it has ended.
    let bot = live.slack.bot().unwrap();
    let busy = bot.frames.turn("U0ADA").await;
    let frames = [("U0ADA", "first", 1), ("U0ADA", "second", 2), ("U0BEN", "his", 3)];
    for (user, words, no) in frames {
        let event = json!({"type": "message", "user": user, "channel": "D0X", "channel_type": "im", "text": words,
            "ts": format!("1780000200.00000{no}")});
        let payload = json!({"type": "event_callback", "team_id": "T0TEAM", "event": event});
        let frame = json!({"type": "events_api", "envelope_id": words, "payload": payload});
        socket.send(Message::text(frame.to_string())).await.unwrap();
    }
    socket.send(Message::Ping("are you there".into())).await.unwrap();
    let mut came = Vec::new();
    let mut busy = Some(busy);
    while came.len() < 4 {
        match tokio::time::timeout(Duration::from_secs(10), socket.recv()).await.expect("an answer in time") {
            Some(Ok(Message::Pong(_))) => came.push("pong".to_owned()),
            Some(Ok(Message::Text(text))) => {
                let frame: Value = serde_json::from_str(&text).unwrap();
                came.push(frame["envelope_id"].as_str().unwrap().to_owned());
            }
            other => drop(other),
        }
        if came.len() == 2 {
            busy.take();
        }
    }
    came[..2].sort();
    assert_eq!(came, ["his", "pong", "first", "second"]);
}

/// A frame with what somebody wrote.
fn written(user: &str, no: usize) -> Message {
    let event = json!({"type": "message", "user": user, "channel": "D0X", "channel_type": "im", "text": "hello",
        "ts": format!("1780000200.{no:06}")});
    let payload = json!({"type": "event_callback", "team_id": "T0TEAM", "event": event});
    Message::text(json!({"type": "events_api", "envelope_id": no.to_string(), "payload": payload}).to_string())
}

/// The envelope that is acknowledged next.
async fn acknowledged(socket: &mut formwright_fakes::websocket::Socket) -> usize {
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(10), socket.recv()).await.expect("an answer in time");
        if let Some(Ok(Message::Text(text))) = frame {
            return serde_json::from_str::<Value>(&text).unwrap()["envelope_id"].as_str().unwrap().parse().unwrap();
        }
    }
}

#[tokio::test]
async fn frames_that_cannot_be_read_are_passed_over() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    let unread =
        ["", "{", "[]", "null", r#"{"type":"events_api"}"#, r#"{"type":"events_api","envelope_id":7,"payload":{}}"#];
    for text in unread {
        socket.send(Message::text(text)).await.unwrap();
    }
    socket.send(Message::Binary(vec![0, 159, 146, 150].into())).await.unwrap();
    for (no, kind) in ["events_api", "interactive", "slash_commands", "something_new"].into_iter().enumerate() {
        let frame = json!({"type": kind, "envelope_id": no.to_string(), "payload": {"type": 3, "event": "x"}});
        socket.send(Message::text(frame.to_string())).await.unwrap();
    }
    let mut read = Vec::new();
    while read.len() < 4 {
        read.push(acknowledged(&mut socket).await);
    }
    read.sort_unstable();
    assert_eq!((read, live.host.events()), (vec![0, 1, 2, 3], Vec::new()), "what means nothing is not sent again");
    socket.send(written("U0ADA", 4)).await.unwrap();
    assert_eq!(acknowledged(&mut socket).await, 4);
    assert_eq!(live.host.events().len(), 1);
}

#[tokio::test]
async fn more_than_can_be_worked_on_is_left_for_slack_to_send_again() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.host.stall("U0ADA");
    for no in 0..1001 {
        socket.send(written("U0ADA", no)).await.unwrap();
    }
    // A pong comes once all before it was read.
    socket.send(Message::Ping("are you there".into())).await.unwrap();
    while !matches!(socket.recv().await, Some(Ok(Message::Pong(_)))) {}
    live.host.go_on();
    let mut taken = Vec::new();
    while taken.len() < 1000 {
        taken.push(acknowledged(&mut socket).await);
    }
    assert_eq!(taken.iter().max(), Some(&999), "the last is not acknowledged");
    socket.send(written("U0ADA", 1000)).await.unwrap();
    assert_eq!(acknowledged(&mut socket).await, 1000);
    assert_eq!(live.host.events().len(), 1001);
}

#[tokio::test]
async fn the_question_comes_first_and_what_is_only_for_show_holds_nothing_up() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    live.deliver(&delivery("r1", worn(conformance::one_of(3)))).await.unwrap();
    let limited = || {
        let headers = [("retry-after", "1000")];
        (StatusCode::TOO_MANY_REQUESTS, headers, axum::Json(json!({"ok": false, "error": "ratelimited"})))
    };
    live.stub.answer("chat.update", limited());
    let say = |words: &str| chat::Reply { say: vec![words.to_owned()], ..chat::Reply::default() };
    live.deliver(&delivery("r2", say("Next."))).await.unwrap();
    live.stub.wait("chat.update", 1).await;
    let order: Vec<String> = live.stub.calls.lock().unwrap().iter().map(|(name, _)| name.clone()).collect();
    let place = |method: &str| order.iter().rposition(|name| name == method).unwrap();
    assert!(place("chat.postMessage") < place("chat.update"), "{order:?}");

    // A press says how its message is changed, which no rate counts: chat.update may rest.
    let mut asked = worn(conformance::one_of(3));
    let other = |token: &mut chat::Token| token.nonce = chat::Nonce::new(8);
    for question in &mut asked.questions {
        other(&mut question.token);
        if let chat::Input::Options { options, .. } = &mut question.input {
            options.iter_mut().for_each(|option| other(&mut option.token));
        }
    }
    asked.buttons.iter_mut().for_each(|button| other(&mut button.token));
    live.deliver(&delivery("r3", asked.clone())).await.unwrap();
    let posted = live.stub.called("chat.postMessage").len();
    let mut press = act(&button(&asked.questions[0].token.option(1)));
    press["response_url"] = json!(format!("{}/api/respond", live.stub.url.get().unwrap()));
    let ts = format!("1780000100.{:06}", live.stub.calls.lock().unwrap().len());
    for at in ["container", "message"] {
        press[at]["message_ts"] = json!(ts);
        press[at]["ts"] = json!(ts);
    }
    envelope(&mut socket, "interactive", &press).await;
    live.deliver(&delivery("r4", say("Thank you."))).await.unwrap();
    let replaced = live.stub.wait("respond", 1).await.remove(0);
    assert!(replaced["replace_original"] == true && replaced["blocks"].to_string().contains("✓ Option 2"));
    assert_eq!((live.stub.called("chat.update").len(), live.stub.called("chat.postMessage").len()), (1, posted + 1));
}

#[tokio::test]
async fn a_token_that_is_taken_back_stops_all_sending_and_is_told() {
    let live = Live::start(SCOPES).await;
    let _socket = live.socket().await;
    assert_eq!(live.slack.trouble(), None);
    live.stub.answer("chat.postMessage", axum::Json(json!({"ok": false, "error": "token_revoked"})));
    for id in ["r1", "r2", "r3"] {
        let refused = live.deliver(&delivery(id, worn(conformance::one_of(3)))).await;
        assert!(matches!(refused, Err(DeliveryError::Later { .. })), "{refused:?}");
    }
    assert_eq!(live.stub.called("chat.postMessage").len(), 1, "nothing more is sent");
    assert!(live.slack.trouble().is_some_and(|why| why.contains("slack.token")));
    // Slack is asked now and then; this is what it takes then.
    live.slack.bot().unwrap().api.try_credentials_once().await;
    assert_eq!(live.slack.trouble(), None);
    live.deliver(&delivery("r1", worn(conformance::one_of(3)))).await.unwrap();
}

#[tokio::test]
async fn an_edit_names_the_message_that_it_changes_and_an_unfolded_link_is_none() {
    let live = Live::start(SCOPES).await;
    let mut socket = live.socket().await;
    let say = |event: Value| json!({"type": "event_callback", "team_id": "T0TEAM", "event": event});
    let written = json!({"type": "message", "user": "U0ADA", "channel": "D0ADA", "channel_type": "im",
        "text": "12 people", "ts": "1780000200.000001"});
    let changed = |text: &str, at: Value| {
        json!({"type": "message", "subtype": "message_changed", "hidden": true, "channel": "D0ADA",
            "channel_type": "im", "ts": "1780000201.000001", "previous_message": written,
            "message": {"type": "message", "user": "U0ADA", "text": text, "ts": "1780000200.000001", "edited": at}})
    };
    let edited = json!({"user": "U0ADA", "ts": "1780000201.000000"});
    for event in [written.clone(), changed("12 people", Value::Null), changed("13 people", edited)] {
        envelope(&mut socket, "events_api", &say(event)).await;
    }
    let events = live.host.events();
    let message = events[0].terms.message.clone().unwrap();
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(events[1].action, chat::Action::Edit { message, text: "13 people".to_owned() });
}
