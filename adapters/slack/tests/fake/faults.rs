//! What goes wrong on the way: redelivery, limits, lost answers, dropped sockets, forged requests, missing scopes.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chat::words::{Word, say};
use chat::{DeliveryError, HostError};
use formwright_chat as chat;
use formwright_fakes::slack::{Answer, SlackFake};
use rstest::rstest;
use serde_json::json;

use crate::{By, Live, buttons, screen, words};

#[rstest]
#[tokio::test]
async fn what_comes_twice_counts_once(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    live.fake.doubles_events(true);
    ada.writes("hello").await;
    live.fake.doubles_events(false);
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ada.presses("Option 1").await;
    live.fake.redelivers();
    ada.writes("the end").await;
    let events = live.host.wait_for_events(3).await;
    live.fake.wait_until_quiet().await;
    assert_eq!(events.len(), live.host.events().len());
    assert_eq!(events.len(), 3, "{events:#?}");
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn what_was_not_stored_comes_again(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start_with(by, |fake| {
        fake.set_windows(|windows| {
            windows.retries = vec![Duration::ZERO; 3];
            windows.answer = Duration::from_millis(200);
        });
    })
    .await;
    let ada = live.fake.person("Ada").in_private();
    live.host.refuse(vec![HostError::Unavailable("disk".to_owned()), HostError::Unavailable("disk".to_owned())]);
    ada.writes("hello").await;
    live.heard(1).await;
    live.ends_well().await;
}

#[rstest]
#[case::busy(HostError::Busy { retry_after: 5 }, say(Word::SlowDown, "en"))]
#[case::refused(HostError::Refused("Not today.".to_owned()), "Not today.")]
#[tokio::test]
async fn a_refusal_is_told_to_the_person(#[case] error: HostError, #[case] words: &str) {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.host.refuse(vec![error]);
    ada.writes("hello").await;
    ada.sees(words).await;
    assert_eq!(live.host.events(), []);
    live.ends_well().await;
}

#[tokio::test]
async fn events_that_come_in_another_order_are_all_taken() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.fake.withholds_events();
    ada.writes("one").await;
    ada.writes("two").await;
    ada.writes("three").await;
    live.fake.releases_events(true);
    live.heard(3).await;
    live.ends_well().await;
}

#[rstest]
#[case::limited(Answer::TooMany { retry_after: Some(30) }, Some(30))]
#[case::limited_in_json(Answer::Error("ratelimited".to_owned()), Some(1))]
#[case::limited_without_time(Answer::TooMany { retry_after: None }, Some(1))]
#[case::trouble(Answer::Status(503), None)]
#[case::own_trouble(Answer::Error("internal_error".to_owned()), None)]
#[case::dropped(Answer::Drop, None)]
#[tokio::test]
async fn a_call_that_fails_is_tried_again_later(#[case] answer: Answer, #[case] wait: Option<u64>) {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.fake.next_answers_to("chat.postMessage", [answer]);
    let outcome = live.tries(&ada, "r1", words("Hello.")).await;
    let Err(DeliveryError::Later { after, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(after.map(|after| after.as_secs()), wait);
    assert!(!ada.can_see("Hello."));
    live.ends_well().await;
}

#[tokio::test]
async fn a_message_whose_answer_was_lost_is_not_sent_twice() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("@formwright pizza").await;
    let thread = ada.in_thread_of("pizza").await;
    for (no, at) in [thread, ada.in_private()].iter().enumerate() {
        let id = format!("r{no}");
        live.fake.next_answers_to("chat.postMessage", [Answer::Lose]);
        assert!(live.tries(at, &id, screen(7, buttons(3))).await.is_err());
        at.sees("[Option 1]").await;
        live.says(at, &id, screen(7, buttons(3))).await;
        assert_eq!(at.screen().matches("[Option 1]").count(), 1, "{}", at.screen());
        at.presses("Option 1").await;
    }
    live.heard(3).await;
    live.ends_well().await;
}

#[tokio::test]
async fn a_message_is_not_sent_twice_though_the_store_goes_away_at_any_moment() {
    for notes in 0..4 {
        let live = Live::start(By::Socket).await;
        let ada = live.fake.person("Ada").in_private();
        live.host.takes_notes(Some(notes));
        assert!(live.tries(&ada, "r1", screen(7, buttons(3))).await.is_err(), "after {notes} notes");
        live.host.takes_notes(None);
        live.fake.next_answers_to("conversations.history", [Answer::Status(502)]);
        while live.tries(&ada, "r1", screen(7, buttons(3))).await.is_err() {}
        assert_eq!(ada.screen().matches("[Option 1]").count(), 1, "after {notes} notes: {}", ada.screen());
        ada.presses("Option 1").await;
        live.heard(1).await;
    }
}

#[tokio::test]
async fn what_slack_has_put_off_is_not_looked_for() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let reply = || screen(7, buttons(3));
    let called = |method: &str| live.fake.calls().iter().filter(|name| *name == method).count();
    let trouble = [Answer::TooMany { retry_after: Some(0) }, Answer::Error("internal_error".to_owned())];
    live.fake.next_answers_to("chat.postMessage", trouble);
    assert!(live.tries(&ada, "r1", reply()).await.is_err());
    assert!(live.tries(&ada, "r1", reply()).await.is_err());
    assert_eq!((called("chat.postMessage"), called("conversations.history")), (2, 0));
    assert!(live.tries(&ada, "r1", reply()).await.is_ok());
    assert_eq!((called("chat.postMessage"), called("conversations.history")), (3, 1), "nobody knows what became of it");
    assert_eq!(ada.screen().matches("[Option 1]").count(), 1, "{}", ada.screen());
}

#[tokio::test]
async fn who_cannot_be_written_to_is_given_up() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("@formwright pizza").await;
    let ada = ada.in_thread_of("pizza").await;
    live.fake.archives("general");
    let outcome = live.tries(&ada, "r1", words("Hello.")).await;
    assert!(matches!(outcome, Err(DeliveryError::Never { .. })), "{outcome:?}");
    assert_eq!(live.fake.refusals(), ["chat.postMessage: is_archived"]);
}

#[tokio::test]
async fn a_dropped_socket_loses_nothing() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    live.fake.drop_sockets();
    ada.writes("while nobody listens").await;
    ada.presses("Option 1").await;
    live.heard(2).await;
    live.fake.wait_until_quiet().await;
    live.fake.set_windows(|windows| windows.close = Duration::ZERO);
    live.fake.sends_disconnect("refresh_requested");
    ada.writes("and after").await;
    live.heard(3).await;
    live.ends_well().await;
}

#[tokio::test]
async fn a_modal_that_comes_too_late_is_told() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, chat::conformance::asking(chat::Input::Email))).await;
    live.fake.set_windows(|windows| windows.trigger = Duration::ZERO);
    ada.presses(say(Word::TypeAnswer, "en")).await;
    ada.sees(say(Word::TooLate, "en")).await;
    assert_eq!(live.fake.refusals(), ["views.open: expired_trigger_id"]);
}

#[tokio::test]
async fn forged_altered_and_late_requests_reach_nobody() {
    let live = Live::start(By::Http).await;
    let ada = live.fake.person("Ada").in_private();
    ada.writes("a true one").await;
    live.heard(1).await;
    let mut body = live.fake.last_taken().unwrap();
    body["event_id"] = json!("EvFORGED");
    body["event"]["ts"] = json!("1.000001");
    let body = body.to_string();
    let body = body.as_bytes();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let good = live.fake.signature(now, body);
    let flipped = if good.ends_with('0') { "1" } else { "0" };
    let (old, ahead) = (now - 302, now + 302);
    let cases = [
        (now.to_string(), String::new()),
        (now.to_string(), "v0=".to_owned()),
        (now.to_string(), good.replace("v0=", "v1=")),
        (now.to_string(), good.to_uppercase()),
        (now.to_string(), format!("{}{flipped}", &good[..good.len() - 1])),
        (now.to_string(), live.fake.signature(now, b"another body")),
        ((now - 1).to_string(), good.clone()),
        (old.to_string(), live.fake.signature(old, body)),
        (ahead.to_string(), live.fake.signature(ahead, body)),
        (String::new(), good.clone()),
        ("now".to_owned(), good.clone()),
    ];
    for (timestamp, signature) in &cases {
        let headers = [
            ("content-type", "application/json"),
            ("x-slack-request-timestamp", timestamp.as_str()),
            ("x-slack-signature", signature.as_str()),
        ];
        assert_eq!(live.fake.sends_raw(&live.url, &headers, body).await, 401, "{timestamp} {signature}");
    }
    let now = now.to_string();
    let twice = [
        ("content-type", "application/json"),
        ("x-slack-request-timestamp", now.as_str()),
        ("x-slack-signature", good.as_str()),
        ("x-slack-signature", good.as_str()),
    ];
    assert_eq!(live.fake.sends_raw(&live.url, &twice, body).await, 401);
    assert_eq!(live.fake.sends_raw(&live.url, &[("content-type", "application/json")], body).await, 401);
    live.heard(1).await;
    // The same body with its true signature is taken: it was the signature that was refused.
    assert_eq!(live.fake.sends_raw(&live.url, &twice[..3], body).await, 200);
    live.heard(2).await;
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn the_operator_is_told_what_is_missing(#[values(By::Socket, By::Http)] by: By) {
    let error = Live::refusal(by, |fake| fake.withdraws("chat:write")).await;
    assert!(error.contains("chat:write (sending)"), "{error}");
    let error = Live::refusal(by, SlackFake::revokes_tokens).await;
    assert!(error.contains("token_revoked") && !error.contains("xoxb-fake"), "{error}");
}
