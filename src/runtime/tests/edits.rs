//! Which messages wait for more, and edits of those that do.

use super::*;

const WINDOW: Duration = Duration::from_millis(1500);

fn stage() -> Stage {
    Stage::merging(Arc::new(Parrot(catalog(r#"["log"]"#))), WINDOW)
}

/// A message that its edits name like its event.
fn said(id: &str, text: &str) -> chat::Event {
    let terms = chat::Terms { message: Some(chat::MessageId::new(id)), ..chat::Terms::default() };
    chat::Event { terms, ..event("slack", id, text) }
}

fn edit(id: &str, message: &str, text: &str) -> chat::Event {
    let action = chat::Action::Edit { message: chat::MessageId::new(message), text: text.to_owned() };
    chat::Event { action, ..event("slack", id, "") }
}

fn press(id: &str) -> chat::Event {
    let press = chat::Press { token: chat::Token::new(&chat::Nonce::new(1), 0), value: chat::Pressed::Button };
    chat::Event { action: chat::Action::Press { presses: vec![press] }, ..event("slack", id, "") }
}

#[tokio::test]
async fn an_edit_of_a_message_that_waits_is_read_in_its_place() {
    let stage = stage();
    for event in [said("e1", "two"), said("e2", "spicy"), edit("e3", "e1", "three"), said("e4", "pizzas"), press("e5")]
    {
        stage.host.accept(event).await.unwrap();
    }
    assert_eq!(stage.settle().await, ["ann: 0: three\nspicy\npizzas"]);
    let key = Runtime::key(&place("slack"), &chat::UserId::new("ann"));
    let seen = stage.store.seen(&key, &chat::EventId::new("e3")).await.unwrap();
    assert!(matches!(seen, Some(Accepted::Done(_))), "{seen:?}");
}

#[test]
fn joined_messages_are_known_one_by_one() {
    let merged =
        crate::intake::burst::merged(&[said("e1", "two"), said("e2", "pizzas"), edit("e3", "e2", "pies")]).unwrap();
    assert_eq!(merged.id.as_str(), "e3");
    assert_eq!(merged.action, chat::Action::Say { text: "two\npies".to_owned() });
    let joined: Vec<_> = merged.terms.joined.iter().map(|one| (one.message.as_str(), one.text.as_str())).collect();
    assert_eq!(joined, [("e1", "two"), ("e2", "pies")]);
    let alone = crate::intake::burst::merged(&[said("e1", "two"), edit("e3", "e1", "three")]).unwrap();
    assert_eq!((alone.terms.message, alone.terms.joined), (Some(chat::MessageId::new("e1")), Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn a_whole_message_goes_on_at_once_and_an_unfinished_one_waits() {
    let stage = real_time();
    let since = tokio::time::Instant::now();
    stage.host.accept(said("e1", "whole")).await.unwrap();
    arrived(&stage, 1).await;
    assert!(since.elapsed() < Duration::from_millis(100), "{:?}", since.elapsed());
    tokio::time::advance(Duration::from_secs(60)).await;
    let since = tokio::time::Instant::now();
    stage.host.accept(said("e2", "unfinished and")).await.unwrap();
    arrived(&stage, 2).await;
    assert!(since.elapsed() >= WINDOW, "{:?}", since.elapsed());
}

#[tokio::test(start_paused = true)]
async fn who_writes_in_pieces_is_waited_for_until_messages_come_alone_again() {
    let stage = real_time();
    for event in [said("e1", "half and"), said("e2", "whole")] {
        stage.host.accept(event).await.unwrap();
    }
    arrived(&stage, 1).await;
    let mut waits = Vec::new();
    for no in 3..8 {
        tokio::time::advance(Duration::from_secs(60)).await;
        let since = tokio::time::Instant::now();
        stage.host.accept(said(&format!("e{no}"), "whole")).await.unwrap();
        arrived(&stage, no - 1).await;
        waits.push(since.elapsed() >= WINDOW);
    }
    assert_eq!(waits, [true, true, false, false, false]);
}

/// A process whose pauses are those of the test's clock.
fn real_time() -> Stage {
    let stage = Stage::clocked(Arc::default(), Arc::new(Parrot(catalog(r#"["log"]"#))), WINDOW, Some(Clock::system()));
    tokio::spawn(Arc::clone(&stage.runtime).deliver_until(std::future::pending()));
    stage
}

/// Waits until so many replies have arrived.
async fn arrived(stage: &Stage, count: usize) {
    while stage.slack.said.lock().unwrap().len() < count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
