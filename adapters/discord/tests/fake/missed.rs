//! What was said while nobody listened, where Discord has forgotten the session.

use formwright_chat::conformance;
use formwright_fakes::discord::Answer;

use crate::{Stage, said};

#[tokio::test]
async fn after_a_restart_without_its_session_threads_and_private_messages_are_read_too() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    let (thread, idle) = (ada.in_thread("lunch", "today"), ada.in_channel("office"));
    thread.writes("@Formwright in the thread").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    ada.writes("in private").await;
    stage.reply(&stage.event(2).await, 'b', &conformance::one_of(3)).await.unwrap();
    let stage = stage.restarts(async |fake| {
        fake.forgets_sessions();
        thread.writes("two").await;
        ada.writes("three").await;
        idle.writes("talk among people").await;
    });
    let stage = stage.await;
    let events = stage.host.wait_for_events(4).await;
    let mut missed: Vec<_> = events[2..].iter().map(|event| (said(event), event.place.channel.clone())).collect();
    missed.sort();
    assert_eq!(missed, [("three".to_owned(), ada.channel_id()), ("two".to_owned(), thread.channel_id())]);
    thread.presses("Option 1").await;
    assert_eq!(stage.event(5).await.place.channel, thread.channel_id());
    stage.fine();
}

#[tokio::test]
async fn many_messages_that_were_missed_are_all_read_in_their_order() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("words 0").await;
    stage.event(1).await;
    let stage = stage.restarts(async |fake| {
        fake.forgets_sessions();
        for no in 1..=230 {
            ada.writes(&format!("words {no}")).await;
        }
    });
    let words: Vec<String> = stage.await.host.wait_for_events(231).await.iter().map(said).collect();
    assert_eq!(words, (0..=230).map(|no| format!("words {no}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_channel_that_cannot_be_read_at_once_is_read_later() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("one").await;
    stage.event(1).await;
    let stage = stage.restarts(async |fake| {
        fake.forgets_sessions();
        ada.writes("two").await;
        fake.next_answers_to("GET /channels", vec![Answer::Status(502); 3]);
    });
    let stage = stage.await;
    ada.writes("three").await;
    let words: Vec<String> = stage.host.wait_for_events(3).await.iter().map(said).collect();
    assert_eq!(words, ["one", "two", "three"]);
}
